package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
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

// count calls f until it returns errcode.RateLimited, and returns the number of calls before.
func count(t *testing.T, f func() error) (n int) {
	t.Helper()
	for ; n < 10000; n++ {
		if err := f(); errorCode(err) == errcode.RateLimited {
			return n
		} else if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("nothing bounds it")
	return 0
}

// TestWorkIsCountedOverAllConnections: one user asks from 200 sessions, and many guests and accounts from
// one address: all together get what one may have, and the budget refills at the promised rate.
func TestWorkIsCountedOverAllConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		for _, w := range []limit.Work{limit.WorkRecord, limit.WorkHistory, limit.WorkArchive, limit.WorkOpen, limit.WorkCancel, limit.WorkBot, limit.WorkHint} {
			ana := h.member("ana")
			sessions := []*lobby.Session{ana}
			for range 199 {
				sessions = append(sessions, h.enter(ana.Account()))
			}
			next := 0
			spend := func() error { next++; return sessions[next%len(sessions)].Spend(w) }
			limit := count(t, spend)
			if limit < 50 || limit > 500 {
				t.Errorf("work %d: %d at once, want 50 of the largest or 500 of the smallest", w, limit)
			}
			advance(time.Second)
			if again := count(t, spend); again != limit/10 {
				t.Errorf("work %d: %d a second later, want %d", w, again, limit/10)
			}
			for _, s := range sessions {
				s.Close(false)
			}
			var guests, members []*lobby.Session
			for i := range 20 {
				guests = append(guests, h.enter(h.Accounts.NewGuest()))
				members = append(members, h.member(fmt.Sprintf("member%d", i)))
			}
			for _, s := range append(guests, members...) {
				s.SetAddr(addr1)
			}
			all := 0
			for _, g := range guests {
				all += count(t, func() error { return g.Spend(w) })
			}
			if all != limit {
				t.Errorf("work %d: 20 guests from one address get %d, want %d as one person", w, all, limit)
			}
			for _, m := range members {
				all += count(t, func() error { return m.Spend(w) })
			}
			if all > 10*limit {
				t.Errorf("work %d: 20 members and the guests from one address get %d, and one %d", w, all, limit)
			}
			other := h.enter(h.Accounts.NewGuest())
			other.SetAddr(addr2)
			if got := count(t, func() error { return other.Spend(w) }); got != limit {
				t.Errorf("work %d: a guest from another address gets %d", w, got)
			}
			for _, s := range append(append(guests, members...), other) {
				s.Close(false)
			}
			advance(10 * time.Minute)
		}
		if n := len(h.LimitHits.All()); n != 7 {
			t.Errorf("%d kinds of refusals were counted: %v", n, h.LimitHits.All())
		}
	})
}

// TestWorkThatWaitsQueues has ten clients of one user wait for the same budget, of whom three give up.
func TestWorkThatWaitsQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		limits := limit.Default()
		limits.UserRequestRate, limits.UserRequestBurst = 10, 5
		h.SetLimits(limits)
		ana, began := h.member("ana"), time.Now()
		await := func(ctx context.Context, onWait func()) (time.Duration, error) {
			err := h.Budgets.Await(ctx, ana.Payer(), limit.WorkRequest, 1, onWait)
			return time.Since(began), err
		}
		for range 5 {
			if took, err := await(t.Context(), func() { t.Error("onWait is called without a wait") }); took != 0 || err != nil {
				t.Fatal(took, err)
			}
		}
		leaves, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 10 {
			ctx := t.Context()
			if i < 3 {
				ctx = leaves
			}
			all.Go(func() {
				waits := false
				took, err := await(ctx, func() { waits = true })
				if want := time.Duration(i+1) * 100 * time.Millisecond; i >= 3 && (took.Round(time.Millisecond) != want || err != nil) {
					t.Errorf("client %d waited %v, want %v: %v", i, took, want, err)
				}
				if i < 3 && (took != 0 || !errors.Is(err, context.Canceled)) {
					t.Errorf("client %d left after %v: %v", i, took, err)
				}
				if !waits {
					t.Errorf("client %d was not told that it waits", i)
				}
			})
			synctest.Wait()
		}
		leave()
		synctest.Wait()
		if took, err := await(leaves, nil); took != 0 || err == nil {
			t.Errorf("whoever has left waits %v, %v", took, err)
		}
		if took, err := await(t.Context(), nil); took.Round(time.Millisecond) != 800*time.Millisecond || err != nil {
			t.Errorf("after three of ten have left, the next waits %v, %v", took, err)
		}
		all.Wait()
		if n := h.LimitHits.All()["requests_per_person"]; n != 11 {
			t.Errorf("%d waits were counted", n)
		}
	})
}

// TestConditionsAreCharged looks at conditional moves and changes them, before and after the budget is used up.
func TestConditionsAreCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana, bob := h.member("ana"), h.member("bob")
		p := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}, First: table.FirstOwner})[1]
		position := p.Snapshot().Position
		theirs := position.Legal()[0]
		after, err := position.Play(theirs)
		if err != nil {
			t.Fatal(err)
		}
		turns := [][]string{{theirs}, {after.Legal()[0]}}
		all := func(want errcode.Code) {
			t.Helper()
			_, err := p.ArmedConditions(t.Context())
			wantCode(t, "look", err, want)
			_, err = p.AddCondition(t.Context(), 0, lobby.AnyRevision, turns)
			wantCode(t, "add", err, want)
			_, err = p.RemoveCondition(t.Context(), 0, lobby.AnyRevision, 0)
			wantCode(t, "remove", err, want)
			_, err = p.ClearConditions(t.Context(), 0, lobby.AnyRevision)
			wantCode(t, "clear", err, want)
		}
		all("")
		if n := count(t, func() error { return bob.Spend(limit.WorkCondition) }); n != 46 {
			t.Errorf("after four uses of conditional moves %d more are allowed, want 46", n)
		}
		all(errcode.RateLimited)
	})
}

