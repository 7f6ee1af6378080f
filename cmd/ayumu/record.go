package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ayumu/lobby"
	"ayumu/lobby/record"
)

func recordCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "record", Short: "Work with game records", Args: cobra.NoArgs}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE...",
		Short: "Check records by replaying them",
		Long:  "Replay records and report the first invalid line of each. The file - is the standard input.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			bad := 0
			for _, name := range files {
				r, err := checkRecord(cmd.InOrStdin(), name)
				if err != nil {
					bad++
					fmt.Fprintln(cmd.ErrOrStderr(), err)
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, describe(r))
			}
			if bad > 0 {
				verb := "are"
				if bad == 1 {
					verb = "is"
				}
				return fmt.Errorf("%d of %s %s invalid", bad, lobby.Plural(len(files), "record"), verb)
			}
			return nil
		},
	})
	return cmd
}

// checkRecord reads a record and replays it. The error names the file and the line.
func checkRecord(stdin io.Reader, name string) (*record.Record, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	r, err := record.Read(in, rules())
	if err == nil {
		err = r.Check()
	}
	var wrong *record.Error
	switch {
	case errors.As(err, &wrong) && wrong.Line > 0:
		return nil, fmt.Errorf("%s:%d: %s", name, wrong.Line, wrong.What)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// describe returns a short description of a record: game, players, turns and result.
func describe(r *record.Record) string {
	var names []string
	for _, s := range r.Seats {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("%s · %s · %s · %s", lobby.Title(r.Options), strings.Join(names, " – "), lobby.Plural(r.Turns(), "turn"), r.Outcome())
}
