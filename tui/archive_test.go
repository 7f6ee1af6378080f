package tui_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/tui"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

func TestReplayOfAFinishedGame(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		screentest.Advance(2 * time.Hour)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID})
		d.WantText("From the archive", "turn 0 of 6", "ana wins: bob resigned.", "P autoplay")
		d.Press("] ]")
		d.WantText("turn 2 of 6")
		d.Same("replay", strings.ReplaceAll(d.Text(), m.Info.ID, "MATCHID"))
		d.Press("# 5 enter")
		d.WantText("turn 5 of 6")
		d.Press("# 7 enter")
		d.WantText("Enter a turn number from 0 to 6.", "turn 5 of 6")
		d.Press("home P")
		d.WantText("Autoplay", "turn 0 of 6")
		d.Advance(time.Second)
		d.WantText("turn 1 of 6")
		d.Advance(time.Second)
		d.WantText("turn 2 of 6")
		d.Press("]")
		d.WantText("turn 2 of 6") // the key only stopped it
		d.Advance(time.Minute)
		d.WantText("turn 2 of 6")
		d.Press("P")
		d.Advance(time.Minute)
		d.WantText("Last position.")
		d.Press("t")
		d.WantText("There is no chat in the archive.")
		d.Press("q")
		d.WantText("Open tables")
	})
}

func TestReplayKeepsToThePaceOfTheSettings(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID})
		for pace, after := range map[int]string{0: "turn 2 of 6", 1: "turn 1 of 6", 3: "Last position."} {
			d.Settings.ReplaySpeed = pace
			d.Press("home P")
			d.Advance(2 * time.Second)
			d.WantText(after)
			d.Press("home")
			d.Press("home")
		}
	})
}

func TestMovesAreTriedBesideTheGame(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := playingScreen(h, "b1-b2", "a2-a3")
		d.Press("V")
		d.WantText("Analysis from turn 2")
		d.Press("d 1 d 2 enter")
		d.Press("c 2 c 3 enter")
		d.WantText("Analysis, 2 moves from turn 2", "Black to move.")
		d.Golden("variation")
		d.Press("a 3 a 4 enter")
		d.WantText("White's")
		d.Press("[ [ [ ]")
		d.WantText("Analysis, 1 move from turn 2", "White to move.")
		d.Press("e 4 e 5 enter")
		d.Press("]")
		d.WantText("Analysis, 2 moves")
		d.WantNoText("c2-c3")
		if m.Snapshot().Turns != 2 {
			h.T.Fatal("a turn of the variation was played")
		}
		h.Play(m, "f3-f4", "e4-e5")
		d.Drain()
		d.WantText("Analysis", "The game has advanced by 2 turns.")
		d.Press("esc")
		d.WantText("Your move", "4 turns", "Back in the game")
		d.Press("g 2 g 1 enter")
		if m.Snapshot().Turns != 4 {
			h.T.Error("an illegal move was played")
		}
		d.Press("d 1 d 2 enter")
		if m.Snapshot().Turns != 5 {
			h.T.Errorf("the game does not continue:\n%s", d.Text())
		}
	})
}

func TestArchiveIsReadInPages(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol"})
		d.Press("a")
		d.WantText("You have no finished games yet.", "all games")
		d.Press("right")
		d.WantText("No finished games yet.")
		// harness.match resigns matches whose seats were drawn the wrong way; they count as well.
		for {
			h.Finished("ana", "bob", `{"size":5}`)
			screentest.Advance(time.Minute)
			all, err := h.FinishedMatches(h.T.Context(), 0, "", "", lobby.MaxFinishedMatches)
			if err != nil {
				h.T.Fatal(err)
			}
			if len(all) > tui.ArchivePageSize+10 {
				break
			}
		}
		d.Press("q a right")
		d.WantText("all games, newest first", "page 1")
		d.Press("end")
		d.WantText("↓: older games.")
		d.Press("down")
		d.WantText("page 2", "↑: newer games.")
		d.Press("up")
		d.WantText("page 1", "↓: older games.")
		d.Press("/ b o b enter")
		d.WantText("bob's games, newest first", "page 1")
		d.Press("/ n o enter")
		d.WantText(`There is no account "no"`)
		d.Press("/ b o b enter enter")
		d.WantText("From the archive")
		d.Press("q")
		d.WantText("bob's games, newest first")
		d.Press("i 1")
		d.WantText("games: ")
		d.Press("q q")
		d.WantText("Open tables")
	})
}

