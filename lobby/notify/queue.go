package notify

import (
	"sync"
	"time"
)

// Speed is how a receiver has answered the last message that was sent to it.
type Speed int

// The speeds. Stores keep them as these numbers.
const (
	SpeedNew   Speed = iota // none was sent to this address
	SpeedQuick              // it was acknowledged within slowAfter
	SpeedSlow               // it took longer, or failed
)

// slowAfter is the time after which a receiver is slow.
const slowAfter = time.Second

// Queue names receivers for which something is due and that wait for each other, and for no others.
type Queue struct {
	Kind  ReceiverKind
	Speed Speed
}

// queueLimits are how many messages each node sends at once to the receivers of a queue. Those to mail servers are few,
// since all go through one.
var queueLimits = map[Queue]int{
	{KindWebhook, SpeedQuick}: 32, {KindWebhook, SpeedNew}: 16, {KindWebhook, SpeedSlow}: 32,
	{KindMail, SpeedQuick}: 8, {KindMail, SpeedNew}: 4, {KindMail, SpeedSlow}: 8,
}

const (
	// destinationShare is how many of the messages of a queue may be on their way to one destination at once.
	destinationShare = 8
	// movedFactor bounds the messages that count as those of a queue of slow receivers, with those that have turned out to
	// be slow, to this many times the limit of that queue.
	movedFactor = 4
)

// places counts the messages that this node is sending. Its methods may be called from any goroutine; its mutex is a leaf.
type places struct {
	mu     sync.Mutex
	queues map[Queue]*queuePlaces
}

// queuePlaces are the messages to the receivers of one queue.
type queuePlaces struct {
	taken int
	to    map[string]int // by destination; those without one are not in it
}

func newPlaces() *places {
	p := &places{queues: make(map[Queue]*queuePlaces)}
	for q := range queueLimits {
		p.queues[q] = &queuePlaces{to: make(map[string]int)}
	}
	return p
}

// free returns how many receivers of a queue may be taken, whatever their destinations are except those in full, which
// have all of their share.
func (p *places) free(q Queue) (n int, full []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.queues[q] == nil {
		return 0, nil // of a kind that this program does not know
	}
	most := 0
	for to, taken := range p.queues[q].to {
		if taken >= destinationShare {
			full = append(full, to)
		} else {
			most = max(most, taken)
		}
	}
	return min(queueLimits[q]-p.queues[q].taken, destinationShare-most), full
}

// place is the place of one message.
type place struct {
	all         *places
	queue       Queue // guarded by all.mu
	destination string
}

// take takes a place for a message to a receiver of a queue.
func (p *places) take(q Queue, destination string) *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queues[q].add(destination, 1)
	return &place{p, q, destination}
}

// giveUp moves a message that takes long to the queue of the slow receivers, so that its place is free for another,
// and returns true; it returns false if there or for its destination there are too many already, or it was there before.
func (p *place) giveUp() bool {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	slow := Queue{p.queue.Kind, SpeedSlow}
	there := p.all.queues[slow]
	if p.queue == slow || there.taken >= movedFactor*queueLimits[slow] || there.to[p.destination] >= destinationShare {
		return false
	}
	p.all.queues[p.queue].add(p.destination, -1)
	there.add(p.destination, 1)
	p.queue = slow
	return true
}

// release frees the place of a message that was sent or has failed.
func (p *place) release() {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	p.all.queues[p.queue].add(p.destination, -1)
}

// add counts n more messages to a destination. The caller holds the mutex.
func (q *queuePlaces) add(destination string, n int) {
	q.taken += n
	if destination == "" {
		return
	}
	if q.to[destination] += n; q.to[destination] == 0 {
		delete(q.to, destination)
	}
}
