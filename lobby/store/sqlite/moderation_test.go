package sqlite_test

import (
	"crypto/sha256"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/store/sqlite"
)

func TestInvitationIsUsedNoOftenerThanItMay(t *testing.T) {
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, now := t.Context(), time.Now()
	hash := sha256.Sum256([]byte("code"))
	const uses = 3
	if err := s.CreateInvite(ctx, hash[:], uses, now.Add(time.Hour), "host", now); err != nil {
		t.Fatal(err)
	}
	if err := s.RedeemInvite(ctx, hash[:], []byte("late"), "late", now.Add(2*time.Hour)); !errors.Is(err, lobby.ErrNotFound) {
		t.Errorf("too late: %v", err)
	}
	var got atomic.Int32
	var all sync.WaitGroup
	for i := range byte(20) {
		all.Go(func() {
			if s.RedeemInvite(ctx, hash[:], []byte{i}, "a key", now) == nil {
				got.Add(1)
			}
		})
	}
	all.Wait()
	if got.Load() != uses {
		t.Errorf("used %d times, not %d", got.Load(), uses)
	}
	members := 0
	for i := range byte(20) {
		member, err := s.IsMember(ctx, []byte{i})
		if err != nil {
			t.Fatal(err)
		}
		if member {
			members++
		}
	}
	if members != uses {
		t.Errorf("%d members", members)
	}
}

// TestFurtherKeysOfAMemberAreMembers: a member who adds a second key is a member with both.
func TestFurtherKeysOfAMemberAreMembers(t *testing.T) {
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, now := t.Context(), time.Now()
	if err := s.CreateInvite(ctx, []byte("h"), 1, now.Add(time.Hour), "host", now); err != nil {
		t.Fatal(err)
	}
	if err := s.RedeemInvite(ctx, []byte("h"), []byte("one"), "one", now); err != nil {
		t.Fatal(err)
	}
	a, err := s.CreateAccount(ctx, "ana", []byte("one"), now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddKey(ctx, a.ID, []byte("two"), now); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"one": true, "two": true, "three": false} {
		if got, err := s.IsMember(ctx, []byte(key)); err != nil || got != want {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
}

func TestSanctionsHoldUntilTheyEnd(t *testing.T) {
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, now := t.Context(), time.Now()
	for _, one := range []sqlite.Sanction{
		{Kind: "ban", Subject: "a", SubjectName: "a", Issuer: "host", Created: now, Until: now.Add(time.Minute)},
		{Kind: "mute", Subject: "b", SubjectName: "b", Issuer: "host", Created: now},
	} {
		if _, err := s.AddSanction(ctx, one, one.Kind+"s "+one.SubjectName); err != nil {
			t.Fatal(err)
		}
	}
	for after, want := range map[time.Duration]int{0: 2, 59 * time.Second: 2, time.Minute: 1, 1e4 * time.Hour: 1} {
		if all, err := s.Sanctions(ctx, now.Add(after)); err != nil || len(all) != want {
			t.Errorf("after %v: %v, %v", after, all, err)
		}
	}
	all, _ := s.Sanctions(ctx, now)
	if err := s.LiftSanction(ctx, all[1].ID, "host", "lifts b", now); err != nil {
		t.Error(err)
	}
	if err := s.LiftSanction(ctx, all[1].ID, "host", "lifts b", now); !errors.Is(err, lobby.ErrNotFound) {
		t.Errorf("lifted twice: %v", err)
	}
	notes, err := s.AuditLog(ctx, 2)
	if err != nil || len(notes) != 2 || notes[0].Text != "mutes b" || notes[1].Text != "lifts b" {
		t.Errorf("the audit log ends with %v, %v", notes, err)
	}
}
