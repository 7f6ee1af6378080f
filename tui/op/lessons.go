package op

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ayumu/engine"
	"ayumu/lobby/learn"
	"ayumu/tui/game"
)

// Lessons is a user's way through the lessons of a game. Visit.Lessons makes one. It belongs to the goroutine of the
// session.
type Lessons struct {
	Game game.Game
	At   int // index of the lesson that is shown
	// Actions are those of the solution that the user has made so far.
	Actions  []string
	IsSolved bool

	list  []learn.Lesson
	state game.State // after the solution; only if IsSolved
}

// TaughtGames returns the games that have lessons.
func (v *Visit) TaughtGames() (taught []game.Teacher) {
	for _, g := range v.Games {
		if t, ok := g.(game.Teacher); ok {
			taught = append(taught, t)
		}
	}
	return taught
}

// Lessons returns the lessons of a game at the first one that the user has not solved, or at the first of all.
func (v *Visit) Lessons(g game.Teacher) *Lessons {
	l, solved := &Lessons{Game: g, list: g.Lessons()}, v.lessonSettings().Lessons[g.Name()]
	for at := range l.list {
		if !slices.Contains(solved, at) {
			l.At = at
			break
		}
	}
	return l
}

// Lesson returns the lesson that is shown.
func (l *Lessons) Lesson() *learn.Lesson { return &l.list[l.At] }

// Len returns the number of lessons.
func (l *Lessons) Len() int { return len(l.list) }

// IsLast reports whether the last lesson is shown.
func (l *Lessons) IsLast() bool { return l.At == len(l.list)-1 }

// Step shows another lesson, from its beginning: the one by places further, at most the first or last.
func (l *Lessons) Step(by int) {
	l.At = max(min(l.At+by, len(l.list)-1), 0)
	l.Actions, l.IsSolved = nil, false
}

// Try checks the actions of a turn that the user has made so far, as Lesson.Check. Refused ones are dropped.
func (l *Lessons) Try(actions []string) (learn.Outcome, string) {
	outcome, why := l.Lesson().Check(actions)
	switch outcome {
	case learn.Refused:
		l.Actions = nil
	case learn.Incomplete:
		l.Actions = actions
	case learn.Solved:
		after, before, turn, err := l.Lesson().After(actions)
		if err != nil {
			return learn.Refused, err.Error() // cannot happen: tests play every lesson
		}
		l.state = game.State{Position: after, Previous: before, LastTurn: turn, Seat: l.Seat(), HidesMarks: l.Lesson().HidesMarks}
		l.Actions, l.IsSolved = nil, true
	}
	return outcome, why
}

// Seat returns the seat that the user plays.
func (l *Lessons) Seat() int { return l.Lesson().Position.Turn() }

// Position returns the position that is shown, without Actions.
func (l *Lessons) Position() engine.Position { return l.State().Position }

// State returns what a board shows.
func (l *Lessons) State() game.State {
	if l.IsSolved {
		return l.state
	}
	return game.State{Position: l.Lesson().Position, Draft: l.Actions, Seat: l.Seat(), CanAct: true, HidesMarks: l.Lesson().HidesMarks}
}

// Answer returns what is left of a solution after Actions; nil if the lesson is solved.
func (l *Lessons) Answer() []string {
	if l.IsSolved {
		return nil
	}
	return l.Lesson().Rest(l.Actions)
}

// AnswerTurn returns a solution of the lesson as a whole turn, for front ends that take no parts of turns: the solution,
// and if the turn goes on after it, legal actions that end it.
func (l *Lessons) AnswerTurn() []string {
	p, turn := l.Lesson().Position, slices.Clone(l.Lesson().Rest(nil))
	for i := 0; ; i++ {
		if i == len(turn) {
			turn = append(turn, lastAction(p))
		}
		next, err := p.Play(turn[i])
		if err != nil || !next.MidTurn() {
			return turn
		}
		p = next
	}
}

// lastAction returns a legal action that ends the turn, or any legal action if none does.
func lastAction(p engine.Position) string {
	legal := p.Legal()
	for _, action := range legal {
		if next, err := p.Play(action); err == nil && !next.MidTurn() {
			return action
		}
	}
	return legal[0]
}

// lessonSettings is the part of an account's settings that has the lessons that its user has solved, for each game.
type lessonSettings struct {
	Lessons map[string]solvedLessons `json:"lessons"`
}

// solvedLessons has the indexes of lessons.
type solvedLessons []int

// UnmarshalJSON also reads a number, which older settings have: so many lessons are solved, from the first one on.
func (s *solvedLessons) UnmarshalJSON(raw []byte) error {
	var n int
	if json.Unmarshal(raw, &n) != nil {
		return json.Unmarshal(raw, (*[]int)(s))
	}
	*s = nil
	for at := range min(n, maxLessons) {
		*s = append(*s, at)
	}
	return nil
}

// maxLessons is more than any game has.
const maxLessons = 100

func (v *Visit) lessonSettings() (s lessonSettings) {
	if raw := v.Session.Account().Settings; len(raw) > 0 && json.Unmarshal(raw, &s) != nil {
		return lessonSettings{}
	}
	return s
}

// SolvedLessons returns how many lessons of a game the user has solved; of a guest those of the visit.
func (v *Visit) SolvedLessons(g game.Teacher) (n int) {
	solved := v.lessonSettings().Lessons[g.Name()]
	for at := range g.Lessons() {
		if slices.Contains(solved, at) {
			n++
		}
	}
	return n
}

// SaveLesson stores with the settings of the account that the lesson with an index is solved. It may be called from any
// goroutine.
func (v *Visit) SaveLesson(ctx context.Context, game string, solved int) error {
	s := v.lessonSettings()
	if slices.Contains(s.Lessons[game], solved) {
		return nil
	}
	all := map[string]solvedLessons{game: append(slices.Clone(s.Lessons[game]), solved)}
	slices.Sort(all[game])
	for name, other := range s.Lessons {
		if _, known := v.Games.ByName(name); known && name != game {
			all[name] = other
		}
	}
	return SaveSettings(ctx, v.Session, lessonSettings{all})
}

// LessonsEnd returns what the user has reached with the last lesson of a game, as a sentence.
func (v *Visit) LessonsEnd(l *Lessons) string {
	solved, open := v.lessonSettings().Lessons[l.Game.Name()], 0
	for at := range l.list {
		if at != l.At && !slices.Contains(solved, at) { // the last one may not be stored yet
			open++
		}
	}
	title := l.Game.Engine().Title()
	if open > 0 {
		return fmt.Sprintf("That was the last lesson of %s; %d of %d are still open.", title, open, l.Len())
	}
	return fmt.Sprintf("You have solved all %d lessons: you can play %s. The help (?) has every rule.", l.Len(), title)
}

// PlayFirstGame starts a short match of a game against the weakest bot, without a clock, and returns its id. It may be
// called from any goroutine.
func (v *Visit) PlayFirstGame(ctx context.Context, g game.Game) (match string, err error) {
	first := firstBotGame(g)
	r, err := Bot.Run(ctx, v, first.args())
	return r.Match, err
}

// SetLessonGame notes the match that PlayFirstGame has started after the last lesson: the user's first mistakes in it are
// commented on.
func (v *Visit) SetLessonGame(match string) { v.lessonGame = match }
