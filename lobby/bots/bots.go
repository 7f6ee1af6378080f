// Package bots lets the built-in players sit in the lobby like anybody: each is a member with a
// name, its own ratings and a session, takes every challenge at once, and plays until the end.
//
// What they play with is a [Thinker]; the package knows no game. It imports the lobby and the
// engine. All bots together think on a bounded number of goroutines ([Config].Workers), so that
// they never take more than their share of the machine.
package bots

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// Searcher is what the bots think with. Its methods may be called from several goroutines, but
// never twice at once for one match and level.
type Searcher interface {
	// Think returns a whole turn of the seat to move, within the budget and as soon as ctx ends.
	Think(ctx context.Context, q TurnRequest) (actions []string, err error)
	// Forget tells that a match is over, so that nothing of it need be kept.
	Forget(match string)
	// Advise returns the best turns of a position that somebody looks at, in the same way.
	Advise(ctx context.Context, p engine.Position, budget time.Duration) (bot.Advice, error)
}

// TurnRequest is a turn that a bot has to choose.
type TurnRequest struct {
	Match    string // its id, by which what was learnt about it can be kept from turn to turn
	Level    int    // 1 to Levels
	Position engine.Position
	Budget   time.Duration
}

// Levels is the number of levels, each of which is one bot.
const Levels = 5

// botNames are the bots', from the weakest to the strongest: what one meets on a walk uphill.
var botNames = [Levels]string{"Pebble", "Brook", "Willow", "Heron", "Summit"}

// Times of a bot's turn.
const (
	maxCasualTurn = 1500 * time.Millisecond // where nobody's clock runs
	maxTurnTime   = 4 * time.Second         // the most that any turn takes
	retryDelay    = 10 * time.Second        // after a failure of the store

	// People can follow a bot that has taken so long over a turn, unless there was nothing to
	// choose or its clock is short.
	minVisibleTurn = 400 * time.Millisecond
	shortClock     = 20 * time.Second

	// Within what a casual turn is answered, waiting for others included: while up to four are due
	// for each worker, and at most.
	fastAnswer, fastAnswerQueue = 1800 * time.Millisecond, 4
	slowestAnswer               = 4500 * time.Millisecond
	minTurnTime                 = 10 * time.Millisecond
)

// Config is what the bots are made of.
type Config struct {
	Lobby    *lobby.Lobby
	Store    Accounts
	Searcher Searcher
	Workers  int // goroutines that think; at least 1
	// Report tells the host of failures; it must not block.
	Report func(msg string, keyvals ...any)
}

// Accounts is what the bots need of a store.
type Accounts interface {
	AccountByKey(ctx context.Context, key []byte) (lobby.Account, error)
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (lobby.Account, error)
	SetBot(ctx context.Context, id lobby.AccountID, bot bool) error
}

// Bots is the bots of a lobby. Its methods may be called from any goroutine.
type Bots struct {
	cfg            Config
	sessions       [Levels]*lobby.Session
	usersRevisions [Levels]uint64 // the lobby's Crowd when a bot last looked for challenges; owned by its attend
	cancel         context.CancelFunc
	wg             sync.WaitGroup
	queue          turnQueue
	queued         chan struct{}              // signalled after a push to queue
	adviceRequests chan func(context.Context) // advice that is wanted, for which turns do not wait
	turnDone       *limit.Budget              // thinking time, in milliseconds

	mu      sync.Mutex
	busy    map[string]bool      // matches, by bot, in which a turn is being made
	again   [Levels]bool         // the bot will look again because of time
	hinting map[limit.Payer]bool // people and addresses for which a hint is waiting or being computed
}

// turnJob is a turn that is due.
type turnJob struct {
	level    int // from 0
	match    string
	payer    limit.Payer // of the thinking time
	since    time.Time
	deadline time.Time // when it should be made where no clock says otherwise
}

