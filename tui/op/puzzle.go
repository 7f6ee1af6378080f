package op

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/rating"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// PuzzleArgs are the arguments of Puzzle. Without any the puzzle of the day is meant.
type PuzzleArgs struct {
	Answer string `json:"answer" arg:"[next, day [GAME], train [GAME] [THEME], streak [GAME], or ANSWER...]" help:"next: the next puzzle; day: the puzzle of the day of a game; train: one near your rating; streak: puzzles until the first wrong answer"` // as people type it
	Puzzle string `json:"puzzle"`
	Game   string `json:"game"`
	Theme  string `json:"theme"`
	Next   bool   `json:"next"`
	Streak bool   `json:"streak"`
	Day    bool   `json:"day"`
	Shown  bool   `json:"shown"`
	Daily  int    `json:"-"` // the number of a daily puzzle of Game, for screens; 0: none

	ID json.RawMessage `json:"id"` // of the request (puzzleID)
}

// PuzzleResult is the try of a puzzle after an operation.
type PuzzleResult struct {
	*puzzles.Try
	Outcome  *puzzle.Outcome // of an answer; nil: there was none
	isStored bool            // the operation has stored the try, or the streak
}

// Puzzle shows a puzzle, or checks an answer to it as people type it. A command over SSH has that of the day.
var Puzzle = New(Spec[PuzzleArgs, PuzzleResult]{
	Info: Info{Name: "puzzle", Help: "show the puzzle of the day, or answer the puzzle shown last", Group: GroupLearn, Effect: Changes, Offline: true,
		On: On{Screen: As("lobby z", "puzzle ]", "puzzle z")}},
	Run: func(ctx context.Context, v *Visit, in PuzzleArgs) (PuzzleResult, error) {
		if in.Next || in.Streak || in.Day || in.Game != "" || in.Theme != "" {
			in.ID = nil // which is only that of the request
		}
		var t puzzles.Try
		var err error
		switch id, shown := v.puzzleID(in.Puzzle, in.ID), v.PuzzleTry(); {
		case in.Answer != "":
			if t, err = v.unansweredPuzzle(id, true); err != nil {
				return PuzzleResult{}, err
			}
			return v.answerPuzzle(ctx, t, words.PuzzleActions(v.Games, &t, in.Answer), true)
		case in.Daily > 0:
			t, err = v.openDaily(ctx, in.Game, in.Daily)
		case id != "" || in.Day:
			t, err = v.choosePuzzle(ctx, id, in.Game)
		case (in.Next || in.Streak) && v.Session == nil:
			err = &errcode.Error{Code: errcode.NotAllowed, Message: "commands offer only the puzzle of the day; ssh -t " + v.SSHTarget + " has the others"}
		case in.Streak:
			t, err = v.nextOfStreak(ctx, in.Game)
		case in.Next, in.Game != "", in.Theme != "":
			t, err = v.nextPuzzle(ctx, in.Game, in.Theme)
		case in.Shown && shown != nil:
			t = *shown
		default:
			t, err = v.choosePuzzle(ctx, "", in.Game)
		}
		if err != nil {
			return PuzzleResult{}, err
		}
		return v.showTry(ctx, t)
	},
	Text: func(v *Visit, _ PuzzleArgs, r PuzzleResult) Text {
		if r.Outcome != nil {
			return r.answerText(v)
		}
		return r.puzzleText(v)
	},
	JSON: func(v *Visit, r PuzzleResult) any {
		if r.Outcome != nil {
			return r.tryJSON(v)
		}
		p := struct {
			Puzzle puzzleJSON `json:"puzzle"`
			Rated  bool       `json:"rated"`
			Rating int        `json:"rating"`
			Streak *int       `json:"streak,omitempty"`
		}{r.puzzleJSON(), r.IsRated && !r.IsRecorded, jsonform.Round(r.UserRating.Value), nil}
		if r.Mode == puzzles.ModeStreak {
			p.Streak = &r.Streak
		}
		return p
	},
	Status: func(r PuzzleResult) int {
		if r.Outcome != nil && !r.IsSolved {
			return 1
		}
		return 0
	},
})

