package sshd

import (
	"io"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// The algorithms that a client can choose from. All connections share the slices, which must not change.
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

// identityKey is the key of Permissions.ExtraData under which the verified public key is kept.
type identityKey struct{}

// serverConfig returns the configuration of a connection's handshake. It accepts any key and clients
// without one: permissions are decided in the session, so a client with many keys in an agent is not
// rejected for offering them, and a refusal can state its reason. There is no "none" method, because every
// client tries it first and would then show no key; so OpenSSH needs a key if it may not be interactive
// (BatchMode).
func (srv *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	c, _ := ctx.Value(connKey{}).(*conn)
	if c != nil {
		// wish clears this deadline when the handshake is over.
		_ = c.SetDeadline(time.Now().Add(srv.limits().Handshake))
	}
	config := algorithms
	config.Rand = &stackGrowingRand{conn: c}
	return &gossh.ServerConfig{
		Config:                  config,
		PublicKeyAuthAlgorithms: keyAlgorithms,
		// An attempt fails only with a key of an unknown type.
		MaxAuthTries: 64,
		// Called also for keys that the client only offers, so it proves nothing.
		PublicKeyCallback: func(gossh.ConnMetadata, gossh.PublicKey) (*gossh.Permissions, error) {
			return nil, nil
		},
		// Called after the client has signed with the key.
		VerifiedPublicKeyCallback: func(_ gossh.ConnMetadata, key gossh.PublicKey, _ *gossh.Permissions, _ string) (*gossh.Permissions, error) {
			return &gossh.Permissions{ExtraData: map[any]any{identityKey{}: certifiedKey(key)}}, nil
		},
		// For guests, without a question.
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

// certifiedKey returns the public key of a certificate, and any other key itself. The rest of a certificate
// is ignored: it changes with each renewal, and its signer is unknown.
func certifiedKey(key gossh.PublicKey) gossh.PublicKey {
	if cert, ok := key.(*gossh.Certificate); ok {
		return cert.Key
	}
	return key
}

// provedKey returns the public key that the client has proved to own; nil for a guest.
func provedKey(sc *gossh.ServerConn) gossh.PublicKey {
	if sc.Permissions == nil {
		return nil
	}
	key, _ := sc.Permissions.ExtraData[identityKey{}].(gossh.PublicKey)
	return key
}
