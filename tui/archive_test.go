package tui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// finished plays some turns of a match, after which the second seat resigns.
func (h *harness) finished(black, white, options string, turns ...string) *lobby.Match {
	h.t.Helper()
	m := h.match(black, white, options, clock.Default, turns...)
	if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	return m
}

// rated plays n rated matches of two turns between two users; winner wins all of them.
func (h *harness) rated(n int, winner, loser string) {
	h.t.Helper()
	yes := true
	for range n {
		advance(9 * time.Hour) // so that each counts fully for ratings
		table, err := h.member(winner).Open(h.t.Context(), lobby.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5}`), Clock: &clock.Default, Rated: &yes})
		if err != nil {
			h.t.Fatal(err)
		}
		id, err := h.member(loser).Join(h.t.Context(), table.ID, "")
		if err != nil {
			h.t.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.t.Fatal(err)
		}
		h.play(m, "b1-b2", "a2-a3")
		h.play(m, m.Snapshot().Position.Legal()[0])
		h.play(m, m.Snapshot().Position.Legal()[0])
		p, err := h.member(loser).Sit(id)
		if err == nil {
			err = p.Resign(h.t.Context())
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

func TestReplayOfAFinishedGame(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		advance(2 * time.Hour)
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID})
		d.wantText("From the archive", "turn 0 of 6", "ana wins: bob resigned.", "P autoplay")
		d.press("] ]")
		d.wantText("turn 2 of 6")
		d.same("replay", strings.ReplaceAll(d.text(), m.Info.ID, "MATCHID"))
		d.press("# 5 enter")
		d.wantText("turn 5 of 6")
		d.press("# 7 enter")
		d.wantText("Enter a turn number from 0 to 6.", "turn 5 of 6")
		d.press("home P")
		d.wantText("Autoplay", "turn 0 of 6")
		d.advance(time.Second)
		d.wantText("turn 1 of 6")
		d.advance(time.Second)
		d.wantText("turn 2 of 6")
		d.press("]")
		d.wantText("turn 2 of 6") // the key only stopped it
		d.advance(time.Minute)
		d.wantText("turn 2 of 6")
		d.press("P")
		d.advance(time.Minute)
		d.wantText("Last position.")
		d.press("t")
		d.wantText("There is no chat in the archive.")
		d.press("q")
		d.wantText("Open tables")
	})
}

func TestReplayKeepsToThePaceOfTheSettings(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID})
		for pace, after := range map[int]string{0: "turn 2 of 6", 1: "turn 1 of 6", 3: "Last position."} {
			d.Settings.ReplaySpeed = pace
			d.press("home P")
			d.advance(2 * time.Second)
			d.wantText(after)
			d.press("home")
			d.press("home")
		}
	})
}

func TestMovesAreTriedBesideTheGame(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h, "b1-b2", "a2-a3")
		d.press("V")
		d.wantText("Analysis from turn 2")
		d.press("d 1 d 2 enter")
		d.press("c 2 c 3 enter")
		d.wantText("Analysis, 2 moves from turn 2", "Black to move.")
		d.golden("variation")
		d.press("a 3 a 4 enter")
		d.wantText("White's")
		d.press("[ [ [ ]")
		d.wantText("Analysis, 1 move from turn 2", "White to move.")
		d.press("e 4 e 5 enter")
		d.press("]")
		d.wantText("Analysis, 2 moves")
		d.wantNoText("c2-c3")
		if m.Snapshot().Turns != 2 {
			h.t.Fatal("a turn of the variation was played")
		}
		h.play(m, "f3-f4", "e4-e5")
		d.drainMessages()
		d.wantText("Analysis", "The game has advanced by 2 turns.")
		d.press("esc")
		d.wantText("Your move", "4 turns", "Back in the game")
		d.press("g 2 g 1 enter")
		if m.Snapshot().Turns != 4 {
			h.t.Error("an illegal move was played")
		}
		d.press("d 1 d 2 enter")
		if m.Snapshot().Turns != 5 {
			h.t.Errorf("the game does not continue:\n%s", d.text())
		}
	})
}

func TestArchiveIsReadInPages(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("carol")
		d := h.visit(setting{name: "carol"})
		d.press("a")
		d.wantText("You have no finished games yet.", "all games")
		d.press("right")
		d.wantText("No finished games yet.")
		// harness.match resigns matches whose seats were drawn the wrong way; they count as well.
		for {
			h.finished("ana", "bob", `{"size":5}`)
			advance(time.Minute)
			all, err := h.FinishedMatches(h.t.Context(), 0, "", "", lobby.MaxFinishedMatches)
			if err != nil {
				h.t.Fatal(err)
			}
			if len(all) > archivePageSize+10 {
				break
			}
		}
		d.press("q a right")
		d.wantText("all games, newest first", "page 1")
		d.press("end")
		d.wantText("↓: older games.")
		d.press("down")
		d.wantText("page 2", "↑: newer games.")
		d.press("up")
		d.wantText("page 1", "↓: older games.")
		d.press("/ b o b enter")
		d.wantText("bob's games, newest first", "page 1")
		d.press("/ n o enter")
		d.wantText(`There is no account "no"`)
		d.press("/ b o b enter enter")
		d.wantText("From the archive")
		d.press("q")
		d.wantText("bob's games, newest first")
		d.press("i 1")
		d.wantText("games: ")
		d.press("q q")
		d.wantText("Open tables")
	})
}

func TestPrivateGamesAreListedForTheirPlayersOnly(t *testing.T) {
	withHarness(t, func(h *harness) {
		table, err := h.member("ana").Open(h.t.Context(), lobby.Proposal{Game: "ayu", Private: true})
		if err != nil {
			h.t.Fatal(err)
		}
		id, err := h.member("bob").Join(h.t.Context(), table.ID, table.Code(h.member("ana").Account().ID))
		if err != nil {
			h.t.Fatal(err)
		}
		p, err := h.member("bob").Sit(id)
		if err == nil {
			err = p.Resign(h.t.Context())
		}
		if err != nil {
			h.t.Fatal(err)
		}
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "replay " + id})
		d.wantText("is private; only its players can see it")
		d.press("a right")
		d.wantText("No finished games yet.")
		d = h.visit(setting{name: "bob"})
		d.press("a enter")
		d.wantText("From the archive")
	})
}

func TestProfileAndLeaderboard(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("carol")
		d := h.visit(setting{name: "carol"})
		d.press("r")
		d.wantText("No established ratings in Ayu yet.", "You: 1500 ±350 ?, provisional.")
		d.golden("leaderboard-empty")
		h.rated(12, "ana", "bob")
		for _, who := range []string{"bob", "dave", "erika", "gil"} {
			h.rated(3, who, "ana")
			h.rated(3, "ana", who)
		}
		d.press("q r")
		d.wantText("1.  ana")
		d.golden("leaderboard")
		d.press("right")
		d.wantText("in Mu yet")
		d.press("left enter")
		d.wantText("joined 1 Jan 2000", "games: ", "won", "5×5, pie")
		d.press("enter")
		d.wantText("From the archive")
		d.press("q")
		d.wantText("joined")
		d.press("c")
		d.wantText("New table", "ana")
		d.press("esc i")
		d.wantText("your profile", "No rated games yet.", "carol has no finished games that you can see.")
		d.golden("profile-empty")
	})
}

func TestProfileOfAGuest(t *testing.T) {
	withHarness(t, func(h *harness) {
		d := h.visit(setting{})
		d.press("enter i")
		d.wantText("Guests have no profile.")
		d.press("a")
		d.wantText("all games", "No finished games yet.")
	})
}

func TestSparkline(t *testing.T) {
	var points []lobby.RatingPoint
	for i := range 16 {
		points = append(points, lobby.RatingPoint{Value: float64(i)})
	}
	for ascii, want := range map[bool]string{false: "▁▂▃▄▅▆▇█", true: "_.:-=+*#"} {
		if got := sparkline(points, 0, 15, 8, ascii); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := sparkline(points[:3], 0, 2, 40, true); got != "_=#" {
		t.Errorf("three points: %q", got)
	}
	if got := sparkline(points[:1], 0, 0, 40, true); got != "=" {
		t.Errorf("one point: %q", got)
	}
}

func TestOutcomes(t *testing.T) {
	two := &lobby.MatchInfo{Seats: []lobby.Seat{{Account: 1, Name: "ana"}, {Account: 2, Name: "bob"}}}
	three := &lobby.MatchInfo{Seats: append(two.Seats[:2:2], lobby.Seat{Account: 3, Name: "eve"})}
	for _, c := range []struct {
		info    *lobby.MatchInfo
		winners []int
		reason  string
		who     lobby.AccountID
		want    string
		good    bool
	}{
		{two, []int{0}, engine.ReasonResign, 1, "won (resignation)", true},
		{two, []int{0}, engine.ReasonTime, 2, "lost (time)", false},
		{two, []int{1}, engine.ReasonImmobile, 0, "0–1", false},
		{two, []int{0, 1}, engine.ReasonDraw, 0, "draw (agreement)", false},
		{two, []int{0, 1}, engine.ReasonRepetition, 2, "draw (repetition)", false},
		{two, []int{}, engine.ReasonAbort, 2, "aborted", false},
		{three, []int{2}, engine.ReasonScore, 0, "eve won", false},
		{three, []int{0, 2}, engine.ReasonScore, 2, "lost", false},
	} {
		f := &lobby.FinishedMatch{Info: c.info, Result: engine.Result{Winners: c.winners, Reason: c.reason}}
		if text, good := outcomeText(f, c.who); text != c.want || good != c.good {
			t.Errorf("%v by %s for %d: %q, %v", c.winners, c.reason, c.who, text, good)
		}
	}
}

func TestGoldenProfile(t *testing.T) {
	day := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	game, options := firstGame(t)
	who := lobby.Account{ID: 77, Name: "erika-with-a-nam", CreatedAt: day, Ratings: map[string]lobby.Rating{
		"ayu": {Value: 1512.4, Deviation: 59.6, Volatility: 0.06, Games: 34}, "mu-multi": {Value: 1463, Deviation: 181, Volatility: 0.06, Games: 4},
	}}
	p := &lobby.Profile{
		Account: who,
		Tallies: map[string]lobby.Tally{
			"ayu": {Won: 20, Drawn: 1, Lost: 13, BySide: map[string]lobby.Tally{"b": {Won: 12, Drawn: 1, Lost: 5}, "w": {Won: 8, Lost: 8}},
				ByOptions: map[string]lobby.Tally{"11×11, pie": {Won: 15, Lost: 10}, "5×5, pie": {Won: 5, Drawn: 1, Lost: 1}, "15×15": {Lost: 2}}},
			"mu": {Won: 1, Lost: 3, BySide: map[string]lobby.Tally{"": {Won: 1, Lost: 3}}, ByOptions: map[string]lobby.Tally{"3 players, 7 segments each": {Won: 1, Lost: 3}}},
		},
		RatingHistories: map[string][]lobby.RatingPoint{},
	}
	for i := range 34 {
		p.RatingHistories["ayu"] = append(p.RatingHistories["ayu"], lobby.RatingPoint{At: day, Value: 1500 + float64(i*i%97)})
	}
	other := lobby.Seat{Account: 78, Name: "frederic-der-gro", Rating: &lobby.Rating{Value: 1620, Deviation: 300}}
	page := finishedPage{player: who.Name, playerID: who.ID, loaded: true}
	for i, reason := range []string{engine.ReasonImmobile, engine.ReasonResign, engine.ReasonTime, engine.ReasonDraw, engine.ReasonLeft} {
		f := lobby.FinishedMatch{Ended: day.Add(time.Duration(-i) * 30 * time.Hour), Turns: 9 + 13*i, Result: engine.Result{Winners: []int{i % 2}, Reason: reason}}
		if reason == engine.ReasonDraw {
			f.Result.Winners = []int{0, 1}
		}
		f.Info = &lobby.MatchInfo{ID: "abcdefg", Game: game, Options: options, Control: clock.Default, Seats: []lobby.Seat{{Account: 77, Name: who.Name}, other}}
		page.games = append(page.games, f)
	}
	for _, size := range []setting{{w: 80, h: 24}, {w: 60, h: 20}, {w: 120, h: 40}} {
		withHarness(t, func(h *harness) {
			h.account("ana")
			size.name = "ana"
			d := h.visit(size)
			d.Show(&profileScreen{app: d.app, profile: p, finishedList: finishedList{page: page}})
			d.golden("profile" + suffix(size))
			d.Show(&archiveScreen{app: d.app, finishedList: finishedList{page: page}})
			d.golden("archive" + suffix(size))
			d.Settings.ASCII = true
			d.UpdateStyle()
			d.Show(&profileScreen{app: d.app, profile: p, finishedList: finishedList{page: page}})
			d.wantText("#")
			d.wantNoText("▁", "█")
		})
	}
}

// firstGame returns Ayu's name and its default options.
func firstGame(t *testing.T) (string, engine.Options) {
	t.Helper()
	g, _ := enginetest.Games.ByName("ayu")
	o, err := g.ParseOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	return g.Name(), o
}
