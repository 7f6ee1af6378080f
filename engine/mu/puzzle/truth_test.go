package puzzle

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/mu/mutest"
	"ayumu/engine/puzzle"
)

const (
	shortShare = 5      // with -short every fifth puzzle is checked
	answers    = 60     // wrong answers of a puzzle whose reasons are checked
	mostDrafts = 50_000 // positions within a turn; no puzzle that ships has as many
)

// TestAllThatPuzzlesSayIsTrue proves every sentence about each puzzle that ships: its task, its hints and explanation, and
// the reasons against wrong answers. The proofs are those of package mutest, which plays all turns. A sentence that kinds
// does not have fails, so that a new one must get its proof.
func TestAllThatPuzzlesSayIsTrue(t *testing.T) {
	all, err := puzzle.Read(strings.NewReader(Shipped))
	if err != nil {
		t.Fatal(err)
	}
	number, wrong := make(map[string]int), make(map[string]int)
	for i := range all {
		if testing.Short() && i%shortShare > 0 {
			continue
		}
		z := &all[i]
		theme, _ := themes.Of(z)
		start, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		c := &claims{t: t, z: z, start: start.(*mu.Position), number: number, wrong: wrong}
		ends, ok := mutest.Ends(c.start, z.Theme == "territory", mostDrafts)
		if !ok {
			t.Errorf("%s has too many turns", z.ID)
		}
		var turns []string
		for end, actions := range ends {
			turns = append(turns, strings.Join(actions, "; "))
			c.best = max(c.best, mutest.Territory(end)[z.Turn])
		}
		c.check("", theme.Task(z))
		c.check("", theme.Hints(z, 0)...)
		c.check("", theme.Explain(z, start)...)
		if z.Theme == "explosions" {
			ends, _ := mutest.Ends(c.start, true, answers)
			for _, actions := range ends {
				turns = append(turns, strings.Join(actions, "; "))
			}
		}
		slices.Sort(turns)
		for i := 0; i < len(turns); i += 1 + len(turns)/answers {
			if ok, why, _ := theme.Accepts(z, 0, start, strings.Split(turns[i], "; ")); !ok {
				c.check(turns[i], why)
			}
		}
	}
	var names []string
	for name := range number {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%4d of %4d false: %s", wrong[name], number[name], name)
	}
	for _, k := range kinds {
		if number[k.name] == 0 && !testing.Short() {
			t.Errorf("no puzzle says %q", k.name)
		}
	}
}

// claims checks what is said about one puzzle.
type claims struct {
	t             *testing.T
	z             *puzzle.Puzzle
	start         *mu.Position
	best          int            // the most territory that an answer reaches
	number, wrong map[string]int // of sentences of each kind
}

// check proves sentences. answer is the wrong turn that they are about; empty for none.
func (c *claims) check(answer string, texts ...string) {
	for _, text := range texts {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.pattern.MatchString(text) && (k.theme == "" || k.theme == c.z.Theme) })
		if i < 0 {
			c.t.Errorf("%s %s: nothing proves %q", c.z.Theme, c.z.ID, text)
			continue
		}
		k := kinds[i]
		c.number[k.name]++
		if why := k.prove(c, answer, k.pattern.FindStringSubmatch(text)); why != "" {
			c.wrong[k.name]++
			c.t.Errorf("%s %s %s: %q: %s", c.z.Theme, c.z.ID, answer, text, why)
		}
	}
}

// territory returns the territory of the solver after a turn.
func (c *claims) territory(turn string) int {
	after, err := engine.PlayTurn(c.start, strings.Split(turn, "; "))
	if err != nil {
		c.t.Fatalf("%s: %s: %v", c.z.ID, turn, err)
	}
	return mutest.Territory(after.(*mu.Position))[c.z.Turn]
}

// reaches checks that the solution reaches the most territory, and that this is n.
func (c *claims) reaches(n string) string {
	if got := c.territory(strings.Join(c.z.Line[0].Actions, "; ")); got != c.best || strconv.Itoa(got) != n {
		return fmt.Sprintf("the solution reaches %d, the best turn %d", got, c.best)
	}
	return ""
}

// kind is a sentence with the proof of what it says. words are what the pattern has found. prove returns why the sentence
// is false.
type kind struct {
	theme, name string // of one theme only, if it is not empty
	pattern     *regexp.Regexp
	prove       func(c *claims, answer string, words []string) (why string)
}

// sentence returns a kind. In its text # is a number, @ a cell, $ an action and & a turn.
func sentence(theme, text string, prove func(c *claims, answer string, words []string) string) kind {
	pattern := strings.NewReplacer("#", `(\d+)`, "@", `(-?\d+,-?\d+)`, "$", `([a-z0-9, -]+)`, "&", `([a-z0-9,; -]+)`).Replace(strings.ReplaceAll(text, ".", `\.`))
	return kind{theme, text, regexp.MustCompile("^" + pattern + "$"), prove}
}

func reachesNumber(c *claims, _ string, w []string) string { return c.reaches(w[1]) }

func reachesWith(c *claims, _ string, w []string) string {
	if w[1] != strings.Join(c.z.Line[0].Actions, "; ") {
		return "that is not the solution"
	}
	return c.reaches(w[2])
}

var kinds = []kind{
	sentence("territory", "Find the turn after which you have the most territory: # cells.", reachesNumber),
	sentence("explosions", "Choose the order of explosions that leaves you the most territory, # cells, and end the turn.", reachesNumber),
	sentence("", "Begin on the cell @.", func(c *claims, _ string, w []string) string {
		if words := strings.Fields(c.z.Line[0].Actions[0]); words[1] != w[1] {
			return "the solution begins elsewhere"
		}
		return c.reaches(strconv.Itoa(c.best))
	}),
	sentence("", "First: $.", func(c *claims, _ string, w []string) string {
		if c.z.Line[0].Actions[0] != w[1] {
			return "the solution begins with another"
		}
		return c.reaches(strconv.Itoa(c.best))
	}),
	sentence("territory", "&: you have # cells of territory, and no other turn reaches more.", reachesWith),
	sentence("explosions", "&: you have # cells of territory, and no other order of explosions leaves you more without a further move.", reachesWith),
	sentence("territory", "A pass would leave you # cells.", func(c *claims, _ string, w []string) string {
		if n := c.territory("end"); strconv.Itoa(n) != w[1] {
			return fmt.Sprintf("it leaves %d", n)
		}
		return ""
	}),
	sentence("", "the territory is # cells, and # are possible", func(c *claims, answer string, w []string) string {
		if n := c.territory(answer); strconv.Itoa(n) != w[1] || n >= c.best || strconv.Itoa(c.best) != w[2] {
			return fmt.Sprintf("it is %d, and %d are possible", n, c.best)
		}
		return ""
	}),
	sentence("explosions", "end the turn without a further move", func(c *claims, answer string, _ []string) string {
		if !strings.Contains(answer, "move ") {
			return "there is no move"
		}
		return ""
	}),
}