func TestPrivateGamesAreListedForTheirPlayersOnly(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		table, err := h.Member("ana").Open(h.T.Context(), lobby.Proposal{Game: "ayu", Private: true})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member("bob").Join(h.T.Context(), table.ID, table.Code(h.Member("ana").Account().ID))
		if err != nil {
			h.T.Fatal(err)
		}
		p, err := h.Member("bob").Sit(id)
		if err == nil {
			err = p.Resign(h.T.Context())
		}
		if err != nil {
			h.T.Fatal(err)
		}
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + id})
		d.WantText("is private; only its players can see it")
		d.Press("a right")
		d.WantText("No finished games yet.")
		d = h.Visit(screentest.Setting{Name: "bob"})
		d.Press("a enter")
		d.WantText("From the archive")
	})
}

func TestProfileAndLeaderboard(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol"})
		d.Press("r")
		d.WantText("No established ratings in Ayu yet.", "You: 1500 ±350 ?, provisional.")
		d.Golden("leaderboard-empty")
		h.Rated(12, "ana", "bob")
		for _, who := range []string{"bob", "dave", "erika", "gil"} {
			h.Rated(3, who, "ana")
			h.Rated(3, "ana", who)
		}
		d.Press("q r")
		d.WantText("1.  ana")
		d.Golden("leaderboard")
		d.Press("right")
		d.WantText("in Mu yet")
		d.Press("left enter")
		d.WantText("joined 1 Jan 2000", "games: ", "won", "5×5, pie")
		d.Press("enter")
		d.WantText("From the archive")
		d.Press("q")
		d.WantText("joined")
		d.Press("c")
		d.WantText("New table", "ana")
		d.Press("esc i")
		d.WantText("your profile", "No rated games yet.", "carol has no finished games that you can see.")
		d.Golden("profile-empty")
	})
}

func TestProfileOfAGuest(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.Visit(screentest.Setting{})
		d.Press("enter i")
		d.WantText("Guests have no profile.")
		d.Press("a")
		d.WantText("all games", "No finished games yet.")
	})
}

func TestSparkline(t *testing.T) {
	var points []lobby.RatingPoint
	for i := range 16 {
		points = append(points, lobby.RatingPoint{Value: float64(i)})
	}
	for ascii, want := range map[bool]string{false: "▁▂▃▄▅▆▇█", true: "_.:-=+*#"} {
		if got := tui.Sparkline(points, 0, 15, 8, ascii); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := tui.Sparkline(points[:3], 0, 2, 40, true); got != "_=#" {
		t.Errorf("three points: %q", got)
	}
	if got := tui.Sparkline(points[:1], 0, 0, 40, true); got != "=" {
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
		if text, good := tui.OutcomeText(f, c.who); text != c.want || good != c.good {
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
	var games []lobby.FinishedMatch
	for i, reason := range []string{engine.ReasonImmobile, engine.ReasonResign, engine.ReasonTime, engine.ReasonDraw, engine.ReasonLeft} {
		f := lobby.FinishedMatch{Ended: day.Add(time.Duration(-i) * 30 * time.Hour), Turns: 9 + 13*i, Result: engine.Result{Winners: []int{i % 2}, Reason: reason}}
		if reason == engine.ReasonDraw {
			f.Result.Winners = []int{0, 1}
		}
		f.Info = &lobby.MatchInfo{ID: "abcdefg", Game: game, Options: options, Control: clock.Default, Seats: []lobby.Seat{{Account: 77, Name: who.Name}, other}}
		games = append(games, f)
	}
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 120, Height: 40}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			d.ShowFinished(p, who, games)
			d.Golden("profile" + suffix(size))
			d.ShowFinished(nil, who, games)
			d.Golden("archive" + suffix(size))
			d.Settings.ASCII = true
			d.UpdateStyle()
			d.ShowFinished(p, who, games)
			d.WantText("#")
			d.WantNoText("▁", "█")
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
