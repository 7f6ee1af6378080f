package cluster

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sync/atomic"
	"time"

	"ayumu/lobby/bus"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/measure"
)

// Info is what a node tells the others of itself with each heartbeat, for the operator.
type Info struct {
	Started  time.Time `json:"started"`
	Version  string    `json:"version"`  // of the program
	Address  string    `json:"address"`  // what people type after ssh
	Access   string    `json:"access"`   // who may connect, in words
	Sessions int       `json:"sessions"` // on this node
	Matches  int       `json:"matches"`  // in this node's memory
	// LagMS is the longest time, in milliseconds, that a change of another node was not known here, since the
	// heartbeat before.
	LagMS int64 `json:"lag_ms"`
	// IsNotified reports whether messages of other nodes arrive; otherwise this node reads once a second.
	IsNotified bool `json:"notified"`
	// IsStopped means that the node has shut down in an orderly way: it is dead at once. The time of its row is that of
	// its end.
	IsStopped bool `json:"stopped,omitempty"`
}

// Status is what is known of a node. What it has of times is by the store's clock.
type Status struct {
	Name string `json:"name"`
	Info
	BeatAt  time.Time `json:"beat"` // the last heartbeat
	IsAlive bool      `json:"alive"`
}

// maxLag bounds a lag that was measured: a message can claim any time.
const maxLag = time.Minute

// traffic measures how a node follows the others.
type traffic struct {
	lag   measure.Histogram // from the message of a change to its having been read
	polls measure.Histogram // how long a reading took

	announced atomic.Int64 // when the first change since the last reading was made, in Unix nanoseconds; 0: none
	longest   atomic.Int64 // the longest lag since the last heartbeat
	polled    atomic.Int64 // when the last reading began that succeeded, after the node's start; 0: none has
}

// Stats are what a node has measured since it was opened.
type Stats struct {
	Lag, Polls measure.Counts
	Bus        bus.Stats // zero: there is none
	HasBus     bool
	SinceBeat  time.Duration
	Alive      int // nodes, this one included
}

// Stats returns what the node has measured.
func (n *Node) Stats() Stats {
	s := Stats{Lag: n.traffic.lag.Counts(), Polls: n.traffic.polls.Counts(), SinceBeat: n.SinceBeat(), HasBus: n.bus != nil}
	if s.HasBus {
		s.Bus = n.bus.Stats()
	}
	for _, node := range n.Nodes() {
		if node.IsAlive {
			s.Alive++
		}
	}
	return s
}

// keepStatus is the time after its last heartbeat for which a node is listed.
const keepStatus = 24 * time.Hour

// Nodes returns all nodes that have sent a heartbeat within the last day, by name, as far as this one knows.
func (n *Node) Nodes() []Status {
	now := n.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make([]Status, 0, len(n.nodes))
	for name, at := range n.nodes {
		if now.Sub(at) <= keepStatus {
			all = append(all, Status{Name: name, Info: n.infos[name], BeatAt: at, IsAlive: !n.dead[name]})
		}
	}
	return sorted(all)
}

func sorted(all []Status) []Status {
	slices.SortFunc(all, func(a, b Status) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// ReadNodes reads the nodes from the store, for a process that is none. now is the time by the store's clock.
func ReadNodes(ctx context.Context, s rows.Store, now time.Time) ([]Status, error) {
	known := nodeRows(s)
	states, err := known.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	all := []Status{}
	for name, state := range states {
		if now.Sub(state.At) <= keepStatus {
			s := Status{Name: name, Info: newInfo(state), BeatAt: state.At}
			s.IsAlive = now.Sub(state.At) <= beatLimit && !s.IsStopped
			all = append(all, s)
		}
	}
	return sorted(all), nil
}

// nodeRows returns the rows of nodes in a store.
func nodeRows(s rows.Store) rows.Shared[Info] {
	return rows.Shared[Info]{Name: kindNode, Store: s, IsSilent: true}
}

// kindNode is the kind of the rows of nodes, by their names.
const kindNode = "node"

// newInfo returns the content of a node's row; that of another version of the program may have none.
func newInfo(s rows.State[Info]) Info {
	if s.Value == nil {
		return Info{}
	}
	return *s.Value
}

// describe returns what this node tells the others now.
func (t *traffic) describe(n *Node) Info {
	var i Info
	if n.Describe != nil {
		i = n.Describe()
	}
	i.Started = n.StoreTime(n.started)
	i.IsNotified = n.bus != nil && n.bus.Stats().IsConnected
	i.LagMS = t.takeLag(n.started, i.IsNotified).Milliseconds()
	return i
}

// takeLag returns the longest lag since the last time. Without messages, or while nothing can be read, it is the
// time since the last reading.
func (t *traffic) takeLag(started time.Time, notified bool) time.Duration {
	lag := time.Duration(t.longest.Swap(0))
	since := time.Since(started) - time.Duration(t.polled.Load())
	if !notified || since > 2*pollInterval {
		lag = max(lag, since)
	}
	return lag
}

// message returns the message of a change: when it was made, by the store's clock.
func message(now time.Time) []byte { return binary.BigEndian.AppendUint64(nil, uint64(now.UnixNano())) }

// receive takes the message of another node. The first since the last reading counts for the lag.
func (t *traffic) receive(data []byte) {
	if len(data) == 8 {
		t.announced.CompareAndSwap(0, int64(binary.BigEndian.Uint64(data)))
	}
}

// putBack takes back an announced time of which the reading has failed: it was before any that has come since.
func (t *traffic) putBack(announced int64) {
	if announced != 0 {
		t.announced.Store(announced)
	}
}

// read records a reading that has succeeded: for how long after the node's start it began, and when the first change
// was made that had been announced before it, or zero. now is the time by the store's clock.
func (t *traffic) read(began, took time.Duration, announced int64, now time.Time) {
	t.polls.Observe(took)
	t.polled.Store(int64(began))
	if announced != 0 {
		lag := min(max(now.Sub(time.Unix(0, announced)), 0), maxLag)
		t.lag.Observe(lag)
		t.longest.Store(max(t.longest.Load(), int64(lag)))
	}
}
