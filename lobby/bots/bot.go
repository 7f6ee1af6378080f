package bots

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
)

// maxCopies is the number of bots of one level, as many as can sit beside a person. The first one of each
// level is always in the lobby, the others only while they have a seat: an account has one seat in a match.
const maxCopies = engine.MaxSeats - 1

// bot is a bot that has entered the lobby.
type bot struct {
	level          int // MinLevel to Adaptive
	number         int // among those of its level, from 0
	session        *lobby.Session
	tablesRevision uint64 // TableList.TablesRevision when it last checked for challenges; owned by Bots.run
	rechecks       bool   // a timer of scheduleRecheck runs; guarded by Bots.mu
	reserved       int    // callers that are about to give it a seat; guarded by roster.mu
}

// key returns the key of a bot's account: a text that cannot be an SSH key, so that nobody can sign in with
// it.
func (bt *bot) key() []byte {
	if bt.number == 0 {
		return fmt.Appendf(nil, "%s%d", account.BuiltInKey, bt.level)
	}
	return fmt.Appendf(nil, "%s%d, copy %d", account.BuiltInKey, bt.level, bt.number)
}

// createAccount creates the account of a bot.
func (c Config) createAccount(ctx context.Context, bt *bot) (a account.Account, err error) {
	base := botNames[bt.level]
	name := base
	for n := bt.number + 1; ; n++ {
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		a, err = c.Store.CreateAccount(ctx, name, bt.key(), time.Now())
		if !errors.Is(err, errcode.ErrTaken) || n == bt.number+10 {
			return a, err
		}
	}
}

// firstRating is the rating of level 1, from which those of the other levels follow, so that level 2, which plays where nobody chooses a
// level, is near the 1500 of a newcomer in all games. The deviation is that of a rating which is known: the order of the
// levels is measured, and only what people are on this scale is not (docs/ratings.md).
const (
	firstRating    = 1300
	startDeviation = 75
)

// startRatings stores the ratings of a level in the pools in which its account has no games, and returns the account.
// Of games whose engine has no scale there are none.
func (c Config) startRatings(ctx context.Context, a account.Account, level int) (account.Account, error) {
	if level == Adaptive {
		return a, nil // it has no strength of its own
	}
	missing := make(map[string]rating.Rating)
	for _, g := range c.Lobby.Games() {
		scale, ok := c.Engines[g.Name()].(search.Scaled)
		if !ok {
			continue
		}
		first := rating.Rating{Value: firstRating + scale.LevelElo(level), Deviation: startDeviation, Volatility: rating.New.Volatility}
		pools := []string{account.Pool(g.Name(), 2)}
		if seats := engine.SeatLimit(g); seats > 2 {
			pools = append(pools, account.Pool(g.Name(), seats))
		}
		for _, pool := range pools {
			if r, ok := a.Ratings[pool]; !ok || r.Games == 0 && r != first {
				missing[pool] = first
			}
		}
	}
	if len(missing) == 0 {
		return a, nil
	}
	if err := c.Store.StartRatings(ctx, a.ID, missing); err != nil {
		return a, err
	}
	return c.Store.Account(ctx, a.ID)
}

// roster has the bots that are in the lobby. Its methods may be called from any goroutine. Its mutex is not held
// while the lobby or the store is called.
type roster struct {
	cfg      Config
	start    func(*bot)                         // starts the goroutine of a bot; called with mu held
	levels   atomic.Pointer[map[account.ID]int] // of the bots' accounts; replaced while entering is held
	entering chan struct{}                      // has room for one: held while a bot enters or leaves the lobby

	reportPanic func(error)

	mu     sync.Mutex
	bots   [numberOfBots][maxCopies]*bot
	closed bool
}

// enter lets a bot enter the lobby and starts its goroutine. A bot without an account gets one if create is
// true, and otherwise does not enter. The caller holds entering, or is Open.
func (r *roster) enter(ctx context.Context, bt *bot, create bool) error {
	a, err := r.cfg.Store.AccountByKey(ctx, bt.key())
	if errors.Is(err, errcode.ErrNotFound) {
		if !create {
			return nil
		}
		a, err = r.cfg.createAccount(ctx, bt)
	}
	if err == nil && !a.Bot {
		a.Bot, err = true, r.cfg.Store.SetBot(ctx, a.ID, true)
	}
	if err == nil {
		a, err = r.cfg.startRatings(ctx, a, bt.level)
	}
	if err == nil {
		bt.session, err = r.cfg.Lobby.Enter(a, nil)
	}
	if err != nil {
		return fmt.Errorf("bot %s: %w", botNames[bt.level], err)
	}
	levels := maps.Clone(*r.levels.Load())
	levels[a.ID] = bt.level
	r.levels.Store(&levels)
	if !create && bt.isIdle() {
		bt.session.Close(false)
		return nil
	}
	if !r.add(bt) {
		bt.session.Close(false)
		return &errcode.Error{Code: errcode.Unavailable, Message: "the server is restarting; try again in a moment"}
	}
	return nil
}

