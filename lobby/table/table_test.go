package table_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

// Ids of users.
const (
	ana   account.ID = 1
	bob   account.ID = 2
	cyn   account.ID = 3
	guest account.ID = -1
)

var (
	opened = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	yes    = true
	days   = &clock.Control{Days: 3}
	rules  = table.Rules{MatchesPerUser: 5}
)

// users has the users of a test by id.
type users map[account.ID]table.User

func newUsers() users {
	u := make(users)
	for id, name := range map[account.ID]string{ana: "ana", bob: "bob", cyn: "cyn", guest: "guest-1"} {
		u[id] = table.User{Account: account.Account{ID: id, Name: name}}
	}
	return u
}

func (u users) get(id account.ID) table.User { return u[id] }

// with changes a user and returns u.
func (u users) with(id account.ID, change func(*table.User)) users {
	user := u[id]
	change(&user)
	u[id] = user
	return u
}

func blocks(id account.ID) func(*table.User) {
	return func(u *table.User) { u.Blocked = map[account.ID]account.Block{id: {ID: id}} }
}

func absentSince(at time.Time) func(*table.User) {
	return func(u *table.User) { u.Absent = at }
}

func comesFrom(address string) func(*table.User) {
	return func(u *table.User) { u.Origins = []netip.Prefix{netip.MustParsePrefix(address)} }
}

// open returns a table of ana's.
func open(t *testing.T, u users, p table.Proposal) table.State {
	t.Helper()
	return openBy(t, u, ana, p)
}

func openBy(t *testing.T, u users, owner account.ID, p table.Proposal) table.State {
	t.Helper()
	if p.Game == "" {
		p.Game = "ayu"
	}
	if p.Game == any {
		p.Game = ""
	}
	game, named := enginetest.Games.ByName(p.Game)
	if !named {
		game = enginetest.Games[0]
	}
	s, err := table.New(p, game, u[owner], "the0code", opened)
	if err != nil {
		t.Fatal(err)
	}
	s.ID, s.Version = "table of "+u[owner].Name, 1
	return s
}

