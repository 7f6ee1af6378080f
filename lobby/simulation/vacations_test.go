package simulation

import (
	"maps"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/vacation"
)

const (
	day = 24 * time.Hour
	// vacationDays are those of a year. Each vacation counts at least one, however soon it ends.
	vacationDays = 2
	// vacationSlack is for the clocks of nodes, which differ from the store's by less than 0.1 s. They read the store after
	// the deadline, before they end a turn.
	vacationSlack = 500 * time.Millisecond
)

// vacationRow is the row of a player's vacations.
type vacationRow struct {
	version int64
	all     vacation.List
	at      time.Duration // when it was recorded
}

// changeVacation has the player begin a vacation, or end the present one.
func (p *player) changeVacation() {
	w, n, id := p.w, p.at, account.ID(p.id)
	row, now := n.vacation[id], n.sharedTime()
	what := "vacation begun"
	next, err := row.all.Begin(now, 1, vacationDays)
	if _, onVacation := row.all.At(now); onVacation {
		what = "vacation ended"
		next, err = row.all.End(now)
	}
	if err != nil {
		w.seen["vacation refused"]++
		return
	}
	n.call(func(done func(any)) {
		if w.store.vacations[id].version != row.version && w.broken != noVacationVersion {
			w.seen["vacation conflict"]++
		} else {
			w.seen[what]++
			set(w.store, w.store.vacations, id, vacationRow{w.store.vacations[id].version + 1, next, w.now})
			w.checkDays(id)
		}
		done(w.store.vacations[id])
	}, func(answer any, err error) {
		if err != nil {
			return // the next poll says what has happened
		}
		if row := answer.(vacationRow); row.version > n.vacation[id].version {
			n.vacation[id] = row
		}
		for _, match := range slices.Sorted(maps.Keys(n.matches)) {
			n.matches[match].check()
		}
		w.publish(n)
	})
}

// checkDays checks that the vacations of a player follow each other, and are no more days than there are.
func (w *world) checkDays(id account.ID) {
	var days, ended time.Duration
	for _, v := range w.store.vacations[id].all {
		from := v.From.Sub(epoch)
		if from < ended || v.Until.Before(v.From) {
			w.fail("account %d: vacations overlap: %v", id, w.store.vacations[id].all)
		}
		ended = v.Until.Sub(epoch)
		days += max(v.Until.Sub(v.From), day)
	}
	if days > vacationDays*day {
		w.fail("account %d: vacations of %v, allowed are %d days", id, days, vacationDays)
	}
	for _, began := range w.begun[id] {
		if !w.store.vacations[id].has(began) && w.seen["failover"] == 0 {
			w.fail("account %d: the vacation from %v is forgotten: %v", id, began, w.store.vacations[id].all)
		}
	}
	w.begun[id] = nil
	for _, v := range w.store.vacations[id].all {
		w.begun[id] = append(w.begun[id], v.From)
	}
}

// has reports whether a vacation begins at a time.
func (r vacationRow) has(from time.Time) bool {
	for _, v := range r.all {
		if v.From.Equal(from) {
			return true
		}
	}
	return false
}

// readVacations reads who is present, and who is on vacation, before a match ends a turn or decides a claim.
func (r *replica) readVacations() {
	n := r.n
	c := r.command
	n.call(func(done func(any)) {
		if c != nil && c.Kind == match.CommandClaim {
			c.targetHere = n.isPresent(r.state.Info.Seats[c.Target].Account)
		}
		done(n.w.store.contents())
	}, func(answer any, err error) {
		if err != nil {
			r.outcome(match.Input{Kind: match.InputRefreshFailed, Cause: err})
			return
		}
		n.takePresence(answer.(contents))
		r.outcome(match.Input{Kind: match.InputRefreshed})
	})
}

// shortOfTime returns the log with which a match begins. In a correspondence match it has a credit after which the first seat has
// some seconds left, so that turns end because of time.
func (w *world) shortOfTime(info *match.Info) []match.Entry {
	if info.Control.Days == 0 {
		return nil
	}
	var e match.Entry
	e.Kind, e.At, e.Digest = match.EntryCredit, info.Started, match.Digest(info.Options.Game().New(info.Options))
	e.Clocks = []time.Duration{w.between(3*time.Second, 20*time.Second), day}
	for i := range e.AppendID {
		e.AppendID[i] = byte(w.r.Uint32())
	}
	return []match.Entry{e}
}

// checkVacations checks an entry of a correspondence match that has just been recorded: no turn ends because of time before all of
// it was used outside of vacations, and a credit gives no more than the vacation back.
func (w *world) checkVacations(m *storedMatch, before []match.Entry, e match.Entry) {
	if m.info.Control.Days == 0 || len(before) == 0 {
		return
	}
	last := before[len(before)-1]
	seat := e.Seat
	if e.Kind == match.EntryEnd {
		seat = m.toMove(before)
	}
	if seat < 0 || seat >= len(m.info.Seats) {
		return
	}
	row := w.store.vacations[m.info.Seats[seat].Account]
	if row.at > e.At.Sub(epoch)-vacationSlack || w.seen["failover"] > 0 {
		return
	}
	stopped := row.all.Within(last.At, e.At)
	switch {
	case e.Kind == match.EntryTurn && stopped > 0:
		w.seen["turn on vacation"]++
	case e.Kind == match.EntryEnd && e.Result.Reason == engine.ReasonTime:
		w.seen["out of days"]++
		if used := e.At.Sub(last.At) - stopped; used < last.Clocks[seat]-vacationSlack {
			w.fail("match %s: seat %d is out of time after %v of %v, and %v of vacation", m.info.ID, seat, used, last.Clocks[seat], stopped)
		}
	case e.Kind == match.EntryCredit && e.Reason == match.CreditVacation && e.Credit > stopped+vacationSlack:
		w.fail("match %s: %v are credited for %v of vacation", m.info.ID, e.Credit, stopped)
	}
}

// toMove returns the seat to move after a log.
func (m *storedMatch) toMove(log []match.Entry) int {
	s, err := match.New(m.info, log)
	if err != nil {
		return -1
	}
	return s.Snapshot(match.Now{Time: log[len(log)-1].At, Presence: make([]match.Presence, len(m.info.Seats))}).Position.Turn()
}
