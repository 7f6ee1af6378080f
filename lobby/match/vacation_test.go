package match

import (
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/vacation"
)

const day = 24 * time.Hour

// goOnVacation sets the vacations of a seat's player: pairs of days after the start of the match.
func (n *node) goOnVacation(seat int, days ...float64) {
	n.t.Helper()
	at := func(days float64) time.Time { return began.Add(time.Duration(days * float64(day))) }
	n.now.Presence[seat].Vacations = nil
	for i := 0; i < len(days); i += 2 {
		n.now.Presence[seat].Vacations = append(n.now.Presence[seat].Vacations, vacation.Period{From: at(days[i]), Until: at(days[i+1])})
	}
	n.handle(Input{Kind: InputCheck})
}

// credits returns the credits for vacations in the log.
func (n *node) credits() (all []time.Duration) {
	for _, e := range n.log.entries {
		if e.Kind == EntryCredit && e.Reason == CreditVacation {
			all = append(all, e.Credit)
		}
	}
	return all
}

// TestVacationStopsTheClock: the clock stands still, and the time is credited once, when the vacation has ended.
func TestVacationStopsTheClock(t *testing.T) {
	n := start(t, duel(t, inDays))
	n.play(2)
	n.wait(day)
	n.goOnVacation(0, 1, 11)
	for _, days := range []int{0, 4, 9} {
		n.wait(began.Add(time.Duration(1+days) * day).Sub(n.now.Time))
		until, ok := n.snapshot.OnVacation(0)
		if _, other := n.snapshot.OnVacation(1); !ok || other || !until.Equal(began.Add(11*day)) || n.left(0) != 2*day || n.snapshot.RunningSeat != -1 {
			t.Errorf("day %d: until %v %v, %v left", days, until, ok, n.left(0))
		}
	}
	n.wait(day + time.Hour)
	if got := n.credits(); len(got) != 1 || got[0] != 10*day || n.snapshot.RunningSeat != 0 || n.left(0) != 2*day-time.Hour {
		t.Errorf("credits %v, %v left", got, n.left(0))
	}
	if _, ok := n.snapshot.OnVacation(0); ok {
		t.Error("the vacation does not end")
	}
	n.wait(2 * day)
	n.wantResult(engine.ReasonTime, 1)
	if got := n.credits(); len(got) != 1 {
		t.Errorf("credits %v", got)
	}
}

// TestVacationsThatCount has vacations of the seat to move, whose time is up after three days.
func TestVacationsThatCount(t *testing.T) {
	for _, c := range []struct {
		what    string
		days    []float64
		lastDay float64 // when the time is up
		credits int
	}{
		{"none", nil, 3, 0},
		{"before the turn", []float64{-5, -1}, 3, 0},
		{"from before the turn", []float64{-5, 2}, 5, 1},
		{"two", []float64{1, 2, 3.5, 5.5}, 6, 2},
		{"begun at the deadline", []float64{3, 9}, 3, 0},
		{"begun after it", []float64{3.5, 9}, 3, 0},
		{"begun just before it", []float64{2.999, 8.999}, 9, 1},
		{"ended early", []float64{1, 1.5}, 3.5, 1},
	} {
		n := start(t, duel(t, inDays))
		n.goOnVacation(0, c.days...)
		n.wait(time.Duration(c.lastDay*float64(day)) - time.Minute)
		if n.state.IsOver() {
			t.Errorf("%s: over after %v", c.what, n.state.lastAt.Sub(began))
			continue
		}
		n.wait(2 * time.Minute)
		n.wantResult(engine.ReasonTime, 1)
		if got := n.credits(); len(got) != c.credits {
			t.Errorf("%s: credits %v", c.what, got)
		}
	}
}

// TestTurnsInVacations: who moves during a vacation needs no credit, and the opponent's clock runs.
func TestTurnsInVacations(t *testing.T) {
	n := start(t, duel(t, inDays))
	n.goOnVacation(0, 0, 20)
	n.wait(5 * day)
	n.play(1)
	if got := n.credits(); len(got) != 0 || n.left(0) != 3*day || n.snapshot.RunningSeat != 1 {
		t.Errorf("credits %v, %v left", got, n.left(0))
	}
	n.wait(day)
	n.play(1)
	n.wait(14*day + time.Minute)
	if got := n.credits(); len(got) != 1 || got[0] != 14*day {
		t.Errorf("credits %v", got)
	}
}

