package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/tui"
	"ayumu/tui/op"
)

// playTest runs `ayumu play` with something in place of the terminal, and checks what it is shown.
func playTest(t *testing.T, dir string, show showScreens) error {
	t.Helper()
	shown := false
	err := play(t.Context(), dir, func(ctx context.Context, c *tui.Config) (op.Exit, error) {
		shown = true
		return show(ctx, c)
	})
	if err == nil && !shown {
		t.Error("nothing was shown")
	}
	return err
}

func TestPlayKeepsTheUserInItsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "by play")
	var name string
	for start := range 2 {
		if err := playTest(t, dir, func(_ context.Context, c *tui.Config) (op.Exit, error) {
			if !c.Lobby.IsLocal() || c.Bots == nil || c.Puzzles.Len() == 0 || c.Account == nil {
				t.Errorf("the screens get %+v", c)
			}
			if start > 0 && c.Account.Name != name {
				t.Errorf("the user is called %q, and was %q", c.Account.Name, name)
			}
			name = c.Account.Name
			return op.Exit{}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
}

func TestPlayRunsOnceInAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := playTest(t, dir, func(context.Context, *tui.Config) (op.Exit, error) {
		err := playTest(t, dir, nil)
		if err == nil || !strings.Contains(err.Error(), "is running already") || !strings.Contains(err.Error(), dir) {
			t.Errorf("a second one ends with %v", err)
		}
		return op.Exit{}, nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestPlayLogsItsFaultOnce: the error of the screens is in the log, and the terminal says where.
func TestPlayLogsItsFaultOnce(t *testing.T) {
	dir := t.TempDir()
	err := playTest(t, dir, func(context.Context, *tui.Config) (op.Exit, error) {
		return op.Exit{Err: errors.New("a fault in the screens")}, nil
	})
	logged, readErr := os.ReadFile(filepath.Join(dir, playLogName))
	if err == nil || !strings.Contains(err.Error(), playLogName) || strings.Contains(err.Error(), "a fault in") {
		t.Errorf("it ended with %v", err)
	}
	if readErr != nil || strings.Count(string(logged), "a fault in the screens") != 1 {
		t.Errorf("the log is %q, %v", logged, readErr)
	}
}

func TestPlaySaysWhyThereIsNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := playTest(t, filepath.Join(file, "games"), nil); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("a folder in a file: %v", err)
	}
	for _, c := range []struct{ given, xdg, want string }{
		{"/given", "/xdg", "/given"},
		{"", filepath.Join(file, "xdg"), "in a file"},
	} {
		dir, err := playFolder(c.given, func(string) string { return c.xdg })
		if c.want == "in a file" && err == nil || c.want != "in a file" && dir != c.want {
			t.Errorf("%q and %q: %q, %v", c.given, c.xdg, dir, err)
		}
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, xdg := range []string{"", "relative"} {
		if dir, err := playFolder("", func(string) string { return xdg }); err != nil || dir != filepath.Join(home, ".local", "share", "ayumu") {
			t.Errorf("without an absolute folder in the environment: %q, %v", dir, err)
		}
	}
}

func TestPlayNeedsATerminal(t *testing.T) {
	out, err := run(t, playCommand(), "", "--data", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "not a terminal") {
		t.Errorf("without a terminal: %q, %v", out, err)
	}
}
