package matchpicture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/picture"
	"ayumu/tui/theme"
)

// terminals are the sizes of a terminal for a recording; the first in which the board fits is taken.
var terminals = [][2]int{{80, 24}, {100, 32}, {132, 44}, {200, 60}}

// castProfile is the terminal of a recording.
var castProfile = paint.Profile{Term: "xterm-256color", Colors: paint.TrueColor}

// recording writes what a terminal shows as asciicast.
type recording struct {
	out     bytes.Buffer
	v2      bool
	at      time.Duration // of the next event
	written time.Duration // of the last event
	rows    []string      // what the terminal shows
}

// cast returns the match as a recording of a terminal, of version 3 or 2 of asciicast.
func (m *replay) cast(ctx context.Context, r Request) ([]byte, error) {
	style := game.Style{Theme: &theme.Dark}
	if r.Light {
		style.Theme = &theme.Light
	}
	board := m.game.New()
	w, h := terminalFor(board, m.state(len(m.turns)))
	rec := &recording{v2: r.V2}
	rec.writeHeader(w, h, m)
	rec.output("\x1b[?25l\x1b[2J")
	for turn := range m.positions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		show := func(delay time.Duration) {
			rec.show(paint.Draw(nil, w, h, func(c paint.Canvas) { m.drawTerminal(c, board, turn, style) }))
			rec.at += delay
		}
		board.Show(m.state(turn))
		rec.mark(fmt.Sprintf("turn %d", turn))
		if steps, ok := board.(game.Replayer); ok && turn > 0 {
			for steps.Replay(); steps.IsReplaying(); steps.Advance() {
				show(stepDelay)
			}
		}
		show(turnDelay)
	}
	rec.at += lastDelay
	rec.output("\x1b[?25h")
	if !rec.v2 {
		rec.event("x", "0")
	}
	return rec.out.Bytes(), nil
}

// boardRow is the first row of the board; above it are the names of the players.
const boardRow = 2

func terminalFor(board game.Board, last game.State) (w, h int) {
	board.Show(last)
	for _, size := range terminals {
		w, h = size[0], size[1]
		if bw, bh, ok := board.Fit(w, h-boardRow-2); ok && bw <= w && bh <= h {
			break
		}
	}
	return w, h
}

// drawTerminal draws the names, the board and the state after a turn.
func (m *replay) drawTerminal(c paint.Canvas, board game.Board, turn int, style game.Style) {
	w, h := c.Size()
	x := 1
	for seat, s := range m.s.Info.Seats {
		mark, markStyle := m.game.SeatMark(m.positions[turn], seat, style)
		if markStyle.BG == paint.Default {
			markStyle.BG = style.Theme.Bar.BG
		}
		x += c.Text(x, 0, markStyle, " "+mark+" ")
		x += c.Text(x, 0, style.Theme.Strong, " "+s.Name) + 2
	}
	if bw, bh, ok := board.Fit(w, h-boardRow-2); ok {
		board.Draw(c.Sub((w-bw)/2, boardRow, bw, bh), style)
	}
	c.Text(1, h-1, style.Theme.Dim, paint.Cut(m.s.Info.Title()+" · "+m.status(turn), w-2))
}

func (r *recording) writeHeader(w, h int, m *replay) {
	names := make([]string, len(m.s.Info.Seats))
	for i, s := range m.s.Info.Seats {
		names[i] = s.Name
	}
	title := strings.Join(names, " – ") + ", " + m.s.Info.Title()
	var header any
	if r.v2 {
		header = struct {
			Version   int               `json:"version"`
			Width     int               `json:"width"`
			Height    int               `json:"height"`
			Timestamp int64             `json:"timestamp"`
			Title     string            `json:"title"`
			Env       map[string]string `json:"env"`
		}{2, w, h, m.s.Info.Started.Unix(), title, map[string]string{"TERM": castProfile.Term}}
	} else {
		type term struct {
			Cols int    `json:"cols"`
			Rows int    `json:"rows"`
			Type string `json:"type"`
		}
		header = struct {
			Version   int    `json:"version"`
			Term      term   `json:"term"`
			Timestamp int64  `json:"timestamp"`
			Title     string `json:"title"`
		}{3, term{w, h, castProfile.Term}, m.s.Info.Started.Unix(), title}
	}
	r.writeJSON(header)
}

func (r *recording) writeJSON(v any) {
	e := json.NewEncoder(&r.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings and numbers
	}
}

// event writes an event at the current time: since the start in version 2, since the event before in version 3.
func (r *recording) event(code, data string) {
	at := r.at
	if !r.v2 {
		at -= r.written
	}
	r.written = r.at
	r.writeJSON([]any{at.Seconds(), code, data})
}

func (r *recording) output(text string) { r.event("o", text) }

func (r *recording) mark(label string) { r.event("m", label) }

// show writes the rows of a frame that differ from those that the terminal shows.
func (r *recording) show(f *paint.Frame) {
	rows := strings.Split(f.Styled(castProfile), "\n")
	var b strings.Builder
	for i, row := range rows {
		if i >= len(r.rows) || r.rows[i] != row {
			fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[K", i+1, row)
		}
	}
	r.rows = rows
	if b.Len() > 0 {
		r.output(b.String())
	}
}

// drawBoard draws the board of a game that draws no pictures as a terminal shows it, in cells of 1 by 2 units.
func drawBoard(g game.Game, s game.State, light bool) *picture.Drawing {
	style, text := game.Style{Theme: &theme.Dark}, picture.Dark
	if light {
		style.Theme, text = &theme.Light, picture.Light
	}
	board := g.New()
	w, h := terminalFor(board, s)
	if bw, bh, ok := board.Fit(w, h); ok {
		w, h = bw, bh
	}
	f := paint.Draw(nil, w, h, func(c paint.Canvas) { board.Draw(c, style) })
	d := &picture.Drawing{Min: picture.Point{X: -1, Y: -1}, Max: picture.Point{X: float64(w) + 1, Y: float64(2*h) + 1}}
	sprites := make(map[paint.Color]*picture.Sprite)
	type sign struct {
		text  string
		color paint.Color
	}
	signs := make(map[sign]*picture.Sprite)
	for y := range h {
		for x := range w {
			char, st := f.At(x, y)
			at := picture.Point{X: float64(x) + 0.5, Y: float64(2*y) + 1}
			if st.Attr&paint.Reverse != 0 {
				st.FG, st.BG = st.BG, st.FG
			}
			if st.BG != paint.Default {
				if sprites[st.BG] == nil {
					sprites[st.BG] = picture.NewSprite(picture.Rect(st.BG, picture.Point{}, 1, 2))
				}
				d.Add(at.X, at.Y, sprites[st.BG])
			}
			if st.FG == paint.Default {
				st.FG = text.Text
			}
			if k := (sign{char, st.FG}); strings.TrimSpace(char) != "" {
				if signs[k] == nil {
					signs[k] = picture.NewSprite(picture.Text(st.FG, picture.Point{}, char, picture.Mono, 1.66, picture.Middle))
				}
				d.Add(at.X, at.Y, signs[k])
			}
		}
	}
	return d
}
