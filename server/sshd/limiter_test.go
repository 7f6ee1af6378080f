package sshd

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/netip"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/limit"
	"ayumu/server/servertest"
)

// greeted dials and reports whether the server says hello rather than hang up.
func (r *testServer) greeted(from string) (net.Conn, bool) {
	r.t.Helper()
	nc, err := r.dial(from)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { nc.Close() })
	line, err := bufio.NewReaderSize(nc, 64).ReadString('\n')
	if err == nil && !strings.HasPrefix(line, "SSH-2.0-Ayumu") {
		r.t.Errorf("greeted with %q", line)
	}
	return nc, err == nil
}

// TestLoopbackHasCapsToo has more connections than are allowed from addresses of 127.0.0.0/8.
func TestLoopbackHasCapsToo(t *testing.T) {
	for name, tt := range map[string]struct {
		limits Limits
		enter  func(*testServer, string) (io.Closer, bool) // true if it could come in
		want   map[string]int                              // how many of 4 come in from the address, asked in alphabetical order
	}{
		"handshakes of an address": {Limits{UnauthenticatedPerAddress: 2}, handshaking, map[string]int{"127.0.0.2": 2, "127.0.0.3": 2}},
		"handshakes in all":        {Limits{Unauthenticated: 5}, handshaking, map[string]int{"127.0.0.2": 4, "127.0.0.3": 1}},
		"sessions of an address":   {Limits{ConnectionsPerAddress: 3, UnauthenticatedPerAddress: 1}, logged, map[string]int{"127.0.0.2": 3, "127.0.0.3": 3}},
		"sessions in all":          {Limits{Connections: 6, Unauthenticated: 1}, logged, map[string]int{"127.0.0.2": 4, "127.0.0.3": 2}},
		"new ones of an address":   {Limits{ConnectBurst: 3, ConnectRate: 1e-9}, handshaking, map[string]int{"127.0.0.2": 3, "127.0.0.3": 3}},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, tt.limits, waitForEnd)
			var refused uint64
			var first io.Closer
			for _, from := range []string{"127.0.0.2", "127.0.0.3"} {
				n := 0
				for range 4 {
					c, in := tt.enter(r, from)
					if !in {
						refused++
						continue
					}
					n++
					if first == nil {
						first = c
					}
				}
				if n != tt.want[from] {
					t.Errorf("%d came in from %s, want %d", n, from, tt.want[from])
				}
			}
			if got := r.Stats().Rejected; got != refused {
				t.Errorf("%d refusals counted of %d", got, refused)
			}
			if tt.limits.ConnectBurst > 0 {
				return
			}
			first.Close()
			servertest.Until(t, "a place that was left is free", func() bool { _, in := tt.enter(r, "127.0.0.2"); return in })
		})
	}
}

func handshaking(r *testServer, from string) (io.Closer, bool) {
	nc, ok := r.greeted(from)
	return nc, ok
}

func logged(r *testServer, from string) (io.Closer, bool) {
	c, err := r.tryConnect(from, clientConfig(servertest.Guest()))
	return c, err == nil
}

// TestSessionsCountAsConnections has a client that opens and closes sessions over and over.
func TestSessionsCountAsConnections(t *testing.T) {
	r := run(t, Limits{ConnectBurst: 10, ConnectRate: 1e-9}, whoami)
	c, err := r.tryConnect("127.0.0.2", clientConfig(servertest.Guest()))
	if err != nil {
		t.Fatal(err)
	}
	for range 9 {
		servertest.Until(t, "the last session has left", func() bool { return r.Stats().Sessions == 0 })
		ask(t, c, "who")
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("a tenth session after a connection and nine sessions was opened")
	}
	ask(t, r.connect(servertest.Guest()), "who") // from another address
}

// rekeying is a client that starts a key exchange after every 10,000 bytes that it sends.
type rekeying struct {
	*ssh.Client
	exchanges atomic.Int32 // those that have succeeded, with the first
}

func (r *testServer) rekeying(from string) *rekeying {
	r.t.Helper()
	c := new(rekeying)
	config := clientConfig(servertest.Guest())
	config.RekeyThreshold = 10_000
	config.HostKeyCallback = func(string, net.Addr, ssh.PublicKey) error { c.exchanges.Add(1); return nil }
	var err error
	if c.Client, err = r.tryConnect(from, config); err != nil {
		r.t.Fatal(err)
	}
	return c
}

// until sends requests until it has exchanged keys so often.
func (c *rekeying) until(exchanges int32) error {
	for c.exchanges.Load() < exchanges {
		if _, _, err := c.SendRequest("ping", true, make([]byte, 2000)); err != nil {
			return err
		}
	}
	return nil
}

