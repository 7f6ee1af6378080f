package lobbytest

import (
	"slices"
	"sync"
	"sync/atomic"

	"ayumu/lobby/bus"
	"ayumu/lobby/guard"
)

// Hub connects nodes of one process. The zero value has no nodes.
type Hub struct {
	mu    sync.Mutex
	nodes []*hubBus // replaced, never modified
}

// hubQueue is the number of messages that wait for a node. With more the newest are dropped.
const hubQueue = 1024

// hubBus is the bus.Bus of one node of a Hub.
type hubBus struct {
	published, received, dropped atomic.Uint64

	hub   *Hub
	queue chan []byte
	done  chan struct{} // closed by Close
	ended chan struct{} // closed when the handler is not called any more
	once  sync.Once
}

// Open adds a node to the hub. It passes the messages of the other nodes to handle, in order. report
// reports a panic of handle.
func (h *Hub) Open(handle bus.Handler, report func(error)) bus.Bus {
	b := &hubBus{hub: h, queue: make(chan []byte, hubQueue), done: make(chan struct{}), ended: make(chan struct{})}
	guard.Go(report, func() {
		defer close(b.ended)
		for {
			select {
			case <-b.done:
				return
			case data := <-b.queue:
				b.received.Add(1)
				if err := guard.Call(func() { handle(data) }); err != nil {
					report(err)
				}
			}
		}
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nodes = append(slices.Clip(h.nodes), b)
	return b
}

func (h *Hub) others(b *hubBus) []*hubBus {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(h.nodes), func(o *hubBus) bool { return o == b })
}

// Publish implements bus.Bus.
func (b *hubBus) Publish(data []byte) {
	if len(data) > bus.MaxMessage {
		b.dropped.Add(1)
		return
	}
	b.published.Add(1)
	for _, o := range b.hub.others(b) {
		select {
		case o.queue <- data:
		default:
			o.dropped.Add(1)
		}
	}
}

// Stats implements bus.Bus.
func (b *hubBus) Stats() bus.Stats {
	return bus.Stats{Published: b.published.Load(), Received: b.received.Load(), Dropped: b.dropped.Load(), IsConnected: true}
}

// Close implements bus.Bus.
func (b *hubBus) Close() {
	b.once.Do(func() {
		b.hub.mu.Lock()
		b.hub.nodes = slices.DeleteFunc(slices.Clone(b.hub.nodes), func(o *hubBus) bool { return o == b })
		b.hub.mu.Unlock()
		close(b.done)
		<-b.ended
	})
}
