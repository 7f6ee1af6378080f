package lobby

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
)

// chatRows are the rows of several nodes.
type chatRows struct {
	rows.Memory
	ctx context.Context
}

// chatNode is a node with the room of the lobby, which has nothing but rows.
type chatNode struct {
	*Chat
	l *Lobby
}

// withChatRows runs a test with the rows of several nodes.
func withChatRows(t *testing.T, test func(t *testing.T, n *chatRows)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		test(t, &chatRows{ctx: ctx})
	})
}

// node returns a node, which may delete the rows of dead nodes.
func (n *chatRows) node(name string, dead ...string) *chatNode {
	l := new(Lobby)
	follower{l}.addKinds(&n.Memory, name)
	l.rows.IsAlive = func(node string) bool { return !slices.Contains(dead, node) }
	go l.rows.Fast.Run(n.ctx)
	return &chatNode{&l.Chat, l}
}

// write adds a line to the room.
func (on *chatNode) write(l ChatLine) {
	on.l.chats.add(lobbyRoomID, on.Chat, l)
	synctest.Wait()
}

// all returns all rows.
func (n *chatRows) all(t *testing.T) []rows.Row {
	t.Helper()
	synctest.Wait()
	all, _, err := n.Changes(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// follow has a node take over all rows, in any order.
func (n *chatRows) follow(t *testing.T, on *chatNode) {
	t.Helper()
	all := n.all(t)
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, r := range all {
		if err := on.l.rows.Follow(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

func chatTexts(lines []ChatLine) (all []string) {
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return all
}

// TestNodesEndWithTheSameChat: three nodes add lines and read those of the others late, repeatedly and in any order.
// All rooms end with the last 100 in the order of their times, each once, of which exactly the rows are left; and
// who reads along sees each line once.
func TestNodesEndWithTheSameChat(t *testing.T) {
	withChatRows(t, func(t *testing.T, r *chatRows) {
		const lines = 150
		names := []string{"a", "b", "c"}
		var nodes []*chatNode
		seen := make([]map[string]int, len(names))
		last := make([]uint64, len(names))
		for i, name := range names {
			nodes, seen[i] = append(nodes, r.node(name)), make(map[string]int)
		}
		read := func(i int) {
			for _, l := range nodes[i].Since(last[i]) {
				seen[i][l.Text]++
			}
			last[i] = nodes[i].Last()
		}
		var want []string
		for n := range lines {
			i := rand.IntN(len(names))
			text := fmt.Sprint(n)
			want = append(want, text)
			nodes[i].write(ChatLine{At: time.Now(), Text: text})
			read(i)
			if i = rand.IntN(len(names)); n%5 == 0 {
				r.follow(t, nodes[i])
				read(i)
			}
			<-time.After(time.Millisecond)
		}
		for range 2 {
			for i := range nodes {
				r.follow(t, nodes[i])
				read(i)
			}
		}
		want = want[lines-100:]
		for i := range nodes {
			if got := chatTexts(nodes[i].Since(0)); !slices.Equal(got, want) {
				t.Errorf("%s has %v", names[i], got)
			}
			for text, n := range seen[i] {
				if n != 1 {
					t.Errorf("%s showed %s %d times", names[i], text, n)
				}
			}
			for _, text := range want {
				if seen[i][text] != 1 {
					t.Errorf("%s did not show %s", names[i], text)
				}
			}
		}
		if n := len(r.all(t)); n != 100 {
			t.Errorf("%d rows are left", n)
		}
		for _, on := range nodes {
			on.l.chats.forget(on.Chat)
		}
		if n := len(r.all(t)); n != 0 {
			t.Errorf("after the room %d rows are left", n)
		}
	})
}

// TestAnAnswerFollowsItsQuestion also where the clock of the node of the answer is behind.
func TestAnAnswerFollowsItsQuestion(t *testing.T) {
	withChatRows(t, func(t *testing.T, r *chatRows) {
		a, b := r.node("a"), r.node("b")
		now := time.Now()
		a.write(ChatLine{At: now, Text: "question"})
		r.follow(t, b)
		b.write(ChatLine{At: now.Add(-time.Second), Text: "answer"})
		r.follow(t, a)
		for _, on := range []*chatNode{a, b} {
			if got := chatTexts(on.Since(0)); !slices.Equal(got, []string{"question", "answer"}) {
				t.Error(got)
			}
		}
	})
}

// TestALateLineStandsWhereItBelongs, and is new to those who have read the later ones.
func TestALateLineStandsWhereItBelongs(t *testing.T) {
	withChatRows(t, func(t *testing.T, r *chatRows) {
		a, b := r.node("a"), r.node("b")
		now := time.Now()
		a.write(ChatLine{At: now, Text: "first"})
		b.write(ChatLine{At: now.Add(time.Second), Text: "second"})
		kept, last := b.Since(0), b.Last()
		r.follow(t, b)
		if got := chatTexts(b.Since(0)); !slices.Equal(got, []string{"first", "second"}) {
			t.Error(got)
		}
		if got := chatTexts(b.Since(last)); !slices.Equal(got, []string{"first"}) || kept[0].Text != "second" {
			t.Error(got, kept)
		}
		b.write(ChatLine{At: now.Add(2 * time.Second), Text: "third"})
		if got := chatTexts(b.Since(last)); !slices.Equal(got, []string{"first", "third"}) {
			t.Error(got)
		}
	})
}

// TestChatRowsOfADeadNodeAreDeleted by another that has no place for them.
func TestChatRowsOfADeadNodeAreDeleted(t *testing.T) {
	withChatRows(t, func(t *testing.T, r *chatRows) {
		dead := r.node("a")
		now := time.Now()
		for i := range 100 {
			dead.write(ChatLine{At: now.Add(time.Duration(i)), Text: "old"})
		}
		alive, other := r.node("b", "a"), r.node("c")
		r.follow(t, alive)
		r.follow(t, other)
		for i := range 60 {
			other.write(ChatLine{At: now.Add(time.Minute + time.Duration(i)), Text: "new"})
		}
		if n := len(r.all(t)); n != 160 {
			t.Errorf("%d rows: a node deleted those of another", n)
		}
		r.follow(t, alive)
		if n := len(r.all(t)); n != 100 || len(alive.Since(0)) != 100 {
			t.Errorf("%d rows, %d lines", n, len(alive.Since(0)))
		}
	})
}

func BenchmarkChat(b *testing.B) {
	var alone Lobby
	follower{&alone}.addKinds(new(rows.Memory), "")
	l := ChatLine{At: time.Now(), Author: "ana", Text: "hello"}
	for b.Loop() {
		l.At = l.At.Add(1)
		alone.chats.add(lobbyRoomID, &alone.Chat, l)
	}
}
