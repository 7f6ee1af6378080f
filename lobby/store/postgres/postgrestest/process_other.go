//go:build !linux

package postgrestest

import (
	"os"
	"os/exec"
)

// inMemory returns the folder of temporary files.
func inMemory() string { return os.TempDir() }

// runAs does nothing: who runs the tests is not root.
func runAs(*exec.Cmd, *account) {}
