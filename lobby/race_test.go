package lobby_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// tardyStore takes a second to record a new match.
type tardyStore struct{ lobby.Store }

func (s tardyStore) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	<-time.After(time.Second)
	return s.Store.CreateMatch(ctx, info, with)
}

// TestTheLimitOfOwnMatchesHoldsUnderRaces: one user starts more matches at once than allowed: against
// opponents who have agreed, and at tables that others join.
func TestTheLimitOfOwnMatchesHoldsUnderRaces(t *testing.T) {
	const most, tries = 3, 20
	for name, begin := range map[string]func(ana, other *lobby.Session, table string) error{
		"against": func(ana, other *lobby.Session, _ string) error {
			_, err := ana.StartAgainst(context.Background(), table.Proposal{Game: "ayu", Options: smallOptions}, other)
			return err
		},
		"joined": func(_, other *lobby.Session, table string) error {
			_, err := other.JoinTable(context.Background(), table, "")
			return err
		},
	} {
		withHarness(t, func(t *testing.T, _ harness) {
			h := open(t, tardyStore{memoryStore(t)})
			defer h.Close()
			limits := limit.Default()
			limits.MatchesPerUser, limits.TablesPerUser = most, tries
			h.SetLimits(limits)
			ana := h.member("ana")
			errs := make(chan error, tries)
			var done sync.WaitGroup
			for range tries {
				table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions})
				if err != nil {
					t.Fatal(err)
				}
				other := h.enter(h.Accounts.NewGuest())
				done.Go(func() { errs <- begin(ana, other, table.ID) })
			}
			done.Wait()
			begun := 0
			for range tries {
				if err := <-errs; err == nil {
					begun++
				} else {
					wantCode(t, name, err, errcode.Full)
				}
			}
			if seated := len(ana.SeatedMatches()); begun != most || seated != most {
				t.Errorf("%s: %d of %d began, ana has %d matches; want %d", name, begun, tries, seated, most)
			}
			p, err := ana.AsPlayer(ana.SeatedMatches()[0].Info.ID)
			if err == nil {
				err = p.Resign(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ana.StartAgainst(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions}, h.enter(h.Accounts.NewGuest())); err != nil {
				t.Errorf("%s: after one has ended: %v", name, err)
			}
		})
	}
}
