package lobby_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
)

// tableEvents describes the events of a session: "declined by bob".
func tableEvents(s *lobby.Session, table *table.View) string {
	var all []string
	for _, e := range s.TableEvents(0) {
		if e.Table.ID != table.ID {
			continue
		}
		all = append(all, string(e.Kind)+" by "+e.By)
	}
	return strings.Join(all, ", ")
}

// TestAStateOfATableIsReportedOnce, also if it is taken over twice.
func TestAStateOfATableIsReportedOnce(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		opened := mustOpen(t, ana, table.Proposal{Options: smallOptions, To: "bob"})
		wantCode(t, "decline", bob.DeclineChallenge(t.Context(), opened.ID), "")
		if err := h.FollowTableAgain(t.Context(), opened.ID); err != nil {
			t.Fatal(err)
		}
		if got := tableEvents(ana, opened); got != "declined by bob" {
			t.Errorf("ana gets %q", got)
		}
	})
}

func TestChallengesThatEndAreReported(t *testing.T) {
	for _, c := range []struct {
		name     string
		act      func(t *testing.T, h harness, ana, bob *lobby.Session, id string)
		ana, bob string // their expected events
	}{
		{"declined", func(t *testing.T, _ harness, _, bob *lobby.Session, id string) {
			wantCode(t, "decline", bob.DeclineChallenge(t.Context(), id), "")
		}, "declined by bob", ""},
		{"cancelled", func(t *testing.T, _ harness, ana, _ *lobby.Session, id string) {
			wantCode(t, "cancel", ana.CancelTable(t.Context(), id), "")
		}, "", "withdrawn by ana"},
		{"owner gone", func(_ *testing.T, _ harness, ana, _ *lobby.Session, _ string) {
			ana.Close(true)
			advance(14 * time.Second)
		}, "", "expired by ana"},
		{"challenged player gone", func(_ *testing.T, _ harness, _, bob *lobby.Session, _ string) {
			bob.Close(false)
			advance(14 * time.Second)
		}, "expired by bob", ""},
		{"owner plays another", func(t *testing.T, h harness, ana, _ *lobby.Session, _ string) {
			h.pair(ana, h.member("cleo"), table.Proposal{Clock: &clock.Default})
		}, "", "withdrawn by ana"},
		{"owner blocks", func(t *testing.T, _ harness, ana, _ *lobby.Session, _ string) {
			wantCode(t, "block", ana.Block(t.Context(), "bob"), "")
		}, "", "withdrawn by ana"},
		{"challenged player blocks", func(t *testing.T, _ harness, _, bob *lobby.Session, _ string) {
			wantCode(t, "block", bob.Block(t.Context(), "ana"), "")
		}, "declined by bob", ""},
		{"accepted", func(t *testing.T, _ harness, _, bob *lobby.Session, id string) {
			_, err := bob.JoinTable(t.Context(), id, "")
			wantCode(t, "join", err, "")
		}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			withHarness(t, func(t *testing.T, h harness) {
				ana, bob := h.member("ana"), h.member("bob")
				table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "bob", Clock: &clock.Default})
				if err != nil {
					t.Fatal(err)
				}
				advance(time.Second)
				c.act(t, h, ana, bob, table.ID)
				if got := tableEvents(ana, table); got != c.ana {
					t.Errorf("the challenger gets %q, not %q", got, c.ana)
				}
				if got := tableEvents(bob, table); got != c.bob {
					t.Errorf("the challenged player gets %q, not %q", got, c.bob)
				}
				if left := h.TableList().TablesFor(bob.Account().ID); len(left) != 0 {
					t.Errorf("still open: %+v", left[0])
				}
			})
		})
	}
}

func TestTableEventsWakeAndAreBounded(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		ana.IgnoreLists(true) // changes of the lists do not wake it
		for range 40 {
			table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "bob"})
			if err != nil {
				t.Fatal(err)
			}
			advance(time.Minute)
			select {
			case <-ana.Wakeups():
			default:
			}
			wantCode(t, "decline", bob.DeclineChallenge(t.Context(), table.ID), "")
			select {
			case <-ana.Wakeups():
			default:
				t.Fatal("an event wakes nobody")
			}
		}
		db := ana.TableEvents(0)
		if len(db) != 32 || db[0].Seq != 9 || db[31].Seq != 40 {
			t.Errorf("%d events are kept from %d to %d", len(db), db[0].Seq, db[len(db)-1].Seq)
		}
		if rest := ana.TableEvents(38); len(rest) != 2 || rest[0].Seq != 39 {
			t.Errorf("after 38: %+v", rest)
		}
		if again := h.member("ana"); len(again.TableEvents(0)) != 0 {
			t.Error("a session gets events from before it")
		}
		if len(ana.TableEvents(40)) != 0 || len(bob.TableEvents(0)) != 0 {
			t.Error("events for nobody")
		}
	})
}

// A user at another's table is notified as well that it closed, and one whom its owner blocks gets the same
// event.
func TestClosedTableIsReportedToAllAtIt(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, cleo := h.member("ana"), h.member("bob"), h.member("cleo")
		table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":4}`)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*lobby.Session{bob, cleo} {
			if _, err := s.JoinTable(t.Context(), table.ID, ""); err != nil {
				t.Fatal(err)
			}
		}
		wantCode(t, "block", ana.Block(t.Context(), "cleo"), "")
		wantCode(t, "cancel", ana.CancelTable(t.Context(), table.ID), "")
		for _, s := range []*lobby.Session{bob, cleo} {
			if got := tableEvents(s, table); got != "withdrawn by ana" {
				t.Errorf("%s gets %q", s.Account().Name, got)
			}
		}
		if got := tableEvents(ana, table); got != "" {
			t.Errorf("the owner gets %q", got)
		}
	})
}

// A correspondence challenge stays open when the challenged player leaves, and can be accepted later.
func TestChallengeOverDaysWaitsForTheChallengedPlayer(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "bob", Clock: &clock.Control{Days: 3}})
		if err != nil {
			t.Fatal(err)
		}
		bob.Close(false)
		advance(time.Hour)
		if _, err := h.member("bob").JoinTable(t.Context(), table.ID, ""); err != nil {
			t.Error(err)
		}
	})
}
