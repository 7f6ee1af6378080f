package api

import (
	"slices"
	"time"

	"ayumu/lobby"
)

// subscription is a match that the program is told about.
type subscription struct {
	m                 *lobby.Match
	spectator         *lobby.Spectator // nil: the program plays in it
	player            *lobby.Player    // nil: it watches
	seat              int              // -1 for a watcher
	feed              lobby.Feed       // what it was sent of the match
	lastPlayerChat    uint64           // the last line of the players' talk that it was told
	lastSpectatorChat uint64           // of the watchers'
	away              []lobby.Away     // as it was last sent
}

// subscribe begins to tell the program about a match. The caller starts its feed.
func (p *conn) subscribe(m *lobby.Match, code string) (*subscription, error) {
	f := &subscription{m: m, seat: -1, lastPlayerChat: m.PlayerChat.Last(), lastSpectatorChat: m.SpectatorChat.Last()}
	if seat, err := p.s.Sit(m.Info.ID); err == nil {
		f.player, f.seat = seat, seat.Seat()
	} else if f.spectator, err = p.s.Watch(m.Info.ID, code); err != nil {
		return nil, err
	}
	p.subscriptions[m.Info.ID] = f
	return f, nil
}

// snapshot returns what the program may see of the match now.
func (f *subscription) snapshot() *lobby.Snapshot {
	if f.spectator != nil {
		return f.spectator.Snapshot()
	}
	return f.player.Snapshot()
}

// start has everything follow as events that comes after a version, of what is no entry of the log
// only what is not in the snapshot.
func (f *subscription) start(s *lobby.Snapshot, version int) (err error) {
	f.feed, err = lobby.NewFeed(s, version)
	f.away = s.Away
	return err
}

// sendUnfinished tells of the unfinished matches that were there before the program came.
func (p *conn) sendUnfinished() {
	for _, m := range p.s.SeatedMatches() {
		if !m.Snapshot().IsOver() {
			p.sendMatch(m)
		} else {
			p.subscriptions[m.Info.ID] = nil // known, and nothing to tell
		}
	}
	p.sendTables()
}

// sendMatch tells of a match that the program plays in, and follows it.
func (p *conn) sendMatch(m *lobby.Match) {
	f, err := p.subscribe(m, "")
	if err != nil {
		return
	}
	s := f.snapshot()
	if f.start(s, s.Version) != nil {
		return
	}
	event := snapshotFields(s, f.seat, time.Now())
	event["event"] = "match"
	p.write(event)
}

// sendEvents tells everything that the program has not been told.
func (p *conn) sendEvents() {
	seated := p.s.SeatedMatches()
	for _, m := range seated {
		if _, known := p.subscriptions[m.Info.ID]; !known {
			p.sendMatch(m)
		}
	}
	for id, f := range p.subscriptions {
		switch {
		case f != nil:
			if p.sendNews(f); f.m.IsForgotten() {
				p.unsubscribe(id, f)
			}
		case !slices.ContainsFunc(seated, func(m *lobby.Match) bool { return m.Info.ID == id }):
			delete(p.subscriptions, id)
		}
	}
	p.sendChat(&p.s.Lobby().Chat, &p.lastChat, "", "lobby")
	p.sendClosedTables()
	p.sendTables()
}

// unsubscribe ends the following of a match.
func (p *conn) unsubscribe(id string, f *subscription) {
	if f.spectator != nil {
		f.spectator.Close()
	}
	delete(p.subscriptions, id)
}

// sendNews tells what is new in one match.
func (p *conn) sendNews(f *subscription) {
	s := f.snapshot()
	err := f.feed.Read(s, func(n lobby.FeedItem) error {
		switch {
		case n.Event != nil:
			p.write(matchEvent(s.Info, n.Event))
		default:
			if event, ok := entryFields(s, n); ok {
				p.write(event)
			}
		}
		return p.writeErr
	})
	if err != nil && p.writeErr == nil {
		p.writeErr = err
	}
	if f.spectator == nil || s.IsOver() {
		p.sendChat(&f.m.PlayerChat, &f.lastPlayerChat, s.Info.ID, "players")
	}
	if f.spectator != nil || s.IsOver() {
		p.sendChat(&f.m.SpectatorChat, &f.lastSpectatorChat, s.Info.ID, "watchers")
	}
	p.sendPresence(f, s)
}

// sendPresence tells of players who are newly away, can be claimed against, or are back.
func (p *conn) sendPresence(f *subscription, s *lobby.Snapshot) {
	for seat, now := range s.Away {
		before := f.away[seat]
		switch {
		case s.IsOver() || now == before:
		case now.Since.IsZero():
			p.write(fields{"event": "back", "match": s.Info.ID, "seat": seat})
		default:
			event := awayForm(seat, now)
			event["event"], event["match"] = "away", s.Info.ID
			p.write(event)
		}
	}
	f.away = s.Away
}

// sendClosedTables tells why tables that concerned the program are no longer open to it.
func (p *conn) sendClosedTables() {
	for _, e := range p.s.TableEvents(p.closed) {
		p.closed = e.Seq
		p.write(fields{"event": e.Kind, "table": e.Table.ID, "by": e.By})
	}
}

// sendChat tells what was said in a room since the last time.
func (p *conn) sendChat(room *lobby.Chat, sent *uint64, match, where string) {
	for _, l := range p.s.VisibleChat(room, *sent) {
		f := fields{"event": "chat", "room": where, "from": l.Author, "text": l.Text, "time": timeText(l.At)}
		if match != "" {
			f["match"] = match
		}
		p.write(f)
		*sent = l.Seq
	}
}

// sendTables tells of tables that came, changed or went.
func (p *conn) sendTables() {
	revision := p.s.Lobby().UsersRevision()
	if p.tables != nil && revision == p.peopleRevision {
		return
	}
	p.peopleRevision = revision
	v := p.s.Lobby().View()
	you := p.s.Account().ID
	now := make(map[string]*lobby.Table)
	for _, t := range v.TablesFor(you) {
		now[t.ID] = t
		// What is open to all when the program comes is there for the asking (tables).
		if old := p.tables[t.ID]; old == nil && (p.tables != nil || t.Concerns(you)) || old != nil && !old.Equal(t) {
			f := tableFields(t, you)
			f["event"] = "table"
			p.write(f)
		}
	}
	for id := range p.tables {
		if now[id] == nil {
			p.write(fields{"event": "table_gone", "table": id})
		}
	}
	p.tables = now
}
