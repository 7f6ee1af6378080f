package access_test

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/server/access"
)

// TestMayEnter: who would be admitted to a private club may enter, until they are banned or no member any more; and
// again after the ban. Admit agrees.
func TestMayEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := access.PublicPolicy()
		p.Open = false
		listed, invited, appointed, unknown := newKey(t), newKey(t), newKey(t), newKey(t)
		list := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(listed))) + " lea\n"
		a, db := newAuthorizer(t, p, list)
		i, err := club.NewInvite(t.Context(), db, 1, time.Hour, "test")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Admit(t.Context(), invited, address, i.Code); err != nil {
			t.Fatal(err)
		}
		accounts := make(map[string]account.ID)
		for name, key := range map[string]ssh.PublicKey{"lea": listed, "ines": invited, "mo": appointed, "una": unknown} {
			made, err := db.CreateAccount(t.Context(), name, key.Marshal(), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			accounts[name] = made.ID
		}
		owner := club.Actor{Role: club.RoleServerOwner, Name: "operator"}
		if err := a.Club.Manager(owner).SetRole(t.Context(), "mo", club.RoleModerator); err != nil {
			t.Fatal(err)
		}
		want := func(what string, entering ...string) {
			t.Helper()
			for name, key := range map[string]ssh.PublicKey{"lea": listed, "ines": invited, "mo": appointed, "una": unknown} {
				keys, err := db.Keys(t.Context(), accounts[name])
				if err != nil {
					t.Fatal(err)
				}
				may, err := a.MayEnter(t.Context(), accounts[name], keys)
				if want := strings.Contains(" "+strings.Join(entering, " ")+" ", " "+name+" "); may != want || err != nil {
					t.Errorf("%s: %s may enter: %t, %v", what, name, may, err)
				}
				if _, err := a.Admit(t.Context(), key, netip.MustParseAddr("192.0.2.8"), name); (err == nil) != may {
					t.Errorf("%s: %s may enter: %t, but is admitted: %v", what, name, may, err)
				}
			}
		}
		want("at first", "lea", "ines", "mo")
		mod := a.Club.Moderator(owner)
		for _, name := range []string{"lea", "mo"} {
			if _, _, err := mod.Ban(t.Context(), club.Target{Name: name}, time.Hour, "cheating"); err != nil {
				t.Fatal(err)
			}
		}
		want("two are banned", "ines")
		if err := a.Club.Manager(owner).SetRole(t.Context(), "mo", club.RoleServerOwner); err != nil {
			t.Fatal(err)
		}
		want("one of them is an owner", "ines", "mo")
		if v, err := a.Admit(t.Context(), appointed, address, "mo"); err != nil || v.Role != club.RoleServerOwner {
			t.Errorf("an owner by their account is admitted as %+v, %v", v, err)
		}
		time.Sleep(time.Hour)
		want("after the ban", "lea", "ines", "mo")
		if err := db.EndMembership(t.Context(), accounts["ines"], "operator", "removes ines", time.Now()); err != nil {
			t.Fatal(err)
		}
		want("one has left", "lea", "mo")
		if err := os.WriteFile(a.Policy().KeyFile, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := a.SetPolicy(a.Policy()); err != nil {
			t.Fatal(err)
		}
		want("another was struck from the list", "mo")
		open := a.Policy()
		open.Open = true
		if err := a.SetPolicy(open); err != nil {
			t.Fatal(err)
		}
		want("an open club", "lea", "ines", "mo", "una")
		if may, err := a.MayEnter(t.Context(), accounts["lea"], nil); may || err != nil {
			t.Errorf("an account without keys may enter: %t, %v", may, err)
		}
	})
}

// TestARemovedMemberIsRefused: whoever came to a private club with an invitation has lost it with the account.
func TestARemovedMemberIsRefused(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	a, db := newAuthorizer(t, p, "")
	i, err := club.NewInvite(t.Context(), db, 1, time.Hour, "test")
	if err != nil {
		t.Fatal(err)
	}
	key := newKey(t)
	if _, err := db.CreateAccount(t.Context(), "ines", key.Marshal(), time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{i.Code, "ines"} {
		if _, err := a.Admit(t.Context(), key, address, user); err != nil {
			t.Fatalf("an invited key as %s: %v", user, err)
		}
	}
	if err := a.Club.Manager(club.Actor{Role: club.RoleServerOwner, Name: "boss"}).Remove(t.Context(), "ines"); err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{i.Code, "ines"} {
		if _, err := a.Admit(t.Context(), key, address, user); !errors.Is(err, access.ErrNotMember) {
			t.Errorf("after the removal of the account its key as %s: %v", user, err)
		}
	}
}

// TestAnyKeyMayEnter: one of several keys is enough.
func TestAnyKeyMayEnter(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	a, db := newAuthorizer(t, p, "")
	unknown, member := newKey(t), newKey(t)
	i, err := club.NewInvite(t.Context(), db, 1, time.Hour, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Admit(t.Context(), member, address, i.Code); err != nil {
		t.Fatal(err)
	}
	keys := []account.Key{{Wire: unknown.Marshal()}, {Wire: member.Marshal()}}
	if may, err := a.MayEnter(t.Context(), 1, keys); !may || err != nil {
		t.Errorf("the second key is a member's, but its account may enter: %t, %v", may, err)
	}
}

// TestNobodyEntersWhileTheMembersCannotBeRead: nobody is taken for a member, and no member is told that they are none.
func TestNobodyEntersWhileTheMembersCannotBeRead(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	a, _ := newAuthorizer(t, p, "")
	key := newKey(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // a query fails
	if _, err := a.Admit(ctx, key, address, "somebody"); !errors.Is(err, context.Canceled) {
		t.Errorf("admitted: %v, want the error of the query", err)
	}
	if may, err := a.MayEnter(ctx, 1, []account.Key{{Wire: key.Marshal()}}); may || !errors.Is(err, context.Canceled) {
		t.Errorf("may enter: %t, %v, want the error of the query", may, err)
	}
}
