package lobby_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/storetest"
	"ayumu/lobby/table"
)

// everywhere starts a session of each account on each node.
func everywhere(nodes []harness, names ...string) map[string][]*lobby.Session {
	all := make(map[string][]*lobby.Session)
	for _, name := range names {
		for _, h := range nodes {
			all[name] = append(all[name], h.member(name))
		}
	}
	return all
}

// tableIDs returns the ids of the tables on a node.
func tableIDs(h harness) (ids []string) {
	for _, t := range h.TableList().Tables {
		ids = append(ids, t.ID)
	}
	slices.Sort(ids)
	return ids
}

// clearSignal reports whether the session was woken since the last time.
func clearSignal(s *lobby.Session) bool {
	select {
	case <-s.Wakeups():
		return true
	default:
		return false
	}
}

// mustOpen opens a live table.
func mustOpen(t *testing.T, s *lobby.Session, p table.Proposal) *table.View {
	t.Helper()
	if p.Game = "ayu"; p.Clock == nil {
		p.Clock = &clock.Default
	}
	table, err := s.OpenTable(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestJoinOnAnotherNode: a table that is opened on one node is listed, joined and started on the other.
func TestJoinOnAnotherNode(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob")
		opened := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
		also := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
		c.settle()
		listed := b.TableList().Tables
		known := slices.IndexFunc(listed, opened.Equal)
		if len(listed) != 2 || known < 0 || listed[known].Owner != "ana" || listed[known].Rating == nil {
			t.Fatalf("listed on the other node: %+v", listed)
		}
		id, err := all["bob"][1].JoinTable(t.Context(), opened.ID, "")
		if err != nil || id == "" {
			t.Fatalf("match %q, %v", id, err)
		}
		c.settle()
		for _, h := range []harness{a, b} {
			if left := tableIDs(h); len(left) != 0 {
				t.Errorf("tables %v are left, the other one is %s", left, also.ID)
			}
			if _, err := h.Match(id); err != nil {
				t.Error(err)
			}
		}
		advance(2 * time.Minute) // the rows are deleted
		found, _, err := c.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			if r.Kind == "table" {
				t.Errorf("the row %s is left: %s", r.ID, r.Data)
			}
		}
	})
}

// TestTheLastSeatAtOnce: of two players who join on different nodes at once one gets the seat.
func TestTheLastSeatAtOnce(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo")
		for range 10 {
			table := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions, Clock: new(clock.Control)})
			c.settle()
			var errs [2]error
			var done sync.WaitGroup
			for i, s := range []*lobby.Session{all["bob"][0], all["cleo"][1]} {
				done.Go(func() { _, errs[i] = s.JoinTable(context.Background(), table.ID, "") })
			}
			done.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("errors %v and %v", errs[0], errs[1])
			}
			for _, err := range errs {
				if err != nil {
					wantCode(t, "the second", err, errcode.UnknownTable)
				}
			}
		}
		if n := storetest.Unfinished(t, c.store, "ana"); n != 10 {
			t.Errorf("ana plays %d matches", n)
		}
	})
}

// TestJoinWhileCancelled: a table that is closed on one node cannot be joined on the other, which does not know it yet.
func TestJoinWhileCancelled(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob")
		table := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
		c.settle()
		wantCode(t, "cancel", all["ana"][0].CancelTable(t.Context(), table.ID), "")
		_, err := all["bob"][1].JoinTable(t.Context(), table.ID, "")
		wantCode(t, "join", err, errcode.UnknownTable)
		if n := storetest.Unfinished(t, c.store, "ana"); n != 0 || len(tableIDs(b)) != 0 {
			t.Errorf("%d matches, tables %v", n, tableIDs(b))
		}
	})
}

// heldTables is a store of rows that holds the changes of tables until it is released.
type heldTables struct {
	*sharedStore
	released chan struct{}
}

func (s heldTables) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	if changes[0].Kind == "table" {
		<-s.released
	}
	return s.sharedStore.Write(ctx, changes...)
}

