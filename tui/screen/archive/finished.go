package archive

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// PageSize is the number of finished matches on a page.
const PageSize = 50

// Match is a finished match as a list has it.
type Match struct {
	lobby.FinishedMatch
	Viewer account.ID // the player from whose point of view the outcome is described; 0: none
}

// List returns a list of finished matches, newest first: those of the player with the name Of, "" for those of all. It has
// no title and no actions yet.
func List(sh *screen.Shell) *screen.List[Match] {
	l := &screen.List[Match]{
		ID: func(m Match) any { return m.Info.ID },
		Load: func(ctx context.Context, player string, after *Match) (p screen.Page[Match], err error) {
			before := ""
			if after != nil {
				before = after.Info.ID
			}
			games, err := op.Finished.Run(ctx, sh.Visit, op.FinishedArgs{Player: player, Limit: new(PageSize + 1), Before: before})
			if err != nil {
				return p, err
			}
			var of account.Account
			if player != "" {
				if of, err = sh.Session.Lobby().Accounts.ByName(ctx, player); err != nil {
					return p, err
				}
			}
			p.Of, p.HasMore = of.Name, len(games) > PageSize
			for _, f := range games[:min(len(games), PageSize)] {
				p.Rows = append(p.Rows, Match{f, of.ID})
			}
			return p, nil
		},
		Columns:  columns(sh),
		MaxWidth: widget.ListWidth + 1, // for two long names with a rating
	}
	l.Status = func(width int) string {
		if m, ok := l.Selected(); ok {
			return describe(sh, m, width)
		}
		return ""
	}
	return l
}

// Replay is the action that opens the replay of the selected match.
func Replay(sh *screen.Shell) screen.RowAction[Match] {
	return screen.RowAction[Match]{Key: screen.Keys("enter space", "Enter", "replay the selected game"), Label: "replay", Do: func(m Match) tea.Cmd { return sh.Open(dest.Replay{ID: m.Info.ID}) }}
}

// Profile is the action that asks which player of the selected match to show and opens the profile.
func Profile(sh *screen.Shell, label string, rank int) screen.RowAction[Match] {
	return screen.RowAction[Match]{Key: screen.Keys("i", "i", "the profile of one of the game's players"), Label: label, Rank: rank, Do: func(m Match) tea.Cmd { return player.AskProfile(sh, m.Info) }}
}

// describe describes a match in at most width columns, with what a narrow list does not show first: when it ended, its
// clock and mode, how long it was, and the players.
func describe(sh *screen.Shell, m Match, width int) string {
	_, why, _ := outcome(m)
	var names []string
	for _, s := range m.Info.Seats {
		names = append(names, sh.Config.ShortName(s))
	}
	text := words.TimeOfDay(m.Ended) + " UTC"
	for _, part := range []string{words.Terms(m.Info.Control, m.Info.Rated), words.Plural(m.Turns, "turn"), why, strings.Join(names, " – ")} {
		if more := " · " + part; part != "" && paint.Width(text+more) <= width {
			text += more
		}
	}
	return text
}

// columns returns the columns of a list.
func columns(sh *screen.Shell) []screen.Column[Match] {
	const dateWidth = 12
	return []screen.Column[Match]{
		{Title: "Date", Width: dateWidth, Narrow: 7, Fit: func(m Match, width int) string {
			if width < dateWidth-1 {
				return m.Ended.UTC().Format("2 Jan")
			}
			return words.Date(m.Ended)
		}},
		{Title: "Players", Width: 20, Narrow: 14, Fills: true, Fit: func(m Match, width int) string { return playersOf(sh, m, width) }},
		{Title: "Result", Width: 8, Rank: 0, Text: func(m Match) string {
			text, _, _ := outcome(m)
			return text
		}, Style: func(m Match) paint.Style {
			if _, _, isGood := outcome(m); isGood {
				return sh.Style.Theme.Good
			}
			return sh.Style.Theme.Text
		}},
		{Title: "Reason", Width: 12, Rank: 3, Text: func(m Match) string {
			_, why, _ := outcome(m)
			return why
		}},
		{Title: "Game", Width: 10, Rank: 1, Text: func(m Match) string {
			title, _ := words.ListTitle(m.Info.Options)
			return title
		}},
		{Width: 4, Rank: 6, Text: func(m Match) string {
			_, options := words.ListTitle(m.Info.Options)
			return options
		}},
		{Title: "Clock", Width: 9, Rank: 2, Text: func(m Match) string { return m.Info.Control.String() }},
		{Title: "Mode", Width: 7, Rank: 4, Text: func(m Match) string { return words.Mode(m.Info.Rated) }},
		{Title: "Turns", Width: 6, Rank: 5, Text: func(m Match) string { return strconv.Itoa(m.Turns) }},
	}
}

// playersOf returns the players of a match with their ratings, as far as they fit into width columns.
func playersOf(sh *screen.Shell, m Match, width int) string {
	names, ratings := sh.Config.RowNames(m.Info)
	return widget.Players(names, ratings, width)
}

// endingTexts names the reasons for an end that the list shows.
var endingTexts = map[string]string{
	engine.ReasonResign: "resignation", engine.ReasonTime: "time", engine.ReasonLeft: "abandoned",
	engine.ReasonRepetition: "repetition", engine.ReasonDraw: "agreement",
}

// outcome describes the outcome of a match and the reason, "" where the list names none: to its viewer
// "won", "lost" or, with three or more, "2nd"; to others "1–0" with two players, else "ana won". good reports whether that player won.
func outcome(f Match) (text, why string, good bool) {
	winners, seats := f.Result.Winners, f.Info.Seats
	seat := -1
	if n, ok := f.Info.SeatOf(f.Viewer); ok && f.Viewer != 0 && !f.Info.Local {
		seat = n
	}
	good = slices.Contains(winners, seat)
	switch n := len(winners); {
	case n == 0:
		return "aborted", "", false
	case n > 1 && (good || seat < 0):
		text = "draw"
	case good:
		text = "won"
	case seat >= 0 && len(seats) > 2 && hasPlace(f, seat):
		text = words.Ordinal(f.Result.Places[seat] + 1)
	case seat >= 0:
		text = "lost"
	case len(seats) == 2:
		text = []string{"1–0", "0–1"}[winners[0]]
	default:
		text = seats[winners[0]].Name + " won"
	}
	return text, reason(f, seat), good && len(winners) == 1
}

// hasPlace reports whether a seat of a finished match played to its end and has a place.
func hasPlace(f Match, seat int) bool {
	departed := seat < len(f.Departures) && f.Departures[seat] != ""
	return f.Result.Reason != engine.ReasonLeft && seat < len(f.Result.Places) && !departed
}

// reason returns why a match ended, or, to a seat that left before the end, why it left. It is "" where
// the list shows no reason. seat is -1 for others.
func reason(f Match, seat int) string {
	if seat >= 0 && seat < len(f.Departures) {
		switch f.Departures[seat] {
		case match.LeftResigned:
			return "resigned"
		case match.LeftTime:
			return "time"
		case match.LeftAbsent:
			return "voted out"
		}
	}
	if f.Result.Reason == engine.ReasonLeft && len(f.Info.Seats) > 2 {
		return "others left"
	}
	if f.Result.Reason == engine.ReasonResign && seat >= 0 && !slices.Contains(f.Result.Winners, seat) {
		return "resigned"
	}
	return endingTexts[f.Result.Reason]
}
