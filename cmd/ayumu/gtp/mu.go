package gtp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
)

var muDialect = dialect{
	name:        mu.Game{}.Name(),
	newGame:     newMu,
	setPosition: setMu,
	perft: func(p engine.Position, depth int) uint64 {
		return p.(*mu.Position).Perft(depth)
	},
	show: func(p engine.Position) string { return showMu(p.(*mu.Position)) },
}

func newMu(args []string) (engine.Position, error) {
	if len(args) != 2 {
		return nil, errors.New("usage: newgame mu PLAYERS SEGMENTS")
	}
	players, err := strconv.Atoi(args[0])
	if err != nil {
		return nil, fmt.Errorf("the number of players is %q, must be a number", args[0])
	}
	segments, err := strconv.Atoi(args[1])
	if err != nil {
		return nil, fmt.Errorf("the number of segments is %q, must be a number", args[1])
	}
	raw, err := json.Marshal(mu.Options{Players: players, Segments: segments, Min: players})
	if err != nil {
		return nil, err
	}
	o, err := mu.Game{}.ParseOptions(raw)
	if err != nil {
		return nil, err
	}
	return mu.Game{}.New(o), nil
}

func setMu(args []string) (engine.Position, error) {
	if len(args) < 3 {
		return nil, errors.New("usage: setposition PLAYERS CENTRES LINE")
	}
	players, err := strconv.Atoi(args[0])
	if err != nil {
		return nil, fmt.Errorf("the number of players is %q, must be a number", args[0])
	}
	return mu.ParsePosition(players, args[1], strings.Join(args[2:], " "))
}

// digest returns the digest of the current position.
func (s *session) digest([]string) (string, error) {
	p, ok := s.position().(*mu.Position)
	if !ok {
		return "", errors.New("positions of this game have no digest")
	}
	return p.Digest(), nil
}

// showMu returns a drawing of the board in rows of r, shifted like its hexagons, below lines with the
// state of the game. A cell has its terrain (Commonwealth +, Wall #), the letter of the owner and the
// number of men.
func showMu(p *mu.Position) string {
	var s strings.Builder
	fmt.Fprintf(&s, "Mu, %s, + Commonwealth, # Wall", muStatus(p))
	territory := p.Territory()
	for seat, men := range p.Men() {
		fmt.Fprintf(&s, "\n%c seat %d: men %d, cells %d", seatLetter(seat), seat, men, territory[seat])
		if p.HasLeft(seat) {
			s.WriteString(", has left")
		}
	}
	showCentres(&s, "rights", p.Rights())
	showCentres(&s, "critical", p.Critical())
	low, high, ok := p.Board().Bounds()
	if !ok {
		return s.String()
	}
	shift := 2*int(low.Q) + int(low.R) // of the leftmost corner of the box
	for r := low.R; r <= high.R; r++ {
		var line strings.Builder
		fmt.Fprintf(&line, "\n%4d:", r)
		line.WriteString(strings.Repeat("  ", 2*int(low.Q)+int(r)-shift))
		for q := low.Q; q <= high.Q; q++ {
			fmt.Fprintf(&line, " %-3s", cellText(p, mu.Hex{Q: q, R: r}))
		}
		s.WriteString(strings.TrimRight(line.String(), " "))
	}
	fmt.Fprintf(&s, "\nthe first column of each row is q = %d", low.Q)
	return s.String()
}

func muStatus(p *mu.Position) string {
	r, over := p.Result()
	if !over {
		return fmt.Sprintf("%s, %c to move", p.Phase(), seatLetter(p.Turn()))
	}
	winners := ""
	for _, seat := range r.Winners {
		winners += string(seatLetter(seat))
	}
	return fmt.Sprintf("over (%s), won by %s", r.Reason, winners)
}

// cellText returns a cell in three characters, or four from ten men on.
func cellText(p *mu.Position, at mu.Hex) string {
	c, ok := p.Cell(at)
	if !ok {
		return ""
	}
	terrain := [...]string{mu.Virgin: "", mu.Commonwealth: "+", mu.Wall: "#"}[c.Terrain]
	if c.Men == 0 {
		return terrain + "."
	}
	return fmt.Sprintf("%s%c%d", terrain, seatLetter(c.Owner), c.Men)
}

func seatLetter(seat int) rune { return 'A' + rune(seat) }

func showCentres(s *strings.Builder, name string, cells []mu.Hex) {
	if len(cells) == 0 {
		return
	}
	s.WriteString("\n" + name + ":")
	for _, h := range cells {
		s.WriteString(" " + h.String())
	}
}
