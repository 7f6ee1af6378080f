package simulation

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/tournament"
)

// Times of a run with a tournament. Its rounds have short caps, so that many end by them.
const (
	cupTrouble = 150 * time.Second // with faults
	cupLimit   = 15 * time.Minute  // until it has to be over
	cupCap     = 30 * time.Second  // of a round
	cupRetry   = 5 * time.Second   // as lobby.tournamentTry
	cupSlack   = 20 * time.Second  // for a node to take over from a dead one
)

const organizer = account.ID(1000)

// errConflict is the answer to an append at another version than the log's.
var errConflict = errors.New("the log has another version")

// cup is a tournament in the store of a world, with its users. It checks the invariants whenever something is recorded.
type cup struct {
	w       *world
	users   []account.ID
	absent  map[account.ID]time.Time
	log     map[string][]tournament.Entry // by cupID
	games   map[string]cupGame
	notices map[string]string
	lease   map[string]string // of cupID: the process that has it
	settled map[string]int
	states  []tournament.State // the folded log, by version; the first is the empty one
	places  []tournament.PlaceRange
	startAt time.Duration      // when the organizer starts it
	sent    map[account.ID]int // how often a user has asked to enter
	overAt  time.Duration
	isDone  bool
}

const cupID = "cup"

// cupGame is the match of a game.
type cupGame struct {
	round, table int
	seats        []account.ID
	end          *tournament.MatchEnd // nil: it is running
	endedAt      time.Duration
}

// cupReplica is a node's state of the tournament. It does one thing after the other, as lobby.tournamentRunner does.
type cupReplica struct {
	n         *node
	c         *cup
	state     tournament.State
	queue     []cupInput
	busy      bool
	executing bool
	timer     int // number of the timer that counts
	made      int // the version that this process has made
}

// cupInput is something that a node has to do for the tournament: take over the log, or make a step.
type cupInput struct {
	follow   bool
	in       tournament.Input
	answer   func(error)
	attempts int
}

// runCup runs a seed with a tournament, as run does.
func runCup(seed uint64, broken fault, seen map[string]int) string {
	w := &world{r: rand.New(rand.NewPCG(seed, 1)), broken: broken, troubled: true, playing: true, seen: seen}
	w.store = newStore(w)
	c := &cup{
		w: w, absent: make(map[account.ID]time.Time), log: make(map[string][]tournament.Entry), games: make(map[string]cupGame),
		notices: make(map[string]string), lease: make(map[string]string), settled: make(map[string]int), states: []tournament.State{{ID: cupID}},
		sent: make(map[account.ID]int), startAt: w.between(15*time.Second, cupTrouble),
	}
	w.cup = c
	c.create(seed)
	for i := range 2 + w.r.IntN(2) {
		w.nodes = append(w.nodes, newNode(w, i))
	}
	for _, n := range w.nodes {
		n.start()
	}
	for _, user := range append(slices.Clone(c.users), organizer) {
		w.after(w.between(0, 5*time.Second), func() { c.act(user) })
	}
	w.after(w.between(5*time.Second, 20*time.Second), w.trouble)
	w.after(cupTrouble, w.heal)
	w.after(cupTrouble+cupSlack, c.watch)
	for w.failure == "" && !c.isDone && w.next() {
	}
	if w.failure == "" && !c.isDone {
		w.fail("nothing happens any more")
	}
	return w.failure
}

// create records the first entry.
func (c *cup) create(seed uint64) {
	w := c.w
	format := []tournament.Format{tournament.FormatSwiss, tournament.FormatRoundRobin, tournament.FormatTables}[seed%3]
	request := tournament.Request{Clock: &clock.Default, Game: "ayu", Options: json.RawMessage(`{"size":5,"pie":false}`)}
	users := 4 + w.r.IntN(9)
	switch format {
	case tournament.FormatRoundRobin:
		users = 3 + w.r.IntN(4)
	case tournament.FormatTables:
		request.Game, request.Options = "mu", nil
		users = 6 + w.r.IntN(7)
	}
	if format != tournament.FormatRoundRobin {
		request.Rounds = 1 + w.r.IntN(4)
	}
	if w.chance(25) {
		request.Clock = &clock.Control{Days: 2}
	}
	if w.chance(30) {
		request.CheckIn = new(20)
	}
	game, _ := enginetest.Games.ByName(request.Game)
	terms, err := tournament.NewTerms("Cup", format, request, game)
	if err != nil {
		w.fail("no terms: %v", err)
		return
	}
	terms.Cap, terms.Pause = cupCap, w.between(0, 3*time.Second)
	for i := range users {
		c.users = append(c.users, account.ID(i+1))
	}
	_, fx := tournament.Step(c.states[0], tournament.Input{Kind: tournament.InputCreate, By: organizer, Terms: terms, Seed: w.r.Uint64()}, tournament.Now{Time: epoch})
	if fx.Err != nil || c.append(0, fx.Entries) != nil {
		w.fail("not created: %v", fx.Err)
	}
}

