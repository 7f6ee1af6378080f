// Package cluster makes a process one of several equal nodes of a lobby. A node sends heartbeats to the store
// that all share, knows which others are alive and what the time is by the store's clock, and follows what the
// others change.
//
// The store decides everything. A message of another node only says that it is worth reading now; without
// messages, each node reads once a second.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayumu/lobby/bus"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/guard"
	"ayumu/lobby/match"
)

// Times of a node.
const (
	pollInterval  = time.Second           // between two readings of what others have changed, without a message
	maxBeatGap    = beatLimit / 2         // between two heartbeats, or this node was not in touch with the store
	minPollPause  = 10 * time.Millisecond // between two readings because of messages
	beatInterval  = 2 * time.Second       // between two heartbeats
	beatTimeout   = 4 * time.Second       // for one of them
	beatLimit     = 10 * time.Second      // a node without a heartbeat for longer is dead
	stopTimeout   = 2 * time.Second       // for the last one
	callTimeout   = 10 * time.Second      // for one call of the store
	pruneEvery    = 10 * time.Minute      // old rows are deleted
	degradedPause = time.Minute           // between the end of being degraded and the next time that users are notified
)

// Store keeps what the nodes of a lobby share, and finds the matches that others have changed. Its methods may
// be called from any goroutine; callers hold no lock. The store reports its failures.
type Store interface {
	rows.Store

	// ChangedMatches returns the ends of the logs of all matches that were created or whose logs have grown
	// since a cursor, and the next cursor. It may also return others. With the empty cursor it returns no match.
	ChangedMatches(ctx context.Context, since rows.Cursor) ([]ChangedMatch, rows.Cursor, error)
	// LogAfter returns the entries of a log that follow its first version ones, and the end of those. If the
	// log is shorter, after is its end and there are no entries. The error is that of lobby.MatchStore.Match.
	LogAfter(ctx context.Context, match string, version int) (after match.LogEnd, entries []match.Entry, err error)
}

// ChangedMatch is a match that may have changed.
type ChangedMatch struct {
	ID    string
	End   match.LogEnd
	Ended bool
}

// Config configures a Node.
type Config struct {
	// Name is the node's name, different from that of every other: 1 to 40 characters.
	Name  string
	Store Store
	// OpenBus connects to the other nodes and passes their messages to the handler. Nil: the nodes find
	// changes only by polling.
	OpenBus func(bus.Handler) (bus.Bus, error)
	// Describe returns what the others are told of this node, without what the node itself knows. It is called
	// on one goroutine and must not block for long. Nil: nothing.
	Describe func() Info
}

// Follower takes over what other nodes have changed. Its methods are called on one goroutine. They may get what
// they know already, also what their own node has changed.
type Follower interface {
	// FollowMatch takes over a match whose log has changed. After an error it is called again.
	FollowMatch(ctx context.Context, m ChangedMatch) error
	// FollowNodes is called after a node has died or come back.
	FollowNodes()
	// FollowDegraded is called when this node becomes degraded, and when it is so no longer.
	FollowDegraded(isDegraded bool)
}

// Node is this process as a node. Open is the constructor. A nil Node is one that is alone: its times are those of this
// machine, it is in touch and never degraded, and what notifies others does nothing; IsAlive, DiedAt and RetryMatch, which
// are about other nodes, may not be called. Methods may be called from any goroutine unless they say otherwise.
type Node struct {
	Config
	follower  Follower
	rows      *rows.Kinds
	report    func(msg string, err error)
	bus       bus.Bus         // nil: there is none
	messages  signal          // to Run: others have changed something
	refreshes chan chan error // to Run: asked for by Refresh
	traffic   traffic
	started   time.Time
	time      *Timekeeper

	// Of the goroutine of Run.
	rowsCursor, matchesCursor rows.Cursor
	isDegraded                bool      // as of the last FollowDegraded
	followedAt                time.Time // of the last FollowDegraded

	missed missedMatches
	beats  rows.Shared[Info] // the rows of nodes by their names; when the last heartbeat was is the row's time
	peers
}

// signal wakes a goroutine. Its capacity is 1.
type signal chan struct{}

