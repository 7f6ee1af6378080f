package wire

import (
	"ayumu/lobby"
	"ayumu/lobby/match"
)

// Vacation is the vacation of a player.
type Vacation struct {
	Until   string `json:"until,omitempty"` // "": they are not on vacation
	Left    int    `json:"left"`            // days
	Allowed int    `json:"allowed"`         // days in a year
}

// VacationOf returns the JSON form of a vacation.
func VacationOf(s match.VacationStatus) Vacation {
	v := Vacation{Left: s.Left, Allowed: s.Allowed}
	if !s.Until.IsZero() {
		v.Until = Time(s.Until)
	}
	return v
}

// Conditions are the conditional moves of a seat.
type Conditions struct {
	Version    int          `json:"version"` // of the match
	Revision   int64        `json:"revision"`
	Conditions [][][]string `json:"conditions"` // each a list of turns, which are lists of actions
}

// ConditionsOf returns the JSON form of conditional moves.
func ConditionsOf(a lobby.ArmedConditions) Conditions {
	all := make([][][]string, 0, len(a.All))
	for _, c := range a.All {
		var turns [][]string
		for _, t := range c {
			turns = append(turns, t.Actions)
		}
		all = append(all, turns)
	}
	return Conditions{a.Version, a.Revision, all}
}
