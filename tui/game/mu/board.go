package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// Board is one session's view of a game of Mu. It implements [game.Board], [game.Framer], [game.Scroller], [game.Replayer],
// [game.Commander] and [game.Explainer]. Game.New makes one.
type Board struct {
	view     seatView
	pointer  pointer
	input    turnInput // of view and pointer
	viewport viewport
	playback playback
	walk     walk

	overview      bool            // the overview is shown while a part of the board is not
	showCapacity  [large + 1]bool // by scale: the headroom of the cells is shown
	showTerritory bool
	// showedTerritory is what showTerritory was before a state that shows the score.
	showedTerritory bool
}

func newBoard(s *caches) *Board {
	b := &Board{overview: true}
	b.view.shared = s
	b.input.view, b.input.pointer = &b.view, &b.pointer
	b.showCapacity[large] = true
	return b
}

// Show implements game.Board.
func (b *Board) Show(s game.State) {
	switch before := b.view.state.ShowsScore; {
	case s.ShowsScore && !before:
		b.showedTerritory, b.showTerritory = b.showTerritory, true
	case !s.ShowsScore && before:
		b.showTerritory = b.showedTerritory
	}
	moved, changed := b.view.show(s)
	if moved {
		b.playback = playback{}
	}
	if !changed {
		return
	}
	b.walk = walk{}
	b.pointer.deselect()
	b.input.clear()
	if g := b.view.geometry(); !b.pointer.placed || !g.has(b.pointer.cursor) {
		b.pointer.place(&b.view)
	}
	if moved && s.CanAct {
		b.input.goToStop()
	}
}

// Key implements game.Board.
func (b *Board) Key(key string) game.InputResult {
	if b.input.typed != "" {
		return b.input.typeKey(key)
	}
	if b.playback.isRunning() {
		b.playback.stop()
		if key == "space" || key == "enter" || key == "esc" {
			return handled
		}
	}
	ending := b.input.endPending
	b.input.endPending = false
	if key == "esc" && b.showTerritory && b.view.state.CanAct && !b.pointer.hasSelection && !ending {
		b.showTerritory = false
		return handled
	}
	if b.viewKey(key) || b.callKey(key) {
		return handled
	}
	return b.input.key(key, ending)
}

// viewKey handles the keys that change only what this session is shown.
func (b *Board) viewKey(key string) bool {
	switch key {
	case "s":
		b.showTerritory = !b.showTerritory
	case "+":
		b.viewport.scale = small + large - b.viewport.drawnScale()
	default:
		return false
	}
	return true
}

// callKey handles the keys that show and hide the cursor where the user only watches.
func (b *Board) callKey(key string) bool {
	if !b.view.state.IsWatching {
		return false
	}
	called := b.pointer.isCalled
	switch key {
	case "up", "down", "left", "right":
		b.pointer.isCalled = true
		return !called
	case "esc":
		b.pointer.isCalled = false
		return called
	}
	return false
}

// Commands implements game.Commander.
func (b *Board) Commands() []game.Command {
	return []game.Command{
		{Name: "numbers", Help: "show or hide how many more men each cell takes before it explodes", Do: func() {
			scale := b.viewport.drawnScale()
			b.showCapacity[scale] = !b.showCapacity[scale]
		}},
		{Name: "overview", Help: "show or hide the overview of a board that is larger than the window", Do: func() { b.overview = !b.overview }},
		{Name: "steps", Help: "show the last action or turn step by step; any key stops it", Do: b.Replay, Replays: true},
	}
}

// Click implements game.Board: it moves the cursor and does what Enter does. A segment is laid or cleared
// by a second click, so that the first one shows what would happen.
func (b *Board) Click(x, y int) game.InputResult {
	if b.playback.isRunning() {
		b.playback.stop()
		return handled
	}
	if h, ok := b.viewport.inset.at(b.viewport.drawn.geometry, x, y); ok {
		b.pointer.isCalled = true
		b.pointer.moveTo(h)
		return handled
	}
	h, ok := b.viewport.drawn.hexAt(x, y)
	if !ok || !b.view.geometry().has(h) {
		return game.InputResult{}
	}
	again := h == b.pointer.cursor
	b.input.clear()
	b.pointer.isCalled = true
	b.pointer.moveTo(h)
	if phase := b.view.shown().Phase(); !b.view.state.CanAct || !again && phase != mu.Play {
		return handled
	}
	return b.input.enter()
}

// Typed implements game.Board.
func (b *Board) Typed() string { return b.input.typed }

// StatusKeys implements game.Board.
func (b *Board) StatusKeys() []game.Key {
	if b.playback.isRunning() {
		return []game.Key{{Key: "Space", Help: "skip"}}
	}
	return b.input.statusKeys()
}

func (b *Board) explainer() explainer { return explainer{&b.view, &b.pointer} }

// Prompt implements game.Board.
func (b *Board) Prompt() string {
	if b.input.endPending && b.view.state.CanAct {
		return b.input.endPrompt()
	}
	return b.explainer().prompt()
}

// DescribeCursor implements game.Board.
func (b *Board) DescribeCursor() string {
	if b.playback.isRunning() || b.view.hidesCursor(&b.pointer) {
		return ""
	}
	if b.showTerritory && !b.pointer.hasSelection && hasTerritory(b.view.shown().Phase()) {
		if text := b.explainer().describeTerritory(); text != "" {
			return text
		}
	}
	return b.explainer().describeCursor()
}

