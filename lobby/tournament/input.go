package tournament

import (
	"time"

	"ayumu/lobby/account"
)

// Now is what a tournament has to know of the world at the time of a step.
type Now struct {
	Time time.Time
	// Degraded means that this node does not know the time by the store's clock, or has no store. It then decides nothing.
	Degraded bool
	// Presence returns what is known of a user who is paired. nil: everyone is present. It must not change anything.
	Presence func(account.ID) Presence
}

// Presence says whether a player can begin a game.
type Presence struct {
	// AbsentSince is zero if the player has a session. It is no time before the node has known who is present: after a
	// restart everyone has a minute to come back.
	AbsentSince time.Time
	IsElsewhere bool // the player is in another live game
}

// absenceLimit is how long a player may have been absent who is paired in a live tournament.
const absenceLimit = time.Minute

// InputKind is the kind of an input.
type InputKind uint8

// The kinds of inputs.
const (
	InputCheck     InputKind = iota // time has passed, or the presence of a player has changed
	InputCreate                     // the first input
	InputEnter                      // the user By enters
	InputCheckIn                    // the player By checks in
	InputWithdraw                   // the player By leaves before the start, or plays no further round
	InputPause                      // the player By is not paired until InputResume
	InputResume                     // the player By is paired again
	InputAskBye                     // the player By asks for half a point instead of a game in Round
	InputStart                      // the organizer starts it, or its check-in
	InputEdit                       // the organizer changes the terms
	InputRule                       // the organizer decides a running game
	InputExtend                     // the organizer gives a round more time
	InputCancel                     // the organizer cancels it
	InputRemove                     // the organizer takes User out
	InputLetIn                      // the organizer lets User take part again, whom they have taken out
	InputGameEnded                  // a match has ended
	InputBan                        // User was banned, and takes part no more
	InputBecameBot                  // the turns of User are made by a program from now on
)

// Input is something that a tournament has to react to.
type Input struct {
	Kind InputKind
	By   account.ID // who asks; 0: the server
	// Moderator means that By may do what the organizer may.
	Moderator bool

	Terms   Terms      // of InputCreate and InputEdit
	Seed    uint64     // of InputCreate: random, for the lots
	Open    int        // of InputCreate: tournaments of By that have not started
	Entrant Entrant    // of InputEnter
	User    account.ID // of InputRemove, InputLetIn, InputBan and InputBecameBot
	Round   int        // of InputAskBye, InputRule and InputGameEnded
	Table   int        // of InputRule and InputGameEnded
	Places  []int      // of InputRule, by seat from 1; nil: drawn
	Ended   MatchEnd   // of InputGameEnded
	Hours   int        // of InputExtend
	// Note is of InputRule, InputRemove and InputCancel: free text of By. The caller cleans it, and Step refuses more than MaxNote characters.
	Note string
}

// Entrant is what is known of a user who wants to enter.
type Entrant struct {
	Guest   bool
	Bot     bool
	Member  bool
	Rating  int // in the pool of the games
	Highest int // rating of 90 days in the pool
	Games   int // rated games in the pool
	// Until is the time until which the user cannot enter, as NoEntryUntil returns it.
	Until   time.Time
	Running int // tournaments that the user plays in
	Live    int // live ones among them
}

// MatchEnd is the end of the match of a game.
type MatchEnd struct {
	// Places has the place of each seat, from 1; equal seats share the best of theirs. It is nil if the match was aborted.
	Places []int
	// NoShows are the seats whose players did not come: the time for their first turn was up, or they were away when that of
	// another was. It is empty if the opponent, the organizer or the server has ended the match.
	NoShows []int
	Scores  []int // of the seats, as the game counts them; nil: it was not counted, or has no scores
	Version int   // of the log
}
