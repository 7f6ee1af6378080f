package api

import (
	"slices"
	"time"

	"ayumu/lobby"
)

// subscription is a match whose events the session receives.
type subscription struct {
	m                 *lobby.Match
	spectator         *lobby.Spectator // nil for a player
	player            *lobby.Player    // nil for a spectator
	seat              int              // -1 for a spectator
	feed              lobby.Feed       // what has been sent
	lastPlayerChat    uint64           // Seq of the last line of the players' chat that was sent
	lastSpectatorChat uint64           // likewise of the spectators' chat
	away              []lobby.Away     // as last sent
}

// subscribe adds a subscription to a match, as a player or a spectator. The caller must call its start.
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

// snapshot returns the newest snapshot that the session may see.
func (f *subscription) snapshot() *lobby.Snapshot {
	if f.spectator != nil {
		return f.spectator.Snapshot()
	}
	return f.player.Snapshot()
}

// start begins the feed after a version: later entries follow as events, and of other events only those that
// are not in the snapshot.
func (f *subscription) start(s *lobby.Snapshot, version int) (err error) {
	f.feed, err = lobby.NewFeed(s, version)
	f.away = s.Away
	return err
}

// sendUnfinished sends the user's unfinished matches and the tables at the start of a session.
func (p *conn) sendUnfinished() {
	for _, m := range p.s.SeatedMatches() {
		if !m.Snapshot().IsOver() {
			p.sendMatch(m)
		} else {
			p.subscriptions[m.Info.ID] = nil // known, without events
		}
	}
	p.sendTables()
}

// sendMatch subscribes to a match of the user and sends the event match.
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

// sendEvents writes all events since the last call.
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

// unsubscribe removes a subscription.
func (p *conn) unsubscribe(id string, f *subscription) {
	if f.spectator != nil {
		f.spectator.Close()
	}
	delete(p.subscriptions, id)
}

// sendNews writes the new events of one match.
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

// sendPresence writes the events away and back since the last call.
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

// sendClosedTables writes the events of closed tables that concern the user.
func (p *conn) sendClosedTables() {
	for _, e := range p.s.TableEvents(p.closed) {
		p.closed = e.Seq
		p.write(fields{"event": e.Kind, "table": e.Table.ID, "by": e.By})
	}
}

// sendChat writes the lines of a chat room after *sent and updates *sent.
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

// sendTables writes the events of tables that were opened, changed or removed.
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
		// At the start only the user's own tables are sent; the operation tables lists the others.
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
