// Package preview has boards that take no input and stand beside other content: running matches as spectators see them, the end
// of finished ones, and the puzzle of the day.
package preview

import (
	"strings"
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

// Preview is a match at a turn, or the puzzle of the day. All sessions share it, and draw it once for each size and
// style. Its clocks stand as they were after the turn, so that nothing in it changes until the next one. Boards makes it. Any
// goroutine may use it.
type Preview struct {
	Title string
	Hint  string // what stands at the other end of the title

	key  key
	game game.Game
	// Of a match.
	snapshot *match.Snapshot
	// Of a puzzle: the task is its first sentence.
	about, task string

	mu    sync.Mutex // of board, which only one goroutine may use at a time
	board game.Board
}

// key identifies a match at a version, or a puzzle.
type key struct {
	id       string
	version  int
	isPuzzle bool
}

// Boards keeps the previews of a server. Any goroutine may use it.
type Boards struct {
	once   sync.Once
	all    game.Cache[key, *Preview]
	frames game.Cache[frameKey, *paint.Frame]
	day    game.Cache[dayKey, *Preview]
}

// kept is the number of previews that are kept.
const kept = 16

// BoardsOf returns the previews that all sessions share.
func BoardsOf(s *screen.Shared) *Boards {
	b := screen.SharedPart[Boards](s)
	b.once.Do(func() { b.all.Capacity, b.day.Capacity = kept, kept })
	return b
}

// MadeCount returns how many drawings have been made since the start.
func (b *Boards) MadeCount() int { return b.frames.MadeCount() }

// frameKey identifies the drawing of a preview inside a pane.
type frameKey struct {
	key
	w, h  int
	style game.Style
}

// dayKey identifies the puzzle of a day of a game.
type dayKey struct {
	puzzles *puzzles.Collection
	game    string
	day     int64
}

// OfMatch returns the preview of a match as a view lists it; nil if it cannot be shown.
func (b *Boards) OfMatch(sh *screen.Shell, m *lobby.MatchListing) *Preview {
	k := key{id: m.ID, version: m.Version}
	return b.all.Get(k, func() *Preview {
		running, err := sh.Session.Lobby().Match(m.ID)
		if err != nil {
			return nil
		}
		return ofSnapshot(sh, k, running.Snapshot())
	})
}

// OfFinished returns the preview of the end of a match of the archive; nil if it cannot be shown.
func (b *Boards) OfFinished(sh *screen.Shell, s *match.Snapshot) *Preview {
	k := key{id: s.Info.ID, version: s.Version}
	return b.all.Get(k, func() *Preview { return ofSnapshot(sh, k, s) })
}

// ofSnapshot returns the preview of a match; nil if there is no such game.
func ofSnapshot(sh *screen.Shell, k key, s *match.Snapshot) *Preview {
	g, ok := sh.Config.Games.ByName(s.Info.Game)
	if !ok {
		return nil
	}
	title, _ := words.ListTitle(s.Info.Options)
	v := &Preview{
		Title: title + " · " + s.Info.Control.String(), Hint: words.Plural(s.Turns, "turn"),
		key: k, game: g, snapshot: s, board: g.New(),
	}
	state := game.State{Position: s.Position, Seat: -1, Static: true}
	if entries := s.TurnEntries(); len(entries) > 0 {
		state.LastTurn = entries[len(entries)-1].Actions
	}
	v.board.Show(state)
	return v
}

// OfDay returns the preview of the puzzle of the day of the user's game (op.Visit.PuzzleGame); nil if there is none.
func (b *Boards) OfDay(sh *screen.Shell, now time.Time) *Preview {
	all := sh.Config.Puzzles
	if all.Len() == 0 {
		return nil
	}
	const secondsPerDay = 24 * 60 * 60
	name := sh.Visit.PuzzleGame()
	return b.day.Get(dayKey{all, name, now.Unix() / secondsPerDay}, func() *Preview {
		puzzle, err := all.OfDay(name, now)
		if err != nil {
			return nil
		}
		g, ok := sh.Config.Games.ByName(puzzle.Game)
		if !ok {
			return nil
		}
		try := all.NewTry(puzzle)
		task, _, isCut := strings.Cut(try.Task(), ". ") // which explain words; the board needs the rows
		if isCut {
			task += "."
		}
		v := &Preview{
			Title: "Puzzle of the day", Hint: "z", key: key{id: puzzle.ID, isPuzzle: true}, game: g, board: g.New(),
			about: g.Engine().Title() + " · you are " + g.Side(try.Position, puzzle.Turn), task: task,
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
func (p *Preview) taskLines(w int, style game.Style) (all []styled) {
	all = append(all, styled{paint.Cut(p.about, w), style.Theme.Dim})
	for _, l := range widget.Wrap(p.task, w) {
		all = append(all, styled{l, style.Theme.Text})
	}
	return all
}

// lines returns the number of rows below the board in w columns.
func (p *Preview) lines(w int) int {
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

// Match returns the id of the match; "": it is a puzzle.
func (p *Preview) Match() string {
	if p.key.isPuzzle {
		return ""
	}
	return p.key.id
}

// PuzzleHint returns Hint with what the user has made of the puzzle of the day; "": there is nothing to add. It depends on the user,
// so that it is drawn over what sessions share.
func (p *Preview) PuzzleHint(sh *screen.Shell) string {
	if !p.key.isPuzzle {
		return ""
	}
	switch sh.Visit.ResultOfDay(p.game.Name()) {
	case puzzles.DailySolved:
		return "✓ solved · " + p.Hint
	case puzzles.DailyFailed:
		return "tried · " + p.Hint
	}
	return ""
}

// Rows returns the number of rows of the preview in w columns and at most h rows; 0 if it does not fit.
func (p *Preview) Rows(w, h int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.lines(w)
	if _, rows, ok := p.board.Fit(w, h-n); ok {
		return rows + n
	}
	return 0
}

// Frame returns the drawing of a preview in w columns and h rows, in the middle of them.
func (b *Boards) Frame(p *Preview, sh *screen.Shell, w, h int) *paint.Frame {
	k := frameKey{p.key, w, h, sh.Style}
	return b.frames.Lookup(&k, func() *paint.Frame {
		return paint.Draw(nil, w, h, func(c paint.Canvas) { p.Draw(c, sh) })
	})
}

// Draw draws the board in the middle of a canvas, and below it the seats or the task. It draws nothing if that does not fit.
func (p *Preview) Draw(c paint.Canvas, sh *screen.Shell) {
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
	const gap = 2
	columns := (seats + n - 1) / n
	column := (width + gap) / columns
	for i := range seats {
		p.drawSeat(c.Sub(left+i%columns*column, y+i/columns, column-gap, 1), sh, i)
	}
}

// drawSeat draws a seat in one row: its mark and name, its score, and its clock after the last turn.
func (p *Preview) drawSeat(c paint.Canvas, sh *screen.Shell, seat int) {
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
