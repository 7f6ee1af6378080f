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

// waitTimeout bounds every wait for the server.
const waitTimeout = 60 * time.Second

// clients is where clients go and who they are.
type clients struct {
	addr     string
	loopback bool // clients come from many addresses of 127.0.0.0/8
	guests   bool // without keys
	seed     uint64
}

// clientsPerAddress is how many clients share a source address, well below what a server allows.
const clientsPerAddress = 16

// addrOf returns the address from which a client comes. A server limits what comes from one.
func (c *clients) addrOf(i int) net.Addr {
	if !c.loopback {
		return nil
	}
	n := i / clientsPerAddress
	return &net.TCPAddr{IP: net.IPv4(127, byte(1+n>>16), byte(n>>8), byte(n))}
}

// auth is how a client shows who it is. Its key is always the same for a seed.
func (c *clients) auth(i int) (ssh.AuthMethod, error) {
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
func (c *clients) connect(ctx context.Context, i int) (ssh.Conn, ssh.Channel, error) {
	auth, err := c.auth(i)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	d := net.Dialer{LocalAddr: c.addrOf(i)}
	nc, err := d.DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	defer stop()
	conn, channels, requests, err := ssh.NewClientConn(nc, c.addr, &ssh.ClientConfig{
		User: clientName(i), Auth: []ssh.AuthMethod{auth}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
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

// clientName is client i's, unless it is a guest.
func clientName(i int) string { return fmt.Sprintf("load%d", i) }

// ptyRequest is the payload of a request for one of 80×24 (RFC 4254, section 6.2).
var ptyRequest = ssh.Marshal(struct {
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

// startSession asks for a shell, or for a command if there is one.
func startSession(ch ssh.Channel, command string) error {
	if command == "" {
		return request(ch, "shell", nil)
	}
	return request(ch, "exec", ssh.Marshal(struct{ Line string }{command}))
}

// screen is one client with a terminal. Its methods may be called from any goroutine.
type screen struct {
	conn ssh.Conn
	ch   ssh.Channel

	mu      sync.Mutex
	bytes   int          // of output so far
	pending *observation // nil: nobody waits
	text    string       // that must have come; empty: anything
	tail    []byte       // of the output, while text is waited for
	err     error        // why no more comes
}

// open connects a client and opens a screen; the sight is had when text has come.
func (c *clients) open(ctx context.Context, i int, command, text string, first *observation) (*screen, error) {
	conn, ch, err := c.connect(ctx, i)
	if err != nil {
		return nil, err
	}
	s := &screen{conn: conn, ch: ch, pending: first, text: text}
	go s.read()
	stop := context.AfterFunc(ctx, s.close)
	defer stop()
	if err = request(ch, "pty-req", ptyRequest); err == nil {
		err = startSession(ch, command)
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
		s.received(time.Now(), buf[:n], err)
		if err != nil {
			return
		}
	}
}

// received notes what has come.
func (s *screen) received(now time.Time, b []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += len(b)
	if err != nil {
		s.err = err
	}
	if s.pending == nil {
		return
	}
	if s.text != "" {
		s.tail = append(s.tail, b...)
	}
	switch {
	case err != nil:
		s.pending.failed(fmt.Errorf("a session has ended: %w", err))
	case s.text == "" || bytes.Contains(s.tail, []byte(s.text)):
		s.pending.seen(now)
	default:
		return
	}
	s.pending, s.text, s.tail = nil, "", nil
}

// expect has the next output be seen.
func (s *screen) expect(next *observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		next.failed(fmt.Errorf("a session has ended: %w", s.err))
		return
	}
	s.pending = next
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
