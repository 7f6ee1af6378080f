package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Games is a list of games in the order in which they are shown, the default game first. It must
// not be changed once it is in use.
type Games []Game

// MaxSeats is the largest number of seats that a game may have: the lobby keeps the seats that agree
// with an offer in 8 bits.
const MaxSeats = 8

// MatchFields are the names of the fields that the JSON form of a match has in every game (docs/protocol.md), which
// the fields of a Detailer stand beside.
var MatchFields = []string{
	"abort", "away", "clock", "clocks", "code", "elsewhere", "event", "game", "match", "offers", "ok", "options", "over",
	"position", "private", "rated", "ratings", "re", "result", "round", "seat", "seats", "started", "tournament", "turn",
	"unrated", "vacations", "version", "votes", "you",
}

// SeatLimiter is a Game in which more can play than with its default options.
type SeatLimiter interface {
	Game
	// SeatLimit returns the largest number of seats that any options allow.
	SeatLimit() int
}

// SeatLimit returns the largest number of seats of a game: that of its default options unless it is
// a SeatLimiter.
func SeatLimit(g Game) int {
	if l, ok := g.(SeatLimiter); ok {
		return l.SeatLimit()
	}
	o, err := g.ParseOptions(nil)
	if err != nil {
		return 0
	}
	_, limit := o.Seats()
	return limit
}

// ByName returns the game with this name; false if the list has none.
func (g Games) ByName(name string) (Game, bool) {
	for _, game := range g {
		if game.Name() == name {
			return game, true
		}
	}
	return nil, false
}

// Default returns the first game: the one that is meant where nobody names a game, and whose
// ratings stand beside names. The list must not be empty.
func (g Games) Default() Game { return g[0] }

// Names returns the names of all games.
func (g Games) Names() []string {
	all := make([]string, len(g))
	for i, game := range g {
		all[i] = game.Name()
	}
	return all
}

// Titles returns the titles of all games as a phrase: "Chess and Go".
func (g Games) Titles() string {
	var all strings.Builder
	for i, game := range g {
		switch {
		case i > 0 && i == len(g)-1:
			all.WriteString(" and ")
		case i > 0:
			all.WriteString(", ")
		}
		all.WriteString(game.Title())
	}
	return all.String()
}

// Check returns why a list cannot be used: it is empty, a name is unfit or occurs twice, or a game
// refuses its default options, does not begin with them, has more than MaxSeats seats, or has a detail with one of
// the names in MatchFields.
func (g Games) Check() error {
	if len(g) == 0 {
		return errors.New("the list of games is empty")
	}
	known := make(map[string]bool)
	for _, game := range g {
		name := game.Name()
		if name == "" || len(name) > 20 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" {
			return fmt.Errorf("the name of a game is %q and must be 1 to 20 lower-case letters", name)
		}
		if known[name] {
			return fmt.Errorf("two games are called %q", name)
		}
		known[name] = true
		o, err := game.ParseOptions(nil)
		if err != nil {
			return fmt.Errorf("%s has no default options: %w", name, err)
		}
		if minimum, limit := o.Seats(); minimum < 2 || limit < minimum || limit > SeatLimit(game) || SeatLimit(game) > MaxSeats {
			return fmt.Errorf("%s has %d to %d seats, at most %d; 2 to %d are possible", name, minimum, limit, SeatLimit(game), MaxSeats)
		}
		if o.Game() != game {
			return fmt.Errorf("the options of %s name another game", name)
		}
		first := game.New(o)
		if len(first.Legal()) == 0 {
			return fmt.Errorf("%s begins with no legal action", name)
		}
		if d, ok := first.(Detailer); ok {
			for field := range d.Details() {
				if slices.Contains(MatchFields, field) {
					return fmt.Errorf("a detail of %s is called %q, a name that every match has; choose another", name, field)
				}
			}
		}
	}
	return nil
}
