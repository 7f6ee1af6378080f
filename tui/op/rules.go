package op

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby/sanitize"
	"ayumu/tui/game"
)

// GameName is the name of a game of the server. In line mode it is, unless it is typed, that of the open match.
type GameName string

// Kind implements Kind.
func (*GameName) Kind() string { return "game" }

// ParseWord implements Kind.
func (n *GameName) ParseWord(v *Visit, word string) error {
	*n = GameName(strings.ToLower(word))
	_, known := v.Games.ByName(string(*n))
	if known {
		return nil
	}
	var names []string
	for _, g := range v.Games {
		names = append(names, g.Name())
	}
	return badRequest("there is no game %q%s; the games are %s", sanitize.Line(word, 20), didYouMean(string(*n), names), strings.Join(names, " and "))
}

// FromVisit implements contextual.
func (n *GameName) FromVisit(v *Visit) bool {
	if v.Current == nil {
		return false
	}
	*n = GameName(v.Current.Game.Name())
	return true
}

// RulesArgs are the arguments of Rules.
type RulesArgs struct {
	Game GameName `json:"game" arg:"[GAME]" help:"by default the game that is open, or else the server's first game"`
}

// Rules returns the rules of a game.
var Rules = New(Spec[RulesArgs, game.Game]{
	Info: Info{Name: "rules", Help: "read the rules", Group: GroupLearn, Offline: true, On: On{SSH: Not("docs/rules has them"), API: Not("docs/rules has them"), Screen: As("lobby ?")}},
	Run: func(_ context.Context, v *Visit, in RulesArgs) (game.Game, error) {
		if g, ok := v.Games.ByName(string(in.Game)); ok {
			return g, nil
		}
		return v.Games.Default(), nil
	},
	Text: func(_ *Visit, _ RulesArgs, g game.Game) (t Text) {
		for _, p := range g.Rules() {
			t.Lines = append(t.Lines, WithoutKeys(p))
		}
		return t
	},
})

// WithoutKeys returns a paragraph of rules without its sentences about keys of the screens.
func WithoutKeys(paragraph string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(paragraph, ". "), func(s string) bool { return strings.HasPrefix(s, "Press ") })
	return strings.TrimSpace(strings.Join(sentences, ""))
}
