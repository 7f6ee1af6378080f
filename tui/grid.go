package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// mostWatched is how many games the grid shows at most.
const mostWatched = 6

// gridView shows several running games at once. A game keeps its place until it is over and its
// result has been seen.
type gridView struct {
	app   *app
	cells []*gridCell
	at    int                  // the chosen one
	seen  map[string]bool      // games that made room for others
	spare map[string]*gridCell // games that are not shown, to know how much room they need
	rest  int                  // how many there are
	plan  gridPlan
}

// gridCell is one game of the grid.
type gridCell struct {
	match   *lobby.Match
	watcher *lobby.Watcher // nil while it is not shown
	game    board.Game
	board   board.Board
	snap    *lobby.Snapshot
}

func newGridView(a *app) *gridView { return &gridView{app: a, seen: make(map[string]bool)} }

// openGrid opens the grid, if there is anything to see.
func (a *app) openGrid() tea.Cmd {
	if len(a.watchable()) == 0 {
		a.tell("No game is going on that you could watch.")
		return nil
	}
	return a.deeper(newGridView(a))
}

// watchable lists the public games of others that go on, the featured one first.
func (a *app) watchable() []*lobby.Listing {
	me := a.session.Account().ID
	view := a.session.Lobby().View()
	var list []*lobby.Listing
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

func (v *gridView) leave() {
	for _, c := range v.cells {
		c.watcher.Close()
	}
	v.cells = nil
}

// refresh takes over the newest states, and lets games in where there is room.
func (v *gridView) refresh() tea.Cmd {
	now := time.Now()
	spare := v.others()
	v.rest = len(spare)
	for i := len(v.cells) - 1; i >= 0; i-- {
		c := v.cells[i]
		c.show(c.watcher.Snapshot())
		if c.snap.Over() && now.Sub(c.snap.LastAt) >= resultShown {
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
		if c.watcher, err = v.app.session.Watch(c.match.Info.ID, ""); err == nil {
			v.cells = append(v.cells, c)
			v.rest--
		}
	}
	v.at = max(min(v.at, len(v.cells)-1), 0)
	return nil
}

// mostMeasured bounds the games that are looked at to find those that fit.
const mostMeasured = 24

// others returns the games that go on and are not shown, with boards that tell how large they are.
func (v *gridView) others() []*gridCell {
	spare := make(map[string]*gridCell)
	var list []*gridCell
	for _, li := range v.app.watchable() {
		if len(list) == mostMeasured || slices.ContainsFunc(v.cells, func(c *gridCell) bool { return c.match.Info.ID == li.ID }) {
			continue
		}
		c := v.spare[li.ID]
		if c == nil {
			m, err := v.app.session.Lobby().Match(li.ID)
			game, ok := boards.ByName(li.Info.Game)
			if err != nil || !ok {
				continue
			}
			c = &gridCell{match: m, game: game, board: game.New()}
		}
		c.show(c.match.Snapshot())
		spare[li.ID] = c
		list = append(list, c)
	}
	v.spare = spare
	return list
}

func (v *gridView) drop(i int) {
	v.cells[i].watcher.Close()
	v.cells = slices.Delete(v.cells, i, i+1)
}

func (c *gridCell) show(s *lobby.Snapshot) {
	if s == c.snap {
		return
	}
	c.snap = s
	state := board.State{Position: s.Position, Seat: -1, Still: true}
	if r := recordOf(s, c.game); len(r.entries) > 0 {
		state.Last = r.entries[len(r.entries)-1].Actions
	}
	c.board.Show(state)
}

// gridPlan is how the games lie.
type gridPlan struct {
	columns int
	w, h    int // of a cell, with the gap on its right
}

// What a cell has beside its board.
const (
	cellRows = 2 // the players
	cellGap  = 1
)

// arrange finds the plan with the most games in which all that are shown keep their places, and
// returns those that can join them. Where the window has become too small, the last ones go.
func (v *gridView) arrange(others []*gridCell) (joining []*gridCell) {
	w, h := v.app.w, v.app.h-3 // without the header and the last two lines
	for {
		for n := min(len(v.cells)+len(others), mostWatched); n >= max(len(v.cells), 1); n-- {
			best := 0
			for columns := 1; columns <= n; columns++ {
				p := gridPlan{columns, w / columns, h / ((n + columns - 1) / columns)}
				kept, area := p.fitting(v.cells)
				more, _ := p.fitting(others)
				if len(kept) < len(v.cells) || len(kept)+len(more) < n {
					continue
				}
				more = more[:n-len(kept)]
				if _, extra := p.fitting(more); area+extra > best {
					best, v.plan, joining = area+extra, p, more
				}
			}
			if best > 0 {
				return joining
			}
		}
		if len(v.cells) < 2 {
			v.plan = gridPlan{1, w, h} // the only one says that it needs a larger window
			return nil
		}
		v.drop(len(v.cells) - 1)
	}
}

// fitting returns the games whose boards fit into a cell, and the area that they take.
func (p gridPlan) fitting(cells []*gridCell) (fit []*gridCell, area int) {
	for _, c := range cells {
		if w, h, ok := c.board.Fit(p.w-cellGap, p.h-cellRows); ok {
			fit = append(fit, c)
			area += w * h
		}
	}
	return fit, area
}

func (v *gridView) draw(c paint.Canvas) {
	right := ""
	if v.rest > 0 {
		right = fmt.Sprintf("%d more", v.rest)
	}
	v.app.header(c, "Games", words.Plural(len(v.cells), "game")+" at once", right)
	if len(v.cells) == 0 {
		c.Text(3, 2, v.app.look.Theme.Dim, "No game is going on just now. The next ones show here by themselves.")
		return
	}
	for i, cell := range v.cells {
		x, y := i%v.plan.columns*v.plan.w, 1+i/v.plan.columns*v.plan.h
		v.drawCell(c.Sub(x, y, v.plan.w-cellGap, v.plan.h), cell, i == v.at)
	}
}

// drawCell draws a game: a row about the players, the board, and a row about its state.
func (v *gridView) drawCell(c paint.Canvas, cell *gridCell, chosen bool) {
	t := v.app.look.Theme
	w, h := c.Size()
	bw, bh, ok := cell.board.Fit(w, h-cellRows)
	if !ok {
		c.Text(0, 0, t.Bad, "This board needs a larger window.")
		return
	}
	name, dim := t.Strong, t.Dim
	if chosen {
		name, dim = t.Pick, t.Pick
		c.Fill(0, 0, w, 1, t.Pick, ' ')
		c.Fill(0, bh+1, w, 1, t.Pick, ' ')
		c.Text(0, 0, t.Pick, "›")
	}
	s := cell.snap
	x := 1
	share := (w - 1) / len(s.Info.Seats)
	for i, seat := range s.Info.Seats {
		mark, style := cell.game.Mark(s.Position, i, v.app.look)
		if chosen {
			style = t.Pick
		}
		n := c.Text(x, 0, style, mark)
		c.Text(x+n, 0, name, paint.Cut(seat.Name, share-n-1))
		x += share
	}
	cell.board.Draw(c.Sub((w-bw)/2, 1, bw, bh), v.app.look)
	c.Text(1, bh+1, dim, paint.Cut(cell.state(time.Now()), w-1))
}

// state says how a game stands: "turn 12 · White · 9:58", or how it ended.
func (c *gridCell) state(now time.Time) string {
	s := c.snap
	if s.Over() {
		return words.Result(s, c.game, -1)
	}
	turn := s.Position.Turn()
	text := fmt.Sprintf("turn %d · %s", s.Turns+1, c.game.Side(s.Position, turn))
	if left, ok := s.Left(turn, now); ok {
		text += " " + words.Clock(left)
	}
	return text
}

func (v *gridView) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.key(msg.String())
	case tickMsg:
		return v.refresh()
	case tea.MouseClickMsg:
		i := msg.X/max(v.plan.w, 1) + (msg.Y-1)/max(v.plan.h, 1)*v.plan.columns
		switch {
		case msg.Y < 1 || msg.X >= v.plan.w*v.plan.columns || i >= len(v.cells):
		case i == v.at:
			return v.open()
		default:
			v.at = i
		}
	}
	return nil
}