// state returns the state after the log in the store.
func (c *cup) state() *tournament.State { return &c.states[len(c.states)-1] }

// act lets a user do something, and again later.
func (c *cup) act(user account.ID) {
	w, s := c.w, c.state()
	if s.IsOver() {
		return
	}
	w.after(w.between(300*time.Millisecond, 5*time.Second), func() { c.act(user) })
	n := w.nodes[w.r.IntN(len(w.nodes))]
	if !n.isServing() || n.cup == nil {
		return
	}
	in := tournament.Input{By: user}
	player := s.PlayerIndex(user)
	switch what := w.r.IntN(100); {
	case user == organizer:
		if !c.organize(&in, what) {
			return
		}
	case player < 0:
		in.Kind, in.Entrant = tournament.InputEnter, tournament.Entrant{Rating: 1000 + 31*int(user)}
	case s.Phase == tournament.PhaseCheckIn && !s.Players[player].IsCheckedIn:
		in.Kind = tournament.InputCheckIn
	case s.Players[player].Status == tournament.StatusPaused && (what < 40 || !w.troubled):
		in.Kind = tournament.InputResume
	case !w.troubled:
		delete(c.absent, user)
		return
	case what < 4:
		in.Kind = tournament.InputPause
	case what < 6:
		in.Kind = tournament.InputWithdraw
	case what < 9:
		in.Kind, in.Round = tournament.InputAskBye, len(s.Rounds)+1
	case what < 15:
		if _, away := c.absent[user]; away {
			delete(c.absent, user)
		} else {
			c.absent[user] = w.storeTime()
		}
		return
	default:
		return
	}
	c.send(n, in)
}

// organize chooses what the organizer does, and reports whether that is something.
func (c *cup) organize(in *tournament.Input, what int) bool {
	s := c.state()
	switch {
	case !s.HasStarted() && c.w.now < c.startAt:
		return false
	case !s.HasStarted() && c.w.now > cupTrouble+2*time.Minute:
		in.Kind = tournament.InputCancel
	case !s.HasStarted():
		in.Kind = tournament.InputStart
	case what < 5 && len(s.Rounds) > 0:
		in.Kind, in.Round, in.Table = tournament.InputRule, len(s.Rounds), 1
	case what < 8 && what > 5 && c.w.troubled:
		in.Kind, in.User = tournament.InputRemove, c.users[c.w.r.IntN(len(c.users))]
	case what < 14 && what > 5 && len(s.Removed) > 0:
		in.Kind, in.User = tournament.InputLetIn, s.Removed[c.w.r.IntN(len(s.Removed))].User
	case what == 5 && c.w.troubled:
		in.Kind, in.User = tournament.InputBan, c.users[c.w.r.IntN(len(c.users))]
	default:
		return false
	}
	return true
}

// send sends an input to a node. What is acknowledged has to be in the log.
func (c *cup) send(n *node, in tournament.Input) {
	w, life := c.w, n.life
	if in.Kind == tournament.InputEnter {
		c.sent[in.By]++
	}
	n.cup.input(cupInput{in: in, answer: func(err error) {
		var e *errcode.Error
		player := c.state().PlayerIndex(in.By)
		switch isRefused := errors.As(err, &e) && e.Code == errcode.NotAllowed; {
		case n.life != life: // nobody is there to read it
		case isRefused && in.Kind == tournament.InputEnter && c.sent[in.By] == 1 && player >= 0:
			w.fail("user %d was refused with %q, and is in the log", in.By, e.Message)
		case err != nil:
			w.seen["tournament refused"]++
		case in.Kind == tournament.InputEnter && player < 0 && !c.hasLeft(in.By):
			w.fail("user %d has entered, and is not in the log", in.By)
		default:
			w.seen["tournament acknowledged"]++
		}
	}})
}

