package lobby_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/bus"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// sharedStore is a store in memory on which several lobbies run as nodes.
type sharedStore struct {
	t     *testing.T
	store lobby.Store
	hub   *lobbytest.Hub // nil: the nodes poll
	// configure changes the configuration of a node before it starts; nil: it stays.
	configure func(c *lobby.Config)
	writes    atomic.Int64 // how often rows were written
	dead      atomic.Bool  // rows can not be written
}

// The rows of the cluster are those of the store.
func (c *sharedStore) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	if c.dead.Load() {
		return nil, errors.New("the node is dead")
	}
	c.writes.Add(1)
	return c.store.Shared().Write(ctx, changes...)
}

func (c *sharedStore) Changes(ctx context.Context, since rows.Cursor) ([]rows.Row, rows.Cursor, error) {
	return c.store.Shared().Changes(ctx, since)
}

func (c *sharedStore) Read(ctx context.Context, keys ...rows.Key) ([]rows.Row, error) {
	return c.store.Shared().Read(ctx, keys...)
}

// ChangedMatches returns each state of a match once. A cursor is the ends of all logs, as JSON.
func (c *sharedStore) ChangedMatches(ctx context.Context, since rows.Cursor) (changed []cluster.ChangedMatch, next rows.Cursor, err error) {
	known, ends := make(map[string]match.LogEnd), make(map[string]match.LogEnd)
	if since != "" {
		if err := json.Unmarshal([]byte(since), &known); err != nil {
			return nil, "", err
		}
	}
	maintained := c.store.(interface {
		AllMatches(context.Context, func(*match.Info, []match.Entry) error) error
	})
	err = maintained.AllMatches(ctx, func(info *match.Info, log []match.Entry) error {
		ends[info.ID] = match.NewLogEnd(log)
		if end, isKnown := known[info.ID]; since != "" && (!isKnown || end != ends[info.ID]) {
			changed = append(changed, cluster.ChangedMatch{ID: info.ID, End: ends[info.ID], Ended: len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd})
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	cursor, err := json.Marshal(ends)
	return changed, rows.Cursor(cursor), err
}

func (c *sharedStore) LogAfter(ctx context.Context, id string, version int) (match.LogEnd, []match.Entry, error) {
	_, log, err := c.store.Match(ctx, id)
	version = min(version, len(log))
	return match.NewLogEnd(log[:version]), log[version:], err
}

// node starts a lobby as a node of the cluster.
func (c *sharedStore) node(name string) harness {
	c.t.Helper()
	config := lobby.Config{Games: enginetest.Games, Store: c.store, Report: func(msg string, kv ...any) { c.t.Log(name, msg, kv) }}
	config.Cluster = &cluster.Config{Name: name, Store: c}
	if c.hub != nil {
		config.Cluster.OpenBus = func(h bus.Handler) (bus.Bus, error) {
			return c.hub.Open(h, func(err error) { c.t.Error(err) }), nil
		}
	}
	if c.configure != nil {
		c.configure(&config)
	}
	l, err := lobby.New(c.t.Context(), config)
	if err != nil {
		c.t.Fatal(err)
	}
	return harness{l, c.t, c.store}
}

// withCluster runs a test with two nodes, once with messages between them and once with polling.
func withCluster(t *testing.T, f func(t *testing.T, c *sharedStore, a, b harness)) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a, b := c.node("a"), c.node("b")
		defer a.Close()
		defer b.Close()
		f(t, c, a, b)
	})
}

// withClusterOf is withCluster for a test that starts the nodes itself.
func withClusterOf(t *testing.T, f func(t *testing.T, c *sharedStore)) {
	for _, c := range []struct {
		name string
		hub  *lobbytest.Hub
	}{{"messages", new(lobbytest.Hub)}, {"polling", nil}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, &sharedStore{t: t, store: memoryStore(t), hub: c.hub}) })
		})
	}
}

// settle lets the nodes read what the others have done.
func (c *sharedStore) settle() {
	if c.hub != nil {
		advance(50 * time.Millisecond)
		return
	}
	advance(2 * time.Second)
}

// pairAcross starts a match on node a and returns ana's player on a and bob's on b.
func (c *sharedStore) pairAcross(a, b harness, p table.Proposal) [2]*lobby.Player {
	c.t.Helper()
	onA := a.pair(a.member("ana"), a.member("bob"), p)
	c.settle()
	id := onA[0].Match().Info.ID
	seats := onA
	for seat := range seats {
		if onA[seat].Match().Info.Seats[seat].Name == "bob" {
			player, err := b.member("bob").AsPlayer(id)
			if err != nil {
				c.t.Fatal(err)
			}
			seats[seat] = player
		}
	}
	return seats
}

