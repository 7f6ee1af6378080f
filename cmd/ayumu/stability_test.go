package main

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/ayumu/metrics"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

var updateStable = flag.Bool("update-stable", false, "add what is new to testdata/stable.txt")

// stableFile has what a release has, one thing a line.
const stableFile = "testdata/stable.txt"

// interfaces returns the names that programs and operators use, one a line: commands and flags, settings, operations with
// their arguments, and metrics.
func interfaces(t *testing.T) map[string]bool {
	t.Helper()
	all := make(map[string]bool)
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		all["command "+c.CommandPath()] = true
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) { all["command "+c.CommandPath()+" --"+f.Name] = true })
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(rootCommand(config.Load))
	settings := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	config.Flags(settings)
	settings.VisitAll(func(f *pflag.Flag) { all["setting "+f.Name] = true })
	for _, o := range append(op.All(), admin.All()...) {
		i := o.Info()
		for front, name := range map[string]string{"api": i.On.API.Name(i.Name), "ssh": i.On.SSH.Name(i.Name), "line": i.On.Line.Name(i.Name)} {
			if name == "" {
				continue
			}
			all[front+" "+name] = true
			for _, a := range i.Args {
				if front == "api" {
					all["api "+name+" takes "+a.Name] = true
				}
				if front == "api" && (a.Required || !a.Optional) {
					all["api "+name+" needs "+a.Name] = true
				}
			}
		}
	}
	described := make(chan *prometheus.Desc, 200)
	metrics.Source{}.Describe(described)
	close(described)
	for d := range described {
		all["metric "+regexp.MustCompile(`fqName: "([^"]*)"`).FindStringSubmatch(d.String())[1]] = true
	}
	return all
}

// TestNothingOfAReleaseIsGone compares what there is with what a release had: nothing is missing, and no operation that it
// had needs a further field.
func TestNothingOfAReleaseIsGone(t *testing.T) {
	now := interfaces(t)
	text, err := os.ReadFile(stableFile)
	if err != nil && !*updateStable {
		t.Fatal(err)
	}
	released := make(map[string]bool)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line != "" {
			released[line] = true
		}
	}
	for line := range released {
		// That a field is not needed any more breaks no program.
		if !now[line] && !strings.Contains(line, " needs ") {
			t.Errorf("gone: %s", line)
		}
	}
	for line := range now {
		if operation, _, found := strings.Cut(line, " needs "); found && released[operation] && !released[line] {
			t.Errorf("new, and programs do not know it: %s", line)
		}
	}
	if !*updateStable {
		if len(released) < 300 {
			t.Errorf("%s has only %d lines", stableFile, len(released))
		}
		return
	}
	var all []string
	for line := range now {
		released[line] = true
	}
	for line := range released {
		all = append(all, line)
	}
	slices.Sort(all)
	if err := os.WriteFile(stableFile, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestStabilityHasItsTests reads docs/stability.md: each part names tests that exist.
func TestStabilityHasItsTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/stability.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, rows := testNames(t), 0
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]*Test[^|]*) \|$`).FindAllStringSubmatch(string(page), -1) {
		rows++
		where := ""
		for _, one := range regexp.MustCompile("(?:(\\S+): )?`(\\w+)`").FindAllStringSubmatch(m[3], -1) {
			if one[1] != "" {
				where = one[1]
			}
			if !tests[where+" "+one[2]] {
				t.Errorf("%s: there is no %s in %s", m[1], one[2], where)
			}
		}
	}
	if rows != 6 {
		t.Errorf("%d parts, want 6", rows)
	}
}
