package sshd

import (
	"maps"
	"sync"
)

// Limits that end nothing, as Stats.Hits has them. The reasons why a connection is refused or
// closed stand there too. All are the server's own words, so that there are few of them.
const (
	hitAttempts  = "attempts to authenticate"
	hitChannels  = "sessions on one connection"
	hitCommand   = "length of a command line"
	hitEnv       = "environment variables"
	hitGrace     = "time for a session to end"
	hitIdle      = "no input"
	hitInput     = "input rate"
	hitHandshake = "time for a handshake"
	hitTerminal  = "size of a terminal"

	hitKeyExchanges = "key exchanges" // closes the connection
)

// limitHits counts how often each limit was exceeded.
type limitHits struct {
	mu     sync.Mutex
	counts map[string]uint64
}

func (h *limitHits) add(limit string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		h.counts = make(map[string]uint64)
	}
	h.counts[limit]++
}

func (h *limitHits) all() map[string]uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.counts)
}
