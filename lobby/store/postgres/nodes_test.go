package postgres

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/bus"
	"ayumu/lobby/cluster"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/table"
)

// patience is how long a test waits for something that has to happen.
const patience = 30 * time.Second

// openLobby opens a lobby that is a node on the database of url.
func openLobby(t *testing.T, url, name string, hub *lobbytest.Hub) *lobby.Lobby {
	t.Helper()
	s := openURL(t, url)
	c := &cluster.Config{Name: name, Store: s.Cluster()}
	if hub != nil {
		c.OpenBus = func(h bus.Handler) (bus.Bus, error) { return hub.Open(h, func(err error) { t.Error(err) }), nil }
	}
	l, err := lobby.New(t.Context(), lobby.Config{
		Games: enginetest.Games, Store: s, Cluster: c,
		Report: func(msg string, keyvals ...any) { t.Error(append([]any{name, msg}, keyvals...)...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// enter starts a session of the account of that name, which it creates if necessary.
func enter(t *testing.T, l *lobby.Lobby, name string) *lobby.Session {
	t.Helper()
	key := []byte("key of " + name)
	a, known, err := l.Accounts.ByKey(t.Context(), key)
	if err == nil && !known {
		a, err = l.Accounts.Register(t.Context(), name, key, netip.Addr{})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Enter(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// await waits until a condition holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(patience); !holds(); {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// try repeats what a player does while their node is degraded, as one on a busy machine may be for a moment.
func try(t *testing.T, what string, do func() error) {
	t.Helper()
	await(t, what, func() bool {
		err := do()
		if err != nil && !isUnavailable(err) {
			t.Fatalf("%s: %v", what, err)
		}
		return err == nil
	})
}

// TestPlayersOnTwoNodes: two lobbies on one database, one player on each; turns, a refused offer, the result and the
// ratings reach both.
func TestPlayersOnTwoNodes(t *testing.T) {
	for name, hub := range map[string]*lobbytest.Hub{"messages": new(lobbytest.Hub), "polling": nil} {
		t.Run(name, func(t *testing.T) {
			url := postgrestest.URL(t)
			a, b := openLobby(t, url, "a", hub), openLobby(t, url, "b", hub)
			ana, bobOnA := enter(t, a, "ana"), enter(t, a, "bob")
			table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: []byte(`{"size":9,"pie":false}`), Rated: new(bool)})
			if err != nil {
				t.Fatal(err)
			}
			id, err := bobOnA.JoinTable(t.Context(), table.ID, "")
			if err != nil {
				t.Fatal(err)
			}
			await(t, "the match on the other node", func() bool { _, err := b.Match(id); return err == nil })
			var seats [2]*lobby.Player
			for _, s := range []*lobby.Session{ana, enter(t, b, "bob")} {
				p, err := s.AsPlayer(id)
				if err != nil {
					t.Fatal(err)
				}
				seats[p.Seat()] = p
			}
			turns := 12
			if hub == nil {
				turns = 3
			}
			both := func(version int) {
				await(t, "the turn on both nodes", func() bool { return seats[0].Snapshot().Version == version && seats[1].Snapshot().Version == version })
			}
			for version := range turns {
				both(version)
				s := seats[0].Snapshot()
				try(t, "a turn", func() error {
					_, err := seats[s.Position.Turn()].Act(t.Context(), version, s.Position.Legal()[:1])
					return err
				})
			}
			both(turns)
			try(t, "an offer", func() error { return seats[0].Offer(t.Context(), match.OfferDraw) })
			await(t, "the offer", func() bool { return len(seats[1].Snapshot().Offers) == 1 })
			try(t, "a refusal", func() error { return seats[1].Refuse(t.Context(), match.OfferDraw) })
			await(t, "the refusal", func() bool { return len(seats[0].Snapshot().Offers) == 0 })
			try(t, "a resignation", func() error { return seats[1].Resign(t.Context()) })
			await(t, "the result", func() bool { return seats[0].Snapshot().IsOver() })
			if r := seats[0].Snapshot().Result; r.Reason != engine.ReasonResign || len(r.Winners) != 1 || r.Winners[0] != 0 {
				t.Errorf("result %+v", r)
			}
		})
	}
}

// TestUsersOnTwoNodes: who is online on one node is so on the other, and a new name and a guest's seat reach it.
func TestUsersOnTwoNodes(t *testing.T) {
	url, hub := postgrestest.URL(t), new(lobbytest.Hub)
	a, b := openLobby(t, url, "a", hub), openLobby(t, url, "b", hub)
	online := func(l *lobby.Lobby, names ...string) func() bool {
		return func() bool {
			var all []string
			for u := range l.View().Users.All() {
				all = append(all, u.Name)
			}
			return slices.Equal(all, names)
		}
	}
	ana, again, guest := enter(t, a, "ana"), enter(t, b, "ana"), enterGuest(t, a)
	name, code := guest.Account().Name, guest.ReturnCode()
	await(t, "both users on the other node", online(b, "ana", name))
	id, err := ana.StartAgainst(t.Context(), table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`), Rated: new(bool)}, guest)
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the match on the other node", func() bool { _, err := b.Match(id); return err == nil })
	returned, ok := b.Accounts.GuestByCode(code, netip.Addr{})
	if !ok || returned.Name != name {
		t.Fatalf("the guest of the code is %+v", returned)
	}
	guest.Close(true)
	s, err := b.Enter(returned, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.AsPlayer(id); err != nil {
		t.Error(err)
	}
	if err := ana.RenameAccount(t.Context(), "hana"); err != nil {
		t.Fatal(err)
	}
	await(t, "the new name", func() bool { return again.Account().Name == "hana" })
	await(t, "everybody on the first node", online(a, name, "hana"))
	s.Close(false)
	ana.Close(false)
	again.Close(false)
	await(t, "nobody on the first node", online(a))
	await(t, "nobody on the second node", online(b))
}

func enterGuest(t *testing.T, l *lobby.Lobby) *lobby.Session {
	t.Helper()
	s, err := l.Enter(l.Accounts.NewGuest(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRoomsOnTwoNodes: chat, drafts and numbers of spectators of two lobbies on one database reach the other, and one
// that starts later.
func TestRoomsOnTwoNodes(t *testing.T) {
	url := postgrestest.URL(t)
	hub := new(lobbytest.Hub)
	a, b := openLobby(t, url, "a", hub), openLobby(t, url, "b", hub)
	ana, bob, eve := enter(t, a, "ana"), enter(t, a, "bob"), enter(t, b, "eve")
	table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: []byte(`{"size":9,"pie":false}`)})
	if err != nil {
		t.Fatal(err)
	}
	id, err := bob.JoinTable(t.Context(), table.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the match on the other node", func() bool { _, err := b.Match(id); return err == nil })
	p, err := ana.AsPlayer(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eve.Watch(id, ""); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{ana.Say("hello"), p.Say("good luck"), p.SetDraft(0, []string{"a1"}), p.SetDraft(0, []string{"b2"})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	arrived := func(l *lobby.Lobby) func() bool {
		seat, err := enter(t, l, "ana").AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		return func() bool {
			d := seat.Draft().Actions
			return len(l.Chat.Since(0)) == 1 && len(seat.Match().PlayerChat.Since(0)) == 1 && len(d) == 1 && d[0] == "b2" && seat.Match().SpectatorCount() == 1
		}
	}
	for _, l := range []*lobby.Lobby{a, b} {
		await(t, "chat, draft and spectators", arrived(l))
	}
	await(t, "the same on a later node", arrived(openLobby(t, url, "later", hub)))
}
