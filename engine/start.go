package engine

// Starter is a Game whose matches can begin with other positions than the usual first one. The JSON form of
// its options has the text of such a position in the field "position".
type Starter interface {
	Game
	// StartAt returns the options of a match that begins with a position of this game, without its history.
	// The error says why no match can begin with it: it is over, within a turn, or a seat has left.
	StartAt(p Position) (Options, error)
}

// PositionOptions is Options of a Starter.
type PositionOptions interface {
	Options
	// StartPosition returns the text of the position with which a match begins: printable, with single
	// spaces and of at most MaxStartBytes. It is empty for the usual first position.
	StartPosition() string
}

// MaxStartBytes is the maximum length of StartPosition.
const MaxStartBytes = 8 << 10

// StartPosition returns the text of the position with which a match with these options begins, or the
// empty string for the usual first position.
func StartPosition(o Options) string {
	if p, ok := o.(PositionOptions); ok {
		return p.StartPosition()
	}
	return ""
}

// HandicapOptions is Options of a game in which one side can have an advantage at the start.
type HandicapOptions interface {
	// HasHandicap reports whether seat 0 has an advantage.
	HasHandicap() bool
}

// HasHandicap reports whether seat 0 has an advantage in matches with these options. It is false unless o
// implements HandicapOptions.
func HasHandicap(o Options) bool {
	h, ok := o.(HandicapOptions)
	return ok && h.HasHandicap()
}

// NeverRated reports whether matches with these options are always casual: they begin with a position, or
// have a handicap.
func NeverRated(o Options) bool { return StartPosition(o) != "" || HasHandicap(o) }
