package bots

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// Levels is the number of levels. There is one bot for each.
const Levels = search.MaxLevel

// botNames are the names of the bots, from the weakest to the strongest.
var botNames = [Levels]string{"Pebble", "Brook", "Willow", "Heron", "Summit"}

// Times of a bot's turn.
const (
	maxCasualTurn = 1500 * time.Millisecond // thinking time where no clock runs
	maxTurnTime   = 4 * time.Second         // maximum thinking time
	retryDelay    = 10 * time.Second        // after a failure

	// minVisibleTurn is the minimum duration of a turn, so that people can follow it, unless the bot had no
	// choice or less than shortClock on its clock.
	minVisibleTurn = 400 * time.Millisecond
	shortClock     = 20 * time.Second

	// A turn without a clock is made within fastAnswer, waiting included, while at most fastAnswerQueue
	// turns are due for each worker, and otherwise within slowestAnswer.
	fastAnswer, fastAnswerQueue = 1800 * time.Millisecond, 4
	slowestAnswer               = 4500 * time.Millisecond
	minTurnTime                 = 10 * time.Millisecond
)

// Config configures Bots.
type Config struct {
	Lobby   *lobby.Lobby
	Store   Accounts
	Engines search.Engines // a game without an engine is played at random
	Workers int            // number of worker goroutines; at least 1
	// Report reports failures to the operator. It must not block; nil discards them.
	Report func(msg string, keyvals ...any)
}

// Accounts is the part of a store that the bots need.
type Accounts interface {
	AccountByKey(ctx context.Context, key []byte) (lobby.Account, error)
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (lobby.Account, error)
	SetBot(ctx context.Context, id lobby.AccountID, bot bool) error
}

// Bots are the built-in players of a lobby. Open is the constructor. Its methods may be called from any
// goroutine.
type Bots struct {
	cfg            Config
	thinker        thinker
	sessions       [Levels]*lobby.Session
	usersRevisions [Levels]uint64 // Lobby.UsersRevision when a bot last checked for challenges; owned by its run
	cancel         context.CancelFunc
	wg             sync.WaitGroup
	queue          turnQueue
	queued         chan struct{}              // signalled after a push to queue
	adviceRequests chan func(context.Context) // requests for hints; turns come first
	thinkingTime   *limit.Budget              // in milliseconds

	mu       sync.Mutex
	busy     map[string]bool      // match and bot of turns that are being made
	rechecks [Levels]bool         // a timer of scheduleRecheck runs for the bot
	hinting  map[limit.Payer]bool // accounts and origins for which a hint is waiting or being computed
}

// turnJob is a turn that is due.
type turnJob struct {
	level    int // from 0
	match    string
	payer    limit.Payer // of the thinking time
	since    time.Time
	deadline time.Time // when it should be made if no clock runs
}

// Open starts the bots. Close must be called before the lobby is closed.
func Open(ctx context.Context, c Config) (*Bots, error) {
	c.Workers = max(c.Workers, 1)
	b := &Bots{
		cfg: c, thinker: thinker{engines: c.Engines}, queued: make(chan struct{}, c.Workers), adviceRequests: make(chan func(context.Context), 32),
		thinkingTime: newThought(c.Workers), busy: make(map[string]bool), hinting: make(map[limit.Payer]bool),
	}
	ctx, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for i := range b.sessions {
		a, err := c.account(ctx, i)
		if err == nil {
			b.sessions[i], err = c.Lobby.Enter(a, nil)
		}
		if err != nil {
			b.Close()
			return nil, fmt.Errorf("bot %s: %w", botNames[i], err)
		}
	}
	for range c.Workers {
		b.wg.Go(func() {
			defer guard.Recover(b.reportPanic)
			b.worker(ctx)
		})
	}
	for i := range b.sessions {
		b.wg.Go(func() {
			defer guard.Recover(b.reportPanic)
			b.run(ctx, i)
		})
	}
	return b, nil
}

// account returns a bot's account, and creates it if necessary. Its key is a text that cannot be an SSH
// key, so that nobody can sign in with it.
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
			name = fmt.Sprintf("%s-%d", botNames[i], n) // the name was taken
		}
	}
	if err == nil && !a.Bot {
		a.Bot, err = true, c.Store.SetBot(ctx, a.ID, true)
	}
	return a, err
}

// Close ends the bots' sessions and returns when all goroutines have ended.
func (b *Bots) Close() {
	b.cancel()
	b.wg.Wait()
	for _, s := range b.sessions {
		if s != nil {
			s.Close(true)
		}
	}
}

