package simulation

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// appended checks entries that the store has just recorded.
func (w *world) appended(m *storedMatch, entries []match.Entry) {
	end := match.NewLogEnd(m.log)
	sent := w.appends[appendKey{m.info.ID, end.Last}]
	before := m.log[:end.Version-len(entries)]
	switch {
	case sent == nil:
		w.fail("match %s: nobody has sent %+v", m.info.ID, entries)
		return
	case match.NewLogEnd(before) != sent.after:
		w.fail("match %s: entries for the log of %v are recorded after %v", m.info.ID, sent.after, match.NewLogEnd(before))
		return
	}
	for i, e := range entries {
		if v := len(before) + i; v > 0 && e.At.Before(m.log[v-1].At) {
			w.fail("match %s: entry %d is earlier than the one before: %+v", m.info.ID, v+1, e)
		}
		w.checkEntry(m, before, e)
	}
	w.checkConditions(m, before, entries)
	w.checkVacations(m, before, entries[0])
	if c := sent.command; c != nil && entries[0].Kind == match.EntryTurn {
		c.recordedAt = w.now
		if c.answered && !c.ok && c.code != errcode.Unavailable {
			w.fail("match %s: a turn is recorded after it was refused with %q: %+v", m.info.ID, c.code, c.Command)
		}
	}
}

func (w *world) checkEntry(m *storedMatch, before []match.Entry, e match.Entry) {
	switch e.Kind {
	case match.EntryCredit:
		w.seen["credit "+e.Reason]++
		for _, o := range slices.Backward(before) {
			if o.Kind != match.EntryCredit {
				break
			}
			if e.Reason == match.CreditNodeDied && o.Reason == e.Reason {
				w.fail("match %s: two credits for a node in one turn", m.info.ID)
			}
		}
	case match.EntryUndo:
		w.seen["undo"]++
	case match.EntryLeave:
		if w.seen["leave "+e.Reason]++; e.Reason == match.LeftTime {
			w.checkTime(m, len(before), e)
		}
	case match.EntryEnd:
		w.seen["end "+e.Result.Reason]++
		if e.Result.Reason == engine.ReasonTime || e.Reason == string(match.AbortFirstTurn) {
			w.checkTime(m, len(before), e)
		}
		if e.Reason == string(match.AbortPlayer) && (len(m.info.Seats) != 2 || e.TurnsMade[0] > 0 && e.TurnsMade[1] > 0) {
			w.fail("match %s: a player has aborted it: %+v", m.info.ID, e)
		}
	}
}

// checkTime checks that no turn is being recorded that arrived in time at a node that can record it.
func (w *world) checkTime(m *storedMatch, version int, e match.Entry) {
	for _, c := range w.commands {
		if c.Kind == match.CommandTurn && c.match == m.info.ID && c.Version == version && !c.answered && c.At.Before(e.At) &&
			c.node.life == c.life && c.node.failedAt < c.arrivedAt && w.now >= c.node.cutUntil && w.now >= w.store.downUntil && c.isSure && !c.waited &&
			c.arrivedAt-c.session > 2*time.Second {
			w.fail("match %s: a seat is out of time at %v, and its turn arrived at %v on %s: %+v", m.info.ID, e.At.Sub(epoch), c.At.Sub(epoch), c.node.name, c)
		}
	}
}

// checkSent checks an append that a node sends for the first time.
func (w *world) checkSent(r *replica, sent *sentAppend) {
	c, e := r.command, sent.entries[0]
	if c != nil && e.Kind != match.EntryTurn {
		c.waited = true
	}
	claimed := e.Kind == match.EntryEnd && e.Result.Reason == engine.ReasonLeft || e.Kind == match.EntryLeave && e.Reason == match.LeftAbsent
	if claimed && c != nil {
		w.seen["claimed"]++
		if c.targetHere {
			w.fail("match %s: claimed from a player who is present: %+v", r.id, c.Command)
		}
	}
}

// checkAnswer checks the answer to a turn against the log in the store.
func (w *world) checkAnswer(c *command) {
	m := w.store.matches[c.match]
	if c.ok && c.recordedAt == 0 && c.isRecorded(m) { // the same turn again
		last := c.made - 1
		for m.log[last].AppendID == (match.AppendID{}) { // conditional turns or the end follow
			last++
		}
		c.recordedAt = w.appends[appendKey{c.match, m.log[last].AppendID}].command.recordedAt
	}
	switch {
	case c.ok && c.recordedAt == 0 && w.failedOverSince(c.arrivedAt):
		c.lost = true
	case c.ok && c.recordedAt == 0:
		w.fail("match %s: a turn that is not recorded is acknowledged: %+v", c.match, c.Command)
	case c.ok && !c.lost && !c.isRecorded(m):
		w.fail("match %s: turn %d is acknowledged, the log has %+v", c.match, c.made, m.log)
	case !c.ok && c.code != errcode.Unavailable && c.recordedAt != 0 && !w.failedOverSince(c.arrivedAt):
		w.fail("match %s: a turn is recorded, and refused with %q: %+v", c.match, c.code, c.Command)
	}
}

