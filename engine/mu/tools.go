package mu

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
)

// ParseArguments implements engine.ArgumentParser: PLAYERS SEGMENTS.
func (Game) ParseArguments(args []string) (engine.Options, error) {
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
	raw, err := json.Marshal(Options{Players: players, Segments: segments, Min: players})
	if err != nil {
		return nil, err
	}
	return Game{}.ParseOptions(raw)
}

// Arguments implements engine.ArgumentFormatter.
func (o Options) Arguments() []string {
	return []string{strconv.Itoa(o.Players), strconv.Itoa(o.Segments)}
}

// MatchDefaults implements engine.MatchConfigurer: two players with three segments each. Games have a limit of
// turns, since players can go on for ever.
func (Game) MatchDefaults() engine.MatchDefaults {
	return engine.MatchDefaults{Rounds: 300, Flags: []engine.OptionFlag{
		{Name: "players", Help: "seats", Default: "2"},
		{Name: "segments", Help: "segments of each player", Default: "3"},
	}}
}

// ParsePosition implements engine.PositionParser: PLAYERS CENTRES LINE.
func (Game) ParsePosition(args []string) (engine.Position, error) {
	if len(args) < 3 {
		return nil, errors.New("usage: setposition PLAYERS CENTRES LINE")
	}
	players, err := strconv.Atoi(args[0])
	if err != nil {
		return nil, fmt.Errorf("the number of players is %q, must be a number", args[0])
	}
	p, err := ParsePosition(players, args[1], strings.Join(args[2:], " "))
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Evaluate implements engine.Evaluator: the territory and the men of a seat; 0 before play.
func (p *Position) Evaluate(seat int) int {
	if p.Phase() != Play {
		return 0
	}
	return p.Territory()[seat] + p.Men()[seat]
}

// Gain implements engine.GainCounter: the territory of a seat, also at the end; 0 before play.
func (p *Position) Gain(seat int) int {
	if p.Phase() < Play {
		return 0
	}
	return p.Territory()[seat]
}

// Diagram implements engine.Drawer: the board in rows of r, shifted like its hexagons, below lines with the
// state of the game. A cell has its terrain (Commonwealth +, Wall #), the letter of the owner and the number
// of men.
func (p *Position) Diagram() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Mu, %s, + Commonwealth, # Wall", p.status())
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
			fmt.Fprintf(&line, " %-3s", p.cellText(Hex{Q: q, R: r}))
		}
		s.WriteString(strings.TrimRight(line.String(), " "))
	}
	fmt.Fprintf(&s, "\nthe first column of each row is q = %d", low.Q)
	return s.String()
}

// Mark implements engine.Drawer.
func (p *Position) Mark(seat int) string { return string(seatLetter(seat)) }

func (p *Position) status() string {
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
func (p *Position) cellText(at Hex) string {
	c, ok := p.Cell(at)
	if !ok {
		return ""
	}
	terrain := [...]string{Virgin: "", Commonwealth: "+", Wall: "#"}[c.Terrain]
	if c.Men == 0 {
		return terrain + "."
	}
	return fmt.Sprintf("%s%c%d", terrain, seatLetter(c.Owner), c.Men)
}

func seatLetter(seat int) rune { return 'A' + rune(seat) }

func showCentres(s *strings.Builder, name string, cells []Hex) {
	if len(cells) == 0 {
		return
	}
	s.WriteString("\n" + name + ":")
	for _, h := range cells {
		s.WriteString(" " + h.String())
	}
}
