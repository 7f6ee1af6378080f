package lobby

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// Draft is a turn that a seat is preparing: actions on a version of the match. Only the seat's own sessions see
// it.
type Draft struct {
	Version int      `json:"version"`
	Actions []string `json:"actions"`
}

// ApplyTo replays a draft on a snapshot. It returns the position after the longest legal prefix of its
// actions, that prefix, and whether actions were dropped. All actions are dropped if it is not the seat's
// turn. A draft on a later version counts as empty: the snapshot is about to be replaced.
func (d Draft) ApplyTo(s *match.Snapshot, seat int) (p engine.Position, legal []string, cut bool) {
	p = s.Position
	if d.Version > s.Version {
		return p, nil, false
	}
	if s.IsOver() || p.Turn() != seat {
		return p, nil, len(d.Actions) > 0
	}
	for i, a := range d.Actions {
		next, err := p.Play(a)
		if err != nil || !next.MidTurn() && i < len(d.Actions)-1 {
			return p, d.Actions[:i], true
		}
		p = next
	}
	return p, d.Actions, false
}

// seatDraft is the draft of a seat, of which several nodes know. The zero value is empty. It is not safe for concurrent use.
//
// Each node on which a session of the seat has changed the draft writes a row. Of several rows the one counts that
// was made with knowledge of the others, which has the highest count; of rows that were made at the same time, that
// of the node with the higher name.
type seatDraft struct {
	draft Draft
	count uint64
	node  string // that changed it last
	made  int    // the version that the seat's last turn made
}

// draftRow is the content of a row.
type draftRow struct {
	Draft
	Count uint64 `json:"count"`
}

// set replaces the draft by one of this node.
func (s *seatDraft) set(d Draft, node string) { s.draft, s.count, s.node = d, s.count+1, node }

// row returns the content of the row for the draft, if it is one of this node.
func (s *seatDraft) row() *draftRow { return &draftRow{s.draft, s.count} }

// follow takes over the row of a node, unless the draft is newer or the log has a later turn of the seat. It reports
// whether the draft has changed.
func (s *seatDraft) follow(seat int, log []match.Entry, node string, r *draftRow) (changed bool) {
	if r.Version < max(s.made, lastTurn(seat, log)) {
		return false // of a turn that was made meanwhile
	}
	if cmp.Or(cmp.Compare(r.Count, s.count), cmp.Compare(node, s.node)) <= 0 {
		return false
	}
	s.draft, s.count, s.node = r.Draft, r.Count, node
	return true
}

// lastTurn returns the version that the last turn of a seat has made; 0 if there is none.
func lastTurn(seat int, log []match.Entry) int {
	for i, e := range slices.Backward(log) {
		if e.Kind == match.EntryTurn && e.Seat == seat {
			return i + 1
		}
	}
	return 0
}

// clear empties the draft after a turn of the seat, which made a version.
func (s *seatDraft) clear(made int) { s.draft, s.made = Draft{}, made }

// Draft returns the seat's draft.
func (p *Player) Draft() Draft {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	return p.m.drafts[p.seat].draft
}

// SetDraft replaces the seat's draft, which all sessions of the seat show.
func (p *Player) SetDraft(version int, actions []string) error {
	if len(actions) > match.MaxActions {
		return errcode.Errorf(errcode.IllegalAction, "a turn has at most %d actions", match.MaxActions)
	}
	p.m.setDraft(p.seat, Draft{Version: version, Actions: slices.Clone(actions)})
	return nil
}

func (m *Match) setDraft(seat int, d Draft) {
	m.mu.Lock()
	m.drafts[seat].set(d, m.l.rows.Node)
	m.l.rows.drafts.Put(m.draftID(seat), m.drafts[seat].row())
	m.mu.Unlock()
	m.seats[seat].wake()
}

// clearDrafts drops the drafts of seats, a bit for each, whose turns were recorded and have made a version. The
// call of publish that follows wakes their sessions.
func (m *Match) clearDrafts(seats uint8, made int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for seat := range m.drafts {
		if seats&(1<<seat) != 0 {
			m.drafts[seat].clear(made)
			m.unshareDraft(seat)
		}
	}
}

// draftID returns the id of the draft of a seat among the rows.
func (m *Match) draftID(seat int) string { return m.Info.ID + "/" + strconv.Itoa(seat) }

// unshareDraft deletes this node's row of the draft of a seat. The caller holds m.mu.
func (m *Match) unshareDraft(seat int) { m.l.rows.drafts.Put(m.draftID(seat), nil) }

// followDraft takes over the draft of a seat that a session has made on another node, or on this one before it was
// started again.
func (f follower) followDraft(_ context.Context, node, id string, next rows.State[draftRow]) error {
	match, number, _ := strings.Cut(id, "/")
	m := f.l.matches.get(match)
	seat, err := strconv.Atoi(number)
	if m == nil || err != nil || seat < 0 || seat >= len(m.seats) || next.Value == nil {
		return nil
	}
	m.mu.Lock()
	changed := m.drafts[seat].follow(seat, m.playerSnapshot.Load().Log, node, next.Value)
	m.mu.Unlock()
	if changed {
		m.seats[seat].wake()
	}
	return nil
}
