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
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// The levels of the bots, of which there is one for each: MinLevel to MaxLevel, and Adaptive, whose strength follows the
// results of the player (adapt.go). NoLevel is that of everybody else.
const (
	MinLevel = search.MinLevel
	MaxLevel = search.MaxLevel
	Adaptive = MaxLevel + 1
	NoLevel  = MinLevel - 1
)

// numberOfBots is the number of bots without copies.
const numberOfBots = Adaptive + 1

// botNames are the names of the bots by their levels.
var botNames = [numberOfBots]string{"Moss", "Pebble", "Brook", "Willow", "Heron", "Summit", "Tide"}

// IsCasual reports whether a bot of a level plays no rated games: the weakest one, which does not try to win, and the one
// that has no strength of its own.
func IsCasual(level int) bool { return level == MinLevel || level == Adaptive }

// Times of a bot's turn.
const (
	maxCasualTurn = 1500 * time.Millisecond // thinking time where no clock runs
	maxTurnTime   = 4 * time.Second         // maximum thinking time
	retryDelay    = 10 * time.Second        // after a failure

	// minVisibleTurn is the minimum duration of a turn, so that people can follow it, unless the bot had no
	// choice or less than shortClock on its clock.
	minVisibleTurn = 400 * time.Millisecond
	shortClock     = 20 * time.Second

	// A turn without a clock is made within fastAnswer, including the time in the queue, while at most fastAnswerQueue
	// turns are due for each worker, and otherwise within slowestAnswer.
	fastAnswer, fastAnswerQueue = 1800 * time.Millisecond, 4
	slowestAnswer               = 4500 * time.Millisecond
	minTurnTime                 = 10 * time.Millisecond
)

// Config configures Bots.
type Config struct {
	Lobby   *lobby.Lobby
	Store   lobby.AccountStore
	Engines search.Engines // a game without an engine is played at random
	Workers int            // number of worker goroutines; at least 1
	// Report reports failures to the operator. It must not block; nil discards them.
	Report func(msg string, keyvals ...any)
}

// Bots are the built-in players of a lobby. Open is the constructor. Its methods may be called from any
// goroutine.
type Bots struct {
	cfg            Config
	thinker        thinker
	ctx            context.Context // of the goroutines, until Close
	cancel         context.CancelFunc
	wg             sync.WaitGroup
	roster         roster
	queue          turnQueue
	queued         chan struct{}              // signalled after a push to queue
	adviceRequests chan func(context.Context) // requests for hints; turns come first
	thinkingTime   *limit.Budget              // in milliseconds
	analyses       analyses
	adapted        adapted

	mu      sync.Mutex
	busy    map[turnKey]bool     // turns that are being made
	hinting map[limit.Payer]bool // accounts and origins for which a hint is waiting or being computed
}

// turnKey identifies a bot in a match.
type turnKey struct {
	bot   *bot
	match string
}

// turnJob is a turn that is due.
type turnJob struct {
	bot      *bot
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
		thinkingTime: newThinkingTime(c.Workers), busy: make(map[turnKey]bool), hinting: make(map[limit.Payer]bool),
		roster: roster{cfg: c, entering: make(chan struct{}, 1)},
	}
	b.analyses.init(b)
	b.roster.start, b.roster.reportPanic = b.start, b.reportPanic
	b.roster.levels.Store(&map[account.ID]int{})
	b.ctx, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for level := range numberOfBots {
		for number := range maxCopies {
			// Of the further ones, those enter who have a seat in a match since before a restart.
			if err := b.roster.enter(b.ctx, &bot{level: level, number: number}, number == 0); err != nil {
				b.Close()
				return nil, err
			}
		}
	}
	for range c.Workers {
		b.wg.Go(func() {
			defer guard.Recover(b.reportPanic)
			b.worker(b.ctx)
		})
	}
	return b, nil
}

// Close ends the bots' sessions and returns when all goroutines have ended.
func (b *Bots) Close() {
	b.cancel()
	for _, bt := range b.roster.close() {
		defer bt.session.Close(true)
	}
	b.wg.Wait()
}

// start starts the goroutine of a bot that has entered.
func (b *Bots) start(bt *bot) {
	b.wg.Go(func() {
		defer guard.Recover(b.reportPanic)
		b.run(b.ctx, bt)
	})
}

// Level returns the level of a built-in player by its account; NoLevel for all other accounts, and if b is nil. It takes
// no lock.
func (b *Bots) Level(id account.ID) int {
	if b == nil {
		return NoLevel
	}
	level, ok := (*b.roster.levels.Load())[id]
	if !ok {
		return NoLevel
	}
	return level
}

