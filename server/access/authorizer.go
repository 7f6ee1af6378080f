package access

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
)

// Policy is a club's policy and the file with its list of keys.
type Policy struct {
	club.Policy
	KeyFile string // "": no list
}

// PublicPolicy returns the policy of a public server.
func PublicPolicy() Policy { return Policy{Policy: club.PublicPolicy()} }

// WhoMayConnect says who may connect, for the operator.
func (p Policy) WhoMayConnect() string {
	switch {
	case !p.Open: // guests neither, whatever AllowGuests is
		return "members and invitations"
	case !p.AllowGuests:
		return "anyone with a key"
	}
	return "anyone with a key, and guests"
}

// Authorizer decides whether a connection is admitted. NewAuthorizer is the constructor. Its methods may be
// called from any goroutine.
type Authorizer struct {
	Club *club.Club // never nil; not changed

	policy atomic.Pointer[Policy]
}

// Visitor is a user who has been admitted.
type Visitor struct {
	Role club.Role
	Name string // from the list of keys; a suggestion
	// Account is the account of the key; nil: none yet, or a guest.
	Account *account.Account
}

// ErrNotMember is the cause of a refusal that an invitation would change.
var ErrNotMember = errors.New("not a member of this private club")

// NewAuthorizer returns an Authorizer for a club, and sets the club's policy.
func NewAuthorizer(c *club.Club, p Policy) (*Authorizer, error) {
	a := &Authorizer{Club: c}
	return a, a.SetPolicy(p)
}

// SetPolicy replaces the club's policy and reads its list of keys. After an error nothing has changed.
func (a *Authorizer) SetPolicy(p Policy) error {
	var list club.KeyList
	if p.KeyFile != "" {
		var err error
		if list, err = ReadKeyList(p.KeyFile); err != nil {
			return fmt.Errorf("the list of keys: %w", err)
		}
	}
	a.Club.SetPolicy(p.Policy, list)
	a.policy.Store(&p)
	return nil
}

// Policy returns the current policy.
func (a *Authorizer) Policy() Policy { return *a.policy.Load() }

// Admit decides whether a connection is admitted. Its role is the higher of those of the list of keys and of the
// account. key is the proved key, nil for a guest; user is the SSH user name, which may be the code of an invitation. A
// refusal is an *errcode.Error whose Message is a sentence for the user.
func (a *Authorizer) Admit(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) (Visitor, error) {
	var wire []byte
	if key != nil {
		wire = key.Marshal()
	}
	v := Visitor{Role: a.Club.Role(wire)}
	account := account.ID(0)
	if key != nil {
		// Reading the row is faster than starting the goroutine that could cancel it.
		switch acc, err := a.Club.AccountByKey(context.WithoutCancel(ctx), wire); {
		case err == nil:
			account, v.Account = acc.ID, &acc
			v.Role = max(v.Role, a.Club.Roles.Of(acc.ID))
		case !errors.Is(err, errcode.ErrNotFound):
			return Visitor{}, err
		}
	}
	if err := a.Club.CheckBan(wire, account, from, v.Role); err != nil {
		return Visitor{}, err
	}
	policy := a.Club.Policy()
	if key == nil {
		if !policy.Open && club.IsInviteCode(user) {
			return Visitor{}, refusal("an invitation to this private club needs an SSH key of your own; make one with `ssh-keygen -t ed25519`, then connect the same way again")
		}
		if !policy.AllowGuests {
			return Visitor{}, refusal("this server does not accept guests; connect with an SSH key (`ssh-keygen -t ed25519` makes one)")
		}
		if !policy.Open {
			return Visitor{}, refusal("this is a private club; connect with the SSH key of a member (`ssh-keygen -t ed25519` makes a key)")
		}
		return v, nil
	}
	if entry, listed := a.Club.Listed(wire); listed {
		v.Name = entry.Name
		return v, nil
	}
	if policy.Open || account != 0 && a.Club.Roles.Of(account) > club.RolePlayer {
		return v, nil
	}
	member, err := a.Club.IsMember(ctx, wire)
	if err != nil || member {
		return v, err
	}
	return v, a.redeemInvite(ctx, key, from, user)
}

// MayEnter reports whether one of an account's keys would be admitted now, from an address that is not banned.
func (a *Authorizer) MayEnter(ctx context.Context, id account.ID, keys []account.Key) (ok bool, err error) {
	ownRole := a.Club.Roles.Of(id)
	for _, k := range keys {
		if a.Club.CheckBan(k.Wire, id, netip.Addr{}, max(a.Club.Role(k.Wire), ownRole)) != nil {
			continue
		}
		if _, listed := a.Club.Listed(k.Wire); listed || a.Club.Policy().Open || ownRole > club.RolePlayer {
			return true, nil
		}
		if member, err := a.Club.IsMember(ctx, k.Wire); member || err != nil {
			return member, err
		}
	}
	return false, nil
}

// redeemInvite makes the key a member if the user name is the code of an invitation.
func (a *Authorizer) redeemInvite(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) error {
	notMember := fmt.Sprintf("this is a private club, and your key %s is not a member's; send that to the operator, or connect with an invitation code as the user name", ssh.FingerprintSHA256(key))
	if !club.IsInviteCode(user) {
		return &errcode.Error{Code: errcode.NotAllowed, Message: notMember, Cause: ErrNotMember}
	}
	err := a.Club.Redeem(ctx, user, key.Marshal(), from)
	if errors.Is(err, errcode.ErrNotFound) {
		return &errcode.Error{Code: errcode.NotAllowed, Message: "that invitation code is wrong, used or expired; " + notMember, Cause: ErrNotMember}
	}
	return err
}

func refusal(text string) error {
	return &errcode.Error{Code: errcode.NotAllowed, Message: text}
}
