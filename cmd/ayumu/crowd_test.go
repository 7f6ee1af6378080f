package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
)

// asCrowd makes the test binary be a crowd of attackers; its value is the server's address. They
// have a process of their own, which gets one processor at most and only what others leave of it:
// attackers bring their own machines, and the server should not go short for want of one.
const asCrowd = "AYUMU_TEST_AS_CROWD"

// attack is something that a number of attackers do again and again.
type attack struct {
	name   string
	atOnce int
	pause  time.Duration // after each time
	once   func(a *attacker) error
}

var attacks = []attack{
	{"connections", 2, time.Millisecond, func(a *attacker) error { c, err := a.dial(); closeAll(c); return err }},
	{"silent connections", 220, 20 * time.Millisecond, func(a *attacker) error { return a.say("") }},
	{"half a hello", 30, 20 * time.Millisecond, func(a *attacker) error { return a.say("SSH-2.0-x") }},
	{"other protocols", 5, 20 * time.Millisecond, func(a *attacker) error { return a.say("GET / HTTP/1.1\r\n\x00\x1b[2J\r\n\r\n") }},
	{"stolen keys", 2, 10 * time.Millisecond, (*attacker).stealKeys},
	{"half-open peers", 10, 20 * time.Millisecond, (*attacker).fallSilent},
	{"stuck readers", 10, 20 * time.Millisecond, (*attacker).readNothing},
	{"keys", 5, 10 * time.Millisecond, atScreen((*attacker).typeKeys)},
	{"resizes", 3, 10 * time.Millisecond, atScreen((*attacker).resize)},
	{"pastes", 3, 10 * time.Millisecond, atScreen((*attacker).paste)},
	{"JSON rubbish", 5, 10 * time.Millisecond, inside((*attacker).rubbish)},
	{"exec lines", 3, 10 * time.Millisecond, inside((*attacker).execute)},
	{"channels", 3, 10 * time.Millisecond, inside((*attacker).openChannels)},
	{"environments", 2, 10 * time.Millisecond, inside((*attacker).environment)},
	{"strangers", 5, 10 * time.Millisecond, (*attacker).takeTables},
}

// runCrowd attacks until its input ends, and then says what was begun how often.
func runCrowd(addr string) error {
	runtime.GOMAXPROCS(1)
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10); err != nil {
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

// attacker is one of a crowd. Only its own goroutine uses it.
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
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: patience}
	nc, err := d.DialContext(a.ctx, "tcp", a.addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(a.ctx, func() { nc.Close() })
	return nc, nil
}

