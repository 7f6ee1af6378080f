// Package cli is what the programs of this module have in common on the command line: how they run and answer mistakes,
// the commands that each of them has, their version, and how they read a record that an argument names. It keeps no state.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// Main runs a program with the arguments of the process, and exits with status 1 after an error, which it prints.
func Main(root *cobra.Command) {
	// The manual page has the same texts, and no lines of a terminal.
	if c, _, err := root.Find(os.Args[1:]); err != nil || c.Name() != manName {
		if columns, _, err := term.GetSize(os.Stdout.Fd()); err == nil {
			FoldHelp(root, min(columns, 120)) // fang writes at most so many
		}
	}
	if err := fang.Execute(context.Background(), root, fang.WithVersion(Version()), fang.WithoutManpage(), fang.WithErrorHandler(printError)); err != nil {
		os.Exit(1)
	}
}

// Complete adds to a program that has its own commands those that every program has: `version`, and `man`, which is hidden
// and to whose page describe adds sections unless it is nil. Every command answers wrong arguments with its usage line.
func Complete(root *cobra.Command, describe func(page *roff.Document)) {
	root.AddCommand(versionCommand(), manCommand(describe))
	showUsage(root)
}

// showUsage has every command that has none of its own answer wrong arguments with its usage line.
func showUsage(c *cobra.Command) {
	for _, sub := range c.Commands() {
		showUsage(sub)
	}
	check := c.Args
	if check == nil || c.HasSubCommands() {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return nil
		}
		_, arguments, _ := strings.Cut(c.Use, " ")
		return errors.New("usage: " + strings.TrimSpace(c.CommandPath()+" "+arguments))
	}
}

// printError prints an error unchanged. fang would capitalise its first word, which may be a path or a
// name.
func printError(w io.Writer, styles fang.Styles, err error) {
	if text := err.Error(); strings.HasPrefix(text, "usage: ") || strings.HasSuffix(text, "?") { // fang adds a full stop
		_, _ = io.WriteString(w, err.Error()+"\n")
		return
	}
	styles.ErrorText = styles.ErrorText.UnsetTransform()
	fang.DefaultErrorHandler(w, styles, errors.New(strings.TrimSuffix(err.Error(), "."))) // fang adds one
}
