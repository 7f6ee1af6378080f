package op

import (
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// MatchesArgs are the arguments of Matches.
type MatchesArgs struct {
	All bool `json:"all" arg:"all" help:"also those whose players are away"`
}

// Matches lists the user's matches and those to watch. Programs get all public ones.
var Matches = New(Spec[MatchesArgs, *lobby.View]{
	Info: Info{Name: "matches", Help: "list your games and the games to watch", Group: GroupFind, On: On{Line: As("games", "matches"), Screen: As("lobby")}},
	Run:  func(_ context.Context, v *Visit, _ MatchesArgs) (*lobby.View, error) { return v.Lobby.View(), nil },
	Text: func(v *Visit, in MatchesArgs, l *lobby.View) Text {
		rows := v.OwnMatches()
		listed := l.WatchableBy(v.User().ID)
		var abandoned []*lobby.MatchListing
		for _, m := range l.Matches {
			if m.Interest == match.InterestNone && !slices.ContainsFunc(rows.Rows, func(r Row) bool { return r.ID == m.ID }) {
				abandoned = append(abandoned, m)
			}
		}
		text := Text{Rows: rows}
		switch n := len(abandoned); {
		case in.All:
			listed = append(listed, abandoned...)
		case n > 0:
			name := "games" // in line mode
			if v.Session == nil {
				name = "matches" // over SSH
			}
			text.Lines, rows.Empty = []string{"Not listed: " + words.Plural(n, "game") + " whose players are away; " + name + " all lists them."}, ""
		}
		for _, m := range listed {
			rows.Rows = append(rows.Rows, v.matchRow(m, m.ID == l.Featured))
		}
		return text
	},
	JSON: func(v *Visit, l *lobby.View) any {
		return struct {
			Matches any `json:"matches"`
		}{v.Answers.matches.get(l, func(l *lobby.View) any {
			all := make([]jsonform.Match, len(l.Matches))
			for i, m := range l.Matches {
				all[i] = jsonform.NewMatch(m, v.Bots)
			}
			return all
		})}
	},
})

// OwnMatches lists the user's unfinished matches, those first in which it is their turn.
func (v *Visit) OwnMatches() *Rows {
	rows := &Rows{Kind: RowMatch, Columns: []Column{{TableOnly: true}, {}, {}, {}, {}, {}, {}}, Empty: "No games in progress."}
	me := v.User().ID
	for _, mine := range []bool{true, false} {
		for _, s := range v.Lobby.Accounts.Snapshots(me) {
			seat, seated := s.ActingSeat(me)
			if !seated || s.IsOver() || (s.Position.Turn() == seat) != mine {
				continue
			}
			turn := "waiting for your opponent"
			if len(s.Info.Seats) > 2 {
				turn = "waiting for your opponents"
			}
			switch {
			case mine:
				turn = "your turn"
			case s.Position.HasLeft(seat):
				turn = "you left it: " + words.Leave(s, seat)
			default:
				if until, ok := s.OnVacation(s.Position.Turn()); ok {
					turn += ", who is " + words.OnVacation(until)
				}
			}
			i := s.Info
			rows.Rows = append(rows.Rows, Row{ID: i.ID, Values: []string{i.ID, "your game " + words.WithOpponents(i, me), i.Title(), words.Terms(i.Control, i.Rated), turn, "", ""}})
		}
	}
	return rows
}

// matchRow is the row of a match that others play.
func (v *Visit) matchRow(m *lobby.MatchListing, isFeatured bool) Row {
	var names []string
	for _, s := range m.Info.Seats {
		names = append(names, words.NameAndRating(v.LongName(s), s.Rating))
	}
	last, spectators, note := "just now", "", ""
	if d := time.Since(m.LastAt); d >= time.Minute {
		last = words.AgoText(d) + " ago"
	}
	if m.Spectators > 0 {
		spectators = words.Plural(m.Spectators, "spectator")
	}
	switch {
	case m.Interest == match.InterestNone:
		note = "its players are away"
	case isFeatured:
		note = "the featured game"
	}
	return Row{ID: m.ID, Values: []string{
		m.ID, strings.Join(names, " and "), m.Info.Title(), words.Terms(m.Info.Control, m.Info.Rated), words.Plural(m.Turns, "turn") + ", last turn " + last, spectators, note,
	}}
}

// The exit statuses of Waiting over SSH, besides 0.
const (
	statusNoneWaits    = 1
	statusWaitingError = 2
)

// Waiting lists the matches in which it is the user's turn.
var Waiting = New(Spec[None, []*match.Snapshot]{
	Info: Info{Name: "waiting", Help: "list the games in which it is your turn", Group: GroupFind, Account: true, ErrorStatus: statusWaitingError, Offline: true,
		On: On{Line: Not("games lists them first, and next opens one"), API: Not("the event turn is sent for all your matches"), Screen: As("lobby >")}},
	Run: func(_ context.Context, v *Visit, _ None) ([]*match.Snapshot, error) {
		if err := v.Archive().spend(limit.WorkArchive); err != nil {
			return nil, err
		}
		return WaitingMatches(v.Lobby, v.User().ID), nil
	},
	Text: func(v *Visit, _ None, all []*match.Snapshot) Text {
		rows := &Rows{Columns: []Column{{TableOnly: true}, {}, {}, {}}}
		for _, s := range all {
			left := "no clock"
			if d, timed := s.Remaining(s.Position.Turn(), time.Now()); timed {
				left = words.Clock(d) + " left"
			}
			rows.Rows = append(rows.Rows, Row{ID: s.Info.ID, Values: []string{s.Info.ID, words.Opponents(s.Info, v.User().ID), s.Info.Title(), left}})
		}
		return Text{Rows: rows}
	},
	JSON: func(v *Visit, all []*match.Snapshot) any {
		rows := make([]jsonform.WaitingMatch, len(all))
		for i, s := range all {
			rows[i] = jsonform.NewWaitingMatch(s, v.Bots, time.Now())
		}
		return struct {
			Matches []jsonform.WaitingMatch `json:"matches"`
		}{rows}
	},
	Status: func(all []*match.Snapshot) int {
		if len(all) == 0 {
			return statusNoneWaits
		}
		return 0
	},
})

// WaitingMatches returns the newest states of the running matches in which it is the turn of an account, the one with
// the least time first.
func WaitingMatches(l *lobby.Lobby, id account.ID) (all []*match.Snapshot) {
	for _, s := range l.Accounts.Snapshots(id) {
		if seat, ok := s.ActingSeat(id); ok && seat == s.Position.Turn() && !s.IsOver() && !s.Frozen {
			all = append(all, s)
		}
	}
	now := time.Now()
	slices.SortFunc(all, func(a, b *match.Snapshot) int {
		left, timed := a.Remaining(a.Position.Turn(), now)
		right, alsoTimed := b.Remaining(b.Position.Turn(), now)
		switch {
		case timed != alsoTimed && timed:
			return -1
		case timed != alsoTimed:
			return 1
		case left != right:
			return int(max(min(left-right, 1), -1))
		}
		return strings.Compare(a.Info.ID, b.Info.ID)
	})
	return all
}
