package storetest

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// sanctioned stores a sanction of an account and returns its id.
func sanctioned(t *testing.T, s store.Store, kind club.SanctionKind, a account.Account, until time.Time) int64 {
	t.Helper()
	return Must[int64](t)(s.AddSanction(t.Context(), club.Sanction{
		Kind: kind, Subject: "account " + fmt.Sprint(a.ID), Account: a.ID, SubjectName: a.Name, Reason: "noise", Issuer: "mod", Created: Start, Until: until,
	}, string(kind)+"s "+a.Name))
}

func testInvitations(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	hash := sha256.Sum256([]byte("code"))
	wrong := sha256.Sum256([]byte("another code"))
	Want(t, "create", s.CreateInvitation(ctx, hash[:], 2, Start.Add(time.Hour), "mod", Start), nil)
	Want(t, "wrong", s.RedeemInvitation(ctx, wrong[:], []byte("one"), "one", Start), errcode.ErrNotFound)
	Want(t, "too late", s.RedeemInvitation(ctx, hash[:], []byte("one"), "one", Start.Add(time.Hour)), errcode.ErrNotFound)
	for range 2 { // a member uses nothing
		Want(t, "first key", s.RedeemInvitation(ctx, hash[:], []byte("one"), "one", Start), nil)
	}
	Want(t, "second key", s.RedeemInvitation(ctx, hash[:], []byte("two"), "two", Start.Add(time.Hour-1)), nil)
	Want(t, "third key", s.RedeemInvitation(ctx, hash[:], []byte("three"), "three", Start), errcode.ErrNotFound)
	for key, want := range map[string]bool{"one": true, "two": true, "three": false} {
		if got, err := s.IsMember(ctx, []byte(key)); err != nil || got != want {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
	var actors []string
	for _, e := range Must[[]club.AuditEntry](t)(s.AuditLog(ctx, 9)) {
		actors = append(actors, e.Actor)
	}
	if !slices.Equal(actors, []string{"mod", "one", "two"}) {
		t.Errorf("in the audit log are %q", actors)
	}
}

// testMembers: a member who adds a second key is a member with both.
func testMembers(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	Want(t, "create", s.CreateInvitation(ctx, []byte("h"), 1, Start.Add(time.Hour), "mod", Start), nil)
	Want(t, "redeem", s.RedeemInvitation(ctx, []byte("h"), []byte("key of ana"), "one", Start), nil)
	Want(t, "add", s.AddKey(ctx, Account(t, s, "ana").ID, []byte("two"), Start), nil)
	for key, want := range map[string]bool{"key of ana": true, "two": true, "three": false} {
		if got, err := s.IsMember(ctx, []byte(key)); err != nil || got != want {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
}

func testSanctions(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana := Account(t, s, "ana")
	given := []club.Sanction{
		{Kind: club.KindBan, Subject: "address 192.0.2.1/32", SubjectName: "192.0.2.1/32", Reason: "noise", Issuer: "mod", Created: Start, Until: Start.Add(time.Minute)},
		{Kind: club.KindMute, Subject: "account", Account: ana.ID, SubjectName: "ana", Issuer: "owner", IssuerRole: club.RoleServerOwner, Created: Start.Add(time.Second)},
		{Kind: club.KindMute, Subject: "account -3", Account: Guest.ID, SubjectName: "guest-x", Issuer: "owner", Created: Start.Add(time.Second)},
	}
	for i := range given {
		given[i].ID = Must[int64](t)(s.AddSanction(ctx, given[i], string(given[i].Kind)+"s "+given[i].SubjectName))
		given[i].OriginalName = given[i].SubjectName
	}
	if all := Must[[]club.Sanction](t)(s.Sanctions(ctx, Start)); !reflect.DeepEqual(all, given) {
		t.Errorf("got %+v\nwant %+v", all, given)
	}
	for after, want := range map[time.Duration]int{0: 3, 59 * time.Second: 3, time.Minute: 2, 1e4 * time.Hour: 2} {
		if all, err := s.Sanctions(ctx, Start.Add(after)); err != nil || len(all) != want {
			t.Errorf("after %v: %v, %v", after, all, err)
		}
	}
	Want(t, "lift", s.LiftSanction(ctx, given[1].ID, "mod", "lifts the mute of ana", Start), nil)
	Want(t, "lift again", s.LiftSanction(ctx, given[1].ID, "mod", "lifts the mute of ana", Start), errcode.ErrNotFound)
	want := []club.AuditEntry{
		{At: Start.Add(time.Second), Actor: "owner", Action: "mutes guest-x"},
		{At: Start, Actor: "mod", Action: "lifts the mute of ana"},
	}
	if got := Must[[]club.AuditEntry](t)(s.AuditLog(ctx, 2)); !slices.Equal(got, want) {
		t.Errorf("the audit log ends with %+v, want %+v", got, want)
	}
}

func testAudit(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	var all []club.AuditEntry
	for i := range 5 {
		e := club.AuditEntry{At: Start.Add(time.Duration(i) * time.Second), Actor: "mod", Action: fmt.Sprint("announces: ", i)}
		Want(t, "add", s.AddAuditEntry(ctx, e), nil)
		all = append(all, e)
	}
	for _, limit := range []int{1, 3, 5, 9} {
		if got := Must[[]club.AuditEntry](t)(s.AuditLog(ctx, limit)); !slices.Equal(got, all[max(len(all)-limit, 0):]) {
			t.Errorf("the last %d: %+v", limit, got)
		}
	}
}

// testSanctionsFollowKeys: keys of a deleted account, and keys that were removed from a
// sanctioned account, are kept as digests and transfer the sanctions to their next account.
func testSanctionsFollowKeys(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, soon := Account(t, s, "ana"), Start.Add(time.Hour)
	Want(t, "second key", s.AddKey(ctx, ana.ID, []byte("second"), Start), nil)
	Want(t, "third key", s.AddKey(ctx, ana.ID, []byte("third"), Start), nil)
	sanctioned(t, s, club.KindMute, ana, soon)
	Want(t, "remove a key", s.RemoveKey(ctx, ana.ID, []byte("third"), Start), nil)
	Want(t, "delete", s.DeleteAccount(ctx, ana.ID, Start), nil)
	all := Must[[]club.Sanction](t)(s.Sanctions(ctx, Start))
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
		a := Must[account.Account](t)(s.CreateAccount(ctx, fmt.Sprint("bob", i), []byte(key), Start.Add(time.Minute)))
		own := 0
		for _, one := range Must[[]club.Sanction](t)(s.Sanctions(ctx, Start)) {
			if one.Account == a.ID {
				own++
				if one.Kind != club.KindMute || one.Reason != "noise" || one.Issuer != "mod" || !one.Until.Equal(soon) || one.SubjectName != a.Name || !one.Created.Equal(Start) {
					t.Errorf("%s inherits %+v", a.Name, one)
				}
			}
		}
		if own != 1 {
			t.Errorf("%s has %d sanctions", a.Name, own)
		}
	}
	if all := Must[[]club.Sanction](t)(s.Sanctions(ctx, Start)); len(all) != 3 {
		t.Errorf("the deleted account's is kept: %+v", all)
	}
	if other := Account(t, s, "cleo"); other.ID == 0 {
		t.Error("no account")
	}
}

// testSanctionNames of an account.
func testSanctionNames(t *testing.T, open func() store.Store) {
	s := open()
	ana := Account(t, s, "ana")
	sanctioned(t, s, club.KindMute, ana, time.Time{})
	Must[account.Account](t)(s.Rename(t.Context(), ana.ID, "eva", Start))
	if all := Must[[]club.Sanction](t)(s.Sanctions(t.Context(), Start)); len(all) != 1 || all[0].SubjectName != "eva" || all[0].OriginalName != "ana" {
		t.Errorf("shown: %+v", all)
	}
}

// testReports: neither many accounts of one address nor many closed reports
// remove an open one, and all open ones can be read page by page.
func testReports(t *testing.T, open func() store.Store) {
	s := open()
	const page = 200
	ctx, limit := t.Context(), club.ReportLimits{Reporter: 3, Origin: 10}
	report := func(actor, origin string) bool {
		t.Helper()
		return Must[bool](t)(s.AddReport(ctx, club.Report{At: Start, Reporter: actor, About: "bully", Text: "it happened"}, origin, limit))
	}
	evidence := club.Evidence{Match: "m", Room: lobby.SpectatorRoom, Chat: []club.EvidenceLine{{At: Start, From: "bully", Text: "Ä \"secret\""}}}
	first := club.Report{At: Start, Reporter: "victim", About: "bully", Text: "it happened", Evidence: evidence}
	if !Must[bool](t)(s.AddReport(ctx, first, "192.0.2.1/32", limit)) {
		t.Fatal("the first report is refused")
	}
	taken := 0
	for i := range 100 { // one address, many accounts
		if report(fmt.Sprint("puppet", i), "192.0.2.66/32") {
			taken++
		}
	}
	if taken != limit.Origin {
		t.Errorf("%d reports of one address are open", taken)
	}
	for i := range 5 {
		if got := report("loud", fmt.Sprintf("192.0.2.%d/32", 100+i)); got != (i < limit.Reporter) {
			t.Errorf("report %d of one person: %v", i+1, got)
		}
	}
	for i := range 3*page + 1 { // many addresses
		report(fmt.Sprint("many", i), fmt.Sprintf("10.0.%d.%d/32", i/250, i%250))
	}
	count := Must[int](t)(s.CountReports(ctx))
	if count != 1+limit.Origin+limit.Reporter+3*page+1 {
		t.Errorf("%d are open", count)
	}
	var all []club.Report
	for after := int64(0); ; after = all[len(all)-1].ID {
		next := Must[[]club.Report](t)(s.OpenReports(ctx, after, page))
		if all = append(all, next...); len(next) < page {
			break
		}
	}
	if len(all) != count || all[0].Reporter != "victim" {
		t.Fatalf("%d of %d can be read, the first by %s", len(all), count, all[0].Reporter)
	}
	// Closing makes room. Only closed reports are ever removed.
	for _, r := range all[1:] {
		Want(t, "close", s.CloseReport(ctx, r.ID, "mod", "is done", Start), nil)
	}
	Want(t, "close again", s.CloseReport(ctx, all[1].ID, "mod", "is done", Start), errcode.ErrNotFound)
	if left := Must[[]club.Report](t)(s.OpenReports(ctx, 0, 5)); len(left) != 1 || !reflect.DeepEqual(left[0], all[0]) {
		t.Errorf("open are %+v", left)
	}
	if newest := Must[club.Report](t)(s.NewestReport(ctx)); !reflect.DeepEqual(newest, all[0]) {
		t.Errorf("the newest open report is %+v", newest)
	}
	if open := Must[int](t)(s.CountReports(ctx)); open != 1 {
		t.Errorf("%d are open after all others were closed", open)
	}
	if !report("puppet0", "192.0.2.66/32") || !report("loud", "192.0.2.100/32") {
		t.Error("closing made no room")
	}
	if !reflect.DeepEqual(all[0].Evidence, evidence) || !all[1].Evidence.IsZero() {
		t.Errorf("the evidence is %+v and %+v", all[0].Evidence, all[1].Evidence)
	}
	Want(t, "close", s.CloseReport(ctx, all[0].ID, "mod", "is done", Start), nil)
	for row, err := range s.Export(ctx) {
		if Want(t, "export", err, nil); strings.Contains(fmt.Sprint(row.Values...), "secret") {
			t.Errorf("after the report was closed, %s has %v", row.Table.Name, row.Values)
		}
	}
}
