package match

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/text"
)

// Bounds of the conditions of a seat.
const (
	MaxConditions     = 16       // conditions of a seat
	MaxConditionTurns = 24       // turns of a condition
	MaxConditionData  = 16 << 10 // bytes of their stored form
)

// TurnByCondition is the Entry.Reason of a turn that was played for its player by a condition. Other turns have none.
const TurnByCondition = "condition"

// Conditions are the conditional moves of a seat: turns with which the server answers for the player. Each condition
// is a variation from the position after After, which begins with a turn of the opponent. A turn that leads to the
// same position as the first of a condition is answered with the second, and what follows stays armed. The
// value is immutable. Only the seat's player may see it before its turns are played.
type Conditions struct {
	Seat  int
	After LogEnd // of the log at which the conditions were made
	All   []Condition
}

// Condition is a variation, which ends with a turn of the player to whom it belongs.
type Condition []ConditionTurn

// ConditionTurn is a turn of a condition.
type ConditionTurn struct {
	Seat    int
	Actions []string // in the form of Entry.Actions
	Digest  string   // of the position after the turn
}

// ConditionsRow is the stored form of the conditions of one seat.
type ConditionsRow struct {
	Seat    int
	Version int64 // number of changes; 0: the seat has never had any
	Data    []byte
}

// StoredConditions are the rows of all seats of a match that have had conditions.
type StoredConditions struct {
	// Version is from 1 on, and another number after each change of one of the rows: one that the store draws at random,
	// because a number of changes comes again after a standby without the last of them has taken the store's place.
	Version int64
	Rows    []ConditionsRow
}

// Row returns the row of a seat; that of a seat that has never had conditions is empty.
func (s StoredConditions) Row(seat int) ConditionsRow {
	for _, r := range s.Rows {
		if r.Seat == seat {
			return r
		}
	}
	return ConditionsRow{Seat: seat}
}

// HasConditions reports whether the players of a match can have conditions: there are two, and days for each turn.
func (i *Info) HasConditions() bool { return len(i.Seats) == 2 && i.Control.IsCorrespondence() }

// storedConditions is what the data of a row contains, as JSON.
type storedConditions struct {
	Version int           `json:"version"`
	Last    string        `json:"last"`
	All     [][]storeTurn `json:"conditions"`
}

type storeTurn struct {
	Seat    int      `json:"seat"`
	Actions []string `json:"actions"`
	Digest  string   `json:"digest"`
}

// encode returns the stored form.
func (c Conditions) encode() []byte {
	s := storedConditions{Version: c.After.Version, Last: hex.EncodeToString(c.After.Last[:])}
	for _, condition := range c.All {
		var turns []storeTurn
		for _, t := range condition {
			turns = append(turns, storeTurn(t))
		}
		s.All = append(s.All, turns)
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // no field can fail
	}
	return data
}

// ReadConditions returns the conditions of a row that are armed after a log: what is left of them after the entries
// that followed them. It returns an error if the row cannot be read.
func ReadConditions(r ConditionsRow, log []Entry) (Conditions, error) {
	armed := Conditions{Seat: r.Seat, After: NewLogEnd(log)}
	if len(r.Data) == 0 {
		return armed, nil
	}
	var s storedConditions
	if err := json.Unmarshal(r.Data, &s); err != nil {
		return armed, fmt.Errorf("conditions of seat %d: %w", r.Seat, err)
	}
	after := LogEnd{Version: s.Version}
	if n, err := hex.Decode(after.Last[:], []byte(s.Last)[:min(len(s.Last), 2*len(after.Last))]); err != nil || n != len(after.Last) {
		return armed, fmt.Errorf("conditions of seat %d: they follow entry %q", r.Seat, s.Last)
	}
	if after.Version < 0 || after.Version > len(log) || NewLogEnd(log[:after.Version]) != after {
		return armed, nil // the database has lost entries
	}
	for _, turns := range s.All {
		var c Condition
		for _, t := range turns {
			c = append(c, ConditionTurn(t))
		}
		armed.All = append(armed.All, c)
	}
	for _, e := range log[after.Version:] {
		armed.All = afterEntry(armed.All, e)
	}
	// An answer that was not played with the turn before it is not played any more.
	armed.All = slices.DeleteFunc(armed.All, func(c Condition) bool { return c[0].Seat == r.Seat })
	return armed, nil
}

// afterEntry returns what is left of conditions after a further entry of the log.
func afterEntry(all []Condition, e Entry) (left []Condition) {
	switch e.Kind {
	case EntryCredit:
		return all
	case EntryTurn:
		for _, c := range all {
			if c[0].Seat == e.Seat && c[0].Digest == e.Digest && len(c) > 1 {
				left = append(left, c[1:])
			}
		}
	}
	return left
}

// Add returns the conditions with another one, which begins in the newest position of s. Turns of the opponent at the
// end are left out. A condition that continues one of the others takes its place.
func (c Conditions) Add(s *Snapshot, turns [][]string) (Conditions, error) {
	added, err := c.read(s, turns)
	if err != nil {
		return c, err
	}
	next := Conditions{Seat: c.Seat, After: NewLogEnd(s.Log)}
	for i, o := range c.All {
		n := commonTurns(o, added)
		switch {
		case n == len(added):
			return c, errcode.Errorf(errcode.NotAllowed, "conditional move %d already has these moves", i+1)
		case n == len(o):
			continue // it is continued
		case added[n].Seat == c.Seat:
			return c, errcode.Errorf(errcode.NotAllowed, "conditional move %d already answers that move with %s; delete it first", i+1, o[n].Text())
		}
		next.All = append(next.All, o)
	}
	if next.All = append(next.All, added); len(next.All) > MaxConditions {
		return c, errcode.Errorf(errcode.NotAllowed, "you have %s in this game; delete one first", text.Plural(len(c.All), "conditional move"))
	}
	if len(next.encode()) > MaxConditionData {
		return c, errcode.Errorf(errcode.NotAllowed, "your conditional moves in this game are too long; delete one first")
	}
	return next, nil
}

