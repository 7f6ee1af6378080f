package client

import (
	"context"
	"encoding/json"
	"slices"

	"ayumu/engine"
	"ayumu/tui/game"
)

// maxWarnings is the maximum number of warnings in a match, so that they stay help.
const maxWarnings = 3

// Coach advises the user in a match that is one of their first of its game, against bots. The zero value advises
// nobody; Learner.Coach makes one that does.
type Coach struct {
	game     game.Coach // nil: no advice
	advised  engine.Position
	advice   string // on that position
	warnings int
	position engine.Position // of the last warning
	turn     []string        // that was warned of
}

// Coach returns the coach of a match, whether or not the user wants one. The other seats must be bots, since advice in a
// match between people would be an advantage, and the match casual.
func (l Learner) Coach(m *Match) Coach {
	g, ok := m.Game.(game.Coach)
	if !ok || m.Player == nil || !l.Experience.NeedsCoach(g.Name()) || !CanHint(m.Snapshot, m.Seat) {
		return Coach{}
	}
	return Coach{game: g}
}

// Advise returns advice for the user's seat in a position that is not over; "" for none.
func (c *Coach) Advise(p engine.Position, seat int) string {
	if c.game == nil || c.advised == p {
		return c.advice
	}
	c.advised, c.advice = p, ""
	if _, over := p.Result(); !over {
		c.advice = c.game.Advise(p, seat)
	}
	return c.advice
}

// Warn returns why the user may not want to make a turn; "" for no reason. The same turn is warned of once.
func (c *Coach) Warn(p engine.Position, turn []string) string {
	if c.game == nil || c.warnings == maxWarnings || c.position == p && slices.Equal(c.turn, turn) {
		return ""
	}
	text := c.game.Warn(p, turn)
	if text != "" {
		c.position, c.turn = p, turn
		c.warnings++
	}
	return text
}

// coachSettings is the part of an account's settings that has whether the user wants a coach, as the settings of the
// screens have it.
type coachSettings struct {
	Coach *bool `json:"coach"` // nil: yes
}

// WantsCoach reports whether the settings of the account ask for a coach.
func (l Learner) WantsCoach() bool {
	var s coachSettings
	if raw := l.Session.Account().Settings; len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return true
	}
	return s.Coach == nil || *s.Coach
}

// SetCoach stores whether the user wants a coach. It may be called from any goroutine.
func (l Learner) SetCoach(ctx context.Context, on bool) error {
	return SaveSettings(ctx, l.Session, coachSettings{&on})
}
