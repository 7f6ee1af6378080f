package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

// pair opens two stores on a database, as two processes would.
func pair(open func() store.Store) [2]store.Store { return [2]store.Store{open(), open()} }

// rounds is how often a test repeats what only some orders of two calls could break.
const rounds = 20

// distinct returns a name with a suffix that makes it similar to no other.
func distinct(name string, i int) string { return fmt.Sprintf("%s%c%c", name, 'a'+i/8, 'a'+i%8) }

// testAppendsAtOnce has many goroutines of two stores write the same logs. For each version one of them
// wins.
func testAppendsAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana, bob := Account(t, stores[0], "ana"), Account(t, stores[1], "bob")
	const matches, turns = 4, 12
	logs := make(map[string][]match.Entry)
	for i := range matches {
		info := Match(t, fmt.Sprint("m", i), "", ana, bob)
		logs[info.ID] = Log(t, info, turns, NewChance())
		Want(t, "create", stores[i%2].CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	}
	var mu sync.Mutex
	won := make(map[string]int)
	atOnce(t, 16, func(i int) error {
		id := fmt.Sprint("m", i%matches)
		for v, e := range logs[id] {
			switch err := stores[i/8].Append(t.Context(), id, After(v), e); {
			case err == nil:
				mu.Lock()
				won[fmt.Sprint(id, " ", v)]++
				mu.Unlock()
			case !errors.Is(err, errcode.ErrVersionConflict):
				return err
			}
		}
		return nil
	})
	for id, entries := range logs {
		_, got, err := stores[0].Match(t.Context(), id)
		if err != nil || len(got) != len(entries) {
			t.Errorf("%s has %d entries, %v", id, len(got), err)
		}
		for v := range entries {
			if n := won[fmt.Sprint(id, " ", v)]; n != 1 {
				t.Errorf("%s: %d appends made version %d", id, n, v+1)
			}
		}
	}
}

// testEndsAtOnce ends the same matches, and matches of the same accounts, at once. Each is rated once, on
// what the match rated before it has left. All of them wait for the same two accounts, so that there are few at a time:
// a store gives up after some seconds, in which a busy machine does not get through a long queue.
func testEndsAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana, bob := Account(t, stores[0], "ana"), Account(t, stores[0], "bob")
	const matches, together, tries = 18, 3, 2
	for i := range matches {
		info := Match(t, fmt.Sprintf("m%02d", i), "", ana, bob)
		Want(t, "create", stores[0].CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
		Want(t, "append", stores[0].Append(t.Context(), info.ID, After(0), Log(t, info, 2, NewChance())...), nil)
	}
	for first := 0; first < matches; first += together {
		ended := atOnce(t, together*tries, func(i int) error {
			end := End(time.Minute, engine.ReasonResign, i%2)
			return stores[i%2].Append(t.Context(), fmt.Sprintf("m%02d", first+i/tries), After(2), end)
		}, errcode.ErrVersionConflict)
		if ended != together {
			t.Errorf("%d of %d ends were taken for %d matches", ended, together*tries, together)
		}
	}
	const count = 6 // of one day; see rating.Weight
	made := make(map[int]bool)
	for _, f := range Must[[]lobby.FinishedMatch](t)(stores[1].FinishedMatches(t.Context(), lobby.MatchQuery{Limit: matches})) {
		if f.RatingsAfter == nil {
			if f.Unrated != match.UnratedRepeated {
				t.Errorf("%s is unrated: %q", f.Info.ID, f.Unrated)
			}
			continue
		}
		made[f.RatingsAfter[0].Games] = true
	}
	if len(made) != count {
		t.Errorf("the rated matches made the players' matches number %v, want 1 to %d", made, count)
	}
	for _, id := range []account.ID{ana.ID, bob.ID} {
		if r := Ratings(t, stores[0], id)["ayu"]; r.Games != count || r.Deviation >= rating.New.Deviation {
			t.Errorf("%d matches gave %+v, want %d rated ones", matches, r, count)
		}
		if h := Must[[]lobby.RatingPoint](t)(stores[0].RatingHistory(t.Context(), id, "ayu", 100)); len(h) != count {
			t.Errorf("%d points of history for %d matches, want %d", len(h), matches, count)
		}
	}
}

