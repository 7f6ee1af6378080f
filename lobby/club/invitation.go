package club

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/limit"
)

// Invitation is an invitation that has just been created. Its code is not stored.
type Invitation struct {
	Code  string
	Uses  int // number of new keys
	Until time.Time
}

// codeLength is the length of an invitation's code, of 5 bits a letter: 100 random bits.
const codeLength = 20

// IsInviteCode reports whether a user name has the form of an invitation's code. Then it is not used as a
// name.
func IsInviteCode(user string) bool {
	return len(user) == codeLength && lobby.IsCodeText(strings.ToLower(user))
}

func hashCode(code string) []byte {
	sum := sha256.Sum256([]byte("ayumu invitation " + strings.ToLower(code)))
	return sum[:]
}

// NewInvite creates an invitation for a number of keys, 1 to 1000, that expires after validity, at most 366
// days.
func NewInvite(ctx context.Context, store InvitationStore, uses int, validity time.Duration, issuer string) (Invitation, error) {
	if uses < 1 || uses > 1000 || validity <= 0 || validity > 366*24*time.Hour {
		return Invitation{}, refusal("an invitation is for 1 to 1000 keys and at most a year")
	}
	now := time.Now()
	i := Invitation{Code: lobby.RandomCode(codeLength * 5), Uses: uses, Until: now.Add(validity)}
	return i, store.CreateInvitation(ctx, hashCode(i.Code), uses, i.Until, issuer, now)
}

// Redeem makes a key a member with the code of an invitation. It returns errcode.ErrNotFound for a code that
// is wrong, used or expired, and a refusal if too many were tried from the address.
func (c *Club) Redeem(ctx context.Context, code string, key []byte, from netip.Addr) error {
	if from.IsValid() && !c.guesses.Take(limit.Origin(from), time.Now(), 1) {
		c.LimitHits.Add(hitInviteCodes)
		return refusal("too many codes were tried from your address; try again in a minute")
	}
	return c.store.RedeemInvitation(ctx, hashCode(code), key, keyFingerprint(key), time.Now())
}
