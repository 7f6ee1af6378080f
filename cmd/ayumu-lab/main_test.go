package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu-lab/load"
	"ayumu/cmd/cli"
	"ayumu/cmd/cli/clitest"
)

// serverFolder is the folder of the program that server has built; empty: none.
var serverFolder string

func TestMain(m *testing.M) {
	if os.Getenv(clitest.AsMain) != "" {
		cli.Main(rootCommand(measureOrMakeUp))
		return
	}
	status := m.Run()
	if serverFolder != "" {
		os.RemoveAll(serverFolder)
	}
	os.Exit(status)
}

// buildServer builds ayumu, once for all tests, and returns its path.
var buildServer = sync.OnceValues(func() (path string, err error) {
	if serverFolder, err = os.MkdirTemp("", "ayumu-lab-"); err != nil {
		return "", err
	}
	path = filepath.Join(serverFolder, "ayumu")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, "ayumu/cmd/ayumu").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// server returns the path of ayumu.
func server(t *testing.T) string {
	t.Helper()
	path, err := buildServer()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHelpReadsRightWithACapital(t *testing.T) { clitest.CheckHelp(t, rootCommand(load.Run), 30) }

func TestHelpFitsTheTerminal(t *testing.T) {
	clitest.CheckFoldedHelp(t, func() *cobra.Command { return rootCommand(load.Run) })
}

func TestEveryCommandIsInTheManualPage(t *testing.T) {
	page, errs, status := clitest.Run(t, "", "man")
	if status != 0 {
		t.Fatalf("exit %d: %s", status, errs)
	}
	for _, c := range rootCommand(load.Run).Commands() {
		if !c.Hidden && !strings.Contains(page, c.Name()) {
			t.Errorf("%s is not in the manual page", c.Name())
		}
	}
	if out, errs, _ := clitest.Run(t, "", "--help"); !strings.Contains(out+errs, "ayumu-lab man") {
		t.Errorf("the help does not name the manual page:\n%s%s", out, errs)
	}
}

func TestWrongArgumentsAreAnsweredWithTheUsage(t *testing.T) {
	for line, want := range map[string]string{
		"puzzles check a b": "usage: ayumu-lab puzzles check [FILE]",
		"puzzles generate":  "usage: ayumu-lab puzzles generate RECORD...",
	} {
		out, errs, status := clitest.Run(t, "", strings.Fields(line)...)
		text := strings.Join(strings.Fields(out+errs), " ")
		if status == 0 || !strings.Contains(text, want) || strings.Contains(text, "arg(s)") {
			t.Errorf("%s: exit %d, %s", line, status, text)
		}
	}
}

// TestServerIsFound looks for the server beside the program before PATH, and names the remedy if there is none.
func TestServerIsFound(t *testing.T) {
	beside, inPath, none := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{beside, inPath} {
		if err := os.WriteFile(filepath.Join(dir, "ayumu"), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", inPath)
	for _, c := range []struct{ dir, name, want string }{
		{beside, "ayumu", filepath.Join(beside, "ayumu")},
		{none, "ayumu", filepath.Join(inPath, "ayumu")},
		{none, filepath.Join(beside, "ayumu"), filepath.Join(beside, "ayumu")},
	} {
		if got, err := findProgram(c.dir, c.name); err != nil || got != c.want {
			t.Errorf("%s in %s: %s, %v; want %s", c.name, c.dir, got, err, c.want)
		}
	}
	if _, err := findProgram(none, "other"); err == nil || !strings.Contains(err.Error(), "go build") {
		t.Errorf("no program: %v", err)
	}
}