// TestLargeWorkCostsMore reads the log of a short match and of a long one.
func TestLargeWorkCostsMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana, bob := h.member("ana"), h.member("bob")
		ask := func(s *lobby.Session, size int) int {
			return count(t, func() error {
				if err := s.Spend(limit.WorkRecord); err != nil {
					return err
				}
				return s.SpendMore(limit.WorkRecord, size)
			})
		}
		if short, long := ask(ana, 20), ask(bob, 500); short != 500 || long < 50 || long > 100 {
			t.Errorf("%d records of 20 entries at once, %d of 500", short, long)
		}
	})
}

// TestTablesAndTurnsAreTakenBackAFewTimesASecond: one user opens and cancels tables, which wakes all
// others, and asks for take-backs.
func TestTablesAndTurnsAreTakenBackAFewTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana := h.member("ana")
		churn := func() error {
			table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
			if err != nil {
				return err
			}
			return ana.CancelTable(t.Context(), table.ID)
		}
		if n := count(t, churn); n != 50 {
			t.Errorf("%d tables at once", n)
		}
		advance(time.Second)
		if n := count(t, churn); n != 5 {
			t.Errorf("%d tables a second", n)
		}
		advance(time.Minute)
		bob, carol := h.member("bob"), h.member("carol")
		seats := h.pair(bob, carol, table.Proposal{Game: "ayu"})
		s := seats[0].Snapshot()
		mover := s.Position.Turn()
		if _, err := seats[mover].Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
			t.Fatal(err)
		}
		n := count(t, func() error {
			if err := seats[mover].Offer(t.Context(), match.OfferUndo); errorCode(err) != errcode.NotAllowed {
				return err
			}
			return nil // it cannot be offered twice
		})
		if n < 50 || n > 500 {
			t.Errorf("%d take-backs asked for at once", n)
		}
	})
}

// TestChallengesReachNobodyTooOften: several users challenge one user again and again.
func TestChallengesReachNobodyTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana := h.member("ana")
		challenge := func(s *lobby.Session) func() error {
			return func() error {
				table, err := s.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "ana"})
				if err != nil {
					return err
				}
				return s.CancelTable(t.Context(), table.ID)
			}
		}
		eve := h.member("eve")
		if n := count(t, challenge(eve)); n != 5 {
			t.Errorf("one person challenges another %d times at once", n)
		}
		advance(time.Minute)
		if n := count(t, challenge(eve)); n != 5 {
			t.Errorf("and %d times a minute later", n)
		}
		advance(10 * time.Minute)
		all := 0
		for i := range 10 {
			s := h.enter(h.Accounts.NewGuest())
			s.SetAddr(addr1)
			all += count(t, challenge(s))
			if i == 9 && all != 10 {
				t.Errorf("10 guests from one address challenge a person %d times", all)
			}
		}
		advance(10 * time.Minute)
		all = 0
		for i := range 100 {
			all += count(t, challenge(h.member(fmt.Sprintf("member%d", i))))
		}
		if all != 30 {
			t.Errorf("100 people challenge a person %d times", all)
		}
		if h.LimitHits.All()[limit.HitChallenges] == 0 {
			t.Error("no refusal was counted")
		}
		advance(10 * time.Minute)
		for i := range 20 { // accepted challenges do not count
			table, err := eve.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "ana"})
			if err != nil {
				t.Fatal(i, err)
			}
			match, err := ana.JoinTable(t.Context(), table.ID, "")
			if err != nil {
				t.Fatal(err)
			}
			p, err := ana.AsPlayer(match)
			if err == nil {
				err = p.Resign(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestAGameThatAGuestHasLeftToABotEnds leaves games with a bot as a guest and as an account, with a restart
// and without.
func TestAGameThatAGuestHasLeftToABotEnds(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			db := memoryStore(t)
			h := open(t, db)
			bot := h.member("robot")
			a := bot.Account()
			a.Bot = true
			bot.Close(false)
			bot = h.enter(a)
			guest, back, member := h.enter(h.Accounts.NewGuest()), h.enter(h.Accounts.NewGuest()), h.member("ana")
			code := back.ReturnCode()
			ids := make(map[*lobby.Session]string)
			for _, s := range []*lobby.Session{guest, back, member} {
				id, err := s.StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, bot)
				if err != nil {
					t.Fatal(err)
				}
				ids[s] = id
			}
			advance(time.Hour)
			for _, id := range ids {
				if m, err := h.Match(id); err != nil || m.Snapshot().IsOver() {
					t.Errorf("a game ended although its player is here: %v", err)
				}
			}
			for s := range ids {
				s.Close(true)
			}
			if restart {
				bot.Close(false)
				h.Close()
				h = open(t, db)
			}
			advance(9 * time.Minute)
			again, ok := h.Accounts.GuestByCode(code, addr1)
			if !ok {
				t.Fatal("the guest's code is not known")
			}
			h.enter(again)
			over := func(s *lobby.Session) bool {
				_, log, err := h.Archive.MatchLog(t.Context(), 0, ids[s])
				if err != nil {
					t.Fatal(err)
				}
				return len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd
			}
			if over(guest) {
				t.Error("the game ended within ten minutes")
			}
			advance(2 * time.Minute)
			if !over(guest) {
				t.Error("the game of a guest who has left goes on")
			}
			if over(back) || over(member) {
				t.Error("the game of a player who is back, or of an account, ended")
			}
			h.Close()
		})
	}
}
