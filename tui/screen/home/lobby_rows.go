package home

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
	"ayumu/tui/op"
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
	minNames  int  // minimum width of the names, if that is more than in other rows

	game, options, clock, mode, state, idle, more string
}

// markColumns is the width of the marks of a row: whether it is selected, and what it is.
const markColumns = 3

// The columns of the lists beside the mark and the players, in the order of the cells of rowCells. In narrow lists those
// are shown that matter most in the section.
var listColumns = map[lists.Section]sectionColumns{
	lists.Challenges: {14, []widget.Column{{Width: 10, Rank: 0}, {Width: 4, Rank: 3}, {Width: 9, Rank: 1}, {Width: 7, Rank: 2}, {Width: 10, Rank: 6}, {Width: 7, Rank: 4}, {Width: 9, Rank: 5}},
		[]string{"Game", "", "Clock", "Mode", "", "Opened", "Delay"}},
	lists.OwnMatches: {11, []widget.Column{{Width: 10, Rank: 1}, {Width: 4, Rank: 6}, {Width: 9, Rank: 3}, {Width: 7, Rank: 5}, {Width: 10, Rank: 0}, {Width: 7, Rank: 4}, {Width: 9, Rank: 2}},
		[]string{"Game", "", "Clock", "Mode", "Turn", "Idle", "Time"}},
	lists.OpenTables: {10, []widget.Column{{Width: 10, Rank: 0}, {Width: 4, Rank: 4}, {Width: 9, Rank: 1}, {Width: 7, Rank: 3}, {Width: 10, Rank: 2}, {Width: 7, Rank: 5}, {Width: 9, Rank: 6}},
		[]string{"Game", "", "Clock", "Mode", "Seats", "Opened", "Delay"}},
	lists.Tournaments: {16, []widget.Column{{Width: 10, Rank: 1}, {Width: 4, Rank: 6}, {Width: 9, Rank: 3}, {Width: 7, Rank: 5}, {Width: 10, Rank: 0}, {Width: 7, Rank: 2}, {Width: 9, Rank: 4}},
		[]string{"Game", "", "Clock", "Mode", "State", "In", "Format"}},
	lists.ToWatch: {18, []widget.Column{{Width: 10, Rank: 0}, {Width: 4, Rank: 6}, {Width: 9, Rank: 3}, {Width: 7, Rank: 4}, {Width: 10, Rank: 1}, {Width: 7, Rank: 2}, {Width: 9, Rank: 5}},
		[]string{"Game", "", "Clock", "Mode", "Turns", "Idle", "Watching"}},
}

// sectionColumns are the columns of a section.
type sectionColumns struct {
	players int // minimum width of the players
	columns []widget.Column
	titles  []string
}

// layOut returns the layout of rows in w columns, with at least minNames for the players.
func (s sectionColumns) layOut(w, minNames int) widget.Columns {
	return widget.LayOut(s.columns, max(s.players, minNames), w-markColumns-1)
}

// sectionOf returns the section of a row that is a match or a table.
func sectionOf(r lists.Row) lists.Section {
	switch {
	case r.OwnMatch != nil:
		return lists.OwnMatches
	case r.Listing != nil:
		return lists.ToWatch
	case r.Tournament != nil:
		return lists.Tournaments
	case r.Table != nil && r.Table.To != "":
		return lists.Challenges
	}
	return lists.OpenTables
}

// minTitled is the minimum width of a list whose sections have the titles of their columns.
const minTitled = 60

// drawSection draws the title of a section, over the line between it and the section before if there are borders, with
// what stands beside it.
func drawSection(c paint.Canvas, t *theme.Theme, s lists.Section, below lists.Below, noBorder bool) {
	w, _ := c.Size()
	if noBorder {
		c.Text(1, 0, t.Title, string(s))
	} else {
		c.Fill(0, 0, w, 1, t.Rule, '─')
		c.Text(0, 0, t.Title, " "+string(s)+" ")
	}
	drawBesideSection(c, t, s, below, noBorder)
}

// drawBesideSection draws beside the title of a section what is below the list, if the section is the last one that is
// shown, and the titles of the columns for which there is space.
func drawBesideSection(c paint.Canvas, t *theme.Theme, s lists.Section, below lists.Below, noBorder bool) {
	w, _ := c.Size()
	end := w
	if hint := " " + below.Text + " "; below.Section == s && below.Text != "" && paint.Width(string(s)+hint)+3 <= w {
		end -= paint.Width(hint)
		if !noBorder {
			end--
		}
		c.Text(end, 0, t.Dim, hint)
	}
	section, ok := listColumns[s]
	if !ok || w < minTitled {
		return
	}
	for i, x := range section.layOut(w, 0).Places() {
		title := " " + section.titles[i] + " "
		if x += markColumns - 1; x >= markColumns-1 && section.titles[i] != "" && x+paint.Width(title) <= end {
			c.Text(x, 0, t.Dim, title)
		}
	}
}

