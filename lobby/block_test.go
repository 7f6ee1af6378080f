package lobby_test

import (
	"context"
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

func chatText(lines []lobby.ChatLine) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Author+": "+l.Text)
	}
	return strings.Join(all, "\n")
}

func TestBlockedUsersChatIsHidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana, bob, mod := h.member("ana"), h.member("bob"), h.member("mod")
		mod.SetModerator()
		for _, name := range []string{"bob", "mod"} {
			if err := ana.Block(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range []*lobby.Session{bob, mod, ana} {
			if err := s.Say("hello"); err != nil {
				t.Fatal(err)
			}
		}
		h.Announce("closing soon")
		if got, want := chatText(ana.VisibleChat(&h.Chat, 0)), "mod: hello\nana: hello\n*: closing soon"; got != want {
			t.Errorf("ana hears %q", got)
		}
		if got, want := chatText(bob.VisibleChat(&h.Chat, 0)), "bob: hello\nmod: hello\nana: hello\n*: closing soon"; got != want {
			t.Errorf("bob, who is to notice nothing, hears %q", got)
		}
		if err := ana.Unblock(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		if got := chatText(ana.VisibleChat(&h.Chat, 0)); !strings.HasPrefix(got, "bob: hello") {
			t.Errorf("after the block is lifted ana hears %q", got)
		}
	})
}

func TestBlockedPeopleDoNotMeetAtTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana, bob, carol := h.member("ana"), h.member("bob"), h.member("carol")
		challenge, err := bob.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		if err := ana.Block(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		if _, err := ana.JoinTable(t.Context(), challenge.ID, ""); errorCode(err) != errcode.UnknownTable {
			t.Errorf("a challenge by who is blocked still stands: %v", err)
		}
		for _, c := range []struct {
			from *lobby.Session
			to   string
			says string
		}{{bob, "ana", "is not accepting challenges"}, {ana, "bob", "you have blocked bob"}} {
			_, err := c.from.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: c.to})
			if errorCode(err) != errcode.NotAllowed || !strings.Contains(err.Error(), c.says) {
				t.Errorf("a challenge to %s: %v", c.to, err)
			}
		}
		opened, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
		if err != nil {
			t.Fatal(err)
		}
		if seen := h.TableList().TablesFor(bob.Account().ID); len(seen) != 0 {
			t.Error("who is blocked sees the table")
		}
		if seen := h.TableList().TablesFor(carol.Account().ID); len(seen) != 1 {
			t.Error("others do not see the table")
		}
		if _, err := bob.JoinTable(t.Context(), opened.ID, ""); errorCode(err) != errcode.NotAllowed || strings.Contains(err.Error(), "block") {
			t.Errorf("a blocked user joins, or learns the reason: %v", err)
		}
		theirs, err := bob.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ana.JoinTable(t.Context(), theirs.ID, ""); errorCode(err) != errcode.NotAllowed || !strings.Contains(err.Error(), "you have blocked") {
			t.Errorf("ana joins the table of a blocked user: %v", err)
		}
		if err := ana.Unblock(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		if id, err := bob.JoinTable(t.Context(), opened.ID, ""); err != nil || id == "" {
			t.Errorf("after the block is lifted: %v", err)
		}
	})
}

func TestBlockedPeopleAreNotPaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana, bob, carol := h.member("ana"), h.member("bob"), h.member("carol")
		if err := bob.Block(t.Context(), "ANA"); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*lobby.Session{ana, bob} {
			if _, err := s.OpenTable(t.Context(), table.Proposal{Game: "ayu", Quick: true}); err != nil {
				t.Fatal(err)
			}
		}
		advance(time.Minute)
		if len(h.View().Matches) > 0 {
			t.Fatal("they were paired")
		}
		if _, err := carol.OpenTable(t.Context(), table.Proposal{Game: "ayu", Quick: true}); err != nil {
			t.Fatal(err)
		}
		advance(10 * time.Second)
		if got := len(h.View().Matches); got != 1 || len(carol.SeatedMatches()) != 1 {
			t.Errorf("%d games, and carol plays %d", got, len(carol.SeatedMatches()))
		}
	})
}

