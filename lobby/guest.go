package lobby

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
)

// guestIDBits is the number of bits of a guest's id. Two of a million guests have the same id with a probability of 10⁻⁴.
const guestIDBits = 52

// guestDigest returns the digest of a return code.
func guestDigest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// guestID returns the id of the guest whose return code has this digest. It is negative. Every node, also after a restart,
// gives a guest's seats to the same id without asking the others. No user may see it, because codes could be guessed with
// it.
func guestID(digest string) account.ID {
	sum := sha256.Sum256([]byte("guest " + digest))
	return -1 - account.ID(binary.BigEndian.Uint64(sum[:8])>>(64-guestIDBits))
}

// guestCodes are the return codes and digests of guests that a node knows. newGuestCodes is the constructor. They are not
// safe for concurrent use.
type guestCodes struct {
	codes   map[account.ID]string
	digests map[account.ID]string
}

// newGuestCodes returns guestCodes without guests.
func newGuestCodes() guestCodes {
	return guestCodes{codes: make(map[account.ID]string), digests: make(map[account.ID]string)}
}

// add adds a guest who has this return code, and returns the id.
func (c *guestCodes) add(code string) account.ID {
	id := c.addDigest(guestDigest(code))
	c.codes[id] = code
	return id
}

// addDigest adds a guest whose return code has this digest, and returns the id.
func (c *guestCodes) addDigest(digest string) account.ID {
	id := guestID(digest)
	c.digests[id] = digest
	return id
}

// code returns the return code of a guest, as far as it is known; "" for others.
func (c *guestCodes) code(id account.ID) string { return c.codes[id] }

// digest returns the digest of a guest's return code, as far as it is known; "" for others.
func (c *guestCodes) digest(id account.ID) string { return c.digests[id] }

// forget removes a guest.
func (c *guestCodes) forget(id account.ID) {
	delete(c.codes, id)
	delete(c.digests, id)
}

// assign gives the seats of guests, which have no account in the store, the ids of the guests. A seat without a digest
// belongs to nobody who could return.
func (c *guestCodes) assign(info *match.Info) {
	for i := range info.Seats {
		switch seat := &info.Seats[i]; {
		case seat.Account != 0:
		case seat.ReturnDigest != "":
			seat.Account = c.addDigest(seat.ReturnDigest)
		default:
			seat.Account = guestID(fmt.Sprintf("seat %d of %s", i, info.ID))
		}
	}
}

// guestSlots is the number of slots: one for each character of a code.
const guestSlots = len(codeAlphabet)

// guestSlot is one of the parts of the names that guests can get. Each node gives only names of its own slot, so that two
// nodes never give the same name at once. The zero value is that of a node that is alone, or for which there was none:
// it has all names.
//
// A slot is not a lease (rows.Leases): a node takes one for as long as it runs and never asks again, so that no two nodes
// may ever have the same. It is taken with what the store has now, not with what this node knows, and one that nobody has had
// comes before that of a dead node, which may come back and still give its names.
type guestSlot struct{ letter string }

// takeGuestSlot returns the slot of a node, which it takes from a node that is not alive if it has none. holders are
// the names of the nodes, by slot. readAlive reads which nodes are alive; it is called after the slots were read, so
// that a node that has just started, and taken a slot, is among them. Each slot is written when it is taken, also by
// the node that had it: otherwise another could take it that has read it before, and its node as dead.
func takeGuestSlot(ctx context.Context, holders *rows.Shared[string], node string, readAlive func(context.Context) (isAlive func(node string) bool, err error)) (guestSlot, error) {
	ids := make([]string, guestSlots)
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	for {
		known, err := holders.Read(ctx, ids...)
		if err != nil {
			return guestSlot{}, err
		}
		isAlive, err := readAlive(ctx)
		if err != nil {
			return guestSlot{}, err
		}
		i := chooseGuestSlot(ids, known, node, isAlive)
		if i < 0 {
			return guestSlot{}, nil
		}
		_, err = holders.Write(ctx, rows.Change[string]{ID: ids[i], Replaces: known[ids[i]].Version, Value: &node})
		switch {
		case err == nil:
			return guestSlot{codeAlphabet[i : i+1]}, nil
		case !errors.Is(err, rows.ErrConflict): // which means that another node has taken it: look again
			return guestSlot{}, err
		}
	}
}

// chooseGuestSlot returns the number of the slot that a node should take: its own, or one that nobody has had, or that of a
// dead node; -1: there is none.
func chooseGuestSlot(ids []string, known map[string]rows.State[string], node string, isAlive func(node string) bool) int {
	unused, free := -1, -1
	for i, id := range ids {
		switch holder := known[id].Value; {
		case holder != nil && *holder == node:
			return i
		case known[id].Version == 0:
			if unused < 0 {
				unused = i
			}
		case holder == nil || !isAlive(*holder):
			free = i
		}
	}
	if unused >= 0 {
		return unused
	}
	return free
}

// name returns the name of a guest with a random code.
func (s guestSlot) name(code string) string { return "guest-" + s.letter + code[len(s.letter):] }
