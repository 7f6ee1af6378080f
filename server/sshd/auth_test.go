package sshd

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// whoami is a handler that says whom it has.
func whoami(_ context.Context, s *Session) int {
	fmt.Fprintf(s, "%s %q", s.User(), s.Fingerprint())
	if (s.Key() == nil) != (s.Fingerprint() == "") {
		return 1
	}
	return 0
}

// ask runs a command and returns its output; the status must be 0.
func ask(t *testing.T, c *ssh.Client, command string) string {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, err := s.Output(command)
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return string(out)
}

// signer is a client's key from a private one.
func signer(t *testing.T, private any, err error) ssh.Signer {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// answer is what whoami says to the owner of a key.
func answer(key ssh.PublicKey) string { return fmt.Sprintf("ana %q", ssh.FingerprintSHA256(key)) }

func TestKeyIsIdentity(t *testing.T) {
	r := run(t, Limits{}, whoami)
	ec, ecErr := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	rs, rsErr := rsa.GenerateKey(rand.Reader, 2048)
	for _, key := range []ssh.Signer{servertest.NewKey(t), signer(t, ec, ecErr), signer(t, rs, rsErr)} {
		got := ask(t, r.connect(servertest.Guest(), ssh.PublicKeys(key)), "who")
		if got != `ana ""` {
			t.Errorf("a client that prefers to be a guest is %s", got)
		}
		if got := ask(t, r.connect(ssh.PublicKeys(key), servertest.Guest()), "who"); got != answer(key.PublicKey()) {
			t.Errorf("%s: %s", key.PublicKey().Type(), got)
		}
	}
}

func TestGuestIsAskedNothing(t *testing.T) {
	r := run(t, Limits{}, whoami)
	if got := ask(t, r.connect(servertest.Guest()), "who"); got != `ana ""` {
		t.Error(got)
	}
}

// TestNobodyEntersWithoutAMethod guards against "none", with which nobody would ever show a key.
func TestNobodyEntersWithoutAMethod(t *testing.T) {
	r := run(t, Limits{}, whoami)
	for _, auth := range [][]ssh.AuthMethod{nil, {ssh.Password("secret")}} {
		if _, err := r.tryConnect("127.0.0.1", clientConfig(auth...)); err == nil {
			t.Error("somebody came in without a key and without being a guest")
		}
	}
}

// TestFailedMethodEndsNoHandshake: a client that has been refused a method is as little authenticated as before, so that the
// limits of handshakes hold for it.
func TestFailedMethodEndsNoHandshake(t *testing.T) {
	r := run(t, Limits{}, whoami)
	asked, answer := make(chan bool), make(chan bool)
	keys := ssh.PublicKeysCallback(func() ([]ssh.Signer, error) { // after "none" was refused
		asked <- true
		<-answer
		return nil, nil
	})
	failed := make(chan error, 1)
	go func() {
		_, err := r.tryConnect("127.0.0.1", clientConfig(keys))
		failed <- err
	}()
	<-asked
	if s := r.Stats(); s.Connections != 1 || s.Handshakes != 1 {
		t.Errorf("while the client has only been refused: %+v", s)
	}
	close(answer)
	if err := servertest.Receive(t, failed); err == nil {
		t.Error("a client without a key came in")
	}
}

// stolenKey is somebody's public key in the hands of somebody who cannot sign with it.
type stolenKey struct {
	key  ssh.PublicKey
	sign func([]byte) (*ssh.Signature, error)
}

func (s stolenKey) PublicKey() ssh.PublicKey { return s.key }

func (s stolenKey) Sign(_ io.Reader, b []byte) (*ssh.Signature, error) { return s.sign(b) }

func TestOfferedKeyIsNotIdentity(t *testing.T) {
	r := run(t, Limits{}, whoami)
	victim, own := servertest.NewKey(t).PublicKey(), servertest.NewKey(t)
	offer := ssh.PublicKeys(stolenKey{victim, func([]byte) (*ssh.Signature, error) {
		return nil, errors.New("the key is not here")
	}})

	if got := ask(t, r.connect(offer, servertest.Guest()), "who"); got != `ana ""` {
		t.Errorf("who offered a key and came in as a guest is %s", got)
	}

	config := clientConfig(offer)
	config.AuthCallback = func(c *ssh.ClientAuthContext) (ssh.AuthMethod, error) {
		if len(c.TriedMethods) == 2 { // none, and the stolen key
			return ssh.PublicKeys(own), nil
		}
		return nil, nil
	}
	c, err := r.tryConnect("127.0.0.1", config)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, c, "who"); got != answer(own.PublicKey()) {
		t.Errorf("who offered a key and proved another is %s", got)
	}

	forged := ssh.PublicKeys(stolenKey{victim, func(b []byte) (*ssh.Signature, error) { return own.Sign(rand.Reader, b) }})
	if _, err := r.tryConnect("127.0.0.1", clientConfig(forged)); err == nil {
		t.Error("a signature by another key was accepted")
	}
}

