package cluster

import (
	"context"
	"maps"
	"sync"
	"time"

	"ayumu/lobby/cluster/rows"
)

// peers is what a node knows of all nodes, itself included. Times are those of the store's clock. newPeers is the
// constructor.
type peers struct {
	self string // the name of this node

	mu    sync.Mutex
	nodes map[string]time.Time // the last heartbeats
	dead  map[string]bool      // those that were dead at the last look
	infos map[string]Info      // what they told last
	since time.Time            // when the heartbeats of this node began that have come without a gap
}

func newPeers(own string) peers {
	return peers{self: own, nodes: make(map[string]time.Time), dead: make(map[string]bool), infos: make(map[string]Info)}
}

// IsAlone reports whether no other node is alive.
func (p *peers) IsAlone() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name := range p.nodes {
		if name != p.self && !p.dead[name] {
			return false
		}
	}
	return true
}

// IsAlive reports whether a node is alive, as far as is known.
func (p *peers) IsAlive(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := p.nodes[name]
	return known && !p.dead[name]
}

// DiedAt returns the time of the last heartbeat of a node that has died or stopped, by the store's clock; the zero time
// for one that is alive, or not known yet.
func (p *peers) DiedAt(name string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dead[name] {
		return time.Time{}
	}
	return p.nodes[name]
}

// followNode takes over the row of a node. What one of another version wrote may lack something.
func (p *peers) followNode(_ context.Context, name string, next rows.State[Info]) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if next.Version == 0 {
		delete(p.nodes, name)
		delete(p.infos, name)
		return nil
	}
	p.nodes[name], p.infos[name] = next.At, newInfo(next)
	return nil
}

// updateDead finds which nodes are dead, and reports whether that has changed.
func (p *peers) updateDead(now time.Time) (changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	dead := make(map[string]bool)
	for name, at := range p.nodes {
		if name != p.self && (now.Sub(at) > beatLimit || p.infos[name].IsStopped) {
			dead[name] = true
		}
	}
	changed = !maps.Equal(dead, p.dead)
	p.dead = dead
	return changed
}

// infoAtStop returns what this node tells the others when it has stopped.
func (p *peers) infoAtStop() Info {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := p.infos[p.self]
	i.Sessions, i.Matches, i.IsStopped = 0, 0, true
	return i
}

// setInTouch notes that the heartbeats of this node have begun, again if there was a gap.
func (p *peers) setInTouch(since time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = since
}

func (p *peers) inTouchSince() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.since
}