// testRepeatedAtOnce sends the same appends more than once at the same time, as a caller does that does not
// know their outcome: all of them are recorded once.
func testRepeatedAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana, bob := Account(t, stores[0], "ana"), Account(t, stores[0], "bob")
	const repeats = 4
	for round := range rounds {
		info := Match(t, fmt.Sprint("m", round), "", ana, bob)
		Want(t, "create", stores[0].CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
		log := append(Log(t, info, 2, NewChance()), End(time.Minute, engine.ReasonResign, 0))
		for v := range log {
			log[v].AppendID = match.AppendID{1, byte(v)}
			recorded := atOnce(t, repeats, func(i int) error {
				return stores[i%2].Append(t.Context(), info.ID, match.NewLogEnd(log[:v]), log[v])
			})
			if recorded != repeats {
				t.Errorf("round %d: %d of %d repeated appends were recorded", round, recorded, repeats)
			}
		}
		if _, got, err := stores[1].Match(t.Context(), info.ID); err != nil || len(got) != len(log) {
			t.Errorf("round %d: the log has %d entries, %v", round, len(got), err)
		}
	}
}

// testMatchesAtOnce creates matches with the same id at once.
func testMatchesAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana, bob := Account(t, stores[0], "ana"), Account(t, stores[0], "bob")
	for round := range rounds {
		created := atOnce(t, 4, func(i int) error {
			return stores[i%2].CreateMatch(t.Context(), Match(t, fmt.Sprint("m", round), "", ana, bob), lobby.MatchStart{})
		}, errcode.ErrTaken)
		if created != 1 {
			t.Errorf("round %d: %d matches were created", round, created)
		}
	}
}

// testNamesAtOnce has accounts take similar names at once, by creation and by renaming.
func testNamesAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	for round := range rounds {
		name := distinct("nobody", round)
		other := Account(t, stores[0], distinct("other", round))
		similar := []string{name, name[:3] + "-" + name[3:], name + "_", name}
		taken := atOnce(t, len(similar), func(i int) (err error) {
			if i == len(similar)-1 {
				_, err = stores[1].Rename(t.Context(), other.ID, similar[i], Start)
			} else {
				_, err = stores[i%2].CreateAccount(t.Context(), similar[i], []byte(fmt.Sprint("key ", round, i)), Start)
			}
			return err
		}, errcode.ErrTaken)
		if taken != 1 {
			t.Errorf("round %d: %d accounts have names like %s", round, taken, name)
		}
	}
}

// testKeysAtOnce has accounts take a key at once, by creation and by adding it.
func testKeysAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana := Account(t, stores[0], "ana")
	for round := range rounds {
		key := []byte(fmt.Sprint("key ", round))
		taken := atOnce(t, 4, func(i int) (err error) {
			if i == 0 {
				return stores[0].AddKey(t.Context(), ana.ID, key, Start)
			}
			_, err = stores[i%2].CreateAccount(t.Context(), distinct(distinct("player", round), i), key, Start)
			return err
		}, errcode.ErrTaken)
		if taken != 1 {
			t.Errorf("round %d: %d accounts have one key", round, taken)
		}
	}
}

// testLastKeyAtOnce removes both keys of an account at once: one remains.
func testLastKeyAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana := Account(t, stores[0], "ana")
	left := []byte("key of ana")
	for round := range rounds {
		keys := [][]byte{left, []byte(fmt.Sprint("key ", round))}
		Want(t, "add", stores[0].AddKey(t.Context(), ana.ID, keys[1], Start), nil)
		removed := atOnce(t, 2, func(i int) error {
			return stores[i].RemoveKey(t.Context(), ana.ID, keys[i], Start)
		}, errcode.ErrLastKey)
		has := Must[[]account.Key](t)(stores[0].Keys(t.Context(), ana.ID))
		if removed != 1 || len(has) != 1 {
			t.Fatalf("round %d: %d keys were removed, %d are left", round, removed, len(has))
		}
		left = has[0].Wire
	}
}

