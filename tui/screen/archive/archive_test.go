package archive_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/table"
	"ayumu/tui/screen/archive"
	"ayumu/tui/screen/screentest"
)

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
			all, err := h.Archive.FinishedMatches(h.T.Context(), 0, "", "", lobby.MaxFinishedMatches)
			if err != nil {
				h.T.Fatal(err)
			}
			if len(all) > archive.PageSize+10 {
				break
			}
		}
		d.Press("q a right")
		d.WantText("all games, newest first", "page 1")
		d.Press("end")
		d.WantText("↓: next page.")
		d.Press("down")
		d.WantText("page 2", "↑: previous page.")
		d.Press("up")
		d.WantText("page 1", "↓: next page.")
		d.Press("/ b o b enter")
		d.WantText("bob's games, newest first", "page 1")
		d.Press("/ n o enter")
		d.WantText(`There is no player "no"`)
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
		table, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Private: true})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member("bob").JoinTable(h.T.Context(), table.ID, table.Code(h.Member("ana").Account().ID))
		if err != nil {
			h.T.Fatal(err)
		}
		p, err := h.Member("bob").AsPlayer(id)
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

// No column of the list disappears when the window becomes wider, but where the end of a match gets a place beside it, and the
// widest list has all.
func TestColumnsOfTheArchiveOnlyGrow(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Start(archive.Show(d.Shell, "", 0, screentest.FinishedMatches(77, "erik")))
		d.Drain()
		var shown []string
		hasEnd := false
		for d.Width = 40; d.Width <= 220; d.Width++ {
			titles := ""
			for line := range strings.Lines(d.Text()) {
				if strings.Contains(line, " Date ") {
					list, _, _ := strings.Cut(strings.TrimLeft(line, " │"), "│")
					titles = " " + strings.TrimSpace(list)
				}
			}
			if has := strings.Contains(d.Text(), " The end "); has != hasEnd {
				hasEnd, shown = has, nil
			}
			for _, title := range shown {
				if !strings.Contains(titles, " "+title) {
					t.Errorf("%d columns: %s has disappeared: %s", d.Width, title, titles)
				}
			}
			shown = strings.Fields(titles)
			if n := len(strings.TrimSpace(titles)); n > 110 {
				t.Errorf("%d columns: the list is %d wide", d.Width, n)
			}
		}
		if got := strings.Join(shown, " "); got != "Date Players Result Reason Game Clock Mode Turns" {
			t.Errorf("the widest window shows %s", got)
		}
	})
}

func TestGoldenArchive(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 16}, {Width: 120, Height: 40}, {Width: 200, Height: 60}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			d.Start(archive.Show(d.Shell, "erika-with-a-nam", 77, screentest.FinishedMatches(77, "erika-with-a-nam")))
			d.Drain()
			d.Golden("archive" + size.Suffix())
		})
	}
}

// In a wide window the last position of the selected match stands beside the list, once the cursor rests.
func TestEndOfTheSelectedMatch(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for range 2 {
			h.Finished("bob", "ana", `{"size":7,"pie":false}`)
		}
		d := h.Visit(screentest.Setting{Name: "ana", Width: 120, Height: 40})
		d.Press("a")
		d.Advance(time.Second)
		d.WantText("The end", "12 units")
		d.Press("down up down")
		d.WantText("The end")
		d.WantNoText("units")
		d.Advance(time.Second)
		d.WantText("12 units")
	})
}
