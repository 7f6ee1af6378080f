package simulation

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// Times of a node, as those of packages cluster and lobby.
const (
	pollInterval = time.Second
	beatInterval = 2 * time.Second
	beatLimit    = 10 * time.Second
	wave         = 3 * time.Second
)

// node is a process of the lobby. What it knows is gone when it dies.
type node struct {
	w     *world
	name  string
	skew  time.Duration // of its clock to the store's at the start
	drift float64

	up       bool
	life     int // number of starts and deaths
	cutUntil time.Duration
	failedAt time.Duration // when a request last failed

	keeper   *cluster.Timekeeper
	matches  map[string]*replica
	cup      *cupReplica // nil: it is not read yet
	tables   map[string]tableRow
	presence map[presenceKey]presenceRow // of the other nodes
	vacation map[account.ID]vacationRow
	readAt   time.Duration // when presence and beats were read
	beats    map[string]time.Time
	sessions map[account.ID]time.Duration // since when
	left     map[account.ID]presenceRow
	outbox   map[presenceKey]presenceRow
	writing  bool
	polling  bool
	again    bool // poll again
	starting map[string]bool
}

func newNode(w *world, i int) *node {
	return &node{
		w: w, name: fmt.Sprint("node", i), skew: w.between(-time.Hour, time.Hour), drift: float64(w.r.IntN(301)-150) / 1e6,
	}
}

// local returns the time of the node's machine.
func (n *node) local() time.Time {
	return epoch.Add(n.skew + n.w.now + time.Duration(float64(n.w.now)*n.drift))
}

// sharedTime returns what the node takes for the store's time.
func (n *node) sharedTime() time.Time { return n.keeper.StoreTime(n.local()) }

// every calls do at intervals while the process lives.
func (n *node) every(interval time.Duration, do func()) {
	life := n.life
	var tick func()
	tick = func() {
		if n.life == life {
			do()
			n.w.after(interval, tick)
		}
	}
	n.w.after(interval, tick)
}

// die ends the process.
func (n *node) die() {
	if !n.up {
		return
	}
	n.up = false
	n.life++
	n.matches = make(map[string]*replica) // whose timers end with it
	n.cup = nil
	for _, p := range n.w.players {
		if p.at == n {
			p.disconnected()
		}
	}
}

// start starts the process. It asks for the store until it answers.
func (n *node) start() {
	if n.up {
		return
	}
	n.up = true
	n.life++
	n.keeper = cluster.NewTimekeeper(n.local())
	n.matches, n.tables = make(map[string]*replica), make(map[string]tableRow)
	n.presence, n.beats = make(map[presenceKey]presenceRow), make(map[string]time.Time)
	n.vacation = make(map[account.ID]vacationRow)
	n.sessions, n.left = make(map[account.ID]time.Duration), make(map[account.ID]presenceRow)
	n.outbox, n.starting = make(map[presenceKey]presenceRow), make(map[string]bool)
	n.writing, n.polling, n.again, n.readAt = false, false, false, 0
	n.open()
}

// open reads the store and begins to serve.
func (n *node) open() {
	type opened struct {
		contents
		at time.Time
	}
	n.call(func(done func(any)) { done(opened{n.w.store.contents(), n.w.storeTime()}) }, func(answer any, err error) {
		if err != nil {
			life := n.life
			n.w.after(500*time.Millisecond, func() {
				if n.life == life {
					n.open()
				}
			})
			return
		}
		o := answer.(opened)
		alone := true
		for name, at := range o.beats {
			alone = alone && (name == n.name || o.at.Sub(at) > beatLimit)
		}
		for key, row := range o.presence { // of the earlier process
			if key.node == n.name && row.here {
				n.left[key.account] = presenceRow{since: o.at, dropped: true}
				n.outbox[key] = n.left[key.account]
			}
		}
		for _, id := range slices.Sorted(maps.Keys(o.running)) {
			if o.running[id] {
				n.load(id, alone)
			}
		}
		n.take(o.contents)
		n.beat()
		n.flush()
		n.every(beatInterval, n.beat)
		n.every(pollInterval, n.poll)
		n.every(wave, n.pair)
		n.loadCup()
	})
}

// isServing reports whether players can use the node.
func (n *node) isServing() bool { return n.up && n.keeper != nil && !n.keeper.LastBeat().IsZero() }

func (n *node) beat() {
	sent := n.local()
	n.call(func(done func(any)) {
		set(n.w.store, n.w.store.beats, n.name, n.w.storeTime())
		done(n.w.storeTime())
	}, func(answer any, err error) {
		if err != nil {
			n.keeper.BeatFailed(n.local())
			return
		}
		n.keeper.Beat(sent, n.local(), answer.(time.Time))
	})
}

