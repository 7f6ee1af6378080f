package bus_test

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/bus"
	"ayumu/lobby/bus/bustest"
	"ayumu/lobby/lobbytest"
)

// patience is how long a test waits for something that has to happen.
const patience = 20 * time.Second

// node is a bus with what it has received.
type node struct {
	bus.Bus
	got chan string
}

func openNATS(t *testing.T, c bus.NATSConfig) node {
	t.Helper()
	got := make(chan string, 5000)
	c.Report = func(msg string, keyvals ...any) { t.Log(append([]any{msg}, keyvals...)...) }
	b, err := bus.OpenNATS(c, func(data []byte) { got <- string(data) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return node{b, got}
}

// await publishes until another node has received a message, since a subscription takes a moment to become
// known.
func await(t *testing.T, from, to node) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for {
		select {
		case <-tick.C:
			from.Publish([]byte("hello"))
		case <-to.got:
			return
		case <-limit:
			t.Fatalf("no message arrives: %+v, %+v", from.Stats(), to.Stats())
		}
	}
}

// drain returns what a node receives until the message last.
func drain(t *testing.T, n node, last string) (all []string) {
	t.Helper()
	limit := time.After(patience)
	for {
		select {
		case s := <-n.got:
			if s == last {
				return all
			}
			if s != "hello" {
				all = append(all, s)
			}
		case <-limit:
			t.Fatalf("%q does not arrive", last)
		}
	}
}

// TestMessagesReachTheOtherNodes: all others receive them in order, and the sender does not.
func TestMessagesReachTheOtherNodes(t *testing.T) {
	url := bustest.Start(t, nil).URL()
	var hub lobbytest.Hub
	for name, open := range map[string]func(string) node{
		"NATS": func(name string) node { return openNATS(t, bus.NATSConfig{URL: url, Node: name}) },
		"hub": func(string) node {
			n := node{got: make(chan string, 5000)}
			n.Bus = hub.Open(func(data []byte) { n.got <- string(data) }, func(err error) { t.Error(err) })
			t.Cleanup(n.Close)
			return n
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b, c := open("a"), open("b"), open("c")
			await(t, a, b)
			await(t, a, c)
			await(t, b, a)
			want := make([]string, 100)
			for i := range want {
				want[i] = fmt.Sprint("change ", i)
				a.Publish([]byte(want[i]))
			}
			a.Publish([]byte("end"))
			for _, n := range []node{b, c} {
				if got := drain(t, n, "end"); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("received %q", got)
				}
			}
			b.Publish([]byte("back"))
			if got := drain(t, a, "back"); len(got) != 0 {
				t.Errorf("a node receives its own messages: %q", got)
			}
			a.Close()
			a.Close()
			if s := b.Stats(); s.Received < 101 || !s.IsConnected || s.Dropped != 0 {
				t.Errorf("stats: %+v", s)
			}
		})
	}
}

// TestALobbyHearsOnlyItself: two lobbies share a server and have different prefixes.
func TestALobbyHearsOnlyItself(t *testing.T) {
	url := bustest.Start(t, nil).URL()
	a := openNATS(t, bus.NATSConfig{URL: url, Prefix: "club.one"})
	b := openNATS(t, bus.NATSConfig{URL: url, Prefix: "club.one"})
	other := openNATS(t, bus.NATSConfig{URL: url, Prefix: "club.two"})
	third := openNATS(t, bus.NATSConfig{URL: url, Prefix: "club.two"})
	await(t, other, third)
	await(t, a, b)
	third.Publish([]byte("end"))
	if got := drain(t, other, "end"); len(got) != 0 {
		t.Errorf("received %q of another lobby", got)
	}
}

// TestAServerThatIsGoneCostsNothing: a node starts without a server, publishing never blocks, and messages
// arrive when the server is there, also after it was restarted.
func TestAServerThatIsGoneCostsNothing(t *testing.T) {
	server := bustest.Start(t, nil)
	server.Stop()
	url := server.URL()
	a, b := openNATS(t, bus.NATSConfig{URL: url}), openNATS(t, bus.NATSConfig{URL: url})
	for range 3000 {
		a.Publish([]byte("lost"))
	}
	if a.Stats().IsConnected {
		t.Error("connected to nothing")
	}
	server.Run()
	await(t, a, b)
	server.Stop()
	for range 3000 {
		a.Publish([]byte("lost"))
	}
	server.Run()
	await(t, a, b)
	await(t, b, a)
	if s := a.Stats(); s.Dropped == 0 {
		t.Errorf("stats: %+v", s)
	}
}

// TestLongMessagesAreDropped on both sides.
func TestLongMessagesAreDropped(t *testing.T) {
	url := bustest.Start(t, nil).URL()
	a, b := openNATS(t, bus.NATSConfig{URL: url}), openNATS(t, bus.NATSConfig{URL: url})
	await(t, a, b)
	a.Publish(bytes.Repeat([]byte("x"), bus.MaxMessage+1))
	a.Publish(bytes.Repeat([]byte("y"), bus.MaxMessage))
	a.Publish([]byte("end"))
	if got := drain(t, b, "end"); len(got) != 1 || got[0][0] != 'y' {
		t.Errorf("received %d messages", len(got))
	}
	if s := a.Stats(); s.Dropped != 1 {
		t.Errorf("stats: %+v", s)
	}
}

// TestCredentials: with the right password a node is let in. With a wrong one it is not, it says so once, and
// neither that nor any other error shows a password.
func TestCredentials(t *testing.T) {
	server := bustest.Start(t, url.UserPassword("club", "s3cret"))
	with := func(user string) string { return strings.Replace(server.URL(), "club:s3cret", user, 1) }
	a := openNATS(t, bus.NATSConfig{URL: with("club:s3cret")})
	b := openNATS(t, bus.NATSConfig{URL: with("club:s3cret")})
	await(t, a, b)
	reported := make(chan string, 100)
	report := func(msg string, keyvals ...any) { reported <- msg + fmt.Sprint(keyvals...) }
	ignore := func([]byte) {}
	refused, err := bus.OpenNATS(bus.NATSConfig{URL: with("club:hidden"), Report: report}, ignore)
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Close()
	select {
	case s := <-reported:
		if !strings.Contains(s, "Authorization") || strings.Contains(s, "hidden") {
			t.Errorf("reported %q", s)
		}
	case <-time.After(patience):
		t.Error("nothing is reported")
	}
	for _, bad := range []string{with("club:hidden") + "x", with("club:hid%zz"), "nats://club:hidden\x00@127.0.0.1:1"} {
		b, err := bus.OpenNATS(bus.NATSConfig{URL: bad, Report: report}, ignore)
		if err == nil {
			b.Close()
			t.Errorf("no error for %q", bad)
		} else if strings.Contains(err.Error(), "hid") {
			t.Errorf("error: %v", err)
		}
	}
}

// TestWrongConfigurations are refused at once.
func TestWrongConfigurations(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]bus.NATSConfig{
		"prefix with a wildcard": {URL: "nats://127.0.0.1:1", Prefix: "a.*"},
		"prefix with a space":    {URL: "nats://127.0.0.1:1", Prefix: "a b"},
		"missing authorities":    {URL: "nats://127.0.0.1:1", CA: empty + "x"},
		"empty authorities":      {URL: "nats://127.0.0.1:1", CA: empty},
		"missing key":            {URL: "nats://127.0.0.1:1", Certificate: empty},
	} {
		c.Report = func(string, ...any) {}
		if b, err := bus.OpenNATS(c, func([]byte) {}); err == nil {
			b.Close()
			t.Errorf("%s: no error", name)
		}
	}
}
