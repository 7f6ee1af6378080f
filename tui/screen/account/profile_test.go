package account_test

import (
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/rating"
	accountscreen "ayumu/tui/screen/account"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

func TestProfile(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("carol")
		h.Rated(3, "ana", "bob")
		d := h.Visit(screentest.Setting{Name: "carol"})
		d.Start(d.Open(dest.Profile{Name: "ana"}))
		d.WantText("joined 1 Jan 2000", "games: ", "won", "5×5, pie")
		d.Press("enter")
		d.WantText("From the archive")
		d.Press("q")
		d.WantText("joined")
		d.Press("c")
		d.WantText("Challenge ana")
		d.Press("esc i")
		d.WantText("your profile", "No rated games yet.", "carol has no finished games that you can see.")
		d.GoldenSizes("profile-empty")
	})
}

func TestGoldenProfile(t *testing.T) {
	day := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	who := account.Account{ID: 77, Name: "erika-with-a-nam", CreatedAt: day, Ratings: map[string]rating.Rating{
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
		p.RatingHistories["ayu"] = append(p.RatingHistories["ayu"], lobby.RatingPoint{At: day.AddDate(0, 0, i-33), Value: 1500 + float64(i*i%97)})
	}
	matches := screentest.FinishedMatches(who.ID, who.Name)
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 16}, {Width: 120, Height: 40}, {Width: 200, Height: 60}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			d.Start(accountscreen.Show(d.Shell, p, matches))
			d.Drain()
			d.Golden("profile" + size.Suffix())
			d.Shell.Profile.Console = true // without a font for the small bars of the history
			d.UpdateStyle()
			d.WantNoText("▁", "▆")
			d.Shell.Profile.Console = false
			d.UpdateStyle()
			d.Press("tab")
			d.Golden("profile-graph" + size.Suffix())
			d.Press("i")
			d.WantText("Rating history") // the selected game is not shown
			d.WantNoText("i opponent", "Profile of")
			d.Press("tab")
			d.WantText("Finished games")
			d.Width, d.Height = max(d.Width, 60), max(d.Height, 20) // so that there is a history
			d.Settings.ASCII = true
			d.UpdateStyle()
			d.Start(accountscreen.Show(d.Shell, p, matches))
			d.Drain()
			d.WantText("#")
			d.Press("tab")
			d.WantText("###", "...", "Last ")
			d.WantNoText("▁", "▄", "█")
		})
	}
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
