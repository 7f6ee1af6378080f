package account

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"ayumu/lobby/sanitize"
)

// Key is a key of an account.
type Key struct {
	Wire  []byte // SSH wire format
	Added time.Time
}

// BuiltInKey begins the keys of the accounts of built-in players. No SSH key begins with it, so that nobody can sign in
// with such a key.
const BuiltInKey = "built-in player "

// IsBuiltIn reports whether the account of the key is a built-in player's.
func (k Key) IsBuiltIn() bool { return bytes.HasPrefix(k.Wire, []byte(BuiltInKey)) }

// Type returns the name of the key's algorithm, with which its wire format begins (RFC 4253, 6.6), or
// "unknown".
func (k Key) Type() string {
	if len(k.Wire) > 4 {
		if n := binary.BigEndian.Uint32(k.Wire); uint64(n) <= uint64(len(k.Wire)-4) {
			return sanitize.Line(string(k.Wire[4:4+n]), 50)
		}
	}
	return "unknown"
}

// Fingerprint returns the key's SHA-256 fingerprint as ssh-keygen -l prints it.
func (k Key) Fingerprint() string {
	sum := sha256.Sum256(k.Wire)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}
