// Package servertest has SSH clients for the tests of servers. Only tests import it.
package servertest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// WaitTimeout is how long a test waits for what must come. Nothing waits so long that passes.
const WaitTimeout = time.Minute

// Until waits until a condition holds. what completes the sentence "it never came that …".
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(WaitTimeout); !holds(); <-again.C {
		if time.Now().After(deadline) {
			t.Fatal("it never came that", what)
		}
	}
}

// Receive waits for a value.
func Receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(WaitTimeout):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// NewKey returns a new key of a client.
func NewKey(t testing.TB) ssh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// Guest returns how a client without a key signs in. It fails if it is asked anything.
func Guest() ssh.AuthMethod {
	return ssh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string, error) {
		if len(questions) > 0 {
			return nil, errors.New("a guest was asked something")
		}
		return nil, nil
	})
}

// ClientConfig returns the configuration of a client with a key, or of a guest where it is nil. The client
// accepts any host key.
func ClientConfig(user string, key ssh.Signer) *ssh.ClientConfig {
	auth := Guest()
	if key != nil {
		auth = ssh.PublicKeys(key)
	}
	return &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{auth}, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: WaitTimeout,
	}
}

// Dial connects with a key, or as a guest where it is nil, until the end of the test.
func Dial(t testing.TB, addr, user string, key ssh.Signer) *ssh.Client {
	t.Helper()
	c, err := ssh.Dial("tcp", addr, ClientConfig(user, key))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Buffer keeps what is written to it. It may be read and written by several goroutines. The zero value is
// empty.
type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String returns everything that has been written.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
