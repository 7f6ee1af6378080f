package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/ayumu/load"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// TestHelpReadsRightWithACapital looks at the first word of each help text, which fang writes as
// "Word" whatever it was: it must not be a value to be typed or an abbreviation.
func TestHelpReadsRightWithACapital(t *testing.T) {
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
	look(rootCommand(config.Load, load.Run))
	if n < 50 {
		t.Errorf("looked at %d flags", n)
	}
}

func TestWrongArgumentsAreAnsweredWithTheUsage(t *testing.T) {
	for line, want := range map[string]string{
		"analyze":       "usage: ayumu analyze RECORD",
		"match level:1": "usage: ayumu match SIDE SIDE...",
		"record check":  "usage: ayumu record check FILE...",
		"serve now":     "usage: ayumu serve",
	} {
		out, errs, status := ayumu(t, "", strings.Fields(line)...)
		text := strings.Join(strings.Fields(out+errs), " ")
		if status == 0 || !strings.Contains(text, want) || strings.Contains(text, "arg(s)") {
			t.Errorf("%s: exit %d, %s", line, status, text)
		}
	}
	if out, errs, _ := ayumu(t, "", "--help"); !strings.Contains(out+errs, "ayumu man") {
		t.Errorf("the help does not name the manual page:\n%s%s", out, errs)
	}
}

// TestManualPageHasAllOperations looks in the manual page for what can be asked of a server, over SSH and in line mode.
func TestManualPageHasAllOperations(t *testing.T) {
	page, errs, status := ayumu(t, "", "man")
	if status != 0 || strings.Contains(page, "%!") {
		t.Fatalf("exit %d: %s", status, errs)
	}
	_, ssh, _ := strings.Cut(page, "\n.SH COMMANDS OVER SSH\n")
	ssh, line, found := strings.Cut(ssh, "\n.SH COMMANDS OF THE LINE MODE\n")
	if !found {
		t.Fatalf("the page has no sections of operations:\n%s", page)
	}
	for _, o := range append(op.All(), admin.All()...) {
		i := o.Info()
		for section, name := range map[string]string{ssh: i.On.SSH.Name(i.Name), line: i.On.Line.Name(i.Name)} {
			if name != "" && !strings.Contains(section, `\fB`+name) {
				t.Errorf("%s is not in the manual page", name)
			}
		}
	}
}
