package match

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

var (
	seed  = flag.Uint64("seed", 0, "run this seed of TestNodesShareALog only")
	seeds = flag.Uint64("seeds", 300, "how many seeds TestNodesShareALog runs")
)

// TestNodesShareALog simulates nodes with replicas of one match on one log. Requests are executed late and
// between those of other nodes, appends fail before or after they are recorded, reading fails, nodes
// restart, and players come and go. Whatever happens, an acknowledged turn stays in the log where it was
// acknowledged, nothing is recorded that nobody sent, and in the end all replicas are equal.
func TestNodesShareALog(t *testing.T) {
	seen := make(map[string]int)
	if *seed != 0 {
		newSimulation(t, *seed, seen).run()
		return
	}
	for s := uint64(1); s <= *seeds && !t.Failed(); s++ {
		newSimulation(t, s, seen).run()
	}
	// The seeds reach what they are for.
	for _, what := range []string{"conflict", "unclear", "lost", "unread", "restart", "turn", "stale_version", "unavailable",
		engine.ReasonTime, engine.ReasonAbort, engine.ReasonResign, engine.ReasonDraw, engine.ReasonLeft, "undo", "credit",
		"followed", "follow by reading", "agreements conflict", string(AbortPlayer)} {
		if seen[what] == 0 && *seeds >= 300 {
			t.Errorf("no seed had %q: %v", what, seen)
		}
	}
}

// simulation is a run of TestNodesShareALog. Its store and its clocks are simulated, and one goroutine does
// everything in an order that follows from the seed.
type simulation struct {
	t     *testing.T
	seed  uint64
	r     *rand.Rand
	info  *Info
	log   simulatedLog
	row   simulatedRow // of the agreements
	now   time.Time
	nodes []*replica
	away  []Presence
	seen  map[string]int

	acknowledged map[int]*Command  // turns by the version that they made
	aborters     map[int]bool      // seats that have sent CommandAbort
	sent         map[AppendID]bool // every append that a node has asked for
}

// replica is a node's state of the match, and the request that it waits for.
type replica struct {
	state   State
	request Effects  // outstanding; RequestNone: there is none
	command *Command // that is being executed; nil: none
	timer   time.Time
}

func newSimulation(t *testing.T, seed uint64, seen map[string]int) *simulation {
	r := rand.New(rand.NewPCG(seed, 0))
	control := []clock.Control{live, live, inDays, untimed}[r.IntN(4)]
	s := &simulation{t: t, seed: seed, r: r, now: began, seen: seen, acknowledged: make(map[int]*Command), aborters: make(map[int]bool), sent: make(map[AppendID]bool)}
	if r.IntN(3) == 0 {
		s.info = three(t, control)
	} else {
		s.info = duel(t, control)
	}
	s.away = make([]Presence, len(s.info.Seats))
	for range 2 + r.IntN(2) {
		s.nodes = append(s.nodes, new(replica))
		s.restart(s.nodes[len(s.nodes)-1], false)
	}
	return s
}

func (s *simulation) fatalf(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s\nagain: go test ./lobby/match -run TestNodesShareALog -seed %d", fmt.Sprintf(format, args...), s.seed)
}

func (s *simulation) run() {
	for range 150 {
		s.act()
		s.check()
	}
	s.heal()
}

// act lets one thing happen.
func (s *simulation) act() {
	n := s.nodes[s.r.IntN(len(s.nodes))]
	switch s.r.IntN(24) {
	case 20, 21, 22:
		if n.request.Request == RequestNone {
			s.follow(n)
		}
	case 0:
		s.now = s.now.Add(time.Duration(s.r.IntN(100)) * time.Second)
	case 1:
		if s.r.IntN(10) == 0 {
			s.now = s.now.Add(time.Duration(s.r.IntN(100)) * time.Hour)
		}
	case 2:
		s.away[s.r.IntN(len(s.away))] = Presence{AbsentSince: s.now, Dropped: s.r.IntN(2) == 0}
	case 3:
		s.away[s.r.IntN(len(s.away))] = Presence{}
	case 4:
		s.log.unread = s.r.IntN(3) == 0
	case 5:
		if s.r.IntN(5) == 0 {
			s.restart(n, true)
		}
	case 6, 7, 8, 9, 10:
		if n.request.Request != RequestNone {
			s.execute(n)
		}
	case 11:
		if n.request.Request == RequestNone && !n.timer.IsZero() && !n.timer.After(s.now) {
			s.step(n, Input{Kind: InputCheck, MayRetry: true})
		}
	default:
		if n.request.Request == RequestNone {
			n.command = s.command(n)
			s.step(n, Input{Kind: InputCommand, Command: n.command})
		}
	}
}

