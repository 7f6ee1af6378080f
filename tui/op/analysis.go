package op

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/lobby/bots"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// Analysis is a user's way through the analysis of a finished match. Visit.Analyze makes one; the caller must Close it.
// Its methods belong to the goroutine of the session, but for Judge.
type Analysis struct {
	*bots.Analysis // the newest that Update has seen
	Snapshot       *match.Snapshot
	Game           game.Game
	Seat           int // the user's; -1: the user did not play
	Positions      []engine.Position
	At             int // number of turns before the position that is shown

	// Exercises are the turns that cost most, the costliest first: those of the user's seat, or of all seats if the user
	// did not play. They are known once the analysis is complete.
	Exercises []*Exercise

	visit   *Visit
	request *bots.AnalysisRequest
}

// Exercise asks for a better turn than one that cost much.
type Exercise struct {
	analysis.Mistake
	Seat     int
	IsSolved bool
	IsShown  bool     // the user has asked for the solution
	Answer   []string // the turn that was accepted; nil: none
	Chance   float64  // of the seat after Answer
}

// IsOver reports whether nothing is left to find.
func (e *Exercise) IsOver() bool { return e.IsSolved || e.IsShown }

// CanAnalyze reports whether a match can be analyzed.
func (v *Visit) CanAnalyze(s *match.Snapshot) bool { return v.Bots != nil && s.IsOver() && !s.Frozen }

// Analyze requests the analysis of a finished match, until ctx ends at the latest. The session is woken when there is
// more of it.
func (v *Visit) Analyze(ctx context.Context, s *match.Snapshot) (*Analysis, error) {
	if v.Bots == nil {
		return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "this server has no engine that could analyze games"}
	}
	if err := v.Session.Spend(limit.WorkHint); err != nil {
		return nil, err
	}
	if err := v.Session.Spend(limit.WorkHistory); err != nil {
		return nil, err
	}
	if err := v.Session.SpendMore(limit.WorkHistory, s.Version); err != nil {
		return nil, err
	}
	m, err := v.Archived(s)
	if err != nil {
		return nil, err
	}
	positions, err := s.Positions()
	if err != nil {
		return nil, v.Lobby.InternalError("match not replayed", err, "match", s.Info.ID)
	}
	r, err := v.Bots.Analyze(ctx, v.Session, s)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Analysis: new(bots.Analysis), Snapshot: s, Game: m.Game, Seat: m.Seat, Positions: positions, visit: v, request: r}
	a.Update()
	return a, nil
}

// Close ends the request for the analysis. It may be called more than once.
func (a *Analysis) Close() { a.request.Cancel() }

// Update reads what has been computed, and reports whether there is more than before.
func (a *Analysis) Update() bool {
	before := a.Analysis
	if a.Analysis = a.request.Newest(); a.Analysis == before {
		return false
	}
	if a.IsComplete && !before.IsComplete {
		for _, m := range analysis.Mistakes(a.Turns, a.Evaluations, a.Seat, analysis.Costliest) {
			a.Exercises = append(a.Exercises, &Exercise{Mistake: m, Seat: a.Turns[m.Turn].Seat})
		}
	}
	return true
}

// Step shows the position a number of turns later, or earlier if by is negative, and stops at the ends.
func (a *Analysis) Step(by int) { a.At = max(min(a.At+by, len(a.Turns)), 0) }

// Evaluation returns the evaluation of the position after n turns; false if there is none yet.
func (a *Analysis) Evaluation(n int) (analysis.Evaluation, bool) {
	if n >= len(a.Evaluations) {
		return analysis.Evaluation{}, false
	}
	return a.Evaluations[n], true
}

// Loss returns what the turn with an index cost its seat; 0 if that is not known yet.
func (a *Analysis) Loss(turn int) float64 {
	if turn+1 >= len(a.Evaluations) {
		return 0
	}
	return a.Turns[turn].Loss(a.Evaluations[turn], a.Evaluations[turn+1])
}

