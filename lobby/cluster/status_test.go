package cluster

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
)

// TestLagIsMeasured: it is the time from the first message since the last reading to the end of that reading. A forged
// message cannot make it negative or longer than a minute, and one of another length only wakes the node.
func TestLagIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		var l traffic
		lagOf := func(notified bool, messages ...[]byte) time.Duration {
			for _, m := range messages {
				l.receive(m)
			}
			<-time.After(3 * time.Millisecond)
			l.read(time.Since(started), time.Millisecond, l.announced.Swap(0), time.Now())
			return l.takeLag(started, notified)
		}
		at := func(nanoseconds int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(nanoseconds)) }
		now := func() []byte { return message(time.Now()) }
		for name, c := range map[string]struct{ got, want time.Duration }{
			"no message":        {lagOf(true), 0},
			"two messages":      {lagOf(true, message(time.Now().Add(-time.Millisecond)), now()), 4 * time.Millisecond},
			"of another length": {lagOf(true, nil, []byte("x"), make([]byte, 1000)), 0},
			"from the past":     {lagOf(true, at(1)), maxLag},
			"before the epoch":  {lagOf(true, at(math.MinInt64)), maxLag},
			"from the future":   {lagOf(true, at(math.MaxInt64)), 0},
		} {
			if c.got != c.want {
				t.Errorf("%s: %v, want %v", name, c.got, c.want)
			}
		}
		<-time.After(700 * time.Millisecond)
		if lag := l.takeLag(started, true); lag != 0 {
			t.Errorf("between two readings, with messages: %v", lag)
		}
		if lag := l.takeLag(started, false); lag != 700*time.Millisecond {
			t.Errorf("without messages: %v", lag)
		}
		<-time.After(5 * time.Second)
		if lag := l.takeLag(started, true); lag != 5700*time.Millisecond {
			t.Errorf("while nothing can be read: %v", lag)
		}
		if c := l.lag.Counts(); c.Number != 4 {
			t.Errorf("%d lags were counted", c.Number)
		}
	})
}

// TestNodesAreReadFromTheStore also if another version wrote something else.
func TestNodesAreReadFromTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s rows.Memory
		started := time.Now().UTC()
		write := func(name string, data []byte) {
			t.Helper()
			if _, err := s.Write(t.Context(), rows.Write{Key: rows.Key{Kind: kindNode, ID: name}, Data: data}); err != nil {
				t.Fatal(err)
			}
		}
		write("gone", []byte("{}"))
		<-time.After(keepStatus)
		write("dead", []byte(`{"more":[]}`))
		<-time.After(beatLimit)
		data, err := json.Marshal(Info{Started: started, Version: "1.0", Address: "h", Sessions: 3, Matches: 2, LagMS: 4, IsNotified: true})
		if err != nil {
			t.Fatal(err)
		}
		write("alive", data)
		write("stopped", []byte(`{"stopped":true}`))
		<-time.After(time.Second)
		nodes, err := ReadNodes(t.Context(), &s, time.Now())
		if err != nil || len(nodes) != 3 || nodes[1].Name != "dead" || nodes[1].IsAlive || nodes[2].Name != "stopped" || nodes[2].IsAlive {
			t.Fatalf("%+v, %v", nodes, err)
		}
		want := Info{Started: started, Version: "1.0", Address: "h", Sessions: 3, Matches: 2, LagMS: 4, IsNotified: true}
		if n := nodes[0]; n.Name != "alive" || !n.IsAlive || n.Info != want || time.Since(n.BeatAt) != time.Second {
			t.Errorf("%+v", n)
		}
	})
}
