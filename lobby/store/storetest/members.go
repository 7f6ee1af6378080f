package storetest

import (
	"reflect"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// testAnnouncements: they are kept newest first, end once, and each account has its own mark of what it has read, which
// only moves forward.
func testAnnouncements(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	want := club.Announcement{Created: Start, Author: "mod", Title: "Club evening", Text: "Friday, 19:00. Ä", From: Start.Add(time.Hour), Until: Start.Add(24 * time.Hour)}
	first := Must[int64](t)(s.AddAnnouncement(ctx, want, "announces: Club evening"))
	endless := want
	endless.Until = time.Time{}
	second := Must[int64](t)(s.AddAnnouncement(ctx, endless, "announces: Club evening"))
	want.ID, endless.ID = first, second
	if got := Must[[]club.Announcement](t)(s.Announcements(ctx, 0, 9)); !reflect.DeepEqual(got, []club.Announcement{endless, want}) {
		t.Errorf("stored are %+v", got)
	}
	if got := Must[[]club.Announcement](t)(s.Announcements(ctx, second, 9)); len(got) != 1 || got[0].ID != first {
		t.Errorf("before the second: %+v", got)
	}
	if got := Must[[]club.Announcement](t)(s.Announcements(ctx, 0, 1)); len(got) != 1 || got[0].ID != second {
		t.Errorf("the newest one: %+v", got)
	}
	at := Start.Add(2 * time.Hour)
	Want(t, "end", s.EndAnnouncement(ctx, second, "mod", "ends it", at), nil)
	Want(t, "end again", s.EndAnnouncement(ctx, second, "mod", "ends it", at), errcode.ErrNotFound)
	Want(t, "end none", s.EndAnnouncement(ctx, second+9, "mod", "ends it", at), errcode.ErrNotFound)
	if got := Must[[]club.Announcement](t)(s.Announcements(ctx, 0, 1)); !got[0].Until.Equal(at) {
		t.Errorf("it ends at %v", got[0].Until)
	}
	if n := len(Must[[]club.AuditEntry](t)(s.AuditLog(ctx, 9))); n != 3 {
		t.Errorf("the audit log has %d lines", n)
	}

	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	for _, mark := range []time.Duration{time.Hour, time.Minute} { // the second one is earlier
		Want(t, "read", s.SetReadUntil(ctx, ana.ID, Start.Add(mark)), nil)
	}
	Want(t, "read by nobody", s.SetReadUntil(ctx, 99, Start), nil)
	for id, want := range map[account.ID]time.Time{ana.ID: Start.Add(time.Hour), bob.ID: {}, 99: {}} {
		if got := Must[time.Time](t)(s.ReadUntil(ctx, id)); !got.Equal(want) {
			t.Errorf("account %d has read until %v, want %v", id, got, want)
		}
	}
	Want(t, "another text", s.SetText(ctx, "another", "Bye", "mod", "sets another text", Start), nil)
	for _, text := range []string{"Welcome", "", "Hello"} {
		Want(t, "text", s.SetText(ctx, club.TextMessage, text, "mod", "sets the message", Start), nil)
		if got := Must[string](t)(s.Text(ctx, club.TextMessage)); got != text {
			t.Errorf("the text is %q, want %q", got, text)
		}
	}
}

// testOldAnnouncements: of those that have ended, only the last MaxAnnouncements are kept.
func testOldAnnouncements(t *testing.T, open func() store.Store) {
	s := open()
	add := func(until time.Time) {
		Must[int64](t)(s.AddAnnouncement(t.Context(), club.Announcement{Created: Start, Author: "mod", Text: "text", From: Start, Until: until}, "announces"))
	}
	add(time.Time{})
	add(Start)
	for range club.MaxAnnouncements {
		add(Start)
	}
	all := Must[[]club.Announcement](t)(s.Announcements(t.Context(), 0, 2*club.MaxAnnouncements))
	if len(all) != club.MaxAnnouncements+1 || !all[len(all)-1].Until.IsZero() {
		t.Errorf("%d are kept, the oldest until %v", len(all), all[len(all)-1].Until)
	}
}

// testMemberList: accounts are listed by name, page by page, with what is known of each.
func testMemberList(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	cleo, ana, bob := Account(t, s, "cleo"), Account(t, s, "ana"), Account(t, s, "bob")
	gone := Account(t, s, "gone")
	Want(t, "delete", s.DeleteAccount(ctx, gone.ID, Start), nil)
	Want(t, "key", s.AddKey(ctx, ana.ID, []byte("second"), Start), nil)
	Want(t, "invite", s.CreateInvitation(ctx, []byte("h"), 2, Start.Add(time.Hour), "mod", Start), nil)
	Want(t, "redeem", s.RedeemInvitation(ctx, []byte("h"), []byte("key of bob"), "bob", Start), nil)
	Finish(t, s, Match(t, "m", "", ana, bob), 4, End(time.Minute, engine.ReasonResign, 0))
	Want(t, "running", s.CreateMatch(ctx, Match(t, "running", "", ana, cleo), lobby.MatchStart{}), nil)
	Want(t, "role", s.SetRole(ctx, bob.ID, club.RoleModerator, false, "mod", "makes bob a moderator", Start), nil)
	Want(t, "visit", s.RecordVisits(ctx, map[account.ID]time.Time{ana.ID: Start.Add(time.Hour), 99: Start, gone.ID: Start}), nil)
	Want(t, "earlier visit", s.RecordVisits(ctx, map[account.ID]time.Time{ana.ID: Start}), nil)

	var names []string
	for after, n := "", 0; n < 9; n++ {
		page := Must[[]club.Member](t)(s.Members(ctx, after, 2))
		for _, m := range page {
			names, after = append(names, m.Account.Name), m.Account.Name
		}
		if len(page) < 2 {
			break
		}
	}
	if !reflect.DeepEqual(names, []string{"ana", "bob", "cleo"}) {
		t.Fatalf("listed are %q", names)
	}
	m := Must[club.Member](t)(s.Member(ctx, "ANA"))
	if m.Account.ID != ana.ID || m.Role != club.RolePlayer || m.Keys != 2 || m.IsInvited || m.Games != 1 || m.Unfinished != 1 ||
		!m.LastSeen.Equal(Start.Add(time.Hour)) || !m.LastGame.Equal(Start.Add(time.Minute)) || m.Account.Ratings["ayu"].Games != 1 {
		t.Errorf("ana is %+v", m)
	}
	if m := Must[club.Member](t)(s.Member(ctx, "bob")); m.Role != club.RoleModerator || !m.IsInvited || !m.LastSeen.IsZero() {
		t.Errorf("bob is %+v", m)
	}
	if m := Must[club.Member](t)(s.Member(ctx, "cleo")); m.Games != 0 || m.Unfinished != 1 || !m.LastGame.IsZero() {
		t.Errorf("cleo is %+v", m)
	}
	for id, want := range map[account.ID]time.Time{ana.ID: Start.Add(time.Hour), gone.ID: {}, 99: {}} {
		if at := Must[time.Time](t)(s.LastVisit(ctx, id)); !at.Equal(want) {
			t.Errorf("the last visit of account %d was at %v, want %v", id, at, want)
		}
	}
	for row, err := range s.Export(ctx) {
		if Want(t, "export", err, nil); row.Table.Name == "visits" && row.Values[0] != int64(ana.ID) {
			t.Errorf("a visit of the deleted account is stored: %v", row.Values)
		}
	}
	for _, name := range []string{"gone", "nobody", "a-na"} {
		_, err := s.Member(ctx, name)
		Want(t, name, err, errcode.ErrNotFound)
	}
}

// testRoles: a role is stored until it is removed, an owner is not deleted, and the last owner stays one.
func testRoles(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	set := func(a account.Account, r club.Role, needsOther bool) error {
		return s.SetRole(ctx, a.ID, r, needsOther, "mod", "changes a role", Start)
	}
	Want(t, "ana", set(ana, club.RoleServerOwner, false), nil)
	Want(t, "the last owner", set(ana, club.RolePlayer, true), club.ErrLastOwner)
	Want(t, "bob", set(bob, club.RoleModerator, false), nil)
	Want(t, "the last owner, beside a moderator", set(ana, club.RolePlayer, true), club.ErrLastOwner)
	Want(t, "delete an owner", s.DeleteAccount(ctx, ana.ID, Start), club.ErrIsOwner)
	Want(t, "bob", set(bob, club.RoleServerOwner, false), nil)
	Want(t, "one of two owners", set(ana, club.RoleModerator, true), nil)
	want := map[account.ID]club.Role{ana.ID: club.RoleModerator, bob.ID: club.RoleServerOwner}
	if got := Must[map[account.ID]club.Role](t)(s.Roles(ctx)); !reflect.DeepEqual(got, want) {
		t.Errorf("roles are %v", got)
	}
	Want(t, "delete a moderator", s.DeleteAccount(ctx, ana.ID, Start), nil)
	Want(t, "deleted", set(ana, club.RoleModerator, false), errcode.ErrNotFound)
	Want(t, "player", set(bob, club.RolePlayer, false), nil)
	if got := Must[map[account.ID]club.Role](t)(s.Roles(ctx)); len(got) != 0 {
		t.Errorf("roles are %v", got)
	}
}

// testOwnersAtOnce: of two owners who remove each other's role at once, one stays an owner.
func testOwnersAtOnce(t *testing.T, open func() store.Store) {
	s := open()
	owners := []account.Account{Account(t, s, "ana"), Account(t, s, "bob")}
	for _, a := range owners {
		Want(t, "owner", s.SetRole(t.Context(), a.ID, club.RoleServerOwner, false, "mod", "makes an owner", Start), nil)
	}
	done := atOnce(t, len(owners), func(i int) error {
		return s.SetRole(t.Context(), owners[i].ID, club.RolePlayer, true, "mod", "removes an owner", Start)
	}, club.ErrLastOwner)
	if got := Must[map[account.ID]club.Role](t)(s.Roles(t.Context())); done != 1 || len(got) != 1 {
		t.Errorf("%d changes, roles %v", done, got)
	}
}

// testInvitationList: those that can be used are listed, and one that was revoked cannot.
func testInvitationList(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	Want(t, "expires", s.CreateInvitation(ctx, []byte("1"), 1, Start.Add(time.Minute), "mod", Start), nil)
	Want(t, "create", s.CreateInvitation(ctx, []byte("2"), 3, Start.Add(time.Hour), "mod", Start), nil)
	Want(t, "redeem", s.RedeemInvitation(ctx, []byte("2"), []byte("key"), "ana", Start), nil)
	all := Must[[]club.ListedInvitation](t)(s.Invitations(ctx, Start.Add(time.Minute), 9))
	want := club.ListedInvitation{Left: 2, Used: 1, Created: Start, Until: Start.Add(time.Hour), Issuer: "mod"}
	if len(all) != 1 {
		t.Fatalf("listed are %+v", all)
	}
	if want.ID = all[0].ID; all[0] != want {
		t.Errorf("listed is %+v", all[0])
	}
	ana := Account(t, s, "ana")
	Want(t, "membership", s.AddKey(ctx, ana.ID, []byte("key"), Start), nil)
	Want(t, "end", s.EndMembership(ctx, ana.ID, "mod", "removes ana", Start), nil)
	if is := Must[bool](t)(s.IsMember(ctx, []byte("key"))); is {
		t.Error("a removed member is one")
	}
	Want(t, "revoke", s.RevokeInvitation(ctx, want.ID, "mod", "revokes it", Start), nil)
	Want(t, "revoke again", s.RevokeInvitation(ctx, want.ID, "mod", "revokes it", Start), errcode.ErrNotFound)
	Want(t, "redeem", s.RedeemInvitation(ctx, []byte("2"), []byte("another"), "bob", Start), errcode.ErrNotFound)
}

// testPlayed: finished games count by week and by seat, aborted and older ones do not. Bots are neither new accounts nor
// active players.
func testPlayed(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	bot, late := Account(t, s, "bot"), Account(t, s, "late")
	Want(t, "a bot", s.SetBot(t.Context(), bot.ID, true), nil)
	withBots := Match(t, "bots", "", bot, late)
	withBots.Seats[0].Bot = true
	Finish(t, s, withBots, 4, End(3*time.Hour, engine.ReasonResign, 0))
	Want(t, "a bot after its game", s.SetBot(t.Context(), late.ID, true), nil)
	for id, after := range map[string]time.Duration{"old": -time.Hour, "first": time.Hour, "second": 2 * time.Hour, "later": 2*club.Week + time.Hour} {
		Finish(t, s, Match(t, id, "", ana, bob), 4, End(after, engine.ReasonResign, 0))
	}
	Finish(t, s, Match(t, "aborted", "", ana, cleo), 0, End(time.Hour, engine.ReasonAbort))
	p := Must[club.Played](t)(s.Played(t.Context(), Start))
	if !reflect.DeepEqual(p.Weeks, []int{3, 0, 1}) || p.NewAccounts != 3 {
		t.Errorf("played: %+v", p)
	}
	got := make(map[int]club.PlayedSeat)
	for _, seat := range p.Seats {
		got[seat.Seat] = seat
	}
	if a, b := got[0], got[1]; len(p.Seats) != 2 || a.Side != "b" || a.Outcome != "won" || a.Games != 4 || b.Outcome != "lost" || a.Options.Game() == nil {
		t.Errorf("seats: %+v", p.Seats)
	}
	for since, want := range map[time.Duration]int{0: 2, 3 * club.Week: 0} {
		if n := Must[int](t)(s.ActivePlayers(t.Context(), Start.Add(since))); n != want {
			t.Errorf("%d active players since %v, want %d", n, since, want)
		}
	}
}