// Explain implements game.Explainer.
func (b *Board) Explain() []string {
	if b.view.hidesCursor(&b.pointer) {
		return nil
	}
	return b.explainer().paragraphs()
}

// Replay implements game.Replayer.
func (b *Board) Replay() { b.playback.start(b.view.replay()) }

// Walk implements game.Walker.
func (b *Board) Walk() { b.walk = walk{way: b.view.way()} }

// IsReplaying implements game.Walker.
func (b *Board) IsReplaying() bool { return b.playback.isRunning() || b.walk.isRunning() }

// Advance implements game.Walker.
func (b *Board) Advance() {
	b.walk.advance()
	b.playback.advance()
}

// focus returns the cell that must be in view.
func (b *Board) focus() mu.Hex {
	if b.playback.isRunning() {
		return b.playback.focus()
	}
	return b.pointer.cursor
}

// Fit implements game.Board: the size in the chosen scale, or in the largest that fits, and less if the
// board has to be scrolled.
func (b *Board) Fit(w, h int) (bw, bh int, ok bool) {
	return b.viewport.fit(b.view.geometry(), w, h)
}

// IsWhole implements game.Scroller.
func (b *Board) IsWhole(w, h int) bool { return b.viewport.isWhole(b.view.geometry(), w, h) }

// Draw implements game.Board.
func (b *Board) Draw(c paint.Canvas, style game.Style) {
	w, h := c.Size()
	l := b.viewport.arrange(b.view.geometry(), b.focus(), w, h)
	b.drawTopRow(c, style)
	r := &renderer{
		frameKey: b.frameKey(l.scale, style),
		layout:   l.seenFromView(), c: c.Sub(l.viewX, l.viewY, l.viewW, l.viewH), colors: stylePalette(style), replay: b.playback.replay,
	}
	if b.view.showsDraft() || b.walk.isRunning() || l.area() > maxCachedArea {
		r.draw()
	} else {
		r.c.Blit(r.x, r.y, b.view.shared.frames.Get(r.frameKey, r.drawFrame))
	}
	r.drawRim()
	if !b.view.state.Static {
		b.drawSession(r)
	}
	b.viewport.inset = inset{}
	if b.overview && !l.isComplete() {
		b.viewport.inset = r.drawOverview(b.focus()).shifted(l.viewX, l.viewY)
	}
}

// boardFrame is a board as spectators are shown it.
type boardFrame struct {
	frame *paint.Frame
	inset inset
}

// Bytes returns about how much memory the frame takes.
func (f boardFrame) Bytes() int { return f.frame.Bytes() }

// boardKey identifies a boardFrame, as the key of shared.boards.
type boardKey struct {
	frameKey
	layout
	w, h        int // of the canvas
	seat        int
	isStatic    bool
	cursor      mu.Hex
	hidesCursor bool
	overview    bool
}

// Frame implements game.Framer. Only boards without a draft, hint, selection or permission to act are shared.
func (b *Board) Frame(w, h int, style game.Style) *paint.Frame {
	v := &b.view
	if b.walk.isRunning() || v.state.CanAct || v.showsDraft() || len(v.hint) > 0 || b.pointer.hasSelection {
		return nil
	}
	l := b.viewport.arrange(v.geometry(), b.focus(), w, h)
	if l.area() > maxCachedArea || w*h > maxCachedArea {
		return nil
	}
	k := boardKey{
		frameKey: b.frameKey(l.scale, style), layout: l, w: w, h: h,
		seat: v.state.Seat, isStatic: v.state.Static, cursor: b.pointer.cursor, hidesCursor: v.hidesCursor(&b.pointer),
		overview: b.overview,
	}
	shown := v.shared.boards.Get(k, func() boardFrame {
		f := paint.Draw(nil, w, h, func(c paint.Canvas) { b.Draw(c, style) })
		return boardFrame{f, b.viewport.inset}
	})
	b.viewport.inset = shown.inset
	return shown.frame
}

// frameKey returns what to draw: the shown position and the earlier one that its changes are marked
// against, or a frame of the replay between the two.
func (b *Board) frameKey(scale int, style game.Style) frameKey {
	k := frameKey{
		position: b.view.shown(), previous: b.view.before(),
		size: scale, style: style, showCapacity: b.showCapacity[scale] && !b.view.state.HidesMarks,
	}
	k.showTerritory = b.showTerritory && hasTerritory(k.position.Phase())
	if b.walk.isRunning() {
		k.position, k.previous, k.showTerritory = b.view.previous, nil, false
	}
	if p := &b.playback; p.isRunning() {
		k.position, k.previous, k.frame, k.showTerritory = p.replay.after, p.replay.previous, p.frame, false
	}
	return k
}

// drawTopRow draws the row above the board: the tally of every seat, or what the frame of the replay
// shows.
func (b *Board) drawTopRow(c paint.Canvas, style game.Style) {
	if b.playback.isRunning() {
		b.playback.drawCaption(c, style.Theme)
		return
	}
	drawTally(c, b.view.shown(), b.view.markedSeat(), style)
}

// drawSession draws what only this session shows.
func (b *Board) drawSession(r *renderer) {
	s := sessionRenderer{r, &b.view, &b.pointer}
	if b.walk.isRunning() {
		s.drawWalker(b.walk.way[b.walk.step])
		s.drawCursor()
		return
	}
	if b.playback.isRunning() {
		s.drawFocus(b.playback.focus())
		return
	}
	s.draw()
}
