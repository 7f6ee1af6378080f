// Package bus carries messages between the nodes of a lobby.
//
// A message says that something has changed, and when. It can be lost, repeated, late or out of order: the database alone
// decides, and a node that misses a message sees the change at its next poll. So publishing never blocks and reports no
// error to its caller.
package bus

import "sync/atomic"

// MaxMessage is the maximum size of a message in bytes. A longer one is not published.
const MaxMessage = 64 << 10

// maxQueued is the maximum number of messages that wait to be published, and that wait to be received. With
// more the newest are dropped, so that a network that stands still costs no memory.
const maxQueued = 1024

// Bus sends messages to all other nodes. Its methods may be called from any goroutine.
type Bus interface {
	// Publish sends data to all other nodes, or drops it. It never blocks, and data must not be changed
	// afterwards.
	Publish(data []byte)
	// Stats returns what the bus has counted since it was opened.
	Stats() Stats
	// Close ends receiving. When it has returned, the handler is not called any more.
	Close()
}

// Handler takes a message of another node. It is called on one goroutine of the bus, and messages wait
// meanwhile. It must not change data or keep it.
type Handler func(data []byte)

// Stats are counts of a Bus since it was opened.
type Stats struct {
	Published, Received uint64
	Dropped             uint64 // messages that were too long, or for which a queue had no room
	IsConnected         bool
}

// counters count for Stats.
type counters struct{ published, received, dropped atomic.Uint64 }

func (c *counters) stats() Stats {
	return Stats{Published: c.published.Load(), Received: c.received.Load(), Dropped: c.dropped.Load()}
}
