package bots_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

var fiveMinutes = clock.Control{Initial: 5 * time.Minute}

// online returns the names of the users in the lobby.
func online(l *lobby.Lobby) (names []string) {
	for u := range l.View().Users.All() {
		names = append(names, u.Name)
	}
	return names
}

// TestOneLevelTakesAllSeats plays Mu of four with three bots of level 2. The further ones leave when the match
// has been forgotten.
func TestOneLevelTakesAllSeats(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		before := online(h.l)
		match, err := h.builtin.Play(t.Context(), h.ana, 2, table.Proposal{Game: "mu", Options: []byte(`{"players":4,"segments":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		s := finish(t, h.ana, match)
		for _, seat := range s.Info.Seats {
			if want := 2; seat.Bot && h.builtin.Level(seat.Account) != want || !seat.Bot && h.builtin.Level(seat.Account) != bots.NoLevel {
				t.Errorf("%s has level %d", seat.Name, h.builtin.Level(seat.Account))
			}
		}
		if names := online(h.l); len(names) != len(before)+2 || !slices.Contains(names, "Brook-3") {
			t.Errorf("online are %v", names)
		}
		advance(time.Hour)
		if names := online(h.l); !slices.Equal(names, before) {
			t.Errorf("online are still %v", names)
		}
	})
}

// TestFill gives free seats of a table to bots.
func TestFill(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		bob := lobbytest.Member(t, h.l, "bob")
		opened, err := h.ana.OpenTable(t.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":5,"segments":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		for what, fill := range map[string]func() (string, error){
			"another user":  func() (string, error) { return h.builtin.Fill(t.Context(), bob, opened.ID, 1, 0) },
			"no such table": func() (string, error) { return h.builtin.Fill(t.Context(), h.ana, "none", 1, 0) },
			"no such level": func() (string, error) { return h.builtin.Fill(t.Context(), h.ana, opened.ID, 6, 0) },
		} {
			if match, err := fill(); err == nil || match != "" {
				t.Errorf("%s: %q, %v", what, match, err)
			}
		}
		for range 2 {
			if match, err := h.builtin.Fill(t.Context(), h.ana, opened.ID, 1, 1); err != nil || match != "" {
				t.Fatalf("one seat: %q, %v", match, err)
			}
		}
		// A bot that begins another game keeps its seat.
		if _, err := h.builtin.Play(t.Context(), bob, 1, table.Proposal{Game: "ayu", Clock: &fiveMinutes}); err != nil {
			t.Fatal(err)
		}
		if seated := h.l.TableList().Tables[0].Seated; len(seated) != 3 {
			t.Errorf("at the table are %v", seated)
		}
		if _, err := h.builtin.Fill(t.Context(), h.ana, opened.ID, 1, 3); err == nil || err.Error() != "the table has only 2 free seats" {
			t.Errorf("more than there are: %v", err)
		}
		if match, err := h.builtin.Fill(t.Context(), h.ana, opened.ID, 1, 1); err != nil || match != "" {
			t.Fatalf("one more: %q, %v", match, err)
		}
		if _, err := h.builtin.Fill(t.Context(), h.ana, opened.ID, 1, 2); err == nil || err.Error() != "the table has only 1 free seat" {
			t.Errorf("more than the last: %v", err)
		}
		match, err := h.builtin.Fill(t.Context(), h.ana, opened.ID, 1, 0)
		if err != nil || match == "" {
			t.Fatalf("the other seats: %q, %v", match, err)
		}
		if s := finish(t, h.ana, match); len(s.Info.Seats) != 5 {
			t.Errorf("seats: %+v", s.Info.Seats)
		}
	})
}

// TestAFurtherBotReturnsAfterARestart: it has a seat in a match that goes on.
func TestAFurtherBotReturnsAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		open := func() (*lobby.Lobby, *bots.Bots) {
			l := lobbytest.New(t, lobby.Config{Store: db})
			builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, fastEngine), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			return l, builtin
		}
		l, builtin := open()
		ana := lobbytest.Member(t, l, "ana")
		match, err := builtin.Play(t.Context(), ana, 1, table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		ana.Close(false)
		builtin.Close()
		l.Close()
		l, builtin = open()
		defer builtin.Close()
		ana = lobbytest.Member(t, l, "ana")
		defer ana.Close(false)
		finish(t, ana, match)
	})
}
