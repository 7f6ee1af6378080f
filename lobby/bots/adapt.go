package bots

import (
	"context"
	"hash/fnv"
	"math"
	"slices"
	"sync"

	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
)

// Strengths of the adaptive bot, which are levels and parts of levels. It begins between the two weakest levels. Each game
// that the player wins makes the bot stronger by a step and each that the player loses weaker, so that in the long run the
// player wins every second one. The first steps are longer, until the player has lost a game and won one.
const (
	firstStrength = 0.5
	firstStep     = 1.0
	laterStep     = 0.5
)

// strengthAfter returns the strength after games in which the player was the winner or not, the oldest first.
func strengthAfter(won []bool) float64 {
	strength, step := firstStrength, firstStep
	for i, w := range won {
		if i > 0 && w != won[i-1] {
			step = laterStep
		}
		if w {
			strength += step
		} else {
			strength -= step
		}
		strength = min(max(strength, MinLevel), MaxLevel)
	}
	return strength
}

// adapted has the strengths of the adaptive bot in running matches.
type adapted struct {
	mu        sync.Mutex // a leaf
	strengths map[string]float64
}

func (a *adapted) get(match string) (float64, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	strength, ok := a.strengths[match]
	return strength, ok
}

func (a *adapted) set(match string, strength float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.strengths == nil {
		a.strengths = make(map[string]float64)
	}
	a.strengths[match] = strength
}

func (a *adapted) forget(match string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.strengths, match)
}

// adaptedLevel returns the level of the adaptive bot's next turn in a match, in which it has a seat. A strength between two
// levels is that of turns of both, so many of the higher one as the strength has parts of a level.
func (b *Bots) adaptedLevel(ctx context.Context, s *match.Snapshot, seat int) int {
	strength, ok := b.adapted.get(s.Info.ID)
	if !ok {
		strength = strengthAfter(b.resultsAgainst(ctx, s, seat))
		b.adapted.set(s.Info.ID, strength)
	}
	hash := fnv.New64a()
	hash.Write([]byte(s.Info.ID))
	hash.Write([]byte(s.Position.String()))
	const parts = 1 << 10
	level := int(math.Floor(strength))
	if float64(search.RandN(hash.Sum64(), 0)(parts)) < (strength-math.Floor(strength))*parts {
		level++
	}
	return level
}

// adaptingGames is the number of the player's newest games that are looked through for those against the adaptive bot.
const adaptingGames = lobby.MaxFinishedMatches

// resultsAgainst returns the results of the games of one kind between the adaptive bot and its opponent in a match, the
// oldest first: whether the opponent won. Of a guest it finds those among the newest games of the bot.
func (b *Bots) resultsAgainst(ctx context.Context, s *match.Snapshot, seat int) (won []bool) {
	bot, opponent := s.Info.Seats[seat], s.Info.Seats[1-seat]
	player := opponent.Name
	if opponent.Account < 0 {
		player = bot.Name
	}
	finished, err := b.cfg.Lobby.Archive.FinishedMatches(ctx, bot.Account, player, "", adaptingGames)
	if err != nil {
		b.report("results of the adaptive bot not read", "match", s.Info.ID, "err", err)
	}
	for _, f := range slices.Backward(finished) {
		own, theirs := seatOf(f.Info, bot.Account), seatOf(f.Info, opponent.Account)
		if own < 0 || theirs < 0 || f.Info.Game != s.Info.Game || len(f.Result.Winners) != 1 {
			continue
		}
		won = append(won, f.Result.Winners[0] == theirs)
	}
	return won
}

// seatOf returns the seat of an account in a match; -1: none.
func seatOf(info *match.Info, id account.ID) int {
	return slices.IndexFunc(info.Seats, func(s match.Seat) bool { return s.Account == id })
}
