package op

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
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

// ShownVersion is the version of a match that a typed change is for: in line mode the one that is shown.
type ShownVersion int

// FromVisit implements contextual.
func (n *ShownVersion) FromVisit(v *Visit) bool {
	if v.Current == nil {
		return false
	}
	*n = ShownVersion(v.Current.Snapshot.Version)
	return true
}

// ListedRevision is the revision of the conditional moves whose numbers are typed: in line mode that of the last list.
type ListedRevision int64

// FromVisit implements contextual.
func (n *ListedRevision) FromVisit(v *Visit) bool {
	*n = ListedRevision(v.listedConditions.Load())
	return v.Current != nil
}

// ConditionsArgs are the arguments of Conditions.
type ConditionsArgs struct {
	Match    MatchID         `json:"match" arg:"MATCH"`
	Change   string          `json:"change" arg:"[MOVE then MOVE|clear NUMBER|clear all...]" help:"what to add or delete; without it nothing changes"`
	Version  *ShownVersion   `json:"version"`
	Revision *ListedRevision `json:"revision"`
}

// ConditionsResult has the conditional moves of a seat.
type ConditionsResult struct {
	lobby.ArmedConditions
	player *lobby.Player
}

// json returns the conditional moves for programs.
func (r ConditionsResult) json() any {
	all := make([][][]string, 0, len(r.All))
	for _, c := range r.All {
		var turns [][]string
		for _, t := range c {
			turns = append(turns, t.Actions)
		}
		all = append(all, turns)
	}
	return struct {
		Version    int          `json:"version"` // of the match
		Revision   int64        `json:"revision"`
		Conditions [][][]string `json:"conditions"` // each a list of turns, which are lists of actions
	}{r.Version, r.Revision, all}
}

// Conditions lists the conditional moves of the user's seat, after a change as people type it: "b1-b2 then d5-d4" adds one,
// "clear 2" and "clear all" delete them.
var Conditions = New(Spec[ConditionsArgs, ConditionsResult]{
	Info: Info{
		Name:    "conditions",
		Help:    "list or change your conditional moves in a correspondence game, which answer your opponent's move at once: b1-b2 then d5-d4 adds one; you can have several, and one can continue: b1-b2 then d5-d4, if a1-a2 then c3-c4. Only you see them",
		Group:   GroupPlay,
		Where:   AtSeat,
		Effect:  Changes,
		Session: true,
		On:      On{Line: As("if", "ifs"), Screen: As("match")},
		IsOfUse: canHaveConditions,
	},
	Run: func(ctx context.Context, v *Visit, in ConditionsArgs) (ConditionsResult, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return ConditionsResult{}, err
		}
		armed, err := in.change(ctx, v, player)
		if err == nil {
			v.listedConditions.Store(armed.Revision)
		}
		return ConditionsResult{armed, player}, err
	},
	Text: conditionsText,
	JSON: func(_ *Visit, r ConditionsResult) any { return r.json() },
})

// change does what was typed and returns what is armed then.
func (in ConditionsArgs) change(ctx context.Context, v *Visit, player *lobby.Player) (lobby.ArmedConditions, error) {
	s, text := player.Snapshot(), strings.TrimSpace(in.Change)
	if text == "" {
		return player.ArmedConditions(ctx)
	}
	version, revision := s.Version, int64(lobby.AnyRevision)
	if in.Version != nil {
		version = int(*in.Version)
	}
	if in.Revision != nil {
		revision = max(int64(*in.Revision), 0)
	}
	if err := s.CheckChange(player.Seat(), version); err != nil {
		return lobby.ArmedConditions{}, err
	}
	if which, ok := strings.CutPrefix(strings.ToLower(text), "clear"); ok {
		which = strings.TrimSpace(which)
		n, err := strconv.Atoi(which)
		switch {
		case which == "all":
			return player.ClearConditions(ctx, version, lobby.AnyRevision)
		case err != nil:
			return lobby.ArmedConditions{}, badRequest("clear needs a number from the list, or all")
		}
		return player.RemoveCondition(ctx, version, revision, n-1)
	}
	g, known := v.Games.ByName(s.Info.Game)
	if !known {
		return lobby.ArmedConditions{}, errNoBoard(s.Info.Game)
	}
	turns, err := ParseCondition(g, s.Position, text)
	if err != nil {
		return lobby.ArmedConditions{}, err
	}
	return player.AddCondition(ctx, version, lobby.AnyRevision, turns)
}

func conditionsText(v *Visit, _ ConditionsArgs, r ConditionsResult) Text {
	info := r.player.Match().Info
	g, known := v.Games.ByName(info.Game)
	switch {
	case !info.HasConditions():
		return Say("Conditional moves are for correspondence games of two players.")
	case len(r.All) == 0 || !known:
		return Say("You have no conditional moves.")
	}
	var t Text
	for i, c := range r.All {
		t.Lines = append(t.Lines, fmt.Sprintf("Conditional move %d: %s.", i+1, words.Condition(c, g)))
	}
	return t
}

