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
	"slices"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
)

// Thinker chooses actions. Think returns one action of the seat to move, within the budget and as
// soon as ctx ends; level counts from 1 to 5. It may be called from several goroutines.
type Thinker interface {
	Think(ctx context.Context, p engine.Position, level int, budget time.Duration) (action string, err error)
}

// Levels is the number of levels, each of which is one bot.
const Levels = 5

// names are the bots', from the weakest to the strongest: what one meets on a walk uphill.
var names = [Levels]string{"Pebble", "Brook", "Willow", "Heron", "Summit"}

// Times of a bot's turn.
const (
	casualTurn = 1500 * time.Millisecond // where nobody's clock runs
	longTurn   = 4 * time.Second         // the most that any turn takes
	retryPause = 10 * time.Second        // after a failure of the store
)

// Config is what the bots are made of.
type Config struct {
	Lobby   *lobby.Lobby
	Store   Accounts
	Thinker Thinker
	Workers int // goroutines that think; at least 1
	// Report tells the host of failures; it must not block.
	Report func(msg string, keyvals ...any)
}

// Accounts is what the bots need of a store.
type Accounts interface {
	AccountByKey(ctx context.Context, key []byte) (lobby.Account, error)
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (lobby.Account, error)
	SetBot(ctx context.Context, id lobby.AccountID, bot bool) error
}

// Company is the bots of a lobby. Its methods may be called from any goroutine.
type Company struct {
	c       Config
	members [Levels]*lobby.Session
	cancel  context.CancelFunc
	work    sync.WaitGroup
	jobs    chan job

	mu   sync.Mutex
	busy map[string]bool // matches, by bot, in which a turn is being thought about
}

// job is a turn that is due.
type job struct {
	level int
	match string
}

// Open lets the bots in. They leave with Close, which must come before the lobby's.
func Open(ctx context.Context, c Config) (*Company, error) {
	co := &Company{c: c, jobs: make(chan job, 256), busy: make(map[string]bool)}
	ctx, co.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for i := range co.members {
		a, err := c.account(ctx, i)
		if err == nil {
			co.members[i], err = c.Lobby.Enter(a, nil)
		}
		if err != nil {
			co.Close()
			return nil, fmt.Errorf("bot %s: %w", names[i], err)
		}
	}
	for range max(c.Workers, 1) {
		co.work.Go(func() { co.worker(ctx) })
	}
	for i := range co.members {
		co.work.Go(func() { co.attend(ctx, i) })
	}
	return co, nil
}

// account returns a bot's account, which is made at its first visit. Its key is a text that no SSH
// key can be, so that nobody can come as it.
func (c Config) account(ctx context.Context, i int) (lobby.Account, error) {
	key := []byte(fmt.Sprintf("built-in player %d", i+1))
	a, err := c.Store.AccountByKey(ctx, key)
	if errors.Is(err, lobby.ErrUnknown) {
		name := names[i]
		for n := 2; ; n++ {
			a, err = c.Store.CreateAccount(ctx, name, key, time.Now())
			if !errors.Is(err, lobby.ErrTaken) || n == 10 {
				break
			}
			name = fmt.Sprintf("%s-%d", names[i], n) // somebody was called so before the bots came
		}
	}
	if err == nil && !a.Bot {
		a.Bot, err = true, c.Store.SetBot(ctx, a.ID, true)
	}
	return a, err
}

// Close sends the bots home and waits until they have stopped thinking.
func (co *Company) Close() {
	co.cancel()
	co.work.Wait()
	for _, s := range co.members {
		if s != nil {
			s.Close(true)
		}
	}
}

// Name returns the name of the bot of a level, from 1 to Levels.
func (co *Company) Name(level int) string { return co.members[level-1].Account().Name }

// Play starts a match between a session and the bot of a level. Where more than two play, the
// bots next to that level take the other seats.
func (co *Company) Play(ctx context.Context, s *lobby.Session, level int, p lobby.Proposal) (match string, err error) {
	if level < 1 || level > Levels {
		return "", &lobby.Error{Code: lobby.BadRequest, Message: fmt.Sprintf("levels are 1 to %d", Levels)}
	}
	seats, err := p.Seats()
	if err != nil {
		return "", err
	}
	return s.Against(ctx, p, co.near(level, seats-1)...)
}

// near returns up to n bots, those of the nearest levels first.
func (co *Company) near(level, n int) []*lobby.Session {
	all := slices.Clone(co.members[:])
	slices.SortStableFunc(all, func(a, b *lobby.Session) int {
		return co.distance(a, level) - co.distance(b, level)
	})
	return all[:min(n, len(all))]
}