// poll reads what others have changed.
func (n *node) poll() {
	if !n.isServing() || n.polling {
		n.again = n.polling
		return
	}
	n.polling = true
	n.call(func(done func(any)) { done(n.w.store.contents()) }, func(answer any, err error) {
		n.polling = false
		if err == nil {
			n.take(answer.(contents))
		}
		if n.again {
			n.again = false
			n.poll()
		}
	})
}

// take takes over what the node has read.
func (n *node) take(c contents) {
	n.takePresence(c)
	for id := range n.tables {
		if _, exists := c.tables[id]; !exists {
			delete(n.tables, id)
		}
	}
	for id, row := range c.tables {
		if row.version >= n.tables[id].version {
			n.tables[id] = row
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.ends)) {
		r := n.matches[id]
		switch {
		case r == nil && c.running[id]:
			n.load(id, false)
		case r == nil:
		case r.end() != c.ends[id]:
			r.follow(id)
		}
		if row, exists := c.agreements[id]; exists && r != nil && r.agreements < row.version {
			r.agreements = row.version
			r.input(match.Input{Kind: match.InputAgreementsFollowed, Agreements: row.data, AgreementsVersion: row.version}, nil)
		}
	}
	n.clearDeadTables()
	for _, id := range slices.Sorted(maps.Keys(n.matches)) {
		n.matches[id].check() // somebody may have come or gone
	}
}

// takePresence takes over who is present, unless the node has read that later.
func (n *node) takePresence(c contents) {
	if c.at >= n.readAt {
		n.presence, n.vacation, n.beats, n.readAt = c.presence, c.vacations, c.beats, c.at
	}
}

// isAlive reports whether a node sends heartbeats, as far as this one knows.
func (n *node) isAlive(name string) bool {
	return name == n.name || n.sharedTime().Sub(n.beats[name]) <= beatLimit
}

// enter adds a session of an account; leave ends it.
func (n *node) enter(id account.ID) {
	n.sessions[id] = n.w.now
	n.put(id, presenceRow{here: true})
}

func (n *node) leave(id account.ID, dropped bool) {
	delete(n.sessions, id)
	n.left[id] = presenceRow{since: n.sharedTime(), dropped: dropped}
	n.put(id, n.left[id])
}

// put has a row of this node written, as rows.Outbox does.
func (n *node) put(id account.ID, row presenceRow) {
	n.outbox[presenceKey{n.name, id}] = row
	n.flush()
}

func (n *node) flush() {
	if n.writing || len(n.outbox) == 0 {
		return
	}
	n.writing = true
	rows := n.outbox
	n.outbox = make(map[presenceKey]presenceRow)
	n.call(func(done func(any)) {
		for key, row := range rows {
			n.w.store.presence[key] = row // which a failover does not lose, because nodes would write it again
		}
		done(nil)
	}, func(_ any, err error) {
		n.writing = false
		if err != nil {
			for key, row := range rows {
				if _, newer := n.outbox[key]; !newer {
					n.outbox[key] = row
				}
			}
			life := n.life
			n.w.after(300*time.Millisecond, func() {
				if n.life == life {
					n.flush()
				}
			})
			return
		}
		n.w.publish(n)
		n.flush()
	})
}

// presenceOf returns what a match has to know of a player, by what the node knows.
func (n *node) presenceOf(id account.ID) match.Presence {
	p := n.absenceOf(id)
	if n.w.broken != noVacations {
		p.Vacations = n.vacation[id].all
	}
	return p
}

// absenceOf is presenceOf without the vacations.
func (n *node) absenceOf(id account.ID) match.Presence {
	if _, here := n.sessions[id]; here {
		p := match.Presence{}
		for _, o := range n.w.nodes {
			if row := n.presence[presenceKey{o.name, id}]; o != n && row.here && n.isAlive(o.name) {
				p.Wait = n.deadlineWait()
			}
		}
		return p
	}
	p := match.Presence{AbsentSince: epoch, Dropped: true, Wait: n.deadlineWait()}
	since := func(at time.Time, dropped, died bool) {
		if !at.Before(p.AbsentSince) {
			p.AbsentSince, p.Dropped, p.NodeDied = at, dropped, died
		}
	}
	if row, known := n.left[id]; known {
		since(row.since, row.dropped, false)
	}
	for _, o := range n.w.nodes {
		row, known := n.presence[presenceKey{o.name, id}]
		switch {
		case o == n || !known:
		case !row.here:
			since(row.since, row.dropped, false)
		case n.isAlive(o.name):
			return match.Presence{Wait: p.Wait}
		default:
			since(n.beats[o.name], true, true)
		}
	}
	return p
}

// deadlineWait returns how long the node leaves it to others to end a turn.
func (n *node) deadlineWait() time.Duration {
	if n.w.broken == noDeadlineWait {
		return 0
	}
	return n.keeper.DeadlineWait(n.local())
}

// users returns what a table has to know of a user.
func (n *node) users(id account.ID) table.User {
	return table.User{Account: account.Account{ID: id, Name: fmt.Sprint("player", id)}}
}
