package match

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
)

// conditionsOf returns what is armed for a seat.
func (n *node) conditionsOf(seat int) Conditions {
	n.t.Helper()
	c, err := ReadConditions(n.log.conditions.Row(seat), n.log.entries)
	if err != nil {
		n.t.Error(err)
	}
	return c
}

// change stores conditions of a seat, as a Store does.
func (n *node) change(seat int, do func(Conditions) (Conditions, error)) error {
	n.t.Helper()
	s := n.state.Snapshot(n.now)
	if err := s.CheckChange(seat, s.Version); err != nil {
		return err
	}
	next, err := do(n.conditionsOf(seat))
	if err == nil {
		n.store(next.Row(n.log.conditions.Row(seat).Version))
	}
	return err
}

func (n *node) store(r ConditionsRow) {
	stored := &n.log.conditions
	stored.Rows = append(slices.DeleteFunc(slices.Clone(stored.Rows), func(o ConditionsRow) bool { return o.Seat == r.Seat }), r)
	stored.Version = max(stored.Version, 1) + 1
}

// arm stores a condition of the seat that is not to move: turns of one action each, separated by spaces.
func (n *node) arm(turns string) error {
	n.t.Helper()
	seat := 1 - n.state.position.Turn()
	return n.change(seat, func(c Conditions) (Conditions, error) { return c.Add(n.state.Snapshot(n.now), split(turns)) })
}

func split(turns string) (all [][]string) {
	for _, t := range strings.Fields(turns) {
		all = append(all, []string{t})
	}
	return all
}

// move plays a turn of the seat to move and returns the version that it made.
func (n *node) move(action string) int {
	n.t.Helper()
	if err := n.do(Command{Kind: CommandTurn, Seat: n.state.position.Turn(), Version: n.state.Version(), Actions: []string{action}}); err != nil {
		n.t.Errorf("%s: %v", action, err)
	}
	return n.effects.Made
}

