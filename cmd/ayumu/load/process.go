package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server's, of which /proc tells the cost; the zero process is one that it is not
// told of.
type process struct {
	pid int
	cmd *exec.Cmd // nil if it was not started here, or has ended
}

var listening = regexp.MustCompile(`listening.*addr=(\S+)`)

// launch starts a program that says where it listens on its standard error.
func launch(ctx context.Context, program string, args ...string) (p process, addr string, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StderrPipe()
	if err != nil {
		return p, "", err
	}
	if err := cmd.Start(); err != nil {
		return p, "", err
	}
	p = process{pid: cmd.Process.Pid, cmd: cmd}
	found := make(chan string, 1)
	go func() {
		defer close(found)
		said, lines := "", bufio.NewScanner(out)
		for lines.Scan() {
			said += lines.Text() + "\n"
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
				_, _ = io.Copy(io.Discard, out)
				return
			}
		}
		fmt.Fprint(os.Stderr, said)
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case addr = <-found:
	case <-limit.C:
	}
	if addr == "" {
		return p, "", errors.Join(fmt.Errorf("%s %s does not listen", program, args[0]), p.stop())
	}
	return p, addr, nil
}

// stop ends the process, if it was started here, and waits for it.
func (p *process) stop() error {
	if p.cmd == nil {
		return nil
	}
	cmd := p.cmd
	p.cmd = nil
	_ = cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(cmd.WaitDelay, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	err := cmd.Wait()
	if exit := new(exec.ExitError); errors.As(err, &exit) || errors.Is(err, context.Canceled) {
		return nil // by the signal
	}
	return err
}

// cost is what a process has used.
type cost struct {
	cpu     time.Duration // in all
	memory  int           // bytes, resident now
	threads int
}

// cost reads it; of the zero process it is nothing. The processor time is in steps of 10 ms.
func (p process) cost() (c cost, err error) {
	if p.pid == 0 {
		return c, nil
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return c, fmt.Errorf("what the server costs: %w", err)
	}
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(f) < 22 {
		return c, fmt.Errorf("what the server costs: %q", stat)
	}
	number := func(i int) int {
		n, bad := strconv.Atoi(f[i])
		err = errors.Join(err, bad)
		return n
	}
	const tick = time.Second / 100 // USER_HZ
	c.cpu = time.Duration(number(11)+number(12)) * tick
	c.threads = number(17)
	c.memory = number(21) * os.Getpagesize()
	return c, err
}