// TestKeyExchangesAreLimited has clients exchange keys again and again: a connection may do so a few
// times, and those of one address together as often as they may connect.
func TestKeyExchangesAreLimited(t *testing.T) {
	t.Run("of a connection", func(t *testing.T) {
		r := run(t, Limits{RekeyBurst: 3, RekeyRate: 1e-9}, whoami)
		c := r.rekeying("127.0.0.2")
		if err := c.until(4); err != nil {
			t.Fatalf("ended after %d exchanges: %v", c.exchanges.Load(), err)
		}
		ask(t, c.Client, "who")
		if err := c.until(6); err == nil {
			t.Error("a fourth exchange after the first was let pass")
		}
		waitClosed(t, c.Client)
		if n := c.exchanges.Load(); n != 4 {
			t.Errorf("%d exchanges, want 4", n)
		}
		if n := r.Stats().LimitHits[errKeyExchanges.id]; n != 1 {
			t.Errorf("counted %d times", n)
		}
		if err := r.rekeying("127.0.0.2").until(4); err != nil {
			t.Error("another connection of the same address:", err)
		}
	})
	t.Run("of an address", func(t *testing.T) {
		r := run(t, Limits{ConnectBurst: 5, ConnectRate: 1e-9}, whoami)
		a, b := r.rekeying("127.0.0.2"), r.rekeying("127.0.0.2")
		if err := a.until(3); err != nil {
			t.Fatal(err)
		}
		if err := b.until(2); err != nil {
			t.Fatal(err)
		}
		if err := b.until(3); err == nil {
			t.Error("a fourth exchange after two connections was let pass")
		}
		if err := r.rekeying("127.0.0.3").until(4); err != nil {
			t.Error("from another address:", err)
		}
	})
}

func TestDoorsKnowAddresses(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"fe80::1%eth0", "fe80::2%eth1", true},
	} {
		l := newConnLimiter(Limits{ConnectionsPerAddress: 1}.withDefaults())
		if err := l.admit(netip.MustParseAddr(tt.a), time.Now()); err != nil {
			t.Fatal(err)
		}
		if err := l.admit(netip.MustParseAddr(tt.b), time.Now()); (err == errAddressConnections) != tt.same {
			t.Errorf("%s after %s: %v", tt.b, tt.a, err)
		}
	}
}

func TestDoorsLetInAtTheRate(t *testing.T) {
	now, a := time.Unix(1e9, 0), netip.MustParseAddr("192.0.2.1")
	l := newConnLimiter(Limits{ConnectRate: 2, ConnectBurst: 3}.withDefaults())
	for i, tt := range []struct {
		after time.Duration
		want  *closeReason
	}{
		{0, nil}, {0, nil}, {0, nil}, {0, errConnectRate}, {400 * time.Millisecond, errConnectRate},
		{100 * time.Millisecond, nil}, {0, errConnectRate}, {time.Hour, nil}, {0, nil}, {0, nil}, {0, errConnectRate},
	} {
		now = now.Add(tt.after)
		if err := l.admit(a, now); err != tt.want {
			t.Errorf("%d: %v, want %v", i, err, tt.want)
		}
	}
}

func TestDoorsForgetPlaces(t *testing.T) {
	now := time.Unix(1e9, 0)
	l := newConnLimiter(Limits{Connections: 1 << 30, Unauthenticated: 1 << 30}.withDefaults())
	stay := netip.MustParseAddr("2001:db8::1")
	if err := l.admit(stay, now); err != nil {
		t.Fatal(err)
	}
	for i := range 100_000 {
		now = now.Add(10 * time.Millisecond)
		a := netip.MustParseAddr(fmt.Sprintf("2001:db8:%x:%x::1", 1+i>>16, i&0xffff))
		if err := l.admit(a, now); err != nil {
			t.Fatal(err)
		}
		l.release(a, true)
	}
	if n := len(l.addresses); n > 1024 {
		t.Errorf("%d places are kept", n)
	}
	if l.total != (connCounts{1, 1}) || l.addresses[limit.Origin(stay)] != (connCounts{1, 1}) {
		t.Errorf("the one who stayed is not counted: %+v", l.total)
	}
}

