package sqlite

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
)

func sanctioned(t *testing.T, s *Store, kind string, a lobby.Account, until time.Time) int64 {
	t.Helper()
	return must[int64](t)(s.AddSanction(t.Context(), Sanction{
		Kind: kind, Subject: "account " + fmt.Sprint(a.ID), Account: a.ID, SubjectName: a.Name, Reason: "noise", Issuer: "mod", Created: start, Until: until,
	}, kind+"s "+a.Name))
}

// TestSanctionsFollowAKeyToItsNextAccount: keys of a deleted account, and keys that were removed from a
// sanctioned account, are kept as digests and transfer the sanctions to their next account.
func TestSanctionsFollowAKeyToItsNextAccount(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, soon := account(t, s, "ana"), start.Add(time.Hour)
		want(t, "second key", s.AddKey(ctx, ana.ID, []byte("second"), start), nil)
		want(t, "third key", s.AddKey(ctx, ana.ID, []byte("third"), start), nil)
		sanctioned(t, s, "mute", ana, soon)
		want(t, "remove a key", s.RemoveKey(ctx, ana.ID, []byte("third"), start), nil)
		want(t, "delete", s.DeleteAccount(ctx, ana.ID, start), nil)
		all := must[[]Sanction](t)(s.Sanctions(ctx, start))
		if len(all) != 1 || all[0].SubjectName != "ana" || len(all[0].Keys) != 3 {
			t.Fatalf("kept: %+v", all)
		}
		for _, digest := range all[0].Keys {
			known := false
			for _, key := range []string{"key of ana", "second", "third"} {
				known = known || digest == sha256.Sum256([]byte(key))
			}
			if !known {
				t.Errorf("%x is the digest of no key", digest)
			}
		}
		for i, key := range []string{"second", "third", "key of ana"} {
			a := must[lobby.Account](t)(s.CreateAccount(ctx, fmt.Sprint("bob", i), []byte(key), start.Add(time.Minute)))
			own := 0
			for _, one := range must[[]Sanction](t)(s.Sanctions(ctx, start)) {
				if one.Account == a.ID {
					own++
					if one.Kind != "mute" || one.Reason != "noise" || one.Issuer != "mod" || !one.Until.Equal(soon) || one.SubjectName != a.Name || !one.Created.Equal(start) {
						t.Errorf("%s inherits %+v", a.Name, one)
					}
				}
			}
			if own != 1 {
				t.Errorf("%s has %d sanctions", a.Name, own)
			}
		}
		if all := must[[]Sanction](t)(s.Sanctions(ctx, start)); len(all) != 3 {
			t.Errorf("the deleted account's is kept: %+v", all)
		}
		if other := account(t, s, "cleo"); other.ID == 0 {
			t.Error("no account")
		}
		if n := rows(t, s, "sanctioned_keys"); n != 0 {
			t.Errorf("%d digests are kept for nothing", n)
		}
	})
}

// TestDigestsAreKeptOnlyWhileTheSanctionLasts: neither an expired nor a lifted sanction leaves digests, and
// no key of an account without sanctions leaves any.
func TestDigestsAreKeptOnlyWhileTheSanctionLasts(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		for i, name := range []string{"ana", "bob", "cleo"} {
			a := account(t, s, name)
			var id int64
			switch i {
			case 0:
				sanctioned(t, s, "ban", a, start.Add(time.Hour))
			case 1:
				id = sanctioned(t, s, "mute", a, time.Time{})
			}
			want(t, "delete", s.DeleteAccount(ctx, a.ID, start), nil)
			if n := rows(t, s, "sanctioned_keys"); n != []int{1, 2, 1}[i] {
				t.Errorf("after %s: %d digests", name, n)
			}
			if id != 0 {
				want(t, "lift", s.LiftSanction(ctx, id, "mod", "lifts", start), nil)
			}
		}
		later := must[lobby.Account](t)(s.CreateAccount(ctx, "later", []byte("key of ana"), start.Add(time.Hour)))
		if all := must[[]Sanction](t)(s.Sanctions(ctx, start)); len(all) != 0 || rows(t, s, "sanctioned_keys") != 0 {
			t.Errorf("after its end %s has %+v", later.Name, all)
		}
	})
}

// TestSanctionsShowTheCurrentName of an account.
func TestSanctionsShowTheCurrentName(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ana := account(t, s, "ana")
		sanctioned(t, s, "mute", ana, time.Time{})
		must[lobby.Account](t)(s.Rename(t.Context(), ana.ID, "eva", start))
		if all := must[[]Sanction](t)(s.Sanctions(t.Context(), start)); len(all) != 1 || all[0].SubjectName != "eva" || all[0].OriginalName != "ana" {
			t.Errorf("shown: %+v", all)
		}
	})
}

// TestOpenReportsAreBoundedAndNeverPruned: neither many accounts of one address nor many closed reports
// remove an open one, and all open ones can be read page by page.
func TestOpenReportsAreBoundedAndNeverPruned(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ctx, limit := t.Context(), ReportLimits{Person: 3, Address: 10}
		report := func(actor, origin string) bool {
			t.Helper()
			return must[bool](t)(s.AddReport(ctx, actor, origin, "bully", "it happened", limit, start))
		}
		if !report("victim", "192.0.2.1/32") {
			t.Fatal("the first report is refused")
		}
		taken := 0
		for i := range 100 { // one address, many accounts
			if report(fmt.Sprint("puppet", i), "192.0.2.66/32") {
				taken++
			}
		}
		if taken != limit.Address {
			t.Errorf("%d reports of one address are open", taken)
		}
		for i := range 5 {
			if got := report("loud", fmt.Sprintf("192.0.2.%d/32", 100+i)); got != (i < limit.Person) {
				t.Errorf("report %d of one person: %v", i+1, got)
			}
		}
		for i := range 3*noticed + 1 { // many addresses
			report(fmt.Sprint("many", i), fmt.Sprintf("10.0.%d.%d/32", i/250, i%250))
		}
		open := must[int](t)(s.CountReports(ctx))
		if open != 1+limit.Address+limit.Person+3*noticed+1 {
			t.Errorf("%d are open", open)
		}
		var all []AuditEntry
		for after := int64(0); ; after = all[len(all)-1].ID {
			page := must[[]AuditEntry](t)(s.OpenReports(ctx, after, noticed))
			if all = append(all, page...); len(page) < noticed {
				break
			}
		}
		if len(all) != open || all[0].Actor != "victim" {
			t.Fatalf("%d of %d can be read, the first by %s", len(all), open, all[0].Actor)
		}
		// Closing makes room, and only closed reports are removed.
		if _, err := s.write.Exec("INSERT INTO reports (at, actor, about, text, closed) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT 0, 'x', 'y', 'z', i FROM n", maxReports); err != nil {
			t.Fatal(err)
		}
		for _, n := range all[1:] {
			want(t, "close", s.CloseReport(ctx, n.ID, "mod", "is done", start), nil)
		}
		if n := rows(t, s, "reports"); n != maxReports+1 || must[[]AuditEntry](t)(s.OpenReports(ctx, 0, 5))[0].Actor != "victim" {
			t.Errorf("%d reports are kept", n)
		}
		if !report("puppet0", "192.0.2.66/32") {
			t.Error("closing made no room")
		}
		origins := 0
		if err := s.read.QueryRow("SELECT count(*) FROM reports WHERE closed IS NOT NULL AND origin <> ''").Scan(&origins); err != nil || origins != 0 {
			t.Errorf("%d closed reports keep an address, %v", origins, err)
		}
	})
}

const noticed = 200 // reports on a page

func rows(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	if err := s.read.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
