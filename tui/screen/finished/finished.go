// Package finished is the list of finished matches, of one player or of all, as a part of screens.
package finished

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
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

// Page is one page of finished matches, newest first. The zero value is a page that is being loaded.
type Page struct {
	Player   string     // whose matches; "": of all players
	PlayerID account.ID // 0: of all players
	Before   []string   // match ids: page i of the pages so far begins after Before[i-1]
	Games    []lobby.FinishedMatch
	HasMore  bool // older matches follow
	IsLoaded bool
	Err      string // why it cannot be shown, a clause for the user; "": it can
}

// load loads the page that begins after the last element of before and calls done with it in Update.
func load(sh *screen.Shell, player string, before []string, done func(Page)) tea.Cmd {
	var after string
	if n := len(before); n > 0 {
		after = before[n-1]
	}
	return screen.Load(sh, func(ctx context.Context) (Page, error) {
		p := Page{Player: player, Before: before}
		games, err := op.Finished.Run(ctx, sh.Visit, op.FinishedArgs{Player: player, Limit: new(PageSize + 1), Before: after})
		if err != nil {
			if code, _ := lobby.PublicError(err); code == errcode.RateLimited {
				return p, err
			}
			p.IsLoaded, p.Err = true, sh.Config.Explain(err)
			return p, nil
		}
		if player != "" {
			account, err := sh.Session.Lobby().Accounts.ByName(ctx, player)
			if err != nil {
				p.Err = sh.Config.Explain(err)
				return p, nil
			}
			p.Player, p.PlayerID = account.Name, account.ID
		}
		p.IsLoaded, p.HasMore = true, len(games) > PageSize
		p.Games = games[:min(len(games), PageSize)]
		return p, nil
	}, func(p Page) tea.Cmd {
		done(p)
		return nil
	})
}

// older and newer return Before of the adjacent pages.
func (p *Page) older() []string {
	return append(p.Before[:len(p.Before):len(p.Before)], p.Games[len(p.Games)-1].Info.ID)
}

func (p *Page) newer() []string { return p.Before[:len(p.Before)-1] }

// List is a page of finished matches with a cursor. The zero value is a page that is being loaded.
type List struct {
	Page   Page
	Cursor widget.ListCursor
}

// Load loads the newest page of a player's matches, "" for all players, and then shows it.
func (l *List) Load(sh *screen.Shell, player string) tea.Cmd { return l.turnTo(sh, player, nil, 0) }

// turnTo loads a page and then shows it with the cursor in row at.
func (l *List) turnTo(sh *screen.Shell, player string, before []string, at int) tea.Cmd {
	return load(sh, player, before, func(p Page) { l.Page, l.Cursor.Index = p, at })
}

// Input returns the name of the pressed key, or of the key that matches the mouse event; "": none.
func (l *List) Input(msg tea.Msg) string { return l.Cursor.Input(msg, len(l.Page.Games)) }

// Move handles one of the keys of screen.CursorNames: it moves the cursor, and beyond the first or last row it
// loads the adjacent page.
func (l *List) Move(sh *screen.Shell, key string) tea.Cmd {
	n := len(l.Page.Games)
	switch key {
	case "down", "j", "pgdown":
		if l.Cursor.Index == n-1 && l.Page.HasMore {
			return l.turnTo(sh, l.Page.Player, l.Page.older(), 0)
		}
	case "up", "k", "pgup":
		if l.Cursor.Index == 0 && len(l.Page.Before) > 0 {
			return l.turnTo(sh, l.Page.Player, l.Page.newer(), PageSize-1)
		}
	}
	l.Cursor.Key(key, n)
	return nil
}

// selected returns the selected match; nil: the page is empty.
func (l *List) selected() *lobby.FinishedMatch {
	if l.Cursor.Index >= len(l.Page.Games) {
		return nil
	}
	return &l.Page.Games[l.Cursor.Index]
}

// Describe describes the selected match in at most width columns, with what a narrow list does not show first: when it
// ended, its clock and mode, how long it was, and the players; "" without a match.
func (l *List) Describe(sh *screen.Shell, width int) string {
	f := l.selected()
	if f == nil {
		return ""
	}
	_, why, _ := outcome(f, l.Page.PlayerID)
	var names []string
	for _, s := range f.Info.Seats {
		names = append(names, sh.Config.ShortName(s))
	}
	text := words.TimeOfDay(f.Ended) + " UTC"
	for _, part := range []string{words.Terms(f.Info.Control, f.Info.Rated), words.Plural(f.Turns, "turn"), why, strings.Join(names, " – ")} {
		if more := " · " + part; part != "" && paint.Width(text+more) <= width {
			text += more
		}
	}
	return text
}

// OpenSelected opens the replay of the selected match.
func (l *List) OpenSelected(sh *screen.Shell) tea.Cmd {
	f := l.selected()
	if f == nil {
		return nil
	}
	return sh.Open(dest.Replay{ID: f.Info.ID})
}

// CanAnalyze reports whether the analysis of the selected match can be opened.
func (l *List) CanAnalyze(sh *screen.Shell) bool {
	f := l.selected()
	return f != nil && sh.Config.Bots != nil
}

