package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli/clitest"
	"ayumu/lobby/limit"
	"ayumu/server/servertest"
)

// guest is a client without a key, with one connection, that exceeds a limit.
type guest struct {
	*ssh.Client
	t       *testing.T
	stalled *stalledConn
}

// raw connects without SSH from an address.
func (f serverUnderAttack) raw(from string) net.Conn {
	f.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: waitTimeout}
	nc, err := d.Dial("tcp", f.addr)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { nc.Close() })
	return nc
}

func (f serverUnderAttack) guest(t *testing.T, auth ...ssh.AuthMethod) (guest, error) {
	t.Helper()
	if auth == nil {
		auth = []ssh.AuthMethod{ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })}
	}
	d := &stalledConn{Conn: f.raw("127.0.0.7"), closed: make(chan struct{})}
	t.Cleanup(func() { d.Close() })
	sc, channels, requests, err := ssh.NewClientConn(d, f.addr, &ssh.ClientConfig{User: "x", Auth: auth, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		return guest{}, err
	}
	return guest{ssh.NewClient(sc, channels, requests), t, d}, nil
}

// channel opens a session channel and sends requests on it.
func (g guest) channel(requests ...func(ssh.Channel) (bool, error)) ssh.Channel {
	g.t.Helper()
	ch, incoming, err := g.OpenChannel("session", nil)
	if err != nil {
		g.t.Fatal(err)
	}
	go ssh.DiscardRequests(incoming)
	for _, r := range requests {
		if _, err := r(ch); err != nil {
			g.t.Fatal(err)
		}
	}
	return ch
}

func terminal(columns, rows uint32) func(ssh.Channel) (bool, error) {
	return func(ch ssh.Channel) (bool, error) {
		return ch.SendRequest("pty-req", true, ssh.Marshal(struct {
			Term                         string
			Columns, Rows, Width, Height uint32
			Modes                        string
		}{"xterm", columns, rows, 0, 0, ""}))
	}
}

func execution(line string) func(ssh.Channel) (bool, error) {
	return func(ch ssh.Channel) (bool, error) {
		return ch.SendRequest("exec", true, ssh.Marshal(struct{ Line string }{line}))
	}
}

func shell(ch ssh.Channel) (bool, error) { return ch.SendRequest("shell", true, nil) }

func variable(name, value string) func(ssh.Channel) (bool, error) {
	return func(ch ssh.Channel) (bool, error) {
		return ch.SendRequest("env", true, ssh.Marshal(struct{ Name, Value string }{name, value}))
	}
}

// oldKey is a key of a type that the server does not accept.
type oldKey struct{ ssh.Signer }

func (k oldKey) PublicKey() ssh.PublicKey { return oldKind{k.Signer.PublicKey()} }

type oldKind struct{ ssh.PublicKey }

func (oldKind) Type() string { return "ssh-old" }

// connectTimes opens n connections and closes none.
func connectTimes(n int) func(serverUnderAttack, guest) {
	return func(f serverUnderAttack, _ guest) {
		for range n {
			_, _ = f.raw("127.0.0.9").Read(make([]byte, 1))
		}
	}
}

// repeatRequest repeats an API request.
func repeatRequest(request string, times int) func(serverUnderAttack, guest) {
	return func(_ serverUnderAttack, g guest) {
		ch := g.channel(execution("api"))
		go func() { _, _ = io.Copy(io.Discard, ch) }()
		_, _ = io.WriteString(ch, strings.Repeat(`{"id":1,`+request+"}\n", times))
	}
}

// game starts a match against a bot as another guest and returns its id.
func (g guest) game() string {
	g.t.Helper()
	ch := g.channel(execution("api"))
	if _, err := io.WriteString(ch, `{"id":1,"op":"bot","game":"ayu"}`+"\n"); err != nil {
		g.t.Fatal(err)
	}
	lines := bufio.NewScanner(ch)
	for lines.Scan() {
		var o struct{ Match string }
		if err := json.Unmarshal(lines.Bytes(), &o); err == nil && o.Match != "" {
			go func() { _, _ = io.Copy(io.Discard, ch) }()
			return o.Match
		}
	}
	g.t.Fatal("no game begins")
	return ""
}

