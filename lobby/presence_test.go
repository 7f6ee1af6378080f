package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
)

// separable is the store of one node, from which the node can be cut off.
type separable struct {
	cluster.Store
	cut atomic.Bool
}

var errCut = errors.New("the node is cut off from the store")

func (s *separable) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	if s.cut.Load() {
		return nil, errCut
	}
	return s.Store.Write(ctx, changes...)
}

func (s *separable) Changes(ctx context.Context, since rows.Cursor) ([]rows.Row, rows.Cursor, error) {
	if s.cut.Load() {
		return nil, "", errCut
	}
	return s.Store.Changes(ctx, since)
}

// separableNode starts a node that can be cut off.
func (c *sharedStore) separableNode(name string) (harness, *separable) {
	s := &separable{Store: c}
	c.configure = func(config *lobby.Config) { config.Cluster.Store = s }
	defer func() { c.configure = nil }()
	return c.node(name), s
}

// online returns the names in a lobby's list of users.
func (h harness) online() string {
	var names []string
	for u := range h.View().Users.All() {
		names = append(names, u.Name)
	}
	return strings.Join(names, " ")
}

func (h harness) wantOnline(want string) {
	h.t.Helper()
	if got := h.online(); got != want {
		h.t.Errorf("online: %q, want %q", got, want)
	}
}

// TestUsersOfOtherNodesAreOnline: a user is in the lists of all nodes while they have a session on any, and can be
// challenged from each.
func TestUsersOfOtherNodesAreOnline(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana, ana2, bob := a.member("ana"), b.member("ana"), b.member("bob")
		guest := a.enter(a.Accounts.NewGuest())
		c.settle()
		everybody := "ana bob " + guest.Account().Name
		a.wantOnline(everybody)
		b.wantOnline(everybody)
		if u := a.View().Users.At(1); u.ID != bob.Account().ID || u.Bot {
			t.Errorf("bob on the other node: %+v", u)
		}
		name, err := bob.CheckChallenge(t.Context(), guest.Account().Name)
		if name != guest.Account().Name || err != nil {
			t.Errorf("challenge of a guest of another node: %q, %v", name, err)
		}
		ana.Close(false)
		c.settle()
		a.wantOnline(everybody) // ana has a session on b
		ana2.Close(false)
		guest.Close(true)
		c.settle()
		a.wantOnline("bob")
		b.wantOnline("bob")
		_, err = bob.CheckChallenge(t.Context(), "ana")
		wantCode(t, "challenge of an absent user", err, errcode.BadRequest)
		if found, _, _ := c.store.Shared().Changes(t.Context(), ""); slices.ContainsFunc(found, func(r rows.Row) bool {
			return r.Kind == "presence" && !strings.HasSuffix(r.ID, fmt.Sprint("/", bob.Account().ID))
		}) {
			t.Errorf("rows of users who are gone: %v", found)
		}
	})
}

// TestSessionsOnAllNodesCount: the limit of sessions holds for all nodes together.
func TestSessionsOnAllNodesCount(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		limits := limit.Default()
		limits.SessionsPerUser = 3
		a.SetLimits(limits)
		b.SetLimits(limits)
		first := a.member("ana")
		a.member("ana")
		b.member("ana")
		c.settle()
		for _, h := range []harness{a, b} {
			_, err := h.Enter(first.Account(), nil)
			wantCode(t, "one session too many", err, errcode.Full)
		}
		first.Close(false)
		c.settle()
		b.member("ana")
	})
}

// acrossNodes starts a timed match of ana, who is on a only, and bob, who is on b only, and returns their players.
func (c *sharedStore) acrossNodes(a, b harness) (ana, bob *lobby.Player, bobsSession *lobby.Session) {
	c.t.Helper()
	bobOnA := a.member("bob")
	seats := a.pair(a.member("ana"), bobOnA, table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: 10 * time.Minute}})
	turn(c.t, seats)
	turn(c.t, seats)
	id := seats[0].Match().Info.ID
	bobsSession = b.member("bob")
	c.settle()
	bobOnA.Close(false)
	c.settle()
	bob, err := bobsSession.AsPlayer(id)
	if err != nil {
		c.t.Fatal(err)
	}
	return seats[1-bob.Seat()], bob, bobsSession
}

