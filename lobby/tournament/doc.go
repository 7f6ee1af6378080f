// Package tournament is the functional core of tournaments: their terms, the log of entries, what happens in them, and the
// standings.
//
// A [State] follows from a log of entries ([Fold]), and [Step] takes it from input to input. An input is what a player or the
// organizer asks for, the end of a game, or a check after some time; what follows are [Effects]: the entries to append, and an
// error for the one who has asked. The caller appends the entries if the log still has the version of the state, and takes
// the new state over; after a conflict it follows the log and makes the step again.
//
// [Want] lists what a state wants of the world, its games, notices and ends of games, until it does not want
// it any more. Ids of games and keys of notices follow from the tournament, so that a caller that makes what is missing
// makes nothing twice, whatever has failed before, and on any number of nodes.
//
// Who plays whom is computed by package pairing, which cannot fail: a round is one entry.
//
// What this package cannot see is up to its callers:
//   - Games are created public, with the delay and the rating of the terms and without abort, takeback, rematch, hints, start
//     position and handicap. They do not count against the limit of unfinished games.
//   - The match ends a game whose player does not come within [Terms.FirstTurn]. Downtime, outages and the death of a node stop
//     that limit, and only a node in touch with the store applies it. A game that the opponent or the server has ended is no
//     no-show.
//   - The vacations of players count in games if [Terms.Vacation] allows them, and never beyond the deadline of the round.
//   - Blocks hide chat and change no pairing; the screen or command with which one enters says so.
//   - Who may create a tournament, and who is a moderator, is checked before the input; names are cleaned and can be reported.
//   - Which users share an address, which [State.Remarks] asks for.
//
// What distinguishes formats is asked of methods of [Format]. A new format is an answer of each of them, in format.go with its
// name, and a case in these functions, which are all that name a format:
//   - pair.go: pair
//   - standings.go: TieBreaks
//   - trf.go: TRF
//   - words.go: WhyPaired, whyNotSwiss
//
// The number of its rounds is in [Terms.roundsFor]. If it scores games otherwise, pointsOf in game.go and pointBounds in
// possible.go change; if it pairs a round before the one before it has ended, also applyRound in time.go; if it has terms of its
// own, [Request], [Terms], and the functions of terms.go that convert and check them.
//
// The package starts no goroutine, reads no time, takes no lock and does no I/O. States, entries and what Want returns are not
// changed any more, so that any number of goroutines can use them.
package tournament