// parseWords implements wordParser. Without words it is the puzzle that is shown.
func (in *PuzzleArgs) parseWords(v *Visit, words []string) error {
	if len(words) == 0 {
		in.Shown = true
		return nil
	}
	word, rest := strings.ToLower(words[0]), words[1:]
	switch word {
	case "day":
		in.Day, in.Game = true, strings.ToLower(strings.Join(rest, " "))
		return nil
	case "next", "new":
		*in = v.FollowingPuzzle()
	case "streak":
		in.Streak, in.Game = true, strings.ToLower(strings.Join(rest, " "))
		return nil
	case "train":
		in.Next = true
		for _, name := range rest {
			name = strings.ToLower(name)
			if _, ok := v.Games.ByName(name); ok {
				in.Game = name
			} else {
				in.Theme = name
			}
		}
		return nil
	default:
		in.Answer = strings.Join(words, " ")
		return nil
	}
	if len(rest) > 0 {
		return badRequest("unexpected text after %s", word)
	}
	return nil
}

// FollowingPuzzle returns the arguments of Puzzle for what follows the puzzle that is shown. Any goroutine may call it.
func (v *Visit) FollowingPuzzle() PuzzleArgs {
	switch t := v.PuzzleTry(); {
	case t == nil:
		return PuzzleArgs{Next: true}
	case t.Mode == puzzles.ModeStreak:
		return PuzzleArgs{Streak: true, Game: t.Game}
	case t.Mode == puzzles.ModeDaily:
		if next, err := v.Puzzles.NewDailyTry(t.Game, t.Number+1, time.Now()); err == nil {
			return PuzzleArgs{Game: t.Game, Daily: next.Number}
		}
		return PuzzleArgs{Next: true, Game: t.Puzzle.Game}
	case t.Mode == puzzles.ModeDay:
		return PuzzleArgs{Next: true, Game: t.Puzzle.Game}
	default:
		return PuzzleArgs{Next: true, Game: t.Game, Theme: t.Theme}
	}
}

// puzzleID returns the ID of the puzzle that a request names; "": none. A program may give it as the id of the request,
// which docs/protocol.md promises. That can have any JSON type, and those that are no puzzle's mean nothing here.
func (v *Visit) puzzleID(id string, request json.RawMessage) string {
	if id != "" {
		return id
	}
	if json.Unmarshal(request, &id) == nil {
		if _, err := v.Puzzles.ByID(id); err == nil {
			return id
		}
	}
	return ""
}

// AnswerArgs are the arguments of AnswerPuzzle: of a line the user's own actions from the beginning, or those that
// follow the correct ones so far. With Retry a wrong answer does not show the solution, so that another one can follow;
// without it a puzzle that is over begins again.
type AnswerArgs struct {
	Puzzle  string   `json:"puzzle"`
	Actions []string `json:"actions"`
	Retry   bool     `json:"retry"`

	ID json.RawMessage `json:"id"` // of the request (puzzleID)
}

// AnswerPuzzle checks an answer to a puzzle, by default to the one that is shown.
var AnswerPuzzle = New(Spec[AnswerArgs, PuzzleResult]{
	Info: Info{Name: "answer", Help: "answer a puzzle", Group: GroupLearn, Effect: Changes, Offline: true,
		On: On{Line: Not("puzzle takes the answer"), SSH: Not("puzzle takes the answer"), Screen: As("puzzle")}},
	Run: func(ctx context.Context, v *Visit, in AnswerArgs) (PuzzleResult, error) {
		t, err := v.unansweredPuzzle(v.puzzleID(in.Puzzle, in.ID), in.Retry)
		if err != nil {
			return PuzzleResult{}, err
		}
		return v.answerPuzzle(ctx, t, in.Actions, in.Retry)
	},
	Text: func(v *Visit, _ AnswerArgs, r PuzzleResult) Text { return r.answerText(v) },
	JSON: func(v *Visit, r PuzzleResult) any { return r.tryJSON(v) },
})

// ShownPuzzleArgs are the arguments of operations about a puzzle, by default the one that is shown.
type ShownPuzzleArgs struct {
	Puzzle string          `json:"puzzle"`
	ID     json.RawMessage `json:"id"` // of the request (puzzleID)
}