// TestStartWhileATableIsBeingOpened: a live match of a player whose table is being recorded does not make that fail.
func TestStartWhileATableIsBeingOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, released := &sharedStore{t: t, store: memoryStore(t)}, make(chan struct{})
		c.configure = func(config *lobby.Config) { config.Cluster.Store = heldTables{c, released} }
		h := c.node("a")
		defer h.Close()
		ana, bob := h.member("ana"), h.member("bob")
		live := table.Proposal{Game: "ayu", Options: smallOptions, Clock: &clock.Default}
		var opened error
		var done sync.WaitGroup
		done.Go(func() { _, opened = ana.OpenTable(context.Background(), live) })
		synctest.Wait()
		_, err := ana.StartAgainst(t.Context(), live, bob)
		wantCode(t, "start", err, "")
		close(released)
		done.Wait()
		wantCode(t, "open", opened, "")
	})
}

// TestOneRequestIsOneGame: a player whose two live tables are joined on different nodes at once plays one game.
func TestOneRequestIsOneGame(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo")
		for round := range 10 {
			first := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
			second := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
			c.settle()
			var errs [2]error
			var done sync.WaitGroup
			done.Go(func() { _, errs[0] = all["bob"][0].JoinTable(context.Background(), first.ID, "") })
			done.Go(func() { _, errs[1] = all["cleo"][1].JoinTable(context.Background(), second.ID, "") })
			done.Wait()
			if n := storetest.Unfinished(t, c.store, "ana"); n != round+1 || (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("round %d: %d matches, errors %v and %v", round, n, errs[0], errs[1])
			}
			c.settle()
			if len(tableIDs(a)) != 0 || len(tableIDs(b)) != 0 {
				t.Fatalf("tables %v and %v", tableIDs(a), tableIDs(b))
			}
		}
	})
}

// TestAnswersReachTheOtherNode: users are notified once of what happens to a challenge on another node.
func TestAnswersReachTheOtherNode(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob")
		bob := all["bob"][1]
		bob.IgnoreLists(true)
		c.settle()
		clearSignal(bob)
		opened := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions, To: "bob"})
		c.settle()
		if !clearSignal(bob) {
			t.Error("the challenge wakes nobody on the other node")
		}
		wantCode(t, "decline", bob.DeclineChallenge(t.Context(), opened.ID), "")
		c.settle()
		withdrawn := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions, To: "bob"})
		wantCode(t, "withdraw", all["ana"][0].CancelTable(t.Context(), withdrawn.ID), "") // before the other node knows of it
		advance(2 * time.Minute)
		for node := range 2 {
			if got := tableEvents(all["ana"][node], opened); got != "declined by bob" {
				t.Errorf("node %d: ana gets %q", node, got)
			}
			if got := tableEvents(all["bob"][node], withdrawn); got != "withdrawn by ana" {
				t.Errorf("node %d: bob gets %q", node, got)
			}
		}
	})
}

// TestNoticesAreNotRepeated: who is removed from a table is notified of that, and not of what happens to it later.
func TestNoticesAreNotRepeated(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo")
		four := table.Proposal{Game: "mu", Options: []byte(`{"players":4}`)}
		table, err := all["ana"][0].OpenTable(t.Context(), four)
		if err != nil {
			t.Fatal(err)
		}
		c.settle()
		for _, name := range []string{"bob", "cleo"} {
			_, err := all[name][1].JoinTable(t.Context(), table.ID, "")
			wantCode(t, name, err, "")
		}
		c.settle()
		wantCode(t, "block", all["ana"][0].Block(t.Context(), "bob"), "")
		c.settle()
		wantCode(t, "cancel", all["ana"][0].CancelTable(t.Context(), table.ID), "")
		c.settle()
		for _, name := range []string{"bob", "cleo"} {
			for node, s := range all[name] {
				if got := tableEvents(s, table); got != "withdrawn by ana" {
					t.Errorf("node %d: %s gets %q", node, name, got)
				}
			}
		}
	})
}

