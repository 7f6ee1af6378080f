package web

import (
	"maps"
	"sync"
)

// counts counts what the server has done. The labels are words of this package, never of clients.
type counts struct {
	mu              sync.Mutex
	answers, denied map[string]uint64
	streams         int
	events          uint64
	skipped         uint64
}

// Stats are the counts of a server since its start.
type Stats struct {
	Requests map[string]uint64 // answers by the kind of the page
	Refused  map[string]uint64 // by the limit that was exceeded; host: a foreign Host
	Active   int               // requests that are being answered now
	Streams  int               // streams of events that are open now
	Events   uint64            // sent in streams
	Skipped  uint64            // positions that slow readers of streams did not get
	Pictures int               // made
	Busy     int               // pictures that were refused because too many were being made
}

// Stats returns the counts.
func (s *Server) Stats() Stats {
	made, busy := s.Pictures.Made()
	c := &s.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{maps.Clone(c.answers), maps.Clone(c.denied), s.guard.current(), c.streams, c.events, c.skipped, made, busy}
}

func (c *counts) answered(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil {
		c.answers = make(map[string]uint64)
	}
	c.answers[kind]++
}

func (c *counts) refused(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.denied == nil {
		c.denied = make(map[string]uint64)
	}
	c.denied[why]++
}

func (c *counts) addStream(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streams += n
}

func (c *counts) sent(events, skipped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events += uint64(events)
	c.skipped += uint64(skipped)
}
