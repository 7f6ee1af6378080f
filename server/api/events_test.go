package api

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/tui/op"
)

// program is a program that is connected in a synctest bubble.
type program struct {
	t    *testing.T
	in   *io.PipeWriter
	s    *lobby.Session
	mu   sync.Mutex
	got  []map[string]any
	part []byte
	id   int
	gone chan struct{}
}

func connect(t *testing.T, l *lobby.Lobby, name string) *program {
	t.Helper()
	s := lobbytest.Member(t, l, name)
	return connectAs(t, s, visitOf(s))
}

// connectAs connects a program with a visit of a session.
func connectAs(t *testing.T, s *lobby.Session, as *op.Visit) *program {
	t.Helper()
	r, w := io.Pipe()
	c := &program{t: t, in: w, s: s, gone: make(chan struct{})}
	go func() {
		defer close(c.gone)
		if err := Serve(t.Context(), r, c, as); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		s.Close(false)
	}()
	t.Cleanup(c.leave)
	synctest.Wait()
	return c
}

func (c *program) leave() {
	c.in.Close()
	<-c.gone
}

// Write takes what the server writes.
func (c *program) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.part = append(c.part, b...)
	for {
		n := slices.Index(c.part, '\n')
		if n < 0 {
			return len(b), nil
		}
		var o map[string]any
		if err := json.Unmarshal(c.part[:n], &o); err != nil {
			c.t.Error(err)
		}
		c.got, c.part = append(c.got, o), c.part[n+1:]
	}
}

// take returns all events of some kinds that came since the last call; the others are dropped.
func (c *program) take(kinds string) (events []map[string]any) {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.got {
		if kind, ok := o["event"].(string); ok && slices.Contains(strings.Fields(kinds), kind) {
			events = append(events, o)
		}
	}
	c.got = nil
	return events
}

// wants fails the test unless the events of some kinds since the last call are these, each a JSON
// object of which it must have all fields.
func (c *program) wants(kinds string, want ...string) {
	c.t.Helper()
	got := c.take(kinds)
	if len(got) != len(want) {
		c.t.Errorf("%s: %d events, not %d: %v", c.s.Account().Name, len(got), len(want), got)
		return
	}
	for i, w := range want {
		if !has(c.t, got[i], w) {
			c.t.Errorf("%s: got %v, not %s", c.s.Account().Name, got[i], w)
		}
	}
}

// has reports whether an object has all fields of another, which is given as JSON.
func has(t *testing.T, o map[string]any, want string) bool {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(want), &fields); err != nil {
		t.Fatal(err)
	}
	for k, v := range fields {
		if fmt.Sprint(o[k]) != fmt.Sprint(v) {
			return false
		}
	}
	return true
}

// must makes a request and returns its answer, which may not be a refusal.
func (c *program) must(op, args string) map[string]any {
	c.t.Helper()
	o := c.ask(op, args)
	if o["ok"] != true {
		c.t.Fatalf("%s%s: %v", op, args, o)
	}
	return o
}

// ask makes a request and returns its answer.
func (c *program) ask(op, args string) map[string]any {
	c.t.Helper()
	c.id++
	line := fmt.Sprintf(`{"id":%d,"op":%q%s}`, c.id, op, args)
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, o := range c.got {
		if o["re"] == float64(c.id) {
			c.got = slices.Delete(c.got, i, i+1)
			return o
		}
	}
	c.t.Fatalf("%s: no answer", line)
	return nil
}

// inBubble runs a test in a lobby whose time is synctest's.
func inBubble(t *testing.T, f func(t *testing.T, l *lobby.Lobby)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(t)
		f(t, l)
	})
}

// pair starts a match between two programs and returns them in the order of their seats.
func pair(ana, bob *program, args string) (first, second *program, match string) {
	ana.t.Helper()
	table := ana.must("open", `,"game":"ayu",`+args)["table"]
	match = bob.must("join", fmt.Sprintf(`,"table":%q`, table))["match"].(string)
	start := ana.take("match")
	bob.take("")
	if start[0]["you"] == 0.0 {
		return ana, bob, match
	}
	return bob, ana, match
}

