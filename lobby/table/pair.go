package table

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
)

// WaveInterval is the time between two waves, in which the quick matches are paired.
const WaveInterval = 3 * time.Second

// waveRatingStep is by how many rating points each wave waited widens the accepted difference.
const waveRatingStep = 100

// Pair lets a quick match that CanPair join the first of the tables that fits, which are the oldest first. It returns
// the changes of both, the quick match's first, which closes, or false if no table fits. If the match of the table
// starts and fails, StartFailed opens both again.
func (t State) Pair(tables []*State, users Users, rules Rules, now time.Time) ([2]Change, bool) {
	for _, other := range tables {
		if terms, request, ok := fits(&t, other, users, rules, now); ok {
			next := *other
			next.Terms, next.Request = terms, request
			next.Seated = append(slices.Clip(other.Seated), t.Owner())
			next.Ready = append(slices.Clip(other.Ready), t.Owner())
			return [2]Change{t.ended(), other.completed(next, &t)}, true
		}
	}
	return [2]Change{}, false
}

// CanPair reports whether the table is a quick match that can join another.
func (t *State) CanPair() bool { return t.Request.Quick && t.IsOpen() && len(t.Seated) == 1 }

// waves returns the number of waves in which a quick match has found no partner.
func waves(t *State, now time.Time) int { return int(max(now.Sub(t.Opened), 0) / WaveInterval) }

// fits reports whether a quick match can join another table, and returns the terms of the match and the
// request of both together. The terms of an ordinary table are taken as they are; of another quick match
// only those that it asked for count.
func fits(t, other *State, users Users, rules Rules, now time.Time) (Terms, Proposal, bool) {
	id := t.Owner()
	if t.ID == other.ID || !other.IsOpen() || other.To != 0 || other.Private || other.IsSeated(id) || engine.NeverRated(other.Options) {
		return Terms{}, Proposal{}, false
	}
	merged, request, ok := merge(t, other)
	if !ok {
		return Terms{}, Proposal{}, false
	}
	joined := *other
	joined.Terms = merged
	owner := users(id)
	full := func(id account.ID) bool {
		u := users(id)
		return u.Running+u.Starting >= rules.MatchesPerUser && !u.Bot
	}
	// Those seated accepted any value where the quick match has one, but guests cannot play on all terms.
	barred := func(id account.ID) bool {
		u := users(id)
		return merged.checkGuest(u.IsGuest()) != nil
	}
	if joined.checkJoin(owner, "", users, rules) != nil || slices.ContainsFunc(other.Seated, full) || slices.ContainsFunc(other.Seated, barred) {
		return Terms{}, Proposal{}, false
	}
	waited := waves(t, now)
	if other.Request.Quick {
		waited = max(waited, waves(other, now))
	}
	return merged, request, ratingsClose(owner, users(other.Owner()), merged.Pool(), waited)
}

// merge returns the terms on which a quick match and another table agree, and the request of both together,
// which is the other table's if that is an ordinary one.
func merge(t, other *State) (Terms, Proposal, bool) {
	terms, mine, theirs := other.Terms, t.Request, other.Request
	if !other.Request.Quick {
		raw, err := json.Marshal(other.Options)
		if err != nil {
			return Terms{}, Proposal{}, false
		}
		theirs = Proposal{Game: other.Game, Options: raw, Clock: &other.Control, Rated: &other.Rated}
	}
	game := other.Options.Game()
	switch {
	case theirs.Game == "":
		game, theirs.Game = t.Options.Game(), mine.Game
	case mine.Game != "" && mine.Game != theirs.Game:
		return Terms{}, Proposal{}, false
	}
	terms.Game = game.Name()
	var err error
	if theirs.Options, err = mergeJSON(mine.Options, theirs.Options); err != nil {
		return Terms{}, Proposal{}, false
	}
	if terms.Options, err = game.ParseOptions(theirs.Options); err != nil {
		return Terms{}, Proposal{}, false
	}
	var ok [2]bool
	terms.Control, ok[0] = agree(mine.Clock, theirs.Clock, clock.Default)
	terms.Rated, ok[1] = agree(mine.Rated, theirs.Rated, false)
	if !ok[0] || !ok[1] || terms.Control.IsCorrespondence() && (mine.Clock == nil || theirs.Clock == nil) {
		return Terms{}, Proposal{}, false // any clock is any live one
	}
	if !other.Request.Quick {
		return terms, other.Request, true
	}
	theirs.Clock, theirs.Rated = cmp.Or(theirs.Clock, mine.Clock), cmp.Or(theirs.Rated, mine.Rated)
	return terms, theirs, true
}

// ratingsClose reports whether the ratings of two owners in a pool are close enough after waiting for that
// many waves.
func ratingsClose(a, b User, pool string, waves int) bool {
	mine, rated := a.Rating(pool)
	theirs, bothRated := b.Rating(pool)
	if !rated || !bothRated {
		return true // guests have no rating
	}
	return math.Abs(mine.Value-theirs.Value) <= waveRatingStep*float64(1+waves)
}

// agree returns the value that satisfies two requests; nil accepts any value. If both are nil it is
// fallback.
func agree[T comparable](a, b *T, fallback T) (T, bool) {
	switch {
	case a == nil && b == nil:
		return fallback, true
	case a == nil:
		return *b, true
	case b == nil:
		return *a, true
	}
	return *a, *a == *b
}

var errOptionsDiffer = errors.New("the options differ")

// mergeJSON merges two JSON objects, or fails if they have different values for a key.
func mergeJSON(a, b json.RawMessage) (json.RawMessage, error) {
	if len(a) == 0 {
		return b, nil
	}
	all := make(map[string]any)
	for _, raw := range []json.RawMessage{a, b} {
		var object map[string]any
		if len(raw) == 0 {
			continue
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, err
		}
		for k, v := range object {
			if old, shared := all[k]; shared && !reflect.DeepEqual(old, v) {
				return nil, errOptionsDiffer
			}
			all[k] = v
		}
	}
	return json.Marshal(all)
}