// hasLeft reports whether a user has left before the start.
func (c *cup) hasLeft(user account.ID) bool {
	return slices.ContainsFunc(c.log[cupID], func(e tournament.Entry) bool { return e.Kind == tournament.EntryLeft && e.User == user })
}

// loadCup reads the tournament into the memory of a process that has started.
func (n *node) loadCup() {
	c, life := n.w.cup, n.life
	if c == nil {
		return
	}
	n.call(func(done func(any)) { done(c.log[cupID]) }, func(answer any, err error) {
		if err != nil {
			n.w.after(500*time.Millisecond, func() {
				if n.life == life {
					n.loadCup()
				}
			})
			return
		}
		r := &cupReplica{n: n, c: c}
		n.cup = r
		r.fold(answer.([]tournament.Entry))
		n.every(pollInterval, func() {
			n.call(func(done func(any)) { done(len(c.log[cupID])) }, func(answer any, err error) {
				if err == nil && answer.(int) != r.state.Version && n.w.broken != noCupFollow {
					r.input(cupInput{follow: true})
				}
			})
		})
		n.every(cupRetry, r.check) // a node without the lease tries to get it
		r.check()
	})
}

// fold takes over a log that this process has not followed.
func (r *cupReplica) fold(log []tournament.Entry) {
	s, err := tournament.Fold(cupID, log)
	if err != nil {
		r.c.w.fail("%s cannot fold the log: %v", r.n.name, err)
		return
	}
	r.adopt(s)
}

func (r *cupReplica) adopt(s tournament.State) {
	r.state = s
	w := r.c.w
	if s.Version < len(r.c.states) && !reflect.DeepEqual(s, r.c.states[s.Version]) {
		w.fail("%s has another state of version %d than the log", r.n.name, s.Version)
	}
	if s.Version >= len(r.c.states) {
		w.fail("%s has version %d, and the log %d", r.n.name, s.Version, len(r.c.log[cupID]))
	}
}

func (r *cupReplica) input(in cupInput) {
	r.queue = append(r.queue, in)
	r.next()
}

func (r *cupReplica) next() {
	if r.busy || len(r.queue) == 0 || r.n.cup != r {
		return
	}
	r.busy = true
	q := r.queue[0]
	r.queue = r.queue[1:]
	if q.follow {
		r.follow(func([]tournament.Entry, bool) { r.done(q, nil) })
		return
	}
	r.step(q)
}

func (r *cupReplica) done(q cupInput, err error) {
	r.busy = false
	if q.answer != nil {
		q.answer(err)
	}
	r.execute()
	r.next()
}

// step makes a step and records it. After a conflict it takes over the log and makes the step again.
func (r *cupReplica) step(q cupInput) {
	n, c, w := r.n, r.c, r.c.w
	if q.attempts++; q.attempts > 20 {
		r.done(q, errStore)
		return
	}
	next, fx := tournament.Step(r.state, q.in, tournament.Now{Time: n.sharedTime(), Degraded: n.keeper.IsDegraded(n.local()), Presence: c.presence})
	r.setTimer(fx.Timer)
	if len(fx.Entries) == 0 {
		r.done(q, fx.Err)
		return
	}
	n.call(func(done func(any)) { done(c.append(fx.After, fx.Entries)) }, func(answer any, err error) {
		switch {
		case err != nil && w.broken == noCupRead, err == nil && answer == nil:
			r.made = next.Version
			r.adopt(next)
			r.done(q, fx.Err)
			return
		case err != nil:
			w.seen["tournament unclear"]++
		default:
			w.seen["tournament conflict"]++
		}
		r.follow(func(log []tournament.Entry, ok bool) {
			switch {
			case !ok:
				r.done(q, errStore)
			case err != nil && w.broken != noCupSearch && len(log) >= next.Version && reflect.DeepEqual(log[fx.After:next.Version], fx.Entries):
				w.seen["tournament recorded unclearly"]++
				r.done(q, fx.Err)
			default:
				r.step(q)
			}
		})
	})
}

// follow takes over the log.
func (r *cupReplica) follow(then func(log []tournament.Entry, ok bool)) {
	r.n.call(func(done func(any)) { done(r.c.log[cupID]) }, func(answer any, err error) {
		if err != nil {
			then(nil, false)
			return
		}
		log, version := answer.([]tournament.Entry), r.state.Version
		if len(log) > version {
			next, err := r.state.With(log[version:])
			if err != nil {
				r.c.w.fail("%s cannot follow the log: %v", r.n.name, err)
				return
			}
			r.adopt(next)
		}
		r.setTimer(tournament.Next(&r.state))
		then(log, true)
	})
}

