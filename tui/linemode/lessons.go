package linemode

import (
	"context"
	"fmt"
	"strings"

	"ayumu/lobby/learn"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// lessonCommand is a command while a lesson is open.
type lessonCommand struct {
	name, args, help string
	do               func(t *session, args string)
}

// findLessonCommand returns the command of lessons with a name, or the only one with that prefix.
func findLessonCommand(name string) (c lessonCommand, ok bool) {
	if len(name) > 1 && strings.HasPrefix("leave", name) {
		name = "lobby"
	}
	n := 0
	for _, l := range lessonTable {
		if l.name == name {
			return l, true
		}
		if strings.HasPrefix(l.name, name) {
			c, n = l, n+1
		}
	}
	return c, n == 1
}

// lessonTable has the commands that mean something else, or more, while a lesson is open.
var lessonTable = []lessonCommand{
	{"board", "", "describe the position of the lesson", (*session).printLessonBoard},
	{"move", "MOVE", "answer the lesson. You can also type the move alone", (*session).answerLesson},
	{"next", "", "go to the next lesson", func(t *session, _ string) { t.nextLesson() }},
	{"solution", "", "show a solution", (*session).printLessonSolution},
	{"lobby", "", "leave the lessons; next time you continue there", (*session).leaveLessons},
}

// learn opens the lessons of a game, or goes to another lesson: "learn", "learn next", "learn back".
func (t *session) learn(args string) {
	args = strings.ToLower(args)
	switch {
	case args == "next" && t.lessons != nil:
		t.nextLesson()
		return
	case args == "back" && t.lessons != nil:
		t.stepLesson(-1)
		return
	case args == "" && t.lessons != nil:
		t.printLesson()
		return
	case args == "coach on" || args == "coach off":
		t.setCoach(args == "coach on")
		return
	}
	taught := t.visit.TaughtGames()
	var names []string
	for _, g := range taught {
		if g.Name() == args {
			t.openLessons(g)
			return
		}
		names = append(names, "learn "+g.Name())
	}
	switch {
	case args != "" || len(taught) == 0:
		t.printf("There are no lessons of that name. Type %s.", strings.Join(names, " or "))
	case len(taught) == 1:
		t.openLessons(taught[0])
	default:
		for _, g := range taught {
			t.printf("%s: %s.", g.Engine().Title(), t.describeProgress(g))
		}
		t.printf("Type %s.", strings.Join(names, " or "))
	}
}

// setCoach stores whether the user wants advice in their first games against bots.
func (t *session) setCoach(on bool) {
	if !t.call(func(ctx context.Context) error { return t.visit.SetCoach(ctx, on) }) {
		return
	}
	if t.coach = (op.Coach{}); !on {
		t.printf("Coaching is off.")
		return
	}
	if m := t.current(); m != nil {
		t.coach = t.visit.Coach(m)
	}
	t.printf("Coaching is on: advice and warnings in your first games against bots.")
}

// describeProgress describes how many lessons of a game the user has solved.
func (t *session) describeProgress(g game.Teacher) string {
	return fmt.Sprintf("%s, %d solved", words.Plural(len(g.Lessons()), "lesson"), t.visit.SolvedLessons(g))
}

// openLessons opens the lessons of a game where the user left them. A match that is open goes on.
func (t *session) openLessons(g game.Teacher) {
	if m := t.current(); m != nil && m.ClockRuns() {
		t.printf("The game you are leaving continues and your clock keeps running.")
	}
	t.closeMatch()
	t.lessons = t.visit.Lessons(g)
	t.printf("Lessons of %s. Type your move, solution if you are stuck, board for the position, Enter after a solved lesson, learn next to skip one, learn back, or lobby to leave.", g.Engine().Title())
	t.printLesson()
}

// printLesson prints the lesson with its position, or the position after the solution.
func (t *session) printLesson() {
	l := t.lessons.Lesson()
	t.printf("Lesson %d of %d: %s. You are %s.", t.lessons.At+1, t.lessons.Len(), l.Title, t.lessons.Game.Side(l.Position, t.lessons.Seat()))
	if t.lessons.IsSolved {
		t.printLessonDone()
		return
	}
	t.printf("%s", op.WithoutKeys(l.Text))
	t.printLessonBoard("")
	t.printf("%s", op.WithoutKeys(l.Task))
}

func (t *session) printLessonBoard(string) {
	for _, line := range t.lessons.Game.DescribePosition(t.lessons.Position()) {
		t.printf("%s", line)
	}
}

// answerLesson checks a typed turn.
func (t *session) answerLesson(args string) {
	l := t.lessons
	if l.IsSolved {
		t.printf("This lesson is solved. Press Enter for the next one.")
		return
	}
	turn, err := l.Game.ParseTurn(l.Position(), args)
	if whole, wholeErr := l.Game.ParseTurn(l.Position(), args+"; end"); err != nil && wholeErr == nil {
		turn, err = whole, nil // a task need not end the turn
	}
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	switch outcome, why := l.Try(turn); outcome {
	case learn.Solved:
		t.printLessonDone()
		t.call(func(ctx context.Context) error { return t.visit.SaveLesson(ctx, l.Game.Name(), l.At) })
	case learn.Incomplete: // cannot happen: a line has a whole turn, and no solution goes on after one
		l.Actions = nil
		t.printf("%s", op.WithoutKeys(l.Lesson().Task))
	default:
		t.printf("Wrong: %s Try again.", words.Sentence(why))
	}
}

// printLessonDone prints what the solution has shown.
func (t *session) printLessonDone() {
	l := t.lessons
	s := l.State()
	t.printf("Right. %s", words.Sentence(l.Game.DescribeTurn(s.Position, s.LastTurn, l.Game.Side(s.Previous, s.Previous.Turn()))))
	t.printf("%s", op.WithoutKeys(l.Lesson().Done))
	switch {
	case !l.IsLast():
		t.printf("Press Enter for the next lesson.")
	case t.config.Bots != nil:
		t.printf("%s Press Enter to play %s.", t.visit.LessonsEnd(l), t.config.Bots.Name(op.FirstBotLevel))
	default:
		t.printf("%s", t.visit.LessonsEnd(l))
	}
}

// printLessonSolution prints a solution.
func (t *session) printLessonSolution(string) {
	l := t.lessons
	if l.IsSolved {
		t.printLessonDone()
		return
	}
	t.printf("The solution: %s Type: %s", words.Sentence(l.Game.DescribeTurn(l.Position(), l.Answer(), "")), typedForm(l.AnswerTurn()))
}

// nextLesson goes to the next lesson, after the last one to a first game against a bot.
func (t *session) nextLesson() {
	g := t.lessons.Game
	switch {
	case !t.lessons.IsLast():
		t.stepLesson(1)
		return
	case t.config.Bots == nil:
		t.leaveLessons("")
		return
	}
	var match string
	if t.call(func(ctx context.Context) (err error) {
		match, err = t.visit.PlayFirstGame(ctx, g)
		return err
	}) {
		t.visit.SetLessonGame(match)
		t.visit.Expect(match)
		t.openMatch(match, "")
	}
}

func (t *session) stepLesson(by int) {
	t.lessons.Step(by)
	t.printLesson()
}

func (t *session) leaveLessons(string) {
	t.lessons = nil
	t.printf("You are in the lobby.")
}