// testDeletionAtOnce deletes a muted account while a key is added to it, and while an account is created for
// its key: the deleted account has no key, and the new one is muted.
func testDeletionAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ctx := t.Context()
	for round := range rounds {
		name := distinct("player", round)
		a := Account(t, stores[0], name)
		sanctioned(t, stores[0], club.KindMute, a, time.Time{})
		var next account.Account
		atOnce(t, 3, func(i int) (err error) {
			switch i {
			case 0:
				return stores[0].DeleteAccount(ctx, a.ID, Start)
			case 1:
				return stores[1].AddKey(ctx, a.ID, []byte("second key of "+name), Start)
			}
			next, err = stores[1].CreateAccount(ctx, "next-"+name, []byte("key of "+name), Start)
			return err
		}, errcode.ErrTaken, errcode.ErrNotFound)
		_, err := stores[0].AccountByKey(ctx, []byte("second key of "+name))
		Want(t, "the account of the added key", err, errcode.ErrNotFound)
		if keys := Must[[]account.Key](t)(stores[0].Keys(ctx, a.ID)); len(keys) != 0 {
			t.Errorf("round %d: the deleted account has %d keys", round, len(keys))
		}
		muted := 0
		for _, s := range Must[[]club.Sanction](t)(stores[0].Sanctions(ctx, Start)) {
			if next.ID != 0 && s.Account == next.ID {
				muted++
			}
		}
		if next.ID != 0 && muted != 1 {
			t.Errorf("round %d: the next account of the key has %d sanctions", round, muted)
		}
	}
}

// testInvitationsAtOnce redeems an invitation with more keys than it is for.
func testInvitationsAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	hash := sha256.Sum256([]byte("code"))
	const uses, keys = 3, 20
	Want(t, "create", stores[0].CreateInvitation(t.Context(), hash[:], uses, Start.Add(time.Hour), "mod", Start), nil)
	redeemed := atOnce(t, keys, func(i int) error {
		return stores[i%2].RedeemInvitation(t.Context(), hash[:], []byte{byte(i)}, "a key", Start)
	}, errcode.ErrNotFound)
	members := 0
	for i := range byte(keys) {
		if Must[bool](t)(stores[1].IsMember(t.Context(), []byte{i})) {
			members++
		}
	}
	if redeemed != uses || members != uses {
		t.Errorf("used %d times by %d members, want %d", redeemed, members, uses)
	}
}

// testReportsAtOnce sends more reports at once than limits allow, and closes one of them more than once.
func testReportsAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ctx := t.Context()
	errFull := errors.New("too many are open")
	add := func(i int, r club.Report, origin string, limits club.ReportLimits) error {
		stored, err := stores[i%2].AddReport(ctx, r, origin, limits)
		if err == nil && !stored {
			err = errFull
		}
		return err
	}
	ofReporter := atOnce(t, 10, func(i int) error {
		r := club.Report{At: Start, Reporter: "ana", About: "bully", Text: "x"}
		return add(i, r, fmt.Sprint("origin ", i), club.ReportLimits{Reporter: 2, Origin: 100})
	}, errFull)
	ofOrigin := atOnce(t, 10, func(i int) error {
		r := club.Report{At: Start, Reporter: fmt.Sprint("puppet", i), About: "bully", Text: "x"}
		return add(i, r, "one origin", club.ReportLimits{Reporter: 100, Origin: 3})
	}, errFull)
	if n := Must[int](t)(stores[0].CountReports(ctx)); ofReporter != 2 || ofOrigin != 3 || n != 5 {
		t.Errorf("%d reports of a reporter and %d of an origin were stored, %d are open; want 2, 3 and 5", ofReporter, ofOrigin, n)
	}
	first := Must[[]club.Report](t)(stores[0].OpenReports(ctx, 0, 1))[0]
	closed := atOnce(t, 4, func(i int) error { return stores[i%2].CloseReport(ctx, first.ID, "mod", "is done", Start) }, errcode.ErrNotFound)
	if lines := Must[[]club.AuditEntry](t)(stores[0].AuditLog(ctx, 9)); closed != 1 || len(lines) != 1 {
		t.Errorf("a report was closed %d times, which made %d lines of the audit log", closed, len(lines))
	}
}

// testSanctionsAtOnce lifts a sanction more than once.
func testSanctionsAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ana := Account(t, stores[0], "ana")
	for range rounds {
		id := sanctioned(t, stores[0], club.KindMute, ana, time.Time{})
		lifted := atOnce(t, 4, func(i int) error { return stores[i%2].LiftSanction(t.Context(), id, "mod", "lifts", Start) }, errcode.ErrNotFound)
		if lifted != 1 {
			t.Errorf("a sanction was lifted %d times", lifted)
		}
	}
}
