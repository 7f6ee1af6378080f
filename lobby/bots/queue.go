package bots

import (
	"sync"
	"time"

	"ayumu/lobby/limit"
)

// turnQueue holds the turns that are due, and returns them in rounds over the origins, or over the accounts
// where no origin is known, so that a player with hundreds of games delays only their own. The zero value
// is empty. Its methods may be called from any goroutine; its mutex is a leaf.
type turnQueue struct {
	mu      sync.Mutex
	waiting map[limit.Payer][]turnJob
	order   []limit.Payer       // those with a waiting job; the first is served next
	due     map[limit.Payer]int // turns that are waiting or being computed
}

// queueKey returns the key under which a payer is served.
func queueKey(p limit.Payer) limit.Payer {
	if p.Origin.IsValid() {
		p.Account = 0
	}
	return p
}

// push adds a job.
func (q *turnQueue) push(j turnJob) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == nil {
		q.waiting = make(map[limit.Payer][]turnJob)
	}
	key := queueKey(j.payer)
	if len(q.waiting[key]) == 0 {
		q.order = append(q.order, key)
	}
	q.waiting[key] = append(q.waiting[key], j)
}

// pop removes and returns the next job; ok is false if there is none.
func (q *turnQueue) pop() (job turnJob, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.order) == 0 {
		return turnJob{}, false
	}
	key := q.order[0]
	q.order = q.order[1:]
	all := q.waiting[key]
	if len(all) > 1 {
		q.waiting[key] = all[1:]
		q.order = append(q.order, key)
	} else {
		delete(q.waiting, key)
	}
	return all[0], true
}

// count adds n to the number of due turns of a payer.
func (q *turnQueue) count(p limit.Payer, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.due == nil {
		q.due = make(map[limit.Payer]int)
	}
	key := queueKey(p)
	if q.due[key] += n; q.due[key] <= 0 {
		delete(q.due, key)
	}
}

// rounds returns the number of turns that each worker has to choose until the turns that are due now for a
// payer are done; at least 1.
func (q *turnQueue) rounds(p limit.Payer, workers int) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	own, all := max(q.due[queueKey(p)], 1), 0
	for _, n := range q.due {
		all += min(n, own) // of each other key, as many are served in the same rounds
	}
	return time.Duration(max((all+workers-1)/workers, 1))
}
