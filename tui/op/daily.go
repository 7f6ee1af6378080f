package op

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
	"ayumu/tui/words"
)

// DailyArgs are the arguments of Daily. Without a Number the list of a game is meant, "": of that of the puzzle of the day.
type DailyArgs struct {
	Game   string `json:"game" arg:"[GAME]" help:"by default the first game"`
	Number int    `json:"number" arg:"[NUMBER]" help:"of the puzzle, 1 to 5"`
	Answer string `json:"answer" arg:"[ANSWER...]" help:"as for puzzle"`
}

// parseWords implements wordParser. A first word that is no number is the game.
func (in *DailyArgs) parseWords(_ *Visit, words []string) error {
	if len(words) > 0 {
		if _, err := strconv.Atoi(words[0]); err != nil {
			in.Game, words = strings.ToLower(words[0]), words[1:]
		}
	}
	if len(words) == 0 {
		return nil
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 {
		return badRequest("%q is not a number from 1 to %d", words[0], puzzles.DailyLen)
	}
	in.Number, in.Answer = n, strings.Join(words[1:], " ")
	return nil
}

// DailyResult are the daily puzzles of a game and what the user has made of them.
type DailyResult struct {
	Game    string
	Puzzles []*puzzle.Puzzle
	Results puzzles.DailyResults
	Shown   *PuzzleResult // of Number; nil: the list
}

// Daily lists the daily puzzles of a game, shows one of them, or checks an answer to it.
var Daily = New(Spec[DailyArgs, DailyResult]{
	Info: Info{Name: "daily", Help: "solve the five puzzles of today in rising difficulty, the same for everyone, and get your result as a line to share", Group: GroupLearn, Effect: Changes, Offline: true, Session: true,
		On: On{Screen: As("puzzle")}},
	Run: func(ctx context.Context, v *Visit, in DailyArgs) (r DailyResult, err error) {
		if in.Number != 0 || in.Answer != "" {
			shown, err := v.showDaily(ctx, in)
			if err != nil {
				return DailyResult{}, err
			}
			in.Game, r.Shown = shown.Game, &shown
		} else if err := v.payPuzzle(); err != nil {
			return DailyResult{}, err
		}
		if r.Puzzles, err = v.Puzzles.Daily(in.Game, time.Now()); err != nil {
			return DailyResult{}, err
		}
		r.Game = r.Puzzles[0].Game
		r.Results = v.dailyResults(r.Game, len(r.Puzzles))
		return r, nil
	},
	Text: func(v *Visit, _ DailyArgs, r DailyResult) Text {
		if r.Shown != nil {
			return r.shownText(v)
		}
		t := Text{Rows: &Rows{Columns: []Column{{Title: "puzzle"}, {Title: "theme"}, {Title: "rating", Phrase: "rating %s"}, {Title: "result"}}}}
		for i, p := range r.Puzzles {
			t.Rows.Rows = append(t.Rows.Rows, Row{Values: []string{
				fmt.Sprintf("daily %s %d:", r.Game, i+1), v.Puzzles.Theme(p).Title(), fmt.Sprintf("%.0f", p.InitialRating()), words.DailyResult(r.Result(i)),
			}})
		}
		t.Lines = []string{r.Share(v)}
		return t
	},
	JSON: func(v *Visit, r DailyResult) any {
		all := struct {
			Day     string            `json:"day"`
			Game    string            `json:"game"`
			Puzzles []puzzleJSON      `json:"puzzles"`
			Results map[string]string `json:"results"` // by the id of the puzzle; without a result it is absent
			Share   string            `json:"share"`
			Shown   any               `json:"shown,omitempty"`
		}{Day: r.Results.Date().Format(time.DateOnly), Game: r.Game, Results: make(map[string]string), Share: r.Share(v)}
		for i, p := range r.Puzzles {
			t := v.Puzzles.NewTry(p)
			all.Puzzles = append(all.Puzzles, PuzzleResult{Try: &t}.puzzleJSON())
			switch r.Result(i) {
			case puzzles.DailySolved:
				all.Results[p.ID] = "solved"
			case puzzles.DailyFailed:
				all.Results[p.ID] = "failed"
			}
		}
		if r.Shown != nil {
			all.Shown = r.Shown.tryJSON(v)
			if r.Shown.Outcome == nil {
				all.Shown = r.Shown.puzzleJSON()
			}
		}
		return all
	},
	Status: func(r DailyResult) int {
		if r.Shown != nil && r.Shown.Outcome != nil && !r.Shown.IsSolved {
			return 1
		}
		return 0
	},
})

// Result returns the result of the puzzle with an index.
func (r DailyResult) Result(i int) puzzles.DailyResult {
	return puzzles.DailyResult(r.Results.Results[i])
}

// Share returns the results as a line for others.
func (r DailyResult) Share(v *Visit) string {
	title := r.Game
	if g, ok := v.Games.ByName(r.Game); ok {
		title = g.Engine().Title()
	}
	return words.DailyShare(title, r.Results)
}

// shownText returns the puzzle, or what the answer led to and the line for others once there is nothing left to answer.
func (r DailyResult) shownText(v *Visit) Text {
	if r.Shown.Outcome == nil {
		return r.Shown.puzzleText(v)
	}
	t := r.Shown.answerText(v)
	if r.Shown.IsOver() && r.Results.IsComplete() {
		t.Lines = append(t.Lines, r.Share(v))
	}
	return t
}

// showDaily shows a daily puzzle, or checks an answer to it.
func (v *Visit) showDaily(ctx context.Context, in DailyArgs) (PuzzleResult, error) {
	t, err := v.openDaily(ctx, strings.ToLower(in.Game), in.Number)
	if err != nil {
		return PuzzleResult{}, err
	}
	if in.Answer == "" {
		return v.showTry(ctx, t)
	}
	if shown := v.PuzzleTry(); shown != nil && shown.Puzzle == t.Puzzle && !shown.IsOver() {
		t = *shown
	}
	return v.answerPuzzle(ctx, t, words.PuzzleActions(v.Games, &t, in.Answer), true)
}

// openDaily returns a try of a daily puzzle, with what is known of the user.
func (v *Visit) openDaily(ctx context.Context, game string, number int) (puzzles.Try, error) {
	t, err := v.Puzzles.NewDailyTry(game, number, time.Now())
	if err == nil {
		err = v.payPuzzle()
	}
	if err != nil {
		return puzzles.Try{}, err
	}
	return v.puzzleTrainer().Load(ctx, t)
}

// dailySettings is the part of an account's settings that has the results of the daily puzzles, and that of the puzzle of the day,
// for each game.
type dailySettings struct {
	Daily map[string]puzzles.DailyResults `json:"daily"`
	OfDay map[string]puzzles.DailyResults `json:"puzzle_of_day"`
}

// storedResults returns the stored results of all games.
func (v *Visit) storedResults() (s dailySettings) {
	if raw := v.Session.Account().Settings; len(raw) > 0 && json.Unmarshal(raw, &s) != nil {
		return dailySettings{}
	}
	return s
}

// dailyResults returns the user's results today in a game with n daily puzzles.
func (v *Visit) dailyResults(game string, n int) puzzles.DailyResults {
	return v.storedResults().Daily[game].On(time.Now(), n)
}

// DailyResults returns the user's results in the daily puzzles of a game today. It may be called from any goroutine.
func (v *Visit) DailyResults(game string) puzzles.DailyResults {
	return v.dailyResults(game, v.Puzzles.DailyCount(game))
}

// ResultOfDay returns what the user has made of the puzzle of the day of a game, except by a command over SSH. It may be called
// from any goroutine.
func (v *Visit) ResultOfDay(game string) puzzles.DailyResult {
	return puzzles.DailyResult(v.storedResults().OfDay[game].On(time.Now(), 1).Results[0])
}

// saveDailyResult stores the result of a try of a daily puzzle or of the puzzle of the day, wherever the user has made it; the first
// one of the day counts. A failure keeps nobody from solving the next one; the store has reported it.
func (v *Visit) saveDailyResult(ctx context.Context, t *puzzles.Try) {
	if v.Session == nil {
		return // a command that shows only the puzzle of the day
	}
	game, now := t.Puzzle.Game, time.Now()
	today, err := v.Puzzles.Daily(game, now)
	if err != nil {
		return
	}
	stored := v.storedResults()
	i := slices.Index(today, t.Puzzle)
	if i >= 0 {
		stored.Daily = v.withResult(stored.Daily, game, stored.Daily[game].On(now, len(today)).With(i, t.IsSuccess()))
	}
	ofDay, err := v.Puzzles.OfDay(game, now)
	isOfDay := err == nil && ofDay == t.Puzzle // and a daily one too where there are few
	if isOfDay {
		stored.OfDay = v.withResult(stored.OfDay, game, stored.OfDay[game].On(now, 1).With(0, t.IsSuccess()))
	}
	if i >= 0 || isOfDay {
		_ = SaveSettings(ctx, v.Session, stored)
	}
}

// withResult returns stored results of games with new ones of a game, and without those of games that the server does not have.
func (v *Visit) withResult(stored map[string]puzzles.DailyResults, game string, r puzzles.DailyResults) map[string]puzzles.DailyResults {
	all := map[string]puzzles.DailyResults{game: r}
	for name, other := range stored {
		if _, known := v.Games.ByName(name); known && name != game {
			all[name] = other
		}
	}
	return all
}
