package match

import (
	"fmt"
	"time"

	"ayumu/engine"
)

// folded is the state of a match that follows from its log.
type folded struct {
	position  engine.Position
	turnsMade []int // by seat; without turns that were taken back
	result    *engine.Result
	clocks    []time.Duration // after the last entry; nil before the first
}

// turnEntries returns the turns and leaves of a log that were not taken back, in a new slice.
func turnEntries(log []Entry) []Entry {
	var standing []Entry
	for _, e := range log {
		switch e.Kind {
		case EntryTurn, EntryLeave:
			standing = append(standing, e)
		case EntryUndo:
			standing = standing[:max(len(standing)-e.Undone, 0)]
		}
	}
	return standing
}

func firstPosition(info *Info) engine.Position { return info.Options.Game().New(info.Options) }

func applyEntry(p engine.Position, e Entry) (engine.Position, error) {
	if e.Kind == EntryLeave {
		return p.Leave(e.Seat)
	}
	return engine.PlayTurn(p, e.Actions)
}

// play plays the turns and leaves of further entries, which take nothing back. It checks no digests.
func (f *folded) play(info *Info, entries []Entry) error {
	var err error
	for _, e := range entries {
		switch e.Kind {
		case EntryTurn:
			if e.Seat != f.position.Turn() {
				return fmt.Errorf("match %s: a turn is by seat %d, not %d", info.ID, e.Seat, f.position.Turn())
			}
			f.turnsMade[e.Seat]++
		case EntryLeave:
		default:
			continue
		}
		if f.position, err = applyEntry(f.position, e); err != nil {
			return fmt.Errorf("match %s: turn %d: %w", info.ID, f.turns(), err)
		}
	}
	return nil
}

// turns returns the number of turns made.
func (f *folded) turns() (n int) {
	for _, made := range f.turnsMade {
		n += made
	}
	return n
}

// end sets what the last entry of the log says.
func (f *folded) end(log []Entry) {
	if len(log) > 0 {
		f.result, f.clocks = log[len(log)-1].Result, log[len(log)-1].Clocks
	}
}

// check returns an error if the digest of the last entry of the log is not that of the position.
func (f *folded) check(info *Info, version int, last Entry) error {
	if want, got := last.Digest, Digest(f.position); want != got {
		return fmt.Errorf("match %s: the position after entry %d has digest %s, the log says %s", info.ID, version, got, want)
	}
	return nil
}

// foldTurns computes the state after a log, without checking digests.
func foldTurns(info *Info, log []Entry) (folded, error) {
	f := folded{position: firstPosition(info), turnsMade: make([]int, len(info.Seats))}
	if err := f.play(info, turnEntries(log)); err != nil {
		return folded{}, err
	}
	f.end(log)
	return f, nil
}

// fold computes the state after a log and checks it against the digest of the last entry.
func fold(info *Info, log []Entry) (folded, error) {
	f, err := foldTurns(info, log)
	if err != nil || len(log) == 0 {
		return f, err
	}
	return f, f.check(info, len(log), log[len(log)-1])
}

// Positions returns the position before the first turn and after each turn or leave that was not taken
// back, as a replay shows them.
func (s *Snapshot) Positions() ([]engine.Position, error) {
	p := firstPosition(s.Info)
	var err error
	all := []engine.Position{p}
	for _, e := range turnEntries(s.Log) {
		if p, err = applyEntry(p, e); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// PositionAt returns the position after the first version entries of the log.
func (s *Snapshot) PositionAt(version int) (engine.Position, error) {
	if version >= s.Version {
		return s.Position, nil
	}
	st, err := foldTurns(s.Info, s.Log[:max(version, 0)])
	return st.position, err
}

// TurnEntries returns the turns and leaves that were not taken back, in order.
func (s *Snapshot) TurnEntries() []Entry { return turnEntries(s.Log) }

// EachEntry calls f for every entry after version from, oldest first, with the version that it made and the
// position after it. f must not change the entry. It stops at the first error of f or of the log.
func (s *Snapshot) EachEntry(from int, f func(version int, e *Entry, p engine.Position) error) error {
	if from == s.Version-1 {
		return f(s.Version, &s.Log[from], s.Position)
	}
	if from >= s.Version {
		return nil
	}
	p := firstPosition(s.Info)
	var err error
	all := []engine.Position{p} // before the first turn and after each turn that was not taken back
	for i, e := range s.Log {
		switch e.Kind {
		case EntryUndo:
			all = all[:max(len(all)-e.Undone, 1)]
		case EntryTurn, EntryLeave:
			if p, err = applyEntry(all[len(all)-1], e); err != nil {
				return err
			}
			all = append(all, p)
		}
		if i < from {
			continue
		}
		if err := f(i+1, &s.Log[i], all[len(all)-1]); err != nil {
			return err
		}
	}
	return nil
}

// VerifyLog replays a match's log and returns an error that names the first wrong entry: every turn must be
// legal, every digest that of its position, and an end be the last entry and present where the rules ended
// the game.
func VerifyLog(info *Info, log []Entry) error {
	p := firstPosition(info)
	wrong := func(version int, format string, args ...any) error {
		return fmt.Errorf("match %s: entry %d: %s", info.ID, version, fmt.Sprintf(format, args...))
	}
	all := []engine.Position{p} // before the first turn and after each turn that was not taken back
	for i, e := range log {
		last := all[len(all)-1]
		switch e.Kind {
		case EntryTurn, EntryLeave:
			if e.Kind == EntryTurn && e.Seat != last.Turn() {
				return wrong(i+1, "a turn of seat %d, where seat %d is to move", e.Seat, last.Turn())
			}
			next, err := applyEntry(last, e)
			if err != nil {
				return wrong(i+1, "%v", err)
			}
			all = append(all, next)
		case EntryUndo:
			if e.Undone < 1 || e.Undone >= len(all) {
				return wrong(i+1, "takes back %d of %d turns", e.Undone, len(all)-1)
			}
			all = all[:len(all)-e.Undone]
		case EntryEnd:
			if i != len(log)-1 {
				return wrong(i+2, "comes after the end")
			}
		}
		if got := Digest(all[len(all)-1]); got != e.Digest {
			return wrong(i+1, "the position has digest %s, the log says %s", got, e.Digest)
		}
	}
	if _, over := all[len(all)-1].Result(); over && log[len(log)-1].Kind != EntryEnd {
		return wrong(len(log), "the game is over, and no end is logged")
	}
	return nil
}
