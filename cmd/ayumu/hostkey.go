package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/store"
	"ayumu/server/sshd"
)

// hostKeyRow is the id of the row with the fingerprint of the first host key of all nodes. Clients that reach another node
// than before would take a different key for an attack.
const hostKeyRow = "fingerprint"

// hostKeyRows returns the rows of a store of which that is one, as text.
func hostKeyRows(s rows.Store) *rows.Shared[string] {
	return &rows.Shared[string]{
		Name: "hostkey", Store: s, Encode: func(print *string) []byte { return []byte(*print) },
		Decode: func(_ string, data []byte) (*string, error) { print := string(data); return &print, nil },
	}
}

func hostkeyCommand() *cobra.Command {
	var replace, force bool
	cmd := &cobra.Command{
		Use:   "hostkey",
		Short: "Print the fingerprints of the host keys (creates the first one if it is missing)",
		Long: "Print the fingerprints of the host keys, and create the first one if it is missing. All nodes of a\n" +
			"PostgreSQL database have the same first key, whose fingerprint the database keeps. With --replace the\n" +
			"database keeps the fingerprint of the given key instead, which each node then needs at its next start.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Flags(), os.Getenv)
			if err != nil {
				return err
			}
			if force && !replace {
				return errors.New("--force is for --replace")
			}
			load := agreeOnHostKey
			if replace {
				load = replaceHostKey
			}
			keys, err := withHostKeys(cmd.Context(), c, replace && !force, load)
			if err != nil {
				return err
			}
			printHostKeys(cmd.OutOrStdout(), c.HostKeys, keys)
			return nil
		},
	}
	config.Flags(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false, "make this the first key of all nodes from their next start on, while none runs")
	cmd.Flags().BoolVar(&force, "force", false, "with --replace: also while nodes run, which keep the key that they have")
	return cmd
}

func printHostKeys(out io.Writer, files []string, keys []ssh.Signer) {
	for i, key := range keys {
		line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
		fmt.Fprintf(out, "%s %s\n  %s\n", ssh.FingerprintSHA256(key.PublicKey()), strconv.Quote(files[i]), line)
	}
}

// withHostKeys calls a function with the store, and without one if nodes do not share it. If alone is true, no
// server may be running.
func withHostKeys(ctx context.Context, c *config.Config, alone bool, load func(context.Context, store.Store, []string) ([]ssh.Signer, error)) ([]ssh.Signer, error) {
	if kind, _, err := config.SplitStore(c.Store); err != nil || kind != config.StorePostgres {
		return load(ctx, nil, c.HostKeys)
	}
	l, err := locate(c.Store, c.Data)
	if err != nil {
		return nil, err
	}
	if alone {
		unlock, err := l.lock(ctx)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	db, err := openForTool(ctx, l)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return load(ctx, db, c.HostKeys)
}

// agreeOnHostKey returns the host keys in the files. The first must be that of all nodes on the store, if nodes share
// it. The first node creates a missing file, and records the fingerprint.
func agreeOnHostKey(ctx context.Context, db store.Store, files []string) ([]ssh.Signer, error) {
	s, ok := db.(nodeStore)
	if !ok {
		return sshd.LoadHostKeys(files)
	}
	all := hostKeyRows(s.Cluster())
	found, err := all.Read(ctx, hostKeyRow)
	if err != nil {
		return nil, err
	}
	known := found[hostKeyRow].Value
	if known == nil {
		keys, err := sshd.LoadHostKeys(files)
		if err != nil {
			return nil, err
		}
		print := ssh.FingerprintSHA256(keys[0].PublicKey())
		newest, err := all.Write(ctx, rows.Change[string]{ID: hostKeyRow, Value: &print})
		if !errors.Is(err, rows.ErrConflict) {
			return keys, err
		}
		if known = newest[0].Value; known == nil { // another node was faster, and its row is gone already
			return nil, err
		}
	}
	keys, err := sshd.ReadHostKeys(files)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no host key %s, and the other nodes have %s; copy their file to this node (mode 0600)", files[0], *known)
	}
	if err != nil {
		return nil, err
	}
	if print := ssh.FingerprintSHA256(keys[0].PublicKey()); print != *known {
		return nil, fmt.Errorf("the host key %s is %s, and the other nodes have %s; copy their file to this node, or let all have this one: `ayumu hostkey --replace`", files[0], print, *known)
	}
	return keys, nil
}

// replaceHostKey returns the host keys in the files, which must exist, and records the fingerprint of the first as that
// of all nodes.
func replaceHostKey(ctx context.Context, db store.Store, files []string) ([]ssh.Signer, error) {
	s, ok := db.(nodeStore)
	if !ok {
		return nil, errors.New("only the nodes of a PostgreSQL database share a host key; set --store, or restart the server with the other key")
	}
	keys, err := sshd.ReadHostKeys(files)
	if err != nil {
		return nil, err
	}
	print := ssh.FingerprintSHA256(keys[0].PublicKey())
	return keys, hostKeyRows(s.Cluster()).Update(ctx, hostKeyRow, func(*string) (*string, error) { return &print, nil })
}