// TestAbsenceIsThatOnAllNodes: a player is away when the last session on any node has ended, and then only may the
// opponent claim, on the opponent's own node.
func TestAbsenceIsThatOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana, bob, session := c.acrossNodes(a, b)
		advance(time.Minute)
		away := func() match.Away { return ana.Snapshot().Away[bob.Seat()] }
		if !away().Since.IsZero() {
			t.Fatalf("bob is away, although on the other node: %+v", away())
		}
		wantCode(t, "claim", ana.Claim(t.Context(), "win"), errcode.NotAllowed)
		left := time.Now()
		session.Close(false)
		advance(8 * time.Second)
		if got := away(); !got.Since.Equal(left) || got.Dropped || got.Claimable {
			t.Errorf("bob left at %v: %+v", left, got)
		}
		if got := b.mustMatch(ana.Match().Info.ID).Snapshot().Away[bob.Seat()]; !got.Since.Equal(left) {
			t.Errorf("on the own node: %+v", got)
		}
		a.member("bob")
		c.settle()
		if !away().Since.IsZero() {
			t.Errorf("bob came back on the other node: %+v", away())
		}
		a.member("bob").Close(false)
		session = b.member("bob")
		c.settle()
		wantCode(t, "claim", ana.Claim(t.Context(), "win"), errcode.NotAllowed)
		_ = session
	})
}

func (h harness) mustMatch(id string) *lobby.Match {
	h.t.Helper()
	m, err := h.Match(id)
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// TestUsersOfADeadNodeAreAbsent: since its last heartbeat, as if their connections had broken; they are present again
// when it comes back.
func TestUsersOfADeadNodeAreAbsent(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a := c.node("a")
		defer a.Close()
		b, store := c.separableNode("b")
		defer b.Close()
		ana, bob, _ := c.acrossNodes(a, b)
		b.member("eve")
		c.settle()
		a.wantOnline("ana bob eve")
		store.cut.Store(true)
		lost := time.Now()
		advance(20 * time.Second)
		a.wantOnline("ana")
		away := ana.Snapshot().Away[bob.Seat()]
		if d := away.Since.Sub(lost); d < -3*time.Second || d > 0 || !away.Dropped || away.Claimable {
			t.Errorf("away since %v after the node was cut off: %+v", d, away)
		}
		store.cut.Store(false)
		advance(5 * time.Second)
		a.wantOnline("ana bob eve")
		if away = ana.Snapshot().Away[bob.Seat()]; !away.Since.IsZero() {
			t.Errorf("away after the node came back: %+v", away)
		}
		store.cut.Store(true)
		advance(75 * time.Second)
		if err := ana.Claim(t.Context(), "win"); err != nil {
			t.Error(err)
		}
	})
}

// TestAbsenceWhileCutOffDoesNotCount: a player whose own node was not in touch with the store cannot claim for that
// time.
func TestAbsenceWhileCutOffDoesNotCount(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a, store := c.separableNode("a")
		defer a.Close()
		b := c.node("b")
		defer b.Close()
		ana, bob, session := c.acrossNodes(a, b)
		session.Close(true)
		c.settle()
		store.cut.Store(true)
		advance(2 * time.Minute)
		wantCode(t, "claim while cut off", ana.Claim(t.Context(), "win"), errcode.Unavailable)
		store.cut.Store(false)
		advance(30 * time.Second)
		wantCode(t, "claim 30 s after that", ana.Claim(t.Context(), "win"), errcode.NotAllowed)
		advance(40 * time.Second)
		wantCode(t, "claim 70 s after that", ana.Claim(t.Context(), "win"), "")
		if !bob.Match().Snapshot().IsOver() {
			c.settle()
		}
	})
}