func (v *gridView) key(key string) tea.Cmd {
	step := map[string]int{"left": -1, "h": -1, "right": 1, "l": 1, "tab": 1, "up": -v.plan.columns, "k": -v.plan.columns, "down": v.plan.columns, "j": v.plan.columns}[key]
	if to := v.at + step; step != 0 && to >= 0 && to < len(v.cells) {
		v.at = to
	}
	switch key {
	case "enter", "space":
		return v.open()
	case "pgdown":
		if v.rest > 0 {
			for _, c := range v.cells {
				v.seen[c.match.Info.ID] = true
			}
			v.leave()
			v.at = 0
			return v.refresh()
		}
	case "N":
		return v.app.nextWaiting()
	case "?":
		return v.app.openHelp()
	case "o":
		return v.app.openOptions()
	case "q", "esc":
		return v.app.up()
	}
	return nil
}

func (v *gridView) open() tea.Cmd {
	if v.at >= len(v.cells) {
		return nil
	}
	id := v.cells[v.at].match.Info.ID
	v.leave() // before the match is watched anew: a session watches it once
	m, err := newMatchView(v.app, id, "")
	if err != nil {
		_, text := lobby.Explain(err)
		v.app.complain("%s", text)
		return v.refresh()
	}
	return v.app.deeper(m)
}

// due: the clocks run, and results that have been seen make room.
func (v *gridView) due(now time.Time) time.Time {
	var next time.Time
	for _, c := range v.cells {
		at := c.snap.LastAt.Add(resultShown)
		if !c.snap.Over() {
			left, ok := c.snap.Left(max(c.snap.Running, 0), now)
			if !ok || c.snap.Running < 0 || left == 0 {
				continue
			}
			at = now.Add(words.ClockChange(left))
		}
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func (v *gridView) hint() (string, paint.Style) {
	t := v.app.look.Theme
	if v.at >= len(v.cells) {
		return "", t.Dim
	}
	m := v.cells[v.at].match
	text := m.Info.Title() + " · " + m.Info.Control.String() + " · " + words.Plural(m.Watchers(), "watcher")
	if m.Info.Delay > 0 {
		text += " · " + late(m.Info.Delay)
	}
	return text, t.Dim
}

func (v *gridView) keys() []board.Key {
	keys := []board.Key{{Key: "Enter", Does: "watch it"}, {Key: "arrows", Does: "choose"}, {Key: "q", Does: "back"}}
	if v.rest > 0 {
		keys = append(keys, board.Key{Key: "PgDn", Does: "other games"})
	}
	return append(keys, board.Key{Key: "?", Does: "help"})
}

func (v *gridView) help() helpPage {
	return helpPage{
		title: "Several games at once",
		about: "Up to six games that go on, as many as the window has room for. Each shows every turn as it is made; a game that has ended makes room for another one.",
		keys: []board.Key{
			{Key: "arrows Tab", Does: "choose a game"}, {Key: "Enter", Does: "watch the chosen game alone; q comes back"},
			{Key: "PgDn", Does: "other games, if there are more"}, {Key: "q", Does: "back"},
		},
	}
}
