package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli"
	"ayumu/cmd/cli/clitest"
	"ayumu/server/servertest"
)

func TestMain(m *testing.M) {
	if os.Getenv(clitest.AsMain) != "" {
		cli.Main(rootCommand(loadOverTestConfig))
		return
	}
	if addr := os.Getenv(asAttackers); addr != "" {
		helper, err := runHelper(addr)
		if !helper {
			err = runAttackers(addr)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// waitTimeout is how long a test waits for what must come. Nothing waits so long that passes.
const waitTimeout = time.Minute

// process is `ayumu serve` running on its own.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	addr string
	logs *servertest.Buffer
	ends chan struct{} // closed once logs has everything
}

// testConfigEnv is the environment variable with the settings, as JSON, that a process has in place of
// the defaults. So tests can set limits that are no settings.
const testConfigEnv = "AYUMU_TEST_CONFIG"

// loadOverTestConfig is a loader of the settings in testConfigEnv.
func loadOverTestConfig(flags *pflag.FlagSet, env func(string) string) (*config.Config, error) {
	c := config.Default()
	if text := env(testConfigEnv); text != "" {
		if err := json.Unmarshal([]byte(text), c); err != nil {
			return nil, err
		}
	}
	return c.Load(flags, env)
}

// start runs the server with its files in a folder, and returns once it listens.
func start(t testing.TB, dir string, args ...string) *process {
	t.Helper()
	return startWith(t, dir, nil, args...)
}

// startWith is start with defaults that set has changed; nil: the usual ones.
func startWith(t testing.TB, dir string, set func(*config.Config), args ...string) *process {
	t.Helper()
	c := config.Default()
	if set != nil {
		set(c)
	}
	return startConfig(t, c, append([]string{"--listen", "127.0.0.1:0", "--data", dir, "--host-key", filepath.Join(dir, "key")}, args...)...)
}

// startConfig runs the server with defaults and flags, and returns once it listens.
func startConfig(t testing.TB, c *config.Config, args ...string) *process {
	t.Helper()
	defaults, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], append([]string{"serve"}, args...)...)
	cmd.Env = append(os.Environ(), clitest.AsMain+"=1", testConfigEnv+"="+string(defaults))
	p, err := startProcess(t, cmd)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// startProcess runs a command that is the server, and returns once it listens. An error means that it cannot be run.
func startProcess(t testing.TB, cmd *exec.Cmd) (*process, error) {
	t.Helper()
	p := &process{t: t, cmd: cmd}
	logs, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	t.Cleanup(p.kill)
	address := make(chan string, 1)
	p.logs, p.ends = new(servertest.Buffer), make(chan struct{})
	go func() {
		defer close(p.ends)
		defer close(address)
		lines := bufio.NewScanner(logs)
		where := regexp.MustCompile(`listening.*addr"?[=:]"?([^\s",]+)`)
		for lines.Scan() {
			fmt.Fprintln(p.logs, lines.Text())
			if m := where.FindStringSubmatch(lines.Text()); m != nil {
				select {
				case address <- m[1]:
				default: // start has the first one
				}
			}
		}
	}()
	select {
	case p.addr = <-address:
		if p.addr == "" {
			t.Fatalf("the server ended at once:\n%s", p.logs)
		}
	case <-time.After(waitTimeout):
		t.Fatal("the server does not listen")
	}
	return p, nil
}

// loggedAddr returns the address at which a part of the server listens, as its log says. So the system chooses a
// free port, which no other process can take before.
func (p *process) loggedAddr(part string) string {
	p.t.Helper()
	m := regexp.MustCompile(`msg="?` + part + `"? addr=(\S+)`).FindStringSubmatch(p.logs.String())
	if m == nil {
		p.t.Fatalf("no address of %s in\n%s", part, p.logs)
	}
	return m[1]
}

// kill ends the process as SIGKILL does: at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.wait()
}

// wait waits until the process has ended and all of its log is in p.logs, of which command.Cmd.Wait alone would lose the end.
func (p *process) wait() error {
	<-p.ends
	return p.cmd.Wait()
}

// memory returns the process's resident set in bytes.
func (p *process) memory() int {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
	kb, _ := strconv.Atoi(string(m[1]))
	return kb << 10
}

// cpu returns the processor time that the process has used.
func (p *process) cpu() time.Duration {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * (time.Second / 100) // USER_HZ
}

// dial connects as somebody with a fresh key, from an address of its own in 127.0.0.0/8.
func (p *process) dial(user string) *ssh.Client {
	p.t.Helper()
	return servertest.Dial(p.t, p.addr, user, servertest.NewKey(p.t))
}

// screen opens a terminal of 80×24 and reads from it until the connection ends. typed is sent
// first; shown is closed once the output has had that text.
func (p *process) screen(c *ssh.Client, typed, want string) (shown <-chan struct{}) {
	p.t.Helper()
	s, err := c.NewSession()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := s.RequestPty("xterm-256color", 24, 80, ssh.TerminalModes{}); err != nil {
		p.t.Fatal(err)
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if err := errors.Join(err1, err2, s.Shell()); err != nil {
		p.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		var once sync.Once
		var seen []byte
		buf := make([]byte, 4<<10)
		for {
			n, err := out.Read(buf)
			seen = append(seen, buf[:n]...)
			if strings.Contains(string(seen), want) {
				once.Do(func() { close(done) })
				seen = nil
			}
			if err != nil {
				return
			}
		}
	}()
	if _, err := io.WriteString(in, typed); err != nil {
		p.t.Fatal(err)
	}
	return done
}

// BenchmarkIdleSessions holds 200 people in the lobby and reports what each costs the server. The
// clients are in another process than the server.
func BenchmarkIdleSessions(b *testing.B) {
	const people, window = 200, 10 * time.Second
	for b.Loop() {
		p := start(b, b.TempDir())
		for range 5 { // what the first sessions set up for all is no session's cost
			c := p.dial("warm")
			waitFor(b, p.screen(c, "\r", "Ayumu"))
			c.Close()
		}
		memory, cpu := p.memory(), p.cpu()
		var clients []*ssh.Client
		for i := range people {
			c := p.dial(fmt.Sprintf("player%d", i))
			clients = append(clients, c)
			waitFor(b, p.screen(c, "\r", "Ayumu"))
		}
		b.ReportMetric(float64(p.memory()-memory)/people/1024, "KiB/session")
		b.ReportMetric((p.cpu()-cpu).Seconds()*1000/people, "cpu-ms/connection")
		cpu = p.cpu()
		<-time.After(window)
		b.ReportMetric(float64(p.cpu()-cpu)/float64(window)*100, "%core-idle")
		for _, c := range clients {
			c.Close()
		}
		p.kill()
	}
}

func waitFor(t testing.TB, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(waitTimeout):
		t.Fatal("nothing came")
	}
}
