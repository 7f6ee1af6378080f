package puzzle_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/ayutest"
	ayupuzzle "ayumu/engine/ayu/puzzle"
	"ayumu/engine/puzzle"
)

// shortShare is the share of the puzzles that are checked with -short: every fifth.
const shortShare = 5

var (
	games  = engine.Games{ayu.Game{}}
	themes = puzzle.Themes{"ayu": ayupuzzle.Themes}
)

// TestAllThatPuzzlesSayIsTrue proves every sentence about each puzzle that ships: its task, its hints and explanation, and
// the reasons against wrong answers. The proofs are those of package ayutest. A sentence that kinds does not have fails,
// so that a new one must get its proof.
func TestAllThatPuzzlesSayIsTrue(t *testing.T) {
	all, err := puzzle.Read(strings.NewReader(ayupuzzle.Shipped))
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
		c := &claims{t: t, z: z, at: start.(*ayu.Position).Board(), start: start.(*ayu.Position).Board(), prover: new(ayutest.Prover), number: number, wrong: wrong}
		c.check("", theme.Task(z))
		c.check("", theme.Explain(z, start)...)
		c.checkAnswers(theme, start)
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
		if number[k.name] == 0 && !slices.Contains(unsaid, k.name) && !testing.Short() {
			t.Errorf("no puzzle says %q", k.name)
		}
	}
}

// claims checks what is said about one puzzle.
type claims struct {
	t             *testing.T
	z             *puzzle.Puzzle
	start, at     ayu.Board // of the puzzle; of the turn that is asked for
	turn          int       // number of that turn, from 0
	prover        *ayutest.Prover
	number, wrong map[string]int // of sentences of each kind
}

// checkAnswers plays the solution, and checks at each turn the hints and what is said about each wrong move.
func (c *claims) checkAnswers(theme puzzle.Theme, at engine.Position) {
	for n := range max(len(c.z.Line), 1) {
		c.turn, c.at = n, at.(*ayu.Position).Board()
		c.check("", theme.Hints(c.z, n)...)
		for _, m := range c.at.Moves(nil) {
			answer := []string{m.String()}
			switch c.z.Goal {
			case puzzle.GoalLine:
				if ok, why, _ := theme.Accepts(c.z, n, at, answer); !ok && why != "" {
					c.check(m.String(), why)
				}
			case puzzle.GoalSet:
				if o, err := themes.Answer(games, c.z, answer); err != nil || o.Wrong && o.Reason == "" {
					c.t.Errorf("%s: %s has no reason: %v", c.z.ID, m, err)
				} else if o.Wrong {
					c.check(m.String(), o.Reason)
				}
			}
		}
		if n+1 < len(c.z.Line) {
			for _, actions := range [][]string{c.z.Line[n].Actions, c.z.Line[n].Reply} {
				next, err := engine.PlayTurn(at, actions)
				if err != nil {
					c.t.Fatalf("%s: %v", c.z.ID, err)
				}
				at = next
			}
		}
	}
}

// check proves sentences. answer is the wrong move that they are about; empty for none.
func (c *claims) check(answer string, texts ...string) {
	for _, text := range texts {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.pattern.MatchString(text) })
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

// kind is a sentence with the proof of what it says. words are what the pattern has found. prove returns why the sentence
// is false.
type kind struct {
	name    string
	pattern *regexp.Regexp
	prove   func(c *claims, answer string, words []string) (why string)
}

// sentence returns a kind. In its text S is a side, N a number, M a move, P a point and L a list of moves.
func sentence(text string, prove func(c *claims, answer string, words []string) string) kind {
	pattern := regexp.QuoteMeta(text)
	for name, form := range map[string]string{"S": "(Black|White)", "N": `(\d+)`, "M": `([a-o]\d+-[a-o]\d+)`, "P": `([a-o]\d+)`, "L": `([a-o1-9][a-o0-9, -]*)`} {
		pattern = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(pattern, form)
	}
	pattern = strings.NewReplacer("moves", "moves?", "points", "points?").Replace(pattern)
	return kind{text, regexp.MustCompile("^" + pattern + "$"), prove}
}

