package op

import (
	"context"
	"encoding/json"
	"strings"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/game"
)

// oneKeyboard is why Local is not where people are not at one keyboard.
const oneKeyboard = "two people at one keyboard need one keyboard: ayumu play"

// LocalArgs are the arguments of Local.
type LocalArgs struct {
	Game    string          `json:"game" arg:"[GAME]"`
	Options json.RawMessage `json:"options" arg:"[SIZE]" help:"for example 9x9, or after GAME 4x2 for four players with two segments each; also options such as pie=off"`
	Names   []string        `json:"names" arg:"names=NAME,NAME" help:"of the players, in the order in which they move; what follows belongs to the names"`
	// Remember makes it the user's last local game.
	Remember bool `json:"-"`
}

// Local starts a local match.
var Local = New(Spec[LocalArgs, StartResult]{
	Info: Info{Name: "local", Help: "play with others at this keyboard", Group: GroupFind, Effect: Changes, Offline: true, Local: true,
		On: On{Line: Not("lines speak to one player; " + oneKeyboard), SSH: Not(oneKeyboard), API: Not(oneKeyboard), Screen: As("lobby n")}},
	Run: func(ctx context.Context, v *Visit, in LocalArgs) (r StartResult, err error) {
		if err := v.checkOptions(in.Game, in.Options); err != nil {
			return r, err
		}
		if r.Match, err = v.Session.StartLocal(ctx, in.Game, in.Options, in.Names); err == nil && in.Remember {
			v.changeLastChoices(ctx, func(last *lastChoices) { last.Local = &in })
		}
		return r, err
	},
	Text:  func(v *Visit, _ LocalArgs, r StartResult) Text { return r.text(v) },
	Opens: StartResult.opens,
})

// LastLocal returns the user's last local match; at first one of the first game, in which the user moves first.
func (v *Visit) LastLocal() LocalArgs {
	if last := v.lastChoices().Local; last != nil {
		return *last
	}
	g := v.Games.Default()
	return LocalArgs{Game: g.Name(), Options: g.Options(game.DefaultAnswers(g.Choices(), false)), Names: []string{v.User().Name}}
}

// LocalAgain returns a match as the next local one of the same players: the second gets the first seat, and so on,
// except that a handicap stays with its player.
func LocalAgain(info *match.Info) LocalArgs {
	in := LocalArgs{Game: info.Game, Options: mustMarshal(info.Options)}
	for _, s := range info.Seats {
		in.Names = append(in.Names, s.Name)
	}
	if !engine.HasHandicap(info.Options) {
		in.Names = append(in.Names[1:], in.Names[0])
	}
	return in
}

// parseWords implements wordParser. Without words it is the last local match; otherwise what is not named has the
// default of the form.
func (in *LocalArgs) parseWords(v *Visit, words []string) error {
	if *in = v.LastLocal(); len(words) == 0 {
		return nil
	}
	in.Remember = true
	for i, w := range words {
		if names, ok := strings.CutPrefix(w, "names="); ok {
			in.Names = strings.Split(strings.Join(append([]string{names}, words[i+1:]...), " "), ",")
			words = words[:i]
			break
		}
	}
	if len(words) == 0 {
		return nil
	}
	t, err := parseTerms(v.Games, words, []string{"names=NAME"}, allOptions)
	if err != nil {
		return err
	}
	if t.clock != nil {
		return badRequest("a local game has no clock")
	}
	g := t.orDefault(v.Games)
	in.Game, in.Options = g.Name(), t.options(g, game.DefaultAnswers(g.Choices(), false))
	return nil
}

// errNotLocal is the error of operations that need a local lobby.
var errNotLocal = &errcode.Error{Code: errcode.NotAllowed, Message: oneKeyboard}
