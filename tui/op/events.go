package op

import (
	"time"

	"ayumu/lobby"
	"ayumu/lobby/table"
)

// News returns a text for each thing that others did to the user's tables, and in matches other than shown (a
// match id or ""), since the last call. arrow separates old and new ratings in the texts.
func (c *Visit) News(shown, arrow string) []string {
	c.news.Arrow = arrow
	return c.news.Read(c.Session, shown)
}

// NextStarted returns a match of the user that has just started and has not been reported; nil: none. Call it
// until it returns nil.
func (c *Visit) NextStarted() *lobby.Match {
	for _, m := range c.Session.SeatedMatches() {
		if c.knownMatches[m.Info.ID] {
			continue
		}
		c.knownMatches[m.Info.ID] = true
		if !c.Session.Snapshot(m).IsOver() && time.Since(m.Info.Started) <= newMatchAge {
			return m
		}
	}
	return nil
}

// Expect records that the user has started a match themselves, so that it is not reported as new.
func (c *Visit) Expect(match string) { c.knownMatches[match] = true }

// NewChallenges returns the challenges to the user that have not been reported. It builds the lists only if
// tables or users have changed since the last call.
func (c *Visit) NewChallenges() (challenges []*table.View) {
	list := c.Session.Lobby().TableList()
	if list.TablesRevision == c.tablesRevision {
		return nil
	}
	c.tablesRevision = list.TablesRevision
	me := c.Session.Account()
	var open map[string]bool // without the tables that are gone
	for _, t := range list.Tables {
		if t.To != me.Name || !t.Concerns(me.ID) {
			continue
		}
		if open == nil {
			open = make(map[string]bool)
		}
		if open[t.ID] = true; !c.knownChallenges[t.ID] {
			challenges = append(challenges, t)
		}
	}
	c.knownChallenges = open
	return challenges
}

// ReadChat visits each line of the lobby's chat that is new since the last call, the last SkipChat, or Enter.
func (c *Visit) ReadChat(visit func(lobby.ChatLine)) {
	for _, l := range c.Session.VisibleChat(&c.Session.Lobby().Chat, c.lastChat) {
		c.lastChat = max(c.lastChat, l.Seq)
		visit(l)
	}
}

// SkipChat makes ReadChat leave out the lines so far.
func (c *Visit) SkipChat() { c.lastChat = c.Session.Lobby().Chat.Last() }

// LiveMatch returns an unfinished match with a live clock in which the user has a seat; nil: none.
func (c *Visit) LiveMatch() *lobby.Match {
	for _, m := range c.Session.SeatedMatches() {
		if c.Session.IsPlaying(m) && !c.Session.Snapshot(m).Frozen && m.Info.Control.IsLive() {
			return m
		}
	}
	return nil
}

// Waiting returns the other matches in which it is the user's turn, in a stable cyclic order that starts after
// the match that is shown (an id or "").
func (c *Visit) Waiting(shown string) []*lobby.Match {
	me := c.Session.Account().ID
	var before, after []*lobby.Match
	past := false
	for _, m := range c.Session.SeatedMatches() {
		s := c.Session.Snapshot(m)
		seat, _ := s.ActingSeat(me)
		switch {
		case m.Info.ID == shown:
			past = true
		case s.IsOver() || s.Frozen || s.Position.Turn() != seat:
		case past:
			after = append(after, m)
		default:
			before = append(before, m)
		}
	}
	return append(after, before...)
}
