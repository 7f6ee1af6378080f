package ayu

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
)

// ParseArguments implements engine.ArgumentParser: SIZE [nopie].
func (Game) ParseArguments(args []string) (engine.Options, error) {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "nopie" {
		return nil, errors.New("usage: newgame ayu SIZE [nopie]")
	}
	size, err := strconv.Atoi(args[0])
	if err != nil {
		return nil, fmt.Errorf("the size is %q, must be a number", args[0])
	}
	raw, err := json.Marshal(Options{Size: size, Pie: len(args) == 1})
	if err != nil {
		return nil, err
	}
	return Game{}.ParseOptions(raw)
}

// Arguments implements engine.ArgumentFormatter.
func (o Options) Arguments() []string {
	if o.Pie {
		return []string{strconv.Itoa(o.Size)}
	}
	return []string{strconv.Itoa(o.Size), "nopie"}
}

// ParsePosition implements engine.PositionParser: the words of the one-line form.
func (Game) ParsePosition(args []string) (engine.Position, error) {
	b, err := ParseBoard(strings.Join(args, " "))
	if err != nil {
		return nil, err
	}
	return FromBoard(b), nil
}

// MatchDefaults implements engine.MatchConfigurer: 11×11 without the pie rule, after two random moves.
func (Game) MatchDefaults() engine.MatchDefaults {
	return engine.MatchDefaults{Opening: 2, Flags: []engine.OptionFlag{
		{Name: "size", Help: "columns and rows", Default: "11"},
		{Name: "pie", Help: "with the pie rule", Default: "false"},
	}}
}

// RemainingTurns implements engine.LengthEstimator: five quarters of the spans of both sides, less six turns whose result
// is known. In games of the built-in player on 7×7 to 13×13 it is off by 6 turns at most, on average over games; from
// 11×11 on 66 turns are expected at the beginning.
func (p *Position) RemainingTurns() int {
	b := p.Board()
	return max((b.Span(Black)+b.Span(White))*5/4-6, 1)
}

// CodeCupOptions implements engine.CodeCupPlayer: 11×11 without the pie rule, as in 2015.
func (Game) CodeCupOptions() engine.Options { return Options{Size: 11} }

// Perft implements engine.PerftCounter, without the pie rule and without repetition.
func (p *Position) Perft(depth int) uint64 { return p.Board().Perft(depth) }

// Evaluate implements engine.Evaluator: by how much the span of a seat is shorter than the opponent's, which is about by
// how many moves it is ahead.
func (p *Position) Evaluate(seat int) int {
	own := Black
	if p.Side(seat) != own.String() {
		own = White
	}
	return p.Board().Span(own.Other()) - p.Board().Span(own)
}

// Gain implements engine.GainCounter: the number of joins that a seat has made, which falls with its units.
func (p *Position) Gain(seat int) int {
	own := Black
	if p.Side(seat) != own.String() {
		own = White
	}
	return -p.Board().CountUnits(own)
}

// Diagram implements engine.Drawer: the board with coordinates, below a line with the state of the game.
func (p *Position) Diagram() string {
	b := p.Board()
	var s strings.Builder
	fmt.Fprintf(&s, "Ayu %dx%d, Black x, White o: %s", b.Size(), b.Size(), p.status())
	rows := strings.Fields(b.String())[2]
	for i, row := range strings.Split(rows, "/") {
		fmt.Fprintf(&s, "\n%2d", b.Size()-i)
		for _, mark := range row {
			fmt.Fprintf(&s, " %c", mark)
		}
	}
	s.WriteString("\n  ")
	for column := range b.Size() {
		fmt.Fprintf(&s, " %c", 'a'+column)
	}
	return s.String()
}

// Mark implements engine.Drawer.
func (p *Position) Mark(seat int) string {
	if p.Side(seat) == White.String() {
		return "o"
	}
	return "x"
}

func (p *Position) status() string {
	mover := p.Board().Turn().Name()
	switch r, over := p.Result(); {
	case !over:
		return mover + " to move"
	case r.Reason == engine.ReasonRepetition:
		return "drawn by repetition"
	}
	return mover + " cannot move and has won"
}
