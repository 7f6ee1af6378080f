package lobby_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/presence"
)

// TestAllNodesAgreeWhoIsOnline: whatever users do on three nodes that lose touch with the store now and then, are
// killed and start again, all nodes have the same lists in the end, those of the sessions that there are.
func TestAllNodesAgreeWhoIsOnline(t *testing.T) {
	seeds := uint64(24)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := &comings{t: t, r: rand.New(rand.NewPCG(seed, 1)), c: &sharedStore{t: t, store: memoryStore(t)}}
				if seed%2 == 0 {
					x.c.hub = new(lobbytest.Hub)
				}
				for i := range x.nodes {
					x.start(i)
				}
				for range 60 {
					x.act()
				}
				x.settle()
				for i := range x.nodes {
					x.nodes[i].Close()
				}
			})
		})
	}
}

// comings is a run of the test.
type comings struct {
	t        *testing.T
	r        *rand.Rand
	c        *sharedStore
	nodes    [3]harness
	stores   [3]*separable
	sessions [3][]*lobby.Session
}

func (x *comings) start(i int) {
	x.nodes[i], x.stores[i] = x.c.separableNode(string('a' + rune(i)))
	x.sessions[i] = nil
}

// act does one thing that users, or machines, do.
func (x *comings) act() {
	i := x.r.IntN(len(x.nodes))
	switch x.r.IntN(8) {
	case 0, 1, 2:
		x.sessions[i] = append(x.sessions[i], x.nodes[i].member([]string{"ana", "bob", "eve", "joe"}[x.r.IntN(4)]))
	case 3, 4:
		if n := len(x.sessions[i]); n > 0 {
			k := x.r.IntN(n)
			x.sessions[i][k].Close(x.r.IntN(2) == 0)
			x.sessions[i] = slices.Delete(x.sessions[i], k, k+1)
		}
	case 5:
		x.stores[i].cut.Store(!x.stores[i].cut.Load())
	case 6:
		advance(time.Duration(x.r.IntN(15)) * time.Second)
	case 7:
		if x.r.IntN(4) == 0 { // SIGKILL
			x.stores[i].cut.Store(true)
			x.nodes[i].Close()
			advance(time.Duration(x.r.IntN(20)) * time.Second)
			x.start(i)
		}
	}
}

// settle lets all nodes have the store again and compares their lists.
func (x *comings) settle() {
	for _, s := range x.stores {
		s.cut.Store(false)
	}
	advance(30 * time.Second)
	var names []string
	for _, sessions := range x.sessions {
		for _, s := range sessions {
			names = append(names, s.Account().Name)
		}
	}
	slices.Sort(names)
	want := strings.Join(slices.Compact(names), " ")
	for _, h := range x.nodes {
		h.wantOnline(want)
		if err := h.CheckUserList(); err != nil {
			x.t.Error(err)
		}
	}
	if found, _, err := x.c.store.Shared().Changes(x.t.Context(), ""); err != nil || slices.ContainsFunc(found, func(r rows.Row) bool {
		return r.Kind == "presence" && !slices.Contains(names, presenceName(x.t, r))
	}) {
		x.t.Errorf("rows of users who are gone, online are %s: %v, %v", want, found, err)
	}
}

func presenceName(t *testing.T, r rows.Row) string {
	var row presence.Row
	if err := json.Unmarshal(r.Data, &row); err != nil {
		t.Fatal(err)
	}
	return row.Name
}
