package game_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby/learn"
	"ayumu/tui/game"
	"ayumu/tui/game/gametest"
)

// Reading and playing at the pace of the tables in docs/engines.md, section 5.
const (
	wordsPerMinute = 200
	secondsPerKey  = 2
)

// enough has, by game, the lessons that are enough to play: the numbers from 1, and how many seconds they may take.
var enough = map[string]struct {
	lessons []int
	seconds int
}{
	"ayu": {[]int{1, 2, 3, 4, 5, 6, 7, 8}, 180},
	"mu":  {[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 15}, 360},
}

// maxTabs is the number of Tabs up to which ways to a piece and to its target are tried.
const maxTabs = 12

// fewestKeys returns the fewest keys of Tab, Enter and those of the game with which a solution of a lesson is played on the board,
// action by action.
func fewestKeys(t *testing.T, g game.Game, l *learn.Lesson) int {
	t.Helper()
	best := 0
	for _, solution := range l.Solutions {
		if n := keysOf(t, g, l, solution); best == 0 || n < best {
			best = n
		}
	}
	if len(l.Solutions) == 0 {
		best = keysOf(t, g, l, l.Rest(nil))
	}
	return best
}

func keysOf(t *testing.T, g game.Game, l *learn.Lesson, solution []string) int {
	t.Helper()
	var keys []string
	for i := range solution {
		var ways [][]string
		for n := range 2*maxTabs + 1 {
			for from := range min(n, maxTabs) + 1 {
				way := append(slices.Repeat([]string{"tab"}, from), "enter")
				ways = append(ways, slices.Concat(way, slices.Repeat([]string{"tab"}, n-from), []string{"enter"}))
				if from == n {
					ways = append(ways, way)
				}
			}
		}
		ways = append(ways, []string{"e", "e"}, []string{"s", "enter"})
		slices.SortStableFunc(ways, func(a, b []string) int { return len(a) - len(b) })
		way := slices.IndexFunc(ways, func(way []string) bool {
			return slices.Equal(played(g, l, slices.Concat(keys, way)), solution[:i+1])
		})
		if way < 0 {
			t.Fatalf("%s: %s: no keys play %q", g.Name(), l.Title, solution[i])
		}
		keys = append(keys, ways[way]...)
	}
	return len(keys)
}

// played returns the actions that keys make on a new board of a lesson.
func played(g game.Game, l *learn.Lesson, keys []string) (actions []string) {
	b := g.New()
	state := game.State{Position: l.Position, Seat: l.Position.Turn(), CanAct: true}
	b.Show(state)
	for _, key := range keys {
		switch r := b.Key(key); {
		case r.Turn != nil:
			actions = r.Turn
		case r.Draft != nil:
			actions, state.Draft = r.Draft, r.Draft
			b.Show(state)
		}
	}
	return actions
}

// TestLessonsTakeMinutes computes how long the lessons take: their words, and the fewest keys with Enter for the next one. The
// lessons that are enough to play take no longer than three minutes of Ayu and six of Mu, nor do all with a key a second. The
// figures are those of docs/engines.md, section 5.
func TestLessonsTakeMinutes(t *testing.T) {
	document, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gametest.Games {
		teacher, ok := g.(game.Teacher)
		if !ok {
			continue
		}
		words, keys, needed := 0, 0, 0
		for i, l := range teacher.Lessons() {
			w, k := len(strings.Fields(l.Title+" "+l.Text+" "+l.Task+" Right. "+l.Done)), fewestKeys(t, g, &l)+1
			words, keys = words+w, keys+k
			if slices.Contains(enough[g.Name()].lessons, i+1) {
				needed += w*60/wordsPerMinute + k*secondsPerKey
			}
			t.Logf("| %d | %s | %d | %d | %d |", i+1, l.Title, w, k, w*60/wordsPerMinute+k*secondsPerKey)
		}
		seconds := words*60/wordsPerMinute + keys*secondsPerKey
		t.Logf("%s: %d words, %d keys, %d s; enough to play: %d s", g.Engine().Title(), words, keys, seconds, needed)
		row := fmt.Sprintf(`\| %s \| %d \| %d \| %d \| %d \| [^|]* \| %d \|`, g.Engine().Title(), len(teacher.Lessons()), words, keys, seconds, needed)
		if !regexp.MustCompile(row).Match(document) {
			t.Errorf("docs/engines.md has no row like %s", row)
		}
		most := enough[g.Name()].seconds
		if needed > most {
			t.Errorf("%s: the lessons that are enough to play take %d s, not %d", g.Name(), needed, most)
		}
		if quick := words*60/wordsPerMinute + keys; quick > most {
			t.Errorf("%s: with a key a second all lessons take %d s, not %d", g.Name(), quick, most)
		}
	}
}