// Name returns the name of the first bot of a level.
func (b *Bots) Name(level int) string { return b.roster.at(level, 0).session.Account().Name }

// Play starts a match between a session and bots of a level, as many as there are other seats, and returns its id. The error
// is errcode.BadRequest for terms that bots of the level do not play: rated ones (IsCasual), and for Adaptive games of more
// than two.
func (b *Bots) Play(ctx context.Context, s *lobby.Session, level int, p table.Proposal) (match string, err error) {
	game, err := s.Lobby().Game(p.Game)
	if err != nil {
		return "", err
	}
	seats, err := p.Seats(game)
	if err != nil {
		return "", err
	}
	switch {
	case IsCasual(level) && p.Rated != nil && *p.Rated:
		return "", errcode.Errorf(errcode.BadRequest, "%s plays casual games only", b.Name(level))
	case level == Adaptive && seats != 2:
		return "", errcode.Errorf(errcode.BadRequest, "%s plays games of two only", b.Name(level))
	}
	others, release, err := b.roster.reserve(ctx, level, seats-1)
	if err != nil {
		return "", err
	}
	defer release()
	return s.StartAgainst(ctx, p, others...)
}

// Fill gives free seats at a table of the session's user to bots of a level, MinLevel to MaxLevel: n seats, or all if n is
// 0. It returns the match's id if the match starts.
func (b *Bots) Fill(ctx context.Context, s *lobby.Session, table string, level, n int) (match string, err error) {
	if level == Adaptive {
		return "", errcode.Errorf(errcode.BadRequest, "%s takes no free seat; play it with bot", b.Name(level))
	}
	bots, release, err := b.roster.reserve(ctx, level, b.roster.wantedAt(s, table, level, n))
	if err != nil {
		return "", err
	}
	defer release()
	return s.AddBots(ctx, table, n, bots)
}

// runOnce does what is due for a bot. A panic is reported, and the rest is done at the next wake.
func (b *Bots) runOnce(ctx context.Context, bt *bot) {
	s := bt.session
	defer func() {
		if r := recover(); r != nil {
			b.report("panic", "bot", s.Account().Name, "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if revision := s.Lobby().TableList().TablesRevision; revision != bt.tablesRevision {
		bt.tablesRevision = revision
		b.accept(ctx, bt)
	}
	for _, m := range s.SeatedMatches() {
		b.checkMatch(ctx, bt, m)
	}
}

// accept joins the tables by which a bot is challenged.
func (b *Bots) accept(ctx context.Context, bt *bot) {
	s := bt.session
	self := s.Account()
	for _, t := range s.Lobby().TableList().TablesFor(self.ID) {
		if t.To != self.Name || slices.Contains(t.Seated, t.To) {
			continue
		}
		if IsCasual(bt.level) && t.Rated || bt.level == Adaptive && t.FreeSeats() > 1 {
			_ = s.DeclineChallenge(ctx, t.ID) // the table may be closed by now
			continue
		}
		_, err := s.JoinTable(ctx, t.ID, "") // the table may be closed by now
		if code, _ := lobby.PublicError(err); err != nil && code != errcode.UnknownTable && code != errcode.NotAllowed {
			bt.tablesRevision = 0 // try again at the next wake
		}
	}
}

// run accepts challenges and queues due turns of a bot until it leaves or ctx ends.
func (b *Bots) run(ctx context.Context, bt *bot) {
	for {
		b.runOnce(ctx, bt)
		if b.roster.leave(bt) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-bt.session.Wakeups():
		}
	}
}

// checkMatch answers offers in a match and queues the bot's turn if it is due.
func (b *Bots) checkMatch(ctx context.Context, bt *bot, m *lobby.Match) {
	p, err := bt.session.AsPlayer(m.Info.ID)
	if err != nil {
		return
	}
	s := p.Snapshot()
	if s.IsOver() {
		b.thinker.forget(m.Info.ID)
		b.adapted.forget(m.Info.ID)
	}
	isAsked := func(o match.Offer) bool { return !o.HasAgreed(p.Seat()) }
	if !isSeatToMove(s, p.Seat()) && !slices.ContainsFunc(s.Offers, isAsked) {
		return
	}
	switch holdsLease, err := p.HoldsBotLease(ctx); {
	case err != nil:
		guard.AfterFunc(retryDelay, b.reportPanic, bt.session.WakeSelf)
		return
	case !holdsLease:
		return
	}
	for _, o := range s.Offers {
		if !isAsked(o) {
			continue
		}
		switch o.Kind {
		case match.OfferRematch, match.OfferUndo:
			p.Offer(ctx, o.Kind)
		default:
			p.Refuse(ctx, o.Kind)
		}
	}
	if !isSeatToMove(s, p.Seat()) {
		return
	}
	now, payer := time.Now(), p.Payer()
	if wait := b.thinkingTime.Wait(payer, now, minThinkingTime); wait > 0 {
		b.scheduleRecheck(bt, wait)
		return
	}
	if !b.beginTurn(turnKey{bt, m.Info.ID}) {
		return
	}
	b.queue.count(payer, 1)
	rounds := b.queue.rounds(payer, b.cfg.Workers)
	b.queue.push(turnJob{bt, m.Info.ID, payer, now, now.Add(min(fastAnswer*max(rounds, fastAnswerQueue)/fastAnswerQueue, slowestAnswer))})
	select {
	case b.queued <- struct{}{}:
	default: // all idle workers have been woken
	}
}

// isSeatToMove reports whether a seat is to move.
func isSeatToMove(s *match.Snapshot, seat int) bool {
	return !s.IsOver() && !s.Frozen && s.Position.Turn() == seat
}

// beginTurn marks a bot's turn in a match as being made; false if it was already.
func (b *Bots) beginTurn(key turnKey) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy[key] {
		return false
	}
	b.busy[key] = true
	return true
}

