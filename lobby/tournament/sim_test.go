package tournament

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
)

// simulation is a tournament on two nodes that share a log, with users who enter, leave, pause and do not come, with inputs that
// come twice and late, and with nodes that fail between any two of their actions.
type simulation struct {
	t     *testing.T
	r     *rand.Rand
	seed  uint64
	now   time.Time
	log   [][]byte // as stored
	nodes [2]State
	users int

	matches  map[string]*simMatch // that were created
	notices  map[string]bool
	absent   map[account.ID]time.Time
	possible []PlaceRange
	state    State // after the log
	refusals int
}

// simMatch is a match of the world.
type simMatch struct {
	want WantedGame
	end  *MatchEnd // nil: running
}

func (m *simMatch) input() Input {
	return Input{Kind: InputGameEnded, Round: m.want.Round, Table: m.want.Table, Ended: *m.end}
}

func newSimulation(t *testing.T, seed uint64) *simulation {
	s := &simulation{
		t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 1)), now: began, matches: make(map[string]*simMatch),
		notices: make(map[string]bool), absent: make(map[account.ID]time.Time),
	}
	formats := []Format{FormatSwiss, FormatRoundRobin, FormatTables}
	format := formats[seed%3]
	request := Request{Clock: live, Cap: 1 + s.r.IntN(5)}
	if s.r.IntN(3) == 0 {
		request.Clock, request.Cap = &clock.Control{Days: 2}, 24+s.r.IntN(200)
	}
	if s.r.IntN(2) == 0 {
		request.Start = began.Add(time.Hour)
	}
	if s.r.IntN(3) == 0 {
		request.Elsewhere = ElsewhereAbsent
	}
	if format == FormatRoundRobin {
		request.Legs, request.Divisions = 1+s.r.IntN(2), 1+s.r.IntN(2)
	} else if s.r.IntN(2) == 0 {
		request.Rounds = 1 + s.r.IntN(6)
	}
	s.users = 3 + s.r.IntN(14)
	s.nodes = [2]State{{ID: "sim"}, {ID: "sim"}}
	s.step(0, Input{Kind: InputCreate, By: organizer, Terms: termsOf(t, format, request), Seed: s.r.Uint64()})
	return s
}

func (s *simulation) fatalf(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("seed %d, version %d: %s", s.seed, len(s.log), fmt.Sprintf(format, args...))
}

// fold returns the state after the stored log.
func (s *simulation) fold() State {
	s.t.Helper()
	log := make([]Entry, len(s.log))
	for i, data := range s.log {
		var err error
		if log[i], err = Decode(data, enginetest.Games); err != nil {
			s.fatalf("%v", err)
		}
	}
	state, err := Fold("sim", log)
	if err != nil {
		s.fatalf("%v", err)
	}
	return state
}

// follow returns the state with what another node has recorded.
func (s *simulation) follow(state State) State {
	s.t.Helper()
	for _, data := range s.log[state.Version:] {
		e, err := Decode(data, enginetest.Games)
		if err != nil {
			s.fatalf("%v", err)
		}
		if state, err = state.With([]Entry{e}); err != nil {
			s.fatalf("%v", err)
		}
	}
	return state
}

// step lets a node react to an input, which it repeats after a conflict.
func (s *simulation) step(node int, in Input) {
	s.t.Helper()
	for range 2 {
		// Clocks of nodes differ.
		now := Now{Time: s.now.Add(time.Duration(s.r.IntN(200)-100) * time.Millisecond), Presence: func(u account.ID) Presence {
			return Presence{AbsentSince: s.absent[u], IsElsewhere: u%7 == 3}
		}}
		before := s.nodes[node]
		next, effects := Step(before, in, now)
		if effects.Err != nil {
			s.refusals++
		}
		switch {
		case effects.After != len(s.log): // another node was first
			s.nodes[node] = s.follow(before)
			continue
		case s.r.IntN(20) == 0: // the append fails, and nothing is recorded
			return
		}
		for i := range effects.Entries {
			data, err := Encode(&effects.Entries[i])
			if err != nil {
				s.fatalf("%v", err)
			}
			s.log = append(s.log, data)
		}
		if s.r.IntN(20) == 0 { // the node fails after the append, before the effects
			s.nodes[node] = s.fold()
		} else {
			s.nodes[node] = next
		}
		if s.nodes[node].Version != len(s.log) {
			s.fatalf("the state has version %d", s.nodes[node].Version)
		}
		if len(effects.Entries) > 0 {
			s.state = s.nodes[node]
			s.check(effects.Entries)
		}
		s.do(Want(&s.nodes[node]))
		return
	}
}

// do makes what a state wants and the world lacks; some of it at a time, as if the node failed.
func (s *simulation) do(w Wanted) {
	for _, g := range w.Games {
		if s.r.IntN(10) == 0 {
			return
		}
		if m := s.matches[g.ID]; m == nil {
			s.matches[g.ID] = &simMatch{want: g}
		} else if !slices.Equal(m.want.Seats, g.Seats) {
			s.fatalf("the match of round %d, table %d has the seats %v, and now %v", g.Round, g.Table, m.want.Seats, g.Seats)
		}
	}
	for _, end := range w.Ends {
		if m := s.matches[end.ID]; m != nil && m.end == nil {
			m.end = &MatchEnd{Version: 5}
		}
	}
	for _, n := range w.Notices {
		s.notices[n.Key] = true
	}
}

