package tournament

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"time"

	"ayumu/lobby/tournament/pairing"
)

// Point is one point in the unit in which points are kept: 120 parts, so that every place at tables of two to six seats brings
// a whole number of them.
const Point = pairing.One

// GameKind says how a game of a round stands, or why a player has none.
type GameKind string

// The kinds of games, as they are stored and as programs get them.
const (
	GamePlaying GameKind = "playing"
	GamePlayed  GameKind = "played"
	GameNoShow  GameKind = "no_show" // of two: decided because a player did not come
	GameRuled   GameKind = "ruled"   // decided by the organizer, by the end of the round's time, or by a ban
	GameBye     GameKind = "bye"     // no opponent, with points
	GameAbsent  GameKind = "absent"  // not there when the round was paired
)

// Game is a game of a round, or a player without one, as the only seat. It is immutable, also what it refers to.
type Game struct {
	Round int
	Table int   // from 1; 0: no opponent
	Seats []int // players by index, in the order in which they move
	Kind  GameKind
	// Places has the place of each seat, from 1; equal seats share the best of theirs. It is nil while the game is
	// running, if nobody came, and without an opponent.
	Places  []int
	Points  []int     // by seat, in 1/120; nil while the game is running
	Scores  []int     // by seat, as the game counts them; nil: it was not counted, or has no scores
	NoShows []int     // seats that did not come
	Cause   Cause     // why the server ruled it
	Note    string    // what the person wrote who ruled it; free text
	Ended   time.Time // when the tournament recorded the result; zero: it is running, or has no opponent
	Version int       // of the match's log at its end; 0: the tournament has not seen it
}

// IsOver reports whether the game has a result.
func (g *Game) IsOver() bool { return g.Kind != GamePlaying }

// seatOf returns the seat of a player, or -1.
func (g *Game) seatOf(player int) int { return slices.Index(g.Seats, player) }

// wasPlayed reports whether a result at the board, or a ruling instead of one, stands for the game.
func (g *Game) wasPlayed() bool {
	return g.Kind == GamePlayed || g.Kind == GameRuled && g.Places != nil
}

// won reports whether a seat is the only winner.
func (g *Game) won(seat int) bool {
	return g.Places != nil && g.Places[seat] == 1 && countOf(g.Places, 1) == 1
}

// Reason returns why a game was ruled, in words: a clause without a full stop, or what a person wrote; "": that is not known.
func (g *Game) Reason() string { return reasonOf(g.Cause, g.Note) }

// winner returns the seat that is the only winner, or -1.
func (g *Game) winner() int {
	for seat := range g.Seats {
		if g.won(seat) {
			return seat
		}
	}
	return -1
}

// checkPlaces returns why places cannot be those of so many seats.
func checkPlaces(places []int, seats int) error {
	if len(places) != seats {
		return fmt.Errorf("%d places for %d seats", len(places), seats)
	}
	for _, p := range places {
		better := 0
		for _, o := range places {
			if o < p {
				better++
			}
		}
		if p != better+1 {
			return fmt.Errorf("the places %v are not those of a game", places)
		}
	}
	return nil
}

// pointsOf returns the points of each seat by the places: in games of two 1 for a win and ½ for a draw, and at
// tables of k seats (k - place)/(k - 1) and 1 more for the win, of which equal seats get the mean. Without places all have 0.
func pointsOf(places []int, seats int, atTables bool) []int {
	points := make([]int, seats)
	for seat, place := range places {
		if seats < 2 {
			break
		}
		equal := countOf(places, place)
		if !atTables {
			if place == 1 {
				points[seat] = Point / equal
			}
			continue
		}
		// The mean of places place to place+equal-1.
		points[seat] = Point / (seats - 1) * (2*(seats-place) - (equal - 1)) / 2
		if place == 1 {
			points[seat] += Point / equal
		}
	}
	return points
}

func countOf(all []int, n int) (count int) {
	for _, o := range all {
		if o == n {
			count++
		}
	}
	return count
}

// drawnPlaces returns the places of a game that all seats share.
func drawnPlaces(seats int) []int {
	places := make([]int, seats)
	for i := range places {
		places[i] = 1
	}
	return places
}

// winnersPlaces returns the places if the seats for which wins is true share the first one, and all others the next.
func winnersPlaces(seats int, wins func(seat int) bool) []int {
	winners := 0
	for seat := range seats {
		if wins(seat) {
			winners++
		}
	}
	places := make([]int, seats)
	for seat := range places {
		if places[seat] = 1; !wins(seat) {
			places[seat] = winners + 1
		}
	}
	return places
}

// idAlphabet is that of the ids of matches.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// MatchID returns the id of the match of a game, which follows from the tournament, the round and the table.
func MatchID(tournament string, round, table int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d/%d", tournament, round, table))
	return base32.NewEncoding(idAlphabet).WithPadding(base32.NoPadding).EncodeToString(sum[:10])[:10]
}
