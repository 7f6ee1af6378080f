package home

import (
	"sync"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// preview is a board in the lobby that takes no input: a running match as spectators see it, or the puzzle of the day. All
// sessions share it, and draw it once for each size and style. Its clocks stand as they were after the last turn, so that
// nothing in it changes between two turns.
type preview struct {
	key   previewKey
	game  game.Game
	title string
	hint  string
	// Of a match.
	snapshot *match.Snapshot
	// Of a puzzle.
	about, task string

	mu    sync.Mutex // of board, which only one goroutine may use at a time
	board game.Board
}

// previewKey identifies a match at a version, or a puzzle.
type previewKey struct {
	id       string
	version  int
	isPuzzle bool
}

// previews keeps those of a server. The zero value is ready for use. Any goroutine may use it.
type previews struct {
	all    game.Cache[previewKey, *preview]
	frames game.Cache[previewFrameKey, *paint.Frame]
	day    game.Cache[dayKey, *preview]
}

// previewFrameKey identifies the drawing of a preview inside a pane.
type previewFrameKey struct {
	previewKey
	w, h  int
	style game.Style
}

// dayKey identifies the puzzle of a day.
type dayKey struct {
	puzzles *puzzles.Collection
	day     int64
}

// ofMatch returns the preview of a match as a view lists it; nil if it cannot be shown.
func (p *previews) ofMatch(sh *screen.Shell, m *lobby.MatchListing) *preview {
	return p.all.Get(previewKey{id: m.ID, version: m.Version}, func() *preview {
		g, ok := sh.Config.Games.ByName(m.Info.Game)
		running, err := sh.Session.Lobby().Match(m.ID)
		if !ok || err != nil {
			return nil
		}
		s := running.Snapshot()
		title, _ := words.ListTitle(s.Info.Options)
		v := &preview{
			key: previewKey{id: m.ID, version: m.Version}, game: g, snapshot: s, board: g.New(),
			title: title + " · " + s.Info.Control.String(), hint: words.Plural(s.Turns, "turn"),
		}
		state := game.State{Position: s.Position, Seat: -1, Static: true}
		if entries := s.TurnEntries(); len(entries) > 0 {
			state.LastTurn = entries[len(entries)-1].Actions
		}
		v.board.Show(state)
		return v
	})
}

// ofDay returns the preview of the puzzle of the day; nil if there is none.
func (p *previews) ofDay(sh *screen.Shell, now time.Time) *preview {
	all := sh.Config.Puzzles
	if all.Len() == 0 {
		return nil
	}
	const secondsPerDay = 24 * 60 * 60
	return p.day.Get(dayKey{all, now.Unix() / secondsPerDay}, func() *preview {
		puzzle, err := all.OfDay("", now)
		if err != nil {
			return nil
		}
		g, ok := sh.Config.Games.ByName(puzzle.Game)
		if !ok {
			return nil
		}
		try := all.NewTry(puzzle)
		v := &preview{
			key: previewKey{id: puzzle.ID, isPuzzle: true}, game: g, board: g.New(), title: "Puzzle of the day", hint: "z",
			about: g.Engine().Title() + " · you are " + g.Side(try.Position, puzzle.Turn), task: try.Task(),
		}
		v.board.Show(game.State{Position: try.Position, Seat: -1, Static: true})
		return v
	})
}

// styled is a line of text.
type styled struct {
	text  string
	style paint.Style
}

// taskLines returns what stands below the board of a puzzle.
func (p *preview) taskLines(w int, style game.Style) (all []styled) {
	all = append(all, styled{paint.Cut(p.about, w), style.Theme.Dim})
	for _, l := range widget.Wrap(p.task, w) {
		all = append(all, styled{l, style.Theme.Text})
	}
	return all
}

// lines returns the number of rows below the board in w columns.
func (p *preview) lines(w int) int {
	if p.key.isPuzzle {
		return 1 + len(widget.Wrap(p.task, w))
	}
	n := len(p.snapshot.Info.Seats)
	if n > 2 && w >= 2*minSeatColumns {
		return (n + 1) / 2
	}
	return n
}

// minSeatColumns is the minimum width of a seat if two stand beside each other.
const minSeatColumns = 22

// rows returns the number of rows of the preview in w columns and at most h rows; 0 if it does not fit.
func (p *preview) rows(w, h int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.lines(w)
	if _, rows, ok := p.board.Fit(w, h-n); ok {
		return rows + n
	}
	return 0
}

// frame returns the drawing of the preview in w columns and h rows, in the middle of them.
func (p *preview) frame(all *previews, sh *screen.Shell, w, h int) *paint.Frame {
	k := previewFrameKey{p.key, w, h, sh.Style}
	return all.frames.Lookup(&k, func() *paint.Frame {
		return paint.Draw(nil, w, h, func(c paint.Canvas) { p.draw(c, sh) })
	})
}

// draw draws the board, and below it the seats or the task.
func (p *preview) draw(c paint.Canvas, sh *screen.Shell) {
	w, h := c.Size()
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.lines(w)
	bw, bh, ok := p.board.Fit(w, h-n)
	if !ok {
		return
	}
	y := (h - bh - n) / 2
	p.board.Draw(c.Sub((w-bw)/2, y, bw, bh), sh.Style)
	y += bh
	left, width := 1, w-2
	if wide := bw + 8; wide < width { // below the board, and not far beside it
		left, width = (w-wide)/2, wide
	}
	if p.key.isPuzzle {
		for i, l := range p.taskLines(w, sh.Style) {
			c.Text((w-paint.Width(l.text))/2, y+i, l.style, l.text)
		}
		return
	}
	seats := len(p.snapshot.Info.Seats)
	columns := (seats + n - 1) / n
	for i := range seats {
		p.drawSeat(c.Sub(left+i%columns*(width/columns), y+i/columns, width/columns, 1), sh, i)
	}
}

// drawSeat draws a seat in one row: its mark and name, its score, and its clock after the last turn.
func (p *preview) drawSeat(c paint.Canvas, sh *screen.Shell, seat int) {
	w, _ := c.Size()
	s, t := p.snapshot, sh.Style.Theme
	right := ""
	if s.Clocks != nil {
		right = words.Clock(s.Clocks[seat])
	}
	score := p.game.Score(s.Position, seat)
	style, name := t.Text, sh.Config.ShortName(s.Info.Seats[seat])
	if !s.IsOver() && s.Position.Turn() == seat {
		style = t.Strong
	}
	mark, markStyle := p.game.SeatMark(s.Position, seat, sh.Style)
	x := c.Text(0, 0, markStyle, mark) + 1
	space := w - x - paint.Width(right) - 2
	n := c.Text(x, 0, style, paint.Cut(name, space))
	if rating := words.SeatRating(s.Info.Seats[seat].Rating); rating != "" && n+1+paint.Width(rating) <= space {
		n += 1 + c.Text(x+n+1, 0, t.Dim, rating)
	}
	if m := paint.Width(score); n+m+2 <= space {
		c.Text(x+space-m, 0, t.Dim, score)
	}
	c.Text(w-paint.Width(right), 0, style, right)
}

// chooser chooses the boards that the lobby of a session shows. It implements boardSpace.
type chooser struct {
	all        *previews
	sh         *screen.Shell
	candidates []*lobby.MatchListing // in the order of preference
	now        time.Time
	main       *preview // that rows has chosen
	others     []*preview
}

// maxCandidates bounds the matches that are considered.
const maxCandidates = 16

// rows implements boardSpace: the first match that fits is chosen, and without any the puzzle of the day.
func (c *chooser) rows(w, h int) int {
	c.main = nil
	for _, m := range c.candidates[:min(len(c.candidates), maxCandidates)] {
		if p := c.all.ofMatch(c.sh, m); p != nil {
			if n := p.rows(w, h); n > 0 {
				c.main = p
				return n
			}
		}
	}
	if p := c.all.ofDay(c.sh, c.now); p != nil {
		if n := p.rows(w, h); n > 0 {
			c.main = p
			return n
		}
	}
	return 0
}

// more implements boardSpace: the puzzle of the day is first.
func (c *chooser) more(w, h int) int {
	c.others = c.others[:0]
	add := func(p *preview) {
		if p != nil && p != c.main && len(c.others) < maxMoreBoards && p.rows(w, h) > 0 {
			c.others = append(c.others, p)
		}
	}
	add(c.all.ofDay(c.sh, c.now))
	for _, m := range c.candidates[:min(len(c.candidates), maxCandidates)] {
		add(c.all.ofMatch(c.sh, m))
	}
	return len(c.others)
}
