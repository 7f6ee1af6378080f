package main

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/lobby"
	"ayumu/lobby/match"
)

// outcome is what a player knows of a turn that was sent.
type outcome int

const (
	outcomeUnknown outcome = iota // no answer, or `unavailable`: it may have been recorded or not
	outcomeRecorded
	outcomeStale // refused, since the match had gone on
)

// sentTurn is a turn that a player has sent, with what became of it.
type sentTurn struct {
	player         int
	match          string
	base           int // the version on which it was built
	action         string
	sent, answered time.Time
	outcome        outcome
	version        int  // that it made, if it was recorded
	sameNode       bool // the opponent was connected to the same node
	node           int  // of the player
}

// sighting is an entry of a match that a client received while it was connected.
type sighting struct {
	match     string
	version   int
	at        time.Time
	node      int
	spectator bool
}

// history is what all clients together have done and seen.
type history struct {
	began time.Time

	mu       sync.Mutex
	sent     map[string][]sentTurn     // by match
	entries  map[string]map[int]string // by match and version, the action of each turn that somebody has seen
	sighted  []sighting
	failures []string
}

func newHistory() *history {
	return &history{began: time.Now(), sent: make(map[string][]sentTurn), entries: make(map[string]map[int]string)}
}

// fail records what must not happen.
func (h *history) fail(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures = append(h.failures, fmt.Sprintf(format, args...))
}

// add records a turn that was sent, with its outcome.
func (h *history) add(s sentTurn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sent[s.match] = append(h.sent[s.match], s)
}

// saw records an entry that a client has received, and compares it with what others have received.
func (h *history) saw(match string, version int, action string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.entries[match] == nil {
		h.entries[match] = make(map[int]string)
	}
	if known, ok := h.entries[match][version]; ok && known != action {
		h.failures = append(h.failures, fmt.Sprintf("match %s: version %d is %s for one client and %s for another", match, version, known, action))
	}
	h.entries[match][version] = action
}

func (h *history) sight(s sighting) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sighted = append(h.sighted, s)
}

// check compares the history with the logs in the database. Nothing may be playing any more.
func (h *history) check(t testing.TB, db lobby.Store) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.failures {
		t.Errorf("%s", f)
	}
	recorded, unknown, late := 0, 0, 0
	for id, sent := range h.sent {
		_, log, err := db.Match(t.Context(), id)
		if err != nil {
			t.Errorf("match %s: %v", id, err)
			continue
		}
		for version, action := range h.entries[id] {
			if version > len(log) || log[version-1].Kind != match.EntryTurn || log[version-1].Actions[0] != action {
				t.Errorf("match %s: version %d was shown as %s, and is not in the log of %d entries", id, version, action, len(log))
			}
		}
		for _, s := range sent {
			switch s.outcome {
			case outcomeRecorded:
				recorded++
				if s.version > len(log) || log[s.version-1].Kind != match.EntryTurn || log[s.version-1].Actions[0] != s.action {
					t.Errorf("match %s: version %d was acknowledged as %s, and is not in the log of %d entries", id, s.version, s.action, len(log))
				}
			case outcomeUnknown:
				unknown++
				if s.base < len(log) && log[s.base].Kind == match.EntryTurn && log[s.base].Actions[0] == s.action {
					late++
				}
			}
		}
		checkLog(t, id, log)
		h.checkLinearizable(t, id, sent, log)
	}
	t.Logf("%d matches, %d acknowledged turns; of %d turns without a clear answer about %d were recorded", len(h.sent), recorded, unknown, late)
}

// checkLog plays a log, in which nothing may follow the end.
func checkLog(t testing.TB, id string, log []match.Entry) {
	t.Helper()
	var pos engine.Position = ayu.Game{}.New(clusterOptions)
	for i, e := range log {
		switch e.Kind {
		case match.EntryTurn:
			next, err := pos.Play(e.Actions[0])
			if err != nil {
				t.Errorf("match %s: version %d: %v", id, i+1, err)
				return
			}
			pos = next
		case match.EntryEnd:
			if i != len(log)-1 {
				t.Errorf("match %s: version %d of %d is the end", id, i+1, len(log))
			}
		}
	}
}

// matchState is a state of the model of a match: the turns played, and the version after the last one as far as it
// is known.
type matchState struct {
	turns   string
	version int
}

// matchModel is the sequential specification of turns in one match: a turn is recorded if it was built on the
// version of the last turn or on one that only credits follow, and refused as stale only otherwise. A turn
// without a clear answer may have been recorded or not. The last operation reads all turns of the log.
var matchModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{matchState{}} },
	Step: func(state, input, _ any) []any {
		s := state.(matchState)
		if turns, ok := input.(string); ok {
			if s.turns == turns {
				return []any{s}
			}
			return nil
		}
		in := input.(sentTurn)
		played := matchState{s.turns + in.action + " ", max(in.version, in.base+1)}
		fits := in.base >= s.version
		switch {
		case in.outcome == outcomeRecorded && fits:
			return []any{played}
		case in.outcome == outcomeStale && !fits:
			return []any{s}
		case in.outcome == outcomeUnknown && fits:
			return []any{s, played}
		case in.outcome == outcomeUnknown:
			return []any{s}
		}
		return nil
	},
	DescribeOperation: func(input, _ any) string { return fmt.Sprintf("%+v", input) },
}

