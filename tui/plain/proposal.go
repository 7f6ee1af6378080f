package plain

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/game"
)

// parseProposal parses the words for a new table: "9x9 10+5 rated to bob". What they do not name has the default of the
// form for people, or of the form for bots.
func parseProposal(games game.List, args string, bot bool) (lobby.Proposal, error) {
	control, rated := clock.Default, false
	if bot {
		control = clock.Control{}
	}
	p := lobby.Proposal{Clock: &control, Rated: &rated}
	list := strings.Fields(strings.ToLower(args))
	game := games.Default()
	if len(list) > 0 {
		if g, ok := games.ByName(list[0]); ok {
			game, list = g, list[1:]
		}
	}
	choices := game.Choices()
	answers := typedAnswers{choices: choices, index: make([]int, len(choices)), isSet: make([]bool, len(choices))}
	for i, c := range choices {
		answers.index[i] = c.Default
		if bot {
			answers.index[i] = c.BotDefault
		}
	}
	for i := 0; i < len(list); i++ {
		switch word := list[i]; {
		case word == "rated":
			rated = true
		case word == "casual":
			rated = false
		case word == "private":
			p.Private = true
		case word == "to" && i+1 < len(list):
			i++
			p.To = list[i]
		case strings.HasPrefix(word, "delay="):
			turns, err := strconv.Atoi(word[len("delay="):])
			if err != nil || turns < 0 || turns > lobby.MaxDelay {
				return p, fmt.Errorf("the delay for spectators is 0 to %d turns", lobby.MaxDelay)
			}
			p.Delay = turns
		case answers.set(word):
		default:
			c, err := clock.Parse(word)
			if err != nil {
				return p, fmt.Errorf("%q is neither a clock such as 10+5 nor one of %s", word, possibleAnswers(choices))
			}
			control = c
		}
	}
	p.Game, p.Options = game.Name(), json.RawMessage(game.Options(answers.index))
	return p, nil
}

// typedAnswers collects answers to the questions of a game.
type typedAnswers struct {
	choices []game.Choice
	index   []int  // the answer to each question
	isSet   []bool // the question was answered
}

// set sets the answer that a word names, alone ("9x9"), with the question ("pie=off"), or the answers to several
// questions ("4x2": four players, two segments). It reports whether there is such an answer.
func (a *typedAnswers) set(word string) bool {
	label, value, named := strings.Cut(word, "=")
	for i, c := range a.choices {
		switch {
		case named && strings.HasPrefix(strings.ToLower(c.Label), label) && a.setChoice(i, value):
			return true
		case !named && !a.isSet[i] && a.setChoice(i, word): // of two numbers the second answers the next question
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
			a.index[i], a.isSet[i] = j, true
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
	return strings.Join(append(list, "rated", "private", "delay=TURNS", "to NAME"), ", ")
}
