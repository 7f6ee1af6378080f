package lobby

import "ayumu/engine"

// FeedItem is one thing that happened in a match: either an entry of its log or an event.
type FeedItem struct {
	Version  int             // of the match after it
	Entry    *Entry          // nil for an event
	Position engine.Position // after the entry; nil for an event
	Swapped  bool            // the entry exchanged the sides of seats
	Event    *MatchEvent     // nil for an entry
}

// Feed reads what happens in one match, each entry and event once and in order. It is not for
// concurrent use.
type Feed struct {
	version int    // of the last entry that was read
	event   uint64 // the number of the last event that was read
	sides   string // the sides of the seats at version
}

// NewFeed returns a feed of everything that follows version in the match of a snapshot. Events that
// the snapshot has already are left out.
func NewFeed(s *Snapshot, version int) (Feed, error) {
	version = min(version, s.Version)
	p, err := s.PositionAt(version)
	if err != nil {
		return Feed{}, err
	}
	return Feed{version: version, event: s.lastEvent(), sides: sidesOf(p)}, nil
}

// Version returns the version of the last entry that was read.
func (f *Feed) Version() int { return f.version }

// Read calls tell for everything in a snapshot that was not read before. It stops at the first error
// of tell, or of the log. A snapshot that is older than what was read has nothing new: the one that
// a spectator of a delayed match sees can be.
func (f *Feed) Read(s *Snapshot, visit func(FeedItem) error) error {
	if s.Version < f.version {
		return nil
	}
	err := s.EachEntry(f.version, func(version int, e Entry, p engine.Position) error {
		if err := f.readEvents(s, version, visit); err != nil {
			return err
		}
		now := sidesOf(p)
		n := FeedItem{Version: version, Entry: &e, Position: p, Swapped: now != f.sides}
		f.version, f.sides = version, now
		return visit(n)
	})
	if err != nil {
		return err
	}
	return f.readEvents(s, s.Version+1, visit)
}

// readEvents reads the events before the entry that makes a version.
func (f *Feed) readEvents(s *Snapshot, version int, visit func(FeedItem) error) error {
	for i := range s.Events {
		e := &s.Events[i]
		if e.Seq <= f.event || e.Version >= version {
			continue
		}
		f.event = e.Seq
		if err := visit(FeedItem{Version: e.Version, Event: e}); err != nil {
			return err
		}
	}
	return nil
}

// sidesOf returns the sides of all seats as a text to compare.
func sidesOf(p engine.Position) string {
	var s string
	for i := range p.Seats() {
		s += p.Side(i) + " "
	}
	return s
}
