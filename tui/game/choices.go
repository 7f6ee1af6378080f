package game

import (
	"bytes"
	"encoding/json"
)

// Any is the answer to a Choice of a quick match that accepts every answer.
const Any = -1

// DefaultAnswers returns the default answers to choices: those for a game against a bot, or between people.
func DefaultAnswers(choices []Choice, bot bool) []int {
	answers := make([]int, len(choices))
	for i, c := range choices {
		if answers[i] = c.Default; bot {
			answers[i] = c.BotDefault
		}
	}
	return answers
}

// SomeOptions returns the engine's options for answers to the choices of a game, of which some can be Any; nil if all
// are.
func SomeOptions(g Game, answers []int) json.RawMessage {
	choices := g.Choices()
	complete := DefaultAnswers(choices, false)
	for i, n := range answers {
		if n != Any {
			complete[i] = n
		}
	}
	all := fields(g.Options(complete))
	some := make(map[string]json.RawMessage)
	for i, n := range answers {
		if value, ok := all[choices[i].Option]; ok && n != Any {
			some[choices[i].Option] = value
		}
	}
	if len(some) == 0 {
		return nil
	}
	raw, err := json.Marshal(some)
	if err != nil {
		panic(err) // cannot happen: it was parsed
	}
	return raw
}

// AnswersFor returns the answers to the choices of a game that lead to options. An option that is missing, or that
// no answer gives, has the answer of missing.
func AnswersFor(g Game, options json.RawMessage, missing []int) []int {
	choices, wanted := g.Choices(), fields(options)
	complete, answers := DefaultAnswers(choices, false), append([]int(nil), missing...)
	for i, c := range choices {
		value, ok := wanted[c.Option]
		if !ok {
			continue
		}
		for n := range c.Answers {
			complete[i] = n // for those that depend on it as well
			if bytes.Equal(fields(g.Options(complete))[c.Option], value) {
				answers[i] = n
				break
			}
		}
	}
	return answers
}

// fields returns the fields of a JSON object; none if it is none.
func fields(raw json.RawMessage) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if len(raw) > 0 && json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}
