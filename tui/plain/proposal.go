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
	answers := make([]int, len(choices))
	for i, c := range choices {
		answers[i] = c.Default
		if bot {
			answers[i] = c.BotDefault
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
		case setAnswer(choices, answers, word):
		default:
			c, err := clock.Parse(word)
			if err != nil {
				return p, fmt.Errorf("%q is neither a clock such as 10+5 nor one of %s", word, possibleAnswers(choices))
			}
			control = c
		}
	}
	p.Game, p.Options = game.Name(), json.RawMessage(game.Options(answers))
	return p, nil
}

// setAnswer sets the answer that a word names, alone ("9x9") or with the question ("pie=off"). It reports
// whether there is such an answer.
func setAnswer(choices []game.Choice, answers []int, word string) bool {
	label, value, named := strings.Cut(word, "=")
	for i, c := range choices {
		if named && !strings.HasPrefix(strings.ToLower(c.Label), label) {
			continue
		}
		for j, a := range c.Answers {
			if a = typedAnswer(a); named && a == value || !named && a == word {
				answers[i] = j
				return true
			}
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
