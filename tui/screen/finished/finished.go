// Package finished is the list of finished matches, of one player or of all, as a part of screens.
package finished

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// PageSize is the number of finished matches on a page.
const PageSize = 50

// Page is one page of finished matches, newest first. The zero value is a page that is being loaded.
type Page struct {
	Player   string          // whose matches; "": of all players
	PlayerID lobby.AccountID // 0: of all players
	Before   []string        // match ids: page i of the pages so far begins after Before[i-1]
	Games    []lobby.FinishedMatch
	HasMore  bool // older matches follow
	IsLoaded bool
	Err      string // why it cannot be shown, a clause for the user; "": it can
}

// load loads the page that begins after the last element of before and calls done with it in the event loop.
func load(sh *screen.Shell, player string, before []string, done func(Page)) tea.Cmd {
	p := Page{Player: player, Before: before}
	var after string
	if n := len(before); n > 0 {
		after = before[n-1]
	}
	return sh.Call(func(ctx context.Context) error {
		games, err := sh.Client.Archive().Finished(ctx, player, after, PageSize+1)
		if err != nil {
			code, text := lobby.PublicError(err)
			if code == lobby.CodeRateLimited {
				return err
			}
			p.IsLoaded, p.Err = true, text
			return nil
		}
		if player != "" {
			account, err := sh.Session.Lobby().Accounts.ByName(ctx, player)
			if err != nil {
				_, p.Err = lobby.PublicError(err)
				return nil
			}
			p.Player, p.PlayerID = account.Name, account.ID
		}
		p.IsLoaded, p.HasMore = true, len(games) > PageSize
		p.Games = games[:min(len(games), PageSize)]
		return nil
	}, func() tea.Cmd {
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

// OpenSelected opens the replay of the selected match.
func (l *List) OpenSelected(sh *screen.Shell) tea.Cmd {
	f := l.selected()
	if f == nil {
		return nil
	}
	return sh.Open(dest.Replay{ID: f.Info.ID})
}

// AskProfile asks which player of the selected match to show and opens the profile.
func (l *List) AskProfile(sh *screen.Shell) tea.Cmd {
	f := l.selected()
	if f == nil {
		return nil
	}
	return player.AskProfile(sh, f.Info)
}

// Draw draws at most rows rows from row y on, or why there are none: empty is the text of a page without
// matches.
func (l *List) Draw(c paint.Canvas, t *theme.Theme, y, rows int, empty string) {
	p := &l.Page
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
		c.Text(3, y+i, style, text)
	}
	from, to := l.Cursor.Window(y, rows, len(p.Games))
	for i := from; i < to; i++ {
		drawMatch(c.Sub(0, y+i-from, w, 1), t, &p.Games[i], p.PlayerID, i == l.Cursor.Index)
	}
}

// drawMatch draws the row of a finished match. viewer is the player from whose point of view the
// outcome is described; 0: none.
func drawMatch(c paint.Canvas, t *theme.Theme, f *lobby.FinishedMatch, viewer lobby.AccountID, selected bool) {
	w, _ := c.Size()
	style, dim, mark := t.Text, t.Dim, t.Good
	if selected {
		style, dim, mark = t.Selected, t.Selected, t.Selected
		c.Fill(0, 0, w, 1, t.Selected, ' ')
		c.Text(0, 0, t.Selected, "›")
	}
	result, good := outcomeText(f, viewer)
	if !good && !selected {
		mark = t.Text
	}
	columns := []struct {
		text  string
		width int
		style paint.Style
	}{
		{result, 24, mark}, {f.Info.Title(), 17, dim},
		{words.Plural(f.Turns, "turn"), 10, dim}, {f.Info.Control.String(), 10, dim},
	}
	if w < 90 {
		columns[1].text, columns[1].width = shortTitle(f.Info), 13
		columns[0].width = 18
	}
	const dates = 13
	space := w - dates - widget.PlayersColumns
	fits := 0
	for fits < len(columns) && columns[fits].width <= space {
		space -= columns[fits].width
		fits++
	}
	c.Text(1, 0, dim, words.Date(f.Ended))
	x := w
	for i := fits - 1; i >= 0; i-- {
		x -= columns[i].width
		c.Text(x, 0, columns[i].style, paint.Cut(columns[i].text, columns[i].width-1))
	}
	var names, ratings [2]string
	for i, s := range f.Info.Seats {
		if i < 2 {
			names[i], ratings[i] = s.Name, words.SeatRating(s.Rating)
		} else {
			names[1] += " – " + s.Name
		}
	}
	c.Text(dates, 0, style, widget.Players(names, ratings, x-dates-1))
}

// shortTitle returns a match's game and the first of its options.
func shortTitle(info *lobby.MatchInfo) string {
	title, _, _ := strings.Cut(info.Title(), ",")
	return title
}

// endingTexts names the reasons for an end that the list shows.
var endingTexts = map[string]string{
	engine.ReasonResign: "resignation", engine.ReasonTime: "time", engine.ReasonLeft: "abandoned",
	engine.ReasonRepetition: "repetition", engine.ReasonDraw: "agreement",
}

// outcomeText describes the outcome of a match: to one of its players "won (time)", "lost" or, with three or more, "2nd"; to others "1–0
// (time)" with two players, else "ana won". good reports whether that player won.
func outcomeText(f *lobby.FinishedMatch, viewer lobby.AccountID) (text string, good bool) {
	winners, seats := f.Result.Winners, f.Info.Seats
	seat := -1
	if n, ok := f.Info.SeatOf(viewer); ok && viewer != 0 {
		seat = n
	}
	good = slices.Contains(winners, seat)
	switch n := len(winners); {
	case n == 0:
		return "aborted", false
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
	if why := reason(f, seat); why != "" {
		text += " (" + why + ")"
	}
	return text, good && len(winners) == 1
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
		case lobby.LeftResigned:
			return "resigned"
		case lobby.LeftTime:
			return "time"
		case lobby.LeftAbsent:
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