// Open lets the bots in. They leave with Close, which must come before the lobby's.
func Open(ctx context.Context, c Config) (*Bots, error) {
	c.Workers = max(c.Workers, 1)
	co := &Bots{
		cfg: c, queued: make(chan struct{}, c.Workers), adviceRequests: make(chan func(context.Context), 32),
		turnDone: newThought(c.Workers), busy: make(map[string]bool), hinting: make(map[limit.Payer]bool),
	}
	ctx, co.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for i := range co.sessions {
		a, err := c.account(ctx, i)
		if err == nil {
			co.sessions[i], err = c.Lobby.Enter(a, nil)
		}
		if err != nil {
			co.Close()
			return nil, fmt.Errorf("bot %s: %w", botNames[i], err)
		}
	}
	for range c.Workers {
		co.wg.Go(func() {
			defer guard.Recover(co.reportPanic)
			co.worker(ctx)
		})
	}
	for i := range co.sessions {
		co.wg.Go(func() {
			defer guard.Recover(co.reportPanic)
			co.run(ctx, i)
		})
	}
	return co, nil
}

// account returns a bot's account, which is made at its first visit. Its key is a text that no SSH
// key can be, so that nobody can come as it.
func (c Config) account(ctx context.Context, i int) (lobby.Account, error) {
	key := []byte(fmt.Sprintf("built-in player %d", i+1))
	a, err := c.Store.AccountByKey(ctx, key)
	if errors.Is(err, lobby.ErrNotFound) {
		name := botNames[i]
		for n := 2; ; n++ {
			a, err = c.Store.CreateAccount(ctx, name, key, time.Now())
			if !errors.Is(err, lobby.ErrTaken) || n == 10 {
				break
			}
			name = fmt.Sprintf("%s-%d", botNames[i], n) // somebody was called so before the bots came
		}
	}
	if err == nil && !a.Bot {
		a.Bot, err = true, c.Store.SetBot(ctx, a.ID, true)
	}
	return a, err
}

// Close sends the bots home and waits until they have stopped thinking.
func (co *Bots) Close() {
	co.cancel()
	co.wg.Wait()
	for _, s := range co.sessions {
		if s != nil {
			s.Close(true)
		}
	}
}

// Name returns the name of the bot of a level, from 1 to Levels.
func (co *Bots) Name(level int) string { return co.sessions[level-1].Account().Name }

// Play starts a match between a session and the bot of a level. Where more than two play, the
// bots next to that level take the other seats.
func (co *Bots) Play(ctx context.Context, s *lobby.Session, level int, p lobby.Proposal) (match string, err error) {
	if level < 1 || level > Levels {
		return "", &lobby.Error{Code: lobby.CodeBadRequest, Message: fmt.Sprintf("levels are 1 to %d", Levels)}
	}
	seats, err := p.Seats()
	if err != nil {
		return "", err
	}
	return s.StartAgainst(ctx, p, co.nearestLevels(level, seats-1)...)
}