func TestWhatBecomesOfChallengesIsSent(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		ana, bob := connect(t, l, "ana"), connect(t, l, "bob")
		const kinds = "declined withdrawn expired"
		open := func() string {
			return fmt.Sprintf(`,"table":%q`, ana.must("open", `,"game":"ayu","to":"bob","clock":{"initial":60}`)["table"])
		}
		table := open()
		bob.must("decline", table)
		ana.wants(kinds, `{"event":"declined","by":"bob"`+table+`}`)
		bob.wants(kinds)
		table = open()
		ana.must("cancel", table)
		bob.wants(kinds, `{"event":"withdrawn","by":"ana"`+table+`}`)
		ana.wants(kinds)
		table = open()
		bob.leave()
		<-time.After(20 * time.Second)
		ana.wants(kinds, `{"event":"expired","by":"bob"`+table+`}`)
		bob = connect(t, l, "bob")
		table = open()
		ana.leave()
		<-time.After(20 * time.Second)
		bob.wants(kinds, `{"event":"expired","by":"ana"`+table+`}`)
	})
}

func TestWhatBecomesOfOffersIsSent(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second, match := pair(connect(t, l, "ana"), connect(t, l, "bob"), `"options":{"size":5,"pie":false}`)
		eve := connect(t, l, "eve")
		eve.must("watch", fmt.Sprintf(`,"match":%q`, match))
		one, two := first.s.Account().Name, second.s.Account().Name
		m := fmt.Sprintf(`,"match":%q`, match)
		const kinds = "offer refused withdrawn turn undone over"
		all := func(want ...string) {
			t.Helper()
			for _, c := range []*program{first, second, eve} {
				c.wants(kinds, want...)
			}
		}
		first.must("draw", m)
		if o := eve.must("watch", m); fmt.Sprint(o["offers"]) != "[map[kind:draw seat:0]]" || fmt.Sprint(o["away"]) != "[]" || fmt.Sprint(o["votes"]) != "[0 0]" {
			t.Errorf("the snapshot has the offers %v, %v away, the votes %v", o["offers"], o["away"], o["votes"])
		}
		second.must("refuse", m+`,"kind":"draw"`)
		eve.take("") // it asked for a snapshot between
		for _, c := range []*program{first, second} {
			c.wants(kinds, `{"event":"offer","kind":"draw","seat":0,"by":"`+one+`"`+m+`}`, `{"event":"refused","kind":"draw","by":"`+two+`"`+m+`}`)
		}
		second.must("draw", m)
		second.must("refuse", m+`,"kind":"draw"`)
		all(`{"event":"offer","kind":"draw","seat":1}`, `{"event":"withdrawn","kind":"draw","by":"`+two+`"`+m+`}`)
		first.must("act", m+`,"version":0,"actions":["b1-b2"]`)
		first.must("undo", m)
		second.must("refuse", m+`,"kind":"undo"`)
		all(`{"event":"turn","version":1}`, `{"event":"offer","kind":"undo","seat":0}`, `{"event":"refused","kind":"undo","by":"`+two+`"}`)
		second.must("act", m+`,"version":1,"actions":["a2-a3"]`)
		second.must("draw", m)
		first.must("act", fmt.Sprintf(`%s,"version":2,"actions":[%q]`, m, position(t, l, match).Legal()[0])) // refuses the draw
		all(`{"event":"turn","version":2}`, `{"event":"offer","kind":"draw","seat":1}`,
			`{"event":"refused","kind":"draw","by":"`+one+`"}`, `{"event":"turn","version":3}`)
		second.must("resign", m)
		first.must("rematch", m)
		second.must("refuse", m+`,"kind":"rematch"`)
		all(`{"event":"over","version":4}`, `{"event":"offer","kind":"rematch","seat":0}`, `{"event":"refused","kind":"rematch","by":"`+two+`"}`)
	})
}

