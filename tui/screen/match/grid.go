package match

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// maxGridGames is the maximum number of matches in the grid.
const maxGridGames = 6

// grid is the screen. A match keeps its cell until its result has been shown for screen.ResultDelay.
type grid struct {
	screen.Base
	cells       []*cell
	selected    int              // index into cells
	seen        map[string]bool  // matches that were replaced by PgDn
	hidden      map[string]*cell // running matches that are not shown, for their size
	hiddenCount int              // number of matches in hidden
	plan        plan
}

// cell is one match of the grid.
type cell struct {
	match     *lobby.Match
	spectator *lobby.Spectator // nil while hidden
	game      game.Game
	board     game.Board
	snapshot  *match.Snapshot
	scores    []string // of the seats
}

// OpenGrid shows the grid if there is a match to watch.
func OpenGrid(sh *screen.Shell, _ dest.Grid) tea.Cmd {
	if len(watchableMatches(sh)) == 0 {
		sh.Notify("There are no games to watch.")
		return nil
	}
	return sh.Push(&grid{Base: screen.Base{Shell: sh}, seen: make(map[string]bool)})
}

var gridBindings = screen.Bindings[*grid]{
	{Key: screen.Keys("left", "arrows Tab", "select a game"), Short: "arrows", Label: "select", Do: func(v *grid) tea.Cmd { return v.move(-1) }},
	{Key: screen.Keys("right tab", "", ""), Do: func(v *grid) tea.Cmd { return v.move(1) }},
	{Key: screen.Keys("up", "", ""), Do: func(v *grid) tea.Cmd { return v.move(-v.plan.columns) }},
	{Key: screen.Keys("down", "", ""), Do: func(v *grid) tea.Cmd { return v.move(v.plan.columns) }},
	{Key: screen.Keys("enter space", "Enter", "watch the selected game alone; q returns to this screen"), Label: "watch", Rank: -1, Do: (*grid).open},
	{Key: screen.Keys("pgdown", "PgDn", "other games, if there are any"), Label: "other games", Rank: 1, When: func(v *grid) bool { return v.hiddenCount > 0 }, Do: (*grid).showOthers},
	{Key: screen.Keys(">", "", ""), Do: func(v *grid) tea.Cmd { return v.Shell.Open(dest.NextWaiting{}) }},
	{Key: screen.Keys("o", "", ""), Do: func(v *grid) tea.Cmd { return v.Shell.Open(dest.Settings{}) }},
	screen.BackKey[*grid](),
	screen.HelpKey[*grid](),
}

// watchableMatches lists the running public matches of others, the featured one first.
func watchableMatches(sh *screen.Shell) []*lobby.MatchListing {
	return sh.Session.Lobby().View().WatchableBy(sh.Session.Account().ID)
}

func (v *grid) Traits() screen.Traits {
	return screen.Traits{IsWatching: true, ShowsLists: true}
}

func (v *grid) Close() {
	for _, c := range v.cells {
		c.spectator.Close()
	}
	v.cells, v.hidden = nil, nil
}

// Refresh applies the newest snapshots and fills free space with further matches.
func (v *grid) Refresh() tea.Cmd {
	now := time.Now()
	spare := v.hiddenCells()
	v.hiddenCount = len(spare)
	for i := len(v.cells) - 1; i >= 0; i-- {
		c := v.cells[i]
		c.show(turnsOf(v.Shell), c.spectator.Snapshot())
		if c.snapshot.IsOver() && now.Sub(c.snapshot.LastAt) >= screen.ResultDelay {
			v.drop(i)
		}
	}
	unseen := slices.DeleteFunc(slices.Clone(spare), func(c *cell) bool { return v.seen[c.match.Info.ID] })
	if len(unseen) == 0 && len(v.cells) == 0 {
		clear(v.seen)
		unseen = spare
	}
	for _, c := range v.arrange(unseen) {
		var err error
		if c.spectator, err = v.Shell.Session.Watch(c.match.Info.ID, ""); err == nil {
			v.cells = append(v.cells, c)
			v.hiddenCount--
		}
	}
	v.selected = max(min(v.selected, len(v.cells)-1), 0)
	return nil
}

// maxMeasuredGames bounds the hidden matches that are considered for free cells.
const maxMeasuredGames = 24

