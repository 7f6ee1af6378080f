package op

import (
	"context"
	"encoding/json"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/game"
)

// lastChoices is what a user chose last when looking for a game. It is kept with the settings of the account.
type lastChoices struct {
	Quick *Wanted    `json:"quick,omitempty"` // nil: no quick match yet
	Bot   *BotGame   `json:"bot,omitempty"`   // nil: no game against a bot yet
	Local *LocalArgs `json:"local,omitempty"` // nil: no local game yet
}

// Wanted is a game that a user wants to play.
type Wanted struct {
	Game    string          `json:"game,omitempty"`    // "": any, in a quick match
	Options json.RawMessage `json:"options,omitempty"` // nil: any, in a quick match
	Clock   string          `json:"clock,omitempty"`   // as clock.Parse reads it; "": any, in a quick match
	Rated   *bool           `json:"rated,omitempty"`   // nil: any, in a quick match
}

// BotGame is a game against a bot.
type BotGame struct {
	Wanted
	Level int         `json:"level"`
	First table.First `json:"first,omitempty"`
}

// WantedClock returns the Clock of a control; nil: any.
func WantedClock(c *clock.Control) string {
	if c == nil {
		return ""
	}
	return c.String()
}

// Control returns the clock that is wanted; nil: any.
func (w *Wanted) Control() *clock.Control {
	c, err := clock.Parse(w.Clock)
	if w.Clock == "" || err != nil {
		return nil
	}
	return &c
}

// playSettings is the part of an account's settings that has the last choices.
type playSettings struct {
	Play lastChoices `json:"play"`
}

// lastChoices returns the user's last choices.
func (v *Visit) lastChoices() lastChoices {
	var s playSettings
	if raw := v.Session.Account().Settings; len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return lastChoices{}
	}
	return s.Play
}

// LastQuick returns the quick match that the user wanted last; at first any one of the first game. It may be called from any
// goroutine.
func (v *Visit) LastQuick() Wanted {
	if w := v.lastChoices().Quick; w != nil {
		return *w
	}
	return Wanted{Game: v.Games.Default().Name()}
}

// LastBotGame returns the user's last game against a bot; at first a short one of the first game, in which the user
// moves first against the weakest bot. It may be called from any goroutine.
func (v *Visit) LastBotGame() BotGame {
	if b := v.lastChoices().Bot; b != nil {
		last := *b
		last.Level = min(max(last.Level, bots.MinLevel), bots.Adaptive)
		return last
	}
	return firstBotGame(v.Games.Default())
}

// firstBotGame returns a user's first game of a kind against a bot: a short one without a clock, in which the user moves
// first against the weakest bot.
func firstBotGame(g game.Game) BotGame {
	return BotGame{Wanted{Game: g.Name(), Options: mustMarshal(firstOptions(g)), Clock: WantedClock(&clock.Control{})}, FirstBotLevel, table.FirstOwner}
}

// FirstBotOptions returns the options of a user's first game against a bot: a short one of the first game.
func FirstBotOptions(games game.List) engine.Options { return firstOptions(games.Default()) }

// firstOptions returns the options of a short game against a bot.
func firstOptions(g game.Game) engine.Options {
	o, err := g.Engine().ParseOptions(g.Options(game.DefaultAnswers(g.Choices(), true)))
	if err != nil {
		panic(err) // cannot happen: the game made them
	}
	return o
}

// changeLastChoices changes the user's last choices. A failure does not keep the user from playing; the store has reported
// it.
func (v *Visit) changeLastChoices(ctx context.Context, change func(*lastChoices)) {
	s := playSettings{v.lastChoices()}
	change(&s.Play)
	_ = SaveSettings(ctx, v.Session, s)
}

// SaveSettings stores the fields of part, a struct for JSON, with the settings of a session's account, and keeps the
// other fields.
func SaveSettings(ctx context.Context, s *lobby.Session, part any) error {
	all := make(map[string]json.RawMessage)
	for _, raw := range [][]byte{s.Account().Settings, mustMarshal(part)} {
		if len(raw) > 0 {
			_ = json.Unmarshal(raw, &all) // settings that cannot be read are replaced
		}
	}
	return s.SaveSettings(ctx, mustMarshal(all))
}

func mustMarshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: structs of numbers, booleans and texts
	}
	return raw
}
