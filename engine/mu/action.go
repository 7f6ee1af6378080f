package mu

import (
	"strconv"
	"strings"

	"ayumu/engine"
)

// Kind is the kind of an action.
type Kind uint8

// Kinds of actions (docs/rules/mu.md, section 10). Leaving is not an action; see [Position.Leave].
const (
	End Kind = iota
	Place
	Clear
	Move
	Explode
)

// Action is one action of the seat to move. The zero value ends the turn.
type Action struct {
	Kind Kind
	Dir  Dir    // of a move
	Men  uint16 // of a move: the number of men, which is also the distance
	At   Hex    // of every kind except End
}

// String returns the notation of the action (docs/rules/mu.md, section 10).
func (a Action) String() string {
	switch a.Kind {
	case Place:
		return "place " + a.At.String()
	case Clear:
		return "clear " + a.At.String()
	case Explode:
		return "explode " + a.At.String()
	case Move:
		return string(appendMove(nil, a.At.String(), a))
	}
	return "end"
}

func appendMove(dst []byte, cell string, a Action) []byte {
	dst = append(dst, "move "...)
	dst = append(dst, cell...)
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, uint64(a.Men), 10)
	dst = append(dst, ' ')
	return append(dst, a.Dir.String()...)
}

// compareMoves compares two moves from one cell as text.
func compareMoves(a, b Action) int {
	if a.Men != b.Men {
		return strings.Compare(strconv.Itoa(int(a.Men)), strconv.Itoa(int(b.Men)))
	}
	return strings.Compare(a.Dir.String(), b.Dir.String())
}

// ParseAction reads an action in exactly the form of String. It does not check legality. The error is an
// *engine.ActionError.
func ParseAction(text string) (Action, error) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "end":
		if text != "end" {
			return Action{}, engine.Illegal(text, "end has no arguments")
		}
		return Action{}, nil
	case "place":
		return parseAt(Place, text, rest)
	case "clear":
		return parseAt(Clear, text, rest)
	case "explode":
		return parseAt(Explode, text, rest)
	case "move":
		return parseMove(text, rest)
	case "leave":
		return Action{}, engine.Illegal(text, "leaving is not an action of a turn")
	}
	return Action{}, engine.Illegal(text, "unknown action; the actions are place, clear, move, explode and end")
}

func parseAt(k Kind, text, rest string) (Action, error) {
	h, ok := parseHex(rest)
	if !ok {
		return Action{}, engine.Illegal(text, "expected one cell, as in %q", Action{Kind: k, At: Hex{2, -1}})
	}
	return Action{Kind: k, At: h}, nil
}

func parseMove(text, rest string) (Action, error) {
	form := func() (Action, error) {
		return Action{}, engine.Illegal(text, "expected a cell, a number of men and a direction (e ne nw w sw se), as in %q",
			Action{Kind: Move, At: Hex{2, -1}, Men: 1, Dir: SW})
	}
	cell, rest, _ := strings.Cut(rest, " ")
	number, name, _ := strings.Cut(rest, " ")
	h, ok := parseHex(cell)
	if !ok {
		return form()
	}
	men, ok := parseInt(number, maxMen)
	if !ok || men < 1 {
		return form()
	}
	d, ok := ParseDir(name)
	if !ok {
		return form()
	}
	return Action{Kind: Move, At: h, Men: uint16(men), Dir: d}, nil
}
