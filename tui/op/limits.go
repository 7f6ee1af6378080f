package op

import (
	"time"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/limit"
)

// Limits of what one session can do, the same for every front end at which a person types.
const (
	// CallTimeout bounds a call into the lobby, which usually answers within milliseconds.
	CallTimeout = 15 * time.Second
	// HintInterval is the minimum time between two hints of a session.
	HintInterval = time.Second
	// MaxHintTurns is the number of turns of a hint that are listed, best first.
	MaxHintTurns = 3
	// DefaultBotLevel is the level of a bot if a program names none.
	DefaultBotLevel = 2
	// FirstBotLevel is the level of the first bot that a person meets.
	FirstBotLevel = bots.MinLevel
	// newMatchAge is how old a match can be that is reported as new.
	newMatchAge = time.Minute
)

// idleLimit returns how long a session may stay without input; 0: unlimited, while the user plays a
// match without a correspondence clock. isWatching reports whether the session shows a match.
func idleLimit(s *lobby.Session, isWatching bool) time.Duration {
	for _, m := range s.SeatedMatches() {
		if !m.Info.Control.IsCorrespondence() && s.IsPlaying(m) {
			return 0
		}
	}
	l := s.Lobby().Limits()
	if isWatching {
		return l.IdleWatching
	}
	return l.IdleLobby
}

// InputPace returns a function that counts n bytes of a session's input and returns how long to wait before
// the next are read. It follows the lobby's limits for keys.
func InputPace(l *lobby.Lobby) func(n int) time.Duration {
	var bucket limit.Bucket
	return func(n int) time.Duration {
		limits := l.Limits()
		wait := bucket.Reserve(time.Now(), n, limit.Rate{Refill: limits.KeyRate, Burst: limits.KeyBurst})
		if wait > 0 {
			l.LimitHits.Add(limit.HitKeys)
		}
		return wait
	}
}
