package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server process whose costs are read from its metrics or, without any, from /proc. The zero
// value has no costs.
type process struct {
	pid     int
	metrics string    // address of its metrics; empty: none
	cmd     *exec.Cmd // nil if it was not started here or has ended
}

// Patterns of a server's log: the address of its metrics, if any, and then its address.
var (
	metricsPattern = regexp.MustCompile(`metrics addr=(\S+)`)
	listenPattern  = regexp.MustCompile(`listening.*addr=(\S+)`)
)

// startProcess starts a program that logs its address on standard error.
func startProcess(ctx context.Context, program string, args ...string) (p process, addr string, err error) {
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
	type addrs struct{ metrics, ssh string }
	found := make(chan addrs, 1)
	go func() {
		defer close(found)
		var at addrs
		said, lines := "", bufio.NewScanner(out)
		for lines.Scan() {
			said += lines.Text() + "\n"
			if m := metricsPattern.FindStringSubmatch(lines.Text()); m != nil {
				at.metrics = m[1]
			}
			if m := listenPattern.FindStringSubmatch(lines.Text()); m != nil {
				at.ssh = m[1]
				found <- at
				_, _ = io.Copy(io.Discard, out)
				return
			}
		}
		fmt.Fprint(os.Stderr, said)
	}()
	limit := time.NewTimer(waitTimeout)
	defer limit.Stop()
	select {
	case at := <-found:
		addr, p.metrics = at.ssh, at.metrics
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
		return nil // ended by the signal
	}
	return err
}

// processes are the processes of one server: a single one, or its nodes.
type processes []process

// stop ends them, one after the other, and waits for each.
func (all processes) stop() (err error) {
	for i := range all {
		err = errors.Join(err, all[i].stop())
	}
	return err
}

func (all processes) haveMetrics() bool { return len(all) > 0 && all[0].metrics != "" }

// cost returns the sum of their costs.
func (all processes) cost(ctx context.Context) (sum processCost, err error) {
	for _, p := range all {
		c, err := p.cost(ctx)
		if err != nil {
			return sum, err
		}
		sum.cpu, sum.memory, sum.goroutines = sum.cpu+c.cpu, sum.memory+c.memory, sum.goroutines+c.goroutines
		sum.heap, sum.stacks, sum.lockWait = sum.heap+c.heap, sum.stacks+c.stacks, sum.lockWait+c.lockWait
	}
	return sum, nil
}

// processCost is the resource usage of a process.
type processCost struct {
	cpu    time.Duration // total, in steps of 10 ms
	memory int           // resident bytes

	// From metrics only.
	goroutines int
	heap       int           // bytes of objects, including garbage
	stacks     int           // bytes
	lockWait   time.Duration // total of all waits for mutexes
}

func (c processCost) String() string {
	return fmt.Sprintf("%d MiB, of those %d of objects and %d of stacks; %d goroutines", c.memory>>20, c.heap>>20, c.stacks>>20, c.goroutines)
}

// cost reads the costs. Those of the zero process are zero.
func (p process) cost(ctx context.Context) (processCost, error) {
	switch {
	case p.metrics != "":
		return p.scrape(ctx)
	case p.pid != 0:
		return p.stat()
	}
	return processCost{}, nil
}

func (p process) stat() (c processCost, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return c, fmt.Errorf("read the server's costs: %w", err)
	}
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(f) < 22 {
		return c, fmt.Errorf("read the server's costs: %q", stat)
	}
	number := func(i int) int {
		n, bad := strconv.Atoi(f[i])
		err = errors.Join(err, bad)
		return n
	}
	const tick = time.Second / 100 // USER_HZ
	c.cpu = time.Duration(number(11)+number(12)) * tick
	c.memory = number(21) * os.Getpagesize()
	return c, err
}

// scrape reads metrics in the Prometheus text format.
func (p process) scrape(ctx context.Context) (c processCost, err error) {
	body, err := p.get(ctx, "/metrics")
	if err != nil {
		return c, err
	}
	var cpu, memory, goroutines, heap, stacks, lockWait float64
	wanted := map[string]*float64{
		"process_cpu_seconds_total": &cpu, "process_resident_memory_bytes": &memory, "go_goroutines": &goroutines,
		"go_memstats_heap_alloc_bytes": &heap, "go_memstats_stack_inuse_bytes": &stacks,
		"go_sync_mutex_wait_total_seconds_total": &lockWait,
	}
	for line := range strings.Lines(string(body)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if to := wanted[name]; to != nil {
			if *to, err = strconv.ParseFloat(value, 64); err != nil {
				return c, fmt.Errorf("the server's metrics: %w", err)
			}
			delete(wanted, name)
		}
	}
	if len(wanted) > 0 {
		return c, fmt.Errorf("the server's metrics lack %s", slices.Sorted(maps.Keys(wanted)))
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return processCost{seconds(cpu), int(memory), int(goroutines), int(heap), int(stacks), seconds(lockWait)}, nil
}

// get reads a page of the metrics server.
func (p process) get(ctx context.Context, page string) ([]byte, error) {
	const maxBytes = 64 << 20 // bytes
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.metrics+page, nil)
	if err != nil {
		return nil, err
	}
	request.Close = true // keep no idle connection in the server
	request.Header.Set("Accept-Encoding", "identity")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("the server's metrics: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server's metrics: %s: %s", page, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, maxBytes))
}