// follow notifies a node of what others have recorded, or of something that does not fit its log.
func (s *simulation) follow(n *replica) {
	known := n.state.log.entries
	in := Input{Kind: InputLogFollowed, After: NewLogEnd(known)}
	switch {
	case s.r.IntN(3) == 0 && s.row.version > 0:
		in = Input{Kind: InputAgreementsFollowed, Agreements: s.row.data, AgreementsVersion: s.row.version}
	case s.r.IntN(8) == 0: // late, or twice
		version := s.r.IntN(len(s.log.entries) + 1)
		in.After, in.Entries = NewLogEnd(s.log.entries[:version]), slices.Clone(s.log.entries[version:])
	case len(known) <= len(s.log.entries):
		in.Entries = slices.Clone(s.log.entries[len(known):])
	}
	s.step(n, in)
	if n.request.Request == RequestNone {
		s.seen["followed"]++
	} else {
		s.seen["follow by reading"]++
	}
}

// command returns a command on a node, mostly one that its state accepts.
func (s *simulation) command(n *replica) *Command {
	seat := s.r.IntN(len(s.info.Seats))
	c := &Command{Seat: seat, At: s.now, Version: n.state.Version()}
	switch s.r.IntN(16) {
	case 0:
		c.Kind, c.Claim = CommandClaim, []string{"win", "draw"}[s.r.IntN(2)]
	case 1:
		c.Kind, c.Target = CommandVote, s.r.IntN(len(s.info.Seats))
	case 2, 3, 4:
		c.Kind, c.Offer = CommandOffer, []OfferKind{OfferDraw, OfferUndo, OfferUndo}[s.r.IntN(3)]
		if open := n.state.offers; len(open) > 0 {
			c.Offer, c.Seat = open[0].Kind, 1-open[0].Seat
		}
	case 5:
		c.Kind, c.Offer = CommandRefuse, OfferDraw
	case 6:
		if what := s.r.IntN(10); what < 2 {
			c.Kind = []CommandKind{CommandResign, CommandAbort}[what]
			s.aborters[c.Seat] = s.aborters[c.Seat] || c.Kind == CommandAbort
			break
		}
		fallthrough
	default:
		if c.Kind = CommandTurn; n.state.IsOver() {
			break
		}
		for p := n.state.position; ; {
			legal := p.Legal()
			c.Actions = append(c.Actions, legal[s.r.IntN(len(legal))])
			p, _ = p.Play(c.Actions[len(c.Actions)-1])
			if c.Seat = n.state.position.Turn(); !p.MidTurn() {
				break
			}
		}
	}
	return c
}

// restart lets a node read the match from the store again; what it was doing is lost. A request that it had
// sent may still be executed.
func (s *simulation) restart(n *replica, resumed bool) {
	if (n.request.Request == RequestAppend || n.request.Request == RequestAgreements) && s.r.IntN(2) == 0 {
		s.execute(n)
	}
	if s.log.unread {
		return
	}
	s.seen["restart"]++
	state, err := New(s.info, slices.Clone(s.log.entries))
	if err != nil {
		s.fatalf("%v", err)
	}
	*n = replica{state: state}
	s.step(n, Input{Kind: InputBegin, Resumed: resumed})
}

// step passes an input to a node.
func (s *simulation) step(n *replica, in Input) {
	now := Now{Time: s.now, Presence: s.away}
	for i := range now.AppendID {
		now.AppendID[i] = byte(s.r.Uint32())
	}
	before := n.state.Version()
	next, fx := Step(n.state, in, now)
	n.state, n.request, n.timer = next, fx, fx.Timer
	if fx.Request == RequestAppend {
		s.sent[NewLogEnd(fx.Entries).Last] = true
	}
	if fx.Report != nil {
		s.fatalf("reported: %v", fx.Report.Err)
	}
	if fx.Answered {
		s.answered(n, fx)
	}
	if in.Kind == InputAppendConflict && n.state.Version() != before {
		s.fatalf("a conflict changed the replica before the log was read")
	}
}

