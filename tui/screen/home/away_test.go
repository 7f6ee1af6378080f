package home_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui"
	"ayumu/tui/screen/screentest"
)

// TestWhatHappenedMeanwhileIsTold plays while a user is away: what happened before the user left is not told again.
func TestWhatHappenedMeanwhileIsTold(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Finished("ana", "dan", `{"size":7}`, "b1-b2")
		slow := h.StartMatch("ana", "carol", `{"size":7}`, clock.Control{Days: 3}, "b1-b2")
		var left time.Time
		var site tui.Config
		site.LastVisit = func(context.Context) (time.Time, error) { return left, nil }
		told := func(name string) (texts []string) {
			screentest.Advance(time.Second)
			d := h.Visit(screentest.Setting{Name: name, Site: site})
			defer d.Drain()
			for _, m := range d.Messages() {
				if strings.HasPrefix(m.Text, "While you were away") {
					texts = append(texts, m.Text)
				}
			}
			return texts
		}
		if got := told("ana"); got != nil {
			h.T.Errorf("at the first visit: %q", got)
		}
		screentest.Advance(time.Minute)
		left = time.Now()
		if got := told("ana"); got != nil {
			h.T.Errorf("nothing has happened: %q", got)
		}
		h.Play(slow, "a2-a3")
		if _, err := h.Member("carol").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", To: "ana"}); err != nil {
			h.T.Fatal(err)
		}
		h.Finished("ana", "bob", `{"size":7}`, "b1-b2")
		got := strings.Join(told("ana"), " ")
		for _, want := range []string{"your game with bob ended (you won by resignation)", "; moves in 1 game; 1 challenge."} {
			if !strings.Contains(got, want) {
				h.T.Errorf("%q lacks %q", got, want)
			}
		}
		if strings.Contains(got, "dan") {
			h.T.Errorf("%q tells what was known", got)
		}
		d := h.Visit(screentest.Setting{Name: "ana", Site: site})
		d.Advance(time.Minute) // the message is gone
		d.Press("x")           // the challenge, which the line says first
		d.Advance(time.Minute)
		d.Press("down up")
		d.WantText("While you were away: your game with bob ended")
		d.Press("esc")
		if strings.Contains(d.Text(), "While you were away") {
			h.T.Errorf("Esc does not hide the line:\n%s", d.Text())
		}
		d.Close()
		if got := told(""); got != nil {
			h.T.Errorf("a guest is told %q", got)
		}
	})
}