// The columns of the rows of what can be begun.
const (
	actionName  = markColumns + 3
	actionAbout = 20
	// offlineAbout is actionAbout for a user who is offline, whose actions have longer names.
	offlineAbout = 28
)

// drawAction draws a row of what can be begun, with its key and from column about on its description. The first one is what a new user should press.
func drawAction(c paint.Canvas, t *theme.Theme, a *lists.Action, about int, isFirst bool) {
	w, _ := c.Size()
	name := t.Text
	if isFirst {
		name = t.Notice
	}
	c.Text(markColumns, 0, t.Link, a.Key)
	n := c.Text(actionName, 0, name, paint.Cut(a.Name, w-actionName-1)) + actionName
	if x := max(about, n+2); x+8 < w {
		c.Text(x, 0, t.Dim, paint.Cut(a.About, w-x-1))
	}
}

// drawRow draws a match or a table of a section.
func drawRow(c paint.Canvas, t *theme.Theme, s lists.Section, cells rowCells) {
	w, _ := c.Size()
	columns := listColumns[s].layOut(w, cells.minNames)
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
	case r.Tournament != nil:
		return v.tournamentCells(r.Tournament)
	}
	return v.matchCells(r.Listing)
}

// newCells returns the cells that matches and tables have in common.
func newCells(o engine.Options, control clock.Control, rated bool) rowCells {
	l := rowCells{clock: control.String(), mode: words.Mode(rated)}
	l.game, l.options = words.ListTitle(o)
	return l
}

// maxOwnNames is the width up to which the opponents in a match of many are shown in full, in place of columns.
const maxOwnNames = 18

// ownCells returns the content of the row of a match of the user at a time.
func ownCells(sh *screen.Shell, m *lobby.Match, now time.Time) rowCells {
	s := sh.Session.Snapshot(m)
	me := sh.Session.Account().ID
	seat, _ := s.ActingSeat(me)
	l := newCells(m.Info.Options, m.Info.Control, m.Info.Rated)
	l.mark, l.state, l.idle = "·", "waiting", words.AgoText(now.Sub(s.LastAt))
	hasLeft := !sh.Session.IsPlaying(m)
	switch {
	case hasLeft:
		l.state = words.Leave(s, seat)
	case s.Position.Turn() == seat:
		l.mark, l.isWaiting, l.state = "▸", true, "your turn"
	default:
		if _, ok := s.OnVacation(s.Position.Turn()); ok {
			l.state = "vacation"
		}
	}
	if left, ok := s.Remaining(seat, now); ok && !hasLeft {
		l.more = words.Clock(left)
	}
	others := slices.DeleteFunc(slices.Clone(m.Info.Seats), func(s match.Seat) bool { return s.Account == me })
	l.names[0] = strings.Join(sh.Config.PeopleFirst(others), ", ")
	switch len(m.Info.Seats) {
	case 2:
		l.ratings[0] = words.SeatRating(m.Info.Seats[1-seat].Rating)
	default:
		l.minNames = min(paint.Width(l.names[0]), maxOwnNames) + 1
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
			l.minNames = paint.Width(l.names[0]) + 1
		case t.Private:
			l.names[0] = "private " + t.Code(me.ID)
			l.minNames = paint.Width(l.names[0]) + 1
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

// tournamentCells returns the content of the row of a tournament.
func (v drawing) tournamentCells(t *lobby.TournamentListing) rowCells {
	l := rowCells{clock: t.Clock, mode: words.Mode(t.Rated), idle: strconv.Itoa(t.Entered), more: op.FormatTitle(t.Format)}
	l.names[0] = t.Name
	l.game, _, _ = strings.Cut(t.Game, ",")
	if strings.HasSuffix(t.Format, "_"+string(tournament.FormatTables)) { // with different numbers of players
		l.game, _, _ = strings.Cut(t.Game, " ")
	}
	switch {
	case t.Phase == tournament.PhaseCheckIn:
		l.state = "check-in"
	case t.Phase != tournament.PhaseOpen:
		l.state = fmt.Sprintf("round %d/%d", max(t.Round, 1), t.Rounds)
	case t.Start.IsZero():
		l.state = "open"
	case t.Start.Sub(v.now) < 24*time.Hour:
		l.state = "at " + words.TimeOfDay(t.Start)
	default:
		l.state = t.Start.UTC().Format("2 Jan")
	}
	return l
}

func (v drawing) matchCells(m *lobby.MatchListing) rowCells {
	l := newCells(m.Info.Options, m.Info.Control, m.Info.Rated)
	l.state, l.idle = words.Plural(m.Turns, "turn"), words.AgoText(v.now.Sub(m.LastAt))
	if m.ID == v.view.Featured {
		l.mark = "★"
	}
	l.names, l.ratings = v.Shell.Config.RowNames(m.Info)
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
