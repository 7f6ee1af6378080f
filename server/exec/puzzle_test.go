package exec_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/server/exec"
	"ayumu/tui/game/gametest"
)

func TestPuzzleInAShell(t *testing.T) {
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
	run := func(c *puzzles.Collection, words ...string) (out, errs string, status int) {
		var o, e bytes.Buffer
		status = exec.Run(t.Context(), exec.Env{Lobby: l, Puzzles: c, Games: gametest.Games, SSHTarget: "HOST", Out: &o, Err: &e}, append([]string{"puzzle"}, words...))
		return o.String(), e.String(), status
	}
	out, errs, status := run(c)
	for _, want := range []string{"Finish", "White to move: win in 4 turns", " 7 . . . x . . .", "ssh HOST puzzle"} {
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
		if !strings.Contains(out+errs, want) || (status == 0) != (want == "Solved.") || (status == 0) != (errs == "") {
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
		e := exec.Env{Lobby: l, Account: &ana, Puzzles: c, PuzzleStore: s, Games: gametest.Games, SSHTarget: "HOST", Out: &out, Err: &out}
		exec.Run(t.Context(), e, []string{"puzzle", answer})
		return out.String()
	}
	if got := run("c4-f6"); !strings.Contains(got, "Your rating: ") {
		t.Errorf("the first answer: %s", got)
	}
	for _, answer := range []string{"c4-f6", "b1-f6; c1-g6"} {
		if got := run(answer); strings.Contains(got, "rating") {
			t.Errorf("a later answer: %s", got)
		}
	}
	if p, err := s.PuzzleProgress(t.Context(), ana.ID); err != nil || p.Players["ayu"].Rating.Games != 1 || len(p.Attempts) != 1 {
		t.Errorf("progress: %+v, %v", p, err)
	}
}