// ExerciseAt returns the exercise about the turn with an index; nil: there is none.
func (a *Analysis) ExerciseAt(turn int) *Exercise {
	for _, e := range a.Exercises {
		if e.Turn == turn {
			return e
		}
	}
	return nil
}

// NextExercise returns the costliest exercise that is not over; nil: there is none.
func (a *Analysis) NextExercise() *Exercise {
	for _, e := range a.Exercises {
		if !e.IsOver() {
			return e
		}
	}
	return nil
}

// Answer is the engine's opinion of an answer to an exercise.
type Answer struct {
	Turn     []string
	Chance   float64 // of the seat after the turn
	IsBetter bool    // by a clear margin (analysis.IsBetter)
}

// Judge judges a turn that the user has found in an exercise: the engine searches the position after it, about a second.
// It does not change the exercise; Accept does. It may be called from any goroutine. The error may be the rules', about
// the turn.
func (a *Analysis) Judge(ctx context.Context, e *Exercise, turn []string) (Answer, error) {
	before := a.request.Newest().Evaluations[e.Turn]
	after, err := engine.PlayTurn(a.Positions[e.Turn], turn)
	if err != nil {
		return Answer{}, err
	}
	if slices.Equal(turn, before.Best) {
		return Answer{turn, before.BestChance, true}, nil
	}
	if slices.Equal(turn, a.Turns[e.Turn].Actions) {
		return Answer{turn, before.BestChance - e.Loss, false}, nil
	}
	end, over := analysis.EndEvaluation(after)
	if !over {
		advice, err := a.visit.Hint(ctx, a.Game.Engine(), after)
		if err != nil {
			return Answer{}, err
		}
		end.Chances = advice.Chances
	}
	chance := end.Chances[e.Seat]
	return Answer{turn, chance, analysis.IsBetter(chance, before, e.Mistake)}, nil
}

// PaceJudge returns an error if the last hint or judgement was less than HintInterval ago; otherwise it counts one.
func (a *Analysis) PaceJudge(now time.Time) error { return a.visit.PaceHint(now) }

// Accept ends an exercise with an answer that is better.
func (e *Exercise) Accept(answer Answer) {
	if answer.IsBetter {
		e.IsSolved, e.Answer, e.Chance = true, answer.Turn, answer.Chance
	}
}

// TurnNumber returns the number by which players know the turn with an index: leaves are not counted.
func (a *Analysis) TurnNumber(turn int) int {
	n := 0
	for _, t := range a.Turns[:turn+1] {
		if len(t.Actions) > 0 {
			n++
		}
	}
	return n
}

// Progress describes how far the computation is, as a sentence; "" when it is complete.
func (a *Analysis) Progress() string {
	switch {
	case a.Err != nil:
		return "The analysis failed. Try again, and tell the operator if it fails again."
	case a.IsComplete:
		return ""
	case a.Done == 0:
		return "Waiting for the engine."
	}
	return fmt.Sprintf("Analyzing: %d%%.", 100*a.Done/max(a.All, 1)) // positions of better moves count too
}

// whose returns "your" or the name of the player of a seat with a genitive.
func (a *Analysis) whose(seat int) string {
	if seat == a.Seat {
		return "your"
	}
	return a.Snapshot.Info.Seats[seat].Name + "'s"
}

// who returns "you" or the name of the player of a seat.
func (a *Analysis) who(seat int) string {
	if seat == a.Seat {
		return "you"
	}
	return a.Snapshot.Info.Seats[seat].Name
}

// sentence makes a sentence of a text that begins with who or whose of a seat. Names are not capitalized.
func (a *Analysis) sentence(seat int, text string) string {
	if seat == a.Seat {
		return words.Sentence(text)
	}
	return text + "."
}

