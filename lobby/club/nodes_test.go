package club_test

import (
	"context"
	"maps"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store/sqlite"
)

// node is a club that shares its store with others.
type node struct {
	*club.Club
	t      *testing.T
	others []*node
	mu     sync.Mutex
	ended  map[string]string // the notices with which sessions have ended, by the names of their accounts
}

// twoNodes returns two clubs on one store. What one shares reaches the other a second later, and twice.
func twoNodes(t *testing.T) (a, b *node, db *sqlite.Store) {
	c, db := openClub(t)
	d, err := club.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	a, b = &node{Club: c, t: t}, &node{Club: d, t: t}
	a.others, b.others = []*node{b}, []*node{a}
	for _, n := range []*node{a, b} {
		n.ended = make(map[string]string)
		n.SetPolicy(club.PublicPolicy(), club.KeyList{"key of mod": {Role: club.RoleModerator}})
		n.Share = func(id string, data []byte) {
			at := time.Now()
			for _, o := range n.others {
				for range 2 {
					time.AfterFunc(time.Second, func() {
						if err := o.Follow(t.Context(), id, data, at); err != nil {
							t.Error(err)
						}
					})
				}
			}
		}
	}
	return a, b, db
}

// enter adds a session of an account with a key of its name.
func (n *node) enter(a account.Account, role club.Role) {
	s := &club.Session{Key: []byte("key of " + a.Name), From: netip.MustParseAddr("192.0.2.7"), Role: role}
	n.mu.Lock()
	delete(n.ended, a.Name)
	n.mu.Unlock()
	remove := n.Sessions.Add(s)
	s.End = func(notice string) {
		remove()
		n.mu.Lock()
		defer n.mu.Unlock()
		n.ended[a.Name] += notice
	}
	n.Sessions.SetAccount(s, a)
}

// others are guests by their names. Every user has one session on another node.
type others map[string]account.ID

func (o others) GuestByName(name string) (account.ID, bool) {
	id, ok := o[name]
	return id, ok
}

func (others) Refresh(context.Context, account.ID) error { return nil }

func (o others) SessionsOnOtherNodes(account.ID) (sessions int, origins []netip.Prefix) {
	return 1, []netip.Prefix{netip.MustParsePrefix("198.51.100.7/32")}
}

// endings returns the notices with which sessions have ended.
func (n *node) endings() map[string]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.ended)
}

// TestGuestsOfOtherNodes can be banned by their addresses, muted and kicked.
func TestGuestsOfOtherNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, _ := twoNodes(t)
		a.Users = others{"guest-7": -7}
		guest := account.Account{ID: -7, Name: "guest-7"}
		b.enter(guest, club.RoleGuest)
		<-time.After(time.Second)
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		if n, err := m.Kick(t.Context(), "guest-7", ""); n != 1 || err != nil {
			t.Error(n, err)
		}
		if _, err := m.Mute(t.Context(), "guest-7", time.Hour, ""); err != nil {
			t.Error(err)
		}
		s, _, err := m.Ban(t.Context(), club.Target{Name: "guest-7"}, time.Hour, "")
		if err != nil || s.Subject != "address 198.51.100.7/32" {
			t.Errorf("%+v, %v", s, err)
		}
		targets, err := m.BanTargets(t.Context(), "guest-7")
		if err != nil || len(targets) != 2 || targets[0].String() != "198.51.100.7/32" {
			t.Error(targets, err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if b.endings()["guest-7"] == "" || b.CheckChat(guest, lobby.LobbyRoom) == nil || b.CheckBan(nil, 0, netip.MustParseAddr("198.51.100.7"), club.RoleGuest) == nil {
			t.Errorf("on the other node: %v", b.endings())
		}
		if _, err := m.Kick(t.Context(), "guest-8", ""); code(err) != errcode.BadRequest {
			t.Errorf("kick of an unknown guest: %v", err)
		}
	})
}

// TestAKickEndsNoOtherSessions: neither those of another guest at the same address nor, on another node, one that was
// admitted with the role of the moderator.
func TestAKickEndsNoOtherSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		a.Users = others{}
		ana, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		a.enter(account.Account{ID: -7, Name: "guest-7"}, club.RoleGuest)
		a.enter(account.Account{ID: -8, Name: "guest-8"}, club.RoleGuest)
		b.enter(ana, club.RoleModerator)
		<-time.After(time.Second)
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		for _, name := range []string{"guest-7", "ana"} {
			if _, err := m.Kick(t.Context(), name, ""); err != nil {
				t.Fatal(name, err)
			}
		}
		<-time.After(time.Second)
		synctest.Wait()
		if got := a.endings(); len(got) != 1 || got["guest-7"] == "" {
			t.Errorf("the kick of guest-7 has ended the sessions %q", got)
		}
		if got := b.endings(); len(got) != 0 {
			t.Errorf("the kick of ana has ended the session of a moderator: %q", got)
		}
	})
}

