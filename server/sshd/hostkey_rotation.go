package sshd

import (
	"crypto/rand"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// How a server tells its clients of further keys and proves that it has them: OpenSSH's PROTOCOL,
// section 2.5. A client that has learned the next key knows the server after the change.
const (
	announceKeys = "hostkeys-00@openssh.com"
	proveKeys    = "hostkeys-prove-00@openssh.com"
)

// wireString is a string as the protocol writes it.
type wireString struct{ Text string }

// announceHostKeys tells a client of all the host keys, if there is more than the one it has seen.
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

// proveHostKeys answers a client that wants the proof for some of the keys, each once.
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

// signProof is the signature that proves a host key in a session; false for a key that is not ours.
func (srv *Server) signProof(blob string, session []byte) (string, bool) {
	for _, key := range srv.hostKeys {
		if string(key.PublicKey().Marshal()) != blob {
			continue
		}
		signature, err := key.Sign(rand.Reader, proofPayload(blob, session))
		if err != nil {
			srv.log.Error("proving a host key", "err", err)
			return "", false
		}
		return string(gossh.Marshal(signature)), true
	}
	return "", false
}

// proofPayload is what a proof signs.
func proofPayload(blob string, session []byte) []byte {
	return gossh.Marshal(struct{ Kind, Session, Key string }{proveKeys, string(session), blob})
}
