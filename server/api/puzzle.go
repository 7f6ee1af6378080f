package api

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/puzzles"
	"ayumu/server/wire"
)

// puzzleOps are the operations about puzzles.
type puzzleOps struct{ *conn }

// puzzleAttempt is the puzzle that a program was sent last, and its correct turns so far.
type puzzleAttempt struct {
	id      string
	actions []string
}

// idOf returns the ID of the puzzle that a request names, or false. The field id of a request may be that of a puzzle.
func (p puzzleOps) idOf(r *request) (string, bool) {
	if r.Puzzle != "" {
		return r.Puzzle, true
	}
	var id string
	if json.Unmarshal(r.ID, &id) != nil {
		return "", false
	}
	_, err := p.client.Puzzles.ByID(id)
	return id, err == nil
}

// puzzle answers with a puzzle: that with the ID, a random one of a theme, or the puzzle of the day.
func (p puzzleOps) puzzle(r *request) (fields, error) {
	c := p.client.Puzzles
	var z *puzzle.Puzzle
	var err error
	switch id, ok := p.idOf(r); {
	case ok:
		z, err = c.ByID(id)
	case r.Theme != "":
		z, err = c.Random(r.Theme, rand.IntN)
	default:
		z, err = c.OfDay(time.Now())
	}
	if err != nil {
		return nil, err
	}
	p.attempt = puzzleAttempt{id: z.ID}
	return fields{"puzzle": wire.PuzzleOf(c, z)}, nil
}

// answer checks an answer to the puzzle with the ID, or else to that which was sent last: all own actions from the
// beginning, or those that follow the correct ones so far.
func (p puzzleOps) answer(r *request) (fields, error) {
	if len(r.Actions) == 0 || len(r.Actions) > maxActions {
		return nil, newError(lobby.CodeBadRequest, "an answer has 1 to 256 actions")
	}
	c := p.client.Puzzles
	id, ok := p.idOf(r)
	if !ok {
		id = p.attempt.id
	}
	z, err := c.ByID(id)
	if err != nil {
		return nil, err
	}
	if z.ID != p.attempt.id {
		p.attempt = puzzleAttempt{id: z.ID}
	}
	actions := r.Actions
	o, err := c.Answer(z, actions)
	if before := p.attempt.actions; len(before) > 0 && (err != nil || o.Turns == 0) {
		actions = slices.Concat(before, actions)
		o, err = c.Answer(z, actions)
	}
	if err != nil {
		return nil, err
	}
	p.attempt.actions = nil
	f := fields{"solved": o.Solved}
	switch {
	case o.Solved || o.Wrong:
		f["solution"] = puzzles.Solution(z)
		if o.Reason != "" {
			f["reason"] = o.Reason
		}
	default:
		f["reply"], p.attempt.actions = o.Reply, actions
	}
	return f, nil
}