func TestUserNameIsOnlyAHint(t *testing.T) {
	r := run(t, Limits{}, whoami)
	key := servertest.NewKey(t)
	for name, want := range map[string]string{
		"root":             "root",
		"a\x1b[31mb\r\n\a": "a[31mb",
		"x\u202ey\u200b":   "xy",
		"\xff\xfe":         "",
	} {
		config := clientConfig(ssh.PublicKeys(key))
		config.User = name
		c, err := r.tryConnect("127.0.0.1", config)
		if err != nil {
			t.Fatal(err)
		}
		want = fmt.Sprintf("%s %q", want, ssh.FingerprintSHA256(key.PublicKey()))
		if got := ask(t, c, "who"); got != want {
			t.Errorf("user %q: %s, want %s", name, got, want)
		}
	}
}

// TestManyKeysAreNoFailure has a client show more keys than OpenSSH's servers let pass, none of
// which it can use, and come in with the last.
func TestManyKeysAreNoFailure(t *testing.T) {
	r := run(t, Limits{}, whoami)
	var keys []ssh.Signer
	for range 40 {
		keys = append(keys, stolenKey{oldKey{servertest.NewKey(t).PublicKey()}, nil})
	}
	own := servertest.NewKey(t)
	if got := ask(t, r.connect(ssh.PublicKeys(append(keys, own)...)), "who"); got != answer(own.PublicKey()) {
		t.Error(got)
	}
}

// oldKey is a key of a kind that the server does not take.
type oldKey struct{ ssh.PublicKey }

func (oldKey) Type() string { return "ssh-old" }

func TestCertificateIsItsKey(t *testing.T) {
	r := run(t, Limits{}, whoami)
	own, authority := servertest.NewKey(t), servertest.NewKey(t)
	cert := &ssh.Certificate{
		Key: own.PublicKey(), CertType: ssh.UserCert, KeyId: "somebody else",
		ValidBefore: uint64(time.Now().Add(time.Hour).Unix()),
	}
	if err := cert.SignCert(rand.Reader, authority); err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewCertSigner(cert, own)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, r.connect(ssh.PublicKeys(key)), "who"); got != answer(own.PublicKey()) {
		t.Errorf("%s, want %s", got, answer(own.PublicKey()))
	}
}

// TestHandshakeIsCheapAndModern has clients that know only one way to do things.
func TestHandshakeIsCheapAndModern(t *testing.T) {
	r := run(t, Limits{}, whoami)
	known, old := ssh.SupportedAlgorithms(), ssh.InsecureAlgorithms()
	good := map[string]bool{
		ssh.KeyExchangeMLKEM768X25519: true, ssh.KeyExchangeCurve25519: true, ssh.KeyExchangeECDHP256: true,
	}
	for _, kex := range append(known.KeyExchanges, old.KeyExchanges...) {
		config := clientConfig(servertest.Guest())
		config.KeyExchanges = []string{kex}
		if _, err := r.tryConnect("127.0.0.1", config); (err == nil) != good[kex] {
			t.Errorf("key exchange %s: %v", kex, err)
		}
	}
	for _, cipher := range old.Ciphers {
		config := clientConfig(servertest.Guest())
		config.Ciphers = []string{cipher}
		if _, err := r.tryConnect("127.0.0.1", config); err == nil {
			t.Errorf("cipher %s was accepted", cipher)
		}
	}
	config := clientConfig(servertest.Guest())
	config.HostKeyCallback = func(_ string, _ net.Addr, key ssh.PublicKey) error {
		if _, ok := key.(ssh.CryptoPublicKey).CryptoPublicKey().(ed25519.PublicKey); !ok {
			return errors.New(key.Type())
		}
		if got := ssh.FingerprintSHA256(key); got != r.Fingerprints()[0] {
			return errors.New(got)
		}
		return nil
	}
	if _, err := r.tryConnect("127.0.0.1", config); err != nil {
		t.Error("host key:", err)
	}
}
