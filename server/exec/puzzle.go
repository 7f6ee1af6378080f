package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/server/wire"
	"ayumu/tui/words"
)

// puzzleOfDay prints the puzzle of the day, or checks an answer to it. It returns an error unless the answer solves
// the puzzle.
func puzzleOfDay(_ context.Context, e Env, args []string, asJSON bool) error {
	p, err := e.Puzzles.OfDay(time.Now())
	if err != nil {
		return err
	}
	at := e.Puzzles.Start(p)
	if len(args) == 0 {
		if asJSON {
			return json.NewEncoder(e.Out).Encode(wire.PuzzleOf(e.Puzzles, p))
		}
		fmt.Fprintf(e.Out, "%s\n%s\n\n%s\n\n", words.PuzzleTitle(e.Puzzles, e.Games, p), e.Puzzles.Theme(p).Task(p), words.PuzzleDiagram(at))
		fmt.Fprintf(e.Out, "Answer: ssh %s puzzle ANSWER, where ANSWER is %s.\n", e.SSHTarget, words.PuzzleAnswer(p))
		return nil
	}
	o, err := e.Puzzles.Answer(p, words.PuzzleActions(at, strings.Join(args, " ")))
	if err != nil {
		return err
	}
	if !o.Solved {
		return &lobby.Error{Code: lobby.CodeIllegalAction, Message: words.PuzzleOutcome(o)}
	}
	fmt.Fprintf(e.Out, "%s\n", words.PuzzleOutcome(o))
	return nil
}
