// Package clitest has what the tests of all programs need: running the program in a process of its own, and checks of its
// help. Only tests import it.
package clitest

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