// run lets the world act until the tournament is over.
func (s *simulation) run() {
	s.t.Helper()
	for i := 0; ; i++ {
		if i > 20_000 {
			s.fatalf("it does not end: %s in round %d", s.state.Phase, len(s.state.Rounds))
		}
		if s.state.IsOver() {
			break
		}
		if i > 1000 && !s.state.HasStarted() { // too few users for the terms
			s.step(0, Input{Kind: InputCancel, By: organizer, Note: "too few users"})
		}
		s.act()
	}
	again := s.fold()
	for node := range s.nodes {
		if s.nodes[node].Version == len(s.log) && !reflect.DeepEqual(again, s.nodes[node]) {
			s.fatalf("folding leads to another state than running")
		}
	}
	for range 5 { // late inputs change nothing
		before := len(s.log)
		s.act()
		if len(s.log) != before {
			s.fatalf("an input after the end is recorded")
		}
	}
}

// act does one thing.
func (s *simulation) act() {
	s.t.Helper()
	node, user := s.r.IntN(2), account.ID(1+s.r.IntN(s.users))
	switch n := s.r.IntN(100); {
	case n < 40:
		s.endMatch(node)
	case n < 60:
		step := time.Duration(1+s.r.IntN(120)) * time.Second
		if !s.state.Terms.Control.IsLive() {
			step *= 200
		}
		s.now = s.now.Add(step)
		s.step(node, Input{Kind: InputCheck})
	case n < 75:
		if s.state.HasStarted() && s.r.IntN(4) > 0 {
			return
		}
		s.step(node, Input{Kind: InputEnter, By: user, Entrant: Entrant{Rating: 1200 + 37*int(user)}})
	case n < 80:
		s.step(node, Input{Kind: InputCheckIn, By: user})
	case n < 85:
		kinds := []InputKind{InputPause, InputResume, InputResume, InputResume, InputAskBye}
		s.step(node, Input{Kind: kinds[s.r.IntN(len(kinds))], By: user, Round: len(s.state.Rounds) + 1 + s.r.IntN(2)})
	case n < 86:
		kinds := []InputKind{InputWithdraw, InputRemove, InputLetIn}
		s.step(node, Input{Kind: kinds[s.r.IntN(len(kinds))], By: user, User: user, Moderator: true, Note: "seen"})
	case n < 91:
		if s.absent[user].IsZero() && s.r.IntN(3) == 0 {
			s.absent[user] = s.now
		} else {
			delete(s.absent, user)
		}
	case n < 93:
		s.step(node, Input{Kind: InputStart, By: organizer})
	case n < 94:
		s.step(node, Input{Kind: InputRule, By: organizer, Round: len(s.state.Rounds), Table: 1, Note: "seen"})
	case n < 95 && s.r.IntN(8) == 0:
		s.step(node, Input{Kind: InputBan, User: user})
	case n < 96 && s.r.IntN(4) == 0:
		s.step(node, Input{Kind: InputExtend, By: organizer, Hours: 1})
	case n < 97:
		s.nodes[node] = s.fold() // a restart
	}
}

// endMatch ends a match of the world or reports one that has ended, again.
func (s *simulation) endMatch(node int) {
	s.t.Helper()
	ids := make([]string, 0, len(s.matches))
	for id := range s.matches {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return
	}
	slices.Sort(ids)
	m := s.matches[ids[s.r.IntN(len(ids))]]
	if s.r.IntN(3) > 0 { // rather one that is running
		for _, id := range ids {
			if s.matches[id].end == nil {
				m = s.matches[id]
				break
			}
		}
	}
	if m.end == nil {
		end := &MatchEnd{Version: 1 + s.r.IntN(60)}
		switch n := len(m.want.Seats); s.r.IntN(12) {
		case 0:
			end.NoShows = []int{s.r.IntN(n)}
		case 1: // the server has aborted it
		case 2:
			end.Places = drawnPlaces(n)
		default:
			for _, p := range s.r.Perm(n) {
				end.Places = append(end.Places, p+1)
			}
		}
		m.end = end
	}
	s.step(node, m.input())
}

