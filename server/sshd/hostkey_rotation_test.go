package sshd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// nextKey makes a second host key for a server.
func nextKey(t *testing.T) (string, ssh.PublicKey) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "next")
	next, err := LoadHostKey(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, next.PublicKey()
}

func TestNextHostKeyIsAnnouncedAndProved(t *testing.T) {
	file, next := nextKey(t)
	r := run(t, Limits{}, whoami, file)
	nc, err := r.dial("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	sc, _, requests, err := ssh.NewClientConn(nc, "", clientConfig(servertest.Guest()))
	if err != nil {
		t.Fatal(err)
	}
	announced := make(chan []byte, 1)
	go func() {
		for req := range requests {
			if req.Type == announceKeys {
				announced <- req.Payload
			}
			_ = req.Reply(false, nil)
		}
	}()
	if _, _, err := sc.OpenChannel("session", nil); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, key := range r.hostKeys {
		want = append(want, ssh.Marshal(wireString{string(key.PublicKey().Marshal())})...)
	}
	if got := servertest.Receive(t, announced); !bytes.Equal(got, want) {
		t.Errorf("announced %q, want %q", got, want)
	}

	asked := string(next.Marshal())
	ok, answer, err := sc.SendRequest(proveKeys, true, ssh.Marshal(wireString{asked}))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	var proof wireString
	var signature ssh.Signature
	if err := ssh.Unmarshal(answer, &proof); err != nil {
		t.Fatal(err)
	}
	if err := ssh.Unmarshal([]byte(proof.Text), &signature); err != nil {
		t.Fatal(err)
	}
	if err := next.Verify(proofPayload(asked, sc.SessionID()), &signature); err != nil {
		t.Error(err)
	}

	one := ssh.Marshal(wireString{asked})
	for name, payload := range map[string][]byte{
		"nothing":         nil,
		"half a key":      one[:len(one)/2],
		"somebody's key":  ssh.Marshal(wireString{string(servertest.NewKey(t).PublicKey().Marshal())}),
		"more than there": bytes.Repeat(one, 3),
	} {
		if ok, answer, err := sc.SendRequest(proveKeys, true, payload); ok || len(answer) > 0 || err != nil {
			t.Errorf("%s: %v, %d bytes, %v", name, ok, len(answer), err)
		}
	}
}

func TestOpenSSHLearnsTheNextHostKey(t *testing.T) {
	file, next := nextKey(t)
	learned := make(chan struct{})
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		select { // a client that has its answer does not stay to learn
		case <-learned:
		case <-ctx.Done():
		}
		return whoami(ctx, s)
	}, file)
	o := newOpenSSH(t, r)
	mine, key := o.writeKey("mine")
	known := filepath.Join(o.dir, "known_hosts")
	line := fmt.Sprintf("[127.0.0.1]:%s %s", o.port, ssh.MarshalAuthorizedKey(r.hostKeys[0].PublicKey()))
	if err := os.WriteFile(known, []byte(line), 0o600); err != nil {
		t.Fatal(err) // who comes for the first time learns only the key that it sees
	}
	answered := make(chan string, 1)
	go func() {
		out, _ := o.run("-i", mine, "-o", "UpdateHostKeys=yes", "127.0.0.1", "who")
		answered <- out
	}()
	servertest.Until(t, "OpenSSH knows the next key", func() bool {
		text, err := os.ReadFile(known)
		return err == nil && bytes.Contains(text, bytes.TrimSpace(ssh.MarshalAuthorizedKey(next)))
	})
	close(learned)
	if out := servertest.Receive(t, answered); out != answer(key) {
		t.Error(out)
	}
}
