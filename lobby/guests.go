package lobby

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
)

// guests has the return codes of guests. Lobby.mu guards it.
type guests struct {
	lastID   AccountID            // the id given to the newest guest; ids of guests are negative
	byCode   map[string]AccountID // guests by their return codes
	byDigest map[string]AccountID // guests from before a restart, by the digests of their return codes
}

func newGuests() guests {
	return guests{byCode: make(map[string]AccountID), byDigest: make(map[string]AccountID)}
}

// newID returns the id of a new guest.
func (g *guests) newID() AccountID {
	g.lastID--
	return g.lastID
}

// assign gives the seats of guests from before a restart new guest ids, and registers the ids under the
// digests of their return codes. Seats with the same digest belong to the same guest.
func (g *guests) assign(info *MatchInfo) {
	for i := range info.Seats {
		seat := &info.Seats[i]
		if seat.Account != 0 {
			continue
		}
		id, known := g.byDigest[seat.ReturnDigest] // from another seat of the same guest
		if !known {
			id = g.newID()
		}
		if seat.Account = id; seat.ReturnDigest != "" {
			g.byDigest[seat.ReturnDigest] = id
		}
	}
}

// withCode returns the guest of a return code; 0 if there is none.
func (g *guests) withCode(code string) AccountID {
	if id, ok := g.byDigest[codeDigest(code)]; ok {
		g.byCode[code] = id
	}
	return g.byCode[code]
}

// returnCode returns the return code of a guest; "" for others.
func (g *guests) returnCode(id AccountID) string {
	if id > 0 {
		return "" // not a guest
	}
	for code, guest := range g.byCode {
		if guest == id {
			return code
		}
	}
	return ""
}

// returnDigest returns the digest of a guest's return code; "" for others.
func (g *guests) returnDigest(id AccountID) string {
	if code := g.returnCode(id); code != "" {
		return codeDigest(code)
	}
	return ""
}

// forget removes the codes of a guest.
func (g *guests) forget(id AccountID) {
	for _, codes := range []map[string]AccountID{g.byCode, g.byDigest} {
		maps.DeleteFunc(codes, func(_ string, guest AccountID) bool { return guest == id })
	}
}

func codeDigest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}
