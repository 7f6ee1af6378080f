package simulation

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"

	"ayumu/lobby/account"
)

// Durations of a run.
const (
	runTime  = 80 * time.Second // with faults
	healTime = 45 * time.Second // after them, until all replicas have to be equal
)

// epoch is the store's time at the start of a run.
var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// world is one run. Everything in it happens on one goroutine, in an order that follows from the seed.
type world struct {
	r        *rand.Rand
	broken   fault
	now      time.Duration // the store's time, since epoch
	events   eventHeap
	seq      int
	store    *store
	nodes    []*node
	players  []*player
	troubled bool // faults happen
	playing  bool // players act
	inDays   bool // all matches are correspondence games
	cup      *cup // nil: matches are played
	failure  string
	seen     map[string]int // what has happened

	commands []*command
	appends  map[appendKey]*sentAppend
	starts   []started
	begun    map[account.ID][]time.Time // of the vacations that were last recorded
	requests int
}

// event is something that will happen.
type event struct {
	at  time.Duration
	seq int
	do  func()
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(a, b int) bool {
	return h[a].at < h[b].at || h[a].at == h[b].at && h[a].seq < h[b].seq
}
func (h eventHeap) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *eventHeap) Push(e any)   { *h = append(*h, e.(event)) }
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}

// after has something happen after a duration.
func (w *world) after(d time.Duration, do func()) {
	w.seq++
	heap.Push(&w.events, event{w.now + max(d, 0), w.seq, do})
}

// fail records the first violation of an invariant, which ends the run.
func (w *world) fail(format string, args ...any) {
	if w.failure == "" {
		w.failure = fmt.Sprintf("at %v: ", w.now) + fmt.Sprintf(format, args...)
	}
}

// log prints what happens, with the flag -print.
func (w *world) log(format string, args ...any) {
	if *print {
		fmt.Printf("%9.3f %s\n", w.now.Seconds(), fmt.Sprintf(format, args...))
	}
}

// between returns a random duration.
func (w *world) between(a, b time.Duration) time.Duration {
	return a + time.Duration(w.r.Int64N(int64(b-a)+1))
}

// chance reports true n times of 100.
func (w *world) chance(n int) bool { return w.r.IntN(100) < n }

// storeTime returns the time by the store's clock.
func (w *world) storeTime() time.Time { return epoch.Add(w.now) }

// run runs a seed with a fault of the code, or noFault, and returns the violation that was found, or "".
func run(seed uint64, broken fault, seen map[string]int) string {
	w := &world{
		r: rand.New(rand.NewPCG(seed, 0)), broken: broken, troubled: true, playing: true, seen: seen,
		appends: make(map[appendKey]*sentAppend), begun: make(map[account.ID][]time.Time),
	}
	w.store = newStore(w)
	w.inDays = w.chance(15)
	for i := range 2 + w.r.IntN(2) {
		w.nodes = append(w.nodes, newNode(w, i))
	}
	for i := range 3 + w.r.IntN(2) {
		w.players = append(w.players, &player{w: w, id: i + 1})
	}
	for _, n := range w.nodes {
		n.start()
	}
	for _, p := range w.players {
		w.after(w.between(0, 3*time.Second), p.act)
	}
	w.after(w.between(5*time.Second, 20*time.Second), w.trouble)
	w.after(runTime, w.heal)
	w.after(runTime+healTime, w.checkHealed)
	for w.failure == "" && w.now < runTime+2*healTime && w.next() {
	}
	return w.failure
}

// next has the next event happen, and reports whether there is one.
func (w *world) next() bool {
	if len(w.events) == 0 {
		return false
	}
	e := heap.Pop(&w.events).(event)
	w.now = e.at
	e.do()
	return true
}

// trouble lets a fault happen, and the next one later.
func (w *world) trouble() {
	if !w.troubled {
		return
	}
	n := w.nodes[w.r.IntN(len(w.nodes))]
	switch w.r.IntN(9) {
	case 0, 1:
		w.seen["node dies"]++
		w.log("%s dies", n.name)
		n.die()
		w.after(w.between(200*time.Millisecond, 30*time.Second), n.start)
	case 2, 3:
		w.seen["node is cut off"]++
		w.log("%s is cut off", n.name)
		n.cutUntil = w.now + w.between(100*time.Millisecond, 20*time.Second)
	case 4:
		w.seen["store is down"]++
		w.store.downUntil = w.now + w.between(100*time.Millisecond, 15*time.Second)
	case 5:
		w.seen["store is slow"]++
		w.store.slowUntil = w.now + w.between(time.Second, 20*time.Second)
	case 6, 7:
		if w.cup == nil { // tournaments do not outlive the loss of recorded entries
			w.store.failOver(w.between(0, 1500*time.Millisecond))
		}
	case 8:
		w.store.failsAtTurn = true
	}
	w.after(w.between(2*time.Second, 20*time.Second), w.trouble)
}

// heal ends all faults, and has the players wait.
func (w *world) heal() {
	w.troubled, w.playing = false, false
	w.store.downUntil, w.store.slowUntil, w.store.failsAtTurn = 0, 0, false
	for _, n := range w.nodes {
		n.cutUntil = 0
		if !n.up {
			n.start()
		}
	}
	w.after(healTime/2, w.endMatches)
}

// publish notifies the other nodes that one has changed something. Messages are lost, doubled and late.
func (w *world) publish(from *node) {
	for _, n := range w.nodes {
		if n == from {
			continue
		}
		for range []int{1, 1, 1, 1, 0, 2}[w.r.IntN(6)] {
			w.after(w.between(time.Millisecond, 300*time.Millisecond), n.poll)
		}
	}
}