// answered records the answer to a command.
func (s *simulation) answered(n *replica, fx Effects) {
	c := n.command
	n.command = nil
	if fx.Err != nil {
		s.seen[string(code(fx.Err))]++
		return
	}
	if c.Kind == CommandTurn {
		if other := s.acknowledged[fx.Made]; other != nil {
			s.fatalf("two turns made version %d: %+v and %+v", fx.Made, other, c)
		}
		s.acknowledged[fx.Made] = c
		s.seen["turn"]++
	}
}

// execute executes the request of a node.
func (s *simulation) execute(n *replica) {
	fx := n.request
	var in Input
	switch fx.Request {
	case RequestAppend:
		result := []outcome{recorded, recorded, recorded, recorded, recorded, unclear, notRecorded}[s.r.IntN(7)]
		s.log.appends = func() outcome { return result }
		if in = s.log.append(fx.After, fx.Conditions, fx.Entries); in.Kind == InputAppendConflict {
			s.seen["conflict"]++
			break
		}
		s.seen[[]string{"recorded", "unclear", "lost"}[result]]++
	case RequestLog:
		if in = s.log.read(); in.Kind == InputLogUnread {
			s.seen["unread"]++
		}
	case RequestRatings:
		in = Input{Kind: InputRatingsRead}
	case RequestConditions:
		in = Input{Kind: []InputKind{InputConditionsRead, InputConditionsRead, InputConditionsUnread}[s.r.IntN(3)], Conditions: s.log.conditions}
	case RequestRefresh:
		in = Input{Kind: []InputKind{InputRefreshed, InputRefreshed, InputRefreshFailed}[s.r.IntN(3)]}
		s.seen[[]string{"presence read", "presence unread"}[in.Kind-InputRefreshed]]++
	case RequestAgreements:
		result := []outcome{recorded, recorded, recorded, recorded, unclear, notRecorded}[s.r.IntN(6)]
		s.row.writes = func() outcome { return result }
		if in = s.row.write(fx.Agreements, fx.AgreementsVersion); in.Kind == InputAgreementsConflict {
			s.seen["agreements conflict"]++
		}
	default:
		s.fatalf("an unexpected request: %+v", fx)
	}
	s.step(n, in)
}

// check checks what always holds.
func (s *simulation) check() {
	for version, c := range s.acknowledged {
		if version > len(s.log.entries) {
			s.fatalf("acknowledged turn %d is missing: %+v", version, c)
		}
		if e := s.log.entries[version-1]; e.Kind != EntryTurn || e.Seat != c.Seat || !slices.Equal(e.Actions, c.Actions) {
			s.fatalf("acknowledged turn %d is %+v in the log, not %+v", version, e, c)
		}
	}
	recorded := make(map[AppendID]bool)
	for i, e := range s.log.entries {
		switch {
		case e.AppendID == AppendID{}: // the end follows
		case !s.sent[e.AppendID]:
			s.fatalf("entry %d was not sent: %+v", i+1, e)
		case recorded[e.AppendID]:
			s.fatalf("entry %d is recorded twice: %+v", i+1, e)
		}
		recorded[e.AppendID] = true
		if i > 0 && e.At.Before(s.log.entries[i-1].At) {
			s.fatalf("entry %d is earlier than the one before: %+v", i+1, e)
		}
	}
	for i, n := range s.nodes {
		if v := n.state.Version(); v > len(s.log.entries) {
			s.fatalf("node %d has version %d, the log %d", i, v, len(s.log.entries))
		}
		for v, e := range n.state.log.entries {
			if in := s.log.entries[v]; in.Digest != e.Digest || in.Kind != e.Kind || !in.At.Equal(e.At) {
				s.fatalf("entry %d is %+v on node %d, and %+v in the log", v+1, e, i, in)
			}
		}
	}
}

