package ayu

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
)

// swap is the action with which White exchanges the colours.
const swap = "swap"

// Position is a state of a match: a board, the boards before it, the pie rule, and the colour of each
// seat. It implements engine.Position.
type Position struct {
	board    Board
	history  *history
	options  Options
	extra    int  // extra moves that Black still has: what is left of the handicap
	swapped  bool // seat 0 has White
	repeated bool // this board occurred before with the same side to move
}

// history is the list of the boards before a position, the newest first.
type history struct {
	board Board
	prev  *history
}

// FromBoard returns a position without history and without pie, in which seat 0 has Black.
func FromBoard(b Board) *Position {
	return &Position{board: b, options: Options{Size: b.Size()}}
}

// Board returns the stones and the side to move.
func (p *Position) Board() Board { return p.board }

// Passed returns the position as it would be if the other side were to move, without history: no match has it. It shows what
// a player could do now.
func (p *Position) Passed() *Position {
	next := *p
	next.board.turn ^= 1
	next.history, next.extra, next.repeated = nil, 0, false
	return &next
}

// Options returns the options of the match.
func (p *Position) Options() Options { return p.options }

// Seats returns 2.
func (p *Position) Seats() int { return 2 }

// Turn returns the seat of the side to move.
func (p *Position) Turn() int { return p.seat(p.board.turn) }

func (p *Position) seat(c Color) int {
	if p.swapped {
		c = c.Other()
	}
	return int(c)
}

// Side returns "b" or "w".
func (p *Position) Side(seat int) string {
	if seat == p.seat(Black) {
		return Black.String()
	}
	return White.String()
}

// MidTurn returns false: every action is a whole turn.
func (p *Position) MidTurn() bool { return false }

// CanSwap reports whether the side to move may swap: on White's first turn, with the pie rule.
func (p *Position) CanSwap() bool {
	return p.options.Pie && !p.swapped && p.history != nil && p.history.prev == nil && !p.isOver()
}

// Legal returns the legal moves, and swap where it is allowed.
func (p *Position) Legal() []string {
	if p.isOver() {
		return nil
	}
	moves := p.board.Moves(nil)
	texts := make([]string, len(moves), len(moves)+1)
	for i, m := range moves {
		texts[i] = m.String()
	}
	if p.CanSwap() {
		texts = append(texts, swap)
	}
	slices.Sort(texts)
	return texts
}

// Play plays a move such as b1-b2, or swap; upper case is accepted. After the end the error is
// engine.ErrGameOver.
func (p *Position) Play(action string) (engine.Position, error) {
	if p.isOver() {
		return nil, engine.ErrGameOver
	}
	if strings.ToLower(action) == swap {
		return p.swap(action)
	}
	m, err := ParseMove(action)
	if err != nil {
		return nil, engine.Illegal(action, "%v", err)
	}
	if why := p.board.Explain(m); why != "" {
		return nil, engine.Illegal(action, "%s", why)
	}
	next := *p
	next.history = &history{p.board, p.history}
	next.board = p.board.After(m)
	if p.extra > 0 {
		next.extra-- // Black moves again
		next.board.turn = p.board.turn
	}
	for h := p.history; h != nil && !next.repeated; h = h.prev {
		next.repeated = h.board.turn == next.board.turn && h.board == next.board
	}
	return &next, nil
}

func (p *Position) swap(action string) (engine.Position, error) {
	switch {
	case !p.options.Pie:
		return nil, engine.Illegal(action, "this game is played without the pie rule")
	case p.swapped:
		return nil, engine.Illegal(action, "the colours have already been swapped")
	case !p.CanSwap():
		return nil, engine.Illegal(action, "only White may swap, and only on their first turn")
	}
	next := *p
	next.swapped = true
	return &next, nil
}

// Explain returns why a seat may not make a move now, as a clause for the player, or the empty string if
// it may.
func (p *Position) Explain(seat int, m Move) string {
	switch {
	case p.isOver():
		return engine.ErrGameOver.Error()
	case seat != p.Turn():
		return fmt.Sprintf("it is %s's turn", p.board.turn.Name())
	}
	return p.board.Explain(m)
}

// Leave returns an error: a game of two ends when a player leaves.
func (p *Position) Leave(seat int) (engine.Position, error) {
	return nil, engine.Illegal(fmt.Sprintf("leave %d", seat), "a game of two ends when a player leaves")
}

// HasLeft returns false.
func (p *Position) HasLeft(int) bool { return false }

func (p *Position) isOver() bool { return p.repeated || p.board.IsImmobile() }

// Result returns a draw by repetition, or the win of the seat to move that has no move.
func (p *Position) Result() (engine.Result, bool) {
	switch {
	case p.repeated:
		return engine.Result{Winners: []int{0, 1}, Reason: engine.ReasonRepetition}, true
	case p.board.IsImmobile():
		return engine.Result{Winners: []int{p.Turn()}, Reason: engine.ReasonImmobile}, true
	}
	return engine.Result{}, false
}

// String returns the one-line form of the board.
func (p *Position) String() string { return p.board.String() }
