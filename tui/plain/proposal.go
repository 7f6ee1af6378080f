package plain

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/sanitize"
	"ayumu/tui/game"
	"ayumu/tui/op"
)

// typedTerms are the words for a game: "9x9 10+5 rated to bob". What they do not name is nil, 0 or game.Any.
type typedTerms struct {
	game    game.Game
	answers []int // to the choices of game, or of the default game
	control *clock.Control
	rated   *bool
	private bool
	to      string
	delay   int
	first   lobby.First
	anyGame bool // the word any instead of a game
	here    bool // from the position that is shown
}

// parseTerms parses the words for a game.
func parseTerms(games game.List, args string) (typedTerms, error) {
	var t typedTerms
	list := strings.Fields(strings.ToLower(args))
	if len(list) > 0 {
		if g, ok := games.ByName(list[0]); ok {
			t.game, list = g, list[1:]
		} else if list[0] == "any" {
			t.anyGame, list = true, list[1:]
		}
	}
	choices := t.orDefault(games).Choices()
	t.answers = make([]int, len(choices))
	for i := range t.answers {
		t.answers[i] = game.Any
	}
	answers := typedAnswers{choices, t.answers}
	for i := 0; i < len(list); i++ {
		switch word := list[i]; {
		case word == "rated", word == "casual":
			rated := word == "rated"
			t.rated = &rated
		case word == "here":
			t.here = true
		case word == "private":
			t.private = true
		case word == "to" && i+1 < len(list):
			i++
			t.to = list[i]
		case strings.HasPrefix(word, "delay="):
			turns, err := strconv.Atoi(word[len("delay="):])
			if err != nil || turns < 0 || turns > lobby.MaxDelay {
				return t, fmt.Errorf("the delay for spectators is 0 to %d turns", lobby.MaxDelay)
			}
			t.delay = turns
		case strings.HasPrefix(word, "first="):
			first, ok := map[string]lobby.First{"me": lobby.FirstOwner, "other": lobby.FirstOpponent, "random": lobby.FirstRandom}[word[len("first="):]]
			if !ok {
				return t, fmt.Errorf("the first move is first=me, first=other or first=random")
			}
			t.first = first
		case answers.set(word):
			t.game = t.orDefault(games)
		default:
			c, err := clock.Parse(word)
			if err != nil {
				return t, fmt.Errorf("%q is neither a clock such as 10+5 nor one of %s", sanitize.Line(word, 40), possibleAnswers(choices))
			}
			t.control = &c
		}
	}
	return t, nil
}

// orDefault returns the game that was named, otherwise the default one.
func (t *typedTerms) orDefault(games game.List) game.Game {
	if t.game != nil {
		return t.game
	}
	return games.Default()
}

// options returns the options of a game with the default answers where none was named.
func (t *typedTerms) options(g game.Game, bot bool) json.RawMessage {
	answers := game.DefaultAnswers(g.Choices(), bot)
	for i, n := range t.answers {
		if n != game.Any {
			answers[i] = n
		}
	}
	return g.Options(answers)
}

// proposal returns the proposal of a table. What was not named has the default of the form.
func (t *typedTerms) proposal(games game.List) lobby.Proposal {
	g, control, rated := t.orDefault(games), clock.Default, t.rated != nil && *t.rated
	if t.control != nil {
		control = *t.control
	}
	return lobby.Proposal{
		Game: g.Name(), Options: t.options(g, false), Clock: &control, Rated: &rated,
		Private: t.private, To: t.to, Delay: t.delay, First: t.first,
	}
}

// botGame returns the game against a bot of a level. What was not named has the default of the form.
func (t *typedTerms) botGame(games game.List, level int) op.BotGame {
	g, control := t.orDefault(games), clock.Control{}
	if t.control != nil {
		control = *t.control
	}
	return op.BotGame{
		Wanted: op.Wanted{Game: g.Name(), Options: t.options(g, true), Clock: op.WantedClock(&control), Rated: t.rated},
		Level:  level, First: t.first,
	}
}

// quickMatch returns the quick match that was named. What was not named may be anything, except for the game, which
// is then the default one.
func (t *typedTerms) quickMatch(games game.List) op.Wanted {
	w := op.Wanted{Clock: op.WantedClock(t.control), Rated: t.rated}
	if !t.anyGame || t.game != nil {
		g := t.orDefault(games)
		w.Game, w.Options = g.Name(), game.SomeOptions(g, t.answers)
	}
	return w
}

// typedAnswers collects answers to the questions of a game.
type typedAnswers struct {
	choices []game.Choice
	index   []int // the answer to each question; game.Any if there is none
}

// set sets the answer that a word names, alone ("9x9"), with the question ("pie=off"), or the answers to several
// questions ("4x2": four players, two segments). It reports whether there is such an answer.
func (a *typedAnswers) set(word string) bool {
	label, value, named := strings.Cut(word, "=")
	for i, c := range a.choices {
		switch {
		case named && strings.HasPrefix(strings.ToLower(c.Label), label) && a.setChoice(i, value):
			return true
		case !named && !c.NeverRated && a.index[i] == game.Any && a.setChoice(i, word): // of two numbers the second answers the next question
			return true
		}
	}
	values := strings.Split(word, "x")
	if len(values) < 2 || len(values) > len(a.choices) {
		return false
	}
	for i, v := range values {
		if !a.setChoice(i, v) {
			return false
		}
	}
	return true
}

// setChoice sets the answer to a question; ok is false if it has no such answer.
func (a *typedAnswers) setChoice(i int, value string) (ok bool) {
	for j, answer := range a.choices[i].Answers {
		if typedAnswer(answer) == value {
			a.index[i] = j
			return true
		}
	}
	return false
}

// typedAnswer returns an answer as it is typed.
func typedAnswer(answer string) string {
	return strings.ToLower(strings.NewReplacer("×", "x", " ", "").Replace(answer))
}

// possibleAnswers lists all words that a table accepts beside its clock.
func possibleAnswers(choices []game.Choice) string {
	var list []string
	for i, c := range choices {
		for _, a := range c.Answers {
			if i > 0 {
				label, _, _ := strings.Cut(strings.ToLower(c.Label), " ")
				a = label + "=" + a
			}
			list = append(list, typedAnswer(a))
		}
	}
	return strings.Join(append(list, "rated", "casual", "private", "here", "delay=TURNS", "first=me", "first=other", "to NAME"), ", ")
}