// Name returns the name of the bot of a level, 1 to Levels.
func (b *Bots) Name(level int) string { return b.sessions[level-1].Account().Name }

// Play starts a match between a session and the bot of a level, 1 to Levels, and returns its id. Further
// seats are taken by the bots of the nearest levels.
func (b *Bots) Play(ctx context.Context, s *lobby.Session, level int, p lobby.Proposal) (match string, err error) {
	if level < 1 || level > Levels {
		return "", &lobby.Error{Code: lobby.CodeBadRequest, Message: fmt.Sprintf("a level is 1 to %d", Levels)}
	}
	game, err := s.Lobby().Game(p.Game)
	if err != nil {
		return "", err
	}
	seats, err := p.Seats(game)
	if err != nil {
		return "", err
	}
	return s.Tables().StartAgainst(ctx, p, b.nearestLevels(level, seats-1)...)
}

// runOnce does what is due for bot i. A panic is reported, and the rest is done at the next wake.
func (b *Bots) runOnce(ctx context.Context, i int, s *lobby.Session) {
	defer func() {
		if r := recover(); r != nil {
			b.report("panic", "bot", botNames[i], "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if revision := s.Lobby().UsersRevision(); revision != b.usersRevisions[i] {
		b.usersRevisions[i] = revision
		b.accept(ctx, i, s)
	}
	for _, m := range s.Matches().Seated() {
		b.checkMatch(ctx, i, m)
	}
}

// accept joins the tables by which a bot is challenged.
func (b *Bots) accept(ctx context.Context, i int, s *lobby.Session) {
	self := s.Account()
	for _, t := range s.Lobby().View().TablesFor(self.ID) {
		if t.To != self.Name || slices.Contains(t.Seated, t.To) {
			continue
		}
		_, err := s.Tables().Join(ctx, t.ID, "") // the table may be closed by now
		if code, _ := lobby.PublicError(err); err != nil && code != lobby.CodeUnknownTable && code != lobby.CodeNotAllowed {
			b.usersRevisions[i] = 0 // try again at the next wake
		}
	}
}

// nearestLevels returns up to n sessions of bots, those of the nearest levels first.
func (b *Bots) nearestLevels(level, n int) []*lobby.Session {
	all := slices.Clone(b.sessions[:])
	slices.SortStableFunc(all, func(s1, s2 *lobby.Session) int {
		return b.levelDistance(s1, level) - b.levelDistance(s2, level)
	})
	return all[:min(n, len(all))]
}

func (b *Bots) levelDistance(s *lobby.Session, level int) int {
	d := slices.Index(b.sessions[:], s) + 1 - level
	return max(d, -d)
}

// run accepts challenges and queues due turns of bot i until ctx ends.
func (b *Bots) run(ctx context.Context, i int) {
	s := b.sessions[i]
	for {
		b.runOnce(ctx, i, s)
		select {
		case <-ctx.Done():
			return
		case <-s.Wakeups():
		}
	}
}

// checkMatch answers offers in a match and queues the bot's turn if it is due.
func (b *Bots) checkMatch(ctx context.Context, i int, m *lobby.Match) {
	p, err := b.sessions[i].Matches().Sit(m.Info.ID)
	if err != nil {
		return
	}
	s := p.Snapshot()
	if s.IsOver() {
		b.thinker.forget(m.Info.ID)
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
	if wait := b.thinkingTime.Wait(payer, now, minThought); wait > 0 {
		b.scheduleRecheck(i, wait)
		return
	}
	if !b.beginTurn(i, m.Info.ID) {
		return
	}
	b.queue.count(payer, 1)
	rounds := b.queue.rounds(payer, b.cfg.Workers)
	b.queue.push(turnJob{i, m.Info.ID, payer, now, now.Add(min(fastAnswer*max(rounds, fastAnswerQueue)/fastAnswerQueue, slowestAnswer))})
	select {
	case b.queued <- struct{}{}:
	default: // all idle workers have been woken
	}
}

// isTurnOf reports whether a seat is to move.
func isTurnOf(s *lobby.Snapshot, seat int) bool {
	return !s.IsOver() && !s.Frozen && s.Position.Turn() == seat
}

// beginTurn marks a bot's turn in a match as being made; false if it was already.
func (b *Bots) beginTurn(i int, match string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprint(i, " ", match)
	if b.busy[key] {
		return false
	}
	b.busy[key] = true
	return true
}

func (b *Bots) endTurn(i int, match string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, fmt.Sprint(i, " ", match))
}

// worker makes one turn after the other, and computes hints when no turn is due, until ctx ends.
func (b *Bots) worker(ctx context.Context) {
	for ctx.Err() == nil {
		if j, ok := b.queue.pop(); ok {
			b.playTurn(ctx, j)
			continue
		}
		select {
		case <-ctx.Done():
		case <-b.queued:
		case advise := <-b.adviceRequests:
			advise(ctx)
		}
	}
}

// playTurn chooses a turn and plays it, but not before minVisibleTurn.
func (b *Bots) playTurn(ctx context.Context, j turnJob) {
	act, pause, err := b.chooseTurn(ctx, j)
	b.queue.count(j.payer, -1)
	done := func(err error) {
		b.endTurn(j.level, j.match)
		if err != nil && ctx.Err() == nil {
			if !errors.As(err, new(*lobby.Error)) { // the lobby reports its own errors
				b.report("bot cannot play", "bot", botNames[j.level], "match", j.match, "err", err)
			}
			guard.AfterFunc(retryDelay, b.reportPanic, b.sessions[j.level].WakeSelf)
			return
		}
		b.sessions[j.level].WakeSelf() // the bot may have to move again
	}
	if act == nil || pause <= 0 {
		if act != nil {
			err = act()
		}
		done(err)
		return
	}
	b.wg.Go(func() {
		defer guard.Recover(b.reportPanic)
		defer guard.Recover(done)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
			done(act())
		}
	})
}

// reportPanic reports a panic that ended a goroutine.
func (b *Bots) reportPanic(err error) { b.report("panic", "err", err) }

func (b *Bots) report(msg string, keyvals ...any) {
	if b.cfg.Report != nil {
		b.cfg.Report(msg, keyvals...)
	}
}

// chooseTurn chooses a turn. It returns a function that plays it, and the time to wait before; act is nil
// if there is no turn to play.
func (b *Bots) chooseTurn(ctx context.Context, j turnJob) (act func() error, pause time.Duration, err error) {
	defer func() {
		if r := recover(); r != nil {
			act, err = nil, fmt.Errorf("panic: %v", r)
		}
	}()
	p, err := b.sessions[j.level].Matches().Sit(j.match)
	if err != nil {
		return nil, 0, nil // the match has been forgotten
	}
	s := p.Snapshot()
	if !isTurnOf(s, p.Seat()) {
		return nil, 0, nil
	}
	began := time.Now()
	if b.thinkingTime.Wait(j.payer, began, minThought) > 0 {
		return nil, 0, nil // the bot looks again when there is thinking time
	}
	legal := s.Position.Legal()
	actions := legal
	if next, err := s.Position.Play(legal[0]); len(legal) > 1 || err == nil && next.MidTurn() {
		budget := b.affordable(j.payer, b.budget(s, p.Seat(), j))
		actions, err = b.thinker.think(ctx, turnRequest{j.match, j.level + 1, s.Info.Options.Game(), s.Position, budget})
		b.charge(j.payer, began)
		if err != nil {
			return nil, 0, err
		}
		if left, timed := s.Remaining(p.Seat(), began); !timed || left > shortClock {
			pause = minVisibleTurn - time.Since(j.since)
		}
	}
	return func() error { return ignoreStale(p.Act(ctx, s.Version, actions)) }, pause, nil
}

// ignoreStale returns the error of Player.Act, or nil if the turn was only too late.
func ignoreStale(_ int, err error) error {
	switch code, _ := lobby.PublicError(err); {
	case err == nil, code == lobby.CodeStaleVersion, code == lobby.CodeGameOver, code == lobby.CodeNotYourTurn, code == lobby.CodeUnknownMatch:
		return nil
	}
	return err
}

// budget returns the thinking time for a turn: a part of the clock that leaves enough for the rest of the
// game, and less if more turns are due.
func (b *Bots) budget(s *lobby.Snapshot, seat int, j turnJob) time.Duration {
	// All turns in the queue share the time of one, because each waits for those before it.
	rounds := b.queue.rounds(j.payer, b.cfg.Workers)
	if left, timed := s.Remaining(seat, time.Now()); timed && s.Info.Control.IsLive() {
		budget := left/25 + s.Info.Control.Increment*3/4
		return min(budget, left/4, maxTurnTime) / rounds
	}
	return min(max(time.Until(j.deadline)/rounds, minTurnTime), maxCasualTurn)
}