func (b *Bots) endTurn(key turnKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, key)
}

// worker makes one turn after the other, computes hints when no turn is due, and evaluates positions for analyses when
// nobody waits for a hint, until ctx ends.
func (b *Bots) worker(ctx context.Context) {
	for ctx.Err() == nil {
		if j, ok := b.queue.pop(); ok {
			b.playTurn(ctx, j)
			continue
		}
		select {
		case advise := <-b.adviceRequests:
			advise(ctx)
			continue
		default:
		}
		select {
		case <-ctx.Done():
		case <-b.queued:
		case advise := <-b.adviceRequests:
			advise(ctx)
		case evaluate := <-b.analyses.jobs:
			evaluate(ctx)
		}
	}
}

// playTurn chooses a turn and plays it, but not before minVisibleTurn.
func (b *Bots) playTurn(ctx context.Context, j turnJob) {
	act, pause, err := b.chooseTurn(ctx, j)
	b.queue.count(j.payer, -1)
	done := func(err error) {
		b.endTurn(turnKey{j.bot, j.match})
		if err != nil && ctx.Err() == nil {
			if !errors.As(err, new(*errcode.Error)) { // the lobby reports its own errors
				b.report("bot cannot play", "bot", j.bot.session.Account().Name, "match", j.match, "err", err)
			}
			guard.AfterFunc(retryDelay, b.reportPanic, j.bot.session.WakeSelf)
			return
		}
		j.bot.session.WakeSelf() // the bot may have to move again
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
	p, err := j.bot.session.AsPlayer(j.match)
	if err != nil {
		return nil, 0, nil // the match has been forgotten
	}
	s := p.Snapshot()
	if !isSeatToMove(s, p.Seat()) {
		return nil, 0, nil
	}
	began := time.Now()
	if b.thinkingTime.Wait(j.payer, began, minThinkingTime) > 0 {
		return nil, 0, nil // the bot looks again when there is thinking time
	}
	legal := s.Position.Legal()
	actions := legal
	if next, err := s.Position.Play(legal[0]); len(legal) > 1 || err == nil && next.MidTurn() {
		budget := b.affordable(j.payer, b.budget(s, p.Seat(), j))
		level := j.bot.level
		if level == Adaptive {
			level = b.adaptedLevel(ctx, s, p.Seat())
		}
		actions, err = b.thinker.think(ctx, turnRequest{j.match, level, j.bot.number, s.Info.Options.Game(), s.Position, budget})
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
	case err == nil, code == errcode.StaleVersion, code == errcode.GameOver, code == errcode.NotYourTurn, code == errcode.UnknownMatch:
		return nil
	}
	return err
}

// budget returns the thinking time for a turn: a part of the clock that leaves enough for the rest of the
// game, and less if more turns are due.
func (b *Bots) budget(s *match.Snapshot, seat int, j turnJob) time.Duration {
	// All turns in the queue share the time of one, because each waits for those before it.
	rounds := b.queue.rounds(j.payer, b.cfg.Workers)
	if left, timed := s.Remaining(seat, time.Now()); timed && s.Info.Control.IsLive() {
		budget := left/25 + s.Info.Control.Increment*3/4
		return min(budget, left/4, maxTurnTime) / rounds
	}
	return min(max(time.Until(j.deadline)/rounds, minTurnTime), maxCasualTurn)
}