func (co *Company) distance(s *lobby.Session, level int) int {
	d := slices.Index(co.members[:], s) + 1 - level
	return max(d, -d)
}

// attend is one bot's presence: it takes challenges and looks for turns that are due.
func (co *Company) attend(ctx context.Context, i int) {
	s := co.members[i]
	for {
		me := s.Account().ID
		for _, t := range s.Lobby().View().TablesFor(me) {
			if t.To == s.Account().Name && !slices.Contains(t.Seated, t.To) {
				s.Join(ctx, t.ID, "") // whoever was quicker, or cancelled, is right
			}
		}
		for _, m := range s.Seated() {
			co.look(ctx, i, m)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.Wake():
		}
	}
}

// look answers offers in a match, and has a turn thought about that is due.
func (co *Company) look(ctx context.Context, i int, m *lobby.Match) {
	p, err := co.members[i].Sit(m.Info.ID)
	if err != nil {
		return
	}
	s := p.Snapshot()
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
	if !due(s, p.Seat()) || !co.begin(i, m.Info.ID) {
		return
	}
	select {
	case co.jobs <- job{i, m.Info.ID}:
	default:
		co.end(i, m.Info.ID) // too many; the next wake brings it back
		time.AfterFunc(time.Second, co.members[i].Look)
	}
}

// due reports whether it is a seat's turn.
func due(s *lobby.Snapshot, seat int) bool {
	return !s.Over() && !s.Frozen && s.Position.Turn() == seat
}

// begin marks a bot's turn in a match as being thought about; false if it was already.
func (co *Company) begin(i int, match string) bool {
	co.mu.Lock()
	defer co.mu.Unlock()
	key := fmt.Sprint(i, " ", match)
	if co.busy[key] {
		return false
	}
	co.busy[key] = true
	return true
}

func (co *Company) end(i int, match string) {
	co.mu.Lock()
	defer co.mu.Unlock()
	delete(co.busy, fmt.Sprint(i, " ", match))
}

// load returns how many turns are being thought about or wait for it.
func (co *Company) load() int {
	co.mu.Lock()
	defer co.mu.Unlock()
	return len(co.busy)
}

// worker thinks about one turn after the other.
func (co *Company) worker(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-co.jobs:
			err := co.turn(ctx, j)
			co.end(j.level, j.match)
			if err != nil && ctx.Err() == nil {
				co.report("bot cannot play", "bot", names[j.level], "match", j.match, "err", err)
				time.AfterFunc(retryPause, co.members[j.level].Look)
			} else {
				co.members[j.level].Look() // it may be its turn again
			}
		}
	}
}

func (co *Company) report(msg string, keyvals ...any) {
	if co.c.Report != nil {
		co.c.Report(msg, keyvals...)
	}
}

// turn thinks about one whole turn and makes it.
func (co *Company) turn(ctx context.Context, j job) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	p, err := co.members[j.level].Sit(j.match)
	if err != nil {
		return nil // the match has gone
	}
	s := p.Snapshot()
	if !due(s, p.Seat()) {
		return nil
	}
	budget := co.budget(s, p.Seat())
	deadline := time.Now().Add(budget)
	var actions []string
	for pos := s.Position; ; {
		// The later actions of a turn get what is left, and never nothing.
		share := max(time.Until(deadline)/2, budget/20)
		action, err := co.c.Thinker.Think(ctx, pos, j.level+1, share)
		if err != nil {
			return err
		}
		if pos, err = pos.Play(action); err != nil {
			return fmt.Errorf("%s: %w", s.Position, err)
		}
		actions = append(actions, action)
		if !pos.MidTurn() {
			break
		}
	}
	_, err = p.Act(ctx, s.Version, actions)
	switch code, _ := lobby.Explain(err); {
	case err == nil, code == lobby.StaleVersion, code == lobby.GameOver, code == lobby.NotYourTurn, code == lobby.UnknownMatch:
		return nil // the match has moved on meanwhile
	}
	return err
}

// budget returns how long a turn may take: a part of the clock that leaves enough for the rest of
// the game, and less the more bots think at once.
func (co *Company) budget(s *lobby.Snapshot, seat int) time.Duration {
	b := casualTurn
	if left, timed := s.Left(seat, time.Now()); timed && s.Info.Control.Live() {
		b = left/25 + s.Info.Control.Increment*3/4
		b = min(b, left/4, longTurn)
	}
	// Whoever waits for a worker waits for those before him, so all share the time of one.
	return b / time.Duration(max(co.load()/max(co.c.Workers, 1), 1))
}
