package gtp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
)

var ayuDialect = dialect{
	name:        ayu.Game{}.Name(),
	newGame:     newAyu,
	setPosition: setAyu,
	perft: func(p engine.Position, depth int) uint64 {
		return p.(*ayu.Position).Board().Perft(depth)
	},
	show: func(p engine.Position) string { return showAyu(p.(*ayu.Position)) },
}

func newAyu(args []string) (engine.Position, error) {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "nopie" {
		return nil, errors.New("usage: newgame ayu SIZE [nopie]")
	}
	size, err := strconv.Atoi(args[0])
	if err != nil {
		return nil, fmt.Errorf("the size is %q, must be a number", args[0])
	}
	raw, err := json.Marshal(ayu.Options{Size: size, Pie: len(args) == 1})
	if err != nil {
		return nil, err
	}
	o, err := ayu.Game{}.ParseOptions(raw)
	if err != nil {
		return nil, err
	}
	return ayu.Game{}.New(o), nil
}

func setAyu(args []string) (engine.Position, error) {
	b, err := ayu.ParseBoard(strings.Join(args, " "))
	if err != nil {
		return nil, err
	}
	return ayu.FromBoard(b), nil
}

// showAyu returns a drawing of the board with coordinates, below a line with the state of the game.
func showAyu(p *ayu.Position) string {
	b := p.Board()
	var s strings.Builder
	fmt.Fprintf(&s, "Ayu %dx%d, Black x, White o: %s", b.Size(), b.Size(), ayuStatus(p))
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

func ayuStatus(p *ayu.Position) string {
	mover := p.Board().Turn().Name()
	switch r, over := p.Result(); {
	case !over:
		return mover + " to move"
	case r.Reason == engine.ReasonRepetition:
		return "drawn by repetition"
	}
	return mover + " cannot move and has won"
}
