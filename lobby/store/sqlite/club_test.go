package sqlite

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
)

func sanctioned(t *testing.T, s *Store, kind club.SanctionKind, a account.Account, until time.Time) int64 {
	t.Helper()
	return must[int64](t)(s.AddSanction(t.Context(), club.Sanction{
		Kind: kind, Subject: "account " + fmt.Sprint(a.ID), Account: a.ID, SubjectName: a.Name, Reason: "noise", Issuer: "mod", Created: start, Until: until,
	}, string(kind)+"s "+a.Name))
}

// TestDigestsAreKeptOnlyWhileTheSanctionLasts: neither an expired nor a lifted sanction leaves digests, and
// no key of an account without sanctions leaves any.
func TestDigestsAreKeptOnlyWhileTheSanctionLasts(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		for i, name := range []string{"ana", "bob", "cleo"} {
			a := newAccount(t, s, name)
			var id int64
			switch i {
			case 0:
				sanctioned(t, s, club.KindBan, a, start.Add(time.Hour))
			case 1:
				id = sanctioned(t, s, club.KindMute, a, time.Time{})
			}
			want(t, "delete", s.DeleteAccount(ctx, a.ID, start), nil)
			if n := countRows(t, s, "sanctioned_keys"); n != []int{1, 2, 1}[i] {
				t.Errorf("after %s: %d digests", name, n)
			}
			if id != 0 {
				want(t, "lift", s.LiftSanction(ctx, id, "mod", "lifts", start), nil)
			}
		}
		later := must[account.Account](t)(s.CreateAccount(ctx, "later", []byte("key of ana"), start.Add(time.Hour)))
		if all := must[[]club.Sanction](t)(s.Sanctions(ctx, start)); len(all) != 0 || countRows(t, s, "sanctioned_keys") != 0 {
			t.Errorf("after its end %s has %+v", later.Name, all)
		}
	})
}

// TestClosedReportsArePruned: the last ones are kept, without the addresses from which they came.
func TestClosedReportsArePruned(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ctx, none := t.Context(), club.ReportLimits{Reporter: 9, Origin: 9}
		add := func(reporter string) {
			t.Helper()
			if !must[bool](t)(s.AddReport(ctx, club.Report{At: start, Reporter: reporter, About: "bully", Text: "it happened"}, "192.0.2.1/32", none)) {
				t.Fatal("the report is refused")
			}
		}
		add("victim")
		if _, err := s.write.Exec("INSERT INTO reports (at, reporter, about, text, closed) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT 0, 'x', 'y', 'z', i FROM n", club.MaxClosedReports); err != nil {
			t.Fatal(err)
		}
		add("ana")
		open := must[[]club.Report](t)(s.OpenReports(ctx, 0, 5))
		want(t, "close", s.CloseReport(ctx, open[1].ID, "mod", "is done", start), nil)
		if n := countRows(t, s, "reports"); n != club.MaxClosedReports+1 || must[[]club.Report](t)(s.OpenReports(ctx, 0, 5))[0].Reporter != "victim" {
			t.Errorf("%d reports are kept", n)
		}
		if n := countRows(t, s, "reports WHERE closed IS NOT NULL AND origin <> ''"); n != 0 {
			t.Errorf("%d closed reports keep an address", n)
		}
	})
}

// TestExpiredReservationsAreRemoved when an account is deleted.
func TestExpiredReservationsAreRemoved(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		want(t, "delete", s.DeleteAccount(t.Context(), ana.ID, start), nil)
		want(t, "delete another", s.DeleteAccount(t.Context(), bob.ID, start.Add(lobby.ReservedName)), nil)
		if n := countRows(t, s, "reserved_names"); n != 1 {
			t.Errorf("%d names are reserved", n)
		}
	})
}

// countRows counts the rows of a table.
func countRows(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	if err := s.read.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