// TestElsewhereIsSent to players and spectators as fields of snapshots and as events, except of those who follow the match
// with a program, and to spectators of a match with a delay.
func TestElsewhereIsSent(t *testing.T) {
	for _, delay := range []int{0, 2} {
		inBubble(t, func(t *testing.T, l *lobby.Lobby) {
			first, second, match := pair(connect(t, l, "ana"), connect(t, l, "bob"), fmt.Sprintf(`"options":{"size":5,"pie":false},"clock":{"initial":600},"delay":%d`, delay))
			eve := connect(t, l, "eve")
			m := fmt.Sprintf(`,"match":%q`, match)
			const kinds = "away elsewhere back"
			want := func(what, seats string, events ...string) {
				t.Helper()
				first.wants(kinds, events...)
				if o := first.must("watch", m); fmt.Sprint(o["elsewhere"]) != seats {
					t.Errorf("%s: players see %v elsewhere, want %s", what, o["elsewhere"], seats)
				}
				if delay > 0 {
					seats = "[]"
					events = slices.DeleteFunc(events, func(e string) bool { return !strings.Contains(e, "away") })
				}
				eve.wants(kinds, events...)
				if o := eve.must("watch", m); fmt.Sprint(o["elsewhere"]) != seats {
					t.Errorf("%s: spectators see %v elsewhere, want %s", what, o["elsewhere"], seats)
				}
			}
			eve.must("watch", m)
			<-time.After(10 * time.Second)
			want("with two programs", "[]")
			screens, err := l.Enter(second.s.Account(), nil)
			if err != nil {
				t.Fatal(err)
			}
			second.leave()
			<-time.After(10 * time.Second)
			want("in the lobby", "[1]", `{"event":"elsewhere","seat":1`+m+`}`)
			screens.LookAt(match)
			want("back", "[]", `{"event":"back","seat":1`+m+`}`)
			screens.LookAt("")
			<-time.After(10 * time.Second)
			want("in the lobby again", "[1]", `{"event":"elsewhere","seat":1`+m+`}`)
			screens.Close(false)
			<-time.After(7 * time.Second)
			want("left", "[]", `{"event":"away","seat":1,"claimable":false`+m+`}`)
		})
	}
}

func TestADelayedMatchSendsItsEventsLate(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second, match := pair(connect(t, l, "ana"), connect(t, l, "bob"), `"options":{"size":5,"pie":false},"delay":2`)
		eve := connect(t, l, "eve")
		m := fmt.Sprintf(`,"match":%q`, match)
		eve.must("watch", m)
		const kinds = "offer refused withdrawn turn over vote"
		first.must("act", m+`,"version":0,"actions":["b1-b2"]`)
		first.must("draw", m)
		eve.wants(kinds)
		if o := eve.must("watch", m); fmt.Sprint(o["offers"]) != "[]" {
			t.Errorf("the snapshot has the offers %v", o["offers"])
		}
		second.must("refuse", m+`,"kind":"draw"`)
		second.must("act", m+`,"version":1,"actions":["a2-a3"]`)
		eve.wants(kinds)
		first.must("act", m+`,"version":2,"actions":["d1-d2"]`)
		eve.wants(kinds, `{"event":"turn","version":1}`)
		second.must("resign", m)
		eve.wants(kinds, `{"event":"offer","seat":0}`, `{"event":"refused","seat":1}`, `{"event":"turn","version":2}`, `{"event":"turn","version":3}`, `{"event":"over"}`)
	})
}

