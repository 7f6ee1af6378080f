package lobbyscreen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/lists"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// rowCells is the content of a row: the players, and a cell for each of listColumns.
type rowCells struct {
	mark      string
	names     [2]string // names; the second may be empty
	ratings   [2]string
	isWaiting bool // it waits for the user

	game, options, clock, mode, state, idle, more string
}

// The columns of the lists beside the mark and the players.
const (
	markColumns = 3
	minNames    = 18 // minimum width of the players
)

var listColumns = []widget.Column{
	{Width: 10, Rank: 0}, // game and size
	{Width: 4, Rank: 6},  // further options
	{Width: 9, Rank: 1},  // clock
	{Width: 7, Rank: 4},  // mode
	{Width: 10, Rank: 2}, // state
	{Width: 7, Rank: 3},  // idle
	{Width: 9, Rank: 5},  // more
}

// columnTitles are the titles of listColumns in each section.
var columnTitles = map[lists.Section][]string{
	lists.Challenges: {"Game", "", "Clock", "Mode", "", "Opened", "Delay"},
	lists.OwnMatches: {"Game", "", "Clock", "Mode", "Turn", "Idle", "Time"},
	lists.OpenTables: {"Game", "", "Clock", "Mode", "Seats", "Opened", "Delay"},
	lists.ToWatch:    {"Game", "", "Clock", "Mode", "Turns", "Idle", "Watching"},
}

// drawRow draws a match or a table.
func drawRow(c paint.Canvas, t *theme.Theme, columns widget.Columns, cells rowCells) {
	w, _ := c.Size()
	style := t.Text
	if cells.isWaiting {
		style = t.Notice
	}
	c.Text(1, 0, t.Notice, cells.mark)
	c = c.Sub(markColumns, 0, w-markColumns, 1)
	c.Text(0, 0, style, widget.Players(cells.names, cells.ratings, columns.First-1))
	columns.Draw(c, t.Dim, cells.game, cells.options, cells.clock, cells.mode, cells.state, cells.idle, cells.more)
}

// cellsOf returns the content of a row.
func (v drawing) cellsOf(r lists.Row) rowCells {
	switch {
	case r.OwnMatch != nil:
		return ownCells(v.Shell, r.OwnMatch, v.now)
	case r.Table != nil:
		return v.tableCells(r.Table)
	}
	return v.matchCells(r.Listing)
}

// newCells returns the cells that matches and tables have in common.
func newCells(o engine.Options, control clock.Control, rated bool) rowCells {
	l := rowCells{clock: control.String(), mode: words.Mode(rated)}
	l.game, l.options = words.ListTitle(o)
	return l
}

// ownCells returns the content of the row of a match of the user at a time.
func ownCells(sh *screen.Shell, m *lobby.Match, now time.Time) rowCells {
	s := sh.Session.Snapshot(m)
	me := sh.Session.Account().ID
	seat, _ := s.ActingSeat(me)
	l := newCells(m.Info.Options, m.Info.Control, m.Info.Rated)
	l.mark, l.state, l.idle = "·", "waiting", words.AgoText(now.Sub(s.LastAt))
	switch {
	case !sh.Session.IsPlaying(m):
		l.state = "you left"
	case s.Position.Turn() == seat:
		l.mark, l.isWaiting, l.state = "▸", true, "your turn"
	default:
		if _, ok := s.OnVacation(s.Position.Turn()); ok {
			l.state = "vacation"
		}
	}
	if left, ok := s.Remaining(seat, now); ok {
		l.more = words.Clock(left)
	}
	var others []string
	for _, s := range m.Info.Seats {
		if s.Account != me {
			others = append(others, sh.Config.ShortName(s))
		}
	}
	l.names[0] = "with " + strings.Join(others, ", ")
	if len(m.Info.Seats) == 2 {
		l.ratings[0] = words.SeatRating(m.Info.Seats[1-seat].Rating)
	}
	return l
}

func (v drawing) tableCells(t *table.View) rowCells {
	me := v.me()
	l := newCells(t.Options, t.Control, t.Rated)
	l.names[0], l.ratings[0] = t.Owner, words.SeatRating(t.Rating)
	l.state, l.idle = seatsText(t), words.AgoText(v.now.Sub(t.Opened))
	switch own := t.Owner == me.Name; {
	case own:
		l.mark, l.names[0], l.ratings[0] = "·", "your table", ""
		switch {
		case t.Quick:
			l.names[0] = "finding an opponent"
		case t.Private:
			l.names[0] = "private " + t.Code(me.ID)
		case t.To != "":
			l.names[0] = "to " + t.To
		case len(t.Seated) > 1:
			l.names[0] = "you, " + strings.Join(t.Seated[1:], ", ")
		}
	case t.To == me.Name:
		l.mark, l.isWaiting, l.names[0] = "▸", true, "from "+t.Owner
	case slices.Contains(t.Seated, me.Name):
		l.mark = "·"
		l.names[0], l.ratings[0] = strings.Join(slices.DeleteFunc(slices.Clone(t.Seated), func(n string) bool { return n == me.Name }), ", ")+", you", ""
	case len(t.Seated) > 1:
		l.names[0], l.ratings[0] = strings.Join(t.Seated, ", "), ""
	}
	l.setAny(t.Any)
	if t.Delay > 0 {
		l.more = words.Plural(t.Delay, "turn")
	}
	return l
}

// setAny names the terms of which a quick match accepts any value.
func (l *rowCells) setAny(terms table.AnyTerms) {
	if terms.Options {
		l.game, _, _ = strings.Cut(l.game, " ")
		l.options = ""
	}
	for _, term := range []struct {
		isAny bool
		cell  *string
	}{{terms.Game, &l.game}, {terms.Clock, &l.clock}, {terms.Rated, &l.mode}} {
		if term.isAny {
			*term.cell = "any"
		}
	}
}

func (v drawing) matchCells(m *lobby.MatchListing) rowCells {
	l := newCells(m.Info.Options, m.Info.Control, m.Info.Rated)
	l.state, l.idle = words.Plural(m.Turns, "turn"), words.AgoText(v.now.Sub(m.LastAt))
	if m.ID == v.view.Featured {
		l.mark = "★"
	}
	for i, s := range m.Info.Seats {
		if i < 2 {
			l.names[i], l.ratings[i] = v.Shell.Config.ShortName(s), words.SeatRating(s.Rating)
		} else {
			l.names[1] += " – " + v.Shell.Config.ShortName(s)
		}
	}
	if m.Spectators > 0 {
		l.more = fmt.Sprint(m.Spectators)
	}
	return l
}

// seatsText describes the seats of a table: "2 of 3"; empty for a challenge.
func seatsText(t *table.View) string {
	minimum, limit := t.Options.Seats()
	switch {
	case t.To != "":
		return ""
	case t.Quick:
		return "quick"
	case minimum < limit && len(t.Ready) > 0:
		return fmt.Sprintf("%d/%d ready", len(t.Ready), len(t.Seated))
	case minimum < limit:
		return fmt.Sprintf("%d of %d–%d", len(t.Seated), minimum, limit)
	}
	return fmt.Sprintf("%d of %d", len(t.Seated), limit)
}
