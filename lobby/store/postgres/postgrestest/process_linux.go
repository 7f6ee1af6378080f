package postgrestest

import (
	"os"
	"os/exec"
	"syscall"
)

// inMemory returns the folder of a file system in memory, in which a commit takes no time although it is synced,
// or that of temporary files.
func inMemory() string {
	const dir = "/dev/shm"
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err == nil && fs.Bavail*uint64(fs.Bsize) > 1<<30 {
		return dir
	}
	return os.TempDir()
}

// runAs has a program run as a user, unless that is nil, in a process group of its own.
func runAs(c *exec.Cmd, user *account) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if user != nil {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(user.uid), Gid: uint32(user.gid)}
	}
}
