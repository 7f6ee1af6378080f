package bots_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// nodeStore is what the nodes of a test share.
type nodeStore struct {
	rows.Memory
	store lobby.Store
}

func (s *nodeStore) ChangedMatches(ctx context.Context, _ rows.Cursor) (all []cluster.ChangedMatch, next rows.Cursor, err error) {
	err = s.store.AllMatches(ctx, func(info *match.Info, log []match.Entry) error {
		over := len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd
		all = append(all, cluster.ChangedMatch{ID: info.ID, End: match.NewLogEnd(log), Ended: over})
		return nil
	})
	return all, "0", err
}

func (s *nodeStore) LogAfter(ctx context.Context, id string, version int) (match.LogEnd, []match.Entry, error) {
	_, log, err := s.store.Match(ctx, id)
	version = min(version, len(log))
	return match.NewLogEnd(log[:version]), log[version:], err
}

// TestOneNodeMakesATurn: of the bots on two nodes those of one compute the turns of a match, and those of the other go
// on when it is dead.
func TestOneNodeMakesATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		common := &nodeStore{store: db}
		type node struct {
			l        *lobby.Lobby
			builtin  *bots.Bots
			searches atomic.Int64
		}
		open := func(name string) *node {
			n := new(node)
			l, err := lobby.New(t.Context(), lobby.Config{
				Games: enginetest.Games, Store: db, Cluster: &cluster.Config{Name: name, Store: common},
				Report: func(msg string, kv ...any) { t.Log(name, msg, kv) },
			})
			if err != nil {
				t.Fatal(err)
			}
			count := func(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
				n.searches.Add(1)
				return fastEngine(ctx, p, o)
			}
			n.l = l
			n.builtin, err = bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, count), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		a, b := open("a"), open("b")
		defer b.l.Close()
		defer b.builtin.Close()
		id, err := a.builtin.Play(t.Context(), lobbytest.Member(t, a.l, "ana"), 2, table.Proposal{Game: "ayu", Options: []byte(`{"size":7,"pie":false}`)})
		if err != nil {
			t.Fatal(err)
		}
		advance(5 * time.Second)
		ana := lobbytest.Member(t, b.l, "ana")
		p, err := ana.AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		play := func() {
			t.Helper()
			for range 2 {
				advance(30 * time.Second)
				s := p.Snapshot()
				if s.Position.Turn() != p.Seat() {
					t.Fatalf("the bot has not moved at version %d", s.Version)
				}
				if _, err := p.Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
					t.Fatal(err)
				}
			}
			advance(30 * time.Second)
		}
		play()
		onA, onB := a.searches.Load(), b.searches.Load()
		if turns := p.Snapshot().Version / 2; min(onA, onB) != 0 || onA+onB < int64(turns) || onA+onB > int64(turns)+1 {
			t.Errorf("%d and %d searches for %d turns", onA, onB, turns)
		}
		a.builtin.Close()
		a.l.Close()
		advance(time.Minute)
		play()
		if n := b.searches.Load() - onB; n < 2 {
			t.Errorf("%d searches on the other node", n)
		}
	})
}
