package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// stealKeys offers other users' keys, signs for one of them with its own key, and connects with a code as
// the user name.
func (a *attacker) stealKeys() error {
	code := strings.Repeat("0", 10+10*a.r.IntN(2))
	if c, _, err := a.connect(code, a.key(a.r.IntN(3))); err == nil {
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
		lies = append(lies, keyThief{shown: a.key(100 + i), own: a.key(0)})
	}
	_, _, _, err = ssh.NewClientConn(nc, a.addr, &ssh.ClientConfig{User: "admin",
		Auth: []ssh.AuthMethod{ssh.PublicKeys(lies...)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err == nil {
		return errors.New("a stolen key was taken")
	}
	return nil
}

// keyThief offers one key and signs with another.
type keyThief struct{ shown, own ssh.Signer }

func (l keyThief) PublicKey() ssh.PublicKey { return l.shown.PublicKey() }
func (l keyThief) Sign(r io.Reader, b []byte) (*ssh.Signature, error) {
	return l.own.Sign(r, b)
}

// hold keeps a connection until the server or the test ends it.
func (a *attacker) hold(c *ssh.Client) error {
	defer c.Close()
	_ = c.Wait()
	return nil
}

// stopAnswering starts a session and then neither reads nor answers, like a machine that has lost power.
// It returns when the server has closed the connection.
func (a *attacker) stopAnswering() error {
	c, d, err := a.connect("x", nil)
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

// takeTables connects with a new key, opens as many tables as possible, and disconnects.
func (a *attacker) takeTables() error {
	c, _, err := a.connect("x", a.key(int(a.r.Uint32())))
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

// untilReset waits, without reading, until the server has closed the connection.
func (d *stalledConn) untilReset() error {
	raw, err := d.Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return err
	}
	for {
		var bad error
		err := raw.Control(func(fd uintptr) {
			bad = socketError(fd)
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

// readNothing requests screens or answers and never reads from its channel.
func (a *attacker) readNothing() error {
	if a.r.IntN(2) == 0 {
		c, _, err := a.connect("x", nil)
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

// sendInvalidRequests sends malformed lines to the API and requests for other users' matches.
func (a *attacker) sendInvalidRequests(c *ssh.Client) error {
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

// openChannels opens allowed and forbidden channels.
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
