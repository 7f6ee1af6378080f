//go:build unix

package match

import (
	"os"
	"os/exec"
	"syscall"
)

// separate gives a program that is not started yet a process group of its own.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill kills a program that separate prepared, with all processes of its group.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