// PuzzleHint gives the next hint at a puzzle. The try is not rated then.
var PuzzleHint = New(Spec[ShownPuzzleArgs, PuzzleResult]{
	Info: Info{Name: "puzzle_hint", Help: "get a hint for a puzzle; the try is then not rated", Group: GroupLearn, Effect: Changes, Offline: true,
		On: On{Line: As("puzzle hint"), SSH: As("puzzle hint"), Screen: As("puzzle h")}},
	Run: func(ctx context.Context, v *Visit, in ShownPuzzleArgs) (PuzzleResult, error) {
		t, err := v.openPuzzle(v.puzzleID(in.Puzzle, in.ID))
		if err == nil {
			t, err = t.WithHint()
		}
		if err == nil {
			err = v.payPuzzle()
		}
		if err != nil {
			return PuzzleResult{}, err
		}
		return v.showTry(ctx, t)
	},
	Text: func(v *Visit, _ ShownPuzzleArgs, r PuzzleResult) Text {
		n := len(r.Hints) - 1
		hint := words.PuzzleHint(v.Games, r.Try, n)
		if _, actions := r.HintMark(); hint != r.Hints[n] {
			hint += " In the answer: " + strings.Join(actions, "; ") + "."
		}
		return Text{Lines: append([]string{hint}, r.storedText()...)}
	},
	JSON: func(_ *Visit, r PuzzleResult) any {
		return struct {
			Hint string `json:"hint"`
			storedTry
		}{r.Hints[len(r.Hints)-1], r.stored()}
	},
})

// PuzzleSolution shows the solution of a puzzle. The user has failed if they have not solved it.
var PuzzleSolution = New(Spec[ShownPuzzleArgs, PuzzleResult]{
	Info: Info{Name: "puzzle_solution", Help: "see how a puzzle is solved, and why; it then counts as failed", Group: GroupLearn, Effect: Changes, Offline: true,
		On: On{Line: As("puzzle solution"), SSH: As("puzzle solution"), Screen: As("puzzle")}},
	Run: func(ctx context.Context, v *Visit, in ShownPuzzleArgs) (PuzzleResult, error) {
		t, err := v.openPuzzle(v.puzzleID(in.Puzzle, in.ID))
		if err == nil {
			err = v.payPuzzle()
		}
		if err != nil {
			return PuzzleResult{}, err
		}
		return v.showTry(ctx, t.WithSolution())
	},
	Text: func(v *Visit, _ ShownPuzzleArgs, r PuzzleResult) Text {
		return Text{Lines: append(r.storedText(), r.solutionText(v)...)}
	},
	JSON: func(v *Visit, r PuzzleResult) any { return r.tryJSON(v) },
})

// PuzzleReportArgs are the arguments of PuzzleReport.
type PuzzleReportArgs struct {
	Text   string `json:"text" arg:"TEXT..." help:"what is wrong"`
	Puzzle string `json:"puzzle"`

	ID json.RawMessage `json:"id"` // of the request (puzzleID)
}

// PuzzleReport reports a puzzle to the moderators, by default the one that is shown.
var PuzzleReport = New(Spec[PuzzleReportArgs, *puzzle.Puzzle]{
	Info: Info{Name: "puzzle_report", Help: "report a puzzle to the moderators and say what is wrong with it", Group: GroupLearn, Permission: club.PermissionReport, Effect: Changes,
		On: On{Line: As("puzzle report"), SSH: As("puzzle report"), Screen: As("puzzle")}},
	Run: func(ctx context.Context, v *Visit, in PuzzleReportArgs) (*puzzle.Puzzle, error) {
		t, err := v.openPuzzle(v.puzzleID(in.Puzzle, in.ID))
		switch {
		case err != nil:
			return nil, err
		case in.Text == "":
			return nil, badRequest("puzzle_report needs a text")
		}
		p := t.Puzzle
		return p, v.Moderator.Report(ctx, club.PuzzleReport(p.ID), fmt.Sprintf("(%s, %s) %s", p.Game, p.Theme, in.Text))
	},
	Text: func(_ *Visit, _ PuzzleReportArgs, p *puzzle.Puzzle) Text {
		return Say("Puzzle %s was reported to the moderators.", p.ID)
	},
	JSON: func(*Visit, *puzzle.Puzzle) any { return None{} },
})

