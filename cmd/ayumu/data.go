package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/text"
)

func envOr(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

// dataFlag adds the flag for the data folder.
func dataFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "data", envOr("AYUMU_DATA", "."), "folder of the data file (AYUMU_DATA)")
}

func backupCommand() *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the data file (works while the server runs)",
		Args:  cobra.ExactArgs(1),
		RunE: flags.withStore(func(cmd *cobra.Command, db store.Store, args []string) error {
			if err := db.Backup(cmd.Context(), args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "copied to %s\n", args[0])
			return nil
		}),
	}
	flags.add(cmd)
	return cmd
}

func dbCommand() *cobra.Command {
	var flags storeFlags
	check := &cobra.Command{
		Use:   "check",
		Short: "Verify the store by replaying every match",
		Args:  cobra.NoArgs,
		RunE: flags.withStore(func(cmd *cobra.Command, db store.Store, _ []string) error {
			return checkData(cmd.Context(), db, cmd.OutOrStdout())
		}),
	}
	flags.add(check)
	cmd := &cobra.Command{Use: "db", Short: "Check or copy the store"}
	cmd.AddCommand(check, dbCopyCommand())
	return cmd
}

// checkData writes a line for every problem and then the number of matches checked.
func checkData(ctx context.Context, db store.Store, out io.Writer) error {
	problems, err := db.Check(ctx)
	if err != nil {
		return err
	}
	for _, line := range problems {
		fmt.Fprintln(out, line)
	}
	matches, failed := 0, len(problems)
	err = db.AllMatches(ctx, func(info *match.Info, log []match.Entry) error {
		matches++
		if err := match.VerifyLog(info, log); err != nil {
			failed++
			fmt.Fprintln(out, err)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("found %s; restore a backup, or stop using the matches named above", text.Plural(failed, "problem"))
	}
	all := ", all valid"
	if matches == 1 {
		all = ", valid"
	}
	fmt.Fprintln(out, text.Plural(matches, "match")+all)
	return nil
}

func accountCommand() *cobra.Command {
	var flags storeFlags
	addkey := &cobra.Command{
		Use:   "addkey NAME [FILE]",
		Short: "Add a key to an account (for a player who lost theirs)",
		Long:  "Add a public key to an account. It is read from FILE (such as id_ed25519.pub) or from standard input.",
		Args:  cobra.RangeArgs(1, 2),
		RunE: flags.withStore(func(cmd *cobra.Command, db store.Store, args []string) error {
			in := cmd.InOrStdin()
			if len(args) == 2 {
				f, err := os.Open(args[1])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			return addKey(cmd.Context(), db, args[0], in, cmd.OutOrStdout())
		}),
	}
	flags.add(addkey)
	cmd := &cobra.Command{Use: "account", Short: "Maintain accounts"}
	cmd.AddCommand(addkey, botCommand())
	cmd.AddCommand(memberCommands()...)
	return cmd
}

func botCommand() *cobra.Command {
	var flags storeFlags
	var remove bool
	cmd := &cobra.Command{
		Use:   "bot NAME",
		Short: "Mark an account as a bot",
		Args:  cobra.ExactArgs(1),
		RunE: flags.withStore(func(cmd *cobra.Command, db store.Store, args []string) error {
			a, err := db.AccountByName(cmd.Context(), args[0])
			if err != nil {
				return fmt.Errorf("account %s: %w", args[0], err)
			}
			if err := db.SetBot(cmd.Context(), a.ID, !remove); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "the change for %s applies from the next session on\n", a.Name)
			return nil
		}),
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&remove, "no", false, "remove the mark")
	return cmd
}

func addKey(ctx context.Context, db store.Store, name string, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(io.LimitReader(in, 64<<10))
	if err != nil {
		return err
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		return fmt.Errorf("not a public key; use the content of a file such as id_ed25519.pub")
	}
	a, err := db.AccountByName(ctx, name)
	if err != nil {
		return fmt.Errorf("account %s: %w", name, err)
	}
	if err := db.AddKey(ctx, a.ID, key.Marshal(), time.Now()); err != nil {
		return fmt.Errorf("key %s: %w", ssh.FingerprintSHA256(key), err)
	}
	fmt.Fprintf(out, "%s can now sign in with key %s\n", a.Name, ssh.FingerprintSHA256(key))
	return nil
}
