package load

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// patience bounds every wait for the server.
const patience = 60 * time.Second

// crowd is where clients go and who they are.
type crowd struct {
	addr     string
	loopback bool // clients come from many addresses of 127.0.0.0/8
	guests   bool // without keys
	seed     uint64
}

// perAddress is how many clients share a source address, well below what a server allows.
const perAddress = 16

// from returns the address from which a client comes. A server limits what comes from one.
func (c *crowd) from(i int) net.Addr {
	if !c.loopback {
		return nil
	}
	n := i / perAddress
	return &net.TCPAddr{IP: net.IPv4(127, byte(1+n>>16), byte(n>>8), byte(n))}
}

// auth is how a client shows who it is. Its key is always the same for a seed.
func (c *crowd) auth(i int) (ssh.AuthMethod, error) {
	if c.guests {
		return ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil }), nil
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], c.seed)
	binary.LittleEndian.PutUint64(b[8:], uint64(i))
	hash := sha256.Sum256(b[:])
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(hash[:]))
	return ssh.PublicKeys(key), err
}

// connect makes client i's connection and opens one session on it.
func (c *crowd) connect(ctx context.Context, i int) (ssh.Conn, ssh.Channel, error) {
	auth, err := c.auth(i)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d := net.Dialer{LocalAddr: c.from(i)}
	nc, err := d.DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	defer stop()
	conn, channels, requests, err := ssh.NewClientConn(nc, c.addr, &ssh.ClientConfig{
		User: name(i), Auth: []ssh.AuthMethod{auth}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	go ssh.DiscardRequests(requests)
	go func() {
		for ch := range channels {
			_ = ch.Reject(ssh.Prohibited, "")
		}
	}()
	ch, answers, err := conn.OpenChannel("session", nil)
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	go ssh.DiscardRequests(answers)
	return conn, ch, nil
}

// name is client i's, unless it is a guest.
func name(i int) string { return fmt.Sprintf("load%d", i) }

// terminal is the payload of a request for one of 80×24 (RFC 4254, section 6.2).
var terminal = ssh.Marshal(struct {
	Term                         string
	Columns, Rows, Width, Height uint32
	Modes                        string
}{Term: "xterm-256color", Columns: 80, Rows: 24})

// request asks for something and wants it granted.
func request(ch ssh.Channel, kind string, payload []byte) error {
	ok, err := ch.SendRequest(kind, true, payload)
	if err == nil && !ok {
		err = fmt.Errorf("the server refuses a %s request", kind)
	}
	return err
}

// start asks for a shell, or for a command if there is one.
func start(ch ssh.Channel, command string) error {
	if command == "" {
		return request(ch, "shell", nil)
	}
	return request(ch, "exec", ssh.Marshal(struct{ Line string }{command}))
}

// screen is one client with a terminal. Its methods may be called from any goroutine.
type screen struct {
	conn ssh.Conn
	ch   ssh.Channel

	mu    sync.Mutex
	bytes int    // of output so far
	want  *sight // nil: nobody waits
	text  string // that must have come; empty: anything
	tail  []byte // of the output, while text is waited for
	err   error  // why no more comes
}

// open connects a client and opens a screen; the sight is had when text has come.
func (c *crowd) open(ctx context.Context, i int, command, text string, first *sight) (*screen, error) {
	conn, ch, err := c.connect(ctx, i)
	if err != nil {
		return nil, err
	}
	s := &screen{conn: conn, ch: ch, want: first, text: text}
	go s.read()
	stop := context.AfterFunc(ctx, s.close)
	defer stop()
	if err = request(ch, "pty-req", terminal); err == nil {
		err = start(ch, command)
	}
	if err == nil && c.guests && command == "" {
		_, err = ch.Write([]byte("\r")) // a guest is welcomed first
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *screen) read() {
	var buf [1 << 10]byte
	for {
		n, err := s.ch.Read(buf[:])
		s.take(time.Now(), buf[:n], err)
		if err != nil {
			return
		}
	}
}

// take notes what has come.
func (s *screen) take(now time.Time, b []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += len(b)
	if err != nil {
		s.err = err
	}
	if s.want == nil {
		return
	}
	if s.text != "" {
		s.tail = append(s.tail, b...)
	}
	switch {
	case err != nil:
		s.want.lost(fmt.Errorf("a session has ended: %w", err))
	case s.text == "" || bytes.Contains(s.tail, []byte(s.text)):
		s.want.had(now)
	default:
		return
	}
	s.want, s.text, s.tail = nil, "", nil
}

// expect has the next output be seen.
func (s *screen) expect(next *sight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		next.lost(fmt.Errorf("a session has ended: %w", s.err))
		return
	}
	s.want = next
}

func (s *screen) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

func (s *screen) close() { _ = s.conn.Close() }

// loopback reports whether an address is one of this machine's own.
func loopback(addr string) bool {
	a, err := netip.ParseAddrPort(addr)
	return err == nil && a.Addr().Is4() && a.Addr().IsLoopback()
}
