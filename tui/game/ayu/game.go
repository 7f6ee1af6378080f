package ayu

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// Game implements game.Game for Ayu. NewGame makes one whose boards share what they draw; the boards of a
// zero Game share nothing.
type Game struct{ shared *caches }

// NewGame returns the game for a server. It has the cache of all boards.
func NewGame() Game { return Game{new(caches)} }

// caches has what many boards show alike, drawn once.
type caches struct {
	frames  game.Cache[frameKey, *paint.Frame]
	boards  game.Cache[boardKey, *paint.Frame] // with what a session adds to a frame
	legends game.Cache[legendKey, []game.LegendEntry]
}

// FramesDrawn returns how many boards have been drawn for the cache.
func (g Game) FramesDrawn() int { return g.shared.frames.MadeCount() }

// Name returns "ayu".
func (Game) Name() string { return "ayu" }

// Engine returns the rules of Ayu.
func (Game) Engine() engine.Game { return ayu.Game{} }

// New returns a board. Its Show must be called before its other methods.
func (g Game) New() game.Board {
	if g.shared == nil {
		return newBoard(new(caches))
	}
	return newBoard(g.shared)
}

// Choices implements game.Game: the size, the pie rule and the handicap.
func (Game) Choices() []game.Choice {
	size := game.Choice{Label: "Size", Option: "size", Help: "7×7 takes ten minutes, 11×11 is the usual size, 15×15 takes an hour or more."}
	for i, n := range ayu.Sizes {
		size.Answers = append(size.Answers, fmt.Sprintf("%d×%d", n, n))
		switch n {
		case 7:
			size.BotDefault = i
		case 11:
			size.Default = i
		}
	}
	handicap := game.Choice{Label: "Handicap", Answers: []string{"none"}, Option: "handicap", NeverRated: true,
		Help: "Extra moves for Black at the start, at most half the size. Without the pie rule, and always casual."}
	for n := range ayu.MaxHandicap(ayu.MaxSize) {
		handicap.Answers = append(handicap.Answers, strconv.Itoa(n+1))
	}
	return []game.Choice{size, {Label: "Pie rule", Answers: []string{"on", "off"}, BotDefault: 1, Option: "pie",
		Help: "On: after Black's first move White may swap colours, so that moving first is no advantage."}, handicap}
}

// Options implements game.Game. A handicap above the largest of the size is lowered to it, and excludes the pie rule.
func (Game) Options(answers []int) json.RawMessage {
	size := ayu.Sizes[answers[0]]
	o := ayu.Options{Size: size, Pie: answers[1] == 0 && answers[2] == 0, Handicap: min(answers[2], ayu.MaxHandicap(size))}
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err) // a struct of numbers, a bool and a text
	}
	return raw
}

// SeatMark implements game.Game.
func (Game) SeatMark(p engine.Position, seat int, style game.Style) (string, paint.Style) {
	c := seatColor(p, seat)
	return stoneMark(c, style), style.Theme.Board.Stone(c == ayu.White)
}

// stoneMark returns the sign of a stone. Without colours a filled one is Black and an outlined one White, as in printed
// diagrams and on the board: on a dark terminal Black is then the brighter of the two, but the background is unknown there.
func stoneMark(c ayu.Color, style game.Style) string {
	switch {
	case style.ASCII && c == ayu.Black:
		return "X"
	case style.ASCII:
		return "O"
	case c == ayu.Black && style.Console:
		return "■"
	case c == ayu.Black || style.Theme.Board.White.FG != style.Theme.Board.Black.FG:
		return "●" // the colour of ink is the stone's
	}
	return "○"
}

// Side returns "Black" or "White".
func (Game) Side(p engine.Position, seat int) string { return seatColor(p, seat).Name() }

func seatColor(p engine.Position, seat int) ayu.Color {
	if p.Side(seat) == ayu.White.String() {
		return ayu.White
	}
	return ayu.Black
}

// Score implements game.Game: it returns the number of a seat's units.
func (Game) Score(p engine.Position, seat int) string {
	return plural(p.(*ayu.Position).Board().CountUnits(seatColor(p, seat)), "unit")
}

// ShortTurn implements game.Game.
func (Game) ShortTurn(actions []string) string { return strings.Join(actions, " ") }

// DescribeEnding implements game.Game.
func (Game) DescribeEnding(p engine.Position, r engine.Result) string {
	if r.Reason == engine.ReasonRepetition {
		return "the position was repeated"
	}
	b := p.(*ayu.Position).Board()
	side := b.Turn().Name()
	if len(b.Units(b.Turn())) == 1 {
		return "all of " + side + "'s stones are one unit"
	}
	return side + " has no move, because no path joins any of " + side + "'s units"
}

