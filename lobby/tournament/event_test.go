package tournament

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

const organizer account.ID = 9000

var began = time.Date(2027, 3, 1, 18, 0, 0, 0, time.UTC)

var (
	live = &clock.Control{Initial: 10 * time.Minute, Increment: 10 * time.Second}
	days = &clock.Control{Days: 1}
)

func nameOf(user account.ID) string { return "p" + strconv.Itoa(int(user)) }

// event is a tournament in a test, with its log and its time.
type event struct {
	t      testing.TB
	state  State
	log    []Entry
	now    time.Time
	absent map[account.ID]time.Time
	busy   map[account.ID]bool
	effect Effects // of the latest step
}

// termsOf returns terms for a request, which must be possible.
func termsOf(t testing.TB, format Format, r Request) Terms {
	t.Helper()
	name := "ayu"
	if format == FormatTables {
		name = "mu"
	}
	game, _ := enginetest.Games.ByName(name)
	if r.Clock == nil {
		r.Clock = live
	}
	terms, err := NewTerms("Autumn "+string(format), format, r, game)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// open returns a new tournament.
func open(t testing.TB, format Format, r Request) *event {
	t.Helper()
	e := &event{t: t, state: State{ID: "k3f9q2a"}, now: began, absent: make(map[account.ID]time.Time), busy: make(map[account.ID]bool)}
	e.do(Input{Kind: InputCreate, By: organizer, Terms: termsOf(t, format, r), Seed: 42})
	return e
}

// try makes a step, appends its entries and returns its error.
func (e *event) try(in Input) error {
	e.t.Helper()
	if before := e.state; len(before.Players) < 20 {
		text := asText(e.t, before)
		defer func() {
			if after := asText(e.t, before); after != text {
				e.t.Fatalf("input %d changes the state before it:\n%s\n%s", in.Kind, text, after)
			}
		}()
	}
	next, effects := Step(e.state, in, Now{Time: e.now, Presence: func(u account.ID) Presence {
		return Presence{e.absent[u], e.busy[u]}
	}})
	if effects.After != len(e.log) || next.Version != len(e.log)+len(effects.Entries) {
		e.t.Fatalf("input %d: entries follow %d and lead to %d, the log has %d and %d more", in.Kind, effects.After, next.Version, len(e.log), len(effects.Entries))
	}
	e.state, e.effect = next, effects
	e.log = append(e.log, effects.Entries...)
	return effects.Err
}

// asText returns all of a state, to compare it later.
func asText(t testing.TB, s State) string {
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (e *event) do(in Input) {
	e.t.Helper()
	if err := e.try(in); err != nil {
		e.t.Fatalf("input %d: %v", in.Kind, err)
	}
}

// refused fails unless an input is refused with a code.
func (e *event) refused(in Input, code errcode.Code) string {
	e.t.Helper()
	err := e.try(in)
	var coded *errcode.Error
	if !errors.As(err, &coded) || coded.Code != code {
		e.t.Fatalf("input %d: %v, want the code %s", in.Kind, err, code)
	}
	return coded.Message
}

// entered lets players 1 to n enter, with falling ratings.
func (e *event) entered(n int) *event {
	e.t.Helper()
	for i := 1; i <= n; i++ {
		e.do(Input{Kind: InputEnter, By: account.ID(i), Entrant: Entrant{Rating: 2000 - 10*i}})
	}
	return e
}

func (e *event) started(n int) *event {
	e.t.Helper()
	e.entered(n)
	e.do(Input{Kind: InputStart, By: organizer})
	return e
}

// wait lets time pass and checks.
func (e *event) wait(d time.Duration) {
	e.t.Helper()
	e.now = e.now.Add(d)
	e.do(Input{Kind: InputCheck})
}

// playing returns the running games.
func (e *event) playing() (all []Game) {
	for _, r := range e.state.Rounds {
		for _, g := range r.Games {
			if g.Kind == GamePlaying {
				all = append(all, *g)
			}
		}
	}
	return all
}

// gameOf returns the running game of a user.
func (e *event) gameOf(user account.ID) Game {
	e.t.Helper()
	for _, g := range e.playing() {
		if g.seatOf(e.state.PlayerIndex(user)) >= 0 {
			return g
		}
	}
	e.t.Fatalf("user %d has no running game", user)
	return Game{}
}

func ended(g *Game, places ...int) Input {
	return Input{Kind: InputGameEnded, Round: g.Round, Table: g.Table, Ended: MatchEnd{Places: places, Version: 20}}
}

// playRound ends all running games: the higher rating wins.
func (e *event) playRound() {
	e.t.Helper()
	for _, g := range e.playing() {
		places := make([]int, len(g.Seats))
		for seat, p := range g.Seats {
			places[seat] = 1
			for _, o := range g.Seats {
				if e.state.Players[o].Rating > e.state.Players[p].Rating {
					places[seat]++
				}
			}
		}
		e.do(ended(&g, places...))
	}
}

// playAll plays until the tournament is over.
func (e *event) playAll() {
	e.t.Helper()
	for range 200 {
		if e.state.IsOver() {
			return
		}
		e.playRound()
		if !e.state.IsOver() {
			e.wait(e.state.Terms.Pause)
		}
	}
	e.t.Fatal("the tournament does not end")
}

func (e *event) statusOf(user account.ID) Status {
	return e.state.StatusOf(e.state.PlayerIndex(user))
}

func (e *event) pointsOf(user account.ID) int {
	for _, at := range e.state.Standings() {
		if e.state.Players[at.Player].User == user {
			return at.Points
		}
	}
	return -1
}

// kindIn returns the kind of a user's game of a round, or "".
func (e *event) kindIn(round int, user account.ID) GameKind {
	for _, g := range e.state.Rounds[round-1].Games {
		if g.seatOf(e.state.PlayerIndex(user)) >= 0 {
			return g.Kind
		}
	}
	return ""
}

// refold fails unless the log, stored and read again, leads to the same state.
func (e *event) refold() {
	e.t.Helper()
	log := make([]Entry, len(e.log))
	for i := range e.log {
		data, err := Encode(&e.log[i])
		if err != nil {
			e.t.Fatal(err)
		}
		if log[i], err = Decode(data, enginetest.Games); err != nil {
			e.t.Fatalf("%s: %v", data, err)
		}
	}
	again, err := Fold(e.state.ID, log)
	if err != nil {
		e.t.Fatal(err)
	}
	if !reflect.DeepEqual(again, e.state) {
		e.t.Fatalf("the log leads to another state:\n%s\n%s", asText(e.t, again), asText(e.t, e.state))
	}
}

// want returns what the state wants.
func (e *event) want() Wanted { return Want(&e.state) }

// hasNotice reports whether a user is to be notified of something.
func (e *event) hasNotice(user account.ID, kind NoticeKind) bool {
	return slices.ContainsFunc(e.want().Notices, func(n Notice) bool { return n.User == user && n.Kind == kind })
}