// Puzzles lists the games and themes of puzzles with what the user has done.
var Puzzles = New(Spec[None, []puzzles.Summary]{
	Info: Info{Name: "puzzles", Help: "list the themes of puzzles, with your ratings", Group: GroupLearn, Offline: true,
		On: On{Line: As("puzzle themes"), Screen: As("puzzle z")}},
	Run: func(ctx context.Context, v *Visit, _ None) ([]puzzles.Summary, error) {
		if err := v.payPuzzle(); err != nil {
			return nil, err
		}
		return v.puzzleTrainer().Summaries(ctx)
	},
	Text: func(_ *Visit, _ None, all []puzzles.Summary) Text {
		rows := &Rows{Columns: []Column{
			{Title: "puzzles", Phrase: "puzzle train %s:"}, {Title: "theme"}, {Title: "your rating", Phrase: "your rating %s"}, {Title: "progress"}, {Title: "best streak", Phrase: "best streak %s"},
		}, Empty: "This server has no puzzles."}
		for _, s := range all {
			rating := "–"
			if s.ShowsRating() {
				rating = words.PuzzleRating(s.UserRating)
			}
			values := []string{s.Game, "", rating, words.PuzzleSummary(s), fmt.Sprint(s.BestStreak)}
			if s.Theme != "" {
				values[0], values[1], values[2], values[4] = s.Game+" "+s.Theme, s.Title, "", ""
			}
			rows.Rows = append(rows.Rows, Row{Values: values})
		}
		return Text{Rows: rows}
	},
	JSON: func(_ *Visit, all []puzzles.Summary) any {
		type summary struct { // of a game or a theme
			Game       string `json:"game"`
			Theme      string `json:"theme,omitempty"`
			Title      string `json:"title,omitempty"`
			Rating     int    `json:"rating,omitempty"`
			Deviation  int    `json:"deviation,omitempty"`
			BestStreak int    `json:"best_streak,omitempty"`
			Puzzles    int    `json:"puzzles"`
			Tried      int    `json:"tried"`
			Solved     int    `json:"solved"`
			Due        int    `json:"due"`
		}
		list := struct {
			Puzzles []summary `json:"puzzles"`
		}{[]summary{}}
		for _, s := range all {
			list.Puzzles = append(list.Puzzles, summary{s.Game, s.Theme, s.Title, jsonform.Round(s.UserRating.Value), jsonform.Round(s.UserRating.Deviation), s.BestStreak, s.Total, s.Tried, s.Solved, s.Due})
		}
		return list
	},
})

// puzzleJSON is a puzzle without its solution, for programs.
type puzzleJSON struct {
	ID       string `json:"id"`
	Game     string `json:"game"`
	Setup    string `json:"setup,omitempty"`
	Position string `json:"position"`
	Turn     int    `json:"turn"`
	Theme    string `json:"theme"`
	Goal     string `json:"goal"`
	Task     string `json:"task"`
	Rating   int    `json:"rating"`
}

func (r PuzzleResult) puzzleJSON() puzzleJSON {
	p := r.Puzzle
	return puzzleJSON{p.ID, p.Game, p.Setup, p.Position, p.Turn, p.Theme, string(p.Goal), r.Task(), jsonform.Round(r.PuzzleRating.Value)}
}

// puzzleText returns the task, the form of the answer and the position.
func (r PuzzleResult) puzzleText(v *Visit) Text {
	title := words.PuzzleTitle(v.Puzzles, v.Games, r.Puzzle, r.PuzzleRating)
	command := "puzzle"
	if v.Session == nil { // a command over SSH
		command = "ssh " + v.SSHTarget + " puzzle"
	}
	answer := "Answer with " + command + " ANSWER, where ANSWER is " + words.PuzzleAnswer(r.Puzzle) + "."
	switch r.Mode {
	case puzzles.ModeStreak:
		title += " · streak"
	case puzzles.ModeDaily:
		title = fmt.Sprintf("Daily puzzle %d of %d · %s", r.Number, puzzles.DailyLen, title)
		answer = fmt.Sprintf("Answer with daily %s %d ANSWER, where ANSWER is %s.", r.Game, r.Number, words.PuzzleAnswer(r.Puzzle))
	default:
		answer += " " + command + " hint gives a hint; the try is then not rated."
	}
	if r.ShowsRating() {
		title += " · " + words.PuzzleUser(r.UserRating)
	}
	t := Text{Lines: []string{title + "."}}
	if r.IsRepeated && r.Result == nil {
		t.Lines = append(t.Lines, fmt.Sprintf("You did not solve it on %s. Not rated.", r.FirstTriedAt.UTC().Format("2 Jan")))
	}
	t.Lines = append(t.Lines, r.Task(), answer)
	if g, ok := v.Games.ByName(r.Puzzle.Game); ok {
		t.Board = &Board{g, r.Position}
	}
	return t
}

