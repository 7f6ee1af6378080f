package op

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/conditions"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// HasConditions reports whether the user can have conditional moves in the match while it runs.
func (m *Match) HasConditions() bool {
	return m.Player != nil && !m.Snapshot.IsOver() && m.Snapshot.Info.HasConditions()
}

// CanArm reports whether a variation from the newest position has an answer of the user to a turn of the opponent, so that
// it can be a condition.
func (m *Match) CanArm(v *Variation) bool {
	if !m.HasConditions() || m.IsOwnTurn() {
		return false
	}
	for _, p := range v.Positions[:v.Shown] {
		if p.Turn() == m.Seat {
			return true
		}
	}
	return false
}

// ChangeConditions does what people type after "if": it arms a condition ("b1-b2 then d5-d4"), or deletes the one with a
// number in a list of some revision ("clear 2") or all ("clear all"). Without a text it changes nothing. It returns what is
// armed then.
func ChangeConditions(ctx context.Context, m *Match, text string, revision int64) (conditions.Armed, error) {
	own, version := m.Player.Conditions(), m.Snapshot.Version
	if text == "" && m.HasConditions() {
		return own.Armed(ctx)
	}
	if err := m.Snapshot.CheckChange(m.Seat, version); err != nil {
		return conditions.Armed{}, err
	}
	if which, ok := strings.CutPrefix(strings.ToLower(text), "clear"); ok {
		which = strings.TrimSpace(which)
		n, err := strconv.Atoi(which)
		switch {
		case which == "all":
			return own.Clear(ctx, version, conditions.AnyRevision)
		case err != nil:
			return conditions.Armed{}, &lobby.Error{Code: lobby.CodeBadRequest, Message: "type if clear and a number of the list, or if clear all"}
		}
		return own.Remove(ctx, version, revision, n-1)
	}
	turns, err := ParseCondition(m.Game, m.Snapshot.Position, text)
	if err != nil {
		return conditions.Armed{}, err
	}
	return own.Add(ctx, version, conditions.AnyRevision, turns)
}

// ParseCondition reads a condition as people type it: "b1-b2 then d5-d4, if a1-a2 then c3-c4", without the first "if".
func ParseCondition(g game.Game, p engine.Position, text string) ([][]string, error) {
	var turns [][]string
	var words []string
	add := func() error {
		typed := strings.TrimSuffix(strings.Join(words, " "), ",")
		words = nil
		if typed == "" {
			return &lobby.Error{Code: lobby.CodeBadRequest, Message: "type for example: if b1-b2 then d5-d4"}
		}
		turn, err := g.ParseTurn(p, typed)
		if err == nil {
			turns = append(turns, turn)
			p, err = engine.PlayTurn(p, turn)
		}
		if err != nil {
			return &lobby.Error{Code: lobby.CodeIllegalAction, Message: err.Error()}
		}
		return nil
	}
	for _, word := range strings.Fields(text) {
		if w := strings.ToLower(word); w != "then" && w != "if" {
			words = append(words, word)
			continue
		}
		if err := add(); err != nil {
			return nil, err
		}
	}
	return turns, add()
}

// conditionSettings is the part of an account's settings that has the time until which the user knows which of their
// conditional moves were played.
type conditionSettings struct {
	Known time.Time `json:"conditional,omitzero"`
}

// MissedConditions describes the conditional moves of the user of c that were played while no session of theirs has shown
// it, a text for each running match, and remembers that the session shows them.
func MissedConditions(c *Visit) (texts []string) {
	me := c.Session.Account()
	if me.IsGuest() {
		return nil
	}
	known, isRead := time.Time{}, false
	for _, m := range c.Session.Matches().Seated() {
		s := c.Session.Matches().Snapshot(m)
		latest := words.LastConditional(s, me.ID)
		if s.IsOver() || latest.IsZero() {
			continue
		}
		if !isRead {
			known, isRead = knownConditional(me), true
		}
		g, ok := c.Games.ByName(s.Info.Game)
		if !ok || !latest.After(known) {
			continue
		}
		texts = append(texts, words.ConditionalMoves(s, g, me.ID, known))
		if latest.After(c.news.Conditional) {
			c.news.Conditional = latest
		}
	}
	return texts
}

// knownConditional returns the time until which a user knows which of their conditional moves were played.
func knownConditional(a lobby.Account) time.Time {
	var s conditionSettings
	if len(a.Settings) == 0 || json.Unmarshal(a.Settings, &s) != nil {
		return time.Time{}
	}
	return s.Known
}

// ShownConditions returns a function that stores which conditional moves of the user of c the session has shown, for the
// next visit; nil if the last call has returned one for them. Any goroutine may call the function, which fails without an
// error: then they are reported again.
func ShownConditions(c *Visit) func(context.Context) error {
	at := c.news.Conditional
	if !at.After(c.savedConditional) || c.Session.Account().IsGuest() {
		return nil
	}
	c.savedConditional = at
	return func(ctx context.Context) error {
		if at.After(knownConditional(c.Session.Account())) {
			_ = SaveSettings(ctx, c.Session, conditionSettings{at})
		}
		return nil
	}
}

// SaveConditions calls what ShownConditions returns with call, unless it is nil.
func SaveConditions(c *Visit, call func(func(context.Context) error) bool) {
	if save := ShownConditions(c); save != nil {
		call(save)
	}
}
