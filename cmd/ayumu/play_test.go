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
	err := play(t.Context(), dir, nil, func(ctx context.Context, c *tui.Config) (op.Exit, error) {
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

// TestPlayRefusesWhatIsNoRecord: the error comes before the terminal is looked at, and says what is wrong and where.
func TestPlayRefusesWhatIsNoRecord(t *testing.T) {
	good := goodRecord(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fifo := filepath.Join(dir, "fifo")
	if err := makeFIFO(fifo); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "missing"), "no such file"},
		{dir, "not a file"},
		{fifo, "not a file"},
		{"/dev/zero", "not a file"},
		{file("empty", ""), "empty:1: "},
		{file("cut", good[:len(good)-3]), "may be cut off"},
		{file("control", "[Ayumu\x1b]0;title\aRecord \"1\"]\n"), "control:1: "},
		{file("binary", "\x00\xff\n"), "binary:1: "},
		{file("long", strings.Repeat("[", 1<<20)+"\n"), "long:1: "},
		{file("huge", strings.Repeat("[A \"b\"]\n", 2<<20)), "at most 8 MiB"},
		{file("illegal", strings.Replace(good, "3. 0 a4-b4", "3. 0 a4-e4", 1)), "illegal:"},
		{file("good", good), "not a terminal"},
	} {
		_, err := run(t, playCommand(), "", "--data", filepath.Join(dir, "games"), c.path)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "games")); !os.IsNotExist(err) {
		t.Errorf("a folder was made for nothing: %v", err)
	}
}