// played returns the turns of the log; those that a condition has played have a star.
func (n *node) played() string {
	var all []string
	for _, e := range n.log.entries {
		text := strings.Join(e.Actions, "+")
		if e.Reason == TurnByCondition {
			text += "*"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// startConditions returns a correspondence match on 5×5, in which seat 0 is to move.
func startConditions(t testing.TB) *node {
	n := start(t, duel(t, inDays))
	n.log.conditions.Version = 1
	return n
}

// line returns legal turns of one action, the first ones or the last ones of those that each position allows.
func line(t testing.TB, p engine.Position, turns int, last bool) string {
	t.Helper()
	var all []string
	for range turns {
		legal := p.Legal()
		action := legal[0]
		if last {
			action = legal[len(legal)-1]
		}
		next, err := p.Play(action)
		if err != nil {
			t.Fatal(err)
		}
		all, p = append(all, action), next
	}
	return strings.Join(all, " ")
}

// TestConditionsAnswerAtOnce: an answer is recorded with the turn, is charged nothing, and leaves the rest armed.
func TestConditionsAnswerAtOnce(t *testing.T) {
	n := startConditions(t)
	four := line(t, n.state.position, 4, false)
	turns := strings.Fields(four)
	n.want(n.arm(four), "")
	n.now.Time = n.now.Time.Add(time.Hour)
	published := n.snapshot.Version
	if made := n.move(turns[0]); made != 1 {
		t.Errorf("the turn made version %d", made)
	}
	if want := turns[0] + " " + turns[1] + "*"; n.played() != want || published != 0 || n.snapshot.Version != 2 {
		t.Fatalf("played %q, want %q, published version %d", n.played(), want, n.snapshot.Version)
	}
	answer := n.log.entries[1]
	if !answer.At.Equal(n.now.Time) || answer.Clocks[1] != 3*24*time.Hour || n.left(1) != 3*24*time.Hour || n.snapshot.RunningSeat != 0 {
		t.Errorf("the answer is charged: %+v", answer)
	}
	if left := n.conditionsOf(1); len(left.All) != 1 || left.All[0][0].Text() != turns[2] || left.All[0][1].Text() != turns[3] {
		t.Errorf("left are %+v", left)
	}
	n.now.Time = n.now.Time.Add(time.Hour)
	if made := n.move(turns[2]); made != 3 || n.state.Version() != 4 {
		t.Errorf("played %q, version %d was made", n.played(), made)
	}
	if left := n.conditionsOf(1); len(left.All) != 0 {
		t.Errorf("left are %+v", left)
	}
	n.verify()
	again, err := New(n.state.Info, slices.Clone(n.log.entries))
	if err != nil || again.position.String() != n.state.position.String() {
		t.Errorf("the log cannot be folded: %v", err)
	}
}

// TestConditionsAreVoid has what ends conditions without an answer.
func TestConditionsAreVoid(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(*node, []string)
		want string // the turns of the log; $ is the armed one, other is another
	}{
		{"another turn", func(n *node, turns []string) { n.move(turns[2]) }, "other"},
		{"withdrawn", func(n *node, turns []string) {
			n.want(n.change(1, func(c Conditions) (Conditions, error) { return c.Remove(n.snapshot, 0) }), "")
			n.move(turns[0])
		}, "$"},
		{"withdrawn while the turn is recorded", func(n *node, turns []string) {
			n.log.changing = func() {
				n.want(n.change(1, func(c Conditions) (Conditions, error) { return c.Remove(n.snapshot, 0) }), "")
			}
			n.move(turns[0])
		}, "$"},
		{"illegal", func(n *node, turns []string) {
			c := n.conditionsOf(1)
			c.All[0][1].Actions = []string{turns[0]}
			n.store(c.Row(1))
			n.move(turns[0])
		}, "$"},
		{"legal, and not what was checked", func(n *node, turns []string) {
			c := n.conditionsOf(1)
			c.All[0][1].Digest = c.All[0][0].Digest
			n.store(c.Row(1))
			n.move(turns[0])
		}, "$"},
		{"of the wrong seat", func(n *node, turns []string) {
			c := n.conditionsOf(1)
			c.Seat = 0
			n.store(c.Row(0))
			n.store(ConditionsRow{Seat: 1, Version: 1})
			n.move(turns[0])
		}, "$"},
		{"unreadable", func(n *node, turns []string) {
			n.store(ConditionsRow{1, 1, []byte("{")})
			n.move(turns[0])
			if len(n.reports) != 1 {
				n.t.Errorf("reported %v", n.reports)
			}
			n.store(ConditionsRow{1, 1, nil})
		}, "$"},
		{"lost entries", func(n *node, turns []string) {
			c := n.conditionsOf(1)
			c.After.Last[0]++
			n.store(c.Row(1))
			n.move(turns[0])
		}, "$"},
	} {
		n := startConditions(t)
		armed := strings.Fields(line(t, n.state.position, 2, false))
		other := strings.Fields(line(t, n.state.position, 1, true))[0]
		n.want(n.arm(strings.Join(armed, " ")), "")
		c.do(n, append(armed, other))
		if want := strings.NewReplacer("$", armed[0], "other", other).Replace(c.want); n.played() != want || len(n.conditionsOf(1).All) != 0 {
			t.Errorf("%s: played %q, want %q; left %+v", c.what, n.played(), want, n.conditionsOf(1))
		}
	}
}

// TestConditionsSurviveOrEndWithEntries: a credit leaves conditions armed, a takeback clears them.
func TestConditionsSurviveOrEndWithEntries(t *testing.T) {
	n := startConditions(t)
	n.play(2)
	two := line(t, n.state.position, 2, false)
	n.want(n.arm(two), "")
	n.log.appends = func() outcome { return notRecorded }
	n.want(n.do(n.turn()), errcode.Unavailable)
	n.log.appends = nil
	n.wait(time.Hour)
	if last := n.log.entries[3]; last.Reason != TurnByCondition || n.state.IsSuspended() {
		t.Errorf("after an outage the log has %+v", last)
	}

	n = startConditions(t)
	n.play(2)
	n.want(n.arm(line(t, n.state.position, 2, false)), "")
	n.log.entries = append(n.log.entries, Entry{Kind: EntryCredit, Seat: 0, Digest: n.log.entries[1].Digest})
	if len(n.conditionsOf(1).All) != 1 {
		t.Error("a credit has cleared the conditions")
	}

	n = startConditions(t)
	n.play(3)
	n.want(n.arm(line(t, n.state.position, 2, false)), "")
	offer := Command{Kind: CommandOffer, Seat: 0, Offer: OfferUndo}
	n.want(n.do(offer), "")
	offer.Seat = 1
	n.want(n.do(offer), "")
	if len(n.conditionsOf(0).All) != 0 || n.log.entries[len(n.log.entries)-1].Kind != EntryUndo {
		t.Errorf("after a takeback %+v is armed", n.conditionsOf(0))
	}
}

// TestConditionsAreRefused has conditions that cannot be stored.
func TestConditionsAreRefused(t *testing.T) {
	n := startConditions(t)
	four, other := line(t, n.state.position, 4, false), line(t, n.state.position, 4, true)
	turns := strings.Fields(four)
	n.want(n.arm(turns[0]), errcode.BadRequest)
	n.want(n.arm(turns[0]+" "+turns[0]), errcode.IllegalAction)
	n.want(n.arm(turns[1]), errcode.IllegalAction)
	n.want(n.arm(strings.Repeat(turns[0]+" ", MaxConditionTurns+1)), errcode.NotAllowed)
	for actions, many := range map[int]bool{MaxActions: false, MaxActions + 1: true} {
		long := [][]string{append([]string{turns[0]}, make([]string, actions-1)...)}
		err := n.change(1, func(c Conditions) (Conditions, error) { return c.Add(n.snapshot, long) })
		if n.want(err, errcode.IllegalAction); err == nil || strings.Contains(err.Error(), "at most") != many {
			t.Errorf("a turn of %d actions, of which the first is legal: %v", actions, err)
		}
	}
	n.want(n.change(0, func(c Conditions) (Conditions, error) { return c, nil }), errcode.NotAllowed)
	n.want(n.arm(four), "")
	n.want(n.arm(four), errcode.NotAllowed)
	n.want(n.arm(turns[0]+" "+turns[1]), errcode.NotAllowed)
	p, _ := n.state.position.Play(turns[0])
	contradiction := strings.Fields(line(t, p, 1, true))[0]
	n.want(n.arm(turns[0]+" "+contradiction), errcode.NotAllowed)
	n.want(n.arm(other), "")
	if got := len(n.conditionsOf(1).All); got != 2 {
		t.Errorf("%d conditions", got)
	}
	n.want(n.arm(line(t, n.state.position, 6, false)), "") // continues the first
	if all := n.conditionsOf(1).All; len(all) != 2 || len(all[0])+len(all[1]) != 10 {
		t.Errorf("%+v", all)
	}
	added := 0
	for _, first := range n.state.position.Legal() {
		next, _ := n.state.position.Play(first)
		answer := next.Legal()[0]
		next, _ = next.Play(answer)
		for _, third := range next.Legal() {
			last, _ := next.Play(third)
			if n.arm(strings.Join([]string{first, answer, third, last.Legal()[0]}, " ")) == nil {
				added++
			}
		}
	}
	if added != MaxConditions-2 {
		t.Errorf("%d more conditions were taken", added)
	}
	n.want(n.change(1, func(c Conditions) (Conditions, error) { return c.Remove(n.snapshot, MaxConditions) }), errcode.BadRequest)
	for _, other := range []*node{start(t, duel(t, live)), start(t, three(t, inDays)), start(t, duel(t, untimed))} {
		n.want(other.snapshot.CheckChange(1, 0), errcode.NotAllowed)
	}
	n.want(n.snapshot.CheckChange(1, 1), errcode.StaleVersion)
	n.want(n.do(Command{Kind: CommandResign, Seat: 0}), "")
	n.want(n.snapshot.CheckChange(1, n.snapshot.Version), errcode.GameOver)
}

// TestConditionEndsTheGame: an answer that ends the game is followed by the end.
func TestConditionEndsTheGame(t *testing.T) {
	n := startConditions(t)
	probe := start(t, duel(t, inDays))
	probe.log.conditions.Version = 1
	for !probe.state.IsOver() {
		probe.play(1)
	}
	turns := strings.Fields(probe.played())
	if len(turns)%2 != 0 {
		turns = turns[:len(turns)-1]
	}
	var last int
	for i := 0; i+1 < len(turns) && !n.state.IsOver(); i += 2 {
		n.want(n.arm(turns[i]+" "+turns[i+1]), "")
		last = n.move(turns[i])
	}
	if !n.state.IsOver() && len(strings.Fields(probe.played()))%2 == 0 {
		t.Fatal("the game is not over")
	}
	if n.state.IsOver() && last != n.state.Version()-2 {
		t.Errorf("the last turn made version %d of %d", last, n.state.Version())
	}
	n.verify()
}

// TestUnclearTurnWithAnswer: a turn of which it is unclear whether it is recorded is recorded once with its answer, and
// the player who repeats it gets the version of the turn.
func TestUnclearTurnWithAnswer(t *testing.T) {
	for _, o := range []outcome{unclear, notRecorded} {
		n := startConditions(t)
		n.now.AppendID = AppendID{1}
		two := strings.Fields(line(t, n.state.position, 2, false))
		n.want(n.arm(strings.Join(two, " ")), "")
		n.log.appends, n.log.unread = func() outcome { return o }, true
		turn := Command{Kind: CommandTurn, Seat: 0, Actions: two[:1]}
		n.want(n.do(turn), errcode.Unavailable)
		n.log.appends, n.log.unread = nil, false
		n.now.Time, n.now.AppendID = n.now.Time.Add(time.Minute), AppendID{2}
		n.want(n.do(turn), "")
		if want := two[0] + " " + two[1] + "*"; !strings.HasPrefix(n.played(), want) || strings.Count(n.played(), two[0]) != 1 || n.effects.Made != 1 {
			t.Errorf("outcome %v: played %q, version %d", o, n.played(), n.effects.Made)
		}
		n.verify()
	}
}
