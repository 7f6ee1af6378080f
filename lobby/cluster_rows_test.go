package lobby_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// rowIDs returns the ids of the rows of a kind.
func (c *sharedStore) rowIDs(kind string) string {
	c.t.Helper()
	found, _, err := c.Changes(c.t.Context(), "")
	if err != nil {
		c.t.Fatal(err)
	}
	var ids []string
	for _, r := range found {
		if r.Kind == kind {
			ids = append(ids, r.ID)
		}
	}
	return strings.Join(ids, " ")
}

// TestRowsOfGoneMatchesAreDeleted while the nodes run, and those of running matches are not, however old they are, nor
// when a node starts.
func TestRowsOfGoneMatchesAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		a := c.node("a")
		seats := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}})
		wantCode(t, "offer", seats[0].Offer(t.Context(), match.OfferDraw), "")
		a.Close()
		for _, id := range []string{"a/gone/players/1-1", "unknown/gone/players/3-1"} {
			if _, err := c.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "chat", ID: id}, Data: []byte(`{}`)}); err != nil {
				t.Fatal(err)
			}
		}
		<-time.After(55 * time.Minute)
		a = c.node("a")
		defer a.Close()
		advance(time.Minute)
		if got := c.rowIDs("chat"); got != "a/gone/players/1-1" { // rows of unknown nodes go first
			t.Errorf("rows of chat: %q", got)
		}
		advance(15 * time.Minute)
		if got := c.rowIDs("chat"); got != "" {
			t.Errorf("rows of chat after an hour: %q", got)
		}
		d := c.node("d")
		defer d.Close()
		advance(time.Minute)
		m, err := d.Match(seats[0].Match().Info.ID)
		if err != nil || len(m.Snapshot().Offers) != 1 {
			t.Errorf("the offer is gone: %v, rows %q", err, c.rowIDs("agreements"))
		}
	})
}

// TestUsersWhoLeftHaveNoRows, also if something about them changes while they leave.
func TestUsersWhoLeftHaveNoRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		a := c.node("a")
		defer a.Close()
		ana := a.member("ana")
		ana.Close(false)
		advance(2 * time.Second)
		_, cursor, err := c.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		ana.SetAddr(addr1)
		advance(2 * time.Second)
		found, _, err := c.Changes(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			if r.Kind == "presence" {
				t.Errorf("%+v was written", r)
			}
		}
	})
}

// TestAgreementsEndWithTheirMatch: an offer that is open when a match ends leaves no row, whichever node ends it.
func TestAgreementsEndWithTheirMatch(t *testing.T) {
	for seat := range 2 {
		withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
			seats := c.pairAcross(a, b, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}})
			wantCode(t, "offer", seats[0].Offer(t.Context(), match.OfferDraw), "")
			c.settle()
			if got, want := c.rowIDs("agreements"), seats[0].Match().Info.ID; got != want {
				t.Errorf("with an offer the rows of agreements are %q, want %q", got, want)
			}
			wantCode(t, "resign", seats[seat].Resign(t.Context()), "")
			<-time.After(20 * time.Minute) // for which it stays in memory
			c.settle()
			if got := c.rowIDs("agreements"); got != "" {
				t.Errorf("after seat %d has resigned the rows of agreements are %q", seat, got)
			}
		})
	}
}