// TestClaimsReadThePresence: a player who came back on another node a moment ago loses nothing, although the claimant's
// node has not heard of it.
func TestClaimsReadThePresence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		a := c.node("a")
		defer a.Close()
		b := c.node("b")
		defer b.Close()
		ana, bob, session := c.acrossNodes(a, b)
		session.Close(false)
		advance(12*time.Second + 300*time.Millisecond)
		if !ana.Snapshot().Away[bob.Seat()].Claimable {
			t.Fatalf("away: %+v", ana.Snapshot().Away)
		}
		b.member("bob")
		synctest.Wait() // the row is written; node a polls once a second
		if ana.Snapshot().Away[bob.Seat()].Since.IsZero() {
			t.Fatal("the node of the claim knows already")
		}
		wantCode(t, "claim", ana.Claim(t.Context(), "win"), errcode.NotAllowed)
	})
}

// TestANodeForgetsItsEarlierProcess: users of an earlier process of the node are gone when it starts again.
func TestANodeForgetsItsEarlierProcess(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a := c.node("a")
		defer a.Close()
		b, store := c.separableNode("b")
		b.member("eve")
		c.settle()
		a.wantOnline("eve")
		store.cut.Store(true)
		b.Close()
		b = c.node("b")
		defer b.Close()
		b.member("bob")
		c.settle()
		a.wantOnline("bob")
		b.wantOnline("bob")
	})
}

// TestAccountsChangeOnAllNodes: a new name and a block reach the sessions of the account on other nodes; a deletion
// ends them.
func TestAccountsChangeOnAllNodes(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		var mu sync.Mutex // of ended: both nodes may end a session at once
		ended := make(map[string][]account.ID)
		node := func(name string) harness {
			c.configure = func(config *lobby.Config) {
				config.Deleted = func(_ context.Context, id account.ID) {
					mu.Lock()
					defer mu.Unlock()
					ended[name] = append(ended[name], id)
				}
			}
			return c.node(name)
		}
		a, b := node("a"), node("b")
		defer a.Close()
		defer b.Close()
		onA, onB := a.member("ana"), b.member("ana")
		eve := b.member("eve")
		c.settle()
		if err := onA.RenameAccount(t.Context(), "hana"); err != nil {
			t.Fatal(err)
		}
		if err := onA.SaveSettings(t.Context(), []byte("settings")); err != nil {
			t.Fatal(err)
		}
		if err := onA.Block(t.Context(), "eve"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		b.wantOnline("eve hana")
		if acc := onB.Account(); acc.Name != "hana" || string(acc.Settings) != "settings" {
			t.Errorf("account on the other node: %+v", acc)
		}
		if !onB.HasBlocked(eve.Account().ID) {
			t.Error("the block has not reached the other node")
		}
		if err := onB.Unblock(t.Context(), "eve"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		if onA.HasBlocked(eve.Account().ID) {
			t.Error("the end of the block has not reached the other node")
		}
		if err := onA.DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.settle()
		want := fmt.Sprint([]account.ID{onA.Account().ID})
		mu.Lock()
		defer mu.Unlock()
		if fmt.Sprint(ended["a"]) != want || fmt.Sprint(ended["b"]) != want {
			t.Errorf("sessions ended: %v, want %v on both", ended, want)
		}
		wantCode(t, "chat of a deleted account", onB.Say("hello"), errcode.NotAllowed)
	})
}

// TestLinkCodesHoldOnAllNodes: a code that one node gave adds a key on another, once.
func TestLinkCodesHoldOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana := a.member("ana")
		code, err := ana.LinkCode(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.settle()
		linked, err := b.Accounts.Link(t.Context(), code, []byte("a second key"), addr1)
		if err != nil || linked.ID != ana.Account().ID {
			t.Errorf("linked to %+v, %v", linked, err)
		}
		c.settle()
		_, err = a.Accounts.Link(t.Context(), code, []byte("a third key"), addr1)
		wantCode(t, "a used code", err, errcode.NotAllowed)
	})
}

