package main

import (
	"path/filepath"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
)

// TestOneServerOnADataFolder starts a second server on a data folder in use: it fails, while the tools
// work. A killed server leaves the folder unlocked.
func TestOneServerOnADataFolder(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir)
	second := []string{"serve", "--listen", "127.0.0.1:0", "--data", dir, "--host-key", filepath.Join(dir, "key")}
	_, errs, status := clitest.Run(t, "", second...)
	if says := strings.Join(strings.Fields(errs), " "); status != 1 || !strings.Contains(says, "another server is using the data folder") || !strings.Contains(says, "--data") {
		t.Errorf("a second server: exit %d, %s", status, errs)
	}
	for _, tool := range [][]string{{"db", "check", "--data", dir}, {"backup", "--data", dir, filepath.Join(dir, "copy")},
		{"invite", "--data", dir}, {"admin", "--data", dir, "help"}} {
		if out, errs, status := clitest.Run(t, "", tool...); status != 0 {
			t.Errorf("%s while a server runs: exit %d, %s%s", tool[0], status, out, errs)
		}
	}
	p.kill()
	start(t, dir)
}
