package tournament

// Cause is the code of the rule by which the server takes a player out, rules a game or cancels the tournament, as it is stored
// and as programs get it. It is empty if a person decided, who can write a note instead: what people write is never a cause.
type Cause string

// The causes.
const (
	CauseBanned     Cause = "banned"      // the account of the player was banned
	CauseBot        Cause = "bot"         // a program makes the turns of the player, which the terms do not allow
	CauseWithdrawn  Cause = "withdrawn"   // of the players of the game at most one is still in
	CauseTimeUp     Cause = "time_up"     // the time of the round is up
	CauseAborted    Cause = "aborted"     // the match was aborted
	CauseFewPlayers Cause = "few_players" // too few players are there
)

// Text returns a cause in words, as a clause without a capital letter and a full stop; "" for no cause. It is not stored, so
// that it can be reworded.
func (c Cause) Text() string {
	switch c {
	case CauseBanned:
		return "the account was banned"
	case CauseBot:
		return "a program makes the turns of the account"
	case CauseWithdrawn:
		return "the opponent has withdrawn"
	case CauseTimeUp:
		return "the time of the round is up"
	case CauseAborted:
		return "the game was aborted"
	case CauseFewPlayers:
		return "too few players"
	}
	return ""
}

// isKnown reports whether c is a cause or empty.
func (c Cause) isKnown() bool { return c == "" || c.Text() != "" }

// reasonOf returns why something happened, in words: the text of the cause, or what a person wrote instead.
func reasonOf(c Cause, note string) string {
	if c != "" {
		return c.Text()
	}
	return note
}
