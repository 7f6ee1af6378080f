package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ayumu/lobby/requiretest"
)

// smallDisk mounts a file system of that size in memory.
func smallDisk(t *testing.T, bytes int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("ayumu-test", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		requiretest.Missing(t, "root", fmt.Errorf("a small file system cannot be mounted: %w", err))
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error("unmount:", err)
		}
	})
	return dir
}

// fill writes a file that leaves that number of bytes free.
func fill(t *testing.T, path string, leave int64) {
	t.Helper()
	var disk syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &disk); err != nil {
		t.Fatal(err)
	}
	want(t, "fill the disk", os.WriteFile(path, make([]byte, int64(disk.Bavail)*disk.Bsize-leave), 0o600), nil)
}