// TestPlayersOnDifferentNodes: the turns and offers of each reach the other, and both nodes end with the same.
func TestPlayersOnDifferentNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		seats := c.pairAcross(a, b, table.Proposal{Options: smallOptions})
		for range 4 {
			turn(t, [2]*lobby.Player{onTurn(seats), onTurn(seats)})
			c.settle()
			if s, o := seats[0].Snapshot(), seats[1].Snapshot(); s.Version != o.Version || s.Position.String() != o.Position.String() {
				t.Fatalf("versions %d and %d", s.Version, o.Version)
			}
		}
		wantCode(t, "offer", seats[0].Offer(t.Context(), match.OfferDraw), "")
		c.settle()
		if offers := seats[1].Snapshot().Offers; len(offers) != 1 || offers[0].Seat != 0 {
			t.Fatalf("offers of the other node: %+v", offers)
		}
		wantCode(t, "refuse", seats[1].Refuse(t.Context(), match.OfferDraw), "")
		c.settle()
		if offers := seats[0].Snapshot().Offers; len(offers) != 0 {
			t.Fatalf("offers after a refusal: %+v", offers)
		}
		wantCode(t, "takeback", seats[1].Offer(t.Context(), match.OfferUndo), "")
		c.settle()
		wantCode(t, "takeback accepted", seats[0].Offer(t.Context(), match.OfferUndo), "")
		c.settle()
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		c.settle()
		for seat, p := range seats {
			s := p.Snapshot()
			kinds := ""
			for _, e := range s.Events {
				kinds += fmt.Sprintf("%s %s by %d; ", e.Kind, e.Offer, e.Seat)
			}
			if s.Version != 6 || s.Result == nil || fmt.Sprint(s.Result.Winners) != "[1]" || kinds != "offer draw by 0; refused draw by 1; offer undo by 1; " {
				t.Errorf("seat %d: version %d, result %+v, events %s", seat, s.Version, s.Result, kinds)
			}
		}
		wantCode(t, "rematch", seats[0].Offer(t.Context(), match.OfferRematch), "")
		c.settle()
		wantCode(t, "rematch accepted", seats[1].Offer(t.Context(), match.OfferRematch), "")
		c.settle()
		next := seats[0].Snapshot().Rematch
		if next == "" || next != seats[1].Snapshot().Rematch {
			t.Fatalf("rematch %q and %q", next, seats[1].Snapshot().Rematch)
		}
		for _, h := range []harness{a, b} {
			if _, err := h.Match(next); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestAMatchOfAnotherNodeIsFound before the node has heard of it: players sit down, others watch. One that does not exist
// or has ended is unknown, and a session that asks for such matches reads the store within a budget.
func TestAMatchOfAnotherNodeIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		reads := &countedMatches{Store: c.store}
		c.configure = func(config *lobby.Config) { config.Store = reads }
		a, b := c.node("a"), c.node("b")
		defer a.Close()
		defer b.Close()
		ana, bob, cleo := b.member("ana"), b.member("bob"), b.member("cleo")
		found := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Default})
		id := found[0].Match().Info.ID
		if p, err := bob.AsPlayer(id); err != nil || p.Match().Info.ID != id {
			t.Error("sit:", err)
		}
		other := a.pair(a.member("ana"), a.member("cleo"), table.Proposal{Options: smallOptions}) // untimed
		if _, err := b.member("dora").Watch(other[0].Match().Info.ID, ""); err != nil {
			t.Error("watch:", err)
		}
		if _, err := ana.FindSnapshot(other[0].Match().Info.ID, ""); err != nil {
			t.Error("snapshot:", err)
		}
		cleo.SetAddr(addr1)
		before := reads.n.Load()
		for range 1000 {
			_, err := cleo.Watch("none", "")
			wantCode(t, "no match", err, errcode.UnknownMatch)
		}
		if n := reads.n.Load() - before; n != 50 {
			t.Errorf("a session has read the store %d times", n)
		}
		reads.fail.Store(true)
		_, err := ana.AsPlayer("none")
		wantCode(t, "while the store fails", err, errcode.Unavailable)
		reads.fail.Store(false)

		wantCode(t, "resign", other[0].Resign(t.Context()), "")
		d := c.node("d")
		defer d.Close()
		_, err = d.member("ana").AsPlayer(other[0].Match().Info.ID)
		wantCode(t, "a match that has ended", err, errcode.UnknownMatch)
	})
}