// AnalyzeSelected opens the analysis of the selected match.
func (l *List) AnalyzeSelected(sh *screen.Shell) tea.Cmd {
	return sh.Open(dest.Analysis{ID: l.selected().Info.ID})
}

// AskProfile asks which player of the selected match to show and opens the profile.
func (l *List) AskProfile(sh *screen.Shell) tea.Cmd {
	f := l.selected()
	if f == nil {
		return nil
	}
	return player.AskProfile(sh, f.Info)
}

// Draw draws in the rows from y on the titles of the columns and the matches, or why there are none: empty is the
// text of a page without matches.
func (l *List) Draw(c paint.Canvas, sh *screen.Shell, y, rows int, empty string) {
	p, t := &l.Page, sh.Style.Theme
	w, _ := c.Size()
	message, style := "", t.Dim
	switch {
	case p.Err != "":
		message, style = words.Sentence(p.Err), t.Bad
	case !p.IsLoaded:
		message = "Loading …"
	case len(p.Games) == 0:
		message = empty
	}
	for i, text := range widget.Wrap(message, w-6) {
		c.Text(3, y+1+i, style, text)
	}
	dates, format, names := dateColumns, words.Date, minNames
	if w < narrowColumns {
		dates, format, names = dayColumns, day, minNarrowNames
	}
	columns := widget.LayOut(listColumns, names, w-dates)
	if len(p.Games) > 0 {
		c.Text(1, y, t.Dim, "Date")
		c.Text(dates, y, t.Dim, "Players")
		columns.DrawTitles(c.Sub(dates, y, w-dates, 1), t.Dim)
	}
	from, to := l.Cursor.Window(y+1, rows-1, len(p.Games))
	for i := from; i < to; i++ {
		row := c.Sub(0, y+1+i-from, w, 1)
		f, selected := &p.Games[i], i == l.Cursor.Index
		_, dim := l.Cursor.RowStyles(row, t, i, 0)
		row.Text(1, 0, dim, format(f.Ended))
		drawMatch(row.Sub(dates, 0, w-dates, 1), sh, columns, f, p.PlayerID, selected)
	}
}

// The columns of the list.
const (
	dateColumns    = 13
	minNames       = 20 // minimum width of the players
	narrowColumns  = 60 // windows with fewer columns have dates without the year and shorter names
	dayColumns     = 8
	minNarrowNames = 14
)

var listColumns = []widget.Column{
	{Title: "Result", Width: 8, Rank: 0}, {Title: "Reason", Width: 12, Rank: 3}, {Title: "Game", Width: 10, Rank: 1}, {Width: 4, Rank: 6},
	{Title: "Clock", Width: 9, Rank: 2}, {Title: "Mode", Width: 7, Rank: 4}, {Title: "Turns", Width: 6, Rank: 5},
}

// day formats a date without the year: "2 Jan".
func day(t time.Time) string { return t.UTC().Format("2 Jan") }

// drawMatch draws the players and the columns of a finished match. viewer is the player from whose point of view
// the outcome is described; 0: none.
func drawMatch(c paint.Canvas, sh *screen.Shell, columns widget.Columns, f *lobby.FinishedMatch, viewer account.ID, selected bool) {
	t := sh.Style.Theme
	style, dim, mark := t.Text, t.Dim, t.Good
	result, reason, good := outcome(f, viewer)
	switch {
	case selected:
		style, dim, mark = t.Selected, t.Selected, t.Selected
	case !good:
		mark = t.Text
	}
	var names, ratings [2]string
	for i, s := range f.Info.Seats {
		if i < 2 {
			names[i], ratings[i] = sh.Config.ShortName(s), words.SeatRating(s.Rating)
		} else {
			names[1] += " – " + sh.Config.ShortName(s)
		}
	}
	c.Text(0, 0, style, widget.Players(names, ratings, columns.First-1))
	title, options := words.ListTitle(f.Info.Options)
	columns.Draw(c, mark, result)
	columns.Draw(c, dim, "", reason, title, options, f.Info.Control.String(), words.Mode(f.Info.Rated), strconv.Itoa(f.Turns))
}

// endingTexts names the reasons for an end that the list shows.
var endingTexts = map[string]string{
	engine.ReasonResign: "resignation", engine.ReasonTime: "time", engine.ReasonLeft: "abandoned",
	engine.ReasonRepetition: "repetition", engine.ReasonDraw: "agreement",
}

// outcome describes the outcome of a match and the reason, "" where the list names none: to one of its players
// "won", "lost" or, with three or more, "2nd"; to others "1–0" with two players, else "ana won". good reports whether that player won.
func outcome(f *lobby.FinishedMatch, viewer account.ID) (text, why string, good bool) {
	winners, seats := f.Result.Winners, f.Info.Seats
	seat := -1
	if n, ok := f.Info.SeatOf(viewer); ok && viewer != 0 && !f.Info.Local {
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
func hasPlace(f *lobby.FinishedMatch, seat int) bool {
	departed := seat < len(f.Departures) && f.Departures[seat] != ""
	return f.Result.Reason != engine.ReasonLeft && seat < len(f.Result.Places) && !departed
}

// reason returns why a match ended, or, to a seat that left before the end, why it left. It is "" where
// the list shows no reason. seat is -1 for others.
func reason(f *lobby.FinishedMatch, seat int) string {
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