// say says one thing and waits until the server hangs up.
func (a *attacker) say(text string) error {
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

// deaf is a connection that takes nothing any more once it is told.
type deaf struct {
	net.Conn
	stop   atomic.Bool
	closed chan struct{}
	once   sync.Once
}

func (d *deaf) Read(p []byte) (int, error) {
	if d.stop.Load() {
		<-d.closed
		return 0, net.ErrClosed
	}
	return d.Conn.Read(p)
}

func (d *deaf) Close() error {
	d.once.Do(func() { close(d.closed) })
	return d.Conn.Close()
}

// inside makes an attack of something to do on a connection, with a key or as a guest.
func inside(do func(*attacker, *ssh.Client) error) func(*attacker) error {
	return func(a *attacker) error {
		c, _, err := a.login("x", a.some())
		if err != nil {
			return err
		}
		defer c.Close()
		return do(a, c)
	}
}

// atScreen makes an attack of something to do at a screen, whose output is taken.
func atScreen(do func(*attacker, ssh.Channel) error) func(*attacker) error {
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

// some is one of the few keys that attackers of a kind have, or none, which is a guest.
func (a *attacker) some() ssh.Signer {
	if a.r.IntN(2) == 0 {
		return nil
	}
	return a.key(a.r.IntN(3))
}

// login comes in with a key, or as a guest.
func (a *attacker) login(user string, key ssh.Signer) (*ssh.Client, *deaf, error) {
	nc, err := a.dial()
	if err != nil {
		return nil, nil, err
	}
	d := &deaf{Conn: nc, closed: make(chan struct{})}
	auth := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if key != nil {
		auth = ssh.PublicKeys(key)
	}
	context.AfterFunc(a.ctx, func() { d.Close() })
	_ = nc.SetDeadline(time.Now().Add(patience))
	sc, channels, requests, err := ssh.NewClientConn(d, a.addr, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{auth}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	return ssh.NewClient(sc, channels, requests), d, nil
}

// key is one that attackers of a kind have.
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

// window is a terminal's size (RFC 4254, section 6.7).
type window struct{ Columns, Rows, Width, Height uint32 }

// screen comes in with a terminal of any size, past the first question.
func (a *attacker) screen() (*ssh.Client, *deaf, ssh.Channel, error) {
	c, d, err := a.login("x", a.some())
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

// stealKeys offers keys of others, signs for one of them with a key of its own, and comes in with
// a code as the user name.
func (a *attacker) stealKeys() error {
	code := strings.Repeat("0", 10+10*a.r.IntN(2))
	if c, _, err := a.login(code, a.key(a.r.IntN(3))); err == nil {
		if s, err := c.NewSession(); err == nil {
			_ = s.Run("link " + code)
		}
		c.Close()
	}
	nc, err := a.dial()
	if err != nil {
		return err
	}
	defer nc.Close()
	var lies []ssh.Signer
	for i := range 10 {
		lies = append(lies, liar{shown: a.key(100 + i), own: a.key(0)})
	}
	_, _, _, err = ssh.NewClientConn(nc, a.addr, &ssh.ClientConfig{User: "admin",
		Auth: []ssh.AuthMethod{ssh.PublicKeys(lies...)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err == nil {
		return errors.New("a stolen key was taken")
	}
	return nil
}

// liar shows a key and signs with another.
type liar struct{ shown, own ssh.Signer }

func (l liar) PublicKey() ssh.PublicKey { return l.shown.PublicKey() }
func (l liar) Sign(r io.Reader, b []byte) (*ssh.Signature, error) {
	return l.own.Sign(r, b)
}

// hold keeps a connection until the server or the test ends it.
func (a *attacker) hold(c *ssh.Client) error {
	defer c.Close()
	_ = c.Wait()
	return nil
}

// fallSilent begins a session, and then neither reads nor answers: the server sees nothing of a
// peer whose machine has lost its power. It notices when the server has closed the connection.
func (a *attacker) fallSilent() error {
	c, d, err := a.login("x", nil)
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := c.NewSession()
	if err != nil {
		return err
	}
	if _, err := s.StdinPipe(); err != nil { // its end would be a farewell
		return err
	}
	if err := s.Start("api"); err != nil {
		return err
	}
	d.stop.Store(true)
	return d.untilReset()
}

// takeTables comes with a key that nobody has seen yet, opens all the tables that it may, and goes.
func (a *attacker) takeTables() error {
	c, _, err := a.login("x", a.key(int(a.r.Uint32())))
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := c.NewSession()
	if err != nil {
		return err
	}
	s.Stdin = strings.NewReader(strings.Repeat(`{"id":1,"op":"open","game":"ayu"}`+"\n", 6))
	return s.Run("api")
}

// untilReset waits until the server has closed the connection, without reading from it.
func (d *deaf) untilReset() error {
	raw, err := d.Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return err
	}
	for {
		var bad error
		err := raw.Control(func(fd uintptr) {
			if n, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR); err != nil {
				bad = err
			} else if n != 0 {
				bad = syscall.Errno(n)
			}
		})
		if errors.Join(err, bad) != nil {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-d.closed:
			return nil
		}
	}
}

// readNothing asks for one screen after the other, or for one answer after the other, and takes none
// of them from its channel.
func (a *attacker) readNothing() error {
	if a.r.IntN(2) == 0 {
		c, _, err := a.login("x", nil)
		if err != nil {
			return err
		}
		ch, requests, err := c.OpenChannel("session", nil)
		if err != nil {
			c.Close()
			return err
		}
		go ssh.DiscardRequests(requests)
		_, _ = ch.SendRequest("exec", false, ssh.Marshal(struct{ Line string }{"api"}))
		go func() {
			lines := strings.Repeat("x\n", 5000) // each has an answer
			for {
				if _, err := io.WriteString(ch, lines); err != nil {
					return
				}
			}
		}()
		return a.hold(c)
	}
	c, _, ch, err := a.screen()
	if err != nil {
		return err
	}
	go func() {
		for {
			for _, size := range []uint32{200, 300} {
				_, err1 := ch.SendRequest("window-change", false, ssh.Marshal(window{2 * size, size, 0, 0}))
				_, err2 := io.WriteString(ch, "?\x1b")
				if errors.Join(err1, err2) != nil {
					return
				}
			}
			select {
			case <-time.After(10 * time.Millisecond):
			case <-a.ctx.Done():
				return
			}
		}
	}()
	return a.hold(c)
}

func (a *attacker) typeKeys(ch ssh.Channel) error {
	keys := []string{"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\t", "?", "\x1b", "n", "t", "w", "g", "o", "x", " ", "é",
		"\x1b[<0;10;10M", "\x1b[<64;3;3M", "\x1b]11;rgb:00/00/00\x07", "\x1b[", "\xff", "\x00", "1", "/"}
	for range 200 {
		var b strings.Builder
		for range 200 {
			b.WriteString(keys[a.r.IntN(len(keys))])
		}
		if _, err := io.WriteString(ch, b.String()); err != nil {
			break // it may well have pressed the key that leaves
		}
	}
	return nil
}

func (a *attacker) resize(ch ssh.Channel) error {
	for range 2000 {
		size := window{a.r.Uint32N(700), a.r.Uint32N(300), 0, 0}
		if a.r.IntN(10) == 0 {
			size.Columns = a.r.Uint32()
		}
		if _, err := ch.SendRequest("window-change", false, ssh.Marshal(size)); err != nil {
			return err
		}
	}
	return nil
}

func (a *attacker) paste(ch ssh.Channel) error {
	text := strings.Repeat("paste \x1b[A é\u202e\r\n", 16<<10)
	_, err1 := io.WriteString(ch, "t\x1b[200~"+text+"\x1b[201~")
	_, err2 := io.WriteString(ch, text) // and without the frame
	return errors.Join(err1, err2)
}

// rubbish speaks the JSON interface badly, and asks for what is not its own.
func (a *attacker) rubbish(c *ssh.Client) error {
	s, err := c.NewSession()
	if err != nil {
		return err
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if err := errors.Join(err1, err2, s.Start("api")); err != nil {
		return err
	}
	var mu sync.Mutex
	matches := []string{"x"}
	go func() {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 4<<20)
		for lines.Scan() {
			var m struct{ Matches []struct{ Match string } }
			if json.Unmarshal(lines.Bytes(), &m) == nil && len(m.Matches) > 0 {
				mu.Lock()
				matches = nil
				for _, one := range m.Matches {
					matches = append(matches, one.Match)
				}
				mu.Unlock()
			}
		}
	}()
	ops := []string{"ping", "tables", "matches", "open", "quick", "decline", "cancel", "watch", "unwatch", "act", "resign",
		"draw", "undo", "rematch", "refuse", "claim", "vote", "say", "record", "games", "name", "nonsense"}
	fmt.Fprintln(in, `{"id":0,"op":"matches"}`)
	for i := range 600 {
		mu.Lock()
		match := matches[a.r.IntN(len(matches))]
		mu.Unlock()
		line := fmt.Sprintf(`{"id":%d,"op":%q,"match":%q,"version":%d,"actions":["b1-b2"],"game":"ayu","options":{"size":5},"kind":"win","seat":1,"text":"hi","from":0}`,
			i, ops[a.r.IntN(len(ops))], match, a.r.IntN(40))
		switch a.r.IntN(8) {
		case 0:
			line = line[:a.r.IntN(len(line))]
		case 1:
			line = strings.Repeat("[", a.r.IntN(3000))
		case 2:
			b := []byte(line)
			b[a.r.IntN(len(b))] = byte(a.r.IntN(256))
			line = string(b)
		}
		if a.r.IntN(200) == 0 {
			line = strings.Repeat("x", 80<<10)
		}
		if _, err := fmt.Fprintln(in, line); err != nil {
			return err
		}
	}
	return nil
}

func (a *attacker) execute(c *ssh.Client) error {
	lines := []string{"", "help", "who --json", "tables", "matches --json", "record x", "games", "top ayu", "keys", "admin audit",
		"admin ban ana forever", "report ana x", "link 0000000000", "scp -t .", "rm -rf /", "watch x", "\x00\xff\x1b[2J",
		strings.Repeat("x", 4096), strings.Repeat("x ", 2000), strings.Repeat("y", 30000)}
	for range 20 {
		s, err := c.NewSession()
		if err != nil {
			return err
		}
		_, _ = s.Output(lines[a.r.IntN(len(lines))])
		s.Close()
	}
	return nil
}

// openChannels opens what may be opened and what may not.
func (a *attacker) openChannels(c *ssh.Client) error {
	for range 5 {
		for _, kind := range []string{"session", "direct-tcpip", "x11", "auth-agent@openssh.com", "nonsense"} {
			if _, requests, err := c.OpenChannel(kind, nil); err == nil {
				go ssh.DiscardRequests(requests)
			} else if !errors.As(err, new(*ssh.OpenChannelError)) {
				return err
			}
		}
		if _, _, err := c.SendRequest("tcpip-forward", true, []byte("\x00\x00")); err != nil {
			return err
		}
	}
	return nil
}

func (a *attacker) environment(c *ssh.Client) error {
	ch, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	for i := range 60 {
		name := fmt.Sprintf("LC_%c%c", 'A'+i/26, 'A'+i%26)
		value := strings.Repeat("v", a.r.IntN(2000))
		if _, err := ch.SendRequest("env", i%10 == 0, ssh.Marshal(struct{ Name, Value string }{name, value})); err != nil {
			return err
		}
	}
	return nil
}
