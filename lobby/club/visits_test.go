package club_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/store/storetest"
)

// TestReportsByTheServerAreShown: a report that the store has made itself, because ten new accounts have lost to one player,
// is shown to moderators after some minutes.
func TestReportsByTheServerAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, db := openClub(t)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			c.RecordVisits(ctx)
			close(ended)
		}()
		account := func(name string) account.Account {
			a, err := db.CreateAccount(t.Context(), name, []byte("key of "+name), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		champion := account("champion")
		for i := range 10 {
			info := storetest.Match(t, fmt.Sprint("m", i), "", champion, account(fmt.Sprint("puppet", i)))
			storetest.Finish(t, db, info, 4, storetest.End(time.Since(storetest.Start), engine.ReasonResign, 0))
		}
		<-time.After(6 * time.Minute)
		synctest.Wait()
		if s := c.Bulletin.Reports(); s.Open != 1 || s.Newest.Reporter != "the server" || s.Newest.About != "champion" {
			t.Errorf("shown are %+v", s)
		}
		stop()
		<-ended
	})
}

// TestVisitsAreRecorded: when an account was last online is stored after some minutes, and when the club ends.
func TestVisitsAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, db := openClub(t)
		ana, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			c.RecordVisits(ctx)
			close(ended)
		}()
		began := time.Now()
		want := func(what string, want time.Time) {
			t.Helper()
			if m, err := db.Member(t.Context(), "ana"); err != nil || !m.LastSeen.Equal(want) {
				t.Errorf("%s: last seen %v, want %v, %v", what, m.LastSeen, want, err)
			}
		}
		s := &club.Session{From: netip.MustParseAddr("192.0.2.1"), Role: club.RolePlayer}
		leave := c.Sessions.Add(s)
		c.Sessions.SetAccount(s, ana)
		if at, err := c.LastVisit(t.Context(), s); err != nil || !at.IsZero() {
			t.Errorf("before the first visit it was %v, %v", at, err)
		}
		want("at once", time.Time{})
		<-time.After(6 * time.Minute)
		synctest.Wait()
		want("after some minutes", began)
		<-time.After(time.Hour)
		leave()
		left := time.Now()
		<-time.After(time.Minute)
		owner := c.Manager(club.Actor{Role: club.RoleServerOwner})
		if m, _, err := owner.Member(t.Context(), "ana"); err != nil || !m.LastSeen.Equal(left) {
			t.Errorf("before that is stored: last seen %v, want %v, %v", m.LastSeen, left, err)
		}
		stop()
		<-ended
		want("at the end", left)
	})
}

// TestLastVisit asks when an account was online before: not yet, then when its session ended, and now while another is there.
func TestLastVisit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, db := openClub(t)
		ana, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		enter := func(want time.Time) (leave func()) {
			t.Helper()
			s := new(club.Session)
			leave = c.Sessions.Add(s)
			c.Sessions.SetAccount(s, ana)
			if at, err := c.LastVisit(t.Context(), s); err != nil || !at.Equal(want) {
				t.Errorf("the last visit was at %v, not at %v: %v", at, want, err)
			}
			return leave
		}
		leave := enter(time.Time{})
		<-time.After(time.Minute)
		leave()
		ended := time.Now()
		<-time.After(time.Minute)
		enter(ended)()
		ended = time.Now()
		ctx, stop := context.WithCancel(t.Context())
		stop()
		c.RecordVisits(ctx) // stores them
		<-time.After(time.Hour)
		leave = enter(ended)
		enter(time.Now())
		leave()
	})
}
