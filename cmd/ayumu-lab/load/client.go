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

// waitTimeout limits every wait for the server.
const waitTimeout = 60 * time.Second

// clients has the addresses of the server and the identities of the clients. Clients 2i and 2i+1 connect to
// address i modulo their number.
type clients struct {
	addrs    []string // of the server, or of its nodes
	loopback bool     // use many source addresses of 127.0.0.0/8
	guests   bool     // connect without keys
	seed     uint64
	looks    int // of the screens of client 0, 1 and so on; 0: one
}

// clientsPerAddress is the number of clients that share a source address, well below the server's limit.
const clientsPerAddress = 16

// addrOf returns the source address of client i, or nil for any.
func (c *clients) addrOf(i int) net.Addr {
	if !c.loopback {
		return nil
	}
	n := i / clientsPerAddress
	return &net.TCPAddr{IP: net.IPv4(127, byte(1+n>>16), byte(n>>8), byte(n))}
}

// auth returns the authentication of client i. Its key depends only on the seed and i.
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

// connect opens a connection of client i with one session channel.
func (c *clients) connect(ctx context.Context, i int) (ssh.Conn, ssh.Channel, error) {
	auth, err := c.auth(i)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	d := net.Dialer{LocalAddr: c.addrOf(i)}
	addr := c.addrs[i/2%len(c.addrs)]
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	defer stop()
	conn, channels, requests, err := ssh.NewClientConn(nc, addr, &ssh.ClientConfig{
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

// clientName returns the SSH user name of client i, which becomes its account name.
func clientName(i int) string { return fmt.Sprintf("load%d", i) }

// request sends a channel request and returns an error unless it is granted.
func request(ch ssh.Channel, kind string, payload []byte) error {
	ok, err := ch.SendRequest(kind, true, payload)
	if err == nil && !ok {
		err = fmt.Errorf("the server refuses a %s request", kind)
	}
	return err
}

// startSession requests a shell, or a command unless it is empty.
func startSession(ch ssh.Channel, command string) error {
	if command == "" {
		return request(ch, "shell", nil)
	}
	return request(ch, "exec", ssh.Marshal(struct{ Line string }{command}))
}

// screen is a session with a terminal. It is safe for concurrent use.
type screen struct {
	conn ssh.Conn
	ch   ssh.Channel

	mu      sync.Mutex
	bytes   int          // output received so far
	pending *observation // nil: no wait
	text    string       // text to wait for; empty: any output
	tail    []byte       // output while waiting for text
	err     error        // error that ended the output
}

// open connects client i and opens a screen. first is seen when text has been received.
func (c *clients) open(ctx context.Context, i int, command, text string, first *observation) (*screen, error) {
	conn, ch, err := c.connect(ctx, i)
	if err != nil {
		return nil, err
	}
	s := &screen{conn: conn, ch: ch, pending: first, text: text}
	go s.read()
	stop := context.AfterFunc(ctx, s.close)
	defer stop()
	if err = lookOf(i % max(c.looks, 1)).request(ch); err == nil {
		err = startSession(ch, command)
	}
	if err == nil && c.guests && command == "" {
		_, err = ch.Write([]byte("\r")) // leave the welcome screen of guests
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

// received records output.
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
		s.pending.failed(fmt.Errorf("a session ended: %w", err))
	case s.text == "" || bytes.Contains(s.tail, []byte(s.text)):
		s.pending.seen(now)
	default:
		return
	}
	s.pending, s.text, s.tail = nil, "", nil
}

// expect makes the next output complete an observation.
func (s *screen) expect(next *observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		next.failed(fmt.Errorf("a session ended: %w", s.err))
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

// loopback reports whether an address is an IPv4 loopback address.
func loopback(addr string) bool {
	a, err := netip.ParseAddrPort(addr)
	return err == nil && a.Addr().Is4() && a.Addr().IsLoopback()
}
