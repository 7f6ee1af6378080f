package mu

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// afterActions returns the position after some actions of a new match of two players.
func afterActions(segments int, actions ...string) engine.Position {
	var p engine.Position = mu.New(mu.Options{Players: 2, Segments: segments, Min: 2})
	for _, a := range actions {
		next, err := p.Play(a)
		if err != nil {
			panic(err) // the lessons are constant
		}
		p = next
	}
	return p
}

// lessonPosition returns a position of play in which it is Disc's turn, on the board whose segments have these centres.
// cells has what is not an empty virgin cell, as in a position line: "0,0:v0.2 1,0:c".
func lessonPosition(centres, cells string, passes int) engine.Position {
	given := make(map[string]string)
	for field := range strings.FieldsSeq(cells) {
		name, what, _ := strings.Cut(field, ":")
		given[name] = what
	}
	var all []mu.Hex
	var rights []string
	for _, centre := range sortHexes(parseHexes(strings.Split(centres, ";"))) {
		occupied := false
		for h := range segmentCells(centre) {
			all = append(all, h)
			occupied = occupied || strings.Contains(given[h.String()], "0.")
		}
		if occupied {
			rights = append(rights, centre.String())
		}
	}
	var line []string
	for _, h := range sortHexes(all) {
		what := given[h.String()]
		if what == "" {
			what = mu.Virgin.String()
		}
		line = append(line, h.String()+":"+what)
		delete(given, h.String())
	}
	p, err := mu.ParsePosition(2, centres, fmt.Sprintf("play|%s|0|%s||%d", strings.Join(line, ";"), strings.Join(rights, " "), passes))
	if err != nil || len(given) > 0 {
		panic(fmt.Sprint("the position of a lesson: ", err, given)) // the lessons are constant
	}
	return p
}

func parseHexes(names []string) (cells []mu.Hex) {
	for _, name := range names {
		var h mu.Hex
		if _, err := fmt.Sscanf(name, "%d,%d", &h.Q, &h.R); err != nil {
			panic(err) // the lessons are constant
		}
		cells = append(cells, h)
	}
	return cells
}

// sortHexes sorts cells in place, in the order of position lines.
func sortHexes(cells []mu.Hex) []mu.Hex {
	slices.SortFunc(cells, func(a, b mu.Hex) int {
		if a.Q != b.Q {
			return int(a.Q) - int(b.Q)
		}
		return int(a.R) - int(b.R)
	})
	return cells
}
