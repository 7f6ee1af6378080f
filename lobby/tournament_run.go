package lobby

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
)

// tournamentRunner executes what package tournament decides for one tournament. Any goroutine may use state, queue, checks, done,
// isBehind and chat; Tournaments.mu guards seen. The rest belongs to the goroutine of run.
type tournamentRunner struct {
	ts       *Tournaments
	id       string
	state    atomic.Pointer[tournament.State]
	queue    chan *tournamentInput
	checks   chan struct{} // holds one signal: time, a game that has ended, or a player may have changed something
	done     chan struct{} // closed when run returns
	isBehind atomic.Bool   // the store has a longer log
	chat     Chat
	alarm    *Alarm
	seen     map[string]bool // keys of the notices that users of this node were shown

	passed   map[string]bool // keys of the notices that Config.Notices has taken
	ctx      context.Context
	timer    time.Time // of the next check, by the store's clock; zero: none
	settled  bool
	forgetAt time.Time
}

// tournamentInput is an input in the queue of a tournament.
type tournamentInput struct {
	tournament.Input
	answer chan error
	taken  atomic.Bool // as in command
}

const (
	// tournamentAttempts is how often a step is made again because another node has recorded something before it.
	tournamentAttempts = 30
	// conflictPause bounds the random pause after each conflict of a step, which grows with their number, so that a node which is
	// slower than others has its turn as well. All of them together take at most 2.4 s, less than a user waits for.
	conflictPause = 5 * time.Millisecond
)

// run owns the tournament until ctx ends or it is forgotten.
func (r *tournamentRunner) run(ctx context.Context) {
	defer close(r.done)
	l := r.ts.l
	r.ctx = ctx
	defer l.Alarms.Set(r.alarm, time.Time{})
	r.check()
	for {
		next := l.node.MachineTime(r.timer)
		if r.settled && (r.timer.IsZero() || r.forgetAt.Before(next)) {
			next = r.forgetAt
		}
		l.Alarms.Set(r.alarm, next)
		select {
		case <-ctx.Done():
			return
		case in := <-r.queue:
			if in.taken.CompareAndSwap(false, true) {
				in.answer <- r.apply(in.Input)
			}
			r.execute()
		case <-r.checks:
			if r.settled && !time.Now().Before(r.forgetAt) {
				r.ts.forget(r)
				return
			}
			r.check()
		}
	}
}

// do has an input applied and returns its error.
func (r *tournamentRunner) do(ctx context.Context, in tournament.Input) error {
	queued := &tournamentInput{Input: in, answer: make(chan error, 1)}
	timeout := time.NewTimer(answerTimeout)
	defer timeout.Stop()
	select {
	case r.queue <- queued:
	case <-r.done:
		return errUnknownTournament(r.id)
	case <-timeout.C:
		return errNotBegun
	case <-ctx.Done():
		return errNotBegun
	}
	select {
	case err := <-queued.answer:
		return err
	case <-r.done:
	case <-timeout.C:
	case <-ctx.Done():
	}
	if queued.taken.CompareAndSwap(false, true) {
		return errNotBegun
	}
	return errcode.Errorf(errcode.Unavailable, "the server has not recorded that yet; look at the tournament before you try again")
}

// check does what is due, if this node has the lease of the tournament, and takes over what other nodes have recorded.
func (r *tournamentRunner) check() {
	if r.isBehind.Swap(false) && !r.follow() {
		r.isBehind.Store(true)
		r.tryAgain()
		return
	}
	if r.settled || !r.acquire() {
		return
	}
	for _, in := range r.ts.excluded(r.state.Load()) {
		_ = r.apply(in) // what cannot be recorded now is found again
	}
	_ = r.apply(tournament.Input{Kind: tournament.InputCheck})
	r.execute()
}

// tryAgain has the tournament checked soon.
func (r *tournamentRunner) tryAgain() { r.timer = r.ts.l.node.Now().Add(tournamentTry) }

