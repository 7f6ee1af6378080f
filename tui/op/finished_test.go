package op

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFinishedMatchesContinue lists more matches than one list has: what continues it is typed, and lists the others once.
func TestFinishedMatchesContinue(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.guest(), h.guest()
		var want []string // newest first
		for range listedMatches + 2 {
			id := h.match(ana, bob)
			<-time.After(time.Second)
			if err := h.open(ana, id).Player.Resign(h.t.Context()); err != nil {
				h.t.Fatal(err)
			}
			want = slices.Insert(want, 0, id)
		}
		var got []string
		list := func(words string) *Rows {
			name, args, _ := strings.Cut(words, " ")
			call, err := ana.Operations.ForSSH(name).ParseWords(ana, name, strings.Fields(args))
			if err != nil {
				h.t.Fatalf("%s: %v", words, err)
			}
			r, err := call.Run(h.t.Context(), ana)
			if err != nil {
				h.t.Fatalf("%s: %v", words, err)
			}
			rows := r.Text().Rows
			for _, row := range rows.Rows {
				got = append(got, row.ID)
			}
			return rows
		}
		first := list("games")
		if first.Next == "" {
			h.t.Fatalf("a list of %d of %d matches ends without what continues it", len(got), len(want))
		}
		if last := list(first.Next); last.Next != "" {
			t.Errorf("after all matches %q continues the list", last.Next)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the lists have the matches %v, want %v", got, want)
		}
	})
}
