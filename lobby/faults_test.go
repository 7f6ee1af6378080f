package lobby_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// abortAs starts a live game of two, and lets the first of them abort it.
func abortAs(h harness, by, other *lobby.Session) *lobby.Player {
	h.t.Helper()
	seats := h.pair(by, other, table.Proposal{Options: smallOptions, Clock: &clock.Default})
	p := seats[0]
	if p.Match().Info.Seats[0].Account != by.Account().ID {
		p = seats[1]
	}
	if err := p.Abort(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	return p
}

// openLive opens a table for a live game and closes it again.
func openLive(s *lobby.Session) error {
	table, err := s.OpenTable(context.Background(), table.Proposal{Game: "ayu", Options: smallOptions, Clock: &clock.Default})
	if err == nil {
		err = s.CancelTable(context.Background(), table.ID)
	}
	return err
}

// TestAbortingOftenHasACooldown: who aborts a fourth live game within a day begins no live game against people for ten
// minutes, whatever the way, and is told so. Their open tables for such games close. Bots, correspondence games, running
// games and the opponents are not concerned.
func TestAbortingOftenHasACooldown(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve, robot := h.member("ana"), h.member("bob"), h.member("eve"), h.member("robot")
		a := robot.Account()
		if err := h.store.SetBot(t.Context(), a.ID, true); err != nil {
			t.Fatal(err)
		}
		robot.Close(false)
		robot = h.member("robot")
		running := h.pair(ana, eve, table.Proposal{Options: smallOptions, Clock: &clock.Default})
		for range 3 {
			abortAs(h, ana, bob)
			if err := openLive(ana); err != nil {
				t.Fatal(err)
			}
		}
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default})
		live := mustOpen(t, ana, table.Proposal{Options: smallOptions})
		slow := mustOpen(t, ana, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}})
		last := seats[0]
		if last.Match().Info.Seats[0].Name != "ana" {
			last = seats[1]
		}
		if err := last.Abort(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if ids := tableIDs(h); len(ids) != 1 || ids[0] != slow.ID {
			t.Errorf("the tables %v are open, of %s and %s", ids, live.ID, slow.ID)
		}
		bobs := mustOpen(t, bob, table.Proposal{Options: smallOptions})
		refused := map[string]func() error{
			"open": func() error { return openLive(ana) },
			"open without a clock": func() error {
				_, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions})
				return err
			},
			"challenge": func() error {
				_, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, To: "bob"})
				return err
			},
			"quick": func() error {
				_, err := ana.OpenTable(t.Context(), table.Proposal{Quick: true})
				return err
			},
			"join":    func() error { _, err := ana.JoinTable(t.Context(), bobs.ID, ""); return err },
			"rematch": func() error { return last.Offer(t.Context(), match.OfferRematch) },
		}
		for what, do := range refused {
			err := do()
			wantCode(t, what, err, errcode.RateLimited)
			e, ok := errors.AsType[*errcode.Error](err)
			if !ok || !e.Until.Equal(time.Now().Add(10*time.Minute)) || !strings.Contains(e.Message, "4 games within a day; ") || !strings.Contains(e.Message, "in 10 minutes") {
				t.Errorf("%s: %+v", what, err)
			}
		}
		if n := h.LimitHits.All()[limit.HitFaults]; n != uint64(len(refused)) {
			t.Errorf("%d hits of the limit are counted", n)
		}
		if err := openLive(bob); err != nil {
			t.Errorf("the opponent: %v", err)
		}
		if _, err := ana.JoinTable(t.Context(), mustOpen(t, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}}).ID, ""); err != nil {
			t.Errorf("a correspondence game: %v", err)
		}
		mustOpen(t, ana, table.Proposal{Options: smallOptions, To: "robot"})
		if _, err := ana.StartAgainst(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, Clock: &clock.Default}, robot); err != nil {
			t.Errorf("a game against a bot: %v", err)
		}
		turn(t, running)
		turn(t, running)
		advance(10*time.Minute - time.Second)
		wantCode(t, "before the time is up", openLive(ana), errcode.RateLimited)
		advance(time.Second)
		if err := openLive(ana); err != nil {
			t.Errorf("after the time is up: %v", err)
		}
		abortAs(h, ana, bob)
		advance(20*time.Minute - time.Second)
		wantCode(t, "after the fifth", openLive(ana), errcode.RateLimited)
		advance(time.Second)
		if err := openLive(ana); err != nil {
			t.Errorf("after the fifth and its time: %v", err)
		}
	})
}