// hiddenCells returns the running matches that are not shown, each with a board to measure.
func (v *grid) hiddenCells() []*cell {
	spare := make(map[string]*cell)
	var list []*cell
	for _, li := range watchableMatches(v.Shell) {
		if len(list) == maxMeasuredGames || slices.ContainsFunc(v.cells, func(c *cell) bool { return c.match.Info.ID == li.ID }) {
			continue
		}
		c := v.hidden[li.ID]
		if c == nil {
			m, err := v.Shell.Session.Lobby().Match(li.ID)
			game, ok := v.Shell.Config.Games.ByName(li.Info.Game)
			if err != nil || !ok {
				continue
			}
			c = &cell{match: m, game: game, board: game.New()}
		}
		c.show(turnsOf(v.Shell), c.match.Snapshot())
		spare[li.ID] = c
		list = append(list, c)
	}
	v.hidden = spare
	return list
}

func (v *grid) drop(i int) {
	v.cells[i].spectator.Close()
	v.cells = slices.Delete(v.cells, i, i+1)
}

func (c *cell) show(cache *turnCache, s *match.Snapshot) {
	if s == c.snapshot {
		return
	}
	c.snapshot = s
	state := game.State{Position: s.Position, Seat: -1, Static: true}
	c.scores = c.scores[:0]
	for seat := range s.Info.Seats {
		c.scores = append(c.scores, c.game.Score(s.Position, seat))
	}
	if r := cache.Of(s, c.game); len(r.Entries) > 0 {
		state.LastTurn = r.Entries[len(r.Entries)-1].Actions
	}
	c.board.Show(state)
}

// plan is the layout of the grid.
type plan struct {
	columns int
	w, h    int // size of a cell, including the gap on its right
}

// Space of a cell beside its board.
const (
	cellRows  = 2 // the players and the state
	columnGap = 1
)

// arrange selects the layout with the most matches that keeps all shown cells, and returns the matches
// that join. If the window has become too small, the last cells are removed.
func (v *grid) arrange(others []*cell) (joining []*cell) {
	w, h := v.Shell.Width, v.Shell.Height-3 // without the header and the last two lines
	for {
		for n := min(len(v.cells)+len(others), maxGridGames); n >= max(len(v.cells), 1); n-- {
			best := 0
			for columns := 1; columns <= n; columns++ {
				p := plan{columns, w / columns, h / ((n + columns - 1) / columns)}
				fit, area := p.fittingCells(v.cells)
				more, _ := p.fittingCells(others)
				if len(fit) < len(v.cells) || len(fit)+len(more) < n {
					continue
				}
				more = more[:n-len(fit)]
				if _, extra := p.fittingCells(more); area+extra > best {
					best, v.plan, joining = area+extra, p, more
				}
			}
			if best > 0 {
				return joining
			}
		}
		if len(v.cells) < 2 {
			v.plan = plan{1, w, h} // the cell reports that the window is too small
			return nil
		}
		v.drop(len(v.cells) - 1)
	}
}

// fittingCells returns the matches whose boards fit into a cell, and the area of those boards.
func (p plan) fittingCells(cells []*cell) (fit []*cell, area int) {
	for _, c := range cells {
		if w, h, ok := c.board.Fit(p.w-columnGap, p.h-cellRows); ok {
			fit = append(fit, c)
			area += w * h
		}
	}
	return fit, area
}

func (v *grid) Draw(c paint.Canvas) {
	right := ""
	if v.hiddenCount > 0 {
		right = fmt.Sprintf("%d more", v.hiddenCount)
	}
	widget.DrawHeader(c, v.Shell.Style.Theme, "Games", words.Plural(len(v.cells), "game")+" at once", right)
	if len(v.cells) == 0 {
		c.Text(3, 2, v.Shell.Style.Theme.Dim, "No games in progress. New games appear here automatically.")
		return
	}
	for i, cell := range v.cells {
		x, y := i%v.plan.columns*v.plan.w, 1+i/v.plan.columns*v.plan.h
		v.drawCell(c.Sub(x, y, v.plan.w-columnGap, v.plan.h), cell, i == v.selected)
	}
}

