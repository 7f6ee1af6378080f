package table

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
)

// waveRatingStep is by how many rating points each wave waited widens the accepted difference.
const waveRatingStep = 100

// Pair lets a quick match that CanPair join the first of the tables that fits, which are the oldest first. It returns
// false if there is none; the quick match then waits for the next wave (Waited). The quick match closes
// with the change; if the match of the table starts and fails, StartFailed returns it.
func (t State) Pair(tables []*State, users Users, rules Rules) (Change, bool) {
	for _, other := range tables {
		if terms, ok := t.fits(other, users, rules); ok {
			next := *other
			next.Terms = terms
			next.Seated = append(slices.Clip(other.Seated), t.Owner())
			next.Ready = append(slices.Clip(other.Ready), t.Owner())
			return other.completed(next, &t), true
		}
	}
	return Change{}, false
}

// CanPair reports whether the table is a quick match that can join another.
func (t *State) CanPair() bool { return t.Request.Quick && !t.IsStarting() && len(t.Seated) == 1 }

// Waited returns the change of a quick match that found no partner in a wave.
func (t State) Waited() Change {
	next := t
	next.Waves++
	return t.next(next)
}

// fits reports whether a quick match can join another table, and returns the terms of the match. The terms
// of an ordinary table are taken as they are; of another quick match only those that it asked for count.
func (t *State) fits(other *State, users Users, rules Rules) (Terms, bool) {
	id := t.Owner()
	if t.ID == other.ID || other.Game != t.Game || other.IsStarting() || other.To != 0 || other.Private || other.IsSeated(id) {
		return Terms{}, false
	}
	merged, ok := t.Request.merge(other)
	if !ok {
		return Terms{}, false
	}
	joined := *other
	joined.Terms = merged
	owner := users(id)
	full := func(id account.ID) bool {
		u := users(id)
		return u.Running+u.Starting >= rules.MatchesPerUser && !u.Bot
	}
	if joined.checkJoin(owner, "", users, rules) != nil || slices.ContainsFunc(other.Seated, full) {
		return Terms{}, false
	}
	waves := max(t.Waves, other.Waves)
	return merged, ratingsClose(owner, users(other.Owner()), merged.Pool(), waves)
}

// merge returns the terms on which the request of a quick match and another table agree.
func (p *Proposal) merge(other *State) (Terms, bool) {
	merged, theirs := other.Terms, other.Request
	if !other.Request.Quick {
		rated, control := other.Rated, other.Control
		raw, err := json.Marshal(other.Options)
		if err != nil {
			return Terms{}, false
		}
		theirs = Proposal{Options: raw, Clock: &control, Rated: &rated}
		if control.Days > 0 && p.Clock == nil {
			return Terms{}, false // a quick match is live, unless days were asked for
		}
	}
	options, err := mergeJSON(p.Options, theirs.Options)
	if err != nil {
		return Terms{}, false
	}
	if merged.Options, err = other.Options.Game().ParseOptions(options); err != nil {
		return Terms{}, false
	}
	var ok [2]bool
	merged.Control, ok[0] = agree(p.Clock, theirs.Clock, clock.Default)
	merged.Rated, ok[1] = agree(p.Rated, theirs.Rated, false)
	return merged, ok[0] && ok[1]
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
