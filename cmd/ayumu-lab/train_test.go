package main

import (
	"path/filepath"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
	"ayumu/cmd/games"
	"ayumu/engine/search"
)

// TestTrainCommand trains each engine for a stage of one game, in a build that can; in another it wants to hear how to build
// one.
func TestTrainCommand(t *testing.T) {
	for name, e := range games.Engines() {
		dir := filepath.Join(t.TempDir(), "weights")
		_, errs, status := clitest.Run(t, "", "train", name, dir, "--scale", "0.0001", "--to", "1")
		if _, ok := e.(search.Trainer); !ok {
			if status != 1 || !strings.Contains(errs, "-tags train") {
				t.Errorf("%s: exit %d: %s", name, status, errs)
			}
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.bin"))
		if status != 0 || err != nil || len(files) < 2 {
			t.Errorf("%s: exit %d: %s; %v", name, status, errs, files)
		}
	}
	if _, errs, status := clitest.Run(t, "", "train", "chess", "dir"); status != 1 || !strings.Contains(errs, "there is no game") {
		t.Errorf("an unknown game: exit %d: %s", status, errs)
	}
}