// DescribePosition implements game.Game: the units of both sides, then the board row by row, X for Black, O for White,
// with coordinates.
func (Game) DescribePosition(p engine.Position) []string {
	b := p.(*ayu.Position).Board()
	return append([]string{describeUnits(b, ayu.Black), describeUnits(b, ayu.White)}, Game{}.TextBoard(p, true)...)
}

// TextBoard implements game.Game.
func (Game) TextBoard(p engine.Position, isASCII bool) []string {
	b := p.(*ayu.Position).Board()
	n := b.Size()
	empty, black, white := " ·", " ●", " ○"
	if isASCII {
		empty, black, white = " .", " X", " O"
	}
	letters := "  "
	for column := range n {
		letters += " " + string(rune('a'+column))
	}
	lines := []string{letters}
	for row := n - 1; row >= 0; row-- {
		line := fmt.Sprintf("%2d", row+1)
		for column := range n {
			switch at := ayu.At(column, row); {
			case b.Stones(ayu.Black).Has(at):
				line += black
			case b.Stones(ayu.White).Has(at):
				line += white
			default:
				line += empty
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// DescribePoint implements game.PointDescriber: "d5: a single black stone, distance 1 to d1".
func (Game) DescribePoint(p engine.Position, typed string) (text string, ok bool) {
	b := p.(*ayu.Position).Board()
	at, err := ayu.ParsePoint(strings.TrimSpace(typed))
	switch {
	case err != nil:
		return "", false
	case !b.Contains(at):
		return fmt.Sprintf("%s is not on the board", at), true
	}
	u, ok := b.UnitAt(at)
	if !ok {
		return fmt.Sprintf("%s: empty", at), true
	}
	return fmt.Sprintf("%s: %s", at, describeUnit(b, at, u)), true
}

// describeUnits lists the units of one colour with their distances.
func describeUnits(b ayu.Board, c ayu.Color) string {
	mark := map[ayu.Color]string{ayu.Black: "X", ayu.White: "O"}[c]
	var parts []string
	for _, u := range b.Units(c) {
		var points []string
		for p := range u.Stones.All() {
			points = append(points, p.String())
		}
		where := "cut off"
		if u.Distance > 0 {
			where = "distance " + strconv.Itoa(u.Distance)
		}
		parts = append(parts, strings.Join(points, " ")+" ("+where+")")
	}
	return fmt.Sprintf("%s (%s), %s: %s.", c.Name(), mark, plural(len(parts), "unit"), strings.Join(parts, "; "))
}

// DescribeTurn implements game.Game.
func (g Game) DescribeTurn(p engine.Position, actions []string, player string) string {
	b := p.(*ayu.Position).Board()
	if g.ShortTurn(actions) == swap {
		return game.Clause(player, "swap") + " colours and now " + game.Verb(player, "have") + " Black"
	}
	from, to, _ := strings.Cut(g.ShortTurn(actions), "-")
	text := game.Clause(player, "move") + " " + from + " to " + to
	if target, err := ayu.ParsePoint(to); err == nil {
		if u, ok := b.UnitAt(target); ok && u.Stones.Count() > 1 {
			text += ", now in a group of " + strconv.Itoa(u.Stones.Count())
		}
	}
	return text
}

const swap = "swap"

// ParseTurn implements game.Game. It accepts b1-b2, b1b2, b1 b2 and swap.
func (Game) ParseTurn(p engine.Position, typed string) ([]string, error) {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if typed == swap {
		return []string{swap}, nil
	}
	from, rest, err := readPoint(strings.NewReplacer("-", "", " ", "").Replace(typed))
	if err == nil {
		var to ayu.Point
		if to, err = ayu.ParsePoint(rest); err == nil {
			return []string{ayu.Move{From: from, To: to}.String()}, nil
		}
	}
	return nil, fmt.Errorf("%q is not a move; type one like b1b2", engine.Excerpt(typed))
}

// readPoint parses the point at the beginning of typed, with all of its digits, and returns the rest.
func readPoint(typed string) (p ayu.Point, rest string, err error) {
	end := min(1, len(typed))
	for end < len(typed) && typed[end] >= '0' && typed[end] <= '9' {
		end++
	}
	p, err = ayu.ParsePoint(typed[:end])
	return p, typed[end:], err
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