// add adds a bot that has entered and starts its goroutine, unless the bots have been closed.
func (r *roster) add(bt *bot) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.bots[bt.level][bt.number] = bt
	r.start(bt)
	return true
}

// isIdle reports whether the bot has no seat, neither in a match in memory nor at a table.
func (bt *bot) isIdle() bool {
	if len(bt.session.SeatedMatches()) > 0 {
		return false
	}
	id := bt.session.Account().ID
	for _, t := range bt.session.Lobby().TableList().Tables {
		if t.Concerns(id) {
			return false
		}
	}
	return true
}

// leave lets a bot that is not the first of its level leave the lobby if it has no seat, and reports whether
// it did.
func (r *roster) leave(bt *bot) bool {
	if bt.number == 0 || !bt.isIdle() {
		return false
	}
	select {
	case r.entering <- struct{}{}:
	default:
		// A bot enters at this moment, perhaps this one.
		guard.AfterFunc(time.Second, r.reportPanic, bt.session.WakeSelf)
		return false
	}
	defer func() { <-r.entering }()
	if !bt.isIdle() || !r.remove(bt) {
		return false
	}
	bt.session.Close(false)
	return true
}

// remove removes a bot, unless it is reserved.
func (r *roster) remove(bt *bot) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if bt.reserved > 0 {
		return false
	}
	r.bots[bt.level][bt.number] = nil
	return true
}

// reserve returns the sessions of the first n bots of a level, those who are not in the lobby
// after they have entered it. They stay until release is called, and then while they have a seat.
func (r *roster) reserve(ctx context.Context, level, n int) (sessions []*lobby.Session, release func(), err error) {
	if level < 0 || level >= numberOfBots {
		return nil, nil, errcode.Errorf(errcode.BadRequest, "a level is %d to %d", MinLevel, MaxLevel)
	}
	select {
	case r.entering <- struct{}{}:
		defer func() { <-r.entering }()
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	var reserved []*bot
	release = func() {
		r.mu.Lock()
		for _, bt := range reserved {
			bt.reserved--
		}
		r.mu.Unlock()
		for _, bt := range reserved {
			bt.session.WakeSelf() // it leaves if it has no seat
		}
	}
	for number := range min(n, maxCopies) {
		bt := r.reserveBot(level, number)
		if bt == nil {
			if err = r.enter(ctx, &bot{level: level, number: number, reserved: 1}, true); err == nil {
				bt = r.at(level, number)
			}
		}
		if err != nil {
			release()
			return nil, nil, err
		}
		reserved, sessions = append(reserved, bt), append(sessions, bt.session)
	}
	return sessions, release, nil
}

// reserveBot reserves a bot that is in the lobby; nil if it is not.
func (r *roster) reserveBot(level, number int) *bot {
	r.mu.Lock()
	defer r.mu.Unlock()
	bt := r.bots[level][number]
	if bt != nil {
		bt.reserved++
	}
	return bt
}

// at returns a bot that is in the lobby; nil if it is not.
func (r *roster) at(level, number int) *bot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bots[level][number]
}

// close prevents further bots from entering and returns those in the lobby, none of which leaves from then on.
func (r *roster) close() (all []*bot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, level := range r.bots {
		for _, bt := range level {
			if bt != nil {
				all = append(all, bt)
			}
		}
	}
	return all
}

// wantedAt returns how many bots of a level have to be in the lobby so that n of them can get a seat at a table of
// the session's user, or as many as there are free seats if n is 0; none if the user does not own the table.
func (r *roster) wantedAt(s *lobby.Session, tableID string, level, n int) (wanted int) {
	v, me := s.Lobby().View(), s.Account()
	i := slices.IndexFunc(v.Tables, func(t *table.View) bool { return t.ID == tableID && t.Owner == me.Name })
	if i < 0 {
		return 0
	}
	if wanted = v.Tables[i].FreeSeats(); n > 0 {
		wanted = min(n, wanted)
	}
	for id, l := range *r.levels.Load() { // those that sit there already are passed over
		if l == level && v.Tables[i].Concerns(id) {
			wanted++
		}
	}
	return wanted
}