// program returns a function that sends requests as another guest, and returns their answers.
func (g guest) program() func(request string) (answer struct{ Table, Match string }) {
	ch := g.channel(execution("api"))
	lines := bufio.NewScanner(ch)
	return func(request string) (answer struct{ Table, Match string }) {
		g.t.Helper()
		if _, err := io.WriteString(ch, `{"id":1,`+request+"}\n"); err != nil {
			g.t.Fatal(err)
		}
		for lines.Scan() {
			if strings.Contains(lines.Text(), `"re":1`) {
				_ = json.Unmarshal(lines.Bytes(), &answer)
				return answer
			}
		}
		g.t.Fatal("no answer to " + request)
		return answer
	}
}

// runCommands runs each command with a new key.
func runCommands(user string, lines ...string) func(serverUnderAttack, guest) {
	return func(f serverUnderAttack, g guest) {
		for _, line := range lines {
			f.process.runAs(user, newPairOfClients(g.t, 0).keys[0], line)
		}
	}
}

// askForCodes has a player ask for two mails with a code.
func askForCodes(f serverUnderAttack, g guest) {
	player, err := f.guest(g.t, ssh.PublicKeys(newPairOfClients(g.t, 0).keys[0]))
	if err != nil {
		g.t.Fatal(err)
	}
	repeatRequest(`"op":"notifications","receiver":{"kind":"mail","address":"ana@example.org"}`, 2)(f, player)
}

