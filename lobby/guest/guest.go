// Package guest has the return codes of guests and the ids that follow from them.
//
// The id of a guest follows from the digest of the return code, so that every node, also after a restart, gives a
// guest's seats to the same id without asking the others.
package guest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"ayumu/lobby/account"
	"ayumu/lobby/match"
)

// idBits is the number of bits of an id. Two of a million guests have the same id with a probability of 10⁻⁴.
const idBits = 52

// Digest returns the digest of a return code.
func Digest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// ID returns the id of the guest whose return code has this digest. It is negative. No user may see it, because codes
// could be guessed with it.
func ID(digest string) account.ID {
	sum := sha256.Sum256([]byte("guest " + digest))
	return -1 - account.ID(binary.BigEndian.Uint64(sum[:8])>>(64-idBits))
}

// Codes are the return codes and digests that a node knows. New is the constructor. They are not safe for concurrent
// use.
type Codes struct {
	codes   map[account.ID]string
	digests map[account.ID]string
}

// New returns Codes without guests.
func New() Codes {
	return Codes{codes: make(map[account.ID]string), digests: make(map[account.ID]string)}
}

// Add adds a guest who has this return code, and returns the id.
func (c *Codes) Add(code string) account.ID {
	id := c.AddDigest(Digest(code))
	c.codes[id] = code
	return id
}

// AddDigest adds a guest whose return code has this digest, and returns the id.
func (c *Codes) AddDigest(digest string) account.ID {
	id := ID(digest)
	c.digests[id] = digest
	return id
}

// Code returns the return code of a guest, as far as it is known; "" for others.
func (c *Codes) Code(id account.ID) string { return c.codes[id] }

// Digest returns the digest of a guest's return code, as far as it is known; "" for others.
func (c *Codes) Digest(id account.ID) string { return c.digests[id] }

// Forget removes a guest.
func (c *Codes) Forget(id account.ID) {
	delete(c.codes, id)
	delete(c.digests, id)
}

// Assign gives the seats of guests, which have no account in the store, the ids of the guests. A seat without a digest
// belongs to nobody who could return.
func (c *Codes) Assign(info *match.Info) {
	for i := range info.Seats {
		switch seat := &info.Seats[i]; {
		case seat.Account != 0:
		case seat.ReturnDigest != "":
			seat.Account = c.AddDigest(seat.ReturnDigest)
		default:
			seat.Account = ID(fmt.Sprintf("seat %d of %s", i, info.ID))
		}
	}
}