// answerText returns what an answer led to.
func (r PuzzleResult) answerText(v *Visit) Text {
	lines := append([]string{words.PuzzleOutcome(*r.Outcome, r.IsOver())}, r.storedText()...)
	if r.IsOver() {
		lines = append(lines, r.solutionText(v)...)
	}
	return Text{Lines: lines}
}

// storedText returns what the operation has changed, as a sentence; none if it has stored nothing.
func (r PuzzleResult) storedText() []string {
	switch {
	case !r.isStored:
		return nil
	case r.Mode == puzzles.ModeStreak:
		return []string{words.PuzzleStreak(r.Try)}
	}
	return []string{words.PuzzleResult(r.Try)}
}

// solutionText returns the solution and the reason.
func (r PuzzleResult) solutionText(v *Visit) []string {
	lines := []string{"The solution: " + words.PuzzleSolution(v.Puzzles, v.Games, r.Puzzle) + "."}
	for _, sentence := range v.Puzzles.Explain(r.Puzzle) {
		lines = append(lines, words.PuzzleReason(r.Puzzle, sentence))
	}
	return append(lines, words.PuzzleSteps(v.Puzzles, v.Games, r.Puzzle)...)
}

// changeJSON is a rating before and after a try, for programs.
type changeJSON struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

func newChangeJSON(c rating.Change) *changeJSON {
	return &changeJSON{jsonform.Round(c.Before.Value), jsonform.Round(c.After.Value)}
}

// storedTry is what an operation has stored, for programs.
type storedTry struct {
	Rated        *bool       `json:"rated,omitempty"` // absent in a streak
	Rating       *changeJSON `json:"rating,omitempty"`
	PuzzleRating *changeJSON `json:"puzzle_rating,omitempty"`
	Due          time.Time   `json:"due,omitzero"`
	Streak       *int        `json:"streak,omitempty"`
	Best         *int        `json:"best,omitempty"`
}

// stored returns what the operation has stored.
func (r PuzzleResult) stored() (s storedTry) {
	switch {
	case !r.isStored:
		s.Rated = new(false)
	case r.Mode == puzzles.ModeStreak:
		s.Streak, s.Best = &r.Streak, &r.BestStreak
	default:
		s.Rated, s.Due = &r.Result.Rated, r.Result.DueAt.UTC()
		if r.Result.Rated {
			s.Rating, s.PuzzleRating = newChangeJSON(r.Result.User), newChangeJSON(r.Result.Puzzle)
		}
	}
	return s
}

// tryJSON returns what an answer led to, or the solution, for programs.
func (r PuzzleResult) tryJSON(v *Visit) any {
	all := struct {
		Solved      bool       `json:"solved"`
		Reply       []string   `json:"reply,omitempty"`
		Reason      string     `json:"reason,omitempty"`
		Refutation  []string   `json:"refutation,omitempty"`
		Solution    []string   `json:"solution,omitempty"`
		Explanation []string   `json:"explanation,omitempty"`
		Lines       [][]string `json:"lines,omitempty"`
		storedTry
	}{Solved: r.IsSolved}
	if o := r.Outcome; o != nil {
		if all.Reason = o.Reason; o.Refuted != nil {
			all.Refutation = o.Refuted.Reply
		}
		if !o.Solved && !o.Wrong {
			all.Reply = o.Reply
			return all
		}
	}
	if all.storedTry = r.stored(); r.IsOver() {
		all.Solution, all.Explanation, all.Lines = r.Puzzle.Solution(), v.Puzzles.Explain(r.Puzzle), v.Puzzles.Lines(r.Puzzle)
	}
	return all
}
