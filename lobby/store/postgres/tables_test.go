package postgres

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
	"ayumu/lobby/table"
)

// knows reports whether a lobby lists a table.
func knows(l *lobby.Lobby, id string) bool {
	return slices.ContainsFunc(l.TableList().Tables, func(t *table.View) bool { return t.ID == id })
}

// TestTablesOnTwoNodes: a player opens two live tables, which others join on both nodes, each table on both and all at
// once. One game starts, and nothing is left.
func TestTablesOnTwoNodes(t *testing.T) {
	url := postgrestest.URL(t)
	hub := new(lobbytest.Hub)
	nodes := []*lobby.Lobby{openLobby(t, url, "a", hub), openLobby(t, url, "b", hub)}
	ana := enter(t, nodes[0], "ana")
	var others []*lobby.Session
	for i, name := range []string{"bob", "cleo", "dora", "eve"} {
		others = append(others, enter(t, nodes[i%2], name))
	}
	live := table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`), Clock: &clock.Default}
	for round := range 5 {
		var tables []string
		for range 2 {
			table, err := ana.OpenTable(t.Context(), live)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table.ID)
		}
		await(t, "the tables on the other node", func() bool { return knows(nodes[1], tables[0]) && knows(nodes[1], tables[1]) })
		var errs [4]error
		var all sync.WaitGroup
		for i, s := range others {
			all.Go(func() { _, errs[i] = s.JoinTable(context.Background(), tables[i/2], "") })
		}
		all.Wait()
		joined := 0
		for _, err := range errs {
			var refusal *errcode.Error
			if err == nil {
				joined++
			} else if !errors.As(err, &refusal) || refusal.Code != errcode.UnknownTable && refusal.Code != errcode.Unavailable {
				t.Errorf("round %d: %v", round, err)
			}
		}
		if n := storetest.Unfinished(t, openURL(t, url), "ana"); joined != 1 || n != round+1 {
			t.Fatalf("round %d: %d joined, ana plays %d matches: %v", round, joined, n, errs)
		}
		for _, l := range nodes {
			await(t, "the end of the tables", func() bool { return !knows(l, tables[0]) && !knows(l, tables[1]) })
		}
	}
}

// TestCorrespondenceTablesOutliveNodes: an open table with days is there when all nodes have been stopped and one starts.
func TestCorrespondenceTablesOutliveNodes(t *testing.T) {
	url := postgrestest.URL(t)
	a, b := openLobby(t, url, "a", nil), openLobby(t, url, "b", nil)
	table, err := enter(t, a, "ana").OpenTable(t.Context(), table.Proposal{Game: "ayu", Clock: &clock.Control{Days: 2}})
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	b.Close()
	c := openLobby(t, url, "c", nil)
	if !knows(c, table.ID) {
		t.Fatal("the table is not there")
	}
	id, err := enter(t, c, "bob").JoinTable(t.Context(), table.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	if seated := enter(t, c, "ana").SeatedMatches(); len(seated) != 1 || seated[0].Info.ID != id {
		t.Errorf("ana sits at %v, not at %s", seated, id)
	}
}
