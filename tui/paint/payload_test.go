package paint

import (
	"fmt"
	"testing"
)

// These tests limit the bytes that a change of a match's screen of 80×24 takes: a board of cells of two columns
// in staggered rows, beside clocks, a list of turns and the keys. A step of the cursor may take 60 bytes, a
// turn 300. This holds with colours of the palette, and with true colours if the cursor is shown by reverse.

type matchLook struct {
	name               string
	land, coast, water Style
	stones             [2]Color
	cursor             func(Style) Style
	mark, list, keys   Style
}

var matchLooks = []matchLook{
	{
		name: "cube", land: Style{BG: Index(180)}, coast: Style{BG: Index(28)}, water: Style{BG: Index(17)},
		stones: [2]Color{Index(160), Index(19)},
		cursor: func(s Style) Style { return Style{FG: s.FG, BG: Index(255), Attr: Bold} },
		mark:   Style{BG: Index(220)}, list: Style{FG: Index(250)}, keys: Style{FG: Index(244)},
	},
	{
		name: "rgb", land: Style{BG: RGB(211, 173, 131)}, coast: Style{BG: RGB(3, 133, 9)}, water: Style{BG: RGB(1, 3, 92)},
		stones: [2]Color{RGB(171, 2, 4), RGB(10, 20, 160)},
		cursor: func(s Style) Style { return s.With(Reverse) },
		mark:   Style{BG: RGB(250, 218, 91)}, list: Style{FG: RGB(181, 182, 183)}, keys: Style{FG: RGB(121, 122, 123)},
	},
}

type matchState struct {
	cursorX, cursorY int
	stones           map[[2]int]int // side by cell
	marked           [][2]int
	clocks           [2]string
	turn             int
	turns            int
}

const boardW, boardH = 17, 17

func (l matchLook) draw(m matchState) func(Canvas) {
	return func(c Canvas) {
		board := Draw(nil, 2*boardW+1, boardH, func(c Canvas) { l.drawBoard(c, m) })
		c.Blit(2, 3, board)
		x, y := 2+2*m.cursorX+m.cursorY%2, 3+m.cursorY
		c.Restyle(x, y, 2, 1, l.cursor)
		c.Text(1, 0, Style{Attr: Bold}, "ana — bo")
		for i, clock := range m.clocks {
			name := fmt.Sprintf("%-12s %s", []string{"ana (1512)", "bo (1498)"}[i], clock)
			s := Style{FG: l.stones[i]}
			if i == m.turn {
				s.Attr = Bold
				c.Text(44, 2+i, s, "▶")
			}
			c.Text(46, 2+i, s, name)
		}
		l.drawList(c.Sub(46, 6, 30, 14), m)
		c.Text(0, 23, l.keys, "←↑↓→ move  enter choose  d distances  c chat  ? help  q leave")
	}
}

func (l matchLook) drawBoard(c Canvas, m matchState) {
	for y := range boardH {
		for x := range boardW {
			s := l.land
			switch (x*7 + y*5) % 11 {
			case 0:
				s = l.water
			case 1:
				s = l.coast
			}
			for _, marked := range m.marked {
				if marked == [2]int{x, y} {
					s.BG = l.mark.BG
				}
			}
			text := "· "
			if side, ok := m.stones[[2]int{x, y}]; ok {
				text = []string{"● ", "▲2"}[side]
				s.FG = l.stones[side]
			}
			c.Text(2*x+y%2, y, s, text)
		}
	}
}

func (l matchLook) drawList(c Canvas, m matchState) {
	_, h := c.Size()
	first := m.turns / h * h // by pages: a list that scrolls is drawn anew with each turn
	for i := first; i < m.turns; i++ {
		c.Text(0, i-first, l.list, fmt.Sprintf("%3d  %c%d-%c%d", i+1, 'a'+i*5%11, i*3%11+1, 'a'+i*7%11, i*2%11+1))
	}
}

func startState() matchState {
	m := matchState{
		cursorX: 6, cursorY: 8, stones: map[[2]int]int{}, clocks: [2]string{" 9:41", "10:03"}, turns: 17,
		marked: [][2]int{{3, 4}, {4, 4}},
	}
	for i := range 40 {
		m.stones[[2]int{i * 5 % boardW, i * 3 % boardH}] = i % 2
	}
	return m
}

// payload returns the number of bytes that change one frame into another, drawn as sessions draw them.
func payload(p *painter, draw func(Canvas)) int {
	out, _ := p.paint(nil, Draw(p.frame, p.w, p.h, draw))
	return len(out)
}

func matchPainter(c Colors, l matchLook, m matchState) *painter {
	p := &painter{profile: Profile{Term: "xterm-256color", Colors: c}, w: 80, h: 24}
	p.clear(nil)
	payload(p, l.draw(m))
	return p
}

func TestCursorStepPayload(t *testing.T) {
	for _, look := range matchLooks {
		for colors := NoColor; colors <= TrueColor; colors++ {
			m := startState()
			p := matchPainter(colors, look, m)
			worst, sum := 0, 0
			const steps = 60
			for i := range steps {
				if i%3 == 0 {
					m.cursorY = (m.cursorY + 1) % boardH
				} else {
					m.cursorX = (m.cursorX + 1) % boardW
				}
				n := payload(p, look.draw(m))
				worst = max(worst, n)
				sum += n
			}
			t.Logf("%s in %d colours: mean %d, worst %d bytes", look.name, colors, sum/steps, worst)
			if worst > 60 {
				t.Errorf("%s in %d colours: a step takes %d bytes", look.name, colors, worst)
			}
		}
	}
}

func TestTurnPayload(t *testing.T) {
	for _, look := range matchLooks {
		for colors := NoColor; colors <= TrueColor; colors++ {
			m := startState()
			p := matchPainter(colors, look, m)
			worst := 0
			for i := range 15 { // the list turns its page at 28
				from, to := [2]int{i * 5 % boardW, i * 3 % boardH}, [2]int{i*5%boardW + 1, i * 3 % boardH}
				delete(m.stones, from)
				m.stones[to] = m.turn
				m.marked = [][2]int{from, to}
				m.clocks[m.turn] = fmt.Sprintf(" 9:%02d", 33-i)
				m.turn, m.turns = 1-m.turn, m.turns+1
				worst = max(worst, payload(p, look.draw(m)))
			}
			t.Logf("%s in %d colours: worst %d bytes", look.name, colors, worst)
			if worst > 300 {
				t.Errorf("%s in %d colours: a turn takes %d bytes", look.name, colors, worst)
			}
		}
	}
}