// TestNoVacationInLiveGames: the clock of a player on vacation runs.
func TestNoVacationInLiveGames(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.goOnVacation(0, 0, 20)
	before := n.left(0)
	n.wait(time.Minute)
	if left := n.left(0); left != before-time.Minute || n.snapshot.Vacations != nil || n.snapshot.RunningSeat != 0 {
		t.Errorf("after a minute %v of %v are left, and the vacations %v are shown", left, before, n.snapshot.Vacations)
	}
	n.wait(before)
	if !n.state.IsOver() {
		t.Error("a vacation has stopped the clock of a live game")
	}
}

// TestVacationBegunOnAnotherNode: before a turn ends because of time, the vacations are read from the store.
func TestVacationBegunOnAnotherNode(t *testing.T) {
	n := start(t, duel(t, inDays))
	n.presence = func() Input {
		n.now.Presence[0].Vacations = vacation.List{{From: began.Add(day), Until: began.Add(2 * day)}}
		return Input{Kind: InputRefreshed}
	}
	n.wait(4*day - time.Minute)
	if n.state.IsOver() {
		t.Fatal("the vacation does not count")
	}
	n.presence = func() Input { return Input{Kind: InputRefreshFailed, Cause: errStore} }
	n.wait(10 * time.Minute)
	if n.state.IsOver() {
		t.Error("the turn ended although nobody knew of vacations")
	}
	n.presence = nil
	n.wait(time.Minute)
	n.wantResult(engine.ReasonTime, 1)
}

// TestVacationIsCreditedOnce: of two nodes one records the credit.
func TestVacationIsCreditedOnce(t *testing.T) {
	log := &simulatedLog{}
	nodes := []*node{newNode(t, duel(t, inDays), log), newNode(t, duel(t, inDays), log)}
	for i, n := range nodes {
		n.now.AppendID = AppendID{byte(i + 1)}
		n.handle(Input{Kind: InputBegin})
		n.goOnVacation(0, 1, 5)
	}
	for _, n := range nodes {
		n.wait(6 * day)
	}
	for _, n := range nodes {
		if got := n.credits(); len(got) != 1 || got[0] != 4*day || n.left(0) != day {
			t.Errorf("credits %v, %v left", got, n.left(0))
		}
		n.verify()
	}
}

// TestVacationAndOutage: the time of an outage in a vacation is given back once.
func TestVacationAndOutage(t *testing.T) {
	n := start(t, duel(t, inDays))
	n.play(2)
	n.goOnVacation(0, 0, 10)
	n.wait(4 * day)
	n.log.appends = func() outcome { return notRecorded }
	n.handle(Input{Kind: InputCommand, Command: &Command{Kind: CommandResign, Seat: 1, At: n.now.Time}})
	n.log.appends = nil
	n.wait(time.Hour)
	if !n.state.IsOver() { // the resignation was repeated
		t.Fatal("not recorded")
	}
	n = start(t, duel(t, inDays))
	n.play(2)
	n.goOnVacation(0, 0, 10)
	n.wait(4 * day)
	n.now.StoreFailingSince = n.now.Time
	n.now.Degraded = true
	n.handle(Input{Kind: InputCommand, Command: &Command{Kind: CommandResign, Seat: 1, At: n.now.Time}})
	n.wait(10 * time.Minute)
	n.now.StoreFailingSince, n.now.Degraded = time.Time{}, false
	n.wait(time.Hour)
	if left := n.left(0); left != 3*day || n.state.IsSuspended() {
		t.Errorf("after an outage %v left", left)
	}
	n.wait(6*day + time.Hour)
	if left := n.left(0); left > 3*day-time.Hour || left < 3*day-3*time.Hour {
		t.Errorf("after the vacation %v left", left)
	}
}