// send never blocks.
func (s signal) send() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// Open makes this process a node, and sends the first heartbeat. It adds its kind to ks, whose other kinds it follows.
// report reports a panic and must not block. The caller runs Run and Beat, each on a goroutine of its own, and closes
// the node after that.
func Open(ctx context.Context, c Config, ks *rows.Kinds, f Follower, report func(msg string, err error)) (*Node, error) {
	if n := len(c.Name); n == 0 || n > 40 {
		return nil, fmt.Errorf("the node's name %q must have 1 to 40 characters", c.Name)
	}
	n := &Node{
		Config: c, follower: f, rows: ks, report: report, messages: make(signal, 1), refreshes: make(chan chan error), started: time.Now(), time: NewTimekeeper(time.Now()),
		peers: newPeers(c.Name),
	}
	n.beats = nodeRows(c.Store)
	n.beats.Apply = n.followNode
	ks.Add(&n.beats)
	var err error
	if _, n.matchesCursor, err = c.Store.ChangedMatches(ctx, ""); err != nil {
		return nil, err
	}
	if n.rowsCursor, err = n.readRows(ctx, ""); err != nil {
		return nil, err
	}
	if err = n.beat(ctx); err != nil {
		return nil, err
	}
	n.updateDead(n.Now())
	if c.OpenBus != nil {
		n.bus, err = c.OpenBus(func(data []byte) {
			n.traffic.receive(data)
			n.messages.send()
		})
	}
	return n, err
}

// Close ends what Open has started, and lets the others know that the node has stopped. Run and Beat must have ended.
func (n *Node) Close() {
	if n == nil {
		return
	}
	n.call(context.Background(), stopTimeout, func(ctx context.Context) error {
		_, _, err := n.tryBeat(ctx, n.infoAtStop())
		return err
	})
	n.Changed()
	if n.bus != nil {
		n.bus.Close()
	}
}

// Changed notifies the other nodes that this one has changed something. It never blocks.
func (n *Node) Changed() {
	if n != nil && n.bus != nil {
		n.bus.Publish(message(n.Now()))
	}
}

// Now returns the time by the store's clock, as far as it is known.
func (n *Node) Now() time.Time { return n.StoreTime(time.Now()) }

// StoreTime returns a time by this machine's clock as one by the store's; the zero time as it is.
func (n *Node) StoreTime(at time.Time) time.Time {
	if n == nil || at.IsZero() {
		return at
	}
	return n.time.StoreTime(at)
}

// MachineTime returns a time by the store's clock as one by this machine's; the zero time as it is.
func (n *Node) MachineTime(at time.Time) time.Time {
	if n == nil || at.IsZero() {
		return at
	}
	now := time.Now()
	return now.Add(at.Sub(n.time.StoreTime(now)))
}

// Ahead returns by how much the store's clock is ahead of this machine's.
func (n *Node) Ahead() time.Duration {
	if n == nil {
		return 0
	}
	now := time.Now()
	return n.time.StoreTime(now).Sub(now.Round(0))
}

// IsDegraded is Timekeeper.IsDegraded.
func (n *Node) IsDegraded() bool {
	return n != nil && n.time.IsDegraded(time.Now())
}

// StoreFailingSince is Timekeeper.StoreFailingSince.
func (n *Node) StoreFailingSince() time.Time {
	if n == nil {
		return time.Time{}
	}
	return n.time.StoreFailingSince(time.Now())
}

// Committed records how long the store took to answer an append.
func (n *Node) Committed(took time.Duration) {
	if n != nil {
		n.time.Committed(time.Now(), took)
	}
}

// DeadlineWait is Timekeeper.DeadlineWait; 0 if there is no other node.
func (n *Node) DeadlineWait() time.Duration {
	if n == nil || n.IsAlone() {
		return 0
	}
	return n.time.DeadlineWait(time.Now())
}

// SinceBeat returns the time since the last heartbeat that the store has.
func (n *Node) SinceBeat() time.Duration { return time.Since(n.time.LastBeat()) }

// InTouchSince returns since when this node has been in touch with the store, by the store's clock: before that
// it cannot know what happened on other nodes. It is now while it is not in touch, and the zero time for a node
// that is alone.
func (n *Node) InTouchSince() time.Time {
	switch {
	case n == nil:
		return time.Time{}
	case n.SinceBeat() > maxBeatGap:
		return n.Now()
	}
	return n.inTouchSince()
}

// Run follows the other nodes, whenever they send a message and at every interval, until ctx ends.
func (n *Node) Run(ctx context.Context) {
	poll, old := time.NewTicker(pollInterval), time.NewTicker(pruneEvery)
	defer poll.Stop()
	defer old.Stop()
	prune := func(ctx context.Context) error {
		if err := n.rows.Prune(ctx, n.Now()); err != nil {
			return err
		}
		return deleteOldNodes(ctx, n.Store, n.Now())
	}
	n.call(ctx, callTimeout, prune)
	for {
		select {
		case <-ctx.Done():
			return
		case <-old.C:
			n.call(ctx, callTimeout, prune)
			continue
		case <-poll.C:
		case <-n.messages:
		case done := <-n.refreshes:
			done <- n.refresh(ctx)
			continue
		}
		n.call(ctx, callTimeout, n.poll)
		n.followDegraded()
		select {
		case <-ctx.Done():
			return
		case <-time.After(minPollPause):
		}
	}
}