func TestTheEndOfARatedMatchSendsItsRatings(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		ana, bob := connect(t, l, "ana"), connect(t, l, "bob")
		const rated = `"options":{"size":5,"pie":false},"rated":true,"clock":{"initial":600}`
		first, second, match := pair(ana, bob, rated)
		m := fmt.Sprintf(`,"match":%q`, match)
		for version := range 8 {
			who := []*program{first, second}[version%2]
			legal := position(t, l, match).Legal()[0]
			who.must("act", fmt.Sprintf(`%s,"version":%d,"actions":[%q]`, m, version, legal))
		}
		first.must("resign", m)
		for _, c := range []*program{first, second} {
			over := c.take("over")
			if len(over) != 1 || fmt.Sprint(over[0]["ratings"]) != "[map[after:1338 before:1500] map[after:1662 before:1500]]" || over[0]["unrated"] != nil {
				t.Errorf("over with %v", over)
			}
		}
		if o := second.must("watch", m); fmt.Sprint(o["ratings"]) != "[map[after:1338 before:1500] map[after:1662 before:1500]]" {
			t.Errorf("the snapshot has the ratings %v", o["ratings"])
		}
		<-time.After(time.Second)
		first, second, match = pair(ana, bob, rated)
		m = fmt.Sprintf(`,"match":%q`, match)
		first.must("act", m+`,"version":0,"actions":["b1-b2"]`)
		<-time.After(30 * time.Minute)
		second.wants("over", `{"unrated":"aborted","abort":"first_turn","seat":1}`)
		if o := first.must("watch", m); !has(t, o, `{"unrated":"aborted","abort":"first_turn","seat":1}`) || o["ratings"] != nil {
			t.Errorf("the snapshot has %v", o)
		}
		first, _, match = pair(ana, bob, `"options":{"size":5,"pie":false}`)
		first.must("resign", fmt.Sprintf(`,"match":%q`, match))
		if over := first.take("over"); len(over) != 1 || over[0]["ratings"] != nil || over[0]["unrated"] != nil {
			t.Errorf("a casual match is over with %v", over)
		}
	})
}

// TestAbort: either player of two aborts a match until the second has made a turn; everybody gets to know who it was, and
// the game is in the archive without a winner.
func TestAbort(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		ana, bob, eve := connect(t, l, "ana"), connect(t, l, "bob"), connect(t, l, "eve")
		m := ""
		refused := func(c *program, code string) {
			t.Helper()
			if o := c.ask("abort", m); o["ok"] != false || o["error"].(map[string]any)["code"] != code {
				t.Errorf("abort: %v, not %s", o, code)
			}
		}
		for _, args := range []string{`"rated":true,"clock":{"initial":600}`, `"clock":{"days":3}`, `"rated":false`} {
			for seat := range 2 {
				<-time.After(time.Second)
				first, second, match := pair(ana, bob, `"options":{"size":5,"pie":false},`+args)
				m = fmt.Sprintf(`,"match":%q`, match)
				eve.must("watch", m)
				if seat == 1 {
					first.must("act", m+`,"version":0,"actions":["b1-b2"]`)
				}
				[]*program{first, second}[seat].must("abort", m)
				want := fmt.Sprintf(`{"match":%q,"result":{"winners":[],"reason":"abort"},"abort":"player","seat":%d}`, match, seat)
				for _, c := range []*program{first, second, eve} {
					c.wants("over", want)
				}
				refused([]*program{second, first}[seat], "game_over")
				games := eve.must("games", `,"limit":1`)["games"].([]any)
				if !has(t, games[0].(map[string]any), fmt.Sprintf(`{"match":%q,"result":{"winners":[],"reason":"abort"}}`, match)) {
					t.Errorf("the archive has %v", games)
				}
			}
		}
		first, second, match := pair(ana, bob, `"options":{"size":5,"pie":false},"clock":{"days":3}`)
		m = fmt.Sprintf(`,"match":%q`, match)
		refused(eve, "not_allowed")
		first.must("act", m+`,"version":0,"actions":["b1-b2"]`)
		second.must("act", fmt.Sprintf(`%s,"version":1,"actions":[%q]`, m, position(t, l, match).Legal()[0]))
		refused(first, "not_allowed")
		refused(second, "not_allowed")
		second.must("resign", m)
	})
}