// acquire reports whether this node has the lease of the tournament, which saves the others work. If two do it at once, nothing
// happens twice.
func (r *tournamentRunner) acquire() bool {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	ok, err := r.ts.l.rows.leases.Acquire(ctx, "tournament/"+r.id)
	if !ok || err != nil { // the store reports its errors
		r.tryAgain()
		return false
	}
	return true
}

// now returns what the tournament has to know of the world.
func (r *tournamentRunner) now() tournament.Now {
	l := r.ts.l
	return tournament.Now{Time: l.node.Now(), Degraded: l.node.IsDegraded(), Presence: r.presence}
}

// presence returns what is known of a player. One who is not in memory has been absent since this node knows who is present.
func (r *tournamentRunner) presence(id account.ID) tournament.Presence {
	l := r.ts.l
	l.mu.Lock()
	u := l.users.byID[id]
	l.mu.Unlock()
	since := l.node.InTouchSince()
	if since.Before(l.began) {
		since = l.began
	}
	if u == nil {
		return tournament.Presence{AbsentSince: since}
	}
	p := tournament.Presence{AbsentSince: u.absence().NotBefore(since).Since}
	for _, m := range u.seatedMatches() {
		s := m.playerSnapshot.Load()
		if seat, ok := m.Info.SeatOf(id); ok && m.Info.Control.IsLive() && !s.IsOver() && !s.Position.HasLeft(seat) {
			p.IsElsewhere = true
		}
	}
	return p
}

// apply makes a step and records it. After a conflict it takes over what was recorded before and makes the step again.
func (r *tournamentRunner) apply(in tournament.Input) error {
	var lost []tournament.Entry // that were appended with an unclear outcome
	after := 0
	for attempt := range tournamentAttempts {
		if attempt > 0 {
			r.pause(rand.N(time.Duration(attempt) * conflictPause))
		}
		before := r.state.Load()
		if len(lost) > 0 && r.hasRecorded(after, lost) {
			return nil
		}
		lost = nil
		next, fx := tournament.Step(*before, in, r.now())
		r.timer = fx.Timer
		if len(fx.Entries) == 0 {
			return fx.Err
		}
		switch err := r.append(before, &next, fx); {
		case err == nil:
			r.adopt(&next)
			return fx.Err
		case !errors.Is(err, errcode.ErrVersionConflict):
			lost, after = fx.Entries, fx.After
		}
		if !r.follow() {
			r.isBehind.Store(true)
			r.tryAgain()
			return errcode.Errorf(errcode.Unavailable, "the server cannot record that now; look at the tournament before you try again")
		}
	}
	r.tryAgain()
	return errcode.Errorf(errcode.Unavailable, "too many players are changing this tournament at once; try again in a moment")
}

// pause waits until d is over or the lobby closes.
func (r *tournamentRunner) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.ctx.Done():
	}
}

// append records the entries of a step. The store reports its errors.
func (r *tournamentRunner) append(before, next *tournament.State, fx tournament.Effects) error {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	return r.ts.l.store.AppendTournament(ctx, TournamentAppend{
		After: fx.After, Entries: fx.Entries, Listing: NewTournamentListing(next), Attended: before.AttendedAfter(fx.Entries),
	})
}

// hasRecorded reports whether the log has these entries after a version: an append whose outcome was unclear has been recorded.
func (r *tournamentRunner) hasRecorded(after int, entries []tournament.Entry) bool {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	stored, err := r.ts.l.store.TournamentEntries(ctx, r.id, after)
	if err != nil || len(stored) < len(entries) {
		return false
	}
	for i := range entries {
		ours, err := tournament.Encode(&entries[i])
		theirs, err2 := tournament.Encode(&stored[i])
		if err != nil || err2 != nil || !reflect.DeepEqual(ours, theirs) {
			return false
		}
	}
	return true
}

// follow takes over what the store has after the known version, and reports whether it could read it.
func (r *tournamentRunner) follow() bool {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	before := r.state.Load()
	entries, err := r.ts.l.store.TournamentEntries(ctx, r.id, before.Version)
	switch {
	case errors.Is(err, errcode.ErrNotFound) && before.Version == 0:
		return true
	case err != nil:
		return false // the store has reported it
	case len(entries) == 0:
		return true
	}
	next, err := before.With(entries)
	if err != nil {
		r.ts.l.report("damaged tournament", "tournament", r.id, "err", err)
		return false
	}
	r.adopt(&next)
	if r.timer = tournament.Next(&next); next.IsOver() {
		r.tryAgain() // to settle it, if the other node does not
	}
	return true
}

