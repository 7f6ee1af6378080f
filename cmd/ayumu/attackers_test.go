package main

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// asAttackers makes the test binary run hostile clients; its value is the server's address. They run in a
// separate process with at most one processor and a low priority: real attackers have their own machines,
// so the server should not lack processor time.
const asAttackers = "AYUMU_TEST_AS_CROWD"

// attack is an action that a number of attackers repeat.
type attack struct {
	name   string
	atOnce int
	pause  time.Duration // after each time
	once   func(a *attacker) error
}

var attacks = []attack{
	{"connections", 2, time.Millisecond, func(a *attacker) error { c, err := a.dial(); closeAll(c); return err }},
	{"silent connections", 220, 20 * time.Millisecond, func(a *attacker) error { return a.send("") }},
	{"half a hello", 30, 20 * time.Millisecond, func(a *attacker) error { return a.send("SSH-2.0-x") }},
	{"other protocols", 5, 20 * time.Millisecond, func(a *attacker) error { return a.send("GET / HTTP/1.1\r\n\x00\x1b[2J\r\n\r\n") }},
	{"stolen keys", 2, 10 * time.Millisecond, (*attacker).stealKeys},
	{"half-open peers", 10, 20 * time.Millisecond, (*attacker).stopAnswering},
	{"stuck readers", 10, 20 * time.Millisecond, (*attacker).readNothing},
	{"keys", 5, 10 * time.Millisecond, withScreen((*attacker).typeKeys)},
	{"resizes", 3, 10 * time.Millisecond, withScreen((*attacker).resize)},
	{"pastes", 3, 10 * time.Millisecond, withScreen((*attacker).paste)},
	{"malformed JSON", 5, 10 * time.Millisecond, withClient((*attacker).sendInvalidRequests)},
	{"exec lines", 3, 10 * time.Millisecond, withClient((*attacker).execute)},
	{"channels", 3, 10 * time.Millisecond, withClient((*attacker).openChannels)},
	{"environments", 2, 10 * time.Millisecond, withClient((*attacker).environment)},
	{"strangers", 5, 10 * time.Millisecond, (*attacker).takeTables},
}

// runAttackers attacks until its input ends, and then writes how often each attack started.
func runAttackers(addr string) error {
	runtime.GOMAXPROCS(1)
	if err := setNiceness(10); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	counts := make([]atomic.Int64, len(attacks))
	var all sync.WaitGroup
	for i, k := range attacks {
		for n := range k.atOnce {
			a := &attacker{ctx: ctx, addr: addr, kind: i, r: mathrand.New(mathrand.NewPCG(uint64(i), uint64(n)))}
			all.Go(func() {
				for ctx.Err() == nil {
					counts[i].Add(1)
					_ = k.once(a) // what the server refuses is none of an attacker's business
					select {
					case <-time.After(k.pause):
					case <-ctx.Done():
					}
				}
			})
		}
	}
	all.Wait()
	done := make(map[string]int64)
	for i, k := range attacks {
		done[k.name] = counts[i].Load()
	}
	return json.NewEncoder(os.Stdout).Encode(done)
}

// attacker is one hostile client. It is confined to one goroutine.
type attacker struct {
	ctx  context.Context
	addr string
	kind int
	r    *mathrand.Rand
}

func closeAll(closers ...io.Closer) {
	for _, c := range closers {
		if c != nil {
			c.Close()
		}
	}
}

// dial connects from one of the two addresses that attackers of a kind share.
func (a *attacker) dial() (net.Conn, error) {
	from := net.IPv4(127, 66, byte(a.kind), byte(1+a.r.IntN(2)))
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: waitTimeout}
	nc, err := d.DialContext(a.ctx, "tcp", a.addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(a.ctx, func() { nc.Close() })
	return nc, nil
}

// send writes a text and waits until the server closes the connection.
func (a *attacker) send(text string) error {
	nc, err := a.dial()
	if err != nil {
		return err
	}
	defer nc.Close()
	if _, err := io.WriteString(nc, text); err != nil {
		return err
	}
	if n, _ := io.Copy(io.Discard, nc); n == 0 {
		return errors.New("not even greeted")
	}
	return nil
}

// stalledConn is a connection that stops reading when stop is set.
type stalledConn struct {
	net.Conn
	stop   atomic.Bool
	closed chan struct{}
	once   sync.Once
}

func (d *stalledConn) Read(p []byte) (int, error) {
	if d.stop.Load() {
		<-d.closed
		return 0, net.ErrClosed
	}
	return d.Conn.Read(p)
}

func (d *stalledConn) Close() error {
	d.once.Do(func() { close(d.closed) })
	return d.Conn.Close()
}

// withClient returns an attack that uses a connection, with a key or as a guest.
func withClient(do func(*attacker, *ssh.Client) error) func(*attacker) error {
	return func(a *attacker) error {
		c, _, err := a.connect("x", a.some())
		if err != nil {
			return err
		}
		defer c.Close()
		return do(a, c)
	}
}

// withScreen returns an attack that uses a screen whose output is read.
func withScreen(do func(*attacker, ssh.Channel) error) func(*attacker) error {
	return func(a *attacker) error {
		c, _, ch, err := a.screen()
		if err != nil {
			return err
		}
		defer c.Close()
		go func() { _, _ = io.Copy(io.Discard, ch) }()
		return do(a, ch)
	}
}

// some returns one of the few keys of attackers of a kind, or nil for a guest.
func (a *attacker) some() ssh.Signer {
	if a.r.IntN(2) == 0 {
		return nil
	}
	return a.key(a.r.IntN(3))
}

// connect connects with a key, or as a guest.
func (a *attacker) connect(user string, key ssh.Signer) (*ssh.Client, *stalledConn, error) {
	nc, err := a.dial()
	if err != nil {
		return nil, nil, err
	}
	d := &stalledConn{Conn: nc, closed: make(chan struct{})}
	auth := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if key != nil {
		auth = ssh.PublicKeys(key)
	}
	context.AfterFunc(a.ctx, func() { d.Close() })
	_ = nc.SetDeadline(time.Now().Add(waitTimeout))
	sc, channels, requests, err := ssh.NewClientConn(d, a.addr, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{auth}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	return ssh.NewClient(sc, channels, requests), d, nil
}

// key returns one of the keys of attackers of a kind.
func (a *attacker) key(n int) ssh.Signer {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = byte(a.kind)
	binary.BigEndian.PutUint32(seed[1:], uint32(n))
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		panic(err) // there is no such key
	}
	return signer
}

// window is the size of a terminal (RFC 4254, section 6.7).
type window struct{ Columns, Rows, Width, Height uint32 }

// screen opens a terminal of any size and passes the first screen.
func (a *attacker) screen() (*ssh.Client, *stalledConn, ssh.Channel, error) {
	c, d, err := a.connect("x", a.some())
	if err != nil {
		return nil, nil, nil, err
	}
	ch, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		c.Close()
		return nil, nil, nil, err
	}
	go ssh.DiscardRequests(requests)
	_, err1 := ch.SendRequest("pty-req", false, ssh.Marshal(struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}{"xterm-256color", a.r.Uint32N(6000), a.r.Uint32N(6000), 0, 0, ""}))
	_, err2 := ch.SendRequest("shell", false, nil)
	_, err3 := ch.Write([]byte("\r"))
	if err := errors.Join(err1, err2, err3); err != nil {
		c.Close()
		return nil, nil, nil, err
	}
	return c, d, ch, nil
}
