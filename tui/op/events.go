package op

import (
	"fmt"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
	"ayumu/tui/words"
)

// News returns a text for each thing that others did to the user's tables, and in matches other than shown (a
// match id or ""), since the last call. arrow separates old and new ratings in the texts, and next is the sentence that tells
// how to go to the next match in which it is the user's turn.
func (v *Visit) News(shown, arrow, next string) []string {
	v.news.Arrow, v.news.Next = arrow, next
	all := v.news.Read(v.Session, shown)
	for _, n := range v.Session.TournamentNotices(v.lastNotice) {
		v.lastNotice = n.Seq
		all = append(all, n.Name+": "+n.Text+".")
	}
	v.TournamentNews(nil, func(s *tournament.State, l lobby.ChatLine) {
		author := words.Author(l)
		if l.AuthorID == s.Organizer {
			author += " (organizer)"
		}
		all = append(all, fmt.Sprintf("%s %s says in %s: %s", words.TimeOfDay(l.At), author, s.Terms.Name, l.Text))
	})
	return all
}

// reaches reports whether a line of the room of a tournament is shown to a user now: while they play a live game of it, only their
// own and those of the organizer and of moderators are, so that nobody gets advice there.
func reaches(user account.ID, s *tournament.State, l lobby.ChatLine) bool {
	player := s.PlayerIndex(user)
	return l.AuthorID == user || l.AuthorID == s.Organizer || l.ByModerator || player < 0 || !s.Terms.Control.IsLive() || s.Running(player) == nil
}

// TournamentNews visits each tournament that the user has entered or follows and that has changed since the last call, and each
// line of their rooms that is new since then and that may reach the user now. changed may be nil.
func (v *Visit) TournamentNews(changed func(*tournament.State), chat func(*tournament.State, lobby.ChatLine)) {
	ts := &v.Session.Lobby().Tournaments
	revision := ts.Revision()
	if revision == v.tournamentsRevision {
		return
	}
	v.tournamentsRevision = revision
	all := ts.Entered(v.User().ID)
	followed, followedFrom := v.Session.FollowedTournament()
	if s := ts.Known(followed); s != nil && s.PlayerIndex(v.User().ID) < 0 {
		all = append(all, s)
		if _, isKnown := v.tournaments[followed]; !isKnown {
			v.tournaments[followed] = knownTournament{chat: followedFrom}
		}
	}
	known := make(map[string]knownTournament, len(all))
	for _, s := range all {
		before, isKnown := v.tournaments[s.ID]
		now := knownTournament{version: s.Version, chat: before.chat}
		room := ts.Chat(s.ID)
		switch {
		case room == nil:
		case !isKnown:
			now.chat = room.Last()
		default:
			for _, l := range v.Session.VisibleChat(room, before.chat) {
				now.chat = max(now.chat, l.Seq)
				if reaches(v.User().ID, s, l) {
					chat(s, l)
				}
			}
		}
		if changed != nil && before.version != s.Version {
			changed(s)
		}
		known[s.ID] = now
	}
	v.tournaments = known
}

// knownTournament is what a visit has seen of a tournament.
type knownTournament struct {
	version int
	chat    uint64 // Seq of the last line
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

// OpenChallenges returns the number of challenges to the user that were open at the last call of NewChallenges.
func (v *Visit) OpenChallenges() int { return len(v.knownChallenges) }

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
