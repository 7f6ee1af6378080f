package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli/clitest"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

func TestHelpReadsRightWithACapital(t *testing.T) { clitest.CheckHelp(t, rootCommand(config.Load), 50) }

func TestHelpFitsTheTerminal(t *testing.T) {
	clitest.CheckFoldedHelp(t, func() *cobra.Command { return rootCommand(config.Load) })
}

func TestWrongArgumentsAreAnsweredWithTheUsage(t *testing.T) {
	for line, want := range map[string]string{
		"analyze":       "usage: ayumu analyze RECORD",
		"match level:1": "usage: ayumu match SIDE SIDE...",
		"record check":  "usage: ayumu record check FILE...",
		"serve now":     "usage: ayumu serve",
	} {
		out, errs, status := clitest.Run(t, "", strings.Fields(line)...)
		text := strings.Join(strings.Fields(out+errs), " ")
		if status == 0 || !strings.Contains(text, want) || strings.Contains(text, "arg(s)") {
			t.Errorf("%s: exit %d, %s", line, status, text)
		}
	}
	if out, errs, _ := clitest.Run(t, "", "--help"); !strings.Contains(out+errs, "ayumu man") {
		t.Errorf("the help does not name the manual page:\n%s%s", out, errs)
	}
}

// TestManualPageHasAllOperations looks in the manual page for what can be asked of a server, over SSH and in line mode.
func TestManualPageHasAllOperations(t *testing.T) {
	page, errs, status := clitest.Run(t, "", "man")
	if heading, _, _ := strings.Cut(page, "\n"); !strings.HasPrefix(heading, `.TH AYUMU 1 "" `) {
		t.Errorf("the page depends on the day: %s", heading)
	}
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
