package match

import "ayumu/engine"

// FeedItem is an entry of a match's log, an event of the match, or that entries were lost.
type FeedItem struct {
	Version  int             // of the match after it
	Entry    *Entry          // of the log, not to be changed; nil for others
	Position engine.Position // after the entry, or without those that were lost; nil for an event
	Swapped  bool            // the entry exchanged sides between seats
	Event    *Event          // nil for others
	Lost     bool            // the database has lost the entries after Version
}

// Feed reads the entries and events of one match from its snapshots, each once and in order. It is not safe
// for concurrent use.
type Feed struct {
	version int    // of the last entry that was read
	event   uint64 // the Seq of the last event that was read
	sides   sides  // of the seats at version
	lost    int    // of the last snapshot that was read
}

// NewFeed returns a feed of the entries after version and of the events that s does not have yet.
func NewFeed(s *Snapshot, version int) (Feed, error) {
	version = min(version, s.Version)
	p, err := s.PositionAt(version)
	if err != nil {
		return Feed{}, err
	}
	return Feed{version: version, event: s.lastEvent(), sides: newSides(p), lost: s.Lost}, nil
}

// Read calls visit for each entry and event of s that was not read before. It stops at the first error of
// visit or of the log. A snapshot older than the last one read has nothing new; a spectator of a delayed
// match can get one.
func (f *Feed) Read(s *Snapshot, visit func(FeedItem) error) error {
	if err := f.readLost(s, visit); err != nil || s.Version < f.version {
		return err
	}
	err := s.EachEntry(f.version, func(version int, e *Entry, p engine.Position) error {
		if err := f.readEvents(s, version, visit); err != nil {
			return err
		}
		now := newSides(p)
		item := FeedItem{Version: version, Entry: e, Position: p, Swapped: now != f.sides}
		f.version, f.sides = version, now
		return visit(item)
	})
	if err != nil {
		return err
	}
	return f.readEvents(s, s.Version+1, visit)
}

// readLost visits that entries were lost which have been read.
func (f *Feed) readLost(s *Snapshot, visit func(FeedItem) error) error {
	lost := s.Lost != f.lost && f.version > s.LostAfter
	f.lost = s.Lost
	if !lost {
		return nil
	}
	p, err := s.PositionAt(s.LostAfter)
	if err != nil {
		return err
	}
	now := newSides(p)
	item := FeedItem{Version: s.LostAfter, Position: p, Swapped: now != f.sides, Lost: true}
	f.version, f.sides = s.LostAfter, now
	return visit(item)
}

// readEvents visits the events before the entry that makes version.
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

// sides are the sides of all seats.
type sides [engine.MaxSeats]string

func newSides(p engine.Position) (all sides) {
	for i := range p.Seats() {
		all[i] = p.Side(i)
	}
	return all
}