// TestQuickMatchesOfTwoNodes are paired once, also after the node that runs the waves has died.
func TestQuickMatchesOfTwoNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo", "dora")
		advance(10 * time.Second) // a node leads
		mustOpen(t, all["ana"][0], table.Proposal{Quick: true})
		mustOpen(t, all["bob"][1], table.Proposal{Quick: true})
		advance(10 * time.Second)
		for _, name := range []string{"ana", "bob"} {
			if n := storetest.Unfinished(t, c.store, name); n != 1 {
				t.Errorf("%s plays %d matches", name, n)
			}
		}
		leader, other := a, b
		if found, err := c.Read(t.Context(), rows.Key{Kind: "lease", ID: "waves"}); err != nil || len(found) != 1 {
			t.Fatal(found, err)
		} else if string(found[0].Data) == `"b"` {
			leader, other = b, a
		}
		leader.Close()
		i := 0
		if other == b {
			i = 1
		}
		mustOpen(t, all["cleo"][i], table.Proposal{Quick: true})
		mustOpen(t, all["dora"][i], table.Proposal{Quick: true})
		advance(30 * time.Second)
		if n := storetest.Unfinished(t, c.store, "cleo"); n != 1 {
			t.Errorf("after the death of a node cleo plays %d matches", n)
		}
	})
}

// stuckStore never records a match.
type stuckStore struct {
	lobby.Store
	released chan struct{}
}

func (s stuckStore) CreateMatch(context.Context, *match.Info, lobby.MatchStart) error {
	<-s.released
	return context.Canceled
}

// TestDeathOfTheStartingNode: a table whose match a dead node was recording can be joined again.
func TestDeathOfTheStartingNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		released := make(chan struct{})
		c.configure = func(config *lobby.Config) {
			if config.Cluster.Name == "a" {
				config.Store = stuckStore{config.Store, released}
			}
		}
		a, b := c.node("a"), c.node("b")
		defer a.Close()
		defer b.Close()
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo")
		table := mustOpen(t, all["ana"][1], table.Proposal{Options: smallOptions})
		c.settle()
		var done sync.WaitGroup
		done.Go(func() { _, _ = all["bob"][0].JoinTable(context.Background(), table.ID, "") })
		c.settle()
		_, err := all["cleo"][1].JoinTable(t.Context(), table.ID, "")
		wantCode(t, "while it starts", err, errcode.UnknownTable)
		a.Close()
		advance(time.Minute)
		id, err := all["cleo"][1].JoinTable(t.Context(), table.ID, "")
		if err != nil || id == "" {
			t.Errorf("match %q, %v", id, err)
		}
		close(released) // the dead node finds that it is too late
		done.Wait()
		if n := storetest.Unfinished(t, c.store, "ana"); n != 1 {
			t.Errorf("ana plays %d matches", n)
		}
	})
}

// TestCorrespondenceTablesSurviveRestarts: a table with days waits for a player while its owner is away and the server
// restarts, and its game is there when the owner comes back. A live table is gone.
func TestCorrespondenceTablesSurviveRestarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.db")
	start := func(t *testing.T) (harness, func()) {
		s, err := sqlite.Open(context.Background(), path, enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		h := open(t, s)
		return h, func() {
			h.Close()
			s.Close()
		}
	}
	h, stop := start(t)
	ana := h.member("ana")
	days := &clock.Control{Days: 3}
	opened := mustOpen(t, ana, table.Proposal{Options: smallOptions, Clock: days})
	challenge := mustOpen(t, ana, table.Proposal{Options: smallOptions, Clock: days, To: h.member("bob").Account().Name, Rated: new(bool)})
	mustOpen(t, ana, table.Proposal{Options: smallOptions})
	stop()

	h, stop = start(t)
	want := []string{opened.ID, challenge.ID}
	slices.Sort(want)
	if got := tableIDs(h); !slices.Equal(got, want) {
		t.Fatalf("after the restart there are the tables %v, not %v", got, want)
	}
	if v := h.TableList().Tables[0]; !v.Equal(opened) || v.Owner != "ana" || !v.Opened.Equal(opened.Opened) {
		t.Errorf("the table is %+v, and was %+v", v, opened)
	}
	bob := h.member("bob")
	id, err := bob.JoinTable(t.Context(), opened.ID, "")
	if err != nil || id == "" {
		t.Fatalf("match %q, %v", id, err)
	}
	wantCode(t, "decline", bob.DeclineChallenge(t.Context(), challenge.ID), "")
	stop()

	h, stop = start(t)
	defer stop()
	if got := tableIDs(h); len(got) != 0 {
		t.Errorf("the tables %v came back", got)
	}
	if seated := h.member("ana").SeatedMatches(); len(seated) != 1 || seated[0].Info.ID != id {
		t.Errorf("ana sits at %v", seated)
	}
}