// ConditionArgs are the arguments of Condition: Turns to add, or the place to Remove, counted from 0, for which Revision is
// needed.
type ConditionArgs struct {
	Match    MatchID    `json:"match" arg:"MATCH"`
	Version  *int       `json:"version"`
	Turns    [][]string `json:"turns"`
	Remove   *int       `json:"remove"`
	Revision *int64     `json:"revision"`
}

// Condition adds a conditional move of the user's seat, or deletes one.
var Condition = New(Spec[ConditionArgs, ConditionsResult]{
	Info: Info{Name: "condition", Help: "add or delete a conditional move", Group: GroupPlay, Where: AtSeat, Effect: Changes, Session: true,
		On:      On{Line: Not("if changes them"), SSH: Not("conditions changes them"), Screen: As("match ;")},
		IsOfUse: canHaveConditions},
	Run: func(ctx context.Context, v *Visit, in ConditionArgs) (ConditionsResult, error) {
		switch {
		case in.Version == nil || (in.Turns == nil) == (in.Remove == nil):
			return ConditionsResult{}, badRequest("condition needs the version, and either turns or remove")
		case in.Remove != nil && in.Revision == nil:
			return ConditionsResult{}, badRequest("remove needs the revision of the conditions")
		}
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return ConditionsResult{}, err
		}
		revision := int64(lobby.AnyRevision)
		if in.Revision != nil {
			revision = max(*in.Revision, 0)
		}
		r := ConditionsResult{player: player}
		if in.Remove != nil {
			r.ArmedConditions, err = player.RemoveCondition(ctx, *in.Version, revision, *in.Remove)
		} else {
			r.ArmedConditions, err = player.AddCondition(ctx, *in.Version, revision, in.Turns)
		}
		return r, err
	},
	Text: func(v *Visit, _ ConditionArgs, r ConditionsResult) Text {
		return conditionsText(v, ConditionsArgs{}, r)
	},
	JSON: func(_ *Visit, r ConditionsResult) any { return r.json() },
})

// ParseCondition reads a condition as people type it: "b1-b2 then d5-d4, if a1-a2 then c3-c4", without the first "if".
func ParseCondition(g game.Game, p engine.Position, text string) ([][]string, error) {
	var turns [][]string
	var words []string
	add := func() error {
		typed := strings.TrimSuffix(strings.Join(words, " "), ",")
		words = nil
		if typed == "" {
			return &errcode.Error{Code: errcode.BadRequest, Message: "a conditional move is written like b1-b2 then d5-d4"}
		}
		turn, err := g.ParseTurn(p, typed)
		if err == nil {
			turns = append(turns, turn)
			p, err = engine.PlayTurn(p, turn)
		}
		if err != nil {
			return &errcode.Error{Code: errcode.IllegalAction, Message: err.Error()}
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

// MissedConditions describes the conditional moves of the user that were played while no session of theirs has shown
// it, a text for each running match, and remembers that the session shows them.
func (v *Visit) MissedConditions() (texts []string) {
	me := v.Session.Account()
	if me.IsGuest() {
		return nil
	}
	known, isRead := time.Time{}, false
	for _, m := range v.Session.SeatedMatches() {
		s := v.Session.Snapshot(m)
		latest := words.LastConditional(s, me.ID)
		if s.IsOver() || latest.IsZero() {
			continue
		}
		if !isRead {
			known, isRead = knownConditional(me), true
		}
		g, ok := v.Games.ByName(s.Info.Game)
		if !ok || !latest.After(known) {
			continue
		}
		texts = append(texts, words.ConditionalMoves(s, g, me.ID, known))
		if latest.After(v.news.Conditional) {
			v.news.Conditional = latest
		}
	}
	return texts
}

// knownConditional returns the time until which a user knows which of their conditional moves were played.
func knownConditional(a account.Account) time.Time {
	var s conditionSettings
	if len(a.Settings) == 0 || json.Unmarshal(a.Settings, &s) != nil {
		return time.Time{}
	}
	return s.Known
}

// ShownConditions returns up to when the session has shown the conditional moves of the user that were played; the zero time:
// no further ones since the last call, or the user is a guest.
func (v *Visit) ShownConditions() time.Time {
	at := v.news.Conditional
	if !at.After(v.shownConditional) || v.Session.Account().IsGuest() {
		return time.Time{}
	}
	v.shownConditional = at
	return at
}

// SaveShownConditions stores what ShownConditions has returned, for the next visit. Any goroutine may call it. It fails
// without an error: then the moves are reported again.
func (v *Visit) SaveShownConditions(ctx context.Context, at time.Time) {
	if at.After(knownConditional(v.Session.Account())) {
		_ = SaveSettings(ctx, v.Session, conditionSettings{at})
	}
}
