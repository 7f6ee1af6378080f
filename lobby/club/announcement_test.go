package club_test

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
)

// titles returns the titles of what a user has not read.
func titles(t *testing.T, c *club.Club, id account.ID) (all []string) {
	t.Helper()
	unread, err := c.Bulletin.Unread(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range unread {
		all = append(all, a.Title)
	}
	return all
}

// TestAnnouncementsAreUnreadUntilMarked: one is unread from when it begins until it ends, for each account until that
// has read it, and on all nodes; a guest has never read it.
func TestAnnouncementsAreUnreadUntilMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		ana, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		for _, posted := range []club.Announcement{
			{Title: "today", Text: "text", Until: now.Add(3 * time.Hour)},
			{Title: "later", Text: "text", From: now.Add(2 * time.Hour)},
		} {
			if _, err := m.Post(t.Context(), posted); err != nil {
				t.Fatal(err)
			}
		}
		want := func(c *club.Club, id account.ID, want ...string) {
			t.Helper()
			if got := titles(t, c, id); !slices.Equal(got, want) {
				t.Errorf("unread by %d are %q, want %q", id, got, want)
			}
		}
		<-time.After(time.Second)
		synctest.Wait()
		want(a.Club, ana.ID, "today")
		want(b.Club, ana.ID, "today")
		want(b.Club, -3, "today")
		unread, _ := b.Bulletin.Unread(t.Context(), ana.ID)
		for _, id := range []account.ID{ana.ID, -3} {
			if err := b.Bulletin.MarkRead(t.Context(), id, unread[0]); err != nil {
				t.Fatal(err)
			}
		}
		want(a.Club, ana.ID)
		want(a.Club, -3, "today")
		<-time.After(2 * time.Hour)
		want(a.Club, ana.ID, "later")
		want(b.Club, -3, "today", "later")
		<-time.After(time.Hour)
		want(b.Club, -3, "later")
		if err := m.Withdraw(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		if err := m.Withdraw(t.Context(), 2); code(err) != errcode.BadRequest {
			t.Errorf("withdrawn again: %v", err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		want(b.Club, ana.ID)
		if all, err := b.Bulletin.List(t.Context(), 0, 9, true); err != nil || len(all) != 2 {
			t.Errorf("kept are %v, %v", all, err)
		}
	})
}

// TestAnnouncementsAppearAndEndInTime: sessions on all nodes are woken once when the time of an announcement has come, and
// once when it ends; at other times nobody is. Nodes that start meanwhile do the same.
func TestAnnouncementsAppearAndEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		start := time.Now()
		if _, err := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"}).Post(t.Context(), club.Announcement{
			Title: "evening", Text: "text", From: start.Add(2 * time.Hour), Until: start.Add(3 * time.Hour),
		}); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Minute)
		late, err := club.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		type observed struct {
			woken   int
			titles  []string
			changes uint64
		}
		nodes := []*club.Club{a.Club, b.Club, late}
		var mu sync.Mutex // guards seen
		seen := make([]observed, len(nodes))
		for i, c := range nodes {
			s := &club.Session{Role: club.RoleGuest}
			c.Sessions.Add(s)
			seen[i].changes = c.Bulletin.Changes()
			c.Sessions.SetWake(s, func() {
				mu.Lock()
				defer mu.Unlock()
				seen[i].woken++
				for _, a := range c.Bulletin.AppearedSince(seen[i].changes) {
					seen[i].titles = append(seen[i].titles, a.Title)
				}
				seen[i].changes = c.Bulletin.Changes()
			})
		}
		for _, step := range []struct {
			at      time.Duration
			woken   int
			current bool
		}{
			{2*time.Hour - time.Second, 0, false},
			{2 * time.Hour, 1, true},
			{3*time.Hour - time.Second, 1, true},
			{3 * time.Hour, 2, false},
			{30 * 24 * time.Hour, 2, false},
		} {
			<-time.After(time.Until(start.Add(step.at)))
			synctest.Wait()
			mu.Lock()
			for i, c := range nodes {
				visible, _ := c.Bulletin.List(t.Context(), 0, 9, false)
				all, _ := c.Bulletin.List(t.Context(), 0, 9, true)
				if len(all) != 1 || len(visible) != min(step.woken, 1) {
					t.Errorf("after %v %d of %d announcements are listed for everybody", step.at, len(visible), len(all))
				}
				if seen[i].woken != step.woken || c.Bulletin.HasCurrent() != step.current {
					t.Errorf("after %v node %d has woken %d times, want %d; current: %v", step.at, i, seen[i].woken, step.woken, c.Bulletin.HasCurrent())
				}
			}
			mu.Unlock()
		}
		for i := range seen {
			if !slices.Equal(seen[i].titles, []string{"evening"}) {
				t.Errorf("on node %d have appeared %q", i, seen[i].titles)
			}
		}
	})
}