// TestCorrespondenceTablesDoNotExpire while their owner is away.
func TestCorrespondenceTablesDoNotExpire(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana := h.member("ana")
		table := mustOpen(t, ana, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}})
		ana.Close(true)
		advance(24 * time.Hour)
		id, err := h.member("bob").JoinTable(t.Context(), table.ID, "")
		if err != nil || id == "" {
			t.Errorf("match %q, %v", id, err)
		}
	})
}

// unclearTables is a store of rows that, while armed, makes a change of a table and says that it failed.
type unclearTables struct {
	*sharedStore
	armed *atomic.Bool
}

func (s unclearTables) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	found, err := s.sharedStore.Write(ctx, changes...)
	if changes[0].Kind == "table" && s.armed.CompareAndSwap(true, false) {
		return nil, errors.New("the connection broke")
	}
	return found, err
}

// TestUnclearChangeOfATable: a join whose recording has an unclear outcome is refused; the seat is taken, and the table
// is open again after some time.
func TestUnclearChangeOfATable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		var armed atomic.Bool
		c.configure = func(config *lobby.Config) {
			config.Cluster.Store = unclearTables{c, &armed}
		}
		a, b := c.node("a"), c.node("b")
		defer a.Close()
		defer b.Close()
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo")
		table := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
		c.settle()
		armed.Store(true)
		_, err := all["bob"][1].JoinTable(t.Context(), table.ID, "")
		wantCode(t, "unclear join", err, errcode.Unavailable)
		c.settle()
		_, err = all["cleo"][0].JoinTable(t.Context(), table.ID, "")
		wantCode(t, "join while it is unclear", err, errcode.UnknownTable)
		advance(time.Minute)
		id, err := all["cleo"][0].JoinTable(t.Context(), table.ID, "")
		if err != nil || id == "" || storetest.Unfinished(t, c.store, "ana") != 1 || storetest.Unfinished(t, c.store, "bob") != 0 {
			t.Errorf("match %q, %v", id, err)
		}
	})
}

// unclearMatches is a store that, while armed, stores a match and says some seconds later that it failed. For some
// seconds more it reads no match.
type unclearMatches struct {
	lobby.Store
	armed, unread *atomic.Bool
}

func (s unclearMatches) Match(ctx context.Context, id string) (*match.Info, []match.Entry, error) {
	if s.unread.Load() {
		return nil, nil, errors.New("the connection broke")
	}
	return s.Store.Match(ctx, id)
}

func (s unclearMatches) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	err := s.Store.CreateMatch(ctx, info, with)
	if s.armed.CompareAndSwap(true, false) {
		<-time.After(3 * time.Second)
		s.unread.Store(true)
		time.AfterFunc(3*time.Second, func() { s.unread.Store(false) })
		return errors.New("the connection broke")
	}
	return err
}