var kinds = []kind{
	// Tasks.
	sentence("S to move: win in N moves, whatever S does.", func(c *claims, _ string, w []string) string {
		return c.all(c.sides(w[1], w[3]), c.expect("it is not won so fast", c.prover.Wins(c.start, number(w[2]))))
	}),
	sentence("S to move: win at once, with one move.", func(c *claims, _ string, w []string) string {
		return c.all(c.sides(w[1], ""), c.expect("it is not won with one move", c.prover.Wins(c.start, 1)))
	}),
	sentence("S to move: make S's path as long as you can. A path is "+pathText+".", func(c *claims, _ string, w []string) string {
		return c.all(c.sides(w[1], w[2]), c.solutions(c.longest()))
	}),
	sentence("S to move: find all moves after which S wins with the next move or at once.", func(c *claims, _ string, w []string) string {
		return c.all(c.sides(w[1], w[2]), c.solutions(c.losing()))
	}),
	sentence("S to move: which side wins if both play well?", func(c *claims, _ string, w []string) string {
		own, n := c.race()
		return c.all(c.sides(w[1], ""), c.expect("the other side wins, or none within 8 turns", n >= 0 && own == (c.z.Side == c.start.Turn().String())))
	}),

	// Hints.
	sentence("Move a stone to P.", func(c *claims, _ string, w []string) string {
		return c.expect("a move there does not win", c.z.Number == 1 && slices.ContainsFunc(c.winning(c.start, 1), func(m string) bool { return strings.HasSuffix(m, "-"+w[1]) }))
	}),
	sentence("A move that wins is M.", func(c *claims, _ string, w []string) string {
		return c.expect("it does not win", c.z.Number == 1 && slices.Contains(c.winning(c.start, 1), w[1]))
	}),
	sentence("Move the stone on P.", func(c *claims, _ string, w []string) string {
		return c.expect("another stone", strings.HasPrefix(c.onlySolution(), w[1]+"-"))
	}),
	sentence("The move is M.", func(c *claims, _ string, w []string) string {
		return c.expect("another move", w[1] == c.onlySolution())
	}),
	sentence("There is one such move.", func(c *claims, _ string, w []string) string { return c.expect("not one", len(c.losing()) == 1) }),
	sentence("There are N such moves.", func(c *claims, _ string, w []string) string {
		return c.expect("another number", len(c.losing()) == number(w[1]) && number(w[1]) > 1)
	}),
	sentence("It is M.", func(c *claims, _ string, w []string) string {
		return c.expect("it is none, or not the only one", slices.Equal(c.losing(), w[1:]))
	}),
	sentence("One of them is M.", func(c *claims, _ string, w []string) string {
		return c.expect("it is none", slices.Contains(c.losing(), w[1]))
	}),
	sentence("S's path is N points long and S's N, so each side needs about as many moves. A path is "+pathText+".", func(c *claims, _ string, w []string) string {
		own, other := c.start.Turn(), c.start.Turn().Other()
		return c.all(c.sides(w[1], w[3]), c.expect("other lengths", number(w[2]) == ayutest.Path(c.start, own) && number(w[4]) == ayutest.Path(c.start, other)))
	}),

	// Explanations.
	sentence("M joins all stones of S, which has no move left on its next turn and wins, whatever S does.", func(c *claims, _ string, w []string) string {
		units := after(c.start, w[1]).CountUnits(c.start.Turn())
		return c.all(c.sides(w[2], w[3]), c.expect("not all are joined", units == 1), c.expect("it does not win", slices.Contains(c.winning(c.start, 1), w[1])))
	}),
	sentence("M joins all stones of S, which has no move left on its next turn and wins, whatever S does. No other move wins at once.", func(c *claims, _ string, w []string) string {
		units := after(c.start, w[1]).CountUnits(c.start.Turn())
		return c.all(c.sides(w[2], w[3]), c.expect("not all are joined", units == 1), c.expect("other moves win", slices.Equal(c.winning(c.start, 1), w[1:2])))
	}),
	sentence(unsaid[1], func(c *claims, _ string, w []string) string {
		return c.all(c.sides(w[2], w[3]), c.expect("it does not win", slices.Contains(c.winning(c.start, 1), w[1])))
	}),
	sentence(unsaid[2], func(c *claims, _ string, w []string) string {
		return c.all(c.sides(w[2], w[3]), c.expect("other moves win", slices.Equal(c.winning(c.start, 1), w[1:2])))
	}),
	sentence("So does L.", func(c *claims, _ string, w []string) string {
		all := append(strings.Split(w[1], ", "), c.z.Line[0].Actions[0])
		slices.Sort(all)
		wins := c.winning(c.start, 1)
		slices.Sort(wins)
		return c.expect("others win", c.z.Number == 1 && slices.Equal(wins, all))
	}),
	sentence("M wins in N moves, whatever S does; no other first move does.", func(c *claims, _ string, w []string) string {
		return c.all(c.sides("", w[3]), c.expect("other moves win", slices.Equal(c.winning(c.start, number(w[2])), w[1:2])),
			c.expect("there is a faster win", !c.prover.Wins(c.start, number(w[2])-1)))
	}),
	sentence(unsaid[0], func(c *claims, _ string, w []string) string {
		line, left := c.play(w[1])
		return c.all(c.resists(w[1]), c.expect("the line does not end with the win", left == 0 && line.CountMoves() > 0 && c.prover.WinsAfter(line, 0)))
	}),
	sentence("Best defence: L; from there more than one move wins.", func(c *claims, _ string, w []string) string {
		return c.all(c.resists(w[1]), c.severalWin(c.play(w[1])))
	}),
	sentence("After M, S's path is N points long instead of N. After any other move it is at most N points long.", func(c *claims, _ string, w []string) string {
		second := 0
		for _, m := range c.start.Moves(nil) {
			if m.String() != w[1] {
				second = max(second, c.pathAfter(m.String()))
			}
		}
		return c.all(c.sides("", w[2]), c.expect("another length after it", number(w[3]) == c.pathAfter(w[1])),
			c.expect("another length before", number(w[4]) == ayutest.Path(c.start, c.start.Turn().Other())), c.expect("another length after others", number(w[5]) == second))
	}),
	sentence("After M, S has no move and wins.", func(c *claims, _ string, w []string) string {
		return c.all(c.sides("", w[2]), c.expect("it can move", after(c.start, w[1]).CountMoves() == 0))
	}),
	sentence("After M, S wins with M.", func(c *claims, _ string, w []string) string {
		return c.all(c.sides("", w[2]), c.expect("it does not", c.prover.WinsAfter(after(c.start, w[1], w[3]), 0)))
	}),
	sentence("S wins in N moves, whatever S does.", func(c *claims, _ string, w []string) string {
		own, n := c.race()
		return c.all(c.sides(w[3], w[1]), c.expect("other turns", !own && n == number(w[2])))
	}),
	sentence("S wins in N moves, whatever S does, starting with M.", func(c *claims, _ string, w []string) string {
		own, n := c.race()
		return c.all(c.sides(w[1], w[3]), c.expect("other turns", own && n == number(w[2])), c.expect("another move", c.prover.WinsAfter(after(c.start, w[4]), n-1)))
	}),

	// Reasons against a wrong answer.
	sentence("S then has no move and wins", func(c *claims, answer string, w []string) string {
		return c.all(c.sides("", w[1]), c.expect("it can move", after(c.at, answer).CountMoves() == 0))
	}),
	sentence("after the reply M, S can still move", func(c *claims, answer string, w []string) string {
		return c.all(c.sides(w[2], ""), c.expect("it cannot", after(c.at, answer, w[1]).CountMoves() > 0), c.expect("moves are left", c.z.Number-c.turn == 1))
	}),
	sentence("after the reply M, S cannot win in N moves", func(c *claims, answer string, w []string) string {
		left := c.z.Number - c.turn - 1
		return c.all(c.sides(w[2], ""), c.expect("another number", number(w[3]) == left), c.expect("it can", !c.prover.Wins(after(c.at, answer, w[1]), left)))
	}),
	sentence("S's path is then N points long, and with the right move N", func(c *claims, answer string, w []string) string {
		return c.all(c.sides("", w[1]), c.expect("other lengths", number(w[2]) == c.pathAfter(answer) && number(w[3]) == c.pathAfter(c.onlySolution())))
	}),
	sentence("there are more than N", func(c *claims, answer string, w []string) string {
		return c.expect("there are not", slices.Contains(c.losing(), answer) && len(c.losing()) > number(w[1]))
	}),
	sentence("M is not one of them", func(c *claims, _ string, w []string) string {
		return c.expect("it is", !slices.Contains(c.losing(), w[1]))
	}),
}

