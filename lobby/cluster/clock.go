package cluster

import (
	"sync"
	"sync/atomic"
	"time"
)

// Limits of the estimate of the store's clock.
const (
	maxError    = 100 * time.Millisecond // of an estimate that is good enough to judge turns
	maxDrift    = 200                    // of this machine's clock against the store's, in millionths
	samplesKept = time.Minute            // for which a sample counts
)

// Timekeeper knows the time by the store's clock, and whether this node may judge turns by it. It reads no time:
// every method gets that of this machine. NewTimekeeper is the constructor. Its methods may be called from any
// goroutine, Beat and BeatFailed from one at a time.
type Timekeeper struct {
	clock   *storeClock
	beats   beats
	commits commits
}

// NewTimekeeper returns a Timekeeper that knows nothing of the store yet.
func NewTimekeeper(now time.Time) *Timekeeper { return &Timekeeper{clock: newStoreClock(now)} }

// Beat takes over a heartbeat that was sent and answered at these times, and recorded at one of the store's.
func (k *Timekeeper) Beat(sent, answered, store time.Time) {
	k.beats.succeeded(sent)
	k.clock.add(sent, answered, store)
	k.commits.add(answered, answered.Sub(sent))
}

// BeatFailed takes over that a heartbeat has failed.
func (k *Timekeeper) BeatFailed(now time.Time) { k.beats.failed(now) }

// Committed takes over how long the store took to answer an append.
func (k *Timekeeper) Committed(now time.Time, took time.Duration) { k.commits.add(now, took) }

// LastBeat returns when the last heartbeat was sent that has reached the store.
func (k *Timekeeper) LastBeat() time.Time { return k.beats.last() }

// StoreTime returns a time of this machine as one by the store's clock.
func (k *Timekeeper) StoreTime(at time.Time) time.Time { return k.clock.now(at) }

// IsDegraded reports whether this node is degraded, so that it cannot judge turns: it does not know the store's time to
// within 0.1 s, or has no store now.
func (k *Timekeeper) IsDegraded(now time.Time) bool {
	return k.clock.error(now) > maxError || now.Sub(k.beats.last()) > doubtTime
}

// StoreFailingSince returns the time, by the store's clock, since which the store may have been out of reach; zero if
// no heartbeat has failed for 5 s. Meanwhile this node must not end a turn because its time is up.
func (k *Timekeeper) StoreFailingSince(now time.Time) time.Time {
	since := k.beats.storeFailingSince(now)
	if since.IsZero() {
		return since
	}
	return k.clock.now(since)
}

// DeadlineWait returns for how long after the deadline of a turn this node leaves it to the player's node to end
// the turn: a turn that arrived there in time has been recorded by then.
func (k *Timekeeper) DeadlineWait(now time.Time) time.Duration { return k.commits.wait(now) }

// storeClock estimates the clock of the store from calls of it. This machine's clock may be set meanwhile: only
// the time that passes on it counts. newStoreClock is the constructor.
type storeClock struct {
	base    time.Time // by this machine's clock
	current atomic.Pointer[sample]

	samples []sample // of the one goroutine that adds some
}

// sample is an estimate of the store's clock.
type sample struct {
	at     time.Duration // when it was made, since base
	offset time.Duration // of the store's clock to base plus the time since then
	error  time.Duration // bound of the offset's error when it was made
}

func newStoreClock(now time.Time) *storeClock {
	c := &storeClock{base: now}
	c.current.Store(&sample{error: maxError + 1})
	return c
}

// add adds a sample: a call that was sent and answered at these times of this machine, and made at one of the
// store's. It must be called from one goroutine only.
func (c *storeClock) add(sent, answered, store time.Time) {
	half := answered.Sub(sent) / 2
	at := answered.Sub(c.base)
	s := sample{at: at, offset: store.Sub(c.base.Round(0)) - (at - half), error: half}
	if best := c.current.Load(); len(c.samples) > 0 && (s.offset-best.offset).Abs() > s.error+best.errorAt(at) {
		c.samples = nil // one of the clocks has been set, or this is another store
	}
	c.samples = append(c.samples, s)
	best := s
	kept := c.samples[:0]
	for _, o := range c.samples {
		if at-o.at > samplesKept {
			continue
		}
		kept = append(kept, o)
		if o.errorAt(at) < best.errorAt(at) {
			best = o
		}
	}
	c.samples = kept
	c.current.Store(&best)
}

// errorAt returns the bound of the sample's error at a later time since the base.
func (s *sample) errorAt(at time.Duration) time.Duration {
	return s.error + (at-s.at)*maxDrift/1_000_000
}

// now returns the store's time.
func (c *storeClock) now(machine time.Time) time.Time {
	return c.base.Add(machine.Sub(c.base) + c.current.Load().offset)
}

// error returns a bound of the error of now.
func (c *storeClock) error(machine time.Time) time.Duration {
	return c.current.Load().errorAt(machine.Sub(c.base))
}

// doubtTime is the time for which a failed heartbeat counts, and that without one after which the store counts
// as out of reach.
const doubtTime = 5 * time.Second

// beats knows which of the heartbeats of this node have reached the store. The zero value has none.
type beats struct {
	mu       sync.Mutex // a leaf
	sentAt   time.Time  // of the last that has reached the store
	failedAt time.Time  // of the last that failed; zero: none has
	since    time.Time  // sentAt when those began to fail of which failedAt is the last
}

func (b *beats) succeeded(sent time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sentAt = sent
}

func (b *beats) failed(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failedAt.IsZero() || now.Sub(b.failedAt) >= doubtTime {
		b.since = b.sentAt
	}
	b.failedAt = now
}

// storeFailingSince returns the time of the last heartbeat before the store was out of reach, all by this machine's
// clock; the zero time if no heartbeat has failed for doubtTime.
func (b *beats) storeFailingSince(now time.Time) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.failedAt.IsZero() && now.Sub(b.failedAt) < doubtTime:
		return b.since
	case now.Sub(b.sentAt) > doubtTime:
		return b.sentAt
	}
	return time.Time{}
}

// last returns when the last heartbeat was sent that has reached the store.
func (b *beats) last() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sentAt
}

// minDeadlineWait is the least time for which a node leaves it to another to end a turn.
const minDeadlineWait = 2 * time.Second

// commits knows how long the store takes to record entries. The zero value has seen none.
type commits struct {
	mu      sync.Mutex       // a leaf
	minute  time.Time        // when slowest[0] began
	slowest [2]time.Duration // of this minute and the one before
}

func (c *commits) add(now time.Time, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rotate(now)
	c.slowest[0] = max(c.slowest[0], took)
}

// wait returns the time after which an append that another node has begun has ended.
func (c *commits) wait(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rotate(now)
	return max(minDeadlineWait, 3*max(c.slowest[0], c.slowest[1]))
}

// rotate starts another minute if one is over. The caller holds c.mu.
func (c *commits) rotate(now time.Time) {
	switch passed := now.Sub(c.minute); {
	case passed >= 2*time.Minute:
		c.slowest, c.minute = [2]time.Duration{}, now
	case passed >= time.Minute:
		c.slowest, c.minute = [2]time.Duration{0, c.slowest[0]}, now
	}
}