// check fails if an invariant does not hold after entries.
func (s *simulation) check(entries []Entry) {
	s.t.Helper()
	for i := range entries {
		if entries[i].Kind == EntryPaired {
			s.checkRound(&s.state.Rounds[entries[i].Round-1], &entries[i])
		}
	}
	ids := make(map[string]bool)
	points := make([]int, len(s.state.Players))
	for _, r := range s.state.Rounds {
		end := r.Ended
		if end.IsZero() {
			end = s.now
		}
		notice := min(capNotice, s.state.Terms.Cap/2)
		if !s.state.IsOver() && end.After(later(r.Deadline, r.Warned.Add(notice)).Add(24*time.Hour)) && !r.Warned.IsZero() {
			s.fatalf("round %d goes on until %v, and its time was up at %v", r.Number, end, r.Deadline)
		}
		for _, g := range r.Games {
			id := MatchID("sim", g.Round, g.Table)
			if g.Table > 0 && ids[id] {
				s.fatalf("two games have the id of round %d, table %d", g.Round, g.Table)
			}
			ids[id] = true
			if s.state.counts(g) {
				for seat, n := range g.Points {
					points[g.Seats[seat]] += n
				}
			}
		}
	}
	for _, at := range s.state.Standings() {
		if at.Points != points[at.Player] {
			s.fatalf("player %d has %d/120, and the games bring %d/120", at.Player, at.Points, points[at.Player])
		}
	}
	s.checkPossible()
}

// checkPossible fails if more places are possible than before, or another than the final one.
func (s *simulation) checkPossible() {
	s.t.Helper()
	now := s.state.PossiblePlaces()
	for i, r := range now {
		if r.Best > r.Worst {
			s.fatalf("player %d can reach %+v", i, r)
		}
		if s.possible != nil && (r.Best < s.possible[i].Best || r.Worst > s.possible[i].Worst) {
			s.fatalf("player %d could reach %+v, and now %+v", i, s.possible[i], r)
		}
	}
	if now != nil {
		s.possible = now
	}
}

// checkRound fails unless everyone who is in is in the round once, byes are even, and pairs repeat only where they must.
func (s *simulation) checkRound(r *Round, e *Entry) {
	s.t.Helper()
	before := s.foldTo(e)
	seen := make(map[int]int)
	for _, g := range r.Games {
		for _, p := range g.Seats {
			seen[p]++
		}
	}
	for i := range before.Players {
		p := &before.Players[i]
		want := 0
		if p.IsIn() || p.Division > 0 && before.inRound(i, r) {
			want = 1
		}
		if seen[i] != want && (before.Terms.Format != FormatRoundRobin || seen[i] > 1) {
			s.fatalf("player %d (%s) is in round %d %d times", i, p.Status, r.Number, seen[i])
		}
	}
	if before.Terms.Format != FormatSwiss {
		return
	}
	able, paired, _ := s.state.pairedRound(r.Number, -1)
	all := s.state.entrants(able, r.Number)
	if paired.Bye >= 0 {
		for i := range all {
			if all[i].Byes < all[paired.Bye].Byes {
				s.fatalf("a player with more byes than another has the one of round %d", r.Number)
			}
		}
	}
	repeats := 0
	for _, p := range paired.Pairs {
		if slices.Contains(all[p.First].Opponents, p.Second) {
			repeats++
		}
	}
	if repeats > 0 && len(able) <= 8 && len(able)%2 == 0 {
		left := allSeats(len(able))
		if fewestRepeats(left, func(a, b int) bool { return slices.Contains(all[a].Opponents, b) }) < repeats {
			s.fatalf("%d pairs of round %d repeat, and fewer would do", repeats, r.Number)
		}
	}
}

// inRound reports whether a player has a seat in a round.
func (s *State) inRound(player int, r *Round) bool {
	return slices.ContainsFunc(r.Games, func(g *Game) bool { return g.seatOf(player) >= 0 })
}

// fewestRepeats tries all pairings.
func fewestRepeats(left []int, met func(a, b int) bool) int {
	if len(left) == 0 {
		return 0
	}
	best := len(left)
	for i := 1; i < len(left); i++ {
		n := fewestRepeats(slices.Delete(slices.Clone(left[1:]), i-1, i), met)
		if met(left[0], left[i]) {
			n++
		}
		best = min(best, n)
	}
	return best
}

// foldTo returns the state before a round was paired.
func (s *simulation) foldTo(e *Entry) State {
	s.t.Helper()
	state := State{ID: "sim"}
	for _, data := range s.log {
		entry, err := Decode(data, enginetest.Games)
		if err != nil {
			s.fatalf("%v", err)
		}
		if entry.Kind == EntryPaired && entry.Round == e.Round {
			return state
		}
		if state, err = state.apply(&entry); err != nil {
			s.fatalf("%v", err)
		}
	}
	return state
}

// TestSimulation runs tournaments of all formats from seeds, on two nodes that fail.
func TestSimulation(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 90
	}
	ends := make(map[Phase]int)
	rounds, refusals := 0, 0
	for seed := range seeds {
		s := newSimulation(t, seed)
		if s.state.Version == 0 { // the first append has failed
			continue
		}
		s.run()
		ends[s.state.Phase]++
		rounds += len(s.state.Rounds)
		refusals += s.refusals
	}
	if ends[PhaseClosed] < int(seeds)/3 || rounds < int(seeds) || refusals == 0 {
		t.Errorf("the ends are %v, with %d rounds and %d refusals", ends, rounds, refusals)
	}
	t.Logf("%d tournaments: %v, %d rounds, %d refusals", seeds, ends, rounds, refusals)
}