// read plays the turns of a condition, all of which must be legal.
func (c Conditions) read(s *Snapshot, turns [][]string) (Condition, error) {
	if len(turns) > MaxConditionTurns {
		return nil, errcode.Errorf(errcode.NotAllowed, "a conditional move has at most %d moves", MaxConditionTurns)
	}
	var read Condition
	own := 0
	p := s.Position
	for i, actions := range turns {
		t := ConditionTurn{Seat: p.Turn(), Actions: NormalActions(actions)}
		if len(actions) > MaxActions {
			return nil, errcode.Errorf(errcode.IllegalAction, "a turn has at most %d actions", MaxActions)
		}
		next, err := engine.PlayTurn(p, t.Actions)
		if err != nil {
			return nil, errcode.Errorf(errcode.IllegalAction, "move %d of the conditional move, %s: %v", i+1, engine.Excerpt(t.Text()), err)
		}
		p, t.Digest = next, Digest(next)
		if read = append(read, t); t.Seat == c.Seat {
			own = len(read)
		}
	}
	if own < 2 {
		return nil, errcode.Errorf(errcode.BadRequest, "a conditional move is a move of your opponent and your answer to it")
	}
	return read[:own], nil
}

// commonTurns returns the number of turns with which both conditions begin.
func commonTurns(a, b Condition) int {
	n := 0
	for n < min(len(a), len(b)) && a[n].Digest == b[n].Digest {
		n++
	}
	return n
}

// Remove returns the conditions without one of them, counted from 0.
func (c Conditions) Remove(s *Snapshot, n int) (Conditions, error) {
	if n < 0 || n >= len(c.All) {
		return c, errcode.Errorf(errcode.BadRequest, "there is no conditional move %d", n+1)
	}
	return Conditions{c.Seat, NewLogEnd(s.Log), slices.Delete(slices.Clone(c.All), n, n+1)}, nil
}

// Row returns the row to store instead of one with that version.
func (c Conditions) Row(replaces int64) ConditionsRow {
	return ConditionsRow{c.Seat, replaces + 1, c.encode()}
}

// CheckChange returns why the player of a seat cannot change conditions at a version of the match; nil: they can.
func (s *Snapshot) CheckChange(seat, version int) error {
	switch {
	case !s.Info.HasConditions():
		return errcode.Errorf(errcode.NotAllowed, "conditional moves are for correspondence games of two players")
	case s.IsOver():
		return errcode.Errorf(errcode.GameOver, "the game is over")
	case version != s.Version:
		return errcode.Errorf(errcode.StaleVersion, "the game is at version %d, not %d", s.Version, version)
	case s.Position.Turn() == seat:
		return errcode.Errorf(errcode.NotAllowed, "it is your turn; conditional moves answer your opponent's next move")
	}
	return nil
}

// Text returns the actions of the turn.
func (t ConditionTurn) Text() string { return strings.Join(t.Actions, ", ") }

// NormalActions returns actions in the form of Entry.Actions.
func NormalActions(actions []string) []string {
	normal := make([]string, len(actions))
	for i, a := range actions {
		normal[i] = strings.Join(strings.Fields(strings.ToLower(a)), " ")
	}
	return normal
}

// conditionsJob is what a command knows of the conditions of the match.
type conditionsJob struct {
	isRead   bool
	version  int64 // of StoredConditions
	opponent Conditions
	repeated int // how often they had changed before the turn was recorded
}

// maxConditionChanges is how often the conditions may have changed before a turn is recorded. Each change is charged
// to the budget of the player who makes it.
const maxConditionChanges = 10

// read goes on with a turn after the conditions of the match have been read.
func (t *conditionsJob) read(x *step, stored StoredConditions) {
	t.isRead, t.version = true, stored.Version
	var err error
	if t.opponent, err = ReadConditions(stored.Row(1-x.job.command.Seat), x.log.entries); err != nil {
		x.effects.Report = &Report{"conditions not read", err}
	}
	x.continueCommand(x.job.command.run(x)) // again
}

// changed repeats the command after a turn was not recorded because the conditions had changed, and reports whether it
// does.
func (t *conditionsJob) changed(x *step) bool {
	if !t.isRead || x.job.stage != stageCommand || t.repeated == maxConditionChanges {
		return false
	}
	x.job.transition = transition{}
	t.repeated++
	x.execute()
	return true
}

// answerByConditions adds the turns with which the opponent's conditions answer the turn that was added last.
func (n *transition) answerByConditions(c Conditions) {
	turn := n.entries[len(n.entries)-1]
	all := afterEntry(c.All, turn)
	for len(all) > 0 && all[0][0].Seat == c.Seat && n.position.Turn() == c.Seat {
		answer := all[0][0]
		pos, err := engine.PlayTurn(n.position, answer.Actions)
		if err != nil || Digest(pos) != answer.Digest {
			return // what is stored is checked again, and is not played if it does not fit
		}
		n.clock.Start(c.Seat, turn.At)
		n.clock.EndTurn(turn.At, 0)
		e := Entry{Kind: EntryTurn, Seat: c.Seat, Actions: answer.Actions, Reason: TurnByCondition, At: turn.At}
		n.add(pos, e)
		all = afterEntry(all, n.entries[len(n.entries)-1])
	}
}
