package server_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// nimRules is a game that exists only here, for two who take one to three stones in turn from a heap.
// Whoever takes the last one wins. It is what docs/architecture.md asks of the rules of a game.
type nimRules struct{}

type nimOptions struct {
	Stones int `json:"stones"` // 1 to 20
}

func (nimRules) Name() string  { return "nim" }
func (nimRules) Title() string { return "Nim" }

func (nimRules) ParseOptions(raw json.RawMessage) (engine.Options, error) {
	o := nimOptions{Stones: 5}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, fmt.Errorf("the options are not JSON: %w", err)
		}
	}
	if o.Stones < 1 || o.Stones > 20 {
		return nil, fmt.Errorf("stones is %d and must be 1 to 20", o.Stones)
	}
	return o, nil
}

func (nimRules) New(o engine.Options) engine.Position { return nim{stones: o.(nimOptions).Stones} }

func (o nimOptions) Game() engine.Game            { return nimRules{} }
func (o nimOptions) Seats() (min, max int)        { return 2, 2 }
func (o nimOptions) WithSeats(int) engine.Options { return o }
func (o nimOptions) String() string               { return fmt.Sprintf("%d stones", o.Stones) }
func (o nimOptions) Short() string                { return fmt.Sprint(o.Stones) }

// nim is a position.
type nim struct{ stones, turn int }

func (p nim) Seats() int    { return 2 }
func (p nim) Turn() int     { return p.turn }
func (p nim) MidTurn() bool { return false }

func (p nim) Legal() (legal []string) {
	for n := 1; n <= min(p.stones, 3); n++ {
		legal = append(legal, fmt.Sprintf("take %d", n))
	}
	return legal
}

func (p nim) Play(action string) (engine.Position, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(action, "take "))
	switch {
	case p.stones == 0:
		return nil, engine.ErrGameOver
	case err != nil || n < 1 || n > min(p.stones, 3):
		return nil, engine.Illegal(action, "1 to %d stones can be taken", min(p.stones, 3))
	case n == p.stones:
		return nim{turn: p.turn}, nil // the seat that has made the last turn
	}
	return nim{stones: p.stones - n, turn: 1 - p.turn}, nil
}

func (p nim) Leave(int) (engine.Position, error) {
	return nil, engine.Illegal("leave", "nobody leaves")
}
func (p nim) HasLeft(int) bool { return false }
func (p nim) Side(int) string  { return "" }
func (p nim) String() string   { return fmt.Sprintf("%d %d", p.stones, p.turn) }

func (p nim) Result() (engine.Result, bool) {
	return engine.Result{Winners: []int{p.turn}, Reason: engine.ReasonImmobile}, p.stones == 0
}

// nimGame is how Nim appears on screens.
type nimGame struct{}

func (nimGame) Name() string        { return "nim" }
func (nimGame) Engine() engine.Game { return nimRules{} }
func (nimGame) New() game.Board     { return new(nimBoard) }
func (nimGame) Choices() []game.Choice {
	return []game.Choice{{Label: "Stones", Answers: []string{"5", "7"}}}
}
func (nimGame) Rules() []string {
	return []string{"Take one to three stones. Whoever takes the last one wins."}
}
func (nimGame) Goal() string                      { return "take the last stone" }
func (nimGame) Score(engine.Position, int) string { return "" }
func (nimGame) Keys() []game.Key                  { return []game.Key{{Key: "1 2 3", Help: "take so many stones"}} }
func (nimGame) Side(engine.Position, int) string  { return "" }
func (nimGame) ShortTurn(actions []string) string { return strings.TrimPrefix(actions[0], "take ") }

func (nimGame) Options(answers []int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"stones":%d}`, 5+2*answers[0]))
}

func (nimGame) SeatMark(_ engine.Position, seat int, look game.Style) (string, paint.Style) {
	return strconv.Itoa(seat + 1), look.Theme.Strong
}

func (nimGame) DescribeEnding(engine.Position, engine.Result) string { return "the heap is empty" }

func (nimGame) TextBoard(p engine.Position, _ bool) []string {
	return []string{strings.Repeat("|", p.(nim).stones)}
}

func (nimGame) DescribePosition(p engine.Position) []string {
	return []string{fmt.Sprintf("%d stones are left.", p.(nim).stones)}
}

func (nimGame) DescribeTurn(_ engine.Position, actions []string, by string) string {
	return by + " " + actions[0]
}

func (nimGame) ParseTurn(p engine.Position, typed string) ([]string, error) {
	action := "take " + strings.TrimSpace(strings.TrimPrefix(typed, "take"))
	_, err := p.Play(action)
	return []string{action}, err
}

// nimBoard draws the heap as a row of stones.
type nimBoard struct{ state game.State }

func (b *nimBoard) Show(s game.State)                    { b.state = s }
func (b *nimBoard) Fit(w, h int) (int, int, bool)        { return 40, 1, w >= 40 && h >= 1 }
func (b *nimBoard) Click(x, y int) game.InputResult      { return game.InputResult{} }
func (b *nimBoard) Typed() string                        { return "" }
func (b *nimBoard) DescribeCursor() string               { return "" }
func (b *nimBoard) StatusKeys() []game.Key               { return nimGame{}.Keys() }
func (b *nimBoard) Legend(game.Style) []game.LegendEntry { return nil }
func (b *nimBoard) Draw(c paint.Canvas, _ game.Style) {
	c.Text(0, 0, paint.Style{}, nimGame{}.DescribePosition(b.state.Position)[0])
}

func (b *nimBoard) Prompt() string {
	if b.state.CanAct {
		return "take 1, 2 or 3 stones"
	}
	return ""
}

func (b *nimBoard) Key(key string) game.InputResult {
	if len(key) != 1 || key < "1" || key > "3" || !b.state.CanAct {
		return game.InputResult{}
	}
	turn, err := nimGame{}.ParseTurn(b.state.Position, key)
	if err != nil {
		return game.InputResult{Handled: true, Message: err.Error(), Refused: true}
	}
	return game.InputResult{Handled: true, Turn: turn}
}
