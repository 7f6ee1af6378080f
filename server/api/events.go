package api

import (
	"slices"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
	"ayumu/tui/jsonform"
	"ayumu/tui/op"
)

// subscribe adds a subscription to a match, as a player or a spectator: the events after its snapshot follow.
func (p *session) subscribe(id, code string) (*op.Match, error) {
	m, err := p.visit.OpenMatch(id, code)
	if err == nil {
		p.subscriptions[id] = m
	}
	return m, err
}

// sendUnfinished sends the user's unfinished matches and the tables at the start of a session.
func (p *session) sendUnfinished() {
	for _, m := range p.lobbySession.SeatedMatches() {
		if !m.Snapshot().IsOver() {
			p.sendMatch(m.Info.ID)
		} else {
			p.subscriptions[m.Info.ID] = nil // known, without events
		}
	}
	p.sendTables()
}

// sendMatch subscribes to a match of the user and sends the event match.
func (p *session) sendMatch(id string) {
	m, err := p.subscribe(id, "")
	if err != nil {
		return
	}
	event := snapshotFields(m.Snapshot, m.Seat, time.Now(), p.visit.Bots)
	event["event"] = "match"
	p.write(event)
}

// sendEvents writes all events since the last call.
func (p *session) sendEvents() {
	seated := p.lobbySession.SeatedMatches()
	for _, m := range seated {
		if _, known := p.subscriptions[m.Info.ID]; !known {
			p.sendMatch(m.Info.ID)
		}
	}
	for id, f := range p.subscriptions {
		switch {
		case f != nil:
			if p.sendMatchEvents(f); f.InLobby.IsForgotten() {
				p.unsubscribe(id, f)
			}
		case !slices.ContainsFunc(seated, func(m *lobby.Match) bool { return m.Info.ID == id }):
			delete(p.subscriptions, id)
		}
	}
	p.sendBulletin()
	p.visit.ReadChat(func(l lobby.ChatLine) { p.write(chatFields("lobby", l)) })
	p.sendTournaments()
	p.sendClosedTables()
	p.sendTables()
	p.sendAnalysis()
}

// sendTournaments writes the events of tournaments that the user has entered or asked for.
func (p *session) sendTournaments() {
	p.visit.TournamentNews(func(s *tournament.State) {
		p.write(fields{"event": "tournament", "tournament": s.ID, "version": s.Version, "state": s.Phase, "round": len(s.Rounds)})
	}, func(s *tournament.State, l lobby.ChatLine) {
		f := chatFields(string(lobby.TournamentRoom), l)
		f["tournament"] = s.ID
		p.write(f)
	})
}

// unsubscribe removes a subscription.
func (p *session) unsubscribe(id string, m *op.Match) {
	m.Close()
	delete(p.subscriptions, id)
}

// sendMatchEvents writes the new events of one match.
func (p *session) sendMatchEvents(m *op.Match) {
	before := m.Update()
	s := m.Snapshot
	err := m.Read(func(n match.FeedItem) error {
		switch {
		case n.Event != nil:
			p.write(matchEvent(s.Info, n.Event))
		default:
			if event, ok := entryFields(s, n, p.visit.Bots); ok {
				p.write(event)
			}
		}
		return p.writeErr
	})
	if err != nil && p.writeErr == nil {
		p.writeErr = err
	}
	m.ReadChat(func(room lobby.Room, l lobby.ChatLine) {
		f := chatFields(jsonform.RoomName(room), l)
		f["match"] = s.Info.ID
		p.write(f)
	})
	p.sendPresence(before, s)
	p.sendVacations(before, s)
}

// sendPresence writes the events away, elsewhere and back since the snapshot before.
func (p *session) sendPresence(before, s *match.Snapshot) {
	for seat, now := range s.Away {
		was := before.Away[seat]
		switch {
		case s.IsOver():
		case now.Since.IsZero() && s.IsElsewhere(seat):
			if !before.IsElsewhere(seat) {
				p.write(fields{"event": "elsewhere", "match": s.Info.ID, "seat": seat})
			}
		case now.Since.IsZero():
			if !was.Since.IsZero() || before.IsElsewhere(seat) {
				p.write(fields{"event": "back", "match": s.Info.ID, "seat": seat})
			}
		case now != was:
			event := awayForm(seat, now)
			event["event"], event["match"] = "away", s.Info.ID
			p.write(event)
		}
	}
}

// sendClosedTables writes the events of closed tables that concern the user.
func (p *session) sendClosedTables() {
	for _, e := range p.lobbySession.TableEvents(p.lastTableEvent) {
		p.lastTableEvent = e.Seq
		p.write(fields{"event": e.Kind, "table": e.Table.ID, "by": e.By})
	}
}

// tableEvent is the event of a table that was opened or changed.
type tableEvent struct {
	Event string `json:"event"`
	jsonform.Table
}

// sendTables writes the events of tables that were opened, changed or removed.
func (p *session) sendTables() {
	list := p.lobbySession.Lobby().TableList()
	if p.tables != nil && list.TablesRevision == p.tablesRevision {
		return
	}
	p.tablesRevision = list.TablesRevision
	you := p.lobbySession.Account().ID
	now := make(map[string]*table.View)
	for _, t := range list.TablesFor(you) {
		now[t.ID] = t
		// At the start only the user's own tables are sent; the operation tables lists the others.
		if old := p.tables[t.ID]; old == nil && (p.tables != nil || t.Concerns(you)) || old != nil && !old.Equal(t) {
			p.write(tableEvent{"table", jsonform.NewTable(t, you)})
		}
	}
	for id := range p.tables {
		if now[id] == nil {
			p.write(fields{"event": "table_gone", "table": id})
		}
	}
	p.tables = now
}