func code(err error) errcode.Code {
	var e *errcode.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// must returns the change of a function that must not fail.
func must(t *testing.T) func(table.Change, error) table.Change {
	return func(c table.Change, err error) table.Change {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// longOptions returns options of a number of bytes with which the game could be played.
func longOptions(n int) []byte {
	const start, end = `{"size":5`, `}`
	return []byte(start + strings.Repeat(" ", n-len(start)-len(end)) + end)
}

func TestNewChecksWhatIsProposed(t *testing.T) {
	u := newUsers()
	for _, c := range []struct {
		what  string
		owner account.ID
		p     table.Proposal
		want  errcode.Code
	}{
		{"plain", ana, table.Proposal{}, ""},
		{"rated", ana, table.Proposal{Rated: &yes}, ""},
		{"rated by a guest", guest, table.Proposal{Rated: &yes}, errcode.NotAllowed},
		{"days by a guest", guest, table.Proposal{Clock: days}, errcode.NotAllowed},
		{"bad options", ana, table.Proposal{Options: []byte(`{"size":-1}`)}, errcode.BadRequest},
		{"the longest options", ana, table.Proposal{Options: longOptions(engine.MaxStartBytes + 1024)}, ""},
		{"longer options", ana, table.Proposal{Options: longOptions(engine.MaxStartBytes + 1025)}, errcode.BadRequest},
		{"bad clock", ana, table.Proposal{Clock: &clock.Control{Days: -1}}, errcode.BadRequest},
		{"negative delay", ana, table.Proposal{Delay: -1}, errcode.BadRequest},
		{"long delay", ana, table.Proposal{Delay: table.MaxDelay + 1}, errcode.BadRequest},
	} {
		game, _ := enginetest.Games.ByName("ayu")
		c.p.Game = "ayu"
		if _, err := table.New(c.p, game, u[c.owner], "", opened); code(err) != c.want {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

func TestJoinIsRefused(t *testing.T) {
	challenge := func(t *testing.T, u users) table.State {
		s, err := open(t, u, table.Proposal{}).Challenge(u[ana], u[bob])
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	plain := func(t *testing.T, u users) table.State { return open(t, u, table.Proposal{}) }
	rated := func(t *testing.T, u users) table.State { return open(t, u, table.Proposal{Rated: &yes}) }
	private := func(t *testing.T, u users) table.State { return open(t, u, table.Proposal{Private: true}) }
	for _, c := range []struct {
		what  string
		table func(*testing.T, users) table.State
		users users
		by    account.ID
		code  string
		rules table.Rules
		want  errcode.Code
	}{
		{"open", plain, newUsers(), bob, "", rules, ""},
		{"twice", plain, newUsers(), ana, "", rules, errcode.NotAllowed},
		{"another's challenge", challenge, newUsers(), cyn, "", rules, errcode.NotAllowed},
		{"own challenge", challenge, newUsers(), bob, "", rules, ""},
		{"private without code", private, newUsers(), bob, "", rules, errcode.NotAllowed},
		{"private with another code", private, newUsers(), bob, "the0c0de", rules, errcode.NotAllowed},
		{"private with its code", private, newUsers(), bob, "The0Code", rules, ""},
		{"rated as guest", rated, newUsers(), guest, "", rules, errcode.NotAllowed},
		{"owner has blocked", plain, newUsers().with(ana, blocks(bob)), bob, "", rules, errcode.NotAllowed},
		{"has blocked the owner", plain, newUsers().with(bob, blocks(ana)), bob, "", rules, errcode.NotAllowed},
		{"too many matches", plain, newUsers().with(bob, func(u *table.User) { u.Running = 5 }), bob, "", rules, errcode.Full},
		{"a bot with many matches", plain, newUsers().with(bob, func(u *table.User) { u.Running, u.Bot = 5, true }), bob, "", rules, ""},
		{"same origin", rated, newUsers().with(ana, comesFrom("192.0.2.1/32")).with(bob, comesFrom("192.0.2.1/32")), bob, "",
			table.Rules{MatchesPerUser: 5, DistinctOrigins: true}, errcode.NotAllowed},
		{"same origin, allowed", rated, newUsers().with(ana, comesFrom("192.0.2.1/32")).with(bob, comesFrom("192.0.2.1/32")), bob, "", rules, ""},
		{"other origin", rated, newUsers().with(ana, comesFrom("192.0.2.1/32")).with(bob, comesFrom("192.0.2.2/32")), bob, "",
			table.Rules{MatchesPerUser: 5, DistinctOrigins: true}, ""},
		{"two own sessions of one origin", rated, newUsers().with(ana, comesFrom("192.0.2.1/32")).with(bob, func(u *table.User) {
			u.Origins = slices.Repeat([]netip.Prefix{netip.MustParsePrefix("192.0.2.2/32")}, 2)
		}), bob, "", table.Rules{MatchesPerUser: 5, DistinctOrigins: true}, ""},
	} {
		s := c.table(t, c.users)
		change, err := s.Join(c.users[c.by], c.code, c.users.get, c.rules)
		if code(err) != c.want {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
		if err == nil && (!change.Next.IsStarting() || !change.Next.IsSeated(c.by) || change.Next.Version != s.Version+1) {
			t.Errorf("%s leads to %+v", c.what, change.Next)
		}
		if s.IsSeated(bob) || s.IsStarting() {
			t.Errorf("%s changed the state before", c.what)
		}
	}
}

func TestChallengeIsRefused(t *testing.T) {
	for _, c := range []struct {
		what  string
		users users
		to    account.ID
		want  errcode.Code
	}{
		{"another", newUsers(), bob, ""},
		{"oneself", newUsers(), ana, errcode.BadRequest},
		{"a guest to a rated game", newUsers(), guest, errcode.NotAllowed},
		{"a blocked user", newUsers().with(ana, blocks(bob)), bob, errcode.NotAllowed},
		{"one who has blocked", newUsers().with(bob, blocks(ana)), bob, errcode.NotAllowed},
	} {
		_, err := open(t, c.users, table.Proposal{Rated: &yes}).Challenge(c.users[ana], c.users[c.to])
		if code(err) != c.want {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

// TestStart starts a table for three at its minimum, once with success and once without.
func TestStart(t *testing.T) {
	u := newUsers()
	s := open(t, u, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3}`)})
	minSeats, maxSeats := s.Options.Seats()
	s = must(t)(s.Join(u[bob], "", u.get, rules)).Next
	if s.IsStarting() {
		t.Fatalf("started with 2 of %d to %d seats", minSeats, maxSeats)
	}
	third := must(t)(s.Join(u[cyn], "", u.get, rules))
	if !third.Next.IsStarting() || !slices.Equal(third.Next.Seated, []account.ID{ana, bob, cyn}) {
		t.Fatalf("with three seats: %+v", third)
	}
	if c := third.Next.Started(); !c.Next.Closed || len(c.Next.Events) > 0 || c.Next.IsStarting() {
		t.Errorf("after the start: %+v", c)
	}
	back := third.Next.StartFailed()
	if len(back) != 1 || !back[0].Next.IsOpen() || !slices.Equal(back[0].Next.Seated, s.Seated) || back[0].Next.Version != third.Next.Version+1 {
		t.Errorf("after a failed start: %+v", back)
	}
	for what, c := range map[string]table.Change{
		"expiry":  third.Next.Expire(u.with(ana, absentSince(opened)).get, opened.Add(time.Hour)),
		"removal": third.Next.Remove(ana), "separation": third.Next.Separate(ana, bob),
	} {
		if c.Changed() {
			t.Errorf("%s changed a starting table", what)
		}
	}
	// A failed start leaves room for the next attempt.
	if again := must(t)(back[0].Next.Join(u[cyn], "", u.get, rules)); !again.Next.IsStarting() {
		t.Error("the second attempt does not start")
	}
}

func TestReadyStartsAtTheMinimum(t *testing.T) {
	u := newUsers()
	s := open(t, u, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":4,"min":2}`)})
	if _, err := s.MarkReady(bob); code(err) != errcode.NotAllowed {
		t.Error(err)
	}
	s = must(t)(s.MarkReady(ana)).Next
	if s.IsStarting() {
		t.Fatal("started alone")
	}
	if c := must(t)(s.MarkReady(ana)); c.Changed() {
		t.Error("ready twice is a change")
	}
	s = must(t)(s.Join(u[bob], "", u.get, rules)).Next
	if s.IsStarting() {
		t.Fatal("started before bob was ready")
	}
	if c := must(t)(s.MarkReady(bob)); !c.Next.IsStarting() {
		t.Error("did not start when both were ready")
	}
	// A user who leaves is not ready when they come back.
	s = must(t)(s.Join(u[cyn], "", u.get, rules)).Next // who is not ready, so that the match does not start
	s = must(t)(s.MarkReady(bob)).Next
	s = must(t)(must(t)(s.Leave(bob)).Next.Leave(cyn)).Next
	if s = must(t)(s.Join(u[bob], "", u.get, rules)).Next; s.IsStarting() {
		t.Error("started with a user who was ready before they left")
	}
	if c, err := open(t, u, table.Proposal{}).MarkReady(ana); code(err) != errcode.NotAllowed {
		t.Errorf("ready where all seats are needed: %+v, %v", c, err)
	}
}

// TestEnds has all ways in which a user leaves a table, on a table of ana's with bob, and on a challenge to
// bob.
func TestEnds(t *testing.T) {
	later := opened.Add(time.Minute)
	for _, c := range []struct {
		what      string
		clock     *clock.Control
		challenge bool
		users     users
		do        func(table.State, users) table.Change
		want      string // the seats, or "closed"; then the event, who caused it and who is notified
	}{
		{"the owner leaves", nil, false, newUsers(), leave(ana), "closed withdrawn 1 [2]"},
		{"another leaves", nil, false, newUsers(), leave(bob), "[1]"},
		{"the owner withdraws a challenge", nil, true, newUsers(), leave(ana), "closed withdrawn 1 [2]"},
		{"a challenge is declined", nil, true, newUsers(), func(s table.State, _ users) table.Change {
			c, _ := s.Decline(bob)
			return c
		}, "closed declined 2 [1]"},
		{"the owner is absent", nil, false, newUsers().with(ana, absentSince(opened)), expire(later), "closed expired 1 [2]"},
		{"another is absent", nil, false, newUsers().with(bob, absentSince(opened)), expire(later), "[1]"},
		{"the challenged user is absent", nil, true, newUsers().with(bob, absentSince(opened)), expire(later), "closed expired 2 [1]"},
		{"nobody is absent", nil, false, newUsers(), expire(later), "unchanged"},
		{"absent for a short time", nil, false, newUsers().with(ana, absentSince(later.Add(time.Nanosecond-table.AbsenceLimit))), expire(later), "unchanged"},
		{"absent for days", days, false, newUsers().with(ana, absentSince(opened)), expire(opened.Add(time.Hour)), "unchanged"},
		{"an account is deleted", nil, false, newUsers(), remove(bob), "[1]"},
		{"the owner's account is deleted", nil, false, newUsers(), remove(ana), "closed withdrawn 1 [2]"},
		{"the challenged account is deleted", nil, true, newUsers(), remove(bob), "closed declined 2 [1]"},
		{"another's account is deleted", nil, true, newUsers(), remove(cyn), "unchanged"},
		{"the owner's match starts", nil, false, newUsers(), elsewhere(ana), "closed withdrawn 1 [2]"},
		{"another's match starts", nil, false, newUsers(), elsewhere(bob), "[1]"},
		{"a match starts, and the table has days", days, false, newUsers(), elsewhere(ana), "unchanged"},
		{"the challenged user's match starts", nil, true, newUsers(), elsewhere(bob), "unchanged"},
		{"the owner blocks another", nil, false, newUsers(), separate(ana, bob), "[1] withdrawn 1 [2]"},
		{"another blocks the owner", nil, false, newUsers(), separate(bob, ana), "[1]"},
		{"the owner blocks the challenged user", nil, true, newUsers(), separate(ana, bob), "closed withdrawn 1 [2]"},
		{"the challenged user blocks the owner", nil, true, newUsers(), separate(bob, ana), "closed declined 2 [1]"},
		{"somebody else is blocked", nil, false, newUsers(), separate(ana, cyn), "unchanged"},
	} {
		s := open(t, c.users, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3}`), Clock: c.clock})
		if c.challenge {
			var err error
			if s, err = s.Challenge(c.users[ana], c.users[bob]); err != nil {
				t.Fatal(err)
			}
		} else {
			s = must(t)(s.Join(c.users[bob], "", c.users.get, rules)).Next
		}
		before := fmt.Sprintf("%+v", s)
		change := c.do(s, c.users)
		got := "unchanged"
		if change.Changed() {
			got = fmt.Sprint(change.Next.Seated)
			if change.Next.Closed {
				got = "closed"
			}
			for _, e := range change.Next.Events {
				got += fmt.Sprint(" ", e.Kind, " ", e.By, " ", e.Notify)
				if e.Version != change.Next.Version {
					t.Errorf("%s: the event of version %d has %d", c.what, change.Next.Version, e.Version)
				}
			}
			if change.Next.Version != s.Version+1 {
				t.Errorf("%s: version %d follows %d", c.what, change.Next.Version, s.Version)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		if after := fmt.Sprintf("%+v", s); after != before {
			t.Errorf("%s changed the state before:\n%s\n%s", c.what, before, after)
		}
	}
}

func leave(id account.ID) func(table.State, users) table.Change {
	return func(s table.State, _ users) table.Change {
		c, _ := s.Leave(id)
		return c
	}
}

func expire(now time.Time) func(table.State, users) table.Change {
	return func(s table.State, u users) table.Change { return s.Expire(u.get, now) }
}

func remove(id account.ID) func(table.State, users) table.Change {
	return func(s table.State, _ users) table.Change { return s.Remove(id) }
}

func elsewhere(id account.ID) func(table.State, users) table.Change {
	return func(s table.State, _ users) table.Change {
		if all := s.LeaveForMatch([]account.ID{id}); len(all) == 1 {
			return all[0]
		}
		return table.Change{Before: s, Next: s}
	}
}

func separate(id, blocked account.ID) func(table.State, users) table.Change {
	return func(s table.State, _ users) table.Change { return s.Separate(id, blocked) }
}

// TestConcerns includes the account 0, which is nobody's.
func TestConcerns(t *testing.T) {
	u := newUsers()
	s, err := open(t, u, table.Proposal{}).Challenge(u[ana], u[bob])
	if err != nil {
		t.Fatal(err)
	}
	got := map[account.ID]bool{ana: s.Involves(ana), bob: s.Involves(bob), cyn: s.Involves(cyn), 0: s.Involves(0)}
	if want := map[account.ID]bool{ana: true, bob: true, cyn: false, 0: false}; !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if plain := open(t, u, table.Proposal{}); plain.Involves(0) || !plain.Involves(ana) {
		t.Error("an open table concerns the account 0, or not its owner")
	}
}

// TestWhoMovesFirst is refused where it means nothing or would be unfair.
func TestWhoMovesFirst(t *testing.T) {
	three := json.RawMessage(`{"players":3}`)
	for _, c := range []struct {
		p    table.Proposal
		want errcode.Code
	}{
		{table.Proposal{Game: "ayu", First: table.FirstOwner}, ""},
		{table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":2}`), First: table.FirstOpponent}, ""},
		{table.Proposal{Game: "mu", Options: three}, ""},
		{table.Proposal{Game: "mu", Options: three, First: table.FirstOwner}, errcode.BadRequest},
		{table.Proposal{Game: "mu", Options: fromLayout, First: table.FirstOwner}, ""},
		{table.Proposal{Game: "mu", Options: fromLayout, First: table.FirstOpponent}, errcode.BadRequest},
		{table.Proposal{Game: "ayu", First: "me"}, errcode.BadRequest},
		{table.Proposal{Game: "ayu", First: table.FirstOwner, Rated: &yes}, errcode.NotAllowed},
	} {
		game, _ := enginetest.Games.ByName(c.p.Game)
		s, err := table.New(c.p, game, newUsers()[ana], "", opened)
		if code(err) != c.want || err == nil && s.First != c.p.First {
			t.Errorf("%+v: %q, %v", c.p, s.First, err)
		}
	}
}

// TestAddBots fills a table of four.
func TestAddBots(t *testing.T) {
	const pebble, brook, willow account.ID = 11, 12, 13
	u := newUsers()
	var bots []table.User
	for _, id := range []account.ID{pebble, brook, willow} {
		u[id] = table.User{Account: account.Account{ID: id, Bot: true}, Running: 100}
		bots = append(bots, u[id])
	}
	four := table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":4,"min":3}`), Private: true}
	s := open(t, u, four)
	c, err := s.AddBots(ana, bots, 1, u.get, rules)
	if err != nil || !slices.Equal(c.Next.Seated, []account.ID{ana, pebble}) || c.Next.IsStarting() {
		t.Fatalf("one bot: %+v, %v", c.Next, err)
	}
	if c, err = c.Next.AddBots(ana, bots, 1, u.get, rules); err != nil || !c.Next.IsSeated(brook) || c.Next.IsStarting() {
		t.Fatalf("another bot: %+v, %v", c.Next, err)
	}
	if ready, err := c.Next.MarkReady(ana); err != nil || !ready.Next.IsStarting() {
		t.Errorf("the bots are not ready: %+v, %v", ready.Next, err)
	}
	if c, err = c.Next.AddBots(ana, bots, 0, u.get, rules); err != nil || !c.Next.IsStarting() {
		t.Errorf("all bots: %+v, %v", c.Next, err)
	}
	challenge, err := open(t, u, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3}`)}).Challenge(u[ana], u[bob])
	if err != nil {
		t.Fatal(err)
	}
	if c, err := challenge.AddBots(ana, bots, 0, u.get, rules); err != nil || len(c.Next.Seated) != 2 || c.Next.IsStarting() {
		t.Errorf("the seat of the challenged user is taken: %+v, %v", c.Next, err)
	}
	for what, refused := range map[string]func() (table.Change, error){
		"another user's table":      func() (table.Change, error) { return s.AddBots(bob, bots, 1, u.get, rules) },
		"more than there are seats": func() (table.Change, error) { return s.AddBots(ana, bots, 4, u.get, rules) },
		"a negative number":         func() (table.Change, error) { return s.AddBots(ana, bots, -1, u.get, rules) },
		"too few bots":              func() (table.Change, error) { return s.AddBots(ana, bots[:2], 0, u.get, rules) },
		"a rated table": func() (table.Change, error) {
			return open(t, u, table.Proposal{Rated: &yes}).AddBots(ana, bots, 1, u.get, rules)
		},
		"a quick match": func() (table.Change, error) {
			return open(t, u, table.Proposal{Quick: true}).AddBots(ana, bots, 1, u.get, rules)
		},
	} {
		if _, err := refused(); code(err) != errcode.NotAllowed {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestWith: the owner of a table seats others, who need no code, also at a private one, and who may still refuse.
func TestWith(t *testing.T) {
	u := newUsers()
	for _, private := range []bool{false, true} {
		s := open(t, u, table.Proposal{Private: private})
		next, err := s.With([]table.User{u[bob]}, u.get, rules)
		if err != nil || !slices.Equal(next.Seated, []account.ID{ana, bob}) || next.Private != private || next.Code != s.Code {
			t.Errorf("private %v: %+v, %v", private, next, err)
		}
		blocking := u[bob]
		blocking.Blocked = map[account.ID]account.Block{ana: {}}
		if _, err := s.With([]table.User{blocking}, u.get, rules); code(err) != errcode.NotAllowed {
			t.Errorf("private %v, with somebody who has blocked the owner: %v", private, err)
		}
	}
}

// fromLayout are the options of a game of Mu for three that begins after the first segment.
var fromLayout = json.RawMessage(`{"position":"3 0,0 layout|-1,0:v;-1,1:v;0,-1:v;0,0:v0.1;0,1:v;1,-1:v;1,0:v|1|||0"}`)

// TestNeverRated: games from a position and with a handicap are casual, and no quick matches.
func TestNeverRated(t *testing.T) {
	u := newUsers()
	position := json.RawMessage(`{"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."}`)
	for _, c := range []struct {
		p    table.Proposal
		want errcode.Code
	}{
		{table.Proposal{Game: "ayu", Options: position}, ""},
		{table.Proposal{Game: "ayu", Options: position, Rated: &yes}, errcode.NotAllowed},
		{table.Proposal{Game: "ayu", Options: position, Quick: true}, errcode.BadRequest},
		{table.Proposal{Game: "ayu", Options: json.RawMessage(`{"handicap":2}`)}, ""},
		{table.Proposal{Game: "ayu", Options: json.RawMessage(`{"handicap":2}`), Rated: &yes}, errcode.NotAllowed},
		{table.Proposal{Game: "mu", Options: fromLayout, Rated: &yes}, errcode.NotAllowed},
		{table.Proposal{Game: "mu", Options: json.RawMessage(`{"position":"3 0,0 over|"}`)}, errcode.BadRequest},
	} {
		game, _ := enginetest.Games.ByName(c.p.Game)
		s, err := table.New(c.p, game, u[ana], "", opened)
		if code(err) != c.want {
			t.Errorf("%+v: %+v, %v", c.p, s.Options, err)
		}
	}
}
