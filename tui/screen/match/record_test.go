package match_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/record"
	"ayumu/tui/screen/screentest"
)

// TestRecordIsShownFirst opens the record of the documentation, finished and cut off, with its analysis, and goes from it
// to the replay and to the lobby.
func TestRecordIsShownFirst(t *testing.T) {
	page, err := os.ReadFile("../../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```\n[AyumuRecord")
	text, _, _ = strings.Cut("[AyumuRecord"+text, "```\n")
	for _, isRunning := range []bool{false, true} {
		screentest.WithLocal(t, func(h *screentest.Harness) {
			builtin := h.NewBots(screentest.FirstLegal)
			defer builtin.Close()
			r, err := record.Read(strings.NewReader(text), enginetest.Games)
			if err != nil {
				t.Fatal(err)
			}
			want := "bob wins"
			if isRunning {
				r.Result, r.Ended, r.Lines = nil, time.Time{}, r.Lines[:4]
				want = "The game goes on after"
			}
			if err := r.Check(); err != nil {
				t.Fatal(err)
			}
			s, err := r.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			h.Account("zoe")
			setting := screentest.Setting{Name: "zoe", Bots: builtin}
			setting.Site.Record = s
			d := h.Visit(setting)
			defer d.Close()
			d.Advance(time.Second)
			d.WantText("Analysis")
			d.Press("q")
			d.WantText("Start of the game", want)
			d.WantNoText("I player")
			d.Press("q")
			d.WantText("Play a bot")
		})
	}
}
