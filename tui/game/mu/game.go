package mu

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// Game implements game.Game for Mu. NewGame makes one whose boards share what they draw; the boards of a
// zero Game share nothing.
type Game struct{ shared *caches }

// NewGame returns the game for a server. It has the cache of all boards.
func NewGame() Game {
	s := new(caches)
	s.boards.Capacity = 64
	return Game{s}
}

// caches has what many boards show alike, drawn and computed once.
type caches struct {
	frames     game.Cache[frameKey, *paint.Frame]
	boards     game.Cache[boardKey, boardFrame]
	geometries game.Cache[geometryKey, *geometry]
	replays    game.Cache[replayKey, *replay]
	legends    game.Cache[legendKey, []game.LegendEntry]
}

// Name returns "mu".
func (Game) Name() string { return mu.Game{}.Name() }

// Engine returns the rules of Mu.
func (Game) Engine() engine.Game { return mu.Game{} }

// New returns a board. Its Show must be called before its other methods.
func (g Game) New() game.Board {
	if g.shared == nil {
		return newBoard(NewGame().shared)
	}
	return newBoard(g.shared)
}

const (
	minPlayers  = 2
	maxSegments = 8
)

// DescribePhase implements game.PhaseDescriber.
func (Game) DescribePhase(p engine.Position) string {
	switch pos := p.(*mu.Position); pos.Phase() {
	case mu.Layout:
		return fmt.Sprintf("lay a segment (%d left)", pos.Segments()-pos.Men()[pos.Turn()])
	case mu.Clearing:
		return "clear one of your segments; the last one is filled with men"
	default:
		return movesLeft(pos)
	}
}

// Choices implements game.Game: the number of players, of segments, and the minimum of players.
func (Game) Choices() []game.Choice {
	players := game.Choice{Label: "Players", Default: 1, Option: "players", Help: "The number of seats. Each player plays for themselves."}
	minimum := game.Choice{Label: "May start with", Answers: []string{"all"}, Option: "min", ForMany: true,
		Help: "The game may start with this many players if they are all ready. All: it waits until every seat is taken."}
	for n := minPlayers; n <= maxSeats; n++ {
		players.Answers = append(players.Answers, strconv.Itoa(n))
		if n < maxSeats {
			minimum.Answers = append(minimum.Answers, strconv.Itoa(n))
		}
	}
	segments := game.Choice{Label: "Segments each", Default: 2, BotDefault: 1, Option: "segments",
		Help: "How many segments of the board each player lays. 2 make a first game, 3 a short one, 7 a long one."}
	for n := 1; n <= maxSegments; n++ {
		segments.Answers = append(segments.Answers, strconv.Itoa(n))
	}
	return []game.Choice{players, segments, minimum}
}

// Options implements game.Game. A minimum above the number of players is lowered to it.
func (Game) Options(answers []int) json.RawMessage {
	o := mu.Options{Players: minPlayers + answers[0], Segments: 1 + answers[1]}
	o.Min = o.Players
	if answers[2] > 0 {
		o.Min = min(o.Players, minPlayers+answers[2]-1)
	}
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err) // a struct of three ints
	}
	return raw
}

// SeatMark implements game.Game.
func (Game) SeatMark(_ engine.Position, seat int, style game.Style) (string, paint.Style) {
	return mark(seat, false, style), stylePalette(style).besideBoard[seat]
}

// Side implements game.Game: it returns the name of a seat's shape.
func (Game) Side(_ engine.Position, seat int) string { return seatStyles[seat].name }

// Score implements game.Game: the row above the board has the territories.
func (Game) Score(engine.Position, int) string { return "" }

// Counts implements game.Counter: the cells of the territory of a seat, and its men.
func (Game) Counts(position engine.Position, seat int) string {
	p, ok := position.(*mu.Position)
	switch {
	case !ok || !hasTerritory(p.Phase()):
		return ""
	case p.HasLeft(seat) || p.Eliminated(seat):
		return "out"
	}
	return Game{}.Counted(p.Territory()[seat]) + ", " + plural(p.Men()[seat], "man")
}

// Counted implements game.Counter.
func (Game) Counted(score int) string { return plural(score, "cell") }

// ShortTurn implements game.Game: "0,0:2e" moves two men from 0,0 to the east, "@" lays and "×" clears a
// segment, "!" is a chosen explosion.
func (Game) ShortTurn(actions []string) string {
	var parts []string
	for _, text := range actions {
		a, err := mu.ParseAction(text)
		switch {
		case err != nil:
			parts = append(parts, text)
		case a.Kind == mu.Place:
			parts = append(parts, "@"+a.At.String())
		case a.Kind == mu.Clear:
			parts = append(parts, "×"+a.At.String())
		case a.Kind == mu.Explode:
			parts = append(parts, "!"+a.At.String())
		case a.Kind == mu.Move:
			parts = append(parts, fmt.Sprintf("%s:%d%s", a.At, a.Men, a.Dir))
		case len(actions) == 1:
			parts = append(parts, "pass")
		}
	}
	return strings.Join(parts, " ")
}

// DescribeEnding implements game.Game.
func (Game) DescribeEnding(p engine.Position, r engine.Result) string {
	pos := p.(*mu.Position)
	alive, left := 0, 0 // the men of a seat that left stay
	for seat, men := range pos.Men() {
		switch {
		case pos.HasLeft(seat):
			left++
		case men > 0:
			alive++
		}
	}
	switch {
	case r.Reason == engine.ReasonRepetition:
		return "the same position occurred for the third time"
	case r.Reason == engine.ReasonLeft:
		return "all others have left"
	case alive <= 1 && left > 0:
		return "all other players have left or are out of men"
	case alive <= 1:
		return "all other players are out of men"
	}
	return "everyone passed"
}

