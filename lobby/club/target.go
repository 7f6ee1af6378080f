package club

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/netip"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
)

// Target is what a ban applies to. One of its fields is set.
type Target struct {
	Name        string       // of an account, or of a guest who is online
	Fingerprint string       // of a key: SHA256: and 43 characters
	Prefix      netip.Prefix // of addresses
}

// String returns the form that ParseTarget reads.
func (t Target) String() string {
	switch {
	case t.Fingerprint != "":
		return t.Fingerprint
	case t.Prefix.IsValid():
		return t.Prefix.String()
	}
	return t.Name
}

// ParseTarget reads a name, the fingerprint of a key, an address or a prefix. An address stands for its
// origin.
func ParseTarget(text string) (Target, error) {
	if digest, ok := strings.CutPrefix(text, "SHA256:"); ok {
		if raw, err := base64.RawStdEncoding.Strict().DecodeString(digest); err != nil || len(raw) != sha256.Size {
			return Target{}, badRequest("%q is not the fingerprint of a key, which is SHA256: and 43 characters, as `ssh-keygen -lf FILE` prints it", sanitize.Line(text, 60))
		}
		return Target{Fingerprint: text}, nil
	}
	if p, err := netip.ParsePrefix(text); err == nil {
		return Target{Prefix: p.Masked()}, nil
	}
	if a, err := netip.ParseAddr(text); err == nil {
		return Target{Prefix: limit.Origin(a)}, nil
	}
	return Target{Name: text}, nil
}

// subject is what a sanction is about: an account, a guest, a key, an address or a room.
type subject struct {
	id          string // the stored form
	name        string
	role        Role
	account     account.ID   // 0: none
	prefix      netip.Prefix // invalid: none
	fingerprint string       // of a key; "": none
	isBuiltIn   bool         // a built-in player
}

// The stored forms of subjects.
func keySubject(fingerprint string) string { return "key " + fingerprint }
func accountSubject(id account.ID) string  { return "account " + id.String() }
func addressSubject(p netip.Prefix) string { return "address " + p.String() }
func roomSubject(r lobby.Room) string      { return "room " + string(r) }

// Room returns the room that a sanction of KindClose closes.
func (s *Sanction) Room() lobby.Room {
	return lobby.Room(strings.TrimPrefix(s.Subject, "room "))
}

// errBuiltIn returns the error of an action against a built-in player. Nobody connects as one, so that a sanction
// would do nothing, and its name and role follow from the program.
func errBuiltIn(name string) error {
	return refusal("%s is a built-in player of this server, which cannot be changed or removed", name)
}

// areBuiltIn reports whether the keys of an account are those of a built-in player.
func areBuiltIn(keys []account.Key) bool { return slices.ContainsFunc(keys, account.Key.IsBuiltIn) }

// findUser finds an account, or a guest who is online, by name.
func (c *Club) findUser(ctx context.Context, name string) (subject, error) {
	if id, origin, ok := c.Sessions.guest(name); ok {
		return subject{id: accountSubject(id), name: name, role: RoleGuest, account: id, prefix: origin}, nil
	}
	if id, ok := c.users().GuestByName(name); ok {
		if sessions, origins := c.users().SessionsOnOtherNodes(id); sessions > 0 && len(origins) > 0 {
			return subject{id: accountSubject(id), name: name, role: RoleGuest, account: id, prefix: origins[0]}, nil
		}
	}
	a, err := c.store.AccountByName(ctx, name)
	if errors.Is(err, errcode.ErrNotFound) {
		return subject{}, badRequest("there is no account or guest %q", sanitize.Line(name, 30))
	}
	if err != nil {
		return subject{}, err
	}
	keys, err := c.store.Keys(ctx, a.ID)
	if err != nil {
		return subject{}, err
	}
	found := subject{id: accountSubject(a.ID), name: a.Name, role: max(RolePlayer, c.Roles.Of(a.ID)), account: a.ID, isBuiltIn: areBuiltIn(keys)}
	for _, k := range keys {
		found.role = max(found.role, c.Role(k.Wire))
	}
	return found, nil
}

// findTarget finds what a ban applies to. A guest is represented by their address, because the name does
// not last.
func (c *Club) findTarget(ctx context.Context, t Target) (subject, error) {
	switch {
	case t.Fingerprint != "":
		role, err := c.roleByFingerprint(ctx, t.Fingerprint)
		return subject{id: keySubject(t.Fingerprint), name: t.Fingerprint, role: role, fingerprint: t.Fingerprint}, err
	case t.Prefix.IsValid():
		p := t.Prefix.Masked()
		return subject{id: addressSubject(p), name: p.String(), prefix: p}, nil
	}
	s, err := c.findUser(ctx, t.Name)
	if err == nil && s.account < 0 {
		s.id, s.account = addressSubject(s.prefix), 0
	}
	return s, err
}

// minPrefixBits is the length of the widest prefix that a moderator may ban, about the network of one
// provider. Only a server owner, whom no ban affects, may ban more.
func minPrefixBits(a netip.Addr) int {
	if a.Is4() {
		return 16
	}
	return 32
}