func TestBlockedPlayerOffersNothingButADraw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		turn(t, seats)
		turn(t, seats)
		if err := ana.Block(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		mine, err := bob.AsPlayer(seats[0].Match().Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := mine.Offer(t.Context(), match.OfferUndo); errorCode(err) != errcode.NotAllowed || strings.Contains(err.Error(), "block") {
			t.Errorf("a take-back: %v", err)
		}
		if err := mine.Offer(t.Context(), match.OfferDraw); err != nil {
			t.Errorf("a draw: %v", err)
		}
		if err := mine.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := mine.Offer(t.Context(), match.OfferRematch); errorCode(err) != errcode.NotAllowed || strings.Contains(err.Error(), "block") {
			t.Errorf("a rematch: %v", err)
		}
	})
}

func TestBlocksLastAndAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memoryStore(t)
		h := open(t, s)
		ana, bob := h.member("ana"), h.member("bob")
		guest := h.enter(h.Accounts.NewGuest())
		if err := ana.Block(t.Context(), "ana"); errorCode(err) != errcode.BadRequest {
			t.Errorf("ana blocks ana: %v", err)
		}
		if err := ana.Block(t.Context(), "nobody"); errorCode(err) != errcode.BadRequest {
			t.Errorf("ana blocks nobody: %v", err)
		}
		for _, name := range []string{"bob", guest.Account().Name} {
			if err := ana.Block(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		if err := guest.Block(t.Context(), "bob"); err != nil || !guest.HasBlocked(bob.Account().ID) {
			t.Errorf("a guest blocks: %v", err)
		}
		if !h.member("ana").HasBlocked(guest.Account().ID) {
			t.Error("a second session of ana's has not the block of a guest")
		}
		for n := 2; ; n++ {
			_, err := h.Accounts.Register(t.Context(), "p"+strconv.Itoa(n), []byte("key of p"+strconv.Itoa(n)), netip.Addr{})
			if err == nil {
				err = ana.Block(t.Context(), "p"+strconv.Itoa(n))
			}
			if n == 200 {
				if errorCode(err) != errcode.Full {
					t.Errorf("block number 201: %v", err)
				}
				break
			}
			if err != nil {
				t.Fatal(n, err)
			}
		}
		h.Close()
		h = open(t, s)
		if all := h.member("ana").Blocks(); len(all) != 199 || all[0].Name != "bob" || all[0].At.IsZero() {
			t.Errorf("after a restart there are %d blocks", len(all))
		}
		p, err := h.Archive.Profile(t.Context(), "ana")
		if err != nil || p.Account.Blocks != nil {
			t.Errorf("a profile has ana's blocks: %v", err)
		}
		bob = h.member("bob")
		if err := bob.RenameAccount(t.Context(), "aaron"); err != nil {
			t.Fatal(err)
		}
		h.Close()
		h = open(t, s)
		if all := h.member("ana").Blocks(); all[0].Name != "aaron" {
			t.Errorf("ana's block has the name %s", all[0].Name)
		}
		if err := h.member("bob").DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.Close()
		h = open(t, s)
		defer h.Close()
		if all := h.member("ana").Blocks(); len(all) != 198 {
			t.Errorf("%d blocks are left after one of them is deleted", len(all))
		}
	})
}

// refreshingStore has an account read, as after a change, before it records a block of it.
type refreshingStore struct {
	lobby.Store
	lobby *lobby.Lobby
}

func (s *refreshingStore) AddBlock(ctx context.Context, by, blocked account.ID, at time.Time) error {
	return errors.Join(s.lobby.Accounts.Refresh(ctx, by), s.Store.AddBlock(ctx, by, blocked, at))
}

// TestBlockHoldsWhenTheAccountIsReadMeanwhile: what is read lacks the block that is not recorded yet.
func TestBlockHoldsWhenTheAccountIsReadMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &refreshingStore{Store: memoryStore(t)}
		h := open(t, s)
		defer h.Close()
		s.lobby = h.Lobby
		ana, bob := h.member("ana"), h.member("bob")
		if err := ana.Block(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		if !ana.HasBlocked(bob.Account().ID) {
			t.Error("bob is not blocked after the acknowledgement")
		}
	})
}
