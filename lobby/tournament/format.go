package tournament

import (
	"ayumu/engine"
	"ayumu/lobby/tournament/pairing"
)

// Format is the format of a tournament.
type Format string

// The formats.
const (
	FormatSwiss      Format = "swiss"
	FormatRoundRobin Format = "round_robin"
	// FormatTables is for games of three and more seats: in each round all sit at tables. Programs see the name of the game before
	// it, see FormatName.
	FormatTables Format = "tables"
)

// isKnown reports whether f is a format.
func (f Format) isKnown() bool {
	return f == FormatSwiss || f == FormatRoundRobin || f == FormatTables
}

// hasSchedule reports whether the start decides all games: everyone plays everyone of the division, and nobody enters any more.
func (f Format) hasSchedule() bool { return f == FormatRoundRobin }

// isAtTables reports whether games have three and more seats, whose places bring points.
func (f Format) isAtTables() bool { return f == FormatTables }

// hasAskedByes reports whether a player can ask for a bye.
func (f Format) hasAskedByes() bool { return f == FormatSwiss }

// maxPoints returns the most that a game brings to a player.
func (f Format) maxPoints() int {
	if f.isAtTables() {
		return 2 * Point
	}
	return Point
}

// minPlayers returns the smallest number of players with whom a tournament can start.
func (f Format) minPlayers() int {
	if f.isAtTables() {
		return minAtTables
	}
	return 2
}

// FormatName returns the name of the format as programs see it.
func (t *Terms) FormatName() string {
	if t.Format == FormatTables {
		return t.Options.Game().Name() + "_" + string(FormatTables)
	}
	return string(t.Format)
}

// ParseFormat returns the format with a name that FormatName has returned for a game.
func ParseFormat(name string, game engine.Game) (Format, error) {
	tables := game.Name() + "_" + string(FormatTables)
	switch {
	case name == string(FormatSwiss) || name == string(FormatRoundRobin):
		return Format(name), nil
	case name == tables && engine.SeatLimit(game) >= pairing.MinTable:
		return FormatTables, nil
	case engine.SeatLimit(game) >= pairing.MinTable:
		return "", badRequest("the format of a tournament of %s is %s, %s or %s", game.Title(), FormatRoundRobin, FormatSwiss, tables)
	}
	return "", badRequest("the format of a tournament of %s is %s or %s", game.Title(), FormatRoundRobin, FormatSwiss)
}
