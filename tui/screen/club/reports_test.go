package club_test

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// TestReportsReachModeratorsEverywhere: a moderator reads of a new report at once in the lobby, in a game, in a lesson, in
// settings and while reading help, and the number of open ones stays in the status bar. Players see neither.
func TestReportsReachModeratorsEverywhere(t *testing.T) {
	for _, size := range screentest.Sizes[:3] {
		screentest.With(t, func(h *screentest.Harness) {
			c := h.NewClub()
			h.Account("mod")
			h.Account("bob")
			m := h.StartMatch("mod", "ana", `{"size":5,"pie":false}`, clock.Default)
			places := map[string]func(d *screentest.Session){
				"lobby":    func(d *screentest.Session) { d.Start(d.Open(dest.Lobby{})) },
				"game":     func(d *screentest.Session) { d.Start(d.Open(dest.Match{ID: m.Info.ID})) },
				"lesson":   func(d *screentest.Session) { d.Start(d.Open(dest.Lessons{Game: "ayu"})) },
				"settings": func(d *screentest.Session) { d.Start(d.Open(dest.Settings{})) },
				"help":     func(d *screentest.Session) { d.Press("?") },
				"chat":     func(d *screentest.Session) { d.Press("t") },
			}
			reports := 0
			for place, goTo := range places {
				size.Name, size.Club, size.Role = "mod", c, club.RoleModerator
				d := h.Visit(size)
				other := size
				other.Name, other.Role = "ana", club.RolePlayer
				player := h.Visit(other)
				goTo(d)
				d.Drain()
				by := []string{"x1", "x2", "x3", "x4", "x5", "x6"}[reports]
				a := account.Account{ID: h.Account(by).ID, Name: by}
				actor := club.Actor{Role: club.RolePlayer, Name: by, Account: func() account.Account { return a }}
				if err := c.Moderator(actor).Report(h.T.Context(), "bob", "insults"); err != nil {
					h.T.Fatal(err)
				}
				reports++
				d.Drain()
				player.Drain()
				badge := "1 report"
				if reports > 1 {
					badge = string(rune('0'+reports)) + " reports"
				}
				if place != "chat" { // where the input line hides the notice until it is closed
					d.WantText("New report: " + by + " about bob.")
				}
				d.WantText(badge)
				player.WantNoText("report: ", badge)
				d.Close()
				player.Close()
			}
		})
	}
}

// TestAReportIsShownWithItsEvidence: the match, and as many of the newest lines of chat as there is room for.
func TestAReportIsShownWithItsEvidence(t *testing.T) {
	for _, size := range screentest.Sizes[:3] {
		screentest.With(t, func(h *screentest.Harness) {
			c := h.NewClub()
			h.Account("mod")
			h.Account("bob")
			c.SharedChat = func(_, _ account.ID) (string, lobby.Room, []lobby.ChatLine) {
				var lines []lobby.ChatLine
				for i := range 20 {
					lines = append(lines, lobby.ChatLine{At: time.Now(), Author: "bob", Text: fmt.Sprint("insult ", i)})
				}
				return "k3f9q2a", lobby.PlayerRoom, lines
			}
			if err := c.Moderator(club.Actor{Role: club.RolePlayer, Name: "ana"}).Report(h.T.Context(), "bob", "insults"); err != nil {
				h.T.Fatal(err)
			}
			size.Name, size.Club, size.Role = "mod", c, club.RoleModerator
			d := h.Visit(size)
			d.Start(d.Open(dest.Moderation{}))
			d.Drain()
			d.WantText("ana reports bob (match k3f9q2a):", "bob: insult 18", "bob: insult 19")
			d.Close()
		})
	}
}
