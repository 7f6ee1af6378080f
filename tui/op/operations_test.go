package op

import (
	"strings"
	"testing"
)

// TestEveryFrontEndHasEveryOperation checks that each operation is offered or has a reason, in each front end, and that its
// help is a clause.
func TestEveryFrontEndHasEveryOperation(t *testing.T) {
	for _, o := range NewOperations(All()...).All() {
		i := o.Info()
		for end, p := range map[string]Availability{"screens": i.On.Screen, "line mode": i.On.Line, "SSH": i.On.SSH, "API": i.On.API} {
			switch {
			case end == "screens" && len(p.Names) == 0 && p.Reason == "":
				t.Errorf("%s: %s has neither a way nor a reason", i.Name, end)
			case len(p.Names) > 0 && p.Reason != "":
				t.Errorf("%s: %s has a way and a reason against it", i.Name, end)
			case p.Reason != "":
				t.Logf("%s is not in %s: %s", i.Name, end, p.Reason)
			}
		}
	}
}

// TestOfflineOperations has the operations that work without other people and without a server. One is missing where a
// person who is alone cannot do it, or never needs it: a bot refuses every draw.
func TestOfflineOperations(t *testing.T) {
	const want = "bot local play next waiting board status act legal undo rematch resign abort unwatch record turns turn back try live hint analysis " +
		"finished more replay profile rules learn puzzle daily answer puzzle_hint puzzle_solution puzzles name settings help messages quit"
	all := NewOperations(All()...)
	offline := all.Offline()
	var names []string
	for _, o := range offline.All() {
		names = append(names, o.Info().Name)
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the operations are %s", got)
	}
	if all.LacksKeys() || !all.HasKey("match", "t") {
		t.Error("keys are absent where all operations are offered")
	}
	for key, has := range map[string]bool{"t": false, "=": false, ";": false, "u": true, "h": true} {
		if offline.HasKey("match", key) != has {
			t.Errorf("the key %s of a match: %t", key, !has)
		}
	}
}