// drawCell draws a match: a row with the players, the board, and a row with the state.
func (v *grid) drawCell(c paint.Canvas, cell *cell, selected bool) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	bw, bh, ok := cell.board.Fit(w, h-cellRows)
	if !ok {
		c.Text(0, 0, t.Bad, "This board needs a larger window.")
		return
	}
	name, dim := t.Strong, t.Dim
	if selected {
		name, dim = t.Selected, t.Selected
		c.Fill(0, 0, w, 1, t.Selected, ' ')
		c.Fill(0, bh+1, w, 1, t.Selected, ' ')
		c.Text(0, 0, t.Selected, "›")
	}
	s := cell.snapshot
	x := 1
	share := (w - 1) / len(s.Info.Seats)
	for i, seat := range s.Info.Seats {
		mark, style := cell.game.SeatMark(s.Position, i, v.Shell.Style)
		n := c.Text(x, 0, style, mark)
		n += c.Text(x+n, 0, name, paint.Cut(v.Shell.Config.ShortName(seat), share-n-1))
		if score := cell.scores[i]; score != "" && n+paint.Width(score)+2 <= share {
			c.Text(x+n+1, 0, dim, score)
		}
		x += share
	}
	cell.board.Draw(c.Sub((w-bw)/2, 1, bw, bh), v.Shell.Style)
	state := cell.stateText(time.Now())
	title, options := words.ListTitle(s.Info.Options)
	for _, more := range []string{strings.TrimRight(" · "+title+" "+options, " ") + " · " + words.Terms(s.Info.Control, s.Info.Rated), " · " + title} {
		if !s.IsOver() && paint.Width(state+more) < w {
			state += more
			break
		}
	}
	c.Text(1, bh+1, dim, paint.Cut(state, w-1))
}

// stateText describes the state of a match: "12 turns · White · 9:58", or its result.
func (c *cell) stateText(now time.Time) string {
	s := c.snapshot
	if s.IsOver() {
		return words.Result(s, c.game, -1)
	}
	turn := s.Position.Turn()
	text := words.Plural(s.Turns, "turn") + " · " + c.game.Side(s.Position, turn)
	if left, ok := s.Remaining(turn, now); ok {
		text += " " + words.Clock(left)
	}
	return text
}

func (v *grid) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return gridBindings.HandleKey(v, msg)
	case screen.TickMsg:
		return v.Refresh()
	case tea.MouseClickMsg:
		i := msg.X/max(v.plan.w, 1) + (msg.Y-1)/max(v.plan.h, 1)*v.plan.columns
		switch {
		case msg.Y < 1 || msg.X >= v.plan.w*v.plan.columns || i >= len(v.cells):
		case i == v.selected:
			return v.open()
		default:
			v.selected = i
		}
	}
	return nil
}

// move selects the cell at a distance in reading order, if there is one.
func (v *grid) move(by int) tea.Cmd {
	if to := v.selected + by; to >= 0 && to < len(v.cells) {
		v.selected = to
	}
	return nil
}

// showOthers shows matches that have not been shown before.
func (v *grid) showOthers() tea.Cmd {
	for _, c := range v.cells {
		v.seen[c.match.Info.ID] = true
	}
	v.Close()
	v.selected = 0
	return v.Refresh()
}

// open opens the selected match, from which the back key returns.
func (v *grid) open() tea.Cmd {
	if v.selected >= len(v.cells) {
		return nil
	}
	id := v.cells[v.selected].match.Info.ID
	v.Close() // a session watches a match only once
	cmd := v.Shell.Open(dest.Match{ID: id, Returns: true})
	if v.Shell.Current() == v {
		return v.Refresh()
	}
	return cmd
}

// NextChange returns when a clock changes or a finished match is removed.
func (v *grid) NextChange(now time.Time) time.Time {
	var next time.Time
	for _, c := range v.cells {
		at := c.snapshot.LastAt.Add(screen.ResultDelay)
		if !c.snapshot.IsOver() {
			left, ok := c.snapshot.Remaining(max(c.snapshot.RunningSeat, 0), now)
			if !ok || c.snapshot.RunningSeat < 0 || left == 0 {
				continue
			}
			at = now.Add(words.NextClockChange(left))
		}
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func (v *grid) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if v.selected >= len(v.cells) {
		return "", t.Dim
	}
	m := v.cells[v.selected].match
	text := m.Info.Title() + " · " + m.Info.Control.String() + " · " + words.Plural(m.SpectatorCount(), "spectator")
	if m.Info.Delay > 0 {
		text += " · " + words.Delayed(m.Info.Delay)
	}
	return text, t.Dim
}

func (v *grid) StatusKeys() []game.Key { return gridBindings.Status(v) }

func (v *grid) Help() screen.Help {
	return screen.Help{
		Title: "Several games at once",
		About: "Up to six games in progress, as many as fit the window. Turns are shown as they are made; a finished game is replaced by another one.",
		Keys:  gridBindings.Help(v),
	}
}
