package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// maxGridGames is the maximum number of matches in the grid.
const maxGridGames = 6

// gridScreen shows several running matches at once. A match keeps its cell until its result has been
// shown for resultDelay.
type gridScreen struct {
	screen.Base
	app         *Model
	cells       []*gridCell
	selected    int                  // index into cells
	seen        map[string]bool      // matches that were replaced by PgDn
	hidden      map[string]*gridCell // running matches that are not shown, for their size
	hiddenCount int                  // number of matches in hidden
	plan        gridPlan
}

// gridCell is one match of the grid.
type gridCell struct {
	match     *lobby.Match
	spectator *lobby.Spectator // nil while hidden
	game      game.Game
	board     game.Board
	snapshot  *lobby.Snapshot
}

func newGridScreen(a *Model) *gridScreen { return &gridScreen{app: a, seen: make(map[string]bool)} }

// openGrid opens the grid if there is a match to watch.
func (a *Model) openGrid() tea.Cmd {
	if len(a.watchableMatches()) == 0 {
		a.Notify("There are no games to watch.")
		return nil
	}
	return a.Push(newGridScreen(a))
}

// watchableMatches lists the running public matches of others, the featured one first.
func (a *Model) watchableMatches() []*lobby.MatchListing {
	me := a.Session.Account().ID
	view := a.Session.Lobby().View()
	var list []*lobby.MatchListing
	for _, m := range view.Matches {
		switch {
		case seatOf(m.Info, me) >= 0:
		case m.ID == view.Featured:
			list = slices.Insert(list, 0, m)
		default:
			list = append(list, m)
		}
	}
	return list
}

// Traits implements screen.Screen.
func (v *gridScreen) Traits() screen.Traits {
	return screen.Traits{IsWatching: true, ShowsLists: true}
}

func (v *gridScreen) Close() {
	for _, c := range v.cells {
		c.spectator.Close()
	}
	v.cells, v.hidden = nil, nil
}

