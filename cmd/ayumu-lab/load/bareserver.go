package load

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Sizes are frame sizes in bytes.
type Sizes struct {
	First int // first frame of a session
	Key   int // frame after a key
	Turn  int // frame after a turn of the watched match
	Tick  int // frame after a second of its clock
}

// bareText is the end of a bare server's first frame.
const bareText = "quick match"

// turnCommand is the command in whose session each byte of input is a turn, or a tick if it is bareTick.
const (
	turnCommand = "turns"
	bareTick    = 2
)

// bareServer is a minimal server with golang.org/x/crypto/ssh: a session gets a first frame, one for each
// key and one for each turn.
type bareServer struct {
	config *ssh.ServerConfig
	first  []byte
	key    []byte
	turn   []byte
	tick   []byte

	mu         sync.Mutex
	spectators map[chan []byte]struct{} // of their frames
}

// ServeBare serves on a free port of 127.0.0.1, which it writes to log, until ctx ends.
func ServeBare(ctx context.Context, log io.Writer, sizes Sizes) error {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	host, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return err
	}
	frame := func(n int, end string) []byte {
		return append(bytes.Repeat([]byte{'x'}, max(n-len(end), 0)), end...)
	}
	b := &bareServer{
		first: frame(sizes.First, bareText), key: frame(sizes.Key, "."), turn: frame(sizes.Turn, "."), tick: frame(sizes.Tick, "."),
		spectators: make(map[chan []byte]struct{}),
		config: &ssh.ServerConfig{
			Config:            ssh.Config{KeyExchanges: []string{ssh.KeyExchangeMLKEM768X25519, ssh.KeyExchangeCurve25519}},
			PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return nil, nil },
			KeyboardInteractiveCallback: func(ssh.ConnMetadata, ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
				return nil, nil
			},
		},
	}
	b.config.AddHostKey(host)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	fmt.Fprintf(log, "listening addr=%s\n", l.Addr())
	for {
		nc, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		go b.serve(nc)
	}
}

func (b *bareServer) serve(nc net.Conn) {
	defer nc.Close()
	_, channels, requests, err := ssh.NewServerConn(nc, b.config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for nc := range channels {
		ch, requests, err := nc.Accept()
		if err != nil {
			return
		}
		go b.session(ch, requests)
	}
}

func (b *bareServer) session(ch ssh.Channel, requests <-chan *ssh.Request) {
	for r := range requests {
		_ = r.Reply(true, nil)
		switch {
		case r.Type == "exec" && bytes.HasSuffix(r.Payload, []byte(turnCommand)):
			go b.serveTurns(ch)
		case r.Type == "exec" || r.Type == "shell":
			go b.serveScreen(ch)
		}
	}
}

// serveScreen writes the first frame, one for each input, and one for each turn.
func (b *bareServer) serveScreen(ch ssh.Channel) {
	defer ch.Close()
	frames := make(chan []byte, 1)
	b.mu.Lock()
	b.spectators[frames] = struct{}{}
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.spectators, frames)
		close(frames)
	}()
	if _, err := ch.Write(b.first); err != nil {
		return
	}
	go func() {
		for frame := range frames {
			if _, err := ch.Write(frame); err != nil {
				return
			}
		}
	}()
	var buf [256]byte
	for {
		if _, err := ch.Read(buf[:]); err != nil {
			return
		}
		if _, err := ch.Write(b.key); err != nil {
			return
		}
	}
}

// serveTurns sends a turn or a tick to all screens for each byte of input.
func (b *bareServer) serveTurns(ch ssh.Channel) {
	defer ch.Close()
	var one [1]byte
	for {
		if _, err := ch.Read(one[:]); err != nil {
			return
		}
		frame := b.turn
		if one[0] == bareTick {
			frame = b.tick
		}
		b.mu.Lock()
		for frames := range b.spectators {
			select {
			case frames <- frame:
			default:
			}
		}
		b.mu.Unlock()
	}
}

// barePlayer plays the turns on a bare server.
type barePlayer struct {
	conn ssh.Conn
	ch   ssh.Channel
}

func openBarePlayer(ctx context.Context, c *clients, i int) (*barePlayer, error) {
	conn, ch, err := c.connect(ctx, i)
	if err != nil {
		return nil, err
	}
	if err := startSession(ch, turnCommand); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &barePlayer{conn, ch}, nil
}

func (t *barePlayer) command() string { return "watch" }

func (t *barePlayer) turn(context.Context) error {
	_, err := t.ch.Write([]byte{1})
	return err
}

func (t *barePlayer) tick(ctx context.Context) error {
	if _, err := t.ch.Write([]byte{bareTick}); err != nil {
		return err
	}
	return sleep(ctx, time.Second)
}

func (t *barePlayer) close() { _ = t.conn.Close() }
