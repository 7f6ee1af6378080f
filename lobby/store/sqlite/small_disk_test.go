//go:build !linux

package sqlite

import (
	"runtime"
	"testing"

	"ayumu/lobby/requiretest"
)

// smallDisk skips the test: only Linux mounts a file system in memory.
func smallDisk(t *testing.T, _ int) (dir string) {
	requiretest.Missing(t, "root", runtime.GOOS)
	return ""
}

// fill is not reached.
func fill(*testing.T, string, int64) {}
