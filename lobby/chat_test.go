package lobby

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// chatRows are the rows of several nodes.
type chatRows map[string][]byte

// node returns what a node adds lines with, which may delete the rows of dead nodes.
func (r chatRows) node(name string, dead ...string) *chatWriter {
	return newChatWriter(name, time.Now(),
		func(id string, data []byte) { r[name+"/"+id] = data },
		func(node, id string) {
			if node == name || slices.Contains(dead, node) {
				delete(r, node+"/"+id)
			}
		})
}

// follow has a node take over all rows, in any order.
func (r chatRows) follow(w *chatWriter, c *Chat) {
	ids := slices.Collect(maps.Keys(r))
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, row := range ids {
		node, id, _ := strings.Cut(row, "/")
		w.follow(c, node, id, r[row])
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
	synctest.Test(t, func(t *testing.T) {
		r := make(chatRows)
		const lines = 150
		names := []string{"a", "b", "c"}
		var nodes []*chatWriter
		rooms := make([]Chat, len(names))
		seen := make([]map[string]int, len(names))
		last := make([]uint64, len(names))
		for i, name := range names {
			nodes, seen[i] = append(nodes, r.node(name)), make(map[string]int)
		}
		read := func(i int) {
			for _, l := range rooms[i].Since(last[i]) {
				seen[i][l.Text]++
			}
			last[i] = rooms[i].Last()
		}
		var want []string
		for n := range lines {
			i := rand.IntN(len(names))
			text := fmt.Sprint(n)
			want = append(want, text)
			nodes[i].add("lobby", &rooms[i], ChatLine{At: time.Now(), Text: text})
			read(i)
			if i = rand.IntN(len(names)); n%5 == 0 {
				r.follow(nodes[i], &rooms[i])
				read(i)
			}
			<-time.After(time.Millisecond)
		}
		for range 2 {
			for i := range nodes {
				r.follow(nodes[i], &rooms[i])
				read(i)
			}
		}
		want = want[lines-100:]
		for i := range nodes {
			if got := chatTexts(rooms[i].Since(0)); !slices.Equal(got, want) {
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
		if len(r) != 100 {
			t.Errorf("%d rows are left", len(r))
		}
		for i := range rooms {
			c := &rooms[i]
			nodes[0].forget(c)
			nodes[1].forget(c)
			nodes[2].forget(c)
		}
		if len(r) != 0 {
			t.Errorf("after the room %d rows are left", len(r))
		}
	})
}

// TestAnAnswerFollowsItsQuestion also where the clock of the node of the answer is behind.
func TestAnAnswerFollowsItsQuestion(t *testing.T) {
	r := make(chatRows)
	a, b := r.node("a"), r.node("b")
	var onA, onB Chat
	now := time.Now()
	a.add("lobby", &onA, ChatLine{At: now, Text: "question"})
	r.follow(b, &onB)
	b.add("lobby", &onB, ChatLine{At: now.Add(-time.Second), Text: "answer"})
	r.follow(a, &onA)
	for _, c := range []*Chat{&onA, &onB} {
		if got := chatTexts(c.Since(0)); !slices.Equal(got, []string{"question", "answer"}) {
			t.Error(got)
		}
	}
}

// TestALateLineStandsWhereItBelongs, and is new to those who have read the later ones.
func TestALateLineStandsWhereItBelongs(t *testing.T) {
	r := make(chatRows)
	a, b := r.node("a"), r.node("b")
	var onA, onB Chat
	now := time.Now()
	a.add("lobby", &onA, ChatLine{At: now, Text: "first"})
	b.add("lobby", &onB, ChatLine{At: now.Add(time.Second), Text: "second"})
	kept, last := onB.Since(0), onB.Last()
	r.follow(b, &onB)
	if got := chatTexts(onB.Since(0)); !slices.Equal(got, []string{"first", "second"}) {
		t.Error(got)
	}
	if got := chatTexts(onB.Since(last)); !slices.Equal(got, []string{"first"}) || kept[0].Text != "second" {
		t.Error(got, kept)
	}
	b.add("lobby", &onB, ChatLine{At: now.Add(2 * time.Second), Text: "third"})
	if got := chatTexts(onB.Since(last)); !slices.Equal(got, []string{"first", "third"}) {
		t.Error(got)
	}
}

// TestChatRowsOfADeadNodeAreDeleted by another that has no place for them.
func TestChatRowsOfADeadNodeAreDeleted(t *testing.T) {
	r := make(chatRows)
	dead := r.node("a")
	var room Chat
	now := time.Now()
	for i := range 100 {
		dead.add("lobby", &room, ChatLine{At: now.Add(time.Duration(i)), Text: "old"})
	}
	alive, other := r.node("b", "a"), r.node("c")
	var onB, onC Chat
	r.follow(alive, &onB)
	r.follow(other, &onC)
	for i := range 60 {
		other.add("lobby", &onC, ChatLine{At: now.Add(time.Minute + time.Duration(i)), Text: "new"})
	}
	if len(r) != 160 {
		t.Errorf("%d rows: a node deleted those of another", len(r))
	}
	r.follow(alive, &onB)
	if len(r) != 100 || len(onB.Since(0)) != 100 {
		t.Errorf("%d rows, %d lines", len(r), len(onB.Since(0)))
	}
}

func BenchmarkChat(b *testing.B) {
	var room Chat
	alone := new(chatWriter)
	l := ChatLine{At: time.Now(), Author: "ana", Text: "hello"}
	for b.Loop() {
		l.At = l.At.Add(1)
		alone.add("lobby", &room, l)
	}
}