// setTimer has the tournament checked at a time.
func (r *cupReplica) setTimer(at time.Time) {
	r.timer++
	if timer := r.timer; !at.IsZero() {
		r.c.w.after(max(at.Sub(r.n.sharedTime()), time.Millisecond), func() {
			if r.timer == timer && r.n.cup == r {
				r.check()
			}
		})
	}
}

// check does what is due, if the process has the lease.
func (r *cupReplica) check() {
	r.n.call(func(done func(any)) { done(r.c.acquire(r.n)) }, func(answer any, err error) {
		if err == nil && answer.(bool) && r.n.cup == r && !slices.ContainsFunc(r.queue, func(q cupInput) bool { return !q.follow && q.answer == nil }) {
			r.input(cupInput{in: tournament.Input{Kind: tournament.InputCheck}})
		}
	})
}

// execute makes what the state wants, if the process has the lease, and reads the results.
func (r *cupReplica) execute() {
	if r.executing || r.n.cup != r {
		return
	}
	r.executing = true
	n, c, s := r.n, r.c, r.state
	again := func() {
		c.w.after(cupRetry, func() {
			if n.cup == r {
				r.check()
			}
		})
	}
	n.call(func(done func(any)) {
		if !c.acquire(n) {
			done(nil)
			return
		}
		done(c.perform(r, &s))
	}, func(answer any, err error) {
		r.executing = false
		all, ok := answer.(performed)
		switch {
		case err != nil:
			again()
		case !ok: // another process has the lease
		case !all.complete:
			again()
		case s.IsOver() && len(all.ended) == 0:
			n.call(func(done func(any)) {
				if s.Version == len(c.log[cupID]) {
					set(c.w.store, c.settled, cupID, s.Version)
				}
				done(nil)
			}, func(_ any, err error) {
				if err != nil {
					again()
				}
			})
		}
		for _, in := range all.ended {
			r.input(cupInput{in: in, answer: func(error) {}})
		}
	})
}

// performed is what a process has made of what it wants.
type performed struct {
	complete bool
	ended    []tournament.Input
}

// acquire reports whether a process has the lease; now and then two have it at once.
func (c *cup) acquire(n *node) bool {
	me := fmt.Sprint(n.name, " ", n.life)
	holder, w := c.lease[cupID], c.w
	isHeld := slices.ContainsFunc(w.nodes, func(o *node) bool { return holder == fmt.Sprint(o.name, " ", o.life) && o.up })
	switch {
	case holder == me || w.troubled && w.chance(5):
		return true
	case holder == "" || !isHeld && w.broken != noCupLeaseEnd:
		set(w.store, c.lease, cupID, me)
		return true
	}
	return false
}

// perform makes the games that a state wants, stops others, stores notices, and returns the results. Now and then it ends too early.
func (c *cup) perform(r *cupReplica, s *tournament.State) (all performed) {
	w, want := c.w, tournament.Want(s)
	for _, end := range want.Ends {
		if g, exists := c.games[end.ID]; exists && g.end == nil {
			g.end, g.endedAt = &tournament.MatchEnd{Version: 1}, w.now
			set(w.store, c.games, end.ID, g)
		}
	}
	for _, wanted := range want.Games {
		if w.troubled && w.chance(4) {
			w.seen["tournament stopped between games"]++
			return all
		}
		id := wanted.ID
		if w.broken == noCupGameIDs {
			id = fmt.Sprint(id, " of ", r.n.name, " ", r.n.life)
		}
		g, exists := c.games[id]
		if !exists {
			g = cupGame{round: wanted.Round, table: wanted.Table, seats: wanted.Seats}
			c.createGame(id, g)
		}
		if !slices.Equal(g.seats, wanted.Seats) {
			w.fail("the game %s of %v is wanted for %v", id, g.seats, wanted.Seats)
		}
		if g.end != nil && (w.broken != noCupResults || w.now-g.endedAt < 400*time.Millisecond) {
			all.ended = append(all.ended, tournament.Input{Kind: tournament.InputGameEnded, Round: g.round, Table: g.table, Ended: *g.end})
		}
	}
	for _, n := range want.Notices {
		text, known := c.notices[n.Key]
		switch now := fmt.Sprint(n); {
		case w.broken == noCupNotices && r.made != s.Version:
		case !known:
			set(w.store, c.notices, n.Key, now)
		case text != now:
			w.fail("a notice was %s, and is %s", text, now)
		}
	}
	all.complete = true
	return all
}