// isRecorded reports whether the turn is in the log where its answer says.
func (c *command) isRecorded(m *storedMatch) bool {
	if c.made < 1 || c.made > len(m.log) {
		return false
	}
	e := m.log[c.made-1]
	return e.Kind == match.EntryTurn && e.Seat == c.Seat && slices.Equal(e.Actions, c.Actions)
}

func (w *world) failedOverSince(at time.Duration) bool { return w.store.failedOverAt > at }

// startedMatch checks that no request has led to two matches: with a match, all earlier requests of its players end.
func (w *world) startedMatch(info *match.Info, requests map[account.ID]int) {
	w.seen["match started"]++
	w.checkStart(info)
	for _, seat := range info.Seats {
		for _, before := range w.starts {
			if _, played := before.requests[seat.Account]; played && w.store.requested[requests[seat.Account]] < before.at {
				w.fail("%s has match %s by a request that ended with match %s", seat.Name, info.ID, before.match)
			}
		}
	}
	w.starts = append(w.starts, started{w.now, info.ID, maps.Clone(requests)})
}

// endMatches has one seat of each running match resign, which every match has to accept after the faults. A match of
// three goes on, and ends with the next.
func (w *world) endMatches() {
	w.after(3*time.Second, func() {
		if w.now < runTime+healTime {
			w.endMatches()
		}
	})
	for _, id := range slices.Sorted(maps.Keys(w.store.matches)) {
		if w.store.matches[id].isOver() {
			continue
		}
		n := w.nodes[w.r.IntN(len(w.nodes))]
		r := n.matches[id]
		if r == nil {
			w.fail("%s does not have the running match %s", n.name, id)
			return
		}
		seat := 0
		for r.snapshot.Position.HasLeft(seat) {
			seat++
		}
		c := &command{
			Command: match.Command{Kind: match.CommandResign, Seat: seat, At: n.sharedTime()}, w: w,
			account: r.state.Info.Seats[seat].Account, match: id, node: n,
		}
		r.input(match.Input{Kind: match.InputCommand, Command: &c.Command}, c)
	}
}

// checkHealed checks that after the faults all nodes agree with the store, and what holds of whole matches.
func (w *world) checkHealed() {
	played := make(map[account.ID]int)
	for _, id := range slices.Sorted(maps.Keys(w.store.matches)) {
		m := w.store.matches[id]
		if err := match.VerifyLog(m.info, m.log); err != nil {
			w.fail("%v", err)
		}
		want := 0
		if m.info.Rated {
			want = 1
			for _, seat := range m.info.Seats {
				played[seat.Account]++
			}
		}
		if !m.isOver() || m.rated != want {
			w.fail("match %s cannot end, or has changed the ratings %d times", id, m.rated)
			continue
		}
		w.checkReplicas(m)
	}
	for _, p := range w.players {
		if id := account.ID(p.id); w.store.played[id] != played[id] {
			w.fail("account %d has played %d rated matches, its rating knows %d", id, played[id], w.store.played[id])
		}
	}
	for _, c := range w.commands {
		if c.Kind == match.CommandTurn && c.ok && !c.lost && !c.isRecorded(w.store.matches[c.match]) {
			w.fail("match %s: the acknowledged turn %d is missing: %+v", c.match, c.made, c.Command)
		}
	}
}

// checkReplicas compares the replicas of a match.
func (w *world) checkReplicas(m *storedMatch) {
	first := ""
	for _, n := range w.nodes {
		r := n.matches[m.info.ID]
		if r == nil {
			continue // it started after the end
		}
		s := r.snapshot
		if r.end() != match.NewLogEnd(m.log) || r.state.IsSuspended() || r.busy || len(r.queue) > 0 {
			w.fail("%s has match %s at %v, the store at %v", n.name, m.info.ID, r.end(), match.NewLogEnd(m.log))
			return
		}
		text := fmt.Sprintf("%s %v %v", s.Position, s.Clocks, s.Result)
		if w.seen["failover"] == 0 { // nobody knows that a row was lost until it is written again
			text += fmt.Sprint(s.Offers, s.Events)
		}
		if first == "" {
			first = text
		}
		if text != first {
			w.fail("match %s differs between the nodes:\n%s\n%s", m.info.ID, first, text)
		}
	}
}