// adopt makes a recorded state the tournament's.
func (r *tournamentRunner) adopt(next *tournament.State) {
	before := r.state.Load()
	r.state.Store(next)
	r.ts.changed(r, before, next)
}

// execute makes what the state wants, if this node has the lease, until it wants nothing more.
func (r *tournamentRunner) execute() {
	if r.settled || r.state.Load().Version == 0 || !r.acquire() {
		return
	}
	for range tournamentAttempts {
		s := r.state.Load()
		w := tournament.Want(s)
		ok := true
		for _, end := range w.Ends {
			ok = r.stopGame(end) && ok
		}
		var ended []tournament.Input
		for i := range w.Games {
			in, hasInput, err := r.game(s, &w.Games[i])
			if err != nil {
				ok = false
			} else if hasInput {
				ended = append(ended, in)
			}
		}
		ok = r.notify(s, w.Notices) && ok // after the games, which do not wait for messages
		for _, in := range ended {
			ok = r.apply(in) == nil && ok
		}
		switch {
		case !ok:
			r.tryAgain()
			return
		case r.state.Load() != s:
			continue // which may want something else
		case s.IsOver():
			r.settle(s)
		}
		return
	}
	r.tryAgain()
}

// settle records that nothing is left to be done.
func (r *tournamentRunner) settle(s *tournament.State) {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	if r.ts.l.store.SettleTournament(ctx, r.id, s.Version) != nil {
		r.tryAgain()
		return
	}
	r.settled, r.timer, r.forgetAt = true, time.Time{}, time.Now().Add(tournamentKeep)
	r.ts.l.rows.leases.Release("tournament/" + r.id)
}

// notify passes on the notices that this process has not passed on yet, and reports whether all were taken. Those of accounts whose
// turns a program makes are for nobody.
func (r *tournamentRunner) notify(s *tournament.State, notices []tournament.Notice) bool {
	if r.ts.onNotices == nil {
		return true
	}
	var all []TournamentNotice
	var opponents []account.ID
	for _, n := range notices {
		if i := s.PlayerIndex(n.User); !r.passed[n.Key] && (i < 0 || !s.Players[i].Bot) {
			all = append(all, newTournamentNotice(s, n))
			opponents = append(opponents, n.Opponents...)
		}
	}
	if len(all) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	names, err := r.ts.Names(ctx, opponents)
	if err != nil {
		return false // the store has reported it
	}
	for i := range all {
		for _, id := range all[i].Opponents {
			all[i].Against = append(all[i].Against, names(id))
		}
	}
	if r.ts.onNotices(ctx, all) != nil {
		return false
	}
	for i := range all {
		r.passed[all[i].Key] = true
	}
	return true
}

func newTournamentNotice(s *tournament.State, n tournament.Notice) TournamentNotice {
	all := TournamentNotice{Tournament: s.ID, Name: s.Terms.Name, Notice: n}
	if n.Match != "" {
		all.Game, all.Clock, all.Rated = match.Title(s.Terms.OptionsFor(len(n.Opponents)+1)), s.Terms.Control.String(), s.Terms.Rated
	}
	return all
}

// stopGame ends the match of a game that was decided otherwise, if it is running.
func (r *tournamentRunner) stopGame(end tournament.WantedEnd) bool {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	l := r.ts.l
	m := l.matches.get(end.ID)
	if m == nil {
		if l.matches.load(ctx, end.ID) != nil {
			return false
		}
		if m = l.matches.get(end.ID); m == nil {
			return true // it has ended, or was never there
		}
	}
	if m.playerSnapshot.Load().IsOver() {
		return true
	}
	_, err := m.do(ctx, match.Command{Kind: match.CommandStop, Seat: end.Winner})
	code, _ := PublicError(err)
	return err == nil || code == errcode.GameOver
}