// refresh applies the newest snapshots and fills free space with further matches.
func (v *gridScreen) Refresh() tea.Cmd {
	now := time.Now()
	spare := v.hiddenCells()
	v.hiddenCount = len(spare)
	for i := len(v.cells) - 1; i >= 0; i-- {
		c := v.cells[i]
		c.show(c.spectator.Snapshot())
		if c.snapshot.IsOver() && now.Sub(c.snapshot.LastAt) >= resultDelay {
			v.drop(i)
		}
	}
	unseen := slices.DeleteFunc(slices.Clone(spare), func(c *gridCell) bool { return v.seen[c.match.Info.ID] })
	if len(unseen) == 0 && len(v.cells) == 0 {
		clear(v.seen)
		unseen = spare
	}
	for _, c := range v.arrange(unseen) {
		var err error
		if c.spectator, err = v.app.Session.Watch(c.match.Info.ID, ""); err == nil {
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
func (v *gridScreen) hiddenCells() []*gridCell {
	spare := make(map[string]*gridCell)
	var list []*gridCell
	for _, li := range v.app.watchableMatches() {
		if len(list) == maxMeasuredGames || slices.ContainsFunc(v.cells, func(c *gridCell) bool { return c.match.Info.ID == li.ID }) {
			continue
		}
		c := v.hidden[li.ID]
		if c == nil {
			m, err := v.app.Session.Lobby().Match(li.ID)
			game, ok := v.app.Config.Games.ByName(li.Info.Game)
			if err != nil || !ok {
				continue
			}
			c = &gridCell{match: m, game: game, board: game.New()}
		}
		c.show(c.match.Snapshot())
		spare[li.ID] = c
		list = append(list, c)
	}
	v.hidden = spare
	return list
}

func (v *gridScreen) drop(i int) {
	v.cells[i].spectator.Close()
	v.cells = slices.Delete(v.cells, i, i+1)
}

func (c *gridCell) show(s *lobby.Snapshot) {
	if s == c.snapshot {
		return
	}
	c.snapshot = s
	state := game.State{Position: s.Position, Seat: -1, Static: true}
	if r := turnRecordOf(s, c.game); len(r.entries) > 0 {
		state.LastTurn = r.entries[len(r.entries)-1].Actions
	}
	c.board.Show(state)
}

// gridPlan is the layout of the grid.
type gridPlan struct {
	columns int
	w, h    int // size of a cell, including the gap on its right
}

// Space of a cell beside its board.
const (
	cellRows = 2 // the players and the state
	cellGap  = 1
)

// arrange selects the layout with the most matches that keeps all shown cells, and returns the matches
// that join. If the window has become too small, the last cells are removed.
func (v *gridScreen) arrange(others []*gridCell) (joining []*gridCell) {
	w, h := v.app.Width, v.app.Height-3 // without the header and the last two lines
	for {
		for n := min(len(v.cells)+len(others), maxGridGames); n >= max(len(v.cells), 1); n-- {
			best := 0
			for columns := 1; columns <= n; columns++ {
				p := gridPlan{columns, w / columns, h / ((n + columns - 1) / columns)}
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
			v.plan = gridPlan{1, w, h} // the cell reports that the window is too small
			return nil
		}
		v.drop(len(v.cells) - 1)
	}
}

// fittingCells returns the matches whose boards fit into a cell, and the area of those boards.
func (p gridPlan) fittingCells(cells []*gridCell) (fit []*gridCell, area int) {
	for _, c := range cells {
		if w, h, ok := c.board.Fit(p.w-cellGap, p.h-cellRows); ok {
			fit = append(fit, c)
			area += w * h
		}
	}
	return fit, area
}

func (v *gridScreen) Draw(c paint.Canvas) {
	right := ""
	if v.hiddenCount > 0 {
		right = fmt.Sprintf("%d more", v.hiddenCount)
	}
	widget.DrawHeader(c, v.app.Style.Theme, "Games", words.Plural(len(v.cells), "game")+" at once", right)
	if len(v.cells) == 0 {
		c.Text(3, 2, v.app.Style.Theme.Dim, "No games in progress. New games appear here by themselves.")
		return
	}
	for i, cell := range v.cells {
		x, y := i%v.plan.columns*v.plan.w, 1+i/v.plan.columns*v.plan.h
		v.drawCell(c.Sub(x, y, v.plan.w-cellGap, v.plan.h), cell, i == v.selected)
	}
}

// drawCell draws a match: a row with the players, the board, and a row with the state.
func (v *gridScreen) drawCell(c paint.Canvas, cell *gridCell, selected bool) {
	t := v.app.Style.Theme
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
		mark, style := cell.game.SeatMark(s.Position, i, v.app.Style)
		if selected {
			style = t.Selected
		}
		n := c.Text(x, 0, style, mark)
		c.Text(x+n, 0, name, paint.Cut(seat.Name, share-n-1))
		x += share
	}
	cell.board.Draw(c.Sub((w-bw)/2, 1, bw, bh), v.app.Style)
	c.Text(1, bh+1, dim, paint.Cut(cell.stateText(time.Now()), w-1))
}

// stateText describes the state of a match: "turn 12 · White · 9:58", or its result.
func (c *gridCell) stateText(now time.Time) string {
	s := c.snapshot
	if s.IsOver() {
		return words.Result(s, c.game, -1)
	}
	turn := s.Position.Turn()
	text := fmt.Sprintf("turn %d · %s", s.Turns+1, c.game.Side(s.Position, turn))
	if left, ok := s.Remaining(turn, now); ok {
		text += " " + words.Clock(left)
	}
	return text
}

func (v *gridScreen) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.handleKey(msg.String())
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

func (v *gridScreen) handleKey(key string) tea.Cmd {
	step := map[string]int{"left": -1, "h": -1, "right": 1, "l": 1, "tab": 1, "up": -v.plan.columns, "k": -v.plan.columns, "down": v.plan.columns, "j": v.plan.columns}[key]
	if to := v.selected + step; step != 0 && to >= 0 && to < len(v.cells) {
		v.selected = to
	}
	switch key {
	case "enter", "space":
		return v.open()
	case "pgdown":
		if v.hiddenCount > 0 {
			for _, c := range v.cells {
				v.seen[c.match.Info.ID] = true
			}
			v.Close()
			v.selected = 0
			return v.Refresh()
		}
	case "N":
		return v.app.openNextWaiting()
	case "?":
		return v.app.OpenHelp()
	case "o":
		return v.app.Open(dest.Settings{})
	case "q", "esc":
		return v.app.Back()
	}
	return nil
}

func (v *gridScreen) open() tea.Cmd {
	if v.selected >= len(v.cells) {
		return nil
	}
	id := v.cells[v.selected].match.Info.ID
	v.Close() // a session watches a match only once
	cmd := v.app.Open(dest.Match{ID: id, Returns: true})
	if v.app.Current() == v {
		return v.Refresh()
	}
	return cmd
}

// nextChange returns when a clock changes or a finished match is removed.
func (v *gridScreen) NextChange(now time.Time) time.Time {
	var next time.Time
	for _, c := range v.cells {
		at := c.snapshot.LastAt.Add(resultDelay)
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

func (v *gridScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	if v.selected >= len(v.cells) {
		return "", t.Dim
	}
	m := v.cells[v.selected].match
	text := m.Info.Title() + " · " + m.Info.Control.String() + " · " + words.Plural(m.SpectatorCount(), "spectator")
	if m.Info.Delay > 0 {
		text += " · " + delayClause(m.Info.Delay)
	}
	return text, t.Dim
}

func (v *gridScreen) StatusKeys() []game.Key {
	keys := []game.Key{{Key: "Enter", Help: "watch"}, {Key: "arrows", Help: "select"}, {Key: "q", Help: "back"}}
	if v.hiddenCount > 0 {
		keys = append(keys, game.Key{Key: "PgDn", Help: "other games"})
	}
	return append(keys, game.Key{Key: "?", Help: "help"})
}

func (v *gridScreen) Help() screen.Help {
	return screen.Help{
		Title: "Several games at once",
		About: "Up to six games in progress, as many as fit the window. Turns are shown as they are made; a finished game is replaced by another one.",
		Keys: []game.Key{
			{Key: "arrows Tab", Help: "select a game"}, {Key: "Enter", Help: "watch the selected game alone; q returns to this screen"},
			{Key: "PgDn", Help: "other games, if there are any"}, {Key: "q", Help: "back"},
		},
	}
}