// TestAbortingOftenIsRefused: the refusal of a live game has the time until which it holds; bots and correspondence games
// are not refused.
func TestAbortingOftenIsRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		ana, bob := connect(t, l, "ana"), connect(t, l, "bob")
		const live = `"options":{"size":5,"pie":false},"clock":{"initial":600}`
		for range 4 {
			_, _, match := pair(ana, bob, live)
			ana.must("abort", fmt.Sprintf(`,"match":%q`, match))
		}
		table := fmt.Sprintf(`,"table":%q`, bob.must("open", `,"game":"ayu",`+live)["table"])
		for op, args := range map[string]string{"open": `,"game":"ayu",` + live, "quick": `,"game":"ayu"`, "join": table} {
			e, _ := ana.ask(op, args)["error"].(map[string]any)
			until, err := time.Parse(time.RFC3339, fmt.Sprint(e["until"]))
			if e["code"] != "rate_limited" || err != nil || !until.Equal(time.Now().Add(10*time.Minute)) {
				t.Errorf("%s: %v", op, e)
			}
		}
		ana.must("open", `,"game":"ayu","clock":{"days":3}`)
		<-time.After(10 * time.Minute)
		ana.must("join", table)
	})
}

func position(t *testing.T, l *lobby.Lobby, match string) interface{ Legal() []string } {
	t.Helper()
	m, err := l.Match(match)
	if err != nil {
		t.Fatal(err)
	}
	return m.Snapshot().Position
}

func TestDeparturesVotesAndAbsenceAreSent(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		ana, bob, cleo := connect(t, l, "ana"), connect(t, l, "bob"), connect(t, l, "cleo")
		table := fmt.Sprintf(`,"table":%q`, ana.must("open", `,"game":"mu","options":{"players":3,"segments":2}`)["table"])
		bob.must("join", table)
		cleo.must("join", table)
		start := ana.take("match")[0]
		m := fmt.Sprintf(`,"match":%q`, start["match"])
		seat := func(name string) int {
			for i, s := range start["seats"].([]any) {
				if s.(map[string]any)["name"] == name {
					return i
				}
			}
			return -1
		}
		gone := seat("cleo")
		cleo.leave()
		<-time.After(time.Minute)
		const kinds = "away back vote turn over"
		ana.wants(kinds, fmt.Sprintf(`{"event":"away","seat":%d,"claimable":false`+m+`}`, gone), fmt.Sprintf(`{"event":"away","seat":%d,"claimable":true}`, gone))
		cleo = connect(t, l, "cleo")
		ana.wants(kinds, fmt.Sprintf(`{"event":"back","seat":%d}`, gone))
		cleo.leave()
		<-time.After(time.Minute)
		ana.take("")
		bob.take("")
		ana.must("vote", fmt.Sprintf(`%s,"seat":%d`, m, gone))
		bob.wants(kinds, fmt.Sprintf(`{"event":"vote","seat":%d,"by":"ana"`+m+`}`, gone))
		o := bob.must("watch", m)
		if votes := o["votes"].([]any); votes[gone] != 1.0 || !strings.Contains(fmt.Sprint(o["away"]), fmt.Sprintf("seat:%d", gone)) {
			t.Errorf("the snapshot has the votes %v and %v away", votes, o["away"])
		}
		bob.must("vote", fmt.Sprintf(`%s,"seat":%d`, m, gone))
		ana.wants("turn over", fmt.Sprintf(`{"event":"turn","actions":["leave %d"],"reason":"absent"}`, gone))
		bob.must("resign", m)
		ana.wants("turn over", fmt.Sprintf(`{"event":"turn","actions":["leave %d"],"reason":"resign"}`, seat("bob")), `{"event":"over"}`)
		game := ana.must("games", "")["games"].([]any)[0].(map[string]any)
		for i, s := range game["seats"].([]any) {
			want := map[int]any{gone: "absent", seat("bob"): "resign"}[i]
			if got := s.(map[string]any)["left"]; got != want {
				t.Errorf("the archive says that seat %d left as %v, not %v", i, got, want)
			}
		}
	})
}