// TestNetworksAreLimited: all origins of an IPv6 /48 together get four times what one origin does, and those of another
// /48 and of IPv4 are not in their way.
func TestNetworksAreLimited(t *testing.T) {
	now := time.Unix(1e9, 0)
	const attackers = 1000
	for name, c := range map[string]struct {
		limits Limits
		want   *closeReason
	}{
		"rate":        {Limits{ConnectRate: 1, ConnectBurst: 5}, errNetworkRate},
		"connections": {Limits{ConnectionsPerAddress: 5}, errNetworkConnections},
	} {
		l := newConnLimiter(c.limits.withDefaults())
		var admitted []netip.Addr
		attack := func() {
			for i := range attackers {
				a := netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i))
				switch why := l.admit(a, now); why {
				case nil:
					admitted = append(admitted, a)
				case c.want:
				default:
					t.Fatalf("%s: %v", name, why)
				}
			}
		}
		if attack(); len(admitted) != 4*5 {
			t.Errorf("%s: %d of a /48 are admitted", name, len(admitted))
		}
		for _, a := range []string{"2001:db8:2:1::1", "192.0.2.1", "192.0.2.2"} {
			if why := l.admit(netip.MustParseAddr(a), now); why != nil {
				t.Errorf("%s: %s: %v", name, a, why)
			}
		}
		for _, a := range admitted {
			l.release(a, true)
		}
		now, admitted = now.Add(time.Hour), nil
		if attack(); len(admitted) != 4*5 {
			t.Errorf("%s: after the first have left %d are admitted", name, len(admitted))
		}
	}
	// Further sessions of connections count too.
	l := newConnLimiter(Limits{ConnectRate: 1, ConnectBurst: 5}.withDefaults())
	allowed := 0
	for i := range attackers {
		if l.allowSession(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i)), now) {
			allowed++
		}
	}
	if allowed != 4*5 {
		t.Errorf("%d sessions of a /48", allowed)
	}
}

// TestReplacedLimitsHold for addresses and for networks, and not only for connections that are open.
func TestReplacedLimitsHold(t *testing.T) {
	now := time.Unix(1e9, 0)
	l := newConnLimiter(Limits{ConnectRate: 1, ConnectBurst: 100}.withDefaults())
	l.setLimits(Limits{ConnectRate: 1, ConnectBurst: 2}.withDefaults())
	for name, c := range map[string]struct {
		address func(i int) string
		want    int
	}{
		"an address": {func(int) string { return "192.0.2.1" }, 2},
		"a /48":      {func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i) }, 4 * 2},
	} {
		admitted := 0
		for i := range 50 {
			if l.admit(netip.MustParseAddr(c.address(i)), now) == nil {
				admitted++
			}
		}
		if admitted != c.want {
			t.Errorf("%d connections of %s are admitted after the burst was lowered, want %d", admitted, name, c.want)
		}
	}
}

// TestHandshakesOfAllAreLimited: connections from any number of addresses are bounded, but not below the burst; and those
// that are rejected for their own address take nothing from the others.
func TestHandshakesOfAllAreLimited(t *testing.T) {
	now := time.Unix(1e9, 0)
	l := newConnLimiter(Limits{Connections: 1 << 30, Unauthenticated: 1 << 30, ConnectBurst: 3, ConnectRate: 0.001, HandshakeRate: 10, HandshakeBurst: 100}.withDefaults())
	next := 0
	attack := func(n int) (admitted int) {
		for range n {
			next++
			a := netip.AddrFrom4([4]byte{10, byte(next >> 16), byte(next >> 8), byte(next)})
			switch why := l.admit(a, now); why {
			case nil:
				admitted++
				l.release(a, true)
			case errHandshakeRate:
			default:
				t.Fatal(why)
			}
		}
		return admitted
	}
	one := netip.MustParseAddr("192.0.2.1")
	for range 1000 {
		if why := l.admit(one, now); why != nil && why != errConnectRate {
			t.Fatal(why)
		}
	}
	if n := attack(1000); n != 100-3 {
		t.Errorf("%d were admitted after 3 of one address", n)
	}
	now = now.Add(2 * time.Second)
	if n, want := attack(1000), min(2*10*runtime.GOMAXPROCS(0), 100); n != want {
		t.Errorf("%d were admitted in 2 s, want %d", n, want)
	}
	now = now.Add(time.Hour)
	if n := attack(60) + attack(60); n != 100 {
		t.Errorf("%d were admitted at once", n)
	}
}

// TestEveryLimitHasADefault: a limit that is left out is not 0, which would admit nothing or wait for nothing, and one that is
// given stays.
func TestEveryLimitHasADefault(t *testing.T) {
	defaults := reflect.ValueOf(DefaultLimits())
	given := reflect.New(defaults.Type()).Elem()
	for i := range defaults.NumField() {
		name := defaults.Type().Field(i).Name
		if defaults.Field(i).IsZero() {
			t.Errorf("%s has no default", name)
		}
		if f := given.Field(i); f.CanFloat() {
			f.SetFloat(7)
		} else {
			f.SetInt(7)
		}
	}
	if l := given.Interface().(Limits); l.withDefaults() != l {
		t.Errorf("%+v become %+v", l, l.withDefaults())
	}
}
