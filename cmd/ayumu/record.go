package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ayumu/cmd/cli"
	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/lobby/record"
	"ayumu/lobby/text"
)

func recordCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "record", Short: "Work with game records", Args: cobra.NoArgs}
	asJSON := false
	check := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check records by replaying them",
		Long:  "Replay records and report the first invalid line of each. The file - is the standard input.",
		Args:  cobra.MinimumNArgs(1),
		RunE:  func(cmd *cobra.Command, files []string) error { return checkRecords(cmd, files, asJSON) },
	}
	check.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each file")
	cmd.AddCommand(check, recordExportCommand())
	return cmd
}

// checkedRecord is the line of a file of `ayumu record check --json`. The fields after Error are those of a valid record.
type checkedRecord struct {
	File    string         `json:"file"`
	Valid   bool           `json:"valid"`
	Error   string         `json:"error,omitempty"` // with the line
	Game    string         `json:"game,omitempty"`
	Options engine.Options `json:"options,omitempty"`
	Seats   []string       `json:"seats,omitempty"` // the names of their players
	Turns   int            `json:"turns,omitzero"`
	Result  string         `json:"result,omitempty"`
}

// checkRecords writes a line for each file, and returns an error if one of them is invalid.
func checkRecords(cmd *cobra.Command, files []string, asJSON bool) error {
	bad := 0
	lines := json.NewEncoder(cmd.OutOrStdout())
	for _, name := range files {
		r, err := cli.OpenRecord(cmd.InOrStdin(), name)
		if err != nil {
			bad++
		}
		switch {
		case asJSON:
			if err := lines.Encode(newCheckedRecord(name, r, err)); err != nil {
				return err
			}
		case err != nil:
			fmt.Fprintln(cmd.ErrOrStderr(), err)
		default:
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, describe(r))
		}
	}
	if bad > 0 {
		verb := "are"
		if bad == 1 {
			verb = "is"
		}
		return fmt.Errorf("%d of %s %s invalid", bad, text.Plural(len(files), "record"), verb)
	}
	return nil
}

// newCheckedRecord returns the line of a file. r is nil if err is not.
func newCheckedRecord(file string, r *record.Record, err error) checkedRecord {
	if err != nil {
		return checkedRecord{File: file, Error: err.Error()}
	}
	c := checkedRecord{File: file, Valid: true, Game: r.Game, Options: r.Options, Turns: r.Turns(), Result: r.Outcome()}
	for _, s := range r.Seats {
		c.Seats = append(c.Seats, s.Name)
	}
	return c
}

// describe returns a short description of a record: game, players, turns and result.
func describe(r *record.Record) string {
	var names []string
	for _, s := range r.Seats {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("%s · %s · %s · %s", match.Title(r.Options), strings.Join(names, " – "), text.Plural(r.Turns(), "turn"), r.Outcome())
}
