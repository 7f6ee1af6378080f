package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/record"
	"ayumu/lobby/table"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// visitOf returns the visit of a session, as the handler makes it.
func visitOf(s *lobby.Session) *op.Visit {
	return (&op.Config{Lobby: s.Lobby(), Games: gametest.Games}).Attach(s)
}

// askAll answers requests, a line each, for somebody, and returns the answers in order.
func askAll(t *testing.T, s *lobby.Session, lines ...string) []map[string]any {
	t.Helper()
	return askVisit(t, visitOf(s), lines...)
}

// askVisit is askAll for the visit of a session.
func askVisit(t *testing.T, c *op.Visit, lines ...string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, c); err != nil {
		t.Fatal(err)
	}
	var answers []map[string]any
	for line := range bytes.Lines(out.Bytes()) {
		var o map[string]any
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatal(err)
		}
		if _, answer := o["re"]; answer {
			answers = append(answers, o)
		}
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	return answers
}

// errorCode returns the code of an answer, "" if it is none.
func errorCode(o map[string]any) any {
	e, _ := o["error"].(map[string]any)
	return e["code"]
}

func TestArchive(t *testing.T) {
	l := lobbytest.Open(t)
	people := map[string]*lobby.Session{}
	for _, name := range []string{"ana", "bob", "eve"} {
		people[name] = lobbytest.Member(t, l, name)
	}
	play := func(private bool) string {
		table, err := people["ana"].OpenTable(t.Context(), table.Proposal{Game: "ayu", Private: private})
		if err != nil {
			t.Fatal(err)
		}
		id, err := people["bob"].JoinTable(t.Context(), table.ID, table.Code(people["ana"].Account().ID))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	resign := func(id string) {
		p, err := people["bob"].AsPlayer(id)
		if err == nil {
			err = p.Resign(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	first, second, hidden, running := play(false), play(false), play(true), play(false)
	resign(first)
	resign(second)
	resign(hidden)

	got := askAll(t, people["eve"],
		`{"id":1,"op":"games"}`, `{"id":2,"op":"games","player":"Bob","limit":1}`, `{"id":3,"op":"games","before":"`+second+`"}`,
		`{"id":4,"op":"games","player":"nobody"}`, `{"id":5,"op":"games","limit":0}`, `{"id":6,"op":"games","limit":1000}`,
		`{"id":7,"op":"games","player":"eve"}`, `{"id":8,"op":"games","limit":"x"}`)
	for i, want := range [][]string{{second, first}, {second}, {first}, nil, nil, nil, {}, nil} {
		if want == nil {
			if errorCode(got[i]) != "bad_request" {
				t.Errorf("%d: %v", i+1, got[i])
			}
			continue
		}
		list, _ := got[i]["games"].([]any)
		var ids []string
		for _, g := range list {
			ids = append(ids, g.(map[string]any)["match"].(string))
		}
		if list == nil || strings.Join(ids, " ") != strings.Join(want, " ") {
			t.Errorf("%d: got %v, want %v", i+1, got[i], want)
		}
	}
	one := got[1]["games"].([]any)[0].(map[string]any)
	if r, _ := one["result"].(map[string]any); r["reason"] != "resign" || one["game"] != "ayu" || one["ended"] == "" || len(one["seats"].([]any)) != 2 {
		t.Errorf("a finished match is %v", one)
	}

	got = askAll(t, people["eve"], `{"id":1,"op":"record","match":"`+first+`"}`, `{"id":2,"op":"record","match":"`+running+`"}`,
		`{"id":3,"op":"record","match":"`+hidden+`"}`, `{"id":4,"op":"record","match":"nosuch"}`, `{"id":5,"op":"record"}`)
	for i, id := range []string{first, running} {
		text, _ := got[i]["record"].(string)
		r, err := record.Read(strings.NewReader(text), enginetest.Games)
		if err != nil || r.Match != id || r.Check() != nil || (r.Result == nil) != (id == running) {
			t.Errorf("%s: %v, %v", id, got[i], err)
		}
	}
	for i, want := range []string{"not_allowed", "unknown_match", "unknown_match"} {
		if errorCode(got[2+i]) != want {
			t.Errorf("%v, want %s", got[2+i], want)
		}
	}
	if got := askAll(t, people["ana"], `{"id":1,"op":"record","match":"`+hidden+`"}`); got[0]["ok"] != true {
		t.Errorf("a player of a private match gets %v", got[0])
	}
}

// panickingReader is an input whose reading panics.
type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("a bug in reading") }

// TestAPanicOfTheReaderIsTheSessions sees to it that it goes on where it ends one session, not the
// process.
func TestAPanicOfTheReaderIsTheSessions(t *testing.T) {
	l := lobbytest.Open(t)
	s, err := l.Enter(l.Accounts.NewGuest(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() != "a bug in reading" {
			t.Error("the panic is lost")
		}
	}()
	_ = Serve(t.Context(), panickingReader{}, io.Discard, visitOf(s))
}

// TestCostlyRequestsAreBudgetedOverAllConnections has one person ask from 20 sessions for what costs much,
// and for what is always allowed.
func TestCostlyRequestsAreBudgetedOverAllConnections(t *testing.T) {
	l := lobbytest.Open(t)
	players := map[string]*lobby.Session{}
	for _, name := range []string{"ana", "bob"} {
		players[name] = lobbytest.Member(t, l, name)
	}
	table, err := players["ana"].OpenTable(t.Context(), table.Proposal{Game: "ayu"})
	if err != nil {
		t.Fatal(err)
	}
	match, err := players["bob"].JoinTable(t.Context(), table.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	seats := map[int]*lobby.Player{}
	for _, name := range []string{"ana", "bob"} {
		p, err := players[name].AsPlayer(match)
		if err != nil {
			t.Fatal(err)
		}
		seats[p.Seat()] = p
	}
	s := seats[0].Snapshot()
	if _, err := seats[s.Position.Turn()].Act(t.Context(), 0, s.Position.Legal()[:1]); err != nil {
		t.Fatal(err)
	}
	people := 0
	for request, limit := range map[string]int{
		`"op":"record","match":"` + match + `"`:         500,
		`"op":"watch","from":0,"match":"` + match + `"`: 500,
		`"op":"games","limit":200`:                      55, // each for nine
		`"op":"open","game":"mu","to":"nobody"`:         50, // which is refused, after it was counted
		`"op":"cancel","table":"x"`:                     50,
		`"op":"ping"`:                                   20 * 100,
		`"op":"watch","match":"` + match + `"`:          20 * 100,
	} {
		passed := 0
		people++
		a, err := l.Accounts.Register(t.Context(), fmt.Sprintf("eve%d", people), fmt.Append(nil, people), netip.Addr{})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			eve, err := l.Enter(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			lines := make([]string, 100)
			for i := range lines {
				lines[i] = `{"id":1,` + request + `}`
			}
			for _, answer := range askAll(t, eve, lines...) {
				if errorCode(answer) != "rate_limited" {
					passed++
				}
			}
			eve.Close(false)
		}
		// The budget is refilled by a tenth a second while this runs.
		if slack := limit; passed < limit || passed > limit+slack {
			t.Errorf("%s: %d of 2000 pass, want about %d", request, passed, limit)
		}
	}
}

// TestWatchSaysThatAMatchHasEnded asks after a restart, when finished matches are in the archive only.
func TestWatchSaysThatAMatchHasEnded(t *testing.T) {
	store := lobbytest.Store(t)
	l := lobbytest.New(t, lobby.Config{Store: store})
	ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
	id := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu"})
	if got := askAll(t, bob, `{"id":1,"op":"resign","match":"`+id+`"}`)[0]; got["ok"] != true {
		t.Fatal(got)
	}
	l.Close()
	l = lobbytest.New(t, lobby.Config{Store: store})
	got := askAll(t, lobbytest.Member(t, l, "eve"), `{"id":1,"op":"watch","match":"`+id+`"}`, `{"id":2,"op":"watch","match":"nosuch"}`,
		`{"id":3,"op":"watch"}`)
	for i, want := range []string{"game_over", "unknown_match", "unknown_match"} {
		if errorCode(got[i]) != want {
			t.Errorf("%d: %v", i+1, got[i])
		}
	}
	if message := got[0]["error"].(map[string]any)["message"]; message != "the game "+id+" has ended; record "+id+" has its turns" {
		t.Error(message)
	}
}

// TestErrorsSayWhatIsMissing leaves out what a request needs.
func TestErrorsSayWhatIsMissing(t *testing.T) {
	l := lobbytest.Open(t)
	ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
	id := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu"})
	long := strings.Repeat("x", lobby.MaxChat)
	for request, want := range map[string]string{
		`"op":"join"`:   "no table is named; the list of open tables has their ids",
		`"op":"resign"`: "no game is named; the command matches lists them with their ids",
		`"op":"claim","match":"` + id + `","kind":"x"`:   `claim "win" or "draw"`,
		`"op":"claim","match":"` + id + `","kind":"win"`: "your opponent is present, or has not been away long enough",
		`"op":"say","text":"` + long + `x"`:              "a message has at most 200 characters; shorten it",
		`"op":"say","text":"` + long + `"`:               "",
	} {
		got := askAll(t, ana, `{"id":1,`+request+`}`)[0]
		failure, _ := got["error"].(map[string]any)
		if message, _ := failure["message"].(string); message != want {
			t.Errorf("%.60s: %v", request, got)
		}
	}
	if lines := l.Chat.Since(0); len(lines) != 1 || lines[0].Text != long {
		t.Errorf("the chat is %v", lines)
	}
}
