package picture

import (
	"strings"

	"ayumu/tui/paint"
)

// Caption is the text beside the board of a card, or below that of an animation. It is clean text.
type Caption struct {
	Site    string // the name of the server
	Title   string // the game and its options
	Players []Player
	Status  string // the result, or how many turns were played
	Note    string // one more line, such as how to connect
}

// Player is a line of a caption for one seat.
type Player struct {
	Mark *Sprite // the sign of the seat's side, 1 unit wide; nil: none
	Name string
	Note string // such as the rating
	Won  bool
}

// The size of a card, in pixels and in units of its drawing.
const (
	CardWidth, CardHeight = 1200, 630
)

// Card returns a drawing of CardWidth by CardHeight units with a board at the left and its caption at the right, as links
// are shown in messages.
func Card(board *Drawing, c *Caption, t Theme) *Drawing {
	const margin, edge = 40.0, 550.0
	d := &Drawing{Max: Point{CardWidth, CardHeight}}
	d.Add(0, 0, NewSprite(Rect(t.Background, Point{CardWidth / 2, CardHeight / 2}, CardWidth, CardHeight)))
	d.Add(0, 0, NewSprite(RoundRect(t.Panel, Point{margin + edge/2, CardHeight / 2}, edge+24, edge+24, 18)))
	d.addBoard(board, Point{margin + edge/2, CardHeight / 2}, edge, edge)

	const x = 2*margin + edge + 24
	const right = CardWidth - margin
	text := func(y, size float64, f Font, color paint.Color, s string) {
		d.Add(0, 0, NewSprite(Text(color, Point{x, y}, Fit(s, f, size, right-x), f, size, Start)))
	}
	text(margin+24, 26, Regular, t.Dim, c.Site)
	title := 44.0
	for title > 28 && TextWidth(c.Title, Bold, title) > right-x {
		title--
	}
	text(margin+76, title, Bold, t.Text, c.Title)
	step := min(66, 300/float64(max(len(c.Players), 1)))
	size := min(36, step*0.58)
	y := margin + 76 + 52 + step/2
	for _, p := range c.Players {
		left := x
		if p.Mark != nil {
			d.Add(x+size*0.6, y, p.Mark.Scaled(size*1.15))
			left += size * 1.7
		}
		note := TextWidth(p.Note, Regular, size*0.75)
		f := Regular
		if p.Won {
			f = Bold
		}
		d.Add(0, 0, NewSprite(Text(t.Text, Point{left, y}, Fit(p.Name, f, size, right-left-note-20), f, size, Start)))
		d.Add(0, 0, NewSprite(Text(t.Dim, Point{right, y}, p.Note, Regular, size*0.75, End)))
		y += step
	}
	lines := wrap(c.Status, Regular, 28, right-x)
	for i, line := range lines[:min(len(lines), 3)] {
		text(y+18+float64(i)*36, 28, Regular, t.Text, line)
	}
	d.Add(0, 0, NewSprite(Text(t.Dim, Point{x, CardHeight - margin - 16}, Fit(c.Note, Mono, 24, right-x), Mono, 24, Start)))
	return d
}

// addBoard adds a drawing in the largest size that fits into w by h around a point.
func (d *Drawing) addBoard(board *Drawing, at Point, w, h float64) {
	bw, bh := board.Size()
	scale := min(w/bw, h/bh)
	x, y := at.X-(board.Min.X+bw/2)*scale, at.Y-(board.Min.Y+bh/2)*scale
	scaled := make(map[*Sprite]*Sprite)
	for _, t := range board.Tiles {
		s := scaled[t.Sprite]
		if s == nil {
			s = t.Sprite.Scaled(scale)
			scaled[t.Sprite] = s
		}
		d.Add(x+t.At.X*scale, y+t.At.Y*scale, s)
	}
}

// Fit returns the beginning of a text that is at most width wide, with … if it is not the whole text.
func Fit(s string, f Font, size, width float64) string {
	if TextWidth(s, f, size) <= width {
		return s
	}
	for i := len(s); i > 0; i-- {
		if TextWidth(s[:i]+"…", f, size) <= width {
			return s[:i] + "…"
		}
	}
	return ""
}

// wrap breaks a text at spaces into lines of at most width.
func wrap(s string, f Font, size, width float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		if line != "" && TextWidth(longer, f, size) > width {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