// createGame creates the match of a game, which ends after some time.
func (c *cup) createGame(id string, g cupGame) {
	w := c.w
	for other, o := range c.games {
		if o.round == g.round && o.table == g.table {
			w.fail("round %d, table %d has the games %s and %s", g.round, g.table, other, id)
		}
	}
	w.seen["tournament game"]++
	set(w.store, c.games, id, g)
	w.after(w.between(2*time.Second, 50*time.Second), func() { c.endGame(id) })
}

func (c *cup) endGame(id string) {
	w := c.w
	g, exists := c.games[id]
	if !exists || g.end != nil {
		return
	}
	end := &tournament.MatchEnd{Version: 1 + w.r.IntN(60)}
	switch n, what := len(g.seats), w.r.IntN(100); {
	case what < 8:
		end.NoShows = []int{w.r.IntN(n)}
	case what < 13: // the server has aborted it
	case what < 25:
		for range n {
			end.Places = append(end.Places, 1)
		}
	default:
		for _, p := range w.r.Perm(n) {
			end.Places = append(end.Places, p+1)
		}
	}
	g.end, g.endedAt = end, w.now
	set(w.store, c.games, id, g)
	for _, n := range w.nodes { // who may miss it
		if w.chance(80) {
			w.after(w.between(time.Millisecond, 300*time.Millisecond), func() {
				if n.cup != nil {
					n.cup.execute()
				}
			})
		}
	}
}

// presence returns what is known of a user.
func (c *cup) presence(user account.ID) tournament.Presence {
	return tournament.Presence{AbsentSince: c.absent[user]}
}

// append records entries if the log has a version.
func (c *cup) append(after int, entries []tournament.Entry) error {
	w, before := c.w, c.log[cupID]
	if after != len(before) && w.broken != noCupVersion {
		return errConflict
	}
	for i := range entries {
		e := &entries[i]
		last := c.state()
		next, err := last.With(entries[i : i+1])
		if err != nil {
			w.fail("the log cannot go on: %v", err)
			return nil
		}
		if e.Kind == tournament.EntryPaired {
			c.checkPaired(last, &next.Rounds[e.Round-1])
		}
		if e.Kind == tournament.EntryGameEnded {
			c.checkResult(e)
		}
		w.seen["tournament "+string(e.Kind)]++
		w.log("cup: %s %+v", e.Kind, *e)
		c.states = append(c.states, next)
	}
	set(w.store, c.log, cupID, append(slices.Clip(before), entries...))
	c.checkStandings()
	return nil
}

// checkPaired checks that each player who takes part is in a round once, and that the bye goes to one with the fewest.
func (c *cup) checkPaired(before *tournament.State, r *tournament.Round) {
	byes := make(map[int]int)
	for i := range before.Rounds {
		for _, g := range before.Rounds[i].Games {
			if g.Kind == tournament.GameBye && g.Points[0] == tournament.Point {
				byes[g.Seats[0]]++
			}
		}
	}
	seen := make(map[int]int)
	fewest, bye := len(before.Rounds), -1
	for _, g := range r.Games {
		for _, p := range g.Seats {
			seen[p]++
			if g.Table > 0 {
				fewest = min(fewest, byes[p])
			}
		}
		if g.Kind == tournament.GameBye && g.Points[0] == tournament.Point {
			bye = g.Seats[0]
		}
	}
	if bye >= 0 && before.Terms.Format == tournament.FormatSwiss && byes[bye] > fewest {
		c.w.fail("the bye of round %d goes to a player with %d, and another has %d", r.Number, byes[bye], fewest)
	}
	for i := range before.Players {
		p := &before.Players[i]
		isOf := !(before.Terms.Format == tournament.FormatRoundRobin) // whose schedule has those who have withdrawn
		if n := seen[i]; n > 1 || n == 0 && p.IsIn() && (isOf || p.Division > 0) || n == 1 && isOf && !p.IsIn() {
			c.w.fail("player %d (%s) is in round %d %d times", i, p.Status, r.Number, n)
		}
	}
}

