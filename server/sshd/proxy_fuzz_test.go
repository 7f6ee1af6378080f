package sshd

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"ayumu/lobby/limit"
)

// scriptedConn is a connection from 192.0.2.1 on which somebody says something and hangs up.
type scriptedConn struct {
	net.Conn
	text   *bytes.Reader
	reads  int
	closed bool
}

// Read never waits; who reads on after the end is in a loop.
func (s *scriptedConn) Read(p []byte) (int, error) {
	if s.reads++; s.reads > int(s.text.Size())+100 {
		panic("reads without end")
	}
	return s.text.Read(p)
}

func (s *scriptedConn) Close() error                    { s.closed = true; return nil }
func (s *scriptedConn) SetReadDeadline(time.Time) error { return nil }
func (s *scriptedConn) SetDeadline(time.Time) error     { return nil }
func (s *scriptedConn) LocalAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 2), Port: 22}
}
func (s *scriptedConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1}
}
func (s *scriptedConn) SetWriteDeadline(time.Time) error { return nil }

// FuzzProxyHeader lets a proxy begin with anything: either there is no header, or what follows it is
// read as it was sent, from an address that can be counted and shown.
func FuzzProxyHeader(f *testing.F) {
	v2 := "\r\n\r\n\x00\r\nQUIT\n\x21"
	for _, text := range []string{
		"PROXY TCP4 192.0.2.7 192.0.2.1 1234 22\r\nSSH-2.0-x\r\n", "PROXY TCP6 2001:db8::7 2001:db8::1 1 22\r\n", "PROXY UNKNOWN\r\nx",
		"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n", "PROXY TCP4 nonsense\r\n", "PROXY TCP4 1.1.1.1 1.1.1.1 99999 1\r\n", "SSH-2.0-x\r\n",
		v2 + "\x11\x00\x0c\xc0\x00\x02\x07\xc0\x00\x02\x01\x04\xd2\x00\x16hello", v2 + "\x00\x00\x00", v2 + "\x11\xff\xff", v2 + "\x31\x00\xd8" + string(make([]byte, 216)),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &scriptedConn{text: bytes.NewReader(text)}
		p := newProxyConn(c)
		if p.ProxyHeader() == nil {
			return
		}
		if a := addrPort(p.RemoteAddr()); a.IsValid() && a.Addr().Is4In6() {
			t.Errorf("%q comes from %v", text, a)
		}
		_ = limit.Origin(addrPort(p.RemoteAddr()).Addr())
		rest, err := io.ReadAll(p)
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if !bytes.HasSuffix(text, rest) || len(rest) == len(text) {
			t.Errorf("after the header of %q comes %q", text, rest)
		}
	})
}

// provedConn is a connection with a session's id, as far as a proof needs it.
type provedConn struct{ gossh.Conn }

func (provedConn) SessionID() []byte { return []byte("session") }

type provedContext struct {
	ssh.Context
	conn *gossh.ServerConn
}

func (c provedContext) Value(any) any { return c.conn }

// FuzzProveHostKeys asks for proofs of anything: they are given for the server's own keys only, each
// at most once.
func FuzzProveHostKeys(f *testing.F) {
	dir := f.TempDir()
	srv := &Server{log: discard()}
	for _, name := range []string{"/a", "/b"} {
		key, err := LoadHostKey(dir + name)
		if err != nil {
			f.Fatal(err)
		}
		srv.hostKeys = append(srv.hostKeys, key)
	}
	ctx := provedContext{conn: &gossh.ServerConn{Conn: provedConn{}}}
	// A key that is written as K stands for the server's own, which are others in each run.
	for _, text := range []string{"", "K", "KK", "KKK", "\x00\x00\x00\x01x", "\xff\xff\xff\xff", "K\x00"} {
		f.Add([]byte(text))
	}
	own := gossh.Marshal(wireString{string(srv.hostKeys[0].PublicKey().Marshal())})
	f.Fuzz(func(t *testing.T, text []byte) {
		payload := bytes.ReplaceAll(text, []byte("K"), own)
		ok, proofs := srv.proveHostKeys(ctx, nil, &gossh.Request{Payload: payload})
		want := bytes.Equal(payload, own) || bytes.Equal(payload, append(bytes.Clone(own), own...))
		if ok != want || ok != (len(proofs) > 0) {
			t.Errorf("%q: %v with %d bytes", text, ok, len(proofs))
		}
	})
}
