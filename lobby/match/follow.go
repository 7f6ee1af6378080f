package match

import (
	"slices"

	"ayumu/lobby/clock"
)

// followInput is an InputLogFollowed or InputAgreementsFollowed that is being taken over.
type followInput Input

// apply takes over what another node has recorded. If it does not fit the match's log, the whole log is read.
func (f followInput) apply(x *step) {
	switch {
	case f.Kind == InputAgreementsFollowed:
		if !f.takeAgreements(x) {
			x.readLog(logRequest{following: true})
		}
	case len(f.Entries) > 0 || f.After != NewLogEnd(x.log.entries):
		f.extendLog(x)
	}
}

// logRead goes on after the log has been read, or could not be read.
func (f followInput) logRead(x *step) {
	if f.Kind == InputAgreementsFollowed && !f.takeAgreements(x) {
		x.ahead = &f
	}
}

// takeAgreements takes over a row that another node has written. It returns false if the row was written on
// a longer log than the match has. A row that cannot be read is reported and ignored.
func (f followInput) takeAgreements(x *step) bool {
	if f.AgreementsVersion <= x.agreementsVersion {
		return true
	}
	a, ahead, err := decodeAgreements(f.Agreements, x.log.entries)
	if err != nil {
		x.effects.Report = &Report{"agreements not read", err}
		a = x.agreements
	}
	if ahead {
		return false
	}
	x.agreements, x.agreementsVersion, x.changed, x.ahead = a, f.AgreementsVersion, true, nil
	return true
}

// extendLog adds the entries to the log. During an outage it is doubtful what is recorded, so that the log is
// read.
func (f followInput) extendLog(x *step) {
	next, err := x.foldOn(f.Entries)
	if err != nil || f.After != NewLogEnd(x.log.entries) || x.IsSuspended() || x.IsOver() {
		x.readLog(logRequest{following: true})
		return
	}
	x.void(x.Version(), f.Entries)
	for _, e := range f.Entries {
		if e.Kind == EntryTurn {
			x.effects.ClearDrafts |= 1 << e.Seat
		}
	}
	x.log = x.log.append(f.Entries...)
	x.adopt(next)
	if !x.IsOver() {
		x.clock.Start(x.position.Turn(), x.lastAt)
	}
	x.logChanged(nil)
}

// foldOn returns the state after further entries, and checks it against the digest of the last one.
func (s *State) foldOn(entries []Entry) (folded, error) {
	if len(entries) == 0 {
		return s.folded, nil
	}
	if slices.ContainsFunc(entries, func(e Entry) bool { return e.Kind == EntryUndo }) {
		return fold(s.Info, slices.Concat(s.log.entries, entries))
	}
	f := folded{position: s.position, turnsMade: slices.Clone(s.turnsMade)}
	if err := f.play(s.Info, entries); err != nil {
		return folded{}, err
	}
	f.end(entries)
	return f, f.check(s.Info, s.Version()+len(entries), entries[len(entries)-1])
}

// adopt makes the state that follows from the log the match's, which has just been replaced or extended. Its
// clock is stopped.
func (s *State) adopt(f folded) {
	s.folded, s.lastAt = f, s.Info.Started
	if n := s.Version(); n > 0 {
		s.lastAt = s.log.entries[n-1].At
	}
	if s.clock = s.clock.Clone(); f.clocks != nil {
		s.clock.Restore(f.clocks)
	} else {
		s.clock = clock.New(s.Info.Control, len(s.Info.Seats))
	}
}
