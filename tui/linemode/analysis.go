package linemode

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// openAnalysis is the analysis of the finished match that is open or reviewed.
type openAnalysis struct {
	*op.Analysis
	exercise   *op.Exercise // that is open; nil: none
	isReported bool         // its end has been printed
}

// analyze begins the analysis of the match that is shown, prints what it has found, or goes through its exercises.
func (t *session) analyze(args string) {
	s, _, _ := t.shownMatch()
	if a := t.analysis; a == nil || a.Snapshot.Info.ID != s.Info.ID {
		t.closeAnalysis()
		if !t.startAnalysis(s) {
			return
		}
	}
	a := t.analysis
	if a.Update(); !a.IsComplete {
		t.printf("%s The result is printed when it is ready.", a.Progress())
		return
	}
	a.isReported = true
	switch strings.ToLower(args) {
	case "":
		t.printFound()
	case "next":
		t.printNextExercise()
	case "chances":
		t.printChances()
	case "solution":
		t.printSolution()
	default:
		t.answerExercise(args)
	}
}

// startAnalysis requests the analysis of a match.
func (t *session) startAnalysis(s *match.Snapshot) bool {
	return t.call(func(context.Context) error {
		a, err := t.visit.Analyze(t.ctx, s)
		if err == nil {
			t.analysis = &openAnalysis{Analysis: a}
		}
		return err
	})
}

// closeAnalysis ends the analysis.
func (t *session) closeAnalysis() {
	if a := t.analysis; a != nil {
		a.Close()
		t.analysis = nil
	}
}

// reportAnalysis prints once that the analysis is done, or why it is not.
func (t *session) reportAnalysis() {
	a := t.analysis
	if a == nil || a.isReported || !a.Update() {
		return
	}
	switch {
	case a.Err != nil:
		t.printf("%s", a.Progress())
		t.closeAnalysis()
	case a.IsComplete:
		a.isReported = true
		t.printFound()
	}
}

// printFound prints which turns cost most, and the commands.
func (t *session) printFound() {
	a := t.analysis
	t.printf("The analysis is done. %s", a.Summary())
	if a.NextExercise() != nil {
		t.printf("Type analysis next to look for a better move, or analysis chances for the chances after each turn.")
		return
	}
	t.printf("Type analysis chances for the chances after each turn; turn and a number prints what a turn cost, as the engine estimates.")
}

// printChances prints the chance of the user, or of the first seat, after each turn, ten turns to a line.
func (t *session) printChances() {
	const perLine = 10
	a, seat := t.analysis, max(t.analysis.Seat, 0)
	whose := "Your chance"
	if a.Seat < 0 {
		whose = a.Snapshot.Info.Seats[seat].Name + "'s chance"
	}
	t.printf("%s is about %s at the start, and after each turn:", whose, percent(a.Evaluations[0].Chances[seat]))
	var line []string
	for i := range a.Turns {
		line = append(line, fmt.Sprintf("%d: %.0f", a.TurnNumber(i), 100*a.Evaluations[i+1].Chances[seat]))
		if len(line) == perLine || i == len(a.Turns)-1 {
			t.printf("%s.", strings.Join(line, ", "))
			line = nil
		}
	}
}

// printNextExercise prints the costliest exercise that is not over.
func (t *session) printNextExercise() {
	a := t.analysis
	if a.exercise = a.NextExercise(); a.exercise == nil {
		t.printf("There are no more moves to look at. %s", a.Summary())
		return
	}
	t.printf("Turn %d cost about %s. %s You are %s.", a.TurnNumber(a.exercise.Turn), percent(a.exercise.Loss), a.Task(a.exercise),
		a.Game.Side(a.Positions[a.exercise.Turn], a.exercise.Seat))
	for _, l := range a.Game.DescribePosition(a.Positions[a.exercise.Turn]) {
		t.printf("%s", l)
	}
	t.printf("Type analysis and your move, or analysis solution.")
}

// answerExercise prints what the engine thinks of an answer.
func (t *session) answerExercise(args string) {
	a := t.analysis
	if a.exercise == nil || a.exercise.IsOver() {
		t.printf("First type analysis next, which asks for a better move.")
		return
	}
	turn, err := a.Game.ParseTurn(a.Positions[a.exercise.Turn], args)
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	var answer op.Answer
	if !t.call(func(ctx context.Context) (err error) {
		if err = a.PaceJudge(time.Now()); err == nil {
			answer, err = a.Judge(ctx, a.exercise, turn)
		}
		return err
	}) {
		return
	}
	a.exercise.Accept(answer)
	t.printf("%s", a.DescribeAnswer(a.exercise, answer))
	if a.exercise.IsSolved {
		t.printEngineTurn()
	}
}

// printSolution ends the exercise with what the engine would play.
func (t *session) printSolution() {
	a := t.analysis
	if a.exercise == nil {
		t.printf("First type analysis next, which asks for a better move.")
		return
	}
	a.exercise.IsShown = true
	t.printEngineTurn()
}

// printEngineTurn prints the engine's turn after an exercise.
func (t *session) printEngineTurn() {
	a := t.analysis
	t.printf("%s", a.Solution(a.exercise.Turn))
	if a.NextExercise() != nil {
		t.printf("Type analysis next.")
	}
}

// printVerdict prints what the turn before a reviewed position cost, once the analysis is done.
func (t *session) printVerdict(r *review) {
	a := t.analysis
	if a == nil || !a.isReported || r.tried != nil || a.Snapshot.Info.ID != r.snapshot.Info.ID {
		return
	}
	if a.At = r.at; r.at > 0 {
		t.printf("%s", a.Verdict(r.at-1))
		return
	}
	t.printf("%s", words.Sentence("chances: "+a.Chances()))
}
