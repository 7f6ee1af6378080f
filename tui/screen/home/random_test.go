package home_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/paint"
	"ayumu/tui/screen/home"
	"ayumu/tui/screen/screentest"
)

// TestRandomLobbies presses keys at random in sessions of several kinds while users arrive, leave, open tables, play and
// chat. Session.Text compares each frame, whose parts sessions share, with one that is drawn anew.
func TestRandomLobbies(t *testing.T) {
	keys := strings.Fields("up down tab tab pgdown pgdown home end t a enter esc x o esc ? esc n esc B")
	for seed := range uint64(4) {
		screentest.With(t, func(h *screentest.Harness) {
			rng := rand.New(rand.NewPCG(seed, 5))
			h.FillLobby()
			for i := range 12 { // more than there is space for
				h.Member(fmt.Sprintf("member-%c", 'a'+2*i))
			}
			var all []*screentest.Session
			for i, s := range []screentest.Setting{
				{Name: "ana"}, {}, {}, {IsNew: true}, {IsNew: true}, {Width: 140, Height: 40}, {Width: 48, Height: 16},
				{Width: 140, Height: 40, Profile: paint.Profile{Colors: paint.TrueColor}},
			} {
				if i > 0 {
					s.Name = fmt.Sprint("w", i)
					h.Account(s.Name)
				}
				all = append(all, h.Visit(s))
			}
			m := h.StartMatch("kim", "lou", `{"size":5,"pie":false}`, clock.Control{})
			guests := 0
			for range 80 {
				d := all[rng.IntN(len(all))]
				switch rng.IntN(8) {
				case 0:
					if s := m.Snapshot(); !s.IsOver() {
						h.Play(m, s.Position.Legal()[0])
					}
				case 1:
					screentest.Advance(time.Duration(rng.IntN(30)) * time.Second)
				case 2:
					guests++
					h.Member(fmt.Sprintf("user-%c", 'a'+guests%8))
				case 3:
					_, _ = all[rng.IntN(3)].Session.OpenTable(h.T.Context(), table.Proposal{Game: "ayu"}) // too many are refused
				case 4:
					_ = d.Session.Say(fmt.Sprint("line ", rng.IntN(10))) // too many are refused
				default:
					for range 4 {
						d.Press(keys[rng.IntN(len(keys))])
					}
				}
				for _, d := range all {
					d.Text()
				}
			}
		})
	}
}

// An arrival changes the list of users, and no session draws the rows or the chat again for it.
func TestArrivalsLeaveTheRows(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.OpenTable("ana", table.Proposal{Game: "ayu"})
		all := h.VisitMany(20, "")
		settle := func() {
			screentest.Advance(15 * time.Second)
			for _, d := range all {
				d.WantText("ana 1500?")
			}
		}
		settle()
		lists, users, chats := home.PartsMade(&h.Shared)
		h.Member("bob")
		settle()
		l, u, c := home.PartsMade(&h.Shared)
		if kinds := 2; u-users != kinds || c != chats {
			t.Errorf("an arrival was drawn %d times for %d kinds of terminals, and the chat %d times", u-users, kinds, c-chats)
		}
		if l-lists > 4 { // twice for each kind if the ages change meanwhile
			t.Errorf("after an arrival the rows were drawn %d times", l-lists)
		}
	})
}