// game makes a game that the tournament wants, or returns its end, or the input that takes out a player of it who may not play.
func (r *tournamentRunner) game(s *tournament.State, w *tournament.WantedGame) (in tournament.Input, hasInput bool, err error) {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	l := r.ts.l
	if m := l.matches.get(w.ID); m != nil {
		snap := m.playerSnapshot.Load()
		in, hasInput = gameEnded(w, snap.Info, snap.Log)
		return in, hasInput, nil
	}
	info, log, err := l.store.Match(ctx, w.ID)
	switch {
	case errors.Is(err, errcode.ErrNotFound):
		return l.matches.startGame(ctx, s, w)
	case err != nil:
		return in, false, err
	}
	if in, hasInput = gameEnded(w, info, log); !hasInput {
		l.matches.follow(info, log)
	}
	return in, hasInput, nil
}

func gameEnded(w *tournament.WantedGame, info *match.Info, log []match.Entry) (in tournament.Input, isOver bool) {
	end, isOver := endOfGame(info, log)
	return tournament.Input{Kind: tournament.InputGameEnded, Round: w.Round, Table: w.Table, Ended: end}, isOver
}

// startGame records and starts the match of a game of a tournament. If another node has, it takes that over. A game of a player who
// may not play begins never, and is decided when the round ends: the input that takes them out is returned, unless they are.
func (ms *matches) startGame(ctx context.Context, s *tournament.State, w *tournament.WantedGame) (out tournament.Input, isOut bool, err error) {
	l := ms.l
	if l.draining.Load() {
		return out, false, errcode.Errorf(errcode.Unavailable, "the server is restarting")
	}
	terms := table.Terms{Game: w.Options.Game().Name(), Options: w.Options, Control: s.Terms.Control, Rated: s.Terms.Rated, Delay: s.Terms.Delay}
	info := terms.NewInfo(len(w.Seats))
	info.ID, info.Started = w.ID, l.node.Now()
	info.Tournament = match.Tournament{ID: s.ID, Round: w.Round, Table: w.Table, FirstTurn: w.FirstTurn, NoVacation: !s.Terms.Vacation}
	pool := account.Pool(terms.Game, len(w.Seats))
	for _, id := range w.Seats {
		a, err := l.store.Account(ctx, id)
		if err != nil {
			return out, false, err
		}
		p := &s.Players[s.PlayerIndex(id)]
		if out, isOut := l.Tournaments.exclusion(s, p, a.IsDeleted(), a.Bot); isOut {
			return out, p.IsIn(), nil
		}
		seat := match.Seat{Account: a.ID, Name: a.Name, Bot: a.Bot}
		if rated, ok := a.Rating(pool); ok {
			seat.Rating = &rated
		}
		info.Seats = append(info.Seats, seat)
	}
	// The game counts for the tournament all the same.
	info.Rated = info.Rated && !(l.limits.Load().RatedDistinctAddresses && l.Tournaments.ShareAddress(w.Seats...))
	l.mu.Lock()
	ms.creating[info.ID] = false
	l.mu.Unlock()
	err = ms.record(ctx, info, nil)
	if err == nil {
		err = ms.add(info, nil, netip.Prefix{}, false)
	}
	l.mu.Lock()
	found := ms.creating[info.ID]
	delete(ms.creating, info.ID)
	l.mu.Unlock()
	if found {
		ms.followPassedOver(info.ID)
	}
	switch {
	case errors.Is(err, errcode.ErrTaken):
		return out, false, ms.load(ctx, info.ID)
	case err != nil:
		return out, false, err
	}
	l.lists.matchStarted()
	l.node.Changed()
	ms.wakePlayers(info.ID)
	return out, false, nil
}

// wakePlayers wakes the players of a match that has started.
func (ms *matches) wakePlayers(id string) {
	if m := ms.get(id); m != nil {
		for _, u := range m.seats {
			u.wake()
		}
	}
}