// runOnce does what is due for one bot. A panic in it is told and leaves the rest for the next time.
func (co *Bots) runOnce(ctx context.Context, i int, s *lobby.Session) {
	defer func() {
		if r := recover(); r != nil {
			co.report("panic", "bot", botNames[i], "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if revision := s.Lobby().UsersRevision(); revision != co.usersRevisions[i] {
		co.usersRevisions[i] = revision
		co.accept(ctx, i, s)
	}
	for _, m := range s.SeatedMatches() {
		co.checkMatch(ctx, i, m)
	}
}

// accept joins the tables to which a bot is challenged.
func (co *Bots) accept(ctx context.Context, i int, s *lobby.Session) {
	me := s.Account()
	for _, t := range s.Lobby().View().TablesFor(me.ID) {
		if t.To != me.Name || slices.Contains(t.Seated, t.To) {
			continue
		}
		_, err := s.Join(ctx, t.ID, "") // whoever was quicker, or cancelled, is right
		if code, _ := lobby.PublicError(err); err != nil && code != lobby.CodeUnknownTable && code != lobby.CodeNotAllowed {
			co.usersRevisions[i] = 0 // so that it is tried again with the next wake
		}
	}
}

// nearestLevels returns up to n bots, those of the nearest levels first.
func (co *Bots) nearestLevels(level, n int) []*lobby.Session {
	all := slices.Clone(co.sessions[:])
	slices.SortStableFunc(all, func(a, b *lobby.Session) int {
		return co.levelDistance(a, level) - co.levelDistance(b, level)
	})
	return all[:min(n, len(all))]
}

func (co *Bots) levelDistance(s *lobby.Session, level int) int {
	d := slices.Index(co.sessions[:], s) + 1 - level
	return max(d, -d)
}

// run is one bot's presence: it takes challenges and looks for turns that are due.
func (co *Bots) run(ctx context.Context, i int) {
	s := co.sessions[i]
	for {
		co.runOnce(ctx, i, s)
		select {
		case <-ctx.Done():
			return
		case <-s.Wakeups():
		}
	}
}

// checkMatch answers offers in a match, and has a turn thought about that is due.
func (co *Bots) checkMatch(ctx context.Context, i int, m *lobby.Match) {
	p, err := co.sessions[i].Sit(m.Info.ID)
	if err != nil {
		return
	}
	s := p.Snapshot()
	if s.IsOver() {
		co.cfg.Searcher.Forget(m.Info.ID)
	}
	for _, o := range s.Offers {
		if o.Seat == p.Seat() {
			continue
		}
		switch o.Kind {
		case lobby.OfferRematch, lobby.OfferUndo:
			p.Offer(ctx, o.Kind)
		default:
			p.Refuse(ctx, o.Kind)
		}
	}
	if !isTurnOf(s, p.Seat()) {
		return
	}
	now, payer := time.Now(), p.Payer()
	if wait := co.turnDone.Wait(payer, now, leastThought); wait > 0 {
		co.lookAgain(i, wait)
		return
	}
	if !co.beginTurn(i, m.Info.ID) {
		return
	}
	co.queue.count(payer, 1)
	rounds := co.queue.rounds(payer, co.cfg.Workers)
	co.queue.push(turnJob{i, m.Info.ID, payer, now, now.Add(min(fastAnswer*max(rounds, fastAnswerQueue)/fastAnswerQueue, slowestAnswer))})
	select {
	case co.queued <- struct{}{}:
	default: // all workers that wait have been woken
	}
}

// isTurnOf reports whether it is a seat's turn.
func isTurnOf(s *lobby.Snapshot, seat int) bool {
	return !s.IsOver() && !s.Frozen && s.Position.Turn() == seat
}

// beginTurn marks a bot's turn in a match as being thought about; false if it was already.
func (co *Bots) beginTurn(i int, match string) bool {
	co.mu.Lock()
	defer co.mu.Unlock()
	key := fmt.Sprint(i, " ", match)
	if co.busy[key] {
		return false
	}
	co.busy[key] = true
	return true
}

func (co *Bots) endTurn(i int, match string) {
	co.mu.Lock()
	defer co.mu.Unlock()
	delete(co.busy, fmt.Sprint(i, " ", match))
}

// worker thinks about one turn after the other, and gives advice when no turn is due.
func (co *Bots) worker(ctx context.Context) {
	for ctx.Err() == nil {
		if j, ok := co.queue.pop(); ok {
			co.playTurn(ctx, j)
			continue
		}
		select {
		case <-ctx.Done():
		case <-co.queued:
		case advise := <-co.adviceRequests:
			advise(ctx)
		}
	}
}

// playTurn chooses a turn and sees that it is made, not sooner than people can follow it.
func (co *Bots) playTurn(ctx context.Context, j turnJob) {
	act, pause, err := co.chooseTurn(ctx, j)
	co.queue.count(j.payer, -1)
	done := func(err error) {
		co.endTurn(j.level, j.match)
		if err != nil && ctx.Err() == nil {
			if !errors.As(err, new(*lobby.Error)) { // those of the lobby have been reported
				co.report("bot cannot play", "bot", botNames[j.level], "match", j.match, "err", err)
			}
			guard.AfterFunc(retryDelay, co.reportPanic, co.sessions[j.level].WakeSelf)
			return
		}
		co.sessions[j.level].WakeSelf() // it may be its turn again
	}
	if act == nil || pause <= 0 {
		if act != nil {
			err = act()
		}
		done(err)
		return
	}
	co.wg.Go(func() {
		defer guard.Recover(co.reportPanic)
		defer guard.Recover(done) // which looks again later
		select {
		case <-ctx.Done():
		case <-time.After(pause):
			done(act())
		}
	})
}

// reportPanic reports a panic which ended a goroutine.
func (co *Bots) reportPanic(err error) { co.report("panic", "err", err) }

func (co *Bots) report(msg string, keyvals ...any) {
	if co.cfg.Report != nil {
		co.cfg.Report(msg, keyvals...)
	}
}

// chooseTurn thinks about one whole turn, and returns what makes it and how long to wait before that; nil
// where there is none to make.
func (co *Bots) chooseTurn(ctx context.Context, j turnJob) (act func() error, pause time.Duration, err error) {
	defer func() {
		if r := recover(); r != nil {
			act, err = nil, fmt.Errorf("panic: %v", r)
		}
	}()
	p, err := co.sessions[j.level].Sit(j.match)
	if err != nil {
		return nil, 0, nil // the match has gone
	}
	s := p.Snapshot()
	if !isTurnOf(s, p.Seat()) {
		return nil, 0, nil
	}
	began := time.Now()
	if co.turnDone.Wait(j.payer, began, leastThought) > 0 {
		return nil, 0, nil // the bot looks again when there is thinking time
	}
	legal := s.Position.Legal()
	actions := legal
	if next, err := s.Position.Play(legal[0]); len(legal) > 1 || err == nil && next.MidTurn() {
		budget := co.affordable(j.payer, co.budget(s, p.Seat(), j))
		q := TurnRequest{Match: j.match, Level: j.level + 1, Position: s.Position, Budget: budget}
		actions, err = co.cfg.Searcher.Think(ctx, q)
		co.charge(j.payer, began)
		if err != nil {
			return nil, 0, err
		}
		if left, timed := s.Remaining(p.Seat(), began); !timed || left > shortClock {
			pause = minVisibleTurn - time.Since(j.since)
		}
	}
	return func() error { return ignoreStale(p.Act(ctx, s.Version, actions)) }, pause, nil
}

// ignoreStale returns the error of a turn that was made, unless the match had only moved on meanwhile.
func ignoreStale(_ int, err error) error {
	switch code, _ := lobby.PublicError(err); {
	case err == nil, code == lobby.CodeStaleVersion, code == lobby.CodeGameOver, code == lobby.CodeNotYourTurn, code == lobby.CodeUnknownMatch:
		return nil
	}
	return err
}

// budget returns how long may be thought about a turn: a part of the clock that leaves enough for
// the rest of the game, and less the more turns are due.
func (co *Bots) budget(s *lobby.Snapshot, seat int, j turnJob) time.Duration {
	// Whoever waits for a worker waits for those before him, so all share the time of one.
	rounds := co.queue.rounds(j.payer, co.cfg.Workers)
	if left, timed := s.Remaining(seat, time.Now()); timed && s.Info.Control.IsLive() {
		b := left/25 + s.Info.Control.Increment*3/4
		return min(b, left/4, maxTurnTime) / rounds
	}
	return min(max(time.Until(j.deadline)/rounds, minTurnTime), maxCasualTurn)
}
