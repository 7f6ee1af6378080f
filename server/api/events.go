package api

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
)

// follow is a match that the program is told about.
type follow struct {
	m       *lobby.Match
	watcher *lobby.Watcher // nil: the program plays in it
	player  *lobby.Player  // nil: it watches
	seat    int            // -1 for a watcher
	version int            // it was told all entries up to here
	sides   string         // who played which side at that version
	players uint64         // the last line of the players' talk that it was told
	gallery uint64         // of the watchers'
	offers  []lobby.Offer
}

// follow begins to tell the program about a match. The caller sets the version.
func (p *program) follow(m *lobby.Match, code string) (*follow, error) {
	f := &follow{m: m, seat: -1, players: m.Players.Last(), gallery: m.Gallery.Last()}
	if seat, err := p.s.Sit(m.Info.ID); err == nil {
		f.player, f.seat = seat, seat.Seat()
	} else if f.watcher, err = p.s.Watch(m.Info.ID, code); err != nil {
		return nil, err
	}
	p.follows[m.Info.ID] = f
	return f, nil
}

// see returns what the program may see of the match now.
func (f *follow) see() *lobby.Snapshot {
	if f.watcher != nil {
		return f.watcher.Snapshot()
	}
	return f.player.Snapshot()
}

// rewind brings the rest in line with a version that was set.
func (f *follow) rewind(s *lobby.Snapshot) error {
	p, err := s.At(f.version)
	if err != nil {
		return err
	}
	f.sides, f.offers = sides(p), s.Offers
	return nil
}

// greet tells of the unfinished matches that were there before the program came.
func (p *program) greet() {
	for _, m := range p.s.Seated() {
		if !m.Snapshot().Over() {
			p.begin(m)
		} else {
			p.follows[m.Info.ID] = nil // known, and nothing to tell
		}
	}
	p.compareTables()
}

// begin tells of a match that the program plays in, and follows it.
func (p *program) begin(m *lobby.Match) {
	f, err := p.follow(m, "")
	if err != nil {
		return
	}
	s := f.see()
	f.version = s.Version
	if f.rewind(s) != nil {
		return
	}
	event := snapshot(s, f.seat, time.Now())
	event["event"] = "match"
	p.emit(event)
}

// events tells everything that the program has not been told.
func (p *program) events() {
	seated := p.s.Seated()
	for _, m := range seated {
		if _, known := p.follows[m.Info.ID]; !known {
			p.begin(m)
		}
	}
	for id, f := range p.follows {
		switch {
		case f != nil:
			if p.news(f); f.m.Gone() {
				p.drop(id, f)
			}
		case !slices.ContainsFunc(seated, func(m *lobby.Match) bool { return m.Info.ID == id }):
			delete(p.follows, id)
		}
	}
	p.talk(&p.s.Lobby().Chat, &p.chat, "", "lobby")
	p.compareTables()
}

// drop ends the following of a match.
func (p *program) drop(id string, f *follow) {
	if f.watcher != nil {
		f.watcher.Close()
	}
	delete(p.follows, id)
}

// news tells what is new in one match.
func (p *program) news(f *follow) {
	s := f.see()
	if s.Version < f.version {
		return // a watcher's delayed view is behind what it was told as a snapshot
	}
	err := s.Each(f.version, func(version int, e lobby.Entry, pos engine.Position) error {
		if event, ok := entry(s.Info, version, e, f.sides, pos); ok {
			p.emit(event)
		}
		f.version, f.sides = version, sides(pos)
		return p.broken
	})
	if err != nil && p.broken == nil {
		p.broken = err
	}
	if f.watcher == nil || s.Over() {
		p.talk(&f.m.Players, &f.players, s.Info.ID, "players")
	}
	if f.watcher != nil || s.Over() {
		p.talk(&f.m.Gallery, &f.gallery, s.Info.ID, "watchers")
	}
	p.offers(f, s)
}

// offers tells of offers that were not there before.
func (p *program) offers(f *follow, s *lobby.Snapshot) {
	for _, o := range s.Offers {
		fresh := true
		for _, old := range f.offers {
			fresh = fresh && (old.Kind != o.Kind || old.Seat != o.Seat || !old.At.Equal(o.At))
		}
		if fresh {
			p.emit(fields{"event": "offer", "match": s.Info.ID, "kind": o.Kind, "seat": o.Seat})
		}
	}
	f.offers = s.Offers
}

// talk tells what was said in a room since the last time.
func (p *program) talk(room *lobby.Chat, told *uint64, match, where string) {
	for _, l := range p.s.Heard(room, *told) {
		f := fields{"event": "chat", "room": where, "from": l.From, "text": l.Text, "time": stamp(l.At)}
		if match != "" {
			f["match"] = match
		}
		p.emit(f)
		*told = l.Seq
	}
}

// compareTables tells of tables that came, changed or went.
func (p *program) compareTables() {
	crowd := p.s.Lobby().Crowd()
	if p.tables != nil && crowd == p.crowd {
		return
	}
	p.crowd = crowd
	v := p.s.Lobby().View()
	you := p.s.Account().ID
	now := make(map[string]*lobby.Table)
	for _, t := range v.TablesFor(you) {
		now[t.ID] = t
		// What is open to all when the program comes is there for the asking (tables).
		if old := p.tables[t.ID]; old == nil && (p.tables != nil || t.Concerns(you)) || old != nil && !old.Equal(t) {
			f := table(t, you)
			f["event"] = "table"
			p.emit(f)
		}
	}
	for id := range p.tables {
		if now[id] == nil {
			p.emit(fields{"event": "table_gone", "table": id})
		}
	}
	p.tables = now
}
