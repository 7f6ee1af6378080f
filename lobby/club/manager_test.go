package club_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

// TestOwnersManageMembers on a running server: a new name holds at once, whoever loses a role is disconnected on all
// nodes, and a removed account has resigned its games.
func TestOwnersManageMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		l := lobbytest.New(t, lobby.Config{Store: db, Deleted: a.AccountDeleted})
		a.Users, a.Remove = &l.Accounts, club.RemoveFrom(l)
		owner := a.Manager(club.Actor{Role: club.RoleServerOwner, Name: "boss"})
		ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		must(owner.Rename(t.Context(), "ana", "anna"))
		if got := ana.Account().Name; got != "anna" {
			t.Errorf("the session has the name %s", got)
		}
		must(owner.SetRole(t.Context(), "anna", club.RoleModerator))
		<-time.After(time.Second)
		synctest.Wait()
		if got := b.Roles.Of(ana.Account().ID); got != club.RoleModerator {
			t.Errorf("the role on the other node is %s", got)
		}
		b.enter(ana.Account(), club.RoleModerator)
		<-time.After(time.Second)
		must(owner.SetRole(t.Context(), "anna", club.RolePlayer))
		<-time.After(time.Second)
		synctest.Wait()
		if notice := b.endings()["anna"]; !strings.Contains(notice, "role") {
			t.Errorf("the session of a former moderator on the other node ended with %q", notice)
		}

		casual := false
		table, err := bob.OpenTable(t.Context(), table.Proposal{Game: "ayu", Rated: &casual})
		must(err)
		id, err := ana.JoinTable(t.Context(), table.ID, "")
		must(err)
		must(owner.Remove(t.Context(), "bob"))
		m, err := l.Match(id)
		must(err)
		if s := m.Snapshot(); !s.IsOver() {
			t.Error("the match of the removed account goes on")
		}
		if _, _, err := owner.Member(t.Context(), "bob"); code(err) != errcode.BadRequest {
			t.Errorf("after the removal: %v", err)
		}
		s, err := owner.Statistics(t.Context())
		if err != nil || len(s.Weeks) != 8 || s.NewAccounts != 1 {
			t.Errorf("statistics %+v, %v", s, err)
		}
	})
}

// TestRolesAreNotTakenFromTheList: a role of the list of keys is changed there, and with a listed owner the last stored
// one may go.
func TestRolesAreNotTakenFromTheList(t *testing.T) {
	c, db := openClub(t)
	for _, name := range []string{"boss", "ana"} {
		if _, err := db.CreateAccount(t.Context(), name, []byte("key of "+name), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	c.SetPolicy(club.PublicPolicy(), club.KeyList{"key of boss": {Role: club.RoleServerOwner}})
	owner := c.Manager(club.Actor{Role: club.RoleServerOwner, Name: "boss"})
	for _, change := range []struct {
		name string
		role club.Role
		code errcode.Code
	}{
		{"boss", club.RolePlayer, errcode.NotAllowed}, {"ana", club.RoleServerOwner, ""}, {"ana", club.RolePlayer, ""},
		{"ana", club.RoleGuest, errcode.BadRequest}, {"nobody", club.RolePlayer, errcode.BadRequest},
	} {
		if err := owner.SetRole(t.Context(), change.name, change.role); code(err) != change.code || change.code == "" && err != nil {
			t.Errorf("%s %s: %v", change.name, change.role, err)
		}
	}
	if err := owner.Remove(t.Context(), "boss"); code(err) != errcode.NotAllowed {
		t.Errorf("removing a listed owner: %v", err)
	}
}

// TestTheLastOwnerStays: the only stored owner is neither demoted nor removed while no key is listed with that role; one
// of two may go.
func TestTheLastOwnerStays(t *testing.T) {
	c, db := openClub(t)
	for _, name := range []string{"ana", "bob"} {
		if _, err := db.CreateAccount(t.Context(), name, []byte("key of "+name), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	host := c.Manager(club.Actor{Role: club.RoleServerOwner, Name: "the host"})
	must := func(name string, role club.Role) {
		t.Helper()
		if err := host.SetRole(t.Context(), name, role); err != nil {
			t.Fatalf("%s becomes %s: %v", name, role, err)
		}
	}
	stays := func(name string) {
		t.Helper()
		for _, role := range []club.Role{club.RoleModerator, club.RolePlayer} {
			if err := host.SetRole(t.Context(), name, role); !errors.Is(err, club.ErrLastOwner) {
				t.Errorf("the only owner %s becomes %s: %v", name, role, err)
			}
		}
		if err := host.Remove(t.Context(), name); !errors.Is(err, club.ErrIsOwner) {
			t.Errorf("the only owner %s is removed: %v", name, err)
		}
	}
	must("ana", club.RoleServerOwner)
	stays("ana")
	must("bob", club.RoleServerOwner)
	must("ana", club.RolePlayer)
	stays("bob")
}
