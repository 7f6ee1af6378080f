package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/puzzles"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// puzzleOfDay prints the puzzle of the day, gives a hint, or checks an answer to it. It returns an error unless the
// answer solves the puzzle. The first try of an account is rated.
func puzzleOfDay(ctx context.Context, e Env, args []string, asJSON bool) error {
	p, err := e.Puzzles.OfDay(time.Now())
	if err != nil {
		return err
	}
	if err := e.Lobby.Budgets.Spend(lobby.PayerOf(e.accountID(), e.Addr), limit.WorkPuzzle); err != nil {
		return err
	}
	at, trainer := e.Puzzles.Start(p), trainerOf(e)
	if len(args) == 0 {
		c, err := trainer.Choose(ctx, p)
		if err != nil {
			return err
		}
		if asJSON {
			return json.NewEncoder(e.Out).Encode(wire.PuzzleOf(e.Puzzles, p, c.Rating))
		}
		fmt.Fprintf(e.Out, "%s\n%s\n\n%s\n\n", words.PuzzleTitle(e.Puzzles, e.Games, p, c.Rating), e.Puzzles.Theme(p).Task(p), words.PuzzleDiagram(at))
		fmt.Fprintf(e.Out, "Answer: ssh %[1]s puzzle ANSWER, where ANSWER is %[2]s.\nssh %[1]s puzzle hint helps; the try is not rated then.\n", e.SSHTarget, words.PuzzleAnswer(p))
		return nil
	}
	if len(args) == 1 && args[0] == "hint" {
		hints := e.Puzzles.Theme(p).Hints(p, 0)
		if len(hints) == 0 {
			return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "this puzzle has no hints"}
		}
		fmt.Fprintf(e.Out, "%s\n", hints[0])
		_, err := trainer.Record(ctx, p, false, true)
		return err
	}
	o, err := e.Puzzles.Answer(p, words.PuzzleActions(at, strings.Join(args, " ")))
	if err != nil {
		return err
	}
	result := ""
	if (o.Solved || o.Wrong) && e.Account != nil {
		res, err := trainer.Record(ctx, p, o.Solved, false)
		if err != nil {
			return err
		}
		if res.Rated {
			result = " " + words.PuzzleResult(res)
		}
	}
	if !o.Solved {
		return &lobby.Error{Code: lobby.CodeIllegalAction, Message: words.PuzzleOutcome(o, false) + result}
	}
	fmt.Fprintf(e.Out, "%s%s\n", words.PuzzleOutcome(o, true), result)
	for _, line := range e.Puzzles.Explain(p) {
		fmt.Fprintf(e.Out, "%s\n", line)
	}
	return nil
}

// trainerOf returns the trainer of the user.
func trainerOf(e Env) *puzzles.Trainer {
	return puzzles.NewTrainer(e.Puzzles, e.PuzzleStore, e.accountID())
}
