package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
	"ayumu/engine/mu"
	"ayumu/lobby/record"
)

// turnsText returns all turns of a game in one line.
func turnsText(g *Game) string {
	turns := make([]string, len(g.Turns))
	for i, t := range g.Turns {
		turns[i] = strings.Join(t, "; ")
	}
	return strings.Join(turns, " | ")
}

// matchConfig returns a match between sides as they are given on the command line.
func matchConfig(t *testing.T, sides ...string) Config {
	t.Helper()
	c := Config{Game: ayu.Game{}, Options: ayu.Options{Size: 5}, Engines: enginetest.Engines, Games: 6, Opening: 2, Seed: 1, TurnTimeout: time.Minute, Grace: 50 * time.Millisecond}
	for _, text := range sides {
		s, err := ParseSide(text)
		if err != nil {
			t.Fatal(err)
		}
		c.Sides = append(c.Sides, s)
	}
	return c
}

// playMatch plays a match and returns its games in order.
func playMatch(t *testing.T, c Config) (*Report, []*Game) {
	t.Helper()
	var games []*Game
	c.Done = func(g *Game, _ Tally) { games = append(games, g) }
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(games, func(a, b *Game) int { return a.Number - b.Number })
	return r, games
}

func TestSmallMatch(t *testing.T) {
	c := matchConfig(t, "level:1", "level:2")
	r, games := playMatch(t, c)
	wins := 0
	for i, g := range games {
		if g.Final == nil || g.Number != i+1 || g.Opening != i/2 || g.Seats[i%2] != 0 {
			t.Errorf("game %d: %+v", i, g)
		}
		if g.Opening != games[i/2*2].Opening || fmt.Sprint(g.Turns[:2]) != fmt.Sprint(games[i/2*2].Turns[:2]) {
			t.Errorf("game %d begins with %v", i, g.Turns[:2])
		}
		if g.Share(0) == 1 {
			wins++
		}
		var text bytes.Buffer
		if err := c.Record(g, time.Unix(1e9, 0)).Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := record.Read(&text, enginetest.Games)
		if err == nil {
			err = again.Check()
		}
		if err != nil {
			t.Errorf("game %d: %v", i, err)
		}
	}
	if len(games) != 6 || r.Tally.Games() != 6 || r.Tally.Wins != wins {
		t.Errorf("%d games, %+v", len(games), r.Tally)
	}
	// The same seed plays the same games, on several cores too; another one others.
	c.AtOnce = 3
	_, again := playMatch(t, c)
	for i := range games {
		if turnsText(games[i]) != turnsText(again[i]) {
			t.Errorf("game %d is another one the second time", i)
		}
	}
	c.Seed = 2
	if _, other := playMatch(t, c); turnsText(other[0]) == turnsText(games[0]) {
		t.Error("another seed plays the same game")
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "6 games: ") || !strings.Contains(b.String(), "; Elo ") {
		t.Errorf("%v: it prints\n%s", err, b.String())
	}
	text, err := json.Marshal(r)
	var j reportJSON
	if err == nil {
		err = json.Unmarshal([]byte(strings.Replace(string(text), `"options":{"size":5,"pie":false},`, "", 1)), &j)
	}
	if err != nil || j.Games != 6 || j.Won != r.Tally.Wins || len(j.Sides) != 2 || j.Sides[0].Turns == 0 || j.Sides[1].Faults == nil || j.Elo == nil {
		t.Errorf("%v: the JSON is %s", err, text)
	}
}

// The test ends early where one side wins all, and says so.
func TestSPRTStops(t *testing.T) {
	c := matchConfig(t, "greedy", "random")
	c.Games, c.Options = 400, ayu.Options{Size: 7}
	c.SPRT = &SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}
	r, games := playMatch(t, c)
	if !r.Stopped || len(games) >= 200 || r.c.SPRT.Verdict(r.Tally) != "elo1" {
		t.Errorf("%d games, %+v", len(games), r.Tally)
	}
}

// The first side takes one seat of a game of more, each in its turn.
func TestSeatsRotate(t *testing.T) {
	c := matchConfig(t, "random", "greedy")
	c.Game, c.Options, c.Games, c.MaxTurns = mu.Game{}, mu.Options{Players: 3, Segments: 1, Min: 3}, 6, 60
	r, games := playMatch(t, c)
	for i, g := range games {
		want := []int{1, 1, 1}
		want[i%3] = 0
		if !slices.Equal(g.Seats, want) || len(g.Winners) == 0 || g.Final == nil != g.Forced {
			t.Errorf("game %d: seats %v, %+v", i, g.Seats, g)
		}
	}
	if n := r.Tally.Games(); n != 6 {
		t.Errorf("%d games", n)
	}
}

