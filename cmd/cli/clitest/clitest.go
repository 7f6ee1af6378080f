// Package clitest has what the tests of all programs need: running the program in a process of its own, and checks of its
// help. Only tests import it.
package clitest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ayumu/cmd/cli"
)

// AsMain is the environment variable that makes the test binary of a program be the program itself, so that tests can run,
// measure and kill a real process. TestMain of the program looks at it.
const AsMain = "AYUMU_TEST_AS_MAIN"

// Run runs the program, and returns what it has written and its exit status.
func Run(t *testing.T, stdin string, args ...string) (out, errs string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), AsMain+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// CheckHelp looks at the first word of the help of each flag, which fang writes as "Word" whatever it was: it must not be a
// value to be typed or an abbreviation. A program with fewer flags than least fails too.
func CheckHelp(t *testing.T, root *cobra.Command, least int) {
	t.Helper()
	value := regexp.MustCompile(`^[a-z]+(,| or |\d)|^[A-Z]{2}|^of `)
	n := 0
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if n++; !f.Hidden && value.MatchString(f.Usage) {
				t.Errorf("%s --%s: %q", c.CommandPath(), f.Name, f.Usage)
			}
		})
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(root)
	if n < least {
		t.Errorf("looked at %d flags", n)
	}
}

// CheckFoldedHelp prints the help of a program and of each of its commands as on terminals with 72 and 80 columns: what commands
// and flags do must not be broken by the terminal, and keep all of its words. build returns the program.
func CheckFoldedHelp(t *testing.T, build func() *cobra.Command) {
	t.Helper()
	lists := regexp.MustCompile(`(?m)^ *(COMMANDS|FLAGS) *$`)
	for _, columns := range []int{72, 80} {
		folded, n := build(), 0
		cli.FoldHelp(folded, columns)
		var look func(c *cobra.Command, path []string)
		look = func(c *cobra.Command, path []string) {
			help, whole := printHelp(t, folded, path), printHelp(t, build(), path)
			if got, want := strings.Fields(help), strings.Fields(whole); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s with %d columns has other words:\n%s\ninstead of\n%s", c.CommandPath(), columns, help, whole)
			}
			for line := range strings.Lines(help[lists.FindStringIndex(help)[0]:]) {
				if n++; utf8.RuneCountInString(strings.TrimRight(line, " \n")) > columns {
					t.Errorf("%s with %d columns: %s", c.CommandPath(), columns, line)
				}
			}
			for _, sub := range c.Commands() {
				if !sub.Hidden {
					look(sub, append(path[:len(path):len(path)], sub.Name()))
				}
			}
		}
		look(folded, nil)
		if n < 50 {
			t.Errorf("looked at %d lines", n)
		}
	}
}

// printHelp returns the help of a command of a program.
func printHelp(t *testing.T, root *cobra.Command, path []string) string {
	t.Helper()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs(append([]string{"help"}, path...))
	if err := fang.Execute(context.Background(), root, fang.WithoutManpage()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
