package op

import (
	"context"
	"time"

	"ayumu/lobby/limit"
	"ayumu/tui/game"
)

// How many games of a kind a user has finished while the front ends still show what newcomers need.
const (
	gamesWithGoal   = 1
	gamesWithLegend = 3
	gamesWithCoach  = 3
)

// Experience is how many games of each kind the user of a Visit has finished, for games that are known; of a guest
// those of the session. Visit.Experience is it. It belongs to the visit, and is used like it.
type Experience struct {
	finished map[string]int
	isGuest  bool
}

// Knows reports whether it is known how many games of a kind the user has finished.
func (x Experience) Knows(game string) bool {
	_, known := x.finished[game]
	return known || x.isGuest
}

// Set sets how many games of a kind the user has finished, as Archive.FinishedGames counts them.
func (x Experience) Set(game string, finished int) { x.finished[game] = finished }

// SetNone sets that the user has finished none of those games whose number is not known.
func (x Experience) SetNone(games game.List) {
	for _, g := range games {
		if !x.Knows(g.Name()) {
			x.finished[g.Name()] = 0
		}
	}
}

// count counts a finished game of the user.
func (x Experience) count(game string) {
	if x.Knows(game) {
		x.finished[game]++
	}
}

// MainGame returns the game that the user plays most, as far as it is known what they have finished, and otherwise the one of
// their last game against a bot.
func (v *Visit) MainGame() game.Game {
	main := v.Games.Default()
	if b := v.lastChoices().Bot; b != nil {
		if g, ok := v.Games.ByName(b.Game); ok {
			main = g
		}
	}
	most := 0
	for _, g := range v.Games {
		if n := v.Experience.finished[g.Name()]; n > most {
			main, most = g, n
		}
	}
	return main
}

// PuzzleGame returns the name of the game whose puzzle of the day the user is shown: MainGame, or "", the first one that has puzzles,
// where that has none.
func (v *Visit) PuzzleGame() string {
	name := v.MainGame().Name()
	if _, err := v.Puzzles.OfDay(name, time.Now()); err != nil {
		return ""
	}
	return name
}

// NeedsGoal reports whether the user should be shown the goal of a game: nobody who has finished one is.
func (x Experience) NeedsGoal(game string) bool {
	return x.Knows(game) && x.finished[game] < gamesWithGoal
}

// NeedsLegend reports whether the user should be shown what the signs of a board mean: in the first games.
func (x Experience) NeedsLegend(game string) bool {
	return x.Knows(game) && x.finished[game] < gamesWithLegend
}

// NeedsCoach reports whether the user should be advised in a game against bots: in the first games.
func (x Experience) NeedsCoach(game string) bool {
	return x.Knows(game) && x.finished[game] < gamesWithCoach
}

// FinishedGames returns how many games of a kind the viewer has finished, without aborted ones.
func (a Archive) FinishedGames(ctx context.Context, game string) (int, error) {
	if err := a.spend(limit.WorkArchive); err != nil {
		return 0, err
	}
	return a.Lobby.Archive.FinishedGames(ctx, a.Viewer, game)
}
