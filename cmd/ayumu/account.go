package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/op"
)

// memberCommands returns the commands of `ayumu account` that are commands of admin, too.
func memberCommands() (all []*cobra.Command) {
	for _, c := range []struct {
		use, word, short string
		min, max         int
		hasJSON          bool
	}{
		{"list [AFTER]", "members", "List accounts by name, 200 at a time: role, last seen, games, keys and ratings", 0, 1, true},
		{"show NAME", "member", "Show an account with its keys", 1, 1, true},
		{"rename NAME NEW", "rename", "Change the name of an account", 2, 2, false},
		{"remove NAME", "remove", "Delete an account. Its finished games stay, under a neutral name", 1, 1, false},
		{"role NAME player|moderator|owner", "role", "Give an account a role, in addition to the list of keys", 2, 2, false},
	} {
		var flags storeFlags
		asJSON := false
		cmd := &cobra.Command{
			Use: c.use, Short: c.short, Args: cobra.RangeArgs(c.min, c.max),
			Long: c.short + ".\n\nIf a server is using the data folder, the server does it, so that it applies at once. Otherwise, or with\n--store, the store is opened.",
			RunE: func(cmd *cobra.Command, args []string) error {
				words := append([]string{c.word}, args...)
				if asJSON {
					words = append(words, "--json")
				}
				if c.word == "remove" {
					words = append(words, "--yes") // the name of the command says it
				}
				return runMembers(cmd.Context(), &flags, words, cmd.OutOrStdout())
			},
		}
		cmd.ValidArgsFunction = cobra.NoFileCompletions
		if c.word == "role" {
			cmd.ValidArgsFunction = completeRole
		}
		flags.add(cmd)
		if c.hasJSON {
			cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
		}
		all = append(all, cmd)
	}
	return all
}

// completeRole completes the second argument of `ayumu account role`.
func completeRole(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{club.RolePlayer.String(), club.RoleModerator.String(), club.RoleServerOwner.String()}, cobra.ShellCompDirectiveNoFileComp
}

// runMembers runs an admin command about members: with the server of the data folder, or on the store.
func runMembers(ctx context.Context, flags *storeFlags, words []string, out io.Writer) error {
	if flags.store == "" {
		text, err := askAdmin(flags.dir, words)
		if !errors.Is(err, errNoServer) {
			fmt.Fprint(out, text)
			return err
		}
	}
	db, err := flags.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	c, err := club.New(ctx, db)
	if err != nil {
		return err
	}
	var failed error
	if at, err := flags.location(); err == nil {
		if _, isShared := at.(postgresURL); isShared {
			c.Share = func(id string, data []byte) {
				failed = errors.Join(failed, lobby.ShareModeration(ctx, db.Shared(), id, data))
			}
		}
	}
	var errs bytes.Buffer
	if status := runAdmin(ctx, op.Config{Moderator: c.Moderator(operator), Manager: c.Manager(operator), Bulletin: &c.Bulletin}, out, &errs, words); status != 0 {
		return errors.Join(errors.New(strings.TrimSpace(errs.String())), failed)
	}
	return failed
}