// checkLinearizable checks that the turns of a match took effect one after the other, each between its sending and
// its answer, and that this gives its log.
func (h *history) checkLinearizable(t testing.TB, id string, sent []sentTurn, log []match.Entry) {
	t.Helper()
	var turns []string
	for _, e := range log {
		if e.Kind == match.EntryTurn {
			turns = append(turns, e.Actions[0])
		}
	}
	if result := checkTurns(sent, turns, h.began); result != porcupine.Ok {
		slices.SortFunc(sent, func(a, b sentTurn) int { return a.sent.Compare(b.sent) })
		text := ""
		for _, s := range sent {
			text += fmt.Sprintf("%v to %v: player %d, %s on %d: outcome %d, version %d\n",
				s.sent.Sub(h.began), s.answered.Sub(h.began), s.player, s.action, s.base, s.outcome, s.version)
		}
		t.Errorf("match %s: its history is not linearizable (%s); the log is %s\n%s", id, result, turns, text)
	}
}

// checkTurns checks the turns of a match against the model, and at last against the turns of its log. A turn
// without a clear answer takes effect before the log is read, or never.
func checkTurns(sent []sentTurn, log []string, began time.Time) porcupine.CheckResult {
	const end = math.MaxInt64 - 2
	var operations []porcupine.Operation
	for _, s := range sent {
		o := porcupine.Operation{ClientId: s.player, Input: s, Call: s.sent.Sub(began).Nanoseconds(), Return: end}
		if s.outcome != outcomeUnknown {
			o.Return = s.answered.Sub(began).Nanoseconds()
		}
		operations = append(operations, o)
	}
	turns := ""
	for _, turn := range log {
		turns += turn + " "
	}
	operations = append(operations, porcupine.Operation{ClientId: 2 * pairCount, Input: turns, Call: end + 1, Return: end + 2})
	return porcupine.CheckOperationsTimeout(matchModel.ToModel(), operations, 20*time.Second)
}

// TestHistoriesOfTurnsAreChecked gives histories that are right and wrong to checkTurns.
func TestHistoriesOfTurnsAreChecked(t *testing.T) {
	began := time.Now()
	turn := func(player, base int, action string, from, to int, o outcome, version int) sentTurn {
		at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
		return sentTurn{player: player, base: base, action: action, sent: at(from), answered: at(to), outcome: o, version: version}
	}
	a, b := turn(0, 0, "a", 0, 10, outcomeRecorded, 1), turn(1, 1, "b", 20, 30, outcomeRecorded, 2)
	for _, tt := range []struct {
		what string
		sent []sentTurn
		log  []string
		want porcupine.CheckResult
	}{
		{"turns", []sentTurn{a, b}, []string{"a", "b"}, porcupine.Ok},
		{"a lost turn", []sentTurn{a, b}, []string{"a"}, porcupine.Illegal},
		{"a doubled turn", []sentTurn{a, b}, []string{"a", "a", "b"}, porcupine.Illegal},
		{"turns in another order", []sentTurn{a, b}, []string{"b", "a"}, porcupine.Illegal},
		{"another turn than was acknowledged", []sentTurn{a, b}, []string{"a", "c"}, porcupine.Illegal},
		{"a repeated turn is stale", []sentTurn{a, turn(0, 0, "a", 11, 12, outcomeStale, 0), b}, []string{"a", "b"}, porcupine.Ok},
		{"a turn on the last version is refused as stale", []sentTurn{a, turn(1, 1, "c", 11, 12, outcomeStale, 0), b}, []string{"a", "b"}, porcupine.Illegal},
		{"two turns on one version", []sentTurn{a, turn(0, 0, "c", 11, 12, outcomeRecorded, 1)}, []string{"a"}, porcupine.Illegal},
		{"an unknown turn was recorded", []sentTurn{a, turn(1, 1, "c", 11, 12, outcomeUnknown, 0), turn(0, 2, "d", 20, 30, outcomeRecorded, 3)}, []string{"a", "c", "d"}, porcupine.Ok},
		{"an unknown turn was not recorded", []sentTurn{a, turn(1, 1, "c", 11, 12, outcomeUnknown, 0), b}, []string{"a", "b"}, porcupine.Ok},
		{"an unknown turn was recorded later", []sentTurn{a, turn(1, 1, "b", 11, 12, outcomeUnknown, 0), turn(1, 1, "b", 40, 50, outcomeStale, 0)}, []string{"a", "b"}, porcupine.Ok},
		{"a turn after a credit", []sentTurn{a, turn(1, 2, "b", 20, 30, outcomeRecorded, 3)}, []string{"a", "b"}, porcupine.Ok},
	} {
		if got := checkTurns(tt.sent, tt.log, began); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
	}
}
