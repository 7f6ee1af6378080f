package notify_test

import (
	"bufio"
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/lobby/notify"
)

// mailServer is an SMTP server on this machine, for mail.example.org.
type mailServer struct {
	implicitTLS bool
	noTLS       bool                          // STARTTLS is not offered
	brokenTLS   bool                          // no TLS begins after STARTTLS
	noAuth      bool                          // AUTH is not offered
	mechanisms  string                        // of AUTH; "": LOGIN and PLAIN
	certificate *tls.Certificate              // nil: a valid one
	answers     func(command string) string   // the answer to the beginning of a command, "": as usual; hang: none
	greeting    func(conn net.Conn) (ok bool) // nil: 220

	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	clear  []string // what was received without TLS, line by line
	lines  []string // all commands
	auths  []string // arguments of AUTH
	mails  []string // contents without the final dot, with the dots that were stuffed
	roots  *x509.CertPool
	issued tls.Certificate
}

const hang = "hang"

// newCertificate returns a certificate for a host, and its authority.
func newCertificate(t *testing.T, host string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

// start begins to accept connections on a port of this machine.
func (s *mailServer) start(t *testing.T) *mailServer {
	t.Helper()
	s.issued, s.roots = newCertificate(t, "mail.example.org")
	if s.certificate == nil {
		s.certificate = &s.issued
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	s.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
	}
	return s
}

// sender returns a sender that uses the server, with a password.
func (s *mailServer) sender(t *testing.T, change ...func(*notify.MailConfig)) *notify.Mail {
	t.Helper()
	c := notify.MailConfig{Server: "mail.example.org:587", User: "ayumu", Password: "pass w\u00f6rd", From: "ayumu@example.org", Roots: s.roots, Dial: s.dial}
	if s.implicitTLS {
		c.Server = "mail.example.org:465"
	}
	for _, f := range change {
		f(&c)
	}
	m, err := notify.NewMail(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pipeSender returns a sender that reaches the server in a bubble: without TLS and a password, as on the same machine.
func (s *mailServer) pipeSender(t *testing.T) *notify.Mail {
	t.Helper()
	s.dial = func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go s.serve(there)
		return here, nil
	}
	return s.sender(t, func(c *notify.MailConfig) { c.Server, c.User, c.Password = "localhost:25", "", "" })
}

// serve answers the commands of a connection until it ends.
func (s *mailServer) serve(conn net.Conn) {
	defer func() { conn.Close() }()
	isTLS := s.implicitTLS
	if isTLS {
		conn = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*s.certificate}})
	}
	if s.greeting != nil && !s.greeting(conn) {
		_, _ = io.Copy(io.Discard, conn)
		return
	}
	r := bufio.NewReader(conn)
	say := func(text string) { fmt.Fprintf(conn, "%s\r\n", text) }
	say("220 mail.example.org ESMTP")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\r\n")
		s.received(line, isTLS)
		if s.answers != nil {
			switch a := s.answers(line); a {
			case "":
			case hang:
				_, _ = io.Copy(io.Discard, r)
				return
			default:
				say(a)
				continue
			}
		}
		switch command, _, _ := strings.Cut(line, " "); command {
		case "EHLO":
			all := []string{"mail.example.org", "8BITMIME"}
			if !isTLS && !s.noTLS {
				all = append(all, "STARTTLS")
			}
			if !s.noAuth {
				all = append(all, "AUTH "+cmp.Or(s.mechanisms, "LOGIN PLAIN"))
			}
			say("250-" + strings.Join(all[:len(all)-1], "\r\n250-") + "\r\n250 " + all[len(all)-1])
		case "STARTTLS":
			say("220 go on")
			if s.brokenTLS {
				_, _ = r.ReadByte()
				say("500 what?")
				_, _ = io.Copy(io.Discard, r)
				return
			}
			conn = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*s.certificate}})
			r, isTLS = bufio.NewReader(conn), true
		case "AUTH":
			if line == "AUTH LOGIN" && !s.signIn(r, say) {
				continue
			}
			say("235 signed in")
		case "DATA":
			say("354 go on")
			content, err := readContent(r)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.mails = append(s.mails, content)
			s.mu.Unlock()
			if s.answers != nil {
				if a := s.answers("."); a == hang {
					_, _ = io.Copy(io.Discard, r)
					return
				} else if a != "" {
					say(a)
					continue
				}
			}
			say("250 accepted")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// loginPrompts are what the server asks for with AUTH LOGIN.
var loginPrompts = []string{"VXNlcm5hbWU6", "UGFzc3dvcmQ6"}

// signIn asks for a user and a password, which it keeps with the arguments of AUTH.
func (s *mailServer) signIn(r *bufio.Reader, say func(string)) (ok bool) {
	for _, prompt := range loginPrompts {
		say("334 " + prompt)
		line, err := r.ReadString('\n')
		line = strings.TrimSuffix(line, "\r\n")
		if err != nil || line == "*" {
			say("501 cancelled")
			return false
		}
		s.mu.Lock()
		s.auths = append(s.auths, line)
		s.mu.Unlock()
	}
	return true
}

// received keeps a command.
func (s *mailServer) received(line string, isTLS bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	if !isTLS {
		s.clear = append(s.clear, line)
	}
	if args, ok := strings.CutPrefix(line, "AUTH "); ok {
		s.auths = append(s.auths, args)
	}
}

// readContent reads a mail up to its final dot.
func readContent(r *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil || line == ".\r\n" {
			return b.String(), err
		}
		b.WriteString(line)
	}
}

// unstuffed returns the content of the only mail as its reader gets it.
func (s *mailServer) unstuffed(t *testing.T) []byte {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mails) != 1 {
		t.Fatalf("%d mails", len(s.mails))
	}
	b, err := textproto.NewReader(bufio.NewReader(strings.NewReader(s.mails[0] + ".\r\n"))).ReadDotBytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