// writeScript writes a shell script and returns the command that runs it. The script itself is not executable: Linux
// refuses to run a file that is open for writing ("text file busy"), as it still is in a process that another test was
// starting while this one wrote.
func writeScript(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "player")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "sh " + path
}

// Programs that fail lose their games with the reason, and the match goes on.
func TestFaultyPrograms(t *testing.T) {
	const begin = "read line; printf '= \\n\\n'\n"
	for _, c := range []struct{ name, kind, text, why string }{
		{"hangs", "codecup", "sleep 1000", "out of time"},
		{"hangs in a turn", "gtp", begin + "sleep 1000", "out of time"},
		{"dies", "codecup", "echo 'it hurts' >&2; exit 3", `the program exited with the message "it hurts"`},
		{"dies at once", "gtp", "echo 'no board' >&2; exit 3", `the program exited with the message "no board"`},
		{"refuses the game", "gtp", "while read line; do printf '? no\\n\\n'; done", `the answer to "newgame ayu 11 nopie" is "? no"`},
		{"dies in a turn", "gtp", begin + "exit 0", "the program exited"},
		{"answers rubbish", "codecup", "while read line; do echo hello; done", "illegal: hello: a move is written like b1-b2"},
		{"answers nothing", "gtp", "while read line; do printf '= \\n\\n'; done", "illegal: a move is written like b1-b2"},
		{"refuses", "gtp", begin + "while read line; do printf '? no\\n\\n'; done", `is "? no"`},
		{"plays what is not legal", "codecup", "while read line; do echo A1-A2; done", "illegal: a1-a2: there is no stone on a1"},
		{"says too much", "codecup", "while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done", "a line of more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			// The program moves first, so that a built-in player need not be in time.
			m := matchConfig(t, c.kind+":"+writeScript(t, c.text), "random")
			m.Games, m.Opening, m.Options = 1, 0, ayu.Options{Size: 11}
			// Whoever hangs is out of time soon; nobody else may be, however busy the machine is.
			m.Turn = 50 * time.Millisecond
			if !strings.HasPrefix(c.name, "hangs") {
				m.Turn = time.Minute
			}
			r, games := playMatch(t, m)
			if g := games[0]; !g.Fault || g.Loser != 0 || g.Share(0) != 0 || !strings.Contains(g.Reason, c.why) {
				t.Errorf("%+v", g)
			}
			var b strings.Builder
			if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "lost 1 by a fault\n  game 1: ") {
				t.Errorf("%v: it prints\n%s", err, b.String())
			}
		})
	}
}

// TestAProgramThatDiesLosesAtOnce plays several games with it, in both seats and with an opening.
func TestAProgramThatDiesLosesAtOnce(t *testing.T) {
	c := matchConfig(t, "gtp:false", "random")
	c.Games = 4
	began := time.Now()
	r, games := playMatch(t, c)
	if took := time.Since(began); took > startTimeout/2 {
		t.Errorf("4 games took %v", took)
	}
	for _, g := range games {
		if !g.Fault || g.Seats[g.Loser] != 0 || g.Share(1) != 1 || g.Reason != "the program exited" || len(g.Turns) != c.Opening {
			t.Errorf("%+v", g)
		}
	}
	if r.Tally.Losses != 4 || len(r.Faults[0]) != 4 {
		t.Errorf("%+v, %v", r.Tally, r.Faults)
	}
}

func TestRefusedMatches(t *testing.T) {
	for _, text := range []string{"", "level:-1", "level:6", "level:x", "level:1,foo=2", "level:1,playouts=-1", "level:1,time=x", "gtp:", "codecup: ", "human", "greedy:1"} {
		if s, err := ParseSide(text); err == nil {
			t.Errorf("%q is read as %+v", text, s)
		}
	}
	for name, change := range map[string]func(*Config){
		"sides":       func(c *Config) { c.Sides = c.Sides[:1] },
		"games":       func(c *Config) { c.Games = 0 },
		"two times":   func(c *Config) { c.Turn, c.GameTime = 1, 1 },
		"opening":     func(c *Config) { c.Opening = -1 },
		"codecup":     func(c *Config) { c.Sides[0].kind = "codecup" },
		"its opening": func(c *Config) { c.Sides[0].kind, c.Options = "codecup", ayu.Options{Size: 11} },
		"sprt": func(c *Config) {
			c.Game, c.Options, c.SPRT = mu.Game{}, mu.Options{Players: 3, Segments: 1, Min: 3}, &SPRT{}
		},
	} {
		c := matchConfig(t, "level:1", "random")
		change(&c)
		if err := c.Check(); err == nil {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
	c := matchConfig(t, "random", "gtp:/nonexistent/program")
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "cannot start") {
		t.Errorf("a program that is not there: %v", err)
	}
}
