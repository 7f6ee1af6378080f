package bots

import (
	"sync"
	"time"

	"ayumu/lobby/limit"
)

// turnQueue holds the turns that are due, and hands them out so that each address, or each person
// where no address is known, is served in turn: who has hundreds of games waits for their own. The
// zero value is empty. Its methods may be called from any goroutine.
type turnQueue struct {
	mu      sync.Mutex
	waiting map[limit.Payer][]turnJob
	order   []limit.Payer       // those with a waiting job; the first is served next
	due     map[limit.Payer]int // turns that are waiting or being computed
}

// share returns the key under which a payer is served.
func share(p limit.Payer) limit.Payer {
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
	key := share(j.payer)
	if len(q.waiting[key]) == 0 {
		q.order = append(q.order, key)
	}
	q.waiting[key] = append(q.waiting[key], j)
}

// pop removes the job that is next; false: there is none.
func (q *turnQueue) pop() (turnJob, bool) {
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

// count notes that n more turns of a payer are due, or fewer.
func (q *turnQueue) count(p limit.Payer, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.due == nil {
		q.due = make(map[limit.Payer]int)
	}
	key := share(p)
	if q.due[key] += n; q.due[key] <= 0 {
		delete(q.due, key)
	}
}

// rounds returns how often each of the workers chooses a turn until none is due that is due for that
// payer now; at least 1.
func (q *turnQueue) rounds(p limit.Payer, workers int) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	own, all := max(q.due[share(p)], 1), 0
	for _, n := range q.due {
		all += min(n, own) // as many of each other are served meanwhile
	}
	return time.Duration(max((all+workers-1)/workers, 1))
}