// TestUnclearStart: a match whose recording has an unclear outcome is there on all nodes, and its table is not, also if
// the match could not be read at first.
func TestUnclearStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		var armed, unread atomic.Bool
		c.configure = func(config *lobby.Config) { config.Store = unclearMatches{config.Store, &armed, &unread} }
		a, b := c.node("a"), c.node("b")
		defer a.Close()
		defer b.Close()
		all := everywhere([]harness{a, b}, "ana", "bob")
		table := mustOpen(t, all["ana"][0], table.Proposal{Options: smallOptions})
		c.settle()
		armed.Store(true)
		_, err := all["bob"][1].JoinTable(t.Context(), table.ID, "")
		wantCode(t, "unclear start", err, errcode.Unavailable)
		advance(time.Minute)
		for i, h := range []harness{a, b} {
			if left := tableIDs(h); len(left) != 0 {
				t.Errorf("the tables %v are left", left)
			}
			if seated := all["bob"][i].SeatedMatches(); len(seated) != 1 {
				t.Errorf("node %d: bob sits at %v", i, seated)
			}
		}
	})
}

// TestOneRematch: players who agree on a rematch that is stored already get that one.
func TestOneRematch(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		seats := c.pairAcross(a, b, table.Proposal{Options: smallOptions})
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		c.settle()
		wantCode(t, "rematch", seats[0].Offer(t.Context(), match.OfferRematch), "")
		c.settle()
		info := *seats[0].Match().Info
		info.ID, info.RematchOf, info.Started = "stored", info.ID, time.Now()
		if err := c.store.CreateMatch(t.Context(), &info, lobby.MatchStart{}); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "rematch accepted", seats[1].Offer(t.Context(), match.OfferRematch), "")
		c.settle()
		for _, p := range seats {
			if got := p.Snapshot().Rematch; got != "stored" {
				t.Errorf("the rematch is %q", got)
			}
		}
		if n := storetest.Unfinished(t, c.store, "ana"); n != 1 {
			t.Errorf("ana plays %d matches", n)
		}
	})
}

// TestTheLimitOfOwnMatchesHoldsOnTwoNodes: games of one player that start on different nodes at once are counted
// together.
func TestTheLimitOfOwnMatchesHoldsOnTwoNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		limits := limit.Default()
		limits.MatchesPerUser = 1
		all := everywhere([]harness{a, b}, "ana", "bob", "cleo")
		untimed := new(clock.Control)
		var opened [2]*table.View
		for i, h := range []harness{a, b} {
			h.SetLimits(limits)
			opened[i] = mustOpen(t, all["ana"][i], table.Proposal{Options: smallOptions, Clock: untimed})
		}
		c.settle()
		var errs [2]error
		var done sync.WaitGroup
		done.Go(func() { _, errs[0] = all["bob"][0].JoinTable(context.Background(), opened[0].ID, "") })
		done.Go(func() { _, errs[1] = all["cleo"][1].JoinTable(context.Background(), opened[1].ID, "") })
		done.Wait()
		if n := storetest.Unfinished(t, c.store, "ana"); n != 1 || (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("%d matches, errors %v and %v", n, errs[0], errs[1])
		}
		for _, err := range errs {
			if err != nil {
				wantCode(t, "the second", err, errcode.Full)
			}
		}
	})
}

// TestADeletedAccountHasNoTables, also none that would come back after a restart.
func TestADeletedAccountHasNoTables(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		days := &clock.Control{Days: 3}
		mustOpen(t, ana, table.Proposal{Options: smallOptions, Clock: days})
		mustOpen(t, bob, table.Proposal{Options: smallOptions, Clock: days, To: "ana"})
		if err := ana.DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := tableIDs(h); len(left) != 0 {
			t.Errorf("the tables %v are left", left)
		}
		advance(2 * time.Minute)
		if n := durableRows(t, h.store); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

// durableRows returns the number of rows of a store that survive a restart.
func durableRows(t *testing.T, s lobby.Store) (n int) {
	t.Helper()
	counts, err := s.(store.Transfer).CountRows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, table := range store.Tables {
		if table.Name == "shared_rows" {
			n = counts[i]
		}
	}
	return n
}
