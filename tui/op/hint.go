package op

import (
	"context"
	"errors"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// CanHint reports whether a seat of a match (-1: a spectator) may ask for hints: in finished matches, and in
// the user's own casual matches against bots alone. Running matches between people and rated ones give no
// hints, and spectators of running matches get none, because a player may have a second session.
func CanHint(s *match.Snapshot, seat int) bool {
	switch {
	case s.Frozen:
		return false
	case s.IsOver():
		return true
	case seat < 0 || s.Info.Rated || s.Info.IsOfTournament():
		return false
	}
	for i, other := range s.Info.Seats {
		if i != seat && !other.Bot {
			return false
		}
	}
	return true
}

// CheckHint returns why a seat of a match (-1: a spectator) gets no hint, or nil.
func (v *Visit) CheckHint(s *match.Snapshot, seat int) error {
	switch {
	case v.Bots == nil:
		return &errcode.Error{Code: errcode.NotAllowed, Message: "this server has no engine for hints"}
	case !CanHint(s, seat):
		return &errcode.Error{Code: errcode.NotAllowed, Message: "hints are only available in finished games and your own casual games with bots"}
	}
	return nil
}

// PaceHint returns an error if the last hint was less than HintInterval ago; otherwise it counts one. Front ends
// at which a person types call it before Hint.
func (v *Visit) PaceHint(now time.Time) error {
	if now.Sub(v.lastHint) < HintInterval {
		return &errcode.Error{Code: errcode.RateLimited, Message: "only one hint a second; try again in a moment"}
	}
	v.lastHint = now
	return nil
}

// Hint returns what the engine thinks of a position of a game, within about a second (bots.Bots.Advise). A position
// that is over is a errcode.GameOver error. It may be called from any goroutine.
func (v *Visit) Hint(ctx context.Context, g engine.Game, p engine.Position) (search.Advice, error) {
	advice, err := v.Bots.Advise(ctx, v.Session, g, p)
	if errors.Is(err, search.ErrNoTurn) {
		err = &errcode.Error{Code: errcode.GameOver, Message: "the game is over", Cause: err}
	}
	advice.Choices = advice.Choices[:min(len(advice.Choices), MaxHintTurns)]
	return advice, err
}
