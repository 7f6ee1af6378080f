package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
)

// TestMatchWithItself plays the program against itself with both of its protocols, and checks the records.
func TestMatchWithItself(t *testing.T) {
	t.Setenv(clitest.AsMain, "1")
	dir := filepath.Join(t.TempDir(), "records")
	for _, args := range [][]string{
		{"gtp:" + os.Args[0] + " engine --level 1 --seed 1", "--size", "5"},
		{"gtp:" + os.Args[0] + " engine --level 1 --seed 1", "--game", "mu", "--segments", "1", "--max-turns", "12"},
		{"codecup:" + os.Args[0] + " engine --codecup --level 1 --seed 1 --time 10m", "--game-time", "10m"},
	} {
		out, errs, status := clitest.Run(t, "", append([]string{"match", "random", "--games", "2", "--verbose", "--records", dir}, args...)...)
		if status != 0 || strings.Contains(out, "fault") || !strings.Contains(out, "\n2 games: ") {
			t.Errorf("%v: exit %d\n%s%s", args, status, out, errs)
		}
		out, errs, status = clitest.Run(t, "", "record", "check", filepath.Join(dir, "0001.ayumu"), filepath.Join(dir, "0002.ayumu"))
		if status != 0 {
			t.Errorf("%v: %s%s", args, out, errs)
		}
	}
}

func TestMatchRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"usage: ayumu match side side...": {"level:1"},
		"unknown player":                  {"level:1", "human"},
		"size must be":                    {"level:1", "level:2", "--size", "4"},
		"unknown game":                    {"level:1", "level:2", "--game", "go"},
		"3 sides cannot":                  {"level:1", "level:2", "random"},
		"of the form elo0":                {"level:1", "level:2", "--sprt", "5"},
	} {
		_, errs, status := clitest.Run(t, "", append([]string{"match"}, args...)...)
		if status != 1 || !strings.Contains(strings.ToLower(errs), want) {
			t.Errorf("%v: exit %d, %s; want %q", args, status, errs, want)
		}
	}
}
