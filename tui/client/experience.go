package client

import (
	"context"

	"ayumu/lobby/limit"
)

// How many games of a kind a user has finished while the front ends still show what newcomers need.
const (
	gamesWithGoal   = 1
	gamesWithLegend = 3
)

// experience is how many games of each kind the user has finished, for games that are known; of a guest those of the
// session.
type experience map[string]int

// KnowsExperience reports whether it is known how many games of a kind the user has finished.
func (c *Client) KnowsExperience(game string) bool {
	_, known := c.experience[game]
	return known || c.Session.Account().IsGuest()
}

// SetExperience sets how many games of a kind the user has finished, as Archive.FinishedGames counts them.
func (c *Client) SetExperience(game string, finished int) { c.experience[game] = finished }

// countFinished counts a finished game of the user.
func (c *Client) countFinished(game string) {
	if c.KnowsExperience(game) {
		c.experience[game]++
	}
}

// NeedsGoal reports whether the user should be shown the goal of a game: nobody who has finished one is.
func (c *Client) NeedsGoal(game string) bool {
	return c.KnowsExperience(game) && c.experience[game] < gamesWithGoal
}

// NeedsLegend reports whether the user should be shown what the signs of a board mean: in the first games.
func (c *Client) NeedsLegend(game string) bool {
	return c.KnowsExperience(game) && c.experience[game] < gamesWithLegend
}

// FinishedGames returns how many games of a kind the viewer has finished, without aborted ones.
func (a Archive) FinishedGames(ctx context.Context, game string) (int, error) {
	if err := a.spend(limit.WorkArchive); err != nil {
		return 0, err
	}
	return a.Lobby.Archive.FinishedGames(ctx, a.Viewer, game)
}