// TestACooldownHoldsEverywhere: a cooldown holds on all nodes and after a restart, also if the games were aborted
// because there was no first turn.
func TestACooldownHoldsEverywhere(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a, b := c.node("a"), c.node("b")
		ana, bob := a.member("ana"), a.member("bob")
		for range 3 {
			abortAs(a, ana, bob)
		}
		onB := b.member("ana")
		var late string
		for late != "ana" { // who moves first is random
			seats := a.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default})
			if late = seats[0].Match().Info.Seats[0].Name; late == "bob" {
				if err := seats[0].Resign(t.Context()); err != nil {
					t.Fatal(err)
				}
				continue
			}
			live := mustOpen(t, onB, table.Proposal{Options: smallOptions})
			c.settle()
			if len(tableIDs(a)) != 1 {
				t.Fatalf("table %s is not open", live.ID)
			}
			advance(62 * time.Second)
			if !seats[0].Snapshot().IsOver() {
				t.Fatal("the match goes on")
			}
		}
		c.settle()
		for _, h := range []harness{a, b} {
			if ids := tableIDs(h); len(ids) != 0 {
				t.Errorf("the tables %v are open", ids)
			}
		}
		for _, h := range []harness{a, b} {
			wantCode(t, "at once", openLive(h.member("ana")), errcode.RateLimited)
			if err := openLive(h.member("bob")); err != nil {
				t.Errorf("the opponent: %v", err)
			}
		}
		a.Close()
		b.Close()
		again := c.node("a")
		defer again.Close()
		wantCode(t, "after a restart", openLive(again.member("ana")), errcode.RateLimited)
		if testing.Short() {
			return // ten minutes of a node take half a minute with the race detector
		}
		advance(10 * time.Minute)
		if err := openLive(again.member("ana")); err != nil {
			t.Errorf("after the cooldown: %v", err)
		}
	})
}

// TestGuestsHaveACooldown: the cooldown of a guest is that of the return code, and nobody else's.
func TestGuestsHaveACooldown(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		guest, other, ana := h.enter(h.Accounts.NewGuest()), h.enter(h.Accounts.NewGuest()), h.member("ana")
		for range 4 {
			abortAs(h, guest, ana)
		}
		wantCode(t, "the guest", openLive(guest), errcode.RateLimited)
		if err := errors.Join(openLive(other), openLive(ana)); err != nil {
			t.Error(err)
		}
	})
}

// TestARestartIsNobodysFault: who does not come back after a restart of the server, or comes back too late, has not
// aborted or left the game.
func TestARestartIsNobodysFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := open(t, db)
		ana, bob := h.member("ana"), h.member("bob")
		unstarted := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default})
		yes := true
		rated := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default, Rated: &yes})
		turn(t, rated)
		turn(t, rated)
		h.Close()
		advance(time.Minute)
		h = open(t, db)
		defer h.Close()
		first, err := h.Match(unstarted[0].Match().Info.ID) // which is forgotten after the end of the other one
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.member("bob").AsPlayer(rated[0].Match().Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		advance(90 * time.Second)
		if err := p.Claim(t.Context(), "win"); err != nil {
			t.Fatal(err)
		}
		if !first.Snapshot().IsOver() {
			t.Fatal("the match without a turn goes on")
		}
		for _, s := range []*lobby.Session{ana, bob} {
			if faults, err := db.Faults(t.Context(), s.Account().ID, "", time.Time{}, 9); err != nil || len(faults) != 0 {
				t.Errorf("faults of %s: %v, %v", s.Account().Name, faults, err)
			}
		}
		// Who leaves by themselves has.
		eve, zoe := h.member("eve"), h.member("zoe")
		rated = h.pair(eve, zoe, table.Proposal{Options: smallOptions, Clock: &clock.Default, Rated: &yes})
		turn(t, rated)
		turn(t, rated)
		eve.Close(false)
		advance(11 * time.Second)
		p = rated[1]
		if p.Match().Info.Seats[1].Name != "zoe" {
			p = rated[0]
		}
		if err := p.Claim(t.Context(), "win"); err != nil {
			t.Fatal(err)
		}
		if faults, err := db.Faults(t.Context(), eve.Account().ID, "", time.Time{}, 9); err != nil || len(faults) != 1 {
			t.Errorf("faults of eve: %v, %v", faults, err)
		}
	})
}
