package game

import "strings"

// You is the player of a turn that is described to the person who made it.
const You = "You"

// Verb returns a regular verb, or "have", in the form that follows a player: as it is after You and after
// "", which stands for an instruction, else with the ending of the third person.
func Verb(player, verb string) string {
	switch {
	case player == You || player == "":
		return verb
	case verb == "have":
		return "has"
	case strings.HasSuffix(verb, "ss"):
		return verb + "es"
	}
	return verb + "s"
}

// Clause returns a player and what they do: "You lay", "ana lays", or "lay" without a player.
func Clause(player, verb string) string {
	return strings.TrimSpace(player + " " + Verb(player, verb))
}
