package api

import (
	"slices"
	"time"

	"ayumu/lobby"
)

// follow is a match that the program is told about.
type follow struct {
	m       *lobby.Match
	watcher *lobby.Watcher // nil: the program plays in it
	player  *lobby.Player  // nil: it watches
	seat    int            // -1 for a watcher
	feed    lobby.Feed     // what it was sent of the match
	players uint64         // the last line of the players' talk that it was told
	gallery uint64         // of the watchers'
	away    []lobby.Away   // as it was last sent
}

// follow begins to tell the program about a match. The caller starts its feed.
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

// start has everything follow as events that comes after a version, of what is no entry of the log
// only what is not in the snapshot.
func (f *follow) start(s *lobby.Snapshot, version int) (err error) {
	f.feed, err = lobby.NewFeed(s, version)
	f.away = s.Away
	return err
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
	if f.start(s, s.Version) != nil {
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
	p.closedTables()
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
	err := f.feed.Read(s, func(n lobby.News) error {
		switch {
		case n.Event != nil:
			p.emit(matchEvent(s.Info, n.Event))
		default:
			if event, ok := entry(s, n); ok {
				p.emit(event)
			}
		}
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
	p.presence(f, s)
}

// presence tells of players who are newly away, can be claimed against, or are back.
func (p *program) presence(f *follow, s *lobby.Snapshot) {
	for seat, now := range s.Away {
		before := f.away[seat]
		switch {
		case s.Over() || now == before:
		case now.Since.IsZero():
			p.emit(fields{"event": "back", "match": s.Info.ID, "seat": seat})
		default:
			event := awayForm(seat, now)
			event["event"], event["match"] = "away", s.Info.ID
			p.emit(event)
		}
	}
	f.away = s.Away
}

// closedTables tells why tables that concerned the program are no longer open to it.
func (p *program) closedTables() {
	for _, e := range p.s.TableEvents(p.closed) {
		p.closed = e.Seq
		p.emit(fields{"event": e.Kind, "table": e.Table.ID, "by": e.By})
	}
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
