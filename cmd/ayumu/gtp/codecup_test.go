package gtp

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
)

// codeCup are the options of the CodeCup.
var codeCup, _ = CodeCupOptions(enginetest.Games)

// Two players of the protocol play a whole game through a referee.
func TestCodeCup(t *testing.T) {
	type side struct {
		in   io.Writer
		out  *bufio.Scanner
		done chan error
	}
	var sides [2]side
	for i := range sides {
		in, toIt := io.Pipe()
		fromIt, out := io.Pipe()
		sides[i] = side{toIt, bufio.NewScanner(fromIt), make(chan error, 1)}
		go func() {
			c := Config{Games: enginetest.Games, Engines: enginetest.Engines, Level: search.MaxLevel, Playouts: 10, Seed: uint64(i)}
			sides[i].done <- RunCodeCup(t.Context(), in, out, c, time.Hour)
		}()
	}
	p := codeCup.Game().New(codeCup)
	line := "Start"
	for ply := 0; ; ply++ {
		s := sides[ply%2]
		fmt.Fprintln(s.in, line)
		if _, over := p.Result(); over {
			if ply < 40 {
				t.Errorf("the game is over after %d plies", ply)
			}
			break
		}
		if !s.out.Scan() {
			t.Fatalf("no move comes in %s: %v", p, <-s.done)
		}
		line = s.out.Text()
		next, err := p.Play(line)
		if err != nil || line != strings.ToUpper(line) {
			t.Fatalf("%q is answered in %s: %v", line, p, err)
		}
		p = next
	}
	for _, s := range sides {
		fmt.Fprintln(s.in, "Quit")
		if err := <-s.done; err != nil {
			t.Error(err)
		}
	}
}

func TestCodeCupRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"A1-A2\n":        "move 1 of the game: A1-A2: there is no stone on a1",
		"hello\n":        "move 1 of the game: hello: a move is written like b1-b2",
		"swap\n":         "without the pie rule",
		"Start\nStart\n": "Start: a move is written like b1-b2",
		"Quit\nA1-A2\n":  "",
		"\r\n":           "",
	} {
		err := RunCodeCup(t.Context(), strings.NewReader(in), io.Discard, Config{Games: enginetest.Games, Engines: enginetest.Engines, Level: 1, Playouts: 5}, time.Hour)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q ends with %v, want %q", in, err, want)
		}
	}
}

// FuzzCodeCup has a referee say anything: no answer is anything but a move, each is to a line that was
// understood, nothing is answered after the end, and what is wrong is said in words that a terminal bears.
func FuzzCodeCup(f *testing.F) {
	for _, text := range []string{"Start\n", "B1-B2\n", "b1-b2\r\nQuit\r\n", " B1-B2 \nB1-B2\n", "Start\nStart\n", "swap\n", "A1-A2", "\x1b[2J\n", "B1-B2\nL12-L13\n", "Quit\nStart\n"} {
		f.Add(text)
	}
	c := Config{Games: enginetest.Games, Engines: enginetest.Engines, Level: search.MinLevel, Playouts: 1, Seed: 1}
	play := func(t *testing.T, text string) (string, error) {
		var out strings.Builder
		err := RunCodeCup(t.Context(), strings.NewReader(text), &out, c, time.Hour)
		return out.String(), err
	}
	move := regexp.MustCompile(`^[A-K]([1-9]|1[01])-[A-K]([1-9]|1[01])\n$`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return // a long game takes long
		}
		out, err := play(t, text)
		answers := 0
		for line := range strings.Lines(out) {
			if answers++; !move.MatchString(line) {
				t.Errorf("%q is answered with %q", text, line)
			}
		}
		if lines := strings.Count(text, "\n") + 1; answers > lines {
			t.Errorf("%d lines have %d answers", lines, answers)
		}
		if err != nil {
			if strings.ContainsFunc(err.Error(), unicode.IsControl) {
				t.Errorf("%q: %q", text, err)
			}
			return
		}
		if more, err := play(t, text+"\nQuit\nB1-B2\n"); more != out || err != nil {
			t.Errorf("with what comes after the end %q is answered with %q instead of %q, %v", text, more, out, err)
		}
	})
}

// lastingGame is a position of a game with that many turns to come.
type lastingGame struct {
	engine.Position
	turns int
}

func (g lastingGame) Seats() int          { return 2 }
func (g lastingGame) RemainingTurns() int { return max(g.turns, 1) }

// Whoever uses all of each turn's time and is late each time still keeps a part of the whole, in games that are longer than
// expected; in one of the expected length turns take about equally long, and all together most of the time.
func TestPaceNeverOverruns(t *testing.T) {
	const expected = 66
	for _, total := range []time.Duration{time.Second, 30 * time.Second, 10 * time.Minute} {
		for first := range 2 {
			left := total
			shortest, longest := total, time.Duration(0)
			for ply := first; ply < 120; ply += 2 {
				turn := TurnTime(lastingGame{turns: expected - ply}, left, total)
				left -= turn + total/2000
				if ply < expected-6 {
					shortest, longest = min(shortest, turn), max(longest, turn)
				}
				if ply/2 == expected/2-1 && left > total/6 {
					t.Errorf("%v: %v is left after the expected turns", total, left)
				}
			}
			if left <= 0 {
				t.Errorf("%v: %v is left", total, left)
			}
			if longest > shortest*3/2 {
				t.Errorf("%v: turns take %v to %v", total, shortest, longest)
			}
		}
	}
}
