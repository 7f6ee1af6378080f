package sshd

import (
	"crypto/rand"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Requests with which a server announces further host keys and proves that it has them (OpenSSH's PROTOCOL,
// section 2.5). A client that has learned the next key recognizes the server after the change.
const (
	announceKeys = "hostkeys-00@openssh.com"
	proveKeys    = "hostkeys-prove-00@openssh.com"
)

// wireString marshals to a string of the SSH protocol.
type wireString struct{ Text string }

// announceHostKeys sends a client all host keys, if there is more than one.
func (srv *Server) announceHostKeys(sc *gossh.ServerConn) {
	if len(srv.hostKeys) < 2 {
		return
	}
	var payload []byte
	for _, key := range srv.hostKeys {
		payload = append(payload, gossh.Marshal(wireString{string(key.PublicKey().Marshal())})...)
	}
	_, _, _ = sc.SendRequest(announceKeys, false, payload)
}

// proveHostKeys answers a request for proofs of some of the host keys, each at most once.
func (srv *Server) proveHostKeys(ctx ssh.Context, _ *ssh.Server, req *gossh.Request) (bool, []byte) {
	sc, ok := ctx.Value(ssh.ContextKeyConn).(*gossh.ServerConn)
	if !ok {
		return false, nil
	}
	var proofs []byte
	rest := req.Payload
	for n := 0; len(rest) > 0; n++ {
		var asked struct {
			Key  string
			Rest []byte `ssh:"rest"`
		}
		if n == len(srv.hostKeys) || gossh.Unmarshal(rest, &asked) != nil {
			return false, nil
		}
		proof, ok := srv.signProof(asked.Key, sc.SessionID())
		if !ok {
			return false, nil
		}
		proofs = append(proofs, gossh.Marshal(wireString{proof})...)
		rest = asked.Rest
	}
	return len(proofs) > 0, proofs
}

// signProof returns the signature that proves a host key in a session; ok is false for an unknown key.
func (srv *Server) signProof(blob string, session []byte) (proof string, ok bool) {
	for _, key := range srv.hostKeys {
		if string(key.PublicKey().Marshal()) != blob {
			continue
		}
		signature, err := key.Sign(rand.Reader, proofPayload(blob, session))
		if err != nil {
			srv.log.Error("cannot prove a host key", "err", err)
			return "", false
		}
		return string(gossh.Marshal(signature)), true
	}
	return "", false
}

// proofPayload returns the data that a proof signs.
func proofPayload(blob string, session []byte) []byte {
	return gossh.Marshal(struct{ Kind, Session, Key string }{proveKeys, string(session), blob})
}