// limits are the limits of connections, sessions and requests: the setting or default with which a test
// can exceed each, its counter, and how to exceed it. docs/security.md lists them.
var limits = []struct {
	setting string
	set     func(*config.Config)
	counter string
	exceed  func(f serverUnderAttack, g guest)
}{
	{"", func(c *config.Config) { c.Limits.Handshake = 3 * time.Second }, "handshake", func(f serverUnderAttack, _ guest) { f.raw("127.0.0.9") }},
	{"", func(c *config.Config) { c.Limits.Unused = time.Second }, "unused", func(serverUnderAttack, guest) {}},
	{"", func(c *config.Config) { c.Limits.Idle = time.Second }, "idle", func(_ serverUnderAttack, g guest) { g.channel(terminal(80, 24), shell) }},
	{"--limits-idle-lobby=1s", nil, "idle", func(_ serverUnderAttack, g guest) {
		_, _ = io.WriteString(g.channel(terminal(80, 24), shell), "\r")
	}},
	{"--limits-idle-watching=1s", nil, "idle", func(_ serverUnderAttack, g guest) { g.channel(execution("watch " + g.game())) }},
	{"", func(c *config.Config) {
		c.Limits.Grace, c.Lobby.UserRequestBurst = 100*time.Millisecond, 100000
	}, "grace", func(f serverUnderAttack, g guest) {
		ch := g.channel(execution("api")) // whose answers nobody takes
		go func() { _, _ = io.WriteString(ch, strings.Repeat("x\n", 100000)) }()
		waitUntil(g.t, "the session waits for its client", func() bool {
			// Blocked, not on its way through reserve: only a handler that waits survives the end of its context.
			blocked := regexp.MustCompile(`(?s)^goroutine \d+ \[sync\.Cond\.Wait.*/ssh\.\(\*window\)\.reserve.*server/api\.Serve`)
			return slices.ContainsFunc(strings.Split(f.get("/debug/pprof/goroutine?debug=2"), "\n\n"), blocked.MatchString)
		})
		if out, err := run(g.t, adminCommand(), "", "--data", f.dir, "ban", "127.0.0.7", "1h"); err != nil {
			g.t.Error(out, err)
		}
	}},
	{"", func(c *config.Config) {
		c.Limits.Stall, c.Lobby.UserRequestBurst = 2*time.Second, 100000
	}, "stall", func(_ serverUnderAttack, g guest) {
		ch := g.channel(execution("api")) // whose answers nobody takes
		malformed := strings.Repeat("x\n", 5000)
		for {
			if _, err := io.WriteString(ch, malformed); err != nil {
				return
			}
		}
	}},
	{"", func(c *config.Config) { c.Limits.Keepalive = 2 * time.Second }, "keepalive", func(_ serverUnderAttack, g guest) {
		g.channel(terminal(80, 24), shell)
		g.stalled.stop.Store(true)
	}},
	{"--limits-connections=2", nil, "connections", connectTimes(2)},
	{"--limits-connections-per-address=2", nil, "connections_per_address", connectTimes(3)},
	{"", func(c *config.Config) { c.Limits.HandshakeRate, c.Limits.HandshakeBurst = 0.001, 2 }, "handshake_rate", connectTimes(3)},
	{"", func(c *config.Config) { c.Limits.Unauthenticated = 2 }, "unauthenticated", connectTimes(3)},
	{"", func(c *config.Config) { c.Limits.UnauthenticatedPerAddress = 2 }, "unauthenticated_per_address", connectTimes(3)},
	{"--limits-connect-burst=3 --limits-connect-rate=0.001", nil, "connect_rate", connectTimes(4)},
	{"", nil, "auth_attempts", func(f serverUnderAttack, g guest) {
		// A false signature ends the connection at once; keys of a kind that is not known do not.
		var keys []ssh.Signer
		for range 70 {
			keys = append(keys, oldKey{newPairOfClients(g.t, 0).keys[0]})
		}
		_, _, _, err := ssh.NewClientConn(f.raw("127.0.0.9"), f.addr, &ssh.ClientConfig{User: "x",
			Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		if err == nil {
			g.t.Error("a key of no known kind was taken")
		}
	}},
	{"", func(c *config.Config) { c.Limits.RekeyRate, c.Limits.RekeyBurst = 0.01, 1 }, "rekeys", func(f serverUnderAttack, g guest) {
		sc, channels, requests, err := ssh.NewClientConn(f.raw("127.0.0.9"), f.addr, &ssh.ClientConfig{
			Config: ssh.Config{RekeyThreshold: 10000}, User: "x", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
			Auth: []ssh.AuthMethod{ssh.PublicKeys(newPairOfClients(g.t, 0).keys[0])}})
		if err != nil {
			g.t.Fatal(err)
		}
		c := ssh.NewClient(sc, channels, requests)
		for err == nil {
			_, _, err = c.SendRequest("x", true, make([]byte, 2000))
		}
	}},
	{"", func(c *config.Config) { c.Limits.Channels = 1 }, "channels", func(_ serverUnderAttack, g guest) {
		g.channel()
		if _, _, err := g.OpenChannel("session", nil); err == nil {
			g.t.Error("there is a second session")
		}
	}},
	{"", func(c *config.Config) { c.Limits.Width = 100 }, "terminal_size", func(_ serverUnderAttack, g guest) { g.channel(terminal(101, 24)) }},
	{"", func(c *config.Config) { c.Limits.Height = 50 }, "terminal_size", func(_ serverUnderAttack, g guest) { g.channel(terminal(80, 51)) }},
	{"", func(c *config.Config) { c.Limits.CommandBytes = 10 }, "command_bytes", func(_ serverUnderAttack, g guest) { g.channel(execution("matches --json")) }},
	{"", func(c *config.Config) { c.Limits.EnvCount = 1 }, "env", func(_ serverUnderAttack, g guest) { g.channel(variable("LANG", "C"), variable("LC_ALL", "C")) }},
	{"", func(c *config.Config) { c.Limits.EnvBytes = 8 }, "env", func(_ serverUnderAttack, g guest) { g.channel(variable("LANG", "C.UTF")) }},
	{"", func(c *config.Config) { c.Limits.InputRate = 5000 }, "input_rate", func(_ serverUnderAttack, g guest) {
		_, _ = g.channel(terminal(80, 24), shell).Write(make([]byte, 50000))
	}},
	{"", func(c *config.Config) { c.Limits.ExecInputRate = 5000 }, "input_rate", func(_ serverUnderAttack, g guest) {
		_, _ = g.channel(execution("api")).Write(make([]byte, 50000))
	}},
	{"", func(c *config.Config) { c.Lobby.RequestBurst, c.Lobby.RequestRate = 400, 20 }, "requests", repeatRequest(`"op":"ping"`, 3000)},
	{"", func(c *config.Config) { c.Lobby.ByteBurst, c.Lobby.ByteRate = 256<<10, 16<<10 }, "requests", repeatRequest(`"op":"`+strings.Repeat("x", 50000)+`"`, 20)},
	{"", func(c *config.Config) { c.Lobby.UserRequestBurst, c.Lobby.UserRequestRate = 400, 20 }, "requests_per_person",
		repeatRequest(`"op":"ping"`, 4000)},
	{"", func(c *config.Config) {
		c.Lobby.ActionBurst, c.Lobby.ActionRate, c.Lobby.RequestBurst = 400, 20, 100000
	}, "actions", repeatRequest(`"op":"open","game":"ayu"`, 3000)},
	{"--limits-chat-burst=1 --limits-chat=0.01", nil, "chat", repeatRequest(`"op":"say","text":"hello"`, 2)},
	{"--limits-tables=1", nil, "tables", repeatRequest(`"op":"open","game":"ayu"`, 2)},
	{"--limits-tables-per-person=1", nil, "tables_per_person", repeatRequest(`"op":"open","game":"ayu"`, 2)},
	{"", func(c *config.Config) { c.Lobby.TablesPerAddress = 1 }, "tables_per_address", repeatRequest(`"op":"open","game":"ayu"`, 2)},
	{"--limits-matches=1", nil, "matches", repeatRequest(`"op":"bot","game":"ayu"`, 2)},
	{"--limits-matches-per-person=1", nil, "matches_per_person", repeatRequest(`"op":"bot","game":"ayu"`, 2)},
	{"", func(c *config.Config) { c.Lobby.MatchesPerAddress = 1 }, "matches_per_address", func(_ serverUnderAttack, g guest) {
		g.game()
		repeatRequest(`"op":"bot","game":"ayu"`, 1)(serverUnderAttack{}, g)
	}},
	{"--limits-sessions-per-person=1", nil, "sessions_per_person", func(f serverUnderAttack, g guest) {
		key := ssh.PublicKeys(newPairOfClients(g.t, 0).keys[0])
		for range 2 {
			g, err := f.guest(g.t, key)
			if err != nil {
				g.t.Fatal(err)
			}
			if _, err := g.channel(execution("api")).Read(make([]byte, 1)); err != nil { // admitted, or not
				break
			}
		}
	}},
	{"", func(c *config.Config) { c.Lobby.WatchedPerSession = 1 }, "watched_per_session", func(_ serverUnderAttack, g guest) {
		one, other := g.game(), g.game()
		spectator := g.channel(execution("api"))
		go func() { _, _ = io.Copy(io.Discard, spectator) }()
		fmt.Fprintf(spectator, `{"id":1,"op":"watch","match":%q}`+"\n"+`{"id":2,"op":"watch","match":%q}`+"\n", one, other)
	}},
	{"", func(c *config.Config) { c.Lobby.BlocksPerUser = 1 }, "blocks_per_person", func(f serverUnderAttack, g guest) {
		ch := g.channel(execution("api"))
		go func() { _, _ = io.Copy(io.Discard, ch) }()
		_, _ = io.WriteString(ch, `{"id":1,"op":"block","name":"Brook"}`+"\n"+`{"id":2,"op":"block","name":"Heron"}`+"\n")
	}},
	{"", func(c *config.Config) { c.Lobby.CodeBurst, c.Lobby.CodeRate = 1, 0.01 }, "account_codes", runCommands("0123456789", "api", "api")},
	{"--limits-new-accounts-burst=1 --limits-new-accounts=0.01", nil, "new_accounts_per_address", runCommands("x", "api", "api")},
	{"", func(c *config.Config) { c.Access.ReportBurst, c.Access.ReportRate = 1, 0.1 }, "reports", runCommands("x", "report Brook noise", "report Brook more noise")},
	{"", func(c *config.Config) { c.Access.ReportsPerUser = 1 }, "reports", func(f serverUnderAttack, g guest) {
		key := newPairOfClients(g.t, 0).keys[0]
		for range 2 {
			f.process.runAs("x", key, "report Brook noise")
		}
	}},
	{"", func(c *config.Config) { c.Access.ReportsPerAddress = 1 }, "reports", runCommands("x", "report Brook noise", "report Brook more noise")},
	{"", func(c *config.Config) { c.Lobby.KeyRate, c.Lobby.KeyBurst = 20, 20 }, "keys", func(_ serverUnderAttack, g guest) {
		_, _ = io.WriteString(g.channel(terminal(80, 24), shell), "\r"+strings.Repeat("?\x1b[A", 200))
	}},
	{"", func(c *config.Config) {
		c.Access.Open, c.Access.AllowGuests, c.Access.GuessBurst, c.Access.GuessRate = false, false, 1, 0.1
	}, "invite_codes", runCommands(strings.Repeat("0", 20), "who", "who")},
	{"", func(c *config.Config) {
		c.Notify.MailServer, c.Notify.MailFrom, c.Notify.Codes.User.Burst = "127.0.0.1:1", "ayumu@example.org", 1
	}, "mail_codes", askForCodes},
	{"", func(c *config.Config) {
		c.Notify.MailServer, c.Notify.MailFrom, c.Notify.Codes.Server.Burst = "127.0.0.1:1", "ayumu@example.org", 1
	}, "mail_codes_per_server", askForCodes},
	{"", func(*config.Config) {}, "faults", func(_ serverUnderAttack, g guest) {
		one, other := g.program(), g.program()
		for range limit.FreeFaults + 1 {
			table := one(`"op":"open","game":"ayu"`).Table
			match := other(fmt.Sprintf(`"op":"join","table":%q`, table)).Match
			one(fmt.Sprintf(`"op":"abort","match":%q`, match))
		}
		one(`"op":"open","game":"ayu"`)
	}},
	{"", nil, "unread_data", func(_ serverUnderAttack, g guest) {
		_, _ = g.channel(execution("api")).Stderr().Write([]byte("x"))
	}},
}

// TestEveryLimitHasACounter exceeds each limit over a connection and compares the metrics before and
// after.
func TestEveryLimitHasACounter(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	for i, l := range limits {
		t.Run(fmt.Sprintf("%d %s", i, l.counter), func(t *testing.T) {
			f := startUnderAttack(t, l.set, strings.Fields(l.setting)...)
			g, err := f.guest(t)
			if err != nil {
				t.Fatal(err)
			}
			if n := f.hits()[l.counter]; n != 0 {
				t.Errorf("the counter begins with %v", n)
			}
			l.exceed(f, g)
			waitUntil(t, "the counter has risen", func() bool { return f.hits()[l.counter] > 0 })
		})
	}
}

// constantLimits returns the limits that are no settings, by their counters, as docs/security.md writes
// them.
func constantLimits(c *config.Config) map[string]string {
	l, p, a, codes := c.Limits, c.Lobby, c.Access, c.Notify.Codes
	return map[string]string{
		"handshake": seconds(l.Handshake), "unused": seconds(l.Unused), "idle": seconds(l.Idle),
		"stall": seconds(l.Stall), "keepalive": seconds(2 * l.Keepalive), "grace": seconds(l.Grace),
		"unauthenticated": fmt.Sprint(l.Unauthenticated), "unauthenticated_per_address": fmt.Sprint(l.UnauthenticatedPerAddress),
		"handshake_rate": fmt.Sprintf("%v a second for each processor, %d at once", l.HandshakeRate, l.HandshakeBurst),
		"rekeys":         fmt.Sprintf("%v a minute, %d at once", l.RekeyRate, l.RekeyBurst),
		"channels":       fmt.Sprint(l.Channels),
		"terminal_size":  fmt.Sprintf("%d columns, %d rows", l.Width, l.Height),
		"command_bytes":  fmt.Sprint(l.CommandBytes), "env": fmt.Sprintf("%d of %d bytes", l.EnvCount, l.EnvBytes),
		"input_rate":          fmt.Sprintf("%d KiB, programs %d KiB a second", l.InputRate>>10, l.ExecInputRate>>10),
		"keys":                perSecond(p.KeyRate, p.KeyBurst),
		"requests":            perSecond(p.RequestRate, p.RequestBurst) + fmt.Sprintf("; %v KiB, %d KiB at once", p.ByteRate/1024, p.ByteBurst>>10),
		"requests_per_person": perSecond(p.UserRequestRate, p.UserRequestBurst) + "; four times as many from one address",
		"actions":             perSecond(p.ActionRate, p.ActionBurst),
		"watched_per_session": fmt.Sprint(p.WatchedPerSession), "blocks_per_person": fmt.Sprint(p.BlocksPerUser),
		"account_codes": perSecond(p.CodeRate, p.CodeBurst),
		"invite_codes":  fmt.Sprintf("%v a minute, %d at once", a.GuessRate, a.GuessBurst),
		"reports": fmt.Sprintf("%v a minute, %d at once; open ones: %d of one person, %d from one address",
			a.ReportRate, a.ReportBurst, a.ReportsPerUser, a.ReportsPerAddress),
		"mail_codes": fmt.Sprintf("%d an hour by one person, %d from one address, %d to one domain; to one mailbox %d at once, and one more every %.0f hours",
			codes.User.Burst, codes.Origin.Burst, codes.Domain.Burst, codes.Address.Burst, 1/codes.Address.Refill/3600),
		"mail_codes_per_server": fmt.Sprintf("%d an hour", codes.Server.Burst),
		"tables_per_address":    "half of `limits.tables`", "matches_per_address": "a quarter of `limits.matches`",
		"faults": fmt.Sprintf("%d within %v h; after each further one %v min, twice as long as the last time, at most %v h",
			limit.FreeFaults, limit.FaultWindow.Hours(), limit.FirstCooldown.Minutes(), limit.MaxCooldown.Hours()),
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%v s", d.Seconds()) }

func perSecond(rate float64, burst int) string {
	return fmt.Sprintf("%v a second, %d at once", rate, burst)
}

// TestEveryLimitIsListed compares the lists in docs/security.md with the settings, the constants and the
// tests.
func TestEveryLimitIsListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tested, isSet := make(map[string]bool), make(map[string]bool)
	for _, l := range limits {
		for _, flag := range strings.Fields(l.setting) {
			name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--limits-"), "=")
			tested[name+" "+l.counter] = true
		}
		isSet[l.counter] = isSet[l.counter] || l.set != nil
	}
	listed := make(map[string]int)
	for _, row := range regexp.MustCompile("(?m)^\\| (`limits\\..+) \\| `(.+)` \\|$").FindAllStringSubmatch(string(page), -1) {
		for _, key := range regexp.MustCompile("`limits\\.(.+?)`").FindAllStringSubmatch(row[1], -1) {
			listed["limits."+key[1]]++
			if !tested[key[1]+" "+row[2]] {
				t.Errorf("no test exceeds limits.%s and looks at %q", key[1], row[2])
			}
		}
	}
	for _, s := range config.Default().Settings() {
		if strings.HasPrefix(s.Key, "limits.") && listed[s.Key] != 1 {
			t.Errorf("%s stands %d times in docs/security.md", s.Key, listed[s.Key])
		}
	}
	constants := constantLimits(config.Default())
	for counter, value := range constants {
		if n := len(regexp.MustCompile("(?m)^\\| .+ \\| "+regexp.QuoteMeta(value)+" \\| `"+counter+"` \\|$").FindAll(page, -1)); n != 1 {
			t.Errorf("docs/security.md has %d rows with %q and the counter %s", n, value, counter)
		}
		if !isSet[counter] {
			t.Errorf("no test exceeds %s", counter)
		}
	}
	for counter, set := range isSet {
		if set && constants[counter] == "" {
			t.Errorf("%s is tested and not listed", counter)
		}
	}
	_, section, _ := strings.Cut(string(page), "\n## The limits\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, counter := range limitCounters(t) {
		if !strings.Contains(section, "`"+counter+"`") {
			t.Errorf("%s is not listed", counter)
		}
	}
}

// limitCounters returns the identifiers of all limits, budgets and reasons to close a connection, which Hits and
// Stats.LimitHits count, as the code declares them.
func limitCounters(t *testing.T) (counters []string) {
	t.Helper()
	for _, declaration := range []struct {
		files, pattern string
		atLeast        int
	}{
		{"../../lobby/limit/limits.go", `(?m)^\tHit\w+ += "(\w+)"$`, 18},
		{"../../lobby/limit/work.go", `(?m)^\tWork\w+: +\{(?:hit: )?"(\w+)"`, 17},
		{"../../lobby/club/*.go", `(?m)^\thit\w+ += "(\w+)"$`, 3},
		{"../../server/sshd/*.go", `(?m)^\thit\w+ += "(\w+)"$`, 12},
		{"../../server/sshd/*.go", `&closeReason\{"(\w+)"`, 14},
	} {
		files, err := filepath.Glob(declaration.files)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(declaration.pattern).FindAllSubmatch(text, -1) {
				found++
				counters = append(counters, string(m[1]))
			}
		}
		if found < declaration.atLeast {
			t.Errorf("%s declares %d counters, want at least %d", declaration.files, found, declaration.atLeast)
		}
	}
	return counters
}

// TestMetricsHaveNoLabelsOfClients connects clients with arbitrary names, terminals, versions and
// commands, and checks that the number of series stays the same.
func TestMetricsHaveNoLabelsOfClients(t *testing.T) {
	f := startUnderAttack(t, func(c *config.Config) { c.Limits.CommandBytes = 30 })
	visit := func(n int) {
		text := fmt.Sprintf("chosen%d", n)
		nc := f.raw(fmt.Sprintf("127.0.1.%d", n))
		sc, channels, requests, err := ssh.NewClientConn(nc, f.addr, &ssh.ClientConfig{User: text, ClientVersion: "SSH-2.0-" + text,
			Auth: []ssh.AuthMethod{ssh.PublicKeys(newPairOfClients(t, n).keys[0])}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		if err != nil {
			t.Fatal(err)
		}
		defer sc.Close()
		g := guest{ssh.NewClient(sc, channels, requests), t, nil}
		ch := g.channel(variable("LANG", text), execution(text+strings.Repeat("x", 40)), execution(text))
		_, _ = io.Copy(io.Discard, ch)
	}
	series := func() []string {
		text := f.get("/metrics")
		if strings.Contains(text, "chosen") || strings.Contains(text, "127.0.") || strings.Contains(text, "SHA256") {
			t.Errorf("the metrics name a client:\n%s", text)
		}
		all := regexp.MustCompile(`(?m)^[^#\s]+`).FindAllString(text, -1)
		slices.Sort(all)
		return all
	}
	visit(1)
	waitIdle(t, f)
	few := series()
	for n := range 20 {
		visit(2 + n)
	}
	waitIdle(t, f)
	if many := series(); len(few) == 0 || !slices.Equal(few, many) {
		t.Errorf("%d series after one visit, %d after many:\n%v\n%v", len(few), len(many), few, many)
	}
}

// TestMetricsStayOnTheMachine checks the addresses on which metrics may be served.
func TestMetricsStayOnTheMachine(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:9222", ":9222", "192.0.2.1:9222", "[::]:9222"} {
		out, errs, status := clitest.Run(t, "", "config", "--metrics-listen", addr)
		if status == 0 || !strings.Contains(out+errs, "loopback") {
			t.Errorf("metrics on %s: %d %s", addr, status, out+errs)
		}
	}
}

var errNoAnswer = errors.New("no answer")

// within limits the wait for the end of a connection.
func within(d time.Duration, wait func() error) error {
	done := make(chan error, 1)
	go func() { done <- wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(d):
		return errNoAnswer
	}
}

func TestProxiesAreCountedToo(t *testing.T) {
	f := startUnderAttack(t, nil, "--proxy-trusted=127.0.0.9")
	for _, from := range []string{"127.0.0.8", "127.0.0.9"} {
		nc := f.raw(from)
		fmt.Fprintf(nc, "SSH-2.0-x\r\n")
		if err := within(waitTimeout, func() error { _, err := io.Copy(io.Discard, nc); return err }); errors.Is(err, errNoAnswer) {
			t.Errorf("%s is not sent away", from)
		}
	}
	for _, counter := range []string{"not_from_proxy", "no_proxy_header"} {
		waitUntil(t, counter+" is counted", func() bool { return f.hits()[counter] == 1 })
	}
}

// TestClubEveningGetsIn: with the default settings forty people behind one address connect at the same moment, each with a
// key of their own, make accounts and stay. The next new key is told to wait or to come as a guest; guests, and keys
// that have an account, get in.
func TestClubEveningGetsIn(t *testing.T) {
	const people = 40
	p := start(t, t.TempDir())
	keys := make([]ssh.Signer, people)
	for i := range keys {
		keys[i] = servertest.NewKey(t)
	}
	clients, entered := make([]*ssh.Client, people), make(chan error, people)
	enter := func(i int) error {
		c, err := ssh.Dial("tcp", p.addr, servertest.ClientConfig(fmt.Sprintf("player%d", i), keys[i]))
		if err != nil {
			return fmt.Errorf("person %d: %w", i, err)
		}
		clients[i] = c
		s, err := c.NewSession()
		if err != nil {
			return fmt.Errorf("person %d: %w", i, err)
		}
		_, err1 := s.StdinPipe() // stays open
		out, err2 := s.StdoutPipe()
		if err := errors.Join(err1, err2, s.Start("api")); err != nil {
			return err
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if want := fmt.Sprintf(`"player%d"`, i); err != nil || !strings.Contains(line, `"welcome"`) || !strings.Contains(line, want) {
			return fmt.Errorf("person %d: %q, %v", i, line, err)
		}
		return nil
	}
	for i := range people {
		go func() { entered <- enter(i) }()
	}
	var all []error
	for range people {
		all = append(all, <-entered)
	}
	defer func() {
		for _, c := range clients {
			if c != nil {
				c.Close()
			}
		}
	}()
	if err := errors.Join(all...); err != nil {
		t.Fatal(err)
	}
	if out, status := p.runAs("late", servertest.NewKey(t), "api"); status == 0 || !strings.Contains(out, "too many new accounts were created from your address") {
		t.Errorf("the next new key: exit %d, %s", status, out)
	}
	for i, key := range []ssh.Signer{nil, keys[0]} {
		if out, status := p.runAs("again", key, "who"); status != 0 {
			t.Errorf("%d: exit %d, %s", i, status, out)
		}
	}
}
