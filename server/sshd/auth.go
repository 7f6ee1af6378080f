package sshd

import (
	"io"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// What a client can choose from; the same slices for all connections, which nobody changes.
var (
	algorithms = gossh.Config{
		// A client may otherwise choose one that costs the server 13 times as much.
		KeyExchanges: []string{
			gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519, gossh.KeyExchangeECDHP256,
		},
		Ciphers: []string{
			gossh.CipherAES128GCM, gossh.CipherAES256GCM, gossh.CipherChaCha20Poly1305,
			gossh.CipherAES128CTR, gossh.CipherAES256CTR,
		},
		MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM, gossh.HMACSHA256, gossh.HMACSHA512},
	}
	keyAlgorithms = gossh.SupportedAlgorithms().PublicKeyAuths
)

// identityKey is where a connection's permissions keep the key that was proved.
type identityKey struct{}

// serverConfig returns how a connection's handshake goes. Any key is accepted and so is having
// none: who may do what is decided inside the session, so somebody with many keys in an agent is
// never thrown out for showing them, and a refusal can say why. There is no "none" method, since
// every client tries it first and nobody would ever show a key; so OpenSSH needs a key where it
// may not be interactive (BatchMode).
func (srv *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	c, _ := ctx.Value(connKey{}).(*conn)
	if c != nil {
		// wish has a time of its own for this, which holds from its start to its end; once the
		// handshake is over it clears this deadline too.
		_ = c.SetDeadline(time.Now().Add(srv.limits().Handshake))
	}
	config := algorithms
	config.Rand = &stackGrowingRand{conn: c}
	return &gossh.ServerConfig{
		Config:                  config,
		PublicKeyAuthAlgorithms: keyAlgorithms,
		// A try fails only with a key of a kind that is not known.
		MaxAuthTries: 64,
		// This one runs for keys that are only offered, so it says nothing.
		PublicKeyCallback: func(gossh.ConnMetadata, gossh.PublicKey) (*gossh.Permissions, error) {
			return nil, nil
		},
		// And this one after the client has signed with the key.
		VerifiedPublicKeyCallback: func(_ gossh.ConnMetadata, key gossh.PublicKey, _ *gossh.Permissions, _ string) (*gossh.Permissions, error) {
			return &gossh.Permissions{ExtraData: map[any]any{identityKey{}: certifiedKey(key)}}, nil
		},
		// A guest: there is nothing to ask.
		KeyboardInteractiveCallback: func(gossh.ConnMetadata, gossh.KeyboardInteractiveChallenge) (*gossh.Permissions, error) {
			return nil, nil
		},
		AuthLogCallback: func(_ gossh.ConnMetadata, _ string, err error) {
			if err == nil && c != nil {
				c.handshakeDone()
			}
		},
	}
}

// exchangeKey is the host key as x/crypto uses it. x/crypto does not report the key exchanges that a
// client starts later, but the server signs exactly once in each, and passes the connection's source
// of randomness. So Sign counts them and fails, which ends the connection, if there are too many.
type exchangeKey struct{ gossh.Signer }

// Sign implements gossh.Signer.
func (k exchangeKey) Sign(random io.Reader, data []byte) (*gossh.Signature, error) {
	if r, ok := random.(*stackGrowingRand); ok && r.conn != nil && !r.conn.exchangeKeys() {
		return nil, errKeyExchanges
	}
	return k.Signer.Sign(random, data)
}

// certifiedKey is the key itself where a certificate has been shown: a certificate is renewed, and
// what it says is signed by somebody we do not know.
func certifiedKey(key gossh.PublicKey) gossh.PublicKey {
	if cert, ok := key.(*gossh.Certificate); ok {
		return cert.Key
	}
	return key
}

// provedKey returns the key that the connection's client has proved to own; nil for a guest.
func provedKey(sc *gossh.ServerConn) gossh.PublicKey {
	if sc.Permissions == nil {
		return nil
	}
	key, _ := sc.Permissions.ExtraData[identityKey{}].(gossh.PublicKey)
	return key
}