// NewTournamentListing returns a tournament as it is in lists.
func NewTournamentListing(s *tournament.State) TournamentListing {
	t := TournamentListing{
		ID: s.ID, Name: s.Terms.Name, Format: s.Terms.FormatName(), Game: match.Title(s.Terms.Options), Clock: s.Terms.Control.String(), Rated: s.Terms.Rated,
		Organizer: s.Organizer, Phase: s.Phase, Version: s.Version, Created: s.Created, Start: s.Terms.Start, Round: len(s.Rounds), Rounds: s.Planned,
	}
	for i := range s.Players {
		if s.Players[i].IsIn() {
			t.Entered++
		}
		if s.Phase == tournament.PhaseClosed && s.Final[i] == 1 {
			t.Winners = append(t.Winners, s.Players[i].User)
		}
	}
	return t
}

// CreateTournament creates a tournament whose organizer is the user, and returns its id. isModerator means that the user may
// organize any number.
func (s *Session) CreateTournament(ctx context.Context, terms tournament.Terms, isModerator bool) (id string, err error) {
	if err := s.checkChangeRate(); err != nil {
		return "", err
	}
	ts, me := &s.l.Tournaments, s.Account().ID
	in := tournament.Input{Kind: tournament.InputCreate, By: me, Moderator: isModerator, Terms: terms, Seed: rand.Uint64()}
	for _, r := range ts.runners() {
		if at := r.state.Load(); at.Organizer == me && !at.HasStarted() && !at.IsOver() {
			in.Open++
		}
	}
	r := &tournamentRunner{ts: ts, id: RandomCode(35), ctx: ctx, seen: make(map[string]bool), passed: make(map[string]bool)}
	r.state.Store(&tournament.State{ID: r.id})
	if err := r.apply(in); err != nil {
		return "", err
	}
	if ts.add(r.state.Load()) == nil {
		return "", errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	}
	ts.revision.Add(1)
	return r.id, nil
}

// ratingWindow is the time for which the highest rating of an entrant counts.
const ratingWindow = 90 * 24 * time.Hour

// ChangeTournament applies what the user asks for, in.Kind with its fields; the user and what is known of them are added.
func (s *Session) ChangeTournament(ctx context.Context, id string, in tournament.Input) error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	ts := &s.l.Tournaments
	r := ts.runner(id)
	if r == nil {
		known, err := ts.State(ctx, id)
		if err == nil && known.IsOver() {
			err = errcode.Errorf(errcode.Closed, "the tournament is over")
		}
		if err != nil {
			return err
		}
		// Another node has created it a moment ago.
		if r = ts.add(known); r == nil {
			return errNotBegun
		}
	}
	in.By = s.Account().ID
	if in.Kind == tournament.InputEnter {
		var err error
		if in.Entrant, err = s.entrant(ctx, r.state.Load(), in.Entrant); err != nil {
			return err
		}
	}
	return r.do(ctx, in)
}

// entrant adds what the lobby knows of the user to what is known of an entrant.
func (s *Session) entrant(ctx context.Context, t *tournament.State, e tournament.Entrant) (tournament.Entrant, error) {
	a, ts := s.Account(), &s.l.Tournaments
	e.Guest, e.Bot = a.IsGuest(), a.Bot
	if e.Guest {
		return e, nil
	}
	rated, _ := a.Rating(t.Terms.Pool())
	e.Games = rated.Games
	e.Rating = int(math.Round(rated.Value))
	highest, err := s.l.store.HighestRating(ctx, a.ID, t.Terms.Pool(), s.l.node.Now().Add(-ratingWindow))
	if err != nil {
		return e, err
	}
	e.Highest = int(math.Round(highest))
	attended, err := s.l.store.Attendance(ctx, a.ID)
	if err != nil {
		return e, err
	}
	e.Until = tournament.NoEntryUntil(attended)
	for _, other := range ts.Entered(a.ID) {
		if other.ID == t.ID || other.IsOver() || !other.Players[other.PlayerIndex(a.ID)].IsIn() {
			continue
		}
		e.Running++
		if other.Terms.Control.IsLive() {
			e.Live++
		}
	}
	return e, nil
}