// Summary describes which turns cost most by the engine's estimate, as a sentence; "" until that is known.
func (a *Analysis) Summary() string {
	switch {
	case !a.IsComplete:
		return ""
	case len(a.Exercises) == 0 && a.Seat >= 0:
		return "By the engine's estimate no move of yours cost a tenth of your winning chance."
	case len(a.Exercises) == 0:
		return "By the engine's estimate no move cost a tenth of the winning chance."
	}
	var all []string
	for _, e := range a.Exercises {
		text := fmt.Sprintf("%d (-%s)", a.TurnNumber(e.Turn), words.Percent(e.Loss))
		if e.IsSolved {
			text += " solved"
		}
		all = append(all, text)
	}
	if a.Seat >= 0 {
		return "Your costliest moves (estimated): " + strings.Join(all, ", ") + "."
	}
	return "Costliest moves (estimated): " + strings.Join(all, ", ") + "."
}

// Task describes an exercise, as sentences.
func (a *Analysis) Task(e *Exercise) string {
	before := a.Evaluations[e.Turn]
	return a.sentence(e.Seat, fmt.Sprintf("%s played %s, and %s chance fell from about %s to %s. Find a better move: one that wins back at least half of it",
		a.who(e.Seat), a.Game.ShortTurn(a.Turns[e.Turn].Actions), a.whose(e.Seat), words.Percent(before.BestChance), words.Percent(before.BestChance-e.Loss)))
}

// DescribeAnswer describes the engine's opinion of an answer, as sentences.
func (a *Analysis) DescribeAnswer(e *Exercise, answer Answer) string {
	text := fmt.Sprintf("%s gives a chance of about %s", a.Game.ShortTurn(answer.Turn), words.Percent(answer.Chance))
	switch {
	case answer.IsBetter:
		return "Better: " + text + "."
	case slices.Equal(answer.Turn, a.Turns[e.Turn].Actions):
		return "That is the move that was played. Try another one."
	}
	return "Not better by enough: " + text + ". Try another one."
}

// Solution describes what the engine would play instead of the turn with an index, as a sentence.
func (a *Analysis) Solution(turn int) string {
	before := a.Evaluations[turn]
	return fmt.Sprintf("The engine would play %s: about %s.", a.Game.ShortTurn(before.Best), words.Percent(before.BestChance))
}

// Verdict describes the turn with an index, as sentences: what it cost, and the better turn unless it is still to be
// found. "" while it is not known.
func (a *Analysis) Verdict(turn int) string {
	t := a.Turns[turn]
	e, ok := a.Evaluation(turn + 1)
	if !ok {
		return ""
	}
	if len(t.Actions) == 0 {
		return a.sentence(t.Seat, a.who(t.Seat)+" left the game")
	}
	loss, before := a.Loss(turn), a.Evaluations[turn]
	text := fmt.Sprintf("%s %s", a.sentence(t.Seat, a.who(t.Seat)+" played "+a.Game.ShortTurn(t.Actions)), a.sentence(t.Seat, a.whose(t.Seat)+" chance is about "+words.Percent(e.Chances[t.Seat])))
	switch {
	case slices.Equal(t.Actions, before.Best):
		return text + " The engine would play the same."
	case loss >= analysis.BlunderLoss:
		text += fmt.Sprintf(" Blunder: about -%s.", words.Percent(loss))
	case loss >= analysis.MistakeLoss:
		text += fmt.Sprintf(" Mistake: about -%s.", words.Percent(loss))
	}
	if x := a.ExerciseAt(turn); x != nil && !x.IsOver() {
		return text
	}
	return text + " " + a.Solution(turn)
}

// Chances describes the chances of all seats in the position that is shown: "ana 43 %, bob 57 %"; "" while they are not
// known.
func (a *Analysis) Chances() string {
	e, ok := a.Evaluation(a.At)
	if !ok {
		return ""
	}
	var all []string
	for seat, chance := range e.Chances {
		all = append(all, a.Snapshot.Info.Seats[seat].Name+" "+words.Percent(chance))
	}
	return strings.Join(all, ", ")
}
