package web

import (
	"html/template"
	"strings"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/limit"
	"ayumu/tui/game"
	"ayumu/tui/picture/matchpicture"
	"ayumu/tui/words"
)

// puzzleOfDay returns the puzzle of the day of a game; nil: it has none.
func (s *Server) puzzleOfDay(name string) *puzzle.Puzzle {
	if s.Puzzles == nil {
		return nil
	}
	p, err := s.Puzzles().OfDay(name, time.Now())
	if err != nil {
		return nil
	}
	return p
}

type puzzleData struct {
	layout
	Heading string
	Task    string
	Board   template.HTML
	Words   []string
	Path    string
	Answer  string
	Outcome string // of an answer; "": none was given
	Solved  bool
	Explain []string
}

// maxAnswer is the maximum length of an answer.
const maxAnswer = 200

// puzzle serves the puzzle of the day. An answer is unrated, and the page says nothing of the solution before it is right.
func (v *visit) puzzle() error {
	v.kind = "puzzle"
	g, ok := v.Games.ByName(v.r.PathValue("game"))
	if !ok {
		return errNotFound
	}
	p := v.puzzleOfDay(g.Name())
	if p == nil {
		return &statusError{errNotFound.status, "There is no puzzle of this game today."}
	}
	c := v.Puzzles()
	t := c.NewTry(p)
	d := &puzzleData{Path: "/puzzle/" + g.Name(), Answer: v.r.URL.Query().Get("answer")}
	if len(d.Answer) > maxAnswer {
		return &statusError{400, "The answer is too long."}
	}
	v.cacheFor(0)
	if d.Answer != "" {
		s, err := v.enter()
		if err != nil {
			return err
		}
		if err := s.Spend(limit.WorkPuzzle); err != nil {
			return err
		}
		next, outcome, err := t.Answer(words.PuzzleActions(v.Games, &t, d.Answer), true)
		if err != nil {
			d.Outcome = sentence(err.Error())
		} else {
			d.Outcome = words.PuzzleOutcome(outcome, next.IsOver())
			if d.Solved = next.IsSolved; d.Solved {
				d.Explain = c.Explain(p)
			}
			t = next
		}
	}
	d.Heading = "Puzzle of the day: " + g.Engine().Title()
	d.layout = v.layout(d.Heading)
	if d.Task = t.Task(); !strings.HasPrefix(d.Task, g.Side(t.Position, p.Turn)) {
		d.Task = g.Side(t.Position, p.Turn) + " to move. " + d.Task
	}
	d.Description = d.Task
	state := game.State{Position: t.Position, Seat: -1, Static: true, LastTurn: t.LastTurn, Previous: t.Previous}
	d.Board = safeSVG(matchpicture.Draw(g, state, true).Inline(d.Task, "board"))
	d.Words = g.DescribePosition(t.Position)
	return v.page("puzzle.html", d)
}