// checkResult checks that the result of a game is that of its match.
func (c *cup) checkResult(e *tournament.Entry) {
	for _, g := range c.games {
		if g.round != e.Round || g.table != e.Table {
			continue
		}
		if g.end == nil || e.Outcome == tournament.GamePlayed && !slices.Equal(g.end.Places, e.Places) || !slices.Equal(g.end.NoShows, e.NoShows) && len(e.NoShows) > 0 {
			c.w.fail("round %d, table %d ended as %+v, and the match as %+v", e.Round, e.Table, e, g.end)
		}
		return
	}
	c.w.fail("round %d, table %d has a result and no match", e.Round, e.Table)
}

// checkStandings checks that points are those of the games, and that possible places only become fewer.
func (c *cup) checkStandings() {
	s, w := c.state(), c.w
	points := make([]int, len(s.Players))
	for _, r := range s.Rounds {
		for _, g := range r.Games {
			for seat, n := range g.Points {
				points[g.Seats[seat]] += n
			}
		}
	}
	isAnnulled := slices.ContainsFunc(s.Players, func(p tournament.Player) bool { return p.Annulled })
	for _, at := range s.Standings() {
		if !isAnnulled && at.Points != points[at.Player] {
			w.fail("player %d has %d/120 points, and their games brought %d/120", at.Player, at.Points, points[at.Player])
		}
	}
	now := s.PossiblePlaces()
	for i, r := range now {
		if c.places != nil && i < len(c.places) && (r.Best < c.places[i].Best || r.Worst > c.places[i].Worst) {
			w.fail("player %d could reach %+v, and now %+v", i, c.places[i], r)
		}
	}
	if now != nil {
		c.places = now
	}
}

// watch checks each second after the faults that rounds end by their caps and results count, and whether all is done.
func (c *cup) watch() {
	w, s := c.w, c.state()
	w.after(time.Second, c.watch)
	now := w.storeTime()
	for i := range s.Rounds {
		r := &s.Rounds[i]
		if !r.Ended.IsZero() || s.IsOver() {
			continue
		}
		limit := r.Deadline
		if warned := r.Warned.Add(cupCap / 2); r.Warned.IsZero() || warned.After(limit) {
			limit = limit.Add(cupCap / 2)
		}
		// Trouble is over for cupSlack, in which the time of a round may have been up.
		if now.Sub(limit) > cupSlack && w.now > cupTrouble+cupCap+2*cupSlack {
			w.fail("round %d goes on, and its time was up at %v", r.Number, limit.Sub(epoch))
		}
	}
	for id, g := range c.games {
		known, ok := s.Game(g.round, g.table)
		if ok && g.end != nil && !known.IsOver() && !s.IsOver() && w.now-g.endedAt > cupSlack && w.now > cupTrouble+2*cupSlack {
			w.fail("the game %s has ended at %v, and counts as running", id, g.endedAt)
		}
	}
	if !s.IsOver() {
		if w.now > cupLimit {
			w.fail("it does not end: %s, round %d of %d", s.Phase, len(s.Rounds), s.Planned)
		}
		return
	}
	if c.overAt == 0 {
		c.overAt = w.now
	}
	if c.isDone = c.whatIsMissing() == ""; !c.isDone && w.now-c.overAt > 2*cupSlack && w.now > cupTrouble+2*cupSlack {
		w.fail("after the end: %s", c.whatIsMissing())
	}
	if c.isDone {
		w.seen["tournament is "+string(s.Phase)]++
	}
}

// whatIsMissing returns what is not done after the end; "": nothing.
func (c *cup) whatIsMissing() string {
	s := c.state()
	for _, n := range c.w.nodes {
		if n.cup == nil || !reflect.DeepEqual(n.cup.state, *s) {
			return n.name + " does not have the last state"
		}
	}
	for _, n := range tournament.Want(s).Notices {
		if _, ok := c.notices[n.Key]; !ok {
			return "the notice " + n.Key + " is not stored"
		}
	}
	if c.settled[cupID] != s.Version {
		return "it is not settled"
	}
	return ""
}

// TestTournaments runs seeds with a tournament on two or three nodes, whatever happens to them and the store.
func TestTournaments(t *testing.T) {
	runSeeds(t, "TestTournaments", runCup, max(*seeds/4, 60), []string{
		"tournament conflict", "tournament unclear", "tournament recorded unclearly", "tournament stopped between games",
		"tournament entered", "tournament left", "tournament withdrew", "tournament paused", "tournament resumed", "tournament bye_asked", "tournament checked_in", "tournament let_in",
		"tournament paired", "tournament game_ended", "tournament ruled", "tournament warned", "tournament round_over", "tournament is closed",
		"node dies", "node is cut off", "store is down",
	})
}
