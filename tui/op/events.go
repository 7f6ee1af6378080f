package op

import (
	"time"

	"ayumu/lobby"
	"ayumu/lobby/table"
)

// News returns a text for each thing that others did to the user's tables, and in matches other than shown (a
// match id or ""), since the last call. arrow separates old and new ratings in the texts.
func (v *Visit) News(shown, arrow string) []string {
	v.news.Arrow = arrow
	return v.news.Read(v.Session, shown)
}

// NextStarted returns a match of the user that has just started and has not been reported; nil: none. Call it
// until it returns nil. A local match is none, because only its players start it.
func (v *Visit) NextStarted() *lobby.Match {
	for _, m := range v.Session.SeatedMatches() {
		if v.knownMatches[m.Info.ID] {
			continue
		}
		v.knownMatches[m.Info.ID] = true
		if !m.Info.Local && !v.Session.Snapshot(m).IsOver() && time.Since(m.Info.Started) <= newMatchAge {
			return m
		}
	}
	return nil
}

// Expect records that the user has started a match themselves, so that it is not reported as new.
func (v *Visit) Expect(match string) { v.knownMatches[match] = true }

// NewChallenges returns the challenges to the user that have not been reported. It builds the lists only if
// tables or users have changed since the last call.
func (v *Visit) NewChallenges() (challenges []*table.View) {
	list := v.Session.Lobby().TableList()
	if list.TablesRevision == v.tablesRevision {
		return nil
	}
	v.tablesRevision = list.TablesRevision
	me := v.Session.Account()
	var open map[string]bool // without the tables that are gone
	for _, t := range list.Tables {
		if t.To != me.Name || !t.Concerns(me.ID) {
			continue
		}
		if open == nil {
			open = make(map[string]bool)
		}
		if open[t.ID] = true; !v.knownChallenges[t.ID] {
			challenges = append(challenges, t)
		}
	}
	v.knownChallenges = open
	return challenges
}

// ReadChat visits each line of the lobby's chat that is new since the last call, the last SkipChat, or Enter.
func (v *Visit) ReadChat(visit func(lobby.ChatLine)) {
	for _, l := range v.Session.VisibleChat(&v.Session.Lobby().Chat, v.lastChat) {
		v.lastChat = max(v.lastChat, l.Seq)
		visit(l)
	}
}

// SkipChat makes ReadChat leave out the lines so far.
func (v *Visit) SkipChat() { v.lastChat = v.Session.Lobby().Chat.Last() }

// LiveMatch returns an unfinished match with a live clock in which the user has a seat; nil: none.
func (v *Visit) LiveMatch() *lobby.Match {
	for _, m := range v.Session.SeatedMatches() {
		if v.Session.IsPlaying(m) && !v.Session.Snapshot(m).Frozen && m.Info.Control.IsLive() {
			return m
		}
	}
	return nil
}

// Waiting returns the other matches in which it is the user's turn, in a stable cyclic order that starts after
// the match that is shown (an id or "").
func (v *Visit) Waiting(shown string) []*lobby.Match {
	me := v.Session.Account().ID
	var before, after []*lobby.Match
	past := false
	for _, m := range v.Session.SeatedMatches() {
		s := v.Session.Snapshot(m)
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