// countedMatches counts the readings of matches, which can fail.
type countedMatches struct {
	lobby.Store
	n    atomic.Int64
	fail atomic.Bool
}

func (s *countedMatches) Match(ctx context.Context, id string) (*match.Info, []match.Entry, error) {
	s.n.Add(1)
	if s.fail.Load() {
		return nil, nil, errors.New("the store is gone")
	}
	return s.Store.Match(ctx, id)
}

// onTurn returns the player of the seat to move.
func onTurn(seats [2]*lobby.Player) *lobby.Player { return seats[seats[0].Snapshot().Position.Turn()] }

// TestTurnsAtOnce: of two turns on the same version one is recorded, whatever the nodes know of each other.
func TestTurnsAtOnce(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		onA := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions})
		c.settle()
		id := onA[0].Match().Info.ID
		seat := onA[0].Snapshot().Position.Turn()
		onB, err := b.member(onA[seat].Match().Info.Seats[seat].Name).AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		legal := onA[0].Snapshot().Position.Legal()
		v, err := onA[seat].Act(t.Context(), 0, legal[:1])
		if err != nil || v != 1 {
			t.Fatal(v, err)
		}
		_, err = onB.Act(t.Context(), 0, legal[1:2]) // before the node has heard of the other
		wantCode(t, "the second turn", err, errcode.StaleVersion)
		if s := onB.Snapshot(); s.Version != 1 || s.Log[0].Actions[0] != legal[0] {
			t.Errorf("version %d, log %+v", s.Version, s.Log)
		}
	})
}

// lateStore calls a function after a match was created, before the node learns of that.
type lateStore struct {
	lobby.Store
	created func(id string)
}

func (s *lateStore) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	err := s.Store.CreateMatch(ctx, info, with)
	if err == nil && s.created != nil {
		s.created(info.ID)
	}
	return err
}

// TestTurnBeforeTheCreationIsKnown: a turn that is made on another node before the node that creates the match knows that
// it is recorded reaches that node too.
func TestTurnBeforeTheCreationIsKnown(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		late := &lateStore{Store: c.store}
		c.configure = func(config *lobby.Config) { config.Store = late }
		a := c.node("a")
		c.configure = nil
		b := c.node("b")
		defer a.Close()
		defer b.Close()
		there := []*lobby.Session{b.member("ana"), b.member("bob")}
		late.created = func(id string) {
			c.settle()
			var seats [2]*lobby.Player
			for _, s := range there {
				p, err := s.AsPlayer(id)
				if err != nil {
					t.Fatal(err)
				}
				seats[p.Seat()] = p
			}
			turn(t, seats)
			c.settle() // node a reads that the match has changed
		}
		seats := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions})
		c.settle()
		if s := seats[0].Snapshot(); s.Version != 1 {
			t.Errorf("version %d on the node that created the match, want 1", s.Version)
		}
	})
}

// TestTurnThatIsRecordedAfterItsDeadline: a turn that arrives in time on the player's node counts, although it is
// recorded after the deadline: the other node leaves it to the player's to end the turn.
func TestTurnThatIsRecordedAfterItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		slow := &slowStore{Store: c.store}
		a := c.node("a")
		defer a.Close()
		c.configure = func(config *lobby.Config) { config.Store = slow }
		b := c.node("b")
		defer b.Close()
		ana, bob := a.member("ana"), a.member("bob")
		seats := a.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: time.Minute}})
		c.settle()
		onB, err := b.member("bob").AsPlayer(seats[0].Match().Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		seats[onB.Seat()] = onB
		bob.Close(false)
		for onTurn(seats) != onB || onB.Snapshot().Version < 2 {
			turn(t, [2]*lobby.Player{onTurn(seats), onTurn(seats)})
			c.settle()
		}
		s := onB.Snapshot()
		left, _ := s.Remaining(onB.Seat(), time.Now())
		advance(left - 100*time.Millisecond)
		slow.delay = time.Second
		_, err = onB.Act(t.Context(), s.Version, s.Position.Legal()[:1])
		wantCode(t, "a turn that is recorded after its deadline", err, "")
		c.settle()
		for _, p := range seats {
			if s := p.Snapshot(); s.Version < 3 || s.Log[len(s.Log)-1].Kind != match.EntryTurn {
				t.Errorf("the log ends with %+v, want the turn", s.Log[len(s.Log)-1])
			}
		}
	})
}