// RetryMatch has Follower.FollowMatch called for a match that it has passed over, soon. It never blocks.
func (n *Node) RetryMatch(match string) {
	n.missed.add(match)
	n.messages.send()
}

// Refresh reads what others have changed until now, and returns after it has been taken over. A node that is alone
// has nothing to read. The caller holds no lock.
func (n *Node) Refresh(ctx context.Context) error {
	if n == nil {
		return nil
	}
	done := make(chan error, 1)
	select {
	case n.refreshes <- done:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *Node) refresh(ctx context.Context) error {
	err := errors.New("changes of other nodes could not be applied")
	n.call(ctx, callTimeout, func(ctx context.Context) error {
		err = n.poll(ctx)
		return err
	})
	return err
}

// Beat sends the heartbeats of this node until ctx ends.
func (n *Node) Beat(ctx context.Context) {
	ticker := time.NewTicker(beatInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			n.call(ctx, beatTimeout, n.beat)
		}
	}
}

// call calls a function that uses the store, which has reported its errors. What failed is done again at the next
// interval; the deletion of old rows, when a node starts.
func (n *Node) call(ctx context.Context, timeout time.Duration, task func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := guard.Call(func() { _ = task(ctx) }); err != nil {
		n.report("following other nodes", err)
	}
}

// followDegraded calls the follower's FollowDegraded if the node has become degraded, or is degraded no longer. After a
// call it waits for degradedPause before it reports that the node is degraded again.
func (n *Node) followDegraded() {
	isDegraded, now := n.IsDegraded(), time.Now()
	if isDegraded != n.isDegraded && (!isDegraded || now.Sub(n.followedAt) >= degradedPause) {
		n.isDegraded, n.followedAt = isDegraded, now
		n.follower.FollowDegraded(isDegraded)
	}
}

// poll reads the changes since the last time and has them taken over.
func (n *Node) poll(ctx context.Context) (err error) {
	began, announced, missed := time.Now(), n.traffic.announced.Swap(0), n.missed.take()
	defer func() {
		if err != nil {
			n.traffic.putBack(announced)
			n.missed.putBack(missed)
		}
	}()
	// The logs are read first: the rows are then at least as new, such as those of guests in new matches.
	matches, matchesCursor, err := n.Store.ChangedMatches(ctx, n.matchesCursor)
	if err != nil {
		return err
	}
	if n.rowsCursor, err = n.readRows(ctx, n.rowsCursor); err != nil {
		return err
	}
	// While this node cannot send a heartbeat itself, it knows nothing of others.
	if n.SinceBeat() <= beatInterval+callTimeout/2 && n.updateDead(n.Now()) {
		n.follower.FollowNodes()
	}
	for _, m := range append(matches, missed...) {
		if err := n.follower.FollowMatch(ctx, m); err != nil {
			return err
		}
	}
	n.matchesCursor = matchesCursor
	n.traffic.read(began.Sub(n.started), time.Since(began), announced, n.Now())
	return nil
}

// readRows reads the rows that have changed since a cursor, has them taken over and returns the next cursor.
func (n *Node) readRows(ctx context.Context, since rows.Cursor) (rows.Cursor, error) {
	found, next, err := n.Store.Changes(ctx, since)
	if err != nil {
		return since, err
	}
	if since.MayHaveLost(next) {
		n.rows.FollowLoss(ctx, found)
	}
	for _, r := range found {
		if err := n.rows.Follow(ctx, r); err != nil {
			return since, err
		}
	}
	return next, nil
}

// beat records that this node is alive, and estimates the store's clock.
func (n *Node) beat(ctx context.Context) error {
	at, sent, err := n.tryBeat(ctx, n.traffic.describe(n))
	if err != nil {
		n.time.BeatFailed(time.Now())
		return err
	}
	if n.SinceBeat() > maxBeatGap {
		n.setInTouch(at)
	}
	n.time.Beat(sent, time.Now(), at)
	return nil
}

// tryBeat replaces the row of this node, and returns when it did by the store's clock, and when it was sent by this
// machine's. There can be the row of an earlier process of this name, or that of a heartbeat whose outcome was unclear.
func (n *Node) tryBeat(ctx context.Context, i Info) (at, sent time.Time, err error) {
	for range 2 {
		sent = time.Now()
		var all []rows.State[Info]
		all, err = n.beats.Write(ctx, rows.Change[Info]{ID: n.Name, Replaces: n.beats.Get(n.Name).Version, Value: &i})
		if err == nil {
			return all[0].At, sent, nil
		}
		if !errors.Is(err, rows.ErrConflict) {
			break
		}
	}
	return time.Time{}, sent, err
}
