package access_test

import (
	"cmp"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
	"ayumu/server/access"
	"ayumu/server/servertest"
)

var address = netip.MustParseAddr("192.0.2.7")

func newKey(t *testing.T) ssh.PublicKey { return servertest.NewKey(t).PublicKey() }

// newAuthorizer returns an authorizer for an empty club with a policy and the content of a list of keys.
func newAuthorizer(t *testing.T, p access.Policy, list string) (*access.Authorizer, *sqlite.Store) {
	t.Helper()
	db := lobbytest.Store(t)
	c, err := club.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	p.KeyFile = filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(p.KeyFile, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := access.NewAuthorizer(c, p)
	if err != nil {
		t.Fatal(err)
	}
	return a, db
}

// TestAdmit has every kind of visitor and policy.
func TestAdmit(t *testing.T) {
	listed, owner, unknown, banned := newKey(t), newKey(t), newKey(t), newKey(t)
	line := func(key ssh.PublicKey) string { return string(ssh.MarshalAuthorizedKey(key)) }
	list := strings.TrimSpace(line(listed)) + " ana\n" + `role="owner" ` + line(owner) + line(banned)
	const code = "5cnkaz2t03bv3mxhmcdd" // has the form of an invitation's
	for _, c := range []struct {
		visitor      string
		user         string // "": somebody
		key          ssh.PublicKey
		open, guests bool
		role         club.Role // if admitted
		name         string    // suggested
		refusal      string    // "": admitted
	}{
		{visitor: "guest", open: true, guests: true, role: club.RoleGuest},
		{visitor: "guest where there are none", open: true, refusal: "does not accept guests"},
		{visitor: "guest of a private club", guests: true, refusal: "with the SSH key of a member"},
		{visitor: "guest with a code", user: code, guests: true, refusal: "make one with `ssh-keygen"},
		{visitor: "guest with a code where there are no guests", user: code, refusal: "make one with `ssh-keygen"},
		{visitor: "guest with a code in an open club", user: code, open: true, guests: true, role: club.RoleGuest},
		{visitor: "unknown key", key: unknown, open: true, role: club.RolePlayer},
		{visitor: "unknown key in a private club", key: unknown, refusal: "is not a member's"},
		{visitor: "listed key", key: listed, role: club.RolePlayer, name: "ana"},
		{visitor: "owner", key: owner, role: club.RoleServerOwner},
		{visitor: "banned key", key: banned, open: true, refusal: "you are banned permanently; reason: cheating"},
	} {
		p := access.PublicPolicy()
		p.Open, p.AllowGuests = c.open, c.guests
		a, db := newAuthorizer(t, p, list)
		operator := a.Club.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "operator"})
		target := club.Target{Fingerprint: ssh.FingerprintSHA256(banned)}
		if _, _, err := operator.Ban(t.Context(), target, club.Permanent, "cheating"); err != nil {
			t.Fatal(err)
		}
		var account *account.Account
		if c.key != nil {
			made, err := db.CreateAccount(t.Context(), "player", c.key.Marshal(), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			account = &made
		}
		v, err := a.Admit(t.Context(), c.key, address, cmp.Or(c.user, "somebody"))
		if c.refusal != "" {
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v, want %q", c.visitor, err, c.refusal)
			} else if strings.Contains(err.Error(), "invitation code is wrong") {
				t.Errorf("%s: %v, but no code was given", c.visitor, err)
			}
			continue
		}
		if err != nil || v.Role != c.role || v.Name != c.name || (v.Account == nil) != (account == nil) || account != nil && v.Account.ID != account.ID {
			t.Errorf("%s: admitted as %+v, %v", c.visitor, v, err)
		}
	}
}

// TestInvitationEnds when its time is up, and not before.
func TestInvitationEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := access.PublicPolicy()
		p.Open = false
		a, db := newAuthorizer(t, p, "")
		i, err := club.NewInvite(t.Context(), db, 2, time.Hour, "test")
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Hour - time.Second)
		if _, err := a.Admit(t.Context(), newKey(t), address, i.Code); err != nil {
			t.Errorf("a second before its end: %v", err)
		}
		<-time.After(time.Second)
		_, err = a.Admit(t.Context(), newKey(t), address, i.Code)
		if !errors.Is(err, access.ErrNotMember) || !strings.Contains(err.Error(), "expired") {
			t.Errorf("at its end: %v", err)
		}
	})
}

// TestABrokenListOfKeysChangesNothing: the policy and the list remain as they were.
func TestABrokenListOfKeysChangesNothing(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	key := newKey(t)
	a, _ := newAuthorizer(t, p, string(ssh.MarshalAuthorizedKey(key)))
	before := a.Policy()
	if err := os.WriteFile(before.KeyFile, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := before
	open.Open = true
	if err := a.SetPolicy(open); err == nil {
		t.Error("a broken list is accepted")
	}
	if _, err := a.Admit(t.Context(), key, address, ""); err != nil || a.Policy() != before {
		t.Errorf("the policy is %+v, %v", a.Policy(), err)
	}
	if _, err := access.NewAuthorizer(a.Club, before); err == nil {
		t.Error("a server starts with a broken list")
	}
}
