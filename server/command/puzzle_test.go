package command_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	mupuzzle "ayumu/engine/mu/puzzle"
	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/server/command"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

func TestPuzzleInAShell(t *testing.T) {
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
	run := func(c *puzzles.Collection, words ...string) (out, errs string, status int) {
		var o, e bytes.Buffer
		status = command.Run(t.Context(), &op.Config{Lobby: l, Puzzles: c, Games: gametest.Games, SSHTarget: "HOST"}, &o, &e, append([]string{"puzzle"}, words...))
		return o.String(), e.String(), status
	}
	out, errs, status := run(c)
	for _, want := range []string{"Finish", "White to move: win in 4 moves", " 7 . . . x . . .", "Answer with ssh HOST puzzle ANSWER", "ssh HOST puzzle hint gives a hint"} {
		if !strings.Contains(out, want) || status != 0 {
			t.Errorf("exit %d, %q is missing: %s%s", status, want, out, errs)
		}
	}
	if out, _, status := run(c, "--json"); status != 0 || !strings.Contains(out, `"id":"da19da14"`) || strings.Contains(out, "b1-f6") {
		t.Errorf("exit %d: %s", status, out)
	}
	for answer, want := range map[string]string{
		"b1-f6 c1-g6": "Solved.",
		"b1-f6":       "Right so far; the reply is b3-e7.",
		"c4-f6":       "Wrong: after the reply b3-e7",
		"a1-a2":       "a1",
	} {
		out, errs, status := run(c, strings.Fields(answer)...)
		if !strings.Contains(out+errs, want) || (status == 0) != (want == "Solved.") || (want == "a1") != (errs != "") {
			t.Errorf("%s: exit %d, %q, %q", answer, status, out, errs)
		}
	}
	if out, _, status := run(c, "hint"); status != 0 || out != "Move the stone on b1.\n" {
		t.Errorf("hint: exit %d: %s", status, out)
	}
	if _, errs, status := run(nil); status != 1 || !strings.Contains(errs, "no puzzles") {
		t.Errorf("without puzzles: exit %d: %s", status, errs)
	}
}

// withoutHints is a theme that has no hints.
type withoutHints struct{ puzzle.Theme }

func (withoutHints) Hints(*puzzle.Puzzle, int) []string { return nil }

// TestPuzzleWithoutHints asks for a hint to a puzzle that has none: the try stays rated.
func TestPuzzleWithoutHints(t *testing.T) {
	all := puzzlestest.Puzzles(t)[:1]
	theme, _ := puzzlestest.Themes.Of(&all[0])
	c, err := puzzles.New(enginetest.Games, puzzle.Themes{"ayu": {withoutHints{theme}}}, all)
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
	var out, errs bytes.Buffer
	status := command.Run(t.Context(), &op.Config{Lobby: l, Puzzles: c, Games: gametest.Games, SSHTarget: "HOST"}, &out, &errs, []string{"puzzle", "hint"})
	if status != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "this puzzle has no hints") {
		t.Errorf("exit %d: %q, %q", status, out.String(), errs.String())
	}
}

// TestPuzzleNamesTheSolverInTheDrawing prints puzzles of both games: the drawing has other names of the seats than the
// line above it.
func TestPuzzleNamesTheSolverInTheDrawing(t *testing.T) {
	all, err := puzzle.Read(strings.NewReader(mupuzzle.Shipped))
	if err != nil {
		t.Fatal(err)
	}
	triangle := slices.IndexFunc(all, func(z puzzle.Puzzle) bool { return z.Turn == 1 })
	l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
	for _, test := range []struct {
		puzzle puzzle.Puzzle
		want   []string
	}{
		{all[triangle], []string{"you are Triangle", "\nB seat 1", "\nyou are B in this drawing\n"}},
		{puzzlestest.Puzzles(t)[0], []string{"you are White", "White o", "\nyou are o in this drawing\n"}},
	} {
		c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, []puzzle.Puzzle{test.puzzle})
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		command.Run(t.Context(), &op.Config{Lobby: l, Puzzles: c, Games: gametest.Games, SSHTarget: "HOST"}, &out, &errs, []string{"puzzle"})
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is missing: %s%s", want, out.String(), errs.String())
			}
		}
	}
}

// TestTheFirstTryCountsOnce answers the puzzle of the day in shells of one account: the first answer is rated, and then
// none.
func TestTheFirstTryCountsOnce(t *testing.T) {
	s := lobbytest.Store(t)
	l := lobbytest.New(t, lobby.Config{Store: s})
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	ana, err := s.CreateAccount(t.Context(), "ana", []byte("key"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	run := func(answer string) string {
		var out bytes.Buffer
		e := op.Config{Lobby: l, Account: &ana, Puzzles: c, PuzzleStore: s, Games: gametest.Games, SSHTarget: "HOST"}
		command.Run(t.Context(), &e, &out, &out, []string{"puzzle", answer})
		return out.String()
	}
	if got := run("c4-f6"); !strings.Contains(got, "Rated. You will see your rating after 4 more puzzles.") {
		t.Errorf("the first answer: %s", got)
	}
	for _, answer := range []string{"c4-f6", "b1-f6; c1-g6"} {
		if got := run(answer); strings.Contains(got, "rating") {
			t.Errorf("a later answer: %s", got)
		}
	}
	if p, err := s.PuzzleProgress(t.Context(), ana.ID); err != nil || p.Ratings["ayu"].Games != 1 || len(p.Puzzles) != 1 {
		t.Errorf("progress: %+v, %v", p, err)
	}
}