// TestWithdrawnAnnouncementsDoNotAppear: one that is withdrawn before its time is never shown.
func TestWithdrawnAnnouncementsDoNotAppear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, _ := twoNodes(t)
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		posted, err := m.Post(t.Context(), club.Announcement{Title: "evening", Text: "text", From: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Minute)
		if err := m.Withdraw(t.Context(), posted.ID); err != nil {
			t.Fatal(err)
		}
		<-time.After(2 * time.Hour)
		synctest.Wait()
		for _, c := range []*node{a, b} {
			if listed, _ := c.Bulletin.List(t.Context(), 0, 9, false); len(listed) != 0 {
				t.Errorf("everybody is listed %v", listed)
			}
			if c.Bulletin.Changes() != 0 || c.Bulletin.HasCurrent() || len(c.Bulletin.AppearedSince(0)) != 0 {
				t.Errorf("%d changes, appeared: %v", c.Bulletin.Changes(), c.Bulletin.AppearedSince(0))
			}
		}
	})
}

// TestNoticesAreKept: a notice reaches those who are connected on all nodes at once, is not shown on entry, and is kept.
func TestNoticesAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, _ := twoNodes(t)
		woken := 0
		s := &club.Session{Role: club.RoleGuest}
		b.Sessions.Add(s)
		b.Sessions.SetWake(s, func() { woken++ })
		said := ""
		a.Announce = func(notice string) { said += notice }
		m := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		if err := m.Announce(t.Context(), "restart at  eight"); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		news := b.Bulletin.AppearedSince(0)
		if said != "restart at eight" || woken != 1 || len(news) != 1 || !news[0].IsNotice() || news[0].Text != said || b.Bulletin.HasCurrent() {
			t.Errorf("said %q, woken %d times, news %+v", said, woken, news)
		}
		if err := m.SetMessage(t.Context(), "x"); code(err) != errcode.NotAllowed {
			t.Errorf("a moderator sets the message: %v", err)
		}
		if err := a.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "boss"}).SetMessage(t.Context(), "Welcome"); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if got := b.Bulletin.Message(); got != "Welcome" {
			t.Errorf("the message on the other node is %q", got)
		}
	})
}

// TestWrongAnnouncementsAreRefused: without a title or text, too long, ending before they begin, or too many.
func TestWrongAnnouncementsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := openClub(t)
		m := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		now := time.Now()
		for what, a := range map[string]club.Announcement{
			"no title":       {Text: "text"},
			"no text":        {Title: "title", Text: "\x1b"},
			"long title":     {Title: strings.Repeat("x", club.MaxTitle+1), Text: "text"},
			"long text":      {Title: "title", Text: strings.Repeat("x", club.MaxAnnouncement+1)},
			"ends too early": {Title: "title", Text: "text", From: now.Add(time.Hour), Until: now.Add(time.Minute)},
			"ended":          {Title: "title", Text: "text", Until: now.Add(-time.Minute)},
			"far away":       {Title: "title", Text: "text", From: now.AddDate(200, 0, 0)},
		} {
			if _, err := m.Post(t.Context(), a); code(err) != errcode.BadRequest {
				t.Errorf("%s: %v", what, err)
			}
		}
		posted := 0
		for range 30 {
			if _, err := m.Post(t.Context(), club.Announcement{Title: "title", Text: "text"}); err == nil {
				posted++
			}
		}
		if posted != 20 {
			t.Errorf("%d were posted", posted)
		}
		// Beside that the actions of each are limited.
		remote := c.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "remote", Addr: netip.MustParseAddr("192.0.2.1")})
		done := 0
		for range 100 {
			if remote.SetMessage(t.Context(), "Hello") == nil {
				done++
			}
		}
		if done != 60 || c.LimitHits.All()["moderation"] != 40 {
			t.Errorf("%d changes at once, limits %v", done, c.LimitHits.All())
		}
	})
}

// TestReportsReachModeratorsAtOnce: a report wakes the sessions of moderators on all nodes, and no others, and the number
// of open reports follows.
func TestReportsReachModeratorsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, db := twoNodes(t)
		if _, err := db.CreateAccount(t.Context(), "bob", []byte("key of bob"), time.Now()); err != nil {
			t.Fatal(err)
		}
		woken := make(map[club.Role]int)
		for _, role := range []club.Role{club.RolePlayer, club.RoleModerator, club.RoleServerOwner} {
			s := &club.Session{Role: role}
			b.Sessions.Add(s)
			b.Sessions.SetWake(s, func() { woken[role]++ })
		}
		if err := a.Moderator(club.Actor{Role: club.RolePlayer, Name: "ana"}).Report(t.Context(), "bob", "insults"); err != nil {
			t.Fatal(err)
		}
		if s := a.Bulletin.Reports(); s.Open != 1 || s.Newest.About != "bob" {
			t.Errorf("here: %+v", s)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if s := b.Bulletin.Reports(); s.Open != 1 || s.Newest.Reporter != "ana" {
			t.Errorf("there: %+v", s)
		}
		if woken[club.RolePlayer] != 0 || woken[club.RoleModerator] != 1 || woken[club.RoleServerOwner] != 1 {
			t.Errorf("woken: %v", woken)
		}
		if err := a.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"}).CloseReport(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if b.Bulletin.Reports().Open != 0 {
			t.Errorf("after closing: %+v", b.Bulletin.Reports())
		}
	})
}