// TestGuestsOfSeveralNodes: they have different names, also when they come at once; one who has a seat returns to it on
// another node, and after all nodes have started again.
func TestGuestsOfSeveralNodes(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a, b := c.node("a"), c.node("b")
		names := make(map[string]bool)
		for range 500 { // none of which has entered yet, so that the other node cannot know of them
			names[a.Accounts.NewGuest().Name[:len("guest-x")]], names[b.Accounts.NewGuest().Name[:len("guest-x")]] = true, true
		}
		if len(names) != 2 {
			t.Errorf("guests of two nodes have names that begin with %v", names)
		}
		guest := a.enter(a.Accounts.NewGuest())
		code := guest.ReturnCode()
		seats := a.pair(guest, a.member("ana"), table.Proposal{Options: smallOptions})
		id := seats[0].Match().Info.ID
		c.settle()
		guest.Close(true)
		returns := func(h harness) {
			t.Helper()
			account, ok := h.Accounts.GuestByCode(code, addr1)
			if !ok || account.Name != guest.Account().Name || account.ID != guest.Account().ID {
				t.Fatalf("the guest of the code: %+v, %v", account, ok)
			}
			s := h.enter(account)
			if _, err := s.AsPlayer(id); err != nil || s.ReturnCode() != code {
				t.Errorf("seat: %v; code %q", err, s.ReturnCode())
			}
			s.Close(true)
		}
		returns(b)
		a.Close()
		b.Close()
		a = c.node("a")
		defer a.Close()
		returns(a)
	})
}

// TestGuestsOfANodeAfterManyHaveDied: a node that finds all parts of the names taken gets that of a node that is not alive.
func TestGuestsOfANodeAfterManyHaveDied(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a := c.node("a")
		defer a.Close()
		for slot := range 32 {
			_, err := c.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "slot", ID: fmt.Sprint(slot)}, Data: []byte(`"dead"`)})
			if err != nil && !errors.Is(err, rows.ErrConflict) { // the slot of a
				t.Fatal(err)
			}
		}
		b := c.node("b")
		defer b.Close()
		names := make(map[string]bool)
		for range 100 {
			names[b.Accounts.NewGuest().Name[:len("guest-x")]] = true
		}
		if len(names) != 1 || names[a.Accounts.NewGuest().Name[:len("guest-x")]] {
			t.Errorf("the names of its guests begin with %v", names)
		}
	})
}

// TestGuestsKeepSeatsOfMatchesStartedElsewhere checks that a match has the digest with which a guest can return, also if the node
// that starts the match knows of the guest from another, and that it has none of a member.
func TestGuestsKeepSeatsOfMatchesStartedElsewhere(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		visitor := a.enter(a.Accounts.NewGuest())
		table := mustOpen(t, visitor, table.Proposal{Options: smallOptions})
		c.settle()
		id, err := b.member("ana").JoinTable(t.Context(), table.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		c.settle()
		info, _, err := c.store.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{visitor.Account().Name: lobby.GuestDigest(visitor.ReturnCode()), "ana": ""}
		for _, seat := range info.Seats {
			if digest, isKnown := want[seat.Name]; !isKnown || seat.ReturnDigest != digest {
				t.Errorf("the seat of %s has the digest %q, want %q", seat.Name, seat.ReturnDigest, digest)
			}
			if isMember := seat.Name == "ana"; (seat.Rating != nil) != isMember || isMember && *seat.Rating != rating.New {
				t.Errorf("the seat of %s has the rating %v; members have one, a new one that of beginners", seat.Name, seat.Rating)
			}
		}
	})
}