// unsaid are sentences about no puzzle that ships: in all finishes of several moves several win at the end, and all wins with one
// move join all stones.
var unsaid = []string{
	"Best defence: L.",
	"After M, S has no move left on its next turn and wins, whatever S does.",
	"After M, S has no move left on its next turn and wins, whatever S does. No other move wins at once.",
}

const pathText = "the total length of the shortest connections that join the units of a side; what cannot be joined adds nothing"

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// after returns the board after moves in the text form. It panics if one is illegal.
func after(b ayu.Board, moves ...string) ayu.Board {
	for _, text := range moves {
		m, err := ayu.ParseMove(text)
		if err != nil || !slices.Contains(b.Moves(nil), m) {
			panic(fmt.Sprint(text, " is illegal in ", b))
		}
		b = b.After(m)
	}
	return b
}

// expect returns why unless ok.
func (c *claims) expect(why string, ok bool) string {
	if ok {
		return ""
	}
	return why
}

// all returns the first reason.
func (c *claims) all(whys ...string) string {
	return slices.Concat(slices.DeleteFunc(whys, func(why string) bool { return why == "" }), []string{""})[0]
}

// sides checks the names of the side to move and of the other; "" is not named.
func (c *claims) sides(own, other string) string {
	turn := c.start.Turn()
	return c.expect("another side", (own == "" || own == turn.Name()) && (other == "" || other == turn.Other().Name()))
}