// heal lets the store work and every node finish, and compares the replicas after the match has ended.
func (s *simulation) heal() {
	s.log.unread = false
	resign := func(n *replica) {
		for n.request.Request != RequestNone {
			s.execute(n)
		}
		n.command = &Command{Kind: CommandResign, Seat: s.r.IntN(len(s.info.Seats)), At: s.now}
		s.step(n, Input{Kind: InputCommand, Command: n.command})
		for n.request.Request != RequestNone {
			s.execute(n)
		}
		s.now = s.now.Add(time.Second)
	}
	for _, n := range s.nodes {
		for i := 0; !n.state.IsOver(); i++ {
			if i > 200 {
				s.fatalf("the match does not end: %s", describe(n.state.Snapshot(Now{Time: s.now, Presence: s.away})))
			}
			resign(n)
			s.check()
		}
	}
	if err := VerifyLog(s.info, s.log.entries); err != nil {
		s.fatalf("%v", err)
	}
	s.checkTimes()
	s.checkAbort()
	for _, n := range s.nodes {
		if s.row.version > 0 {
			s.step(n, Input{Kind: InputAgreementsFollowed, Agreements: s.row.data, AgreementsVersion: s.row.version})
		}
	}
	first := s.nodes[0].state.Snapshot(Now{Time: s.now, Presence: s.away})
	for _, n := range s.nodes[1:] {
		if a, b := s.nodes[0].state.agreements, n.state.agreements; fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			s.fatalf("the agreements differ:\n%+v\n%+v", a, b)
		}
		o := n.state.Snapshot(Now{Time: s.now, Presence: s.away})
		if o.Version != first.Version || Digest(o.Position) != Digest(first.Position) || !slices.Equal(o.Clocks, first.Clocks) {
			s.fatalf("the replicas differ:\n%s\n%s", describe(first), describe(o))
		}
	}
	s.count()
}

// checkTimes checks that a seat loses or leaves because of its clock only when the time has run out that the
// entry before gave it, so that no node acts on an older state.
func (s *simulation) checkTimes() {
	for i, e := range s.log.entries {
		seat := e.Seat
		switch {
		case i == 0:
			continue
		case e.Kind == EntryEnd && e.Result.Reason == engine.ReasonTime && len(s.info.Seats) == 2:
			seat = 1 - e.Result.Winners[0]
		case e.Kind != EntryLeave || e.Reason != LeftTime:
			continue
		}
		before := s.log.entries[i-1]
		limit := before.Clocks[seat]
		if made := turnsOf(s.log.entries[:i], seat); made == 0 && s.info.Control.IsLive() {
			limit = min(limit, firstTurnLimit(s.info.Control)) // with credit after a restart
		}
		if used := e.At.Sub(before.At); used < limit {
			s.fatalf("seat %d is out of time after %v of %v", seat, used, limit)
		}
	}
}

// checkAbort checks that players have aborted a match only while one of two seats had made no turn, as the seat that
// sent the command.
func (s *simulation) checkAbort() {
	end := len(s.log.entries) - 1
	if e := s.log.entries[end]; e.Reason == string(AbortPlayer) {
		if turnsOf(s.log.entries[:end], 0) > 0 && turnsOf(s.log.entries[:end], 1) > 0 || len(s.info.Seats) != 2 || !s.aborters[e.Seat] {
			s.fatalf("aborted: %+v", e)
		}
	}
}

// turnsOf returns the number of turns of a seat that were not taken back.
func turnsOf(log []Entry, seat int) (n int) {
	for _, e := range turnEntries(log) {
		if e.Kind == EntryTurn && e.Seat == seat {
			n++
		}
	}
	return n
}

// count counts what the log has.
func (s *simulation) count() {
	for _, e := range s.log.entries {
		switch e.Kind {
		case EntryEnd:
			s.seen[e.Result.Reason]++
			s.seen[e.Reason]++
		case EntryUndo:
			s.seen["undo"]++
		case EntryCredit:
			s.seen["credit"]++
		}
	}
}

func code(err error) errcode.Code {
	var e *errcode.Error
	errors.As(err, &e)
	return e.Code
}
