package bots

import (
	"fmt"
	"testing"
	"time"

	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
)

// TestThinkerRemembersLittle checks that the searchers of the latest matches only are kept, one for each
// level, and none of finished matches.
func TestThinkerRemembersLittle(t *testing.T) {
	th := thinker{engines: enginetest.Engines}
	p := ayu.Game{}.New(ayu.Options{Size: 3})
	ask := func(level int, match string) {
		t.Helper()
		actions, err := th.think(t.Context(), turnRequest{match, level, 0, ayu.Game{}, p, time.Minute})
		if err != nil || len(actions) != 1 {
			t.Errorf("%v: %v", actions, err)
		}
	}
	ask(1, "first")
	ask(2, "first")
	first := th.searchers[searcherKey{1, 0, "first"}]
	for n := range 2 * maxSearchers {
		ask(1, fmt.Sprint(n))
		ask(1, "first")
	}
	if len(th.searchers) != maxSearchers || th.searchers[searcherKey{1, 0, "first"}] != first || th.searchers[searcherKey{2, 0, "first"}] != nil {
		t.Errorf("it remembers %d games", len(th.searchers))
	}
	th.forget("first")
	if len(th.searchers) != maxSearchers-1 || th.searchers[searcherKey{1, 0, "first"}] != nil {
		t.Errorf("it remembers %d games after one is over", len(th.searchers))
	}
}
