package op

import (
	"encoding/json"
	"testing"

	"ayumu/lobby"
)

// TestAListOfAViewIsEncodedOnce: visits that ask for the list of the same view share one encoding of it.
func TestAListOfAViewIsEncodedOnce(t *testing.T) {
	var cache viewCache
	made := 0
	list := func(*lobby.View) any { made++; return []int{made} }
	first, second := new(lobby.View), new(lobby.View)
	for i, c := range []struct {
		view *lobby.View
		want string
	}{{first, "[1]"}, {first, "[1]"}, {second, "[2]"}, {second, "[2]"}} {
		if got, isJSON := cache.get(c.view, list).(json.RawMessage); !isJSON || string(got) != c.want {
			t.Errorf("answer %d is %s, want %s", i+1, got, c.want)
		}
	}
	if made != 2 {
		t.Errorf("the lists of two views were encoded %d times", made)
	}
}

// TestVisitsShareAnswers: a visit that is given answers uses them, and one without makes its own.
func TestVisitsShareAnswers(t *testing.T) {
	withHarness(t, func(h *harness) {
		a := NewAnswers()
		own := &Config{Lobby: h.Lobby, Answers: a}
		if own.Command().Answers != a {
			t.Error("the visit of a command does not use the answers of its server")
		}
		if h.guest().Answers == nil {
			t.Error("a visit has no answers")
		}
	})
}
