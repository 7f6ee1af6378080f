package op

import (
	"context"
	"encoding/json"
	"slices"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/game"
)

// maxWarnings is the maximum number of warnings in a match, so that they stay help.
const maxWarnings = 3

// silentTurns is the number of own turns on which the coach speaks of nothing but what loses at once: at first there is too much
// to learn.
const silentTurns = 2

// ownTurns returns the number of turns that a seat has made.
func ownTurns(s *match.Snapshot, seat int) (n int) {
	for _, e := range s.TurnEntries() {
		if e.Seat == seat && e.Kind == match.EntryTurn {
			n++
		}
	}
	return n
}

// Coach advises the user in a match that is one of their first of its game, against bots, or follows the lessons. The
// zero value advises nobody; Visit.Coach makes one that does.
type Coach struct {
	game      game.Coach // nil: no advice
	advised   engine.Position
	advice    string          // on that position
	described engine.Position // of which DescribeLast was asked
	last      string          // the turn that led there
	warnings  int
	position  engine.Position // of the last warning
	turn      []string        // that was warned of

	comments *Comments // nil: none
}

// Coach returns the coach of a match, whether or not the user wants one. The other seats must be bots, since advice in a
// match between people would be an advantage, and the match casual.
func (v *Visit) Coach(m *Match) Coach {
	g, ok := m.Game.(game.Coach)
	isLessonGame := m.Snapshot.Info.ID == v.lessonGame
	if !ok || m.Player == nil || !isLessonGame && !v.Experience.NeedsCoach(g.Name()) || !CanHint(m.Snapshot, m.Seat) {
		return Coach{}
	}
	c := Coach{game: g}
	if v.Bots != nil {
		c.comments = &Comments{visit: v, game: g}
	}
	return c
}

// IsActive reports whether the coach advises anybody.
func (c *Coach) IsActive() bool { return c.game != nil }

// Comments returns the comments on the user's turns; nil if there are none in the match.
func (c *Coach) Comments() *Comments { return c.comments }

// Advise returns advice for the user's seat in a match that is not over; "" for none.
func (c *Coach) Advise(s *match.Snapshot, seat int) string {
	p := s.Position
	if c.game == nil || c.advised == p {
		return c.advice
	}
	c.advised, c.advice = p, ""
	if _, over := p.Result(); over {
		return ""
	}
	if text, isUrgent := c.game.Advise(p, seat); isUrgent || ownTurns(s, seat) >= silentTurns {
		c.advice = text
	}
	return c.advice
}

// maxLastTurn is the maximum length of a description of the last turn.
const maxLastTurn = 100

// DescribeLast describes what the last turn of another player than the seat's did, as a sentence; "" if there is none, or
// if it is long.
func (c *Coach) DescribeLast(s *match.Snapshot, seat int) string {
	if c.game == nil || c.described == s.Position {
		return c.last
	}
	c.described, c.last = s.Position, ""
	turns := s.TurnEntries()
	if n := len(turns); n > 0 && turns[n-1].Seat != seat && turns[n-1].Kind == match.EntryTurn && !s.IsOver() {
		e := turns[n-1]
		if text := c.game.DescribeTurn(s.Position, e.Actions, s.Info.Seats[e.Seat].Name); len(text) < maxLastTurn {
			c.last = text + "."
		}
	}
	return c.last
}

// Warn returns why the user, whose turn it is, may not want to make a turn; "" for no reason. The same turn is warned of once.
func (c *Coach) Warn(s *match.Snapshot, turn []string) string {
	p := s.Position
	if c.game == nil || c.warnings == maxWarnings || c.position == p && slices.Equal(c.turn, turn) {
		return ""
	}
	text, isUrgent := c.game.Warn(p, turn)
	if text == "" || !isUrgent && ownTurns(s, p.Turn()) < silentTurns {
		return ""
	}
	c.position, c.turn = p, turn
	c.warnings++
	return text
}

// coachSettings is the part of an account's settings that has whether the user wants a coach, as the settings of the
// screens have it.
type coachSettings struct {
	Coach *bool `json:"coach"` // nil: yes
}

// WantsCoach reports whether the settings of the account ask for a coach.
func (v *Visit) WantsCoach() bool {
	var s coachSettings
	if raw := v.Session.Account().Settings; len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return true
	}
	return s.Coach == nil || *s.Coach
}

// SetCoach stores whether the user wants a coach. It may be called from any goroutine.
func (v *Visit) SetCoach(ctx context.Context, on bool) error {
	return SaveSettings(ctx, v.Session, coachSettings{&on})
}