// solutions checks that moves, sorted, are those of the solution.
func (c *claims) solutions(found []string) string {
	if c.z.Goal == puzzle.GoalSet {
		return c.expect(fmt.Sprint("the moves are ", found), slices.Equal(found, c.z.Set))
	}
	return c.expect(fmt.Sprint("the moves are ", found), slices.Equal(found, c.z.Line[0].Actions))
}

// onlySolution returns the only move that solves the turn, or "" if there are several.
func (c *claims) onlySolution() string {
	moves := c.longest()
	if c.z.Theme == "finish" {
		moves = c.winning(c.at, c.z.Number-c.turn)
	}
	if len(moves) != 1 {
		return ""
	}
	return moves[0]
}

// winning returns the moves that win within n own turns.
func (c *claims) winning(b ayu.Board, n int) (moves []string) {
	for _, m := range b.Moves(nil) {
		if c.prover.WinsAfter(b.After(m), n-1) {
			moves = append(moves, m.String())
		}
	}
	return moves
}

// pathAfter returns the length of the opponent's path after a move.
func (c *claims) pathAfter(move string) int {
	return ayutest.Path(after(c.start, move), c.start.Turn().Other())
}

// longest returns the moves after which the opponent's path is longest.
func (c *claims) longest() (moves []string) {
	best := -1
	for _, m := range c.start.Moves(nil) {
		n := c.pathAfter(m.String())
		if n > best {
			best, moves = n, nil
		}
		if n == best {
			moves = append(moves, m.String())
		}
	}
	return moves
}

// losing returns the moves after which the opponent cannot move, or has a move after which it can never again, sorted.
func (c *claims) losing() (moves []string) {
	for _, m := range c.start.Moves(nil) {
		if c.prover.Wins(c.start.After(m), 1) {
			moves = append(moves, m.String())
		}
	}
	slices.Sort(moves)
	return moves
}

// race returns whether the side to move wins, and within how many own turns the winner does; -1: not within 8.
func (c *claims) race() (own bool, turns int) {
	for n := range 9 {
		if c.prover.Wins(c.start, n) {
			return true, n
		}
		if c.prover.WinsAfter(c.start, n) {
			return false, n
		}
	}
	return false, -1
}

// play plays a line from the start. left is the number of own turns that are left for the win.
func (c *claims) play(line string) (b ayu.Board, left int) {
	moves := strings.Split(line, ", ")
	return after(c.start, moves...), c.z.Number - (len(moves)+1)/2
}

// resists checks that no reply of a line allows a faster win than is left.
func (c *claims) resists(line string) string {
	moves := strings.Split(line, ", ")
	for i := 2; i < len(moves); i += 2 {
		if c.prover.Wins(after(c.start, moves[:i]...), c.z.Number-i/2-1) {
			return "after " + moves[i-1] + " there is a faster win"
		}
	}
	return ""
}

// severalWin checks that after each reply that resists longest more than one move wins as fast as is left.
func (c *claims) severalWin(b ayu.Board, left int) string {
	for _, m := range b.Moves(nil) {
		if r := b.After(m); !c.prover.Wins(r, left-1) && len(c.winning(r, left)) < 2 {
			return "after " + m.String() + " only one move wins"
		}
	}
	return ""
}

// TestNoTwoPuzzlesHaveOnePosition: a puzzle could give away another one with the same position and another theme.
func TestNoTwoPuzzlesHaveOnePosition(t *testing.T) {
	all, err := puzzle.Read(strings.NewReader(ayupuzzle.Shipped))
	if err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]string)
	for _, z := range all {
		if other := ids[z.Position]; other != "" {
			t.Errorf("%s and %s have one position", other, z.ID)
		}
		ids[z.Position] = z.ID
	}
}