// tally returns a number for each seat and its label: segments to lay or to clear, in play the territory.
func tally(p *mu.Position) (label string, numbers []int) {
	switch men := p.Men(); p.Phase() {
	case mu.Layout:
		for seat := range men {
			men[seat] = p.Segments() - men[seat]
			if p.HasLeft(seat) {
				men[seat] = 0
			}
		}
		return "to lay", men
	case mu.Clearing:
		for seat := range men {
			men[seat] = max(men[seat]-1, 0)
		}
		return "to clear", men
	}
	return "territory", p.Territory()
}

// DescribePosition implements game.Game: the pieces of each seat, then the board in ASCII with the shapes' initials.
func (Game) DescribePosition(p engine.Position) []string {
	pos := p.(*mu.Position)
	var lines []string
	label, numbers := tally(pos)
	for seat, n := range numbers {
		lines = append(lines, fmt.Sprintf("%s (%c), %s %d: %s.", seatStyles[seat].name, seatStyles[seat].name[0], label, n, describePieces(pos, seat)))
	}
	return append(lines, Game{}.TextBoard(p, true)...)
}

// TextBoard implements game.Game.
func (Game) TextBoard(p engine.Position, isASCII bool) []string {
	pos := p.(*mu.Position)
	g := newGeometry(pos)
	rows := make([][]rune, g.height)
	for y := range rows {
		rows[y] = []rune(strings.Repeat(" ", g.width))
	}
	terrain := textures
	if isASCII {
		terrain = [terrains]rune{'.', ':', '#'}
	}
	for _, c := range pos.Cells() {
		x, y := halfColumn(c.At)-g.left, int(c.At.R)-g.top
		rows[y][x] = terrain[c.Terrain]
		if c.Men == 0 {
			continue
		}
		rows[y][x] = []rune(mark(c.Owner, false, game.Style{ASCII: isASCII}))[0]
		if c.Men > 1 {
			rows[y][x+1] = rune(digit(c.Men)[0])
		}
	}
	var lines []string
	for _, row := range rows {
		lines = append(lines, strings.TrimRight(string(row), " "))
	}
	return lines
}

// DescribePoint implements game.PointDescriber: "0,0: Disc, 3 men, virgin".
func (Game) DescribePoint(p engine.Position, typed string) (text string, ok bool) {
	a, err := mu.ParseAction("explode " + strings.TrimSpace(typed))
	if err != nil {
		return "", false
	}
	for _, c := range p.(*mu.Position).Cells() {
		if c.At != a.At {
			continue
		}
		what := "empty"
		if c.Men > 0 {
			what = seatStyles[c.Owner].name + ", " + plural(int(c.Men), "man")
		}
		return fmt.Sprintf("%s: %s, %s", c.At, what, terrainNames[c.Terrain]), true
	}
	return fmt.Sprintf("%s is not on the board", a.At), true
}

// describePieces lists a seat's pieces: "2 on 0,0 (virgin), 1 on 3,-1 (Wall)".
func describePieces(p *mu.Position, seat int) string {
	var list []string
	for _, c := range p.Cells() {
		if c.Men > 0 && c.Owner == seat {
			list = append(list, fmt.Sprintf("%d on %s (%s)", c.Men, c.At, terrainNames[c.Terrain]))
		}
	}
	if list == nil {
		return "no men"
	}
	return strings.Join(list, ", ")
}

// DescribeTurn implements game.Game.
func (Game) DescribeTurn(_ engine.Position, actions []string, player string) string {
	var parts []string
	for _, text := range actions {
		a, err := mu.ParseAction(text)
		switch {
		case err != nil:
			parts = append(parts, text)
		case a.Kind == mu.Place:
			parts = append(parts, game.Verb(player, "lay")+" a segment at "+a.At.String())
		case a.Kind == mu.Clear:
			parts = append(parts, game.Verb(player, "clear")+" the segment "+a.At.String())
		case a.Kind == mu.Explode:
			parts = append(parts, game.Verb(player, "explode")+" "+a.At.String())
		case a.Kind == mu.Move:
			parts = append(parts, fmt.Sprintf("%s %s from %s %s to %s", game.Verb(player, "move"), plural(int(a.Men), "man"), a.At, dirWords[a.Dir], a.At.Step(a.Dir, int(a.Men))))
		case len(actions) == 1:
			parts = append(parts, game.Verb(player, "pass"))
		}
	}
	return strings.TrimSpace(player + " " + strings.Join(parts, ", "))
}

// ParseTurn implements game.Game. Actions are separated by semicolons: "0,0 2 e; 3,-1 1 w; end". The
// notation of ShortTurn needs none: "0,0:2e 3,-1:1w end".
func (Game) ParseTurn(p engine.Position, typed string) ([]string, error) {
	d := draft{base: p.(*mu.Position)}
	turn, err := d.playTyped(typed)
	switch {
	case err != nil:
		return nil, err
	case turn != nil:
		return turn, nil
	case len(d.head().Critical()) > 0:
		return nil, fmt.Errorf("cells are critical (%s): add which explodes next, or a for all", joinCells(d.head().Critical()))
	case d.isStarted():
		return nil, errors.New("the turn is not complete: add further moves, or end, as in 0,0 1 e; end")
	}
	return nil, errors.New("type a turn like 0,0 1 e; end")
}

func joinCells(cells []mu.Hex) string {
	var list []string
	for _, h := range cells {
		list = append(list, h.String())
	}
	return strings.Join(list, " ")
}