// TestModerationHoldsOnAllNodes: bans, kicks, mutes, closed rooms and their lifting of one node hold on the other,
// end the sessions there with the same notice, and end no session that began later.
func TestModerationHoldsOnAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		accounts := make(map[string]account.Account)
		for _, name := range []string{"ana", "bob", "mod"} {
			account, err := db.CreateAccount(t.Context(), name, []byte("key of "+name), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			accounts[name] = account
			b.enter(account, b.Role([]byte("key of "+name)))
		}
		settle := func() { <-time.After(time.Second); synctest.Wait() }
		must := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(what, err)
			}
			settle()
		}
		<-time.After(time.Second) // a kick ends only sessions that began before it
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		a.Users = others{"guest-7": -7}

		ended, err := m.Kick(t.Context(), "ana", "noise")
		if synctest.Wait(); ended != 1 || len(b.endings()) != 0 {
			t.Errorf("kicked %d sessions, ended are %v", ended, b.endings())
		}
		must("kick", err)
		if got := b.endings(); len(got) != 1 || got["ana"] != "A moderator has ended your session. Reason: noise" {
			t.Errorf("after a kick: %v", got)
		}

		_, ended, err = m.Ban(t.Context(), club.Target{Name: "bob"}, time.Hour, "cheating")
		must("ban", err)
		if got := b.endings()["bob"]; ended != 1 || got != "You have been banned. Reason: cheating" {
			t.Errorf("%d sessions ended, with %q", ended, got)
		}
		banned := func(name string) bool {
			return b.CheckBan([]byte("key of "+name), accounts[name].ID, netip.Addr{}, club.RolePlayer) != nil
		}
		if !banned("bob") || banned("ana") {
			t.Error("the ban does not hold for bob alone")
		}
		must("unban", m.Lift(t.Context(), club.KindBan, "bob"))
		if banned("bob") {
			t.Error("the ban is still in force")
		}

		_, err = m.Kick(t.Context(), "ana", "")
		b.enter(accounts["ana"], club.RolePlayer)
		must("kick", err)
		if got, ended := b.endings()["ana"]; ended {
			t.Errorf("a session that began after the kick has ended: %q", got)
		}

		prefix := club.Target{Prefix: netip.MustParsePrefix("192.0.2.0/24")}
		_, _, err = m.Ban(t.Context(), prefix, time.Hour, "")
		must("ban of an address", err)
		if got := b.endings()["ana"]; !strings.HasPrefix(got, "You have been banned.") || b.endings()["mod"] != "" {
			t.Errorf("after the ban of an address: %v", b.endings())
		}

		_, err = m.Mute(t.Context(), "ana", time.Hour, "")
		must("mute", err)
		if err := b.CheckChat(accounts["ana"], lobby.LobbyRoom); err == nil {
			t.Error("a muted player may chat on the other node")
		}
		_, err = m.CloseRoom(t.Context(), lobby.LobbyRoom, time.Hour, "")
		must("close", err)
		if err := b.CheckChat(accounts["bob"], lobby.LobbyRoom); err == nil {
			t.Error("the room is open on the other node")
		}
		must("open", m.Lift(t.Context(), club.KindClose, "lobby"))
		if err := b.CheckChat(accounts["bob"], lobby.LobbyRoom); err != nil {
			t.Error("the room is closed on the other node", err)
		}
	})
}

// TestBansOfADeletedAccountHoldOnAllNodes: an account created on one node inherits a ban, which the other learns.
func TestBansOfADeletedAccountHoldOnAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		key := []byte("key of ana")
		ana, err := db.CreateAccount(t.Context(), "ana", key, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		if _, err := m.Mute(t.Context(), "ana", club.Permanent, ""); err != nil {
			t.Fatal(err)
		}
		if err := db.DeleteAccount(t.Context(), ana.ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		a.AccountDeleted(t.Context(), ana.ID)
		next, err := db.CreateAccount(t.Context(), "eve", key, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := a.ReloadSanctions(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if err := b.CheckChat(next, lobby.LobbyRoom); err == nil {
			t.Error("the mute of the deleted account does not hold on the other node")
		}
	})
}
