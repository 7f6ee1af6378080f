package tournament

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

// The tests of this file are of the rules that make tournament games different from others, and of entering.

func TestTermsHaveBounds(t *testing.T) {
	ayu, _ := enginetest.Games.ByName("ayu")
	mu, _ := enginetest.Games.ByName("mu")
	n := func(n int) *int { return &n }
	for _, c := range []struct {
		game   engine.Game
		format Format
		change func(*Request)
		want   string // in the error; "": the terms are possible
	}{
		{ayu, FormatSwiss, func(*Request) {}, ""},
		{ayu, FormatSwiss, func(r *Request) { r.Options = []byte(`{"size":99}`) }, "size"},
		{ayu, FormatSwiss, func(r *Request) { r.Options = []byte(`{"handicap":2,"pie":false}`) }, "neither a start position nor a handicap"},
		{ayu, FormatSwiss, func(r *Request) { r.Clock = nil }, "needs a clock"},
		{ayu, FormatSwiss, func(r *Request) { r.Min = 1 }, "min, the players without whom it does not start, must be 2 to 1000"},
		{ayu, FormatSwiss, func(r *Request) { r.Max = 1001 }, "max, the players who can enter, must be 3 to 1000"},
		{ayu, FormatSwiss, func(r *Request) { r.Min, r.Max = 9, 8 }, "must be 9 to 1000"},
		{ayu, FormatSwiss, func(r *Request) { r.Max, r.Rounds = 8, 8 }, "rounds must be 1 to 7"},
		{ayu, FormatSwiss, func(r *Request) { r.CheckIn = n(3601) }, "check_in, in seconds, must be 0 to 3600"},
		{ayu, FormatSwiss, func(r *Request) { r.Pause = n(-1) }, "pause, in seconds, must be 0 to 3600"},
		{ayu, FormatSwiss, func(r *Request) { r.FirstTurn = 14 }, "first_turn, in seconds, must be 15 to 600"},
		{ayu, FormatSwiss, func(r *Request) { r.FirstTurn = 601 }, "must be 15 to 600"},
		{ayu, FormatSwiss, func(r *Request) { r.Cap = 2161 }, "cap, in hours, must be 1 to 2160"},
		{ayu, FormatSwiss, func(r *Request) { r.Divisions = 2 }, "only a round robin"},
		{ayu, FormatSwiss, func(r *Request) { r.Legs = 2 }, "only a round robin"},
		{ayu, FormatSwiss, func(r *Request) { r.Delay = 21 }, "delay"},
		{ayu, FormatSwiss, func(r *Request) { r.Elsewhere = "perhaps" }, "elsewhere must be"},
		{ayu, FormatSwiss, func(r *Request) { r.MinRating, r.MaxRating = 1500, 1400 }, "at least min_rating, 1500"},
		{ayu, FormatSwiss, func(r *Request) { r.Late = n(100) }, "late, a round, must be 0 to 99"},
		{ayu, FormatRoundRobin, func(*Request) {}, ""},
		{ayu, FormatRoundRobin, func(r *Request) { r.Legs = 3 }, "legs must be 1 to 2"},
		{ayu, FormatRoundRobin, func(r *Request) { r.Divisions = 51 }, "divisions must be 1 to 50"},
		{ayu, FormatRoundRobin, func(r *Request) { r.Max = 33 }, "must be 3 to 32"},
		{ayu, FormatRoundRobin, func(r *Request) { r.Max, r.Divisions = 64, 2 }, ""},
		{ayu, FormatRoundRobin, func(r *Request) { r.Rounds = 3 }, "leave rounds out"},
		{ayu, FormatTables, func(*Request) {}, "not for tables"},
		{mu, FormatTables, func(*Request) {}, ""},
		{mu, FormatTables, func(r *Request) { r.Min = 4 }, "must be 5 to 1000"},
		{mu, FormatTables, func(r *Request) { r.TableMax = 7 }, "not for tables of 7"},
		{mu, FormatTables, func(r *Request) { r.TableMax = 3 }, "table_max must be 4 to 6"},
		{mu, FormatSwiss, func(*Request) {}, "a swiss needs a game of two players"},
		{mu, FormatSwiss, func(r *Request) { r.Options = []byte(`{"players":2}`) }, ""},
		{ayu, "ladder", func(*Request) {}, "unknown format"},
	} {
		r := Request{Clock: live}
		c.change(&r)
		terms, err := NewTerms(" Spring ", c.format, r, c.game)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s of %s, %+v: %v", c.format, c.game.Name(), r, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s of %s, %+v: %v, want %q", c.format, c.game.Name(), r, err, c.want)
		case err == nil:
			again, err := NewTerms(terms.Name, terms.Format, terms.Request(), c.game)
			if err != nil || !sameTerms(again, terms) {
				t.Errorf("%+v is asked for as %+v: %v", terms, again, err)
			}
		}
	}
	for _, name := range []string{"", strings.Repeat("x", 41), "a\x1b[2J", "a\u0301"} {
		if _, err := NewTerms(name, FormatSwiss, Request{Clock: live}, ayu); err == nil {
			t.Errorf("the name %q is possible", name)
		}
	}
}

func sameTerms(a, b Terms) bool { return a == b }

func TestDefaultsOfTerms(t *testing.T) {
	swiss := termsOf(t, FormatSwiss, Request{})
	if swiss.Min != 3 || swiss.Max != 256 || swiss.CheckIn != 0 || swiss.Pause != time.Minute || swiss.FirstTurn != 90*time.Second ||
		!swiss.Rated || !swiss.Vacation || swiss.Elsewhere != ElsewherePair || swiss.Bots || swiss.TableMax != 4 || swiss.Legs != 1 {
		t.Errorf("a swiss has %+v", swiss)
	}
	if at := termsOf(t, FormatSwiss, Request{Start: began.Add(time.Hour)}); at.CheckIn != 10*time.Minute {
		t.Errorf("with a start the check-in has %v", at.CheckIn)
	}
	if tables := termsOf(t, FormatTables, Request{}); tables.Min != 5 || tables.FormatName() != "mu_tables" {
		t.Errorf("tables have %+v", tables)
	}
	for _, c := range []struct {
		format  Format
		request Request
		hours   time.Duration
	}{
		{FormatSwiss, Request{}, 2}, {FormatTables, Request{}, 3}, {FormatSwiss, Request{Clock: days}, 240}, {FormatRoundRobin, Request{Clock: days}, 720}, {FormatRoundRobin, Request{}, 2},
		{FormatSwiss, Request{Clock: &clock.Control{Days: 30}}, MaxCap}, {FormatSwiss, Request{Clock: &clock.Control{Initial: time.Minute}}, 1},
	} {
		if got := termsOf(t, c.format, c.request).Cap; got != c.hours*time.Hour {
			t.Errorf("%s with %v: the cap is %v", c.format, c.request.Clock, got)
		}
	}
	for n, want := range map[int]int{2: 1, 3: 2, 4: 3, 5: 4, 8: 4, 9: 5, 16: 5, 17: 6, 300: 10, 1000: 11} {
		if got := swiss.roundsFor(n); got != want {
			t.Errorf("%d players have %d rounds, not %d", n, got, want)
		}
	}
	tables := termsOf(t, FormatTables, Request{})
	for n, want := range map[int]int{5: 3, 9: 3, 10: 4, 32: 4, 33: 5} {
		if got := tables.roundsFor(n); got != want {
			t.Errorf("%d players have %d rounds at tables, not %d", n, got, want)
		}
	}
}

func TestFormatNames(t *testing.T) {
	for _, g := range enginetest.Games {
		for _, name := range []string{"swiss", "round_robin", "ayu_tables", "mu_tables", "tables", "arena"} {
			format, err := ParseFormat(name, g)
			isTables := name == "mu_tables" && g.Name() == "mu"
			if (err == nil) != (name == "swiss" || name == "round_robin" || isTables) || isTables && format != FormatTables {
				t.Errorf("%s of %s is %q, %v", name, g.Name(), format, err)
			}
		}
	}
}

func TestWantedGamesAreOfTheTerms(t *testing.T) {
	e := open(t, FormatTables, Request{FirstTurn: 100}).started(7)
	var sizes []int
	for _, g := range e.want().Games {
		low, high := g.Options.Seats()
		if low != len(g.Seats) || high != len(g.Seats) || g.FirstTurn != 100*time.Second || engine.NeverRated(g.Options) {
			t.Errorf("the game is %+v", g)
		}
		sizes = append(sizes, len(g.Seats))
	}
	if !slices.Equal(sizes, []int{4, 3}) {
		t.Errorf("the tables have %v seats", sizes)
	}
	slow := open(t, FormatSwiss, Request{Clock: days}).started(4)
	if g := slow.want().Games[0]; g.FirstTurn != 0 || g.Deadline.IsZero() {
		t.Errorf("a game of days is wanted as %+v", g)
	}
}

func TestEntryHasLimitsOfItsOwn(t *testing.T) {
	e := open(t, FormatSwiss, Request{})
	e.refused(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Running: MaxRunning}}, errcode.NotAllowed)
	e.refused(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Running: 3, Live: MaxRunningLive}}, errcode.NotAllowed)
	e.do(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Running: MaxRunning - 1, Live: MaxRunningLive - 1}})
	if !slices.Equal(e.want().Active, []account.ID{1}) {
		t.Errorf("it counts for %v", e.want().Active)
	}
	slow := open(t, FormatSwiss, Request{Clock: days})
	slow.do(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Running: 3, Live: MaxRunningLive}})
}

func TestPlayerInAnotherGame(t *testing.T) {
	for _, c := range []struct {
		elsewhere Elsewhere
		want      GameKind
	}{{ElsewherePair, GamePlaying}, {ElsewhereAbsent, GameAbsent}} {
		e := open(t, FormatSwiss, Request{Elsewhere: c.elsewhere}).entered(4)
		e.busy[2] = true
		e.do(Input{Kind: InputStart, By: organizer})
		if kind := e.kindIn(1, 2); kind != c.want || !e.hasNotice(2, NoticeGame) && !e.hasNotice(2, NoticeAbsent) {
			t.Errorf("%s: the game is %q", c.elsewhere, kind)
		}
	}
}

func TestBotsEnterOnlyIfAllowed(t *testing.T) {
	bot := Input{Kind: InputEnter, By: 1, Entrant: Entrant{Bot: true}}
	open(t, FormatSwiss, Request{}).refused(bot, errcode.NotAllowed)
	open(t, FormatSwiss, Request{Bots: true}).do(bot)
	for _, bots := range []bool{false, true} {
		e := open(t, FormatSwiss, Request{Bots: bots}).started(4)
		e.do(Input{Kind: InputBecameBot, User: 1})
		e.do(Input{Kind: InputBecameBot, User: 1})
		if got := e.statusOf(1); (got == StatusIn) != bots {
			t.Errorf("bots are allowed is %v: an account that becomes one is %s", bots, got)
		}
	}
}

func TestGuestsDoNotEnter(t *testing.T) {
	open(t, FormatSwiss, Request{}).refused(Input{Kind: InputEnter, By: -1, Entrant: Entrant{Guest: true}}, errcode.NotAllowed)
}

func TestMembersOnly(t *testing.T) {
	e := open(t, FormatSwiss, Request{Members: true})
	e.refused(Input{Kind: InputEnter, By: 1}, errcode.NotAllowed)
	e.do(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Member: true}})
}

func TestSandbaggingIsRefused(t *testing.T) {
	e := open(t, FormatSwiss, Request{MinRating: 1200, MaxRating: 1600, MinGames: 20})
	for _, c := range []struct {
		what string
		in   Entrant
		want string // "": may enter
	}{
		{"a higher rating within 90 days", Entrant{Rating: 1500, Highest: 1601, Games: 20}, "up to 1600"},
		{"too high now", Entrant{Rating: 1601, Games: 20}, "up to 1600"},
		{"too low", Entrant{Rating: 1199, Highest: 1300, Games: 20}, "from 1200"},
		{"few games", Entrant{Rating: 1500, Highest: 1500, Games: 19}, "20 rated games"},
		{"none of these", Entrant{Rating: 1500, Highest: 1600, Games: 20}, ""},
	} {
		err := e.try(Input{Kind: InputEnter, By: 1, Entrant: c.in})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestFullTournament(t *testing.T) {
	e := open(t, FormatSwiss, Request{Max: 3}).entered(3)
	e.refused(Input{Kind: InputEnter, By: 4}, errcode.Full)
	e.do(Input{Kind: InputWithdraw, By: 1})
	e.do(Input{Kind: InputEnter, By: 4})
}

func TestMadeUpTournamentsAreFew(t *testing.T) {
	terms := termsOf(t, FormatSwiss, Request{})
	now := Now{Time: began}
	if _, effects := Step(State{ID: "x"}, Input{Kind: InputCreate, By: 1, Open: MaxOpen, Terms: terms}, now); effects.Err == nil {
		t.Error("a member opens a third tournament")
	}
	if _, effects := Step(State{ID: "x"}, Input{Kind: InputCreate, By: 1, Open: 9, Moderator: true, Terms: terms}, now); effects.Err != nil {
		t.Error(effects.Err)
	}
}

func TestStartIsNotPast(t *testing.T) {
	for ahead, ok := range map[time.Duration]bool{-time.Hour: false, 5 * time.Minute: false, time.Hour: true, 401 * 24 * time.Hour: false} {
		terms := termsOf(t, FormatSwiss, Request{Start: began.Add(ahead)})
		if _, effects := Step(State{ID: "x"}, Input{Kind: InputCreate, By: 1, Terms: terms}, Now{Time: began}); (effects.Err == nil) != ok {
			t.Errorf("a start in %v: %v", ahead, effects.Err)
		}
	}
}

func TestBannedPlayerLosesRunningGames(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.gameOf(2)
	opponent := e.state.Players[g.Seats[0]+g.Seats[1]-e.state.PlayerIndex(2)].User
	e.do(Input{Kind: InputBan, User: 2})
	got := e.state.Rounds[0].Games[g.Table-1]
	if e.statusOf(2) != StatusBanned || got.Kind != GameRuled || got.Cause != CauseBanned || e.pointsOf(opponent) != Point || e.pointsOf(2) != 0 {
		t.Errorf("the player is %s and the game %+v", e.statusOf(2), got)
	}
	if !slices.Contains(e.want().Ends, WantedEnd{MatchID(e.state.ID, 1, g.Table), g.seatOf(e.state.PlayerIndex(opponent))}) {
		t.Error("the match is not ended")
	}
	before := e.state.Version
	e.do(Input{Kind: InputBan, User: 2})
	e.do(Input{Kind: InputBan, User: 77})
	e.do(ended(&g, 1, 2)) // too late
	if e.state.Version != before {
		t.Error("a second ban or a late result changes something")
	}
	before = len(open(t, FormatSwiss, Request{}).state.Players)
	waiting := open(t, FormatSwiss, Request{}).entered(2)
	waiting.do(Input{Kind: InputBan, User: 1})
	if len(waiting.state.Players) != before+1 {
		t.Error("a banned player waits for the start")
	}
	e.refused(Input{Kind: InputResume, By: 2}, errcode.NotAllowed)
}

func TestDegradedNodeDecidesNothing(t *testing.T) {
	e := open(t, FormatSwiss, Request{Clock: days, Cap: 10}).started(4)
	g := e.playing()[0]
	now := Now{Time: e.now.Add(1000 * time.Hour), Degraded: true}
	for _, in := range []Input{{Kind: InputCheck}, {Kind: InputWithdraw, By: 1}, ended(&g, 1, 2), {Kind: InputBan, User: 1}} {
		next, effects := Step(e.state, in, now)
		if next.Version != e.state.Version || len(effects.Entries) > 0 || (effects.Err == nil) != (in.Kind == InputCheck) {
			t.Errorf("input %d: %d entries, %v", in.Kind, len(effects.Entries), effects.Err)
		}
	}
}

func TestNodeWithAnEarlierClock(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(3)
	e.now = e.now.Add(-time.Hour)
	e.do(Input{Kind: InputEnter, By: 7})
	if last := e.log[len(e.log)-1]; last.At.Before(began) {
		t.Errorf("an entry of %v follows one of %v", last.At, began)
	}
}

func TestCheckIn(t *testing.T) {
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour)}).entered(6)
	e.refused(Input{Kind: InputCheckIn, By: 1}, errcode.NotAllowed)
	if got := Next(&e.state); !got.Equal(began.Add(50 * time.Minute)) {
		t.Errorf("next is %v", got)
	}
	e.wait(50 * time.Minute)
	if e.state.Phase != PhaseCheckIn || !e.hasNotice(1, NoticeCheckIn) {
		t.Fatalf("the tournament is %s", e.state.Phase)
	}
	e.refused(Input{Kind: InputEdit, By: organizer}, errcode.Closed)
	for i := range 4 {
		e.do(Input{Kind: InputCheckIn, By: account.ID(i + 1)})
		e.do(Input{Kind: InputCheckIn, By: account.ID(i + 1)}) // a second time changes nothing
	}
	e.do(Input{Kind: InputEnter, By: 7, Entrant: Entrant{Rating: 1000}}) // is there
	if e.hasNotice(1, NoticeCheckIn) || !e.hasNotice(5, NoticeCheckIn) {
		t.Error("the notices are of others")
	}
	e.wait(10 * time.Minute)
	if e.state.Phase != PhaseRunning || e.statusOf(5) != StatusPaused || e.kindIn(1, 5) != GameAbsent || e.kindIn(1, 7) == GameAbsent {
		t.Errorf("%s: player 5 is %s", e.state.Phase, e.statusOf(5))
	}
	e.refused(Input{Kind: InputCheckIn, By: 5}, errcode.Closed)
	e.do(Input{Kind: InputResume, By: 5})
	e.playRound()
	e.wait(time.Minute)
	if kind := e.kindIn(2, 5); kind == GameAbsent {
		t.Error("a player who came late is not paired after resuming")
	}
	e.playAll()
	e.refold()
}

func TestCheckInAfterDowntime(t *testing.T) {
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour)}).entered(3)
	e.wait(3 * time.Hour)
	if e.state.Phase != PhaseCheckIn || !e.state.CheckInTo.Equal(e.now.Add(5*time.Minute)) {
		t.Errorf("%s until %v", e.state.Phase, e.state.CheckInTo)
	}
}

func TestPools(t *testing.T) {
	two, more := termsOf(t, FormatSwiss, Request{}), termsOf(t, FormatTables, Request{})
	if two.Pool() != account.Pool("ayu", 2) || more.Pool() != account.Pool("mu", 3) {
		t.Errorf("the pools are %s and %s", two.Pool(), more.Pool())
	}
}

func TestOrganizerStartsTheCheckIn(t *testing.T) {
	seconds := 300
	e := open(t, FormatSwiss, Request{CheckIn: &seconds}).started(4)
	if e.state.Phase != PhaseCheckIn {
		t.Fatalf("the tournament is %s", e.state.Phase)
	}
	e.refused(Input{Kind: InputStart, By: organizer}, errcode.NotAllowed) // nobody is there
	for i := range 3 {
		e.do(Input{Kind: InputCheckIn, By: account.ID(i + 1)})
	}
	e.wait(5 * time.Minute)
	if e.state.Phase != PhaseRunning {
		t.Errorf("the tournament is %s", e.state.Phase)
	}
}

func TestTooFewPlayersAreWarnedFirst(t *testing.T) {
	no := 0
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour), CheckIn: &no, Min: 4}).entered(3)
	e.wait(59 * time.Minute)
	if e.state.Phase != PhaseOpen || !e.hasNotice(1, NoticeFew) {
		t.Fatalf("%s without a warning", e.state.Phase)
	}
	enough := *e
	enough.do(Input{Kind: InputEnter, By: 4})
	enough.wait(time.Minute)
	if enough.state.Phase != PhaseRunning {
		t.Errorf("with enough players the tournament is %s", enough.state.Phase)
	}
	e.wait(59 * time.Second)
	if e.state.Phase != PhaseOpen {
		t.Errorf("a second before the start the tournament is %s", e.state.Phase)
	}
	e.wait(time.Second)
	if e.state.Phase != PhaseCancelled || !e.hasNotice(1, NoticeCancelled) {
		t.Errorf("the tournament is %s", e.state.Phase)
	}
}

func TestPlayerWhoLeavesLateDoesNotCancelAtOnce(t *testing.T) {
	no := 0
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour), CheckIn: &no}).entered(3)
	e.wait(time.Hour - time.Second)
	e.do(Input{Kind: InputWithdraw, By: 1})
	e.wait(time.Second)
	if e.state.Phase != PhaseOpen || !e.hasNotice(2, NoticeFew) {
		t.Errorf("the tournament is %s", e.state.Phase)
	}
	e.wait(time.Minute)
	if e.state.Phase != PhaseCancelled {
		t.Errorf("a minute after the warning the tournament is %s", e.state.Phase)
	}
}

func TestLateEntries(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 6}).started(8) // late until round 3
	e.playRound()
	e.wait(time.Minute)
	e.playRound()
	e.wait(time.Minute)
	e.do(Input{Kind: InputEnter, By: 20, Entrant: Entrant{Rating: 1700}})
	if got := e.pointsOf(20); got != Point {
		t.Errorf("after three rounds the latecomer has %d/120", got)
	}
	e.playRound()
	e.wait(time.Minute)
	if kind := e.kindIn(4, 20); kind != GamePlaying {
		t.Errorf("in round 4 the latecomer is %q", kind)
	}
	e.refused(Input{Kind: InputEnter, By: 21}, errcode.Closed)
	e.playAll()
	e.refold()
	closed := open(t, FormatRoundRobin, Request{}).started(4)
	closed.refused(Input{Kind: InputEnter, By: 20}, errcode.Closed)
}

func TestByesOnRequest(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 5}).entered(6)
	e.do(Input{Kind: InputAskBye, By: 1, Round: 2})
	e.do(Input{Kind: InputStart, By: organizer})
	e.refused(Input{Kind: InputAskBye, By: 1, Round: 1}, errcode.BadRequest)
	e.refused(Input{Kind: InputAskBye, By: 1, Round: 6}, errcode.BadRequest)
	e.do(Input{Kind: InputAskBye, By: 1, Round: 2}) // again
	e.do(Input{Kind: InputAskBye, By: 1, Round: 3})
	e.refused(Input{Kind: InputAskBye, By: 1, Round: 4}, errcode.NotAllowed)
	e.playRound()
	e.wait(time.Minute)
	if e.kindIn(2, 1) != GameBye || e.pointsOf(1) != Point+Point/2 {
		t.Errorf("round 2 is %q, with %d/120", e.kindIn(2, 1), e.pointsOf(1))
	}
	open(t, FormatRoundRobin, Request{}).entered(3).refused(Input{Kind: InputAskBye, By: 1, Round: 1}, errcode.NotAllowed)
}

func TestPauseBetweenRounds(t *testing.T) {
	pause := 300
	e := open(t, FormatSwiss, Request{Pause: &pause}).started(4)
	e.playRound()
	if got := Next(&e.state); !got.Equal(e.now.Add(5 * time.Minute)) {
		t.Errorf("next is %v", got)
	}
	e.wait(5*time.Minute - time.Second)
	if len(e.state.Rounds) != 1 {
		t.Error("the next round begins early")
	}
	e.wait(time.Second)
	if len(e.state.Rounds) != 2 {
		t.Error("the next round does not begin")
	}
}

func TestRoundWaitsForPlayersAndEnds(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	e.playRound()
	for i := range 4 {
		e.absent[account.ID(i+1)] = e.now.Add(-time.Hour)
	}
	e.wait(time.Minute)
	if e.state.Phase != PhasePause || !e.effect.Timer.Equal(e.now.Add(checkPause)) {
		t.Errorf("%s, checked again at %v", e.state.Phase, e.effect.Timer)
	}
	back := *e
	back.absent = nil
	back.wait(time.Minute)
	if back.state.Phase != PhaseRunning {
		t.Errorf("after the players are back the tournament is %s", back.state.Phase)
	}
	e.wait(playersWait)
	if e.state.Phase != PhaseClosed {
		t.Errorf("without players the tournament is %s", e.state.Phase)
	}
	nobody := open(t, FormatSwiss, Request{}).entered(4)
	for i := range 4 {
		nobody.absent[account.ID(i+1)] = began.Add(-time.Hour)
	}
	nobody.do(Input{Kind: InputStart, By: organizer})
	nobody.wait(playersWait)
	if nobody.state.Phase != PhaseCancelled {
		t.Errorf("without any game the tournament is %s", nobody.state.Phase)
	}
}

func TestRoundOfDaysEndsByItsCap(t *testing.T) {
	e := open(t, FormatSwiss, Request{Clock: days, Cap: 240}).started(4)
	g := e.playing()[0]
	e.do(ended(&g, 1, 2))
	e.wait(216*time.Hour - time.Second)
	if e.hasNotice(3, NoticeDeadline) {
		t.Error("the warning comes early")
	}
	e.wait(time.Second)
	running := e.playing()[0]
	if user := e.state.Players[running.Seats[0]].User; !e.hasNotice(user, NoticeDeadline) {
		t.Error("a player is not warned 24 h before the end")
	}
	e.do(Input{Kind: InputExtend, By: organizer, Hours: 48})
	e.wait(25 * time.Hour)
	if e.state.Phase != PhaseRunning {
		t.Fatalf("in spite of the extension the tournament is %s", e.state.Phase)
	}
	e.wait(48 * time.Hour)
	e.wait(24 * time.Hour)
	got := e.state.Rounds[0].Games[running.Table-1]
	if got.Kind != GameRuled || !slices.Equal(got.Points, []int{Point / 2, Point / 2}) {
		t.Errorf("the game is %+v", got)
	}
	e.refold()
}

func TestWithdrawnPlayersKeepTheirGames(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 3}).started(4)
	e.playRound()
	e.do(Input{Kind: InputWithdraw, By: 1})
	e.do(Input{Kind: InputWithdraw, By: 1}) // again
	if e.pointsOf(1) != Point {
		t.Errorf("the withdrawn player has %d/120", e.pointsOf(1))
	}
	e.refused(Input{Kind: InputEnter, By: 1}, errcode.NotAllowed)
	e.wait(time.Minute)
	if kind := e.kindIn(2, 1); kind != "" {
		t.Errorf("the withdrawn player is in round 2 as %q", kind)
	}
	e.do(Input{Kind: InputWithdraw, By: 2})
	e.do(Input{Kind: InputWithdraw, By: 3})
	if e.state.Phase != PhaseClosed {
		t.Errorf("with one player left the tournament is %s", e.state.Phase)
	}
}

func TestRoundRobinOfDaysBeginsAtOnce(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{Clock: days, Legs: 2}).started(5)
	if len(e.state.Rounds) != 10 || len(e.playing()) != 20 || len(e.want().Games) != 20 {
		t.Fatalf("%d rounds, %d games", len(e.state.Rounds), len(e.playing()))
	}
	games := e.playing()
	for _, g := range games[len(games)-2:] { // those of the last round
		e.do(ended(&g, 1, 2))
	}
	if e.state.Phase != PhaseRunning {
		t.Fatalf("after the games of the last round it is %s", e.state.Phase)
	}
	e.playRound()
	if e.state.Phase != PhaseClosed || e.pointsOf(1) < 7*Point {
		t.Errorf("%s, the first has %d/120", e.state.Phase, e.pointsOf(1))
	}
	e.refold()
}

func TestRoundRobinWithoutHalfOfTheGames(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{}).started(6)
	e.playRound()
	e.wait(time.Minute)
	e.playRound() // two of five
	before := e.pointsOf(1)
	e.do(Input{Kind: InputWithdraw, By: 6})
	if e.pointsOf(1) != before-Point || e.pointsOf(6) != 0 {
		t.Errorf("the first has %d/120 after %d/120, the withdrawn player %d/120", e.pointsOf(1), before, e.pointsOf(6))
	}
	e.wait(time.Minute)
	e.playRound()
	points := e.pointsOf(5)
	e.do(Input{Kind: InputWithdraw, By: 4}) // three of five
	if e.pointsOf(5) != points || e.state.Players[e.state.PlayerIndex(4)].Annulled {
		t.Error("the games of a player who has played most of them do not count")
	}
	e.playAll()
	last := e.state.Standings()[5]
	if e.state.Players[last.Player].User != 6 || !last.Annulled {
		t.Errorf("the last is %+v", last)
	}
	e.refold()
}

func TestHalfOfTheGamesIsEnough(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{}).started(5) // four games each
	for {
		played := 0
		for _, r := range e.state.Rounds {
			for _, g := range r.Games {
				if g.Kind == GamePlayed && g.seatOf(e.state.PlayerIndex(1)) >= 0 {
					played++
				}
			}
		}
		if played == 2 {
			break
		}
		e.playRound()
		e.wait(time.Minute)
	}
	e.do(Input{Kind: InputWithdraw, By: 1})
	if e.state.Players[e.state.PlayerIndex(1)].Annulled || e.pointsOf(1) != 2*Point {
		t.Errorf("after two of four games the player has %d/120", e.pointsOf(1))
	}
}

// TestRoundRobinIsSeededByRating: the order of entering does not matter.
func TestRoundRobinIsSeededByRating(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{Clock: days, Divisions: 2})
	for i := range 8 {
		e.do(Input{Kind: InputEnter, By: account.ID(i + 1), Entrant: Entrant{Rating: 1000 + 10*i}})
	}
	e.do(Input{Kind: InputStart, By: organizer})
	if d := e.state.Players; d[7].Division != 1 || d[4].Division != 1 || d[3].Division != 2 || d[0].Division != 2 {
		t.Errorf("the divisions are of %+v", d)
	}
	// Berger's first round is 1-4 and 2-3.
	if g := e.state.Rounds[0].Games[0]; !slices.Equal(g.Seats, []int{7, 4}) {
		t.Errorf("the first game is between %v", g.Seats)
	}
}

// TestGameOfTwoWhoAreOut has neither a winner nor a match.
func TestGameOfTwoWhoAreOut(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{}).started(4)
	e.playRound()
	e.do(Input{Kind: InputPause, By: 1})
	e.do(Input{Kind: InputPause, By: 2})
	for !e.state.IsOver() {
		e.playRound()
		e.wait(time.Minute)
	}
	for _, r := range e.state.Rounds[1:] {
		for _, g := range r.Games {
			if g.seatOf(0) >= 0 && g.seatOf(1) >= 0 && (g.Kind != GameNoShow || g.Places != nil) {
				t.Errorf("the game is %+v", g)
			}
			if g.seatOf(0) >= 0 && g.seatOf(2) >= 0 && (g.Kind != GameNoShow || g.Points[g.seatOf(2)] != Point) {
				t.Errorf("the game is %+v", g)
			}
		}
	}
}

func TestWithdrawnPlayerHasNoByeInARoundRobin(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{}).started(5)
	e.do(Input{Kind: InputWithdraw, By: 3})
	for !e.state.IsOver() {
		for _, g := range e.state.Rounds[len(e.state.Rounds)-1].Games[2:] {
			if g.Kind == GameBye && len(e.state.Rounds) > 1 && e.state.Players[g.Seats[0]].User == 3 {
				t.Errorf("round %d has a bye for the withdrawn player", g.Round)
			}
		}
		e.playRound()
		e.wait(time.Minute)
	}
}

func TestWhatIsSoAlreadyChangesNothing(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	for _, kind := range []InputKind{InputPause, InputResume, InputWithdraw} {
		e.do(Input{Kind: kind, By: 1})
		before := e.state.Version
		if e.do(Input{Kind: kind, By: 1}); e.state.Version != before {
			t.Errorf("input %d is recorded twice", kind)
		}
	}
	if active := e.want().Active; slices.Contains(active, 1) || len(active) != 3 {
		t.Errorf("after a withdrawal it counts for %v", active)
	}
}

// TestImpossibleLogs: entries that cannot follow are refused, not applied.
func TestImpossibleLogs(t *testing.T) {
	open1 := open(t, FormatSwiss, Request{Rounds: 2}).entered(4)
	running := open(t, FormatSwiss, Request{Rounds: 2}).started(4)
	pausing := open(t, FormatSwiss, Request{Rounds: 2}).started(4)
	pausing.playRound()
	over := open(t, FormatSwiss, Request{Rounds: 1}).started(4)
	over.playAll()
	pair := func(all ...PairedGame) Entry { return Entry{Kind: EntryPaired, Round: 2, Games: all} }
	users := func(all ...account.ID) []account.ID { return all }
	for _, c := range []struct {
		what string
		e    *event
		in   Entry
	}{
		{"created twice", open1, Entry{Kind: EntryCreated, Terms: &open1.state.Terms}},
		{"edited without terms", open1, Entry{Kind: EntryEdited}},
		{"an unknown kind", open1, Entry{Kind: "danced"}},
		{"entered twice", open1, Entry{Kind: EntryEntered, User: 1}},
		{"let in without having been taken out", open1, Entry{Kind: EntryLetIn, By: organizer, User: 1}},
		{"an unknown player", open1, Entry{Kind: EntryCheckedIn, User: 99}},
		{"no rounds", open1, Entry{Kind: EntryStarted}},
		{"many divisions", open1, Entry{Kind: EntryStarted, Rounds: 1, Divisions: make([][]account.ID, MaxDivs+1)}},
		{"a player of no division", open1, Entry{Kind: EntryStarted, Rounds: 1, Divisions: [][]account.ID{{99}}}},
		{"paired before the start", open1, pair()},
		{"started twice", running, Entry{Kind: EntryStarted, Rounds: 1}},
		{"left after the start", running, Entry{Kind: EntryLeft, User: 1}},
		{"opened after the start", running, Entry{Kind: EntryOpened}},
		{"another round is over", running, Entry{Kind: EntryRoundOver, Round: 7}},
		{"an unknown game", running, Entry{Kind: EntryGameEnded, Round: 1, Table: 3, Outcome: GamePlayed, Places: []int{1, 2}}},
		{"an outcome that is none", running, Entry{Kind: EntryGameEnded, Round: 1, Table: 1, Outcome: GameBye}},
		{"impossible places", running, Entry{Kind: EntryRuled, Round: 1, Table: 1, Places: []int{2, 2}}},
		{"an unknown seat", running, Entry{Kind: EntryGameEnded, Round: 1, Table: 1, Outcome: GameNoShow, NoShows: []int{2}}},
		{"a score too many", running, Entry{Kind: EntryGameEnded, Round: 1, Table: 1, Outcome: GamePlayed, Places: []int{1, 2}, Scores: []int{1, 2, 3}}},
		{"a round that is not there", running, Entry{Kind: EntryExtended, Round: 2}},
		{"a result after the round", pausing, Entry{Kind: EntryRuled, Round: 1, Table: 1, Places: []int{1, 2}}},
		{"a player with two games", pausing, pair(PairedGame{Table: 1, Seats: users(1, 2)}, PairedGame{Table: 2, Seats: users(1, 3)})},
		{"an unknown player in a game", pausing, pair(PairedGame{Table: 1, Seats: users(1, 99)})},
		{"another table", pausing, pair(PairedGame{Table: 2, Seats: users(1, 2)})},
		{"a table of three", pausing, pair(PairedGame{Table: 1, Seats: users(1, 2, 3)})},
		{"two without an opponent", pausing, pair(PairedGame{Seats: users(1, 2), Kind: GameBye})},
		{"two points for a bye", pausing, pair(PairedGame{Seats: users(1), Kind: GameBye, Points: 2 * Point})},
		{"a game that was played before", pausing, pair(PairedGame{Table: 1, Seats: users(1, 2), Kind: GamePlayed, Places: []int{1, 2}})},
		{"the round after the next", pausing, Entry{Kind: EntryPaired, Round: 3}},
		{"closed without places", pausing, Entry{Kind: EntryClosed}},
		{"anything after the end", over, Entry{Kind: EntryCancelled}},
	} {
		if _, err := c.e.state.With([]Entry{c.in}); err == nil {
			t.Errorf("%s: the log is accepted", c.what)
		}
	}
}

// TestWhatIsDueComesFirst: an input after the start was due finds the tournament running.
func TestWhatIsDueComesFirst(t *testing.T) {
	no := 0
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour), CheckIn: &no}).entered(4)
	e.now = e.now.Add(time.Hour)
	e.do(Input{Kind: InputWithdraw, By: 1})
	if e.state.PlayerIndex(1) < 0 || e.statusOf(1) != StatusWithdrawn {
		t.Error("a player who withdrew after the start has left before it")
	}
	e.playRound()
	e.now = e.now.Add(time.Minute)
	e.do(Input{Kind: InputPause, By: 2})
	if kind := e.kindIn(2, 2); kind != GamePlaying && kind != GameBye {
		t.Errorf("a player who pauses after round 2 was due is %q in it", kind)
	}
}

func TestNotices(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(5)
	if !e.hasNotice(5, NoticeBye) || e.hasNotice(5, NoticeAbsent) || e.hasNotice(5, NoticeGame) || !e.hasNotice(1, NoticeGame) || e.hasNotice(1, NoticeCheckIn) {
		t.Errorf("the notices are %+v", e.want().Notices)
	}
	g := e.gameOf(1)
	e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{NoShows: []int{g.seatOf(0)}}})
	if !e.hasNotice(1, NoticePaused) {
		t.Error("who did not come is not notified")
	}
	e.do(Input{Kind: InputResume, By: 1})
	if e.hasNotice(1, NoticePaused) {
		t.Error("a player who has resumed is notified of the pause")
	}
	e.playRound()
	if e.hasNotice(5, NoticeBye) {
		t.Error("a bye is announced after the round")
	}
	keys := make(map[string]bool)
	for _, n := range e.want().Notices {
		if keys[n.Key] {
			t.Errorf("the key %s is not unique", n.Key)
		}
		keys[n.Key] = true
	}
	e.playAll()
	if !e.hasNotice(1, NoticeClosed) {
		t.Error("the end is not announced")
	}
	cancelled := open(t, FormatSwiss, Request{Min: 4}).entered(3)
	cancelled.do(Input{Kind: InputCancel, By: organizer})
	if n := cancelled.want().Notices; len(n) != 3 || n[0].Text != "the tournament was cancelled" {
		t.Errorf("the notices are %+v", n)
	}
}

func TestTimers(t *testing.T) {
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour), Min: 4}).entered(3)
	for _, c := range []struct {
		wait time.Duration
		want time.Duration // from the beginning
	}{{0, 50 * time.Minute}, {50 * time.Minute, 59 * time.Minute}, {9 * time.Minute, time.Hour}} {
		e.wait(c.wait)
		if got := e.effect.Timer; !got.Equal(began.Add(c.want)) {
			t.Errorf("after %v the next check is at %v", c.wait, got)
		}
	}
	for i := range 3 {
		e.do(Input{Kind: InputCheckIn, By: account.ID(i + 1)})
	}
	e.do(Input{Kind: InputEnter, By: 4})
	if got := e.effect.Timer; !got.Equal(began.Add(time.Hour)) {
		t.Errorf("with enough players the next check is at %v", got)
	}
	slow := open(t, FormatSwiss, Request{Clock: days, Cap: 100}).started(4)
	slow.wait(76 * time.Hour)
	if got := slow.effect.Timer; !got.Equal(began.Add(100 * time.Hour)) {
		t.Errorf("after the warning the next check is at %v", got)
	}
}

func TestDivisions(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{Clock: days, Divisions: 3}).started(20)
	sizes := make(map[int]int)
	for _, p := range e.state.Players {
		sizes[p.Division]++
	}
	if sizes[1] != 7 || sizes[2] != 7 || sizes[3] != 6 || e.state.Players[0].Division != 1 || e.state.Players[19].Division != 3 {
		t.Errorf("the divisions have %v", sizes)
	}
	for _, g := range e.playing() {
		if e.state.Players[g.Seats[0]].Division != e.state.Players[g.Seats[1]].Division {
			t.Errorf("players of two divisions meet: %+v", g)
		}
	}
	if n := len(e.playing()); n != 21+21+15 {
		t.Errorf("%d games", n)
	}
	e.playRound()
	for _, at := range e.state.Standings() {
		if at.Place == 1 && at.Points != Point*(sizes[e.state.Players[at.Player].Division]-1) {
			t.Errorf("the first of a division has %d/120", at.Points)
		}
	}
	e.refold()
}

func TestTablesHaveNoByes(t *testing.T) {
	for n := 5; n <= 13; n++ {
		e := open(t, FormatTables, Request{}).started(n)
		e.playAll()
		for _, r := range e.state.Rounds {
			for _, g := range r.Games {
				if g.Table == 0 {
					t.Errorf("%d players: one sits out: %+v", n, g)
				}
			}
		}
		e.refold()
	}
	e := open(t, FormatTables, Request{Rounds: 3}).started(6)
	e.playRound()
	e.do(Input{Kind: InputWithdraw, By: 5})
	e.do(Input{Kind: InputWithdraw, By: 6})
	e.wait(time.Minute)
	if games := e.playing(); len(games) != 1 || len(games[0].Seats) != 4 {
		t.Errorf("after withdrawals the games are %+v", games)
	}
}

func TestNoShowAtATable(t *testing.T) {
	e := open(t, FormatTables, Request{}).started(8)
	g := e.playing()[0]
	e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{Places: []int{1, 2, 3, 4}, NoShows: []int{3, 9}, Version: 9}})
	if late := e.state.Players[g.Seats[3]]; late.Status != StatusPaused || !late.NoShow {
		t.Errorf("the player is %+v", late)
	}
	if got := e.state.Rounds[0].Games[g.Table-1]; got.Kind != GamePlayed || got.Points[3] != 0 || got.Points[0] != 2*Point {
		t.Errorf("the game is %+v", got)
	}
}

// TestPlayersLearnOfOtherTerms has all who had entered told of what has changed, once, and nobody else.
func TestPlayersLearnOfOtherTerms(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(3)
	edited := func() (all []Notice) {
		for _, n := range Want(&e.state).Notices {
			if n.Kind == NoticeEdited {
				all = append(all, n)
			}
		}
		return all
	}
	e.do(Input{Kind: InputEdit, By: organizer, Terms: e.state.Terms})
	if all := edited(); all != nil {
		t.Errorf("nothing has changed: %+v", all)
	}
	terms := termsOf(t, FormatSwiss, Request{Rounds: 2, Rated: new(false), Max: 9})
	terms.Name = "Saturday cup"
	e.do(Input{Kind: InputEdit, By: organizer, Terms: terms})
	first := edited()
	const want = "the organizer has changed the terms: it has this new name, the games are casual, it has 2 rounds and others can enter than before"
	if len(first) != 3 || first[0].Text != want || first[0].User != 1 {
		t.Fatalf("the notices are %+v", first)
	}
	e.do(Input{Kind: InputEnter, By: 4, Entrant: Entrant{Rating: 1500}})
	if all := edited(); !reflect.DeepEqual(all, first) {
		t.Errorf("after another has entered: %+v", all)
	}
	checkIn := terms
	checkIn.CheckIn = 5 * time.Minute
	if got := checkIn.changesTo(&terms); got != "the check-in takes 5 minutes" {
		t.Errorf("the changes are %q", got)
	}
	terms.Control.Increment = 7 * time.Second
	e.do(Input{Kind: InputEdit, By: organizer, Terms: terms})
	second := edited()
	if len(second) != 4 || !strings.Contains(second[3].Text, "the clock is ") || slices.ContainsFunc(first, func(n Notice) bool { return n.Key == second[0].Key }) {
		t.Errorf("after a second change: %+v", second)
	}
	e.do(Input{Kind: InputStart, By: organizer})
	e.wait(time.Minute)
	if all := edited(); len(e.state.Rounds) == 0 || all != nil {
		t.Errorf("while a round runs: %+v", all)
	}
}

// TestOneAnswerForRemovedPlayers has the log alone decide who was taken out, also after they have withdrawn or were banned.
func TestOneAnswerForRemovedPlayers(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(6)
	e.do(Input{Kind: InputWithdraw, By: 1})
	e.do(Input{Kind: InputRemove, By: organizer, User: 2})
	e.do(Input{Kind: InputRemove, By: organizer, User: 3})
	e.do(Input{Kind: InputLetIn, By: organizer, User: 3})
	e.do(Input{Kind: InputRemove, By: organizer, User: 4})
	e.do(Input{Kind: InputBan, User: 4})
	e.refused(Input{Kind: InputRemove, By: organizer, User: 1}, errcode.BadRequest)
	e.refused(Input{Kind: InputLetIn, By: organizer, User: 4}, errcode.BadRequest)
	for i, want := range []Status{StatusWithdrawn, StatusRemoved, StatusPaused, StatusBanned, StatusIn} {
		if got := e.state.StatusOf(i); got != want {
			t.Errorf("player %d is %s, want %s", i+1, got, want)
		}
	}
	e.do(Input{Kind: InputWithdraw, By: 3})
	if got := e.state.StatusOf(2); got != StatusWithdrawn {
		t.Errorf("who was let in and has withdrawn is %s", got)
	}
}

func TestPointsText(t *testing.T) {
	for points, want := range map[int]string{0: "0 points", Point / 2: "½ point", Point: "1 point", Point * 3 / 2: "1½ points", Point * 2 / 3: "0.67 points"} {
		if got := PointsText(points); got != want {
			t.Errorf("%d: %q, want %q", points, got, want)
		}
	}
}

// TestScoresAtTables keeps what a game was counted as, if it was.
func TestScoresAtTables(t *testing.T) {
	e := open(t, FormatTables, Request{}).started(8)
	for i, g := range e.playing() {
		e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{Places: []int{1, 2, 3, 4}, Scores: [][]int{{52, 31, 18, 9}, {52}}[i], Version: 9}})
	}
	games := e.state.View(nameOf, Page{}).Games
	if !slices.Equal(games[0].Scores, []int{52, 31, 18, 9}) || games[1].Scores != nil {
		t.Errorf("the games are %+v", games)
	}
}

func TestEditBeforeTheStart(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(5)
	terms := termsOf(t, FormatSwiss, Request{Max: 4})
	e.refused(Input{Kind: InputEdit, By: organizer, Terms: terms}, errcode.BadRequest)
	terms = termsOf(t, FormatSwiss, Request{Max: 5, Rounds: 2})
	e.do(Input{Kind: InputEdit, By: organizer, Terms: terms})
	e.do(Input{Kind: InputStart, By: organizer})
	if e.state.Planned != 2 {
		t.Errorf("%d rounds", e.state.Planned)
	}
	e.refold()
}

func TestCheckInEndsAPause(t *testing.T) {
	seconds := 60
	e := open(t, FormatRoundRobin, Request{CheckIn: &seconds}).entered(5)
	e.do(Input{Kind: InputPause, By: 1})
	e.do(Input{Kind: InputStart, By: organizer})
	for i := range 4 {
		e.do(Input{Kind: InputCheckIn, By: account.ID(i + 1)})
	}
	e.do(Input{Kind: InputPause, By: 4})
	e.wait(time.Minute)
	if e.statusOf(1) != StatusIn || e.statusOf(4) != StatusWithdrawn || e.statusOf(5) != StatusWithdrawn || len(e.playing()) != 1 {
		t.Errorf("the players are %s, %s and %s, with %d games", e.statusOf(1), e.statusOf(4), e.statusOf(5), len(e.playing()))
	}
	e.playAll()
	e.refold()
}

func TestStartNeedsPlayers(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(2)
	e.refused(Input{Kind: InputStart, By: organizer}, errcode.NotAllowed)
}

// TestOrganizerTakesPlayersOut: only the organizer and moderators do, the player is told, and cannot come back unless they are let in.
func TestOrganizerTakesPlayersOut(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(5)
	remove := func(user account.ID) Input {
		return Input{Kind: InputRemove, By: organizer, User: user, Note: "a second account"}
	}
	letIn := func(user account.ID) Input { return Input{Kind: InputLetIn, By: organizer, User: user} }
	for _, kind := range []InputKind{InputRemove, InputLetIn} {
		e.refused(Input{Kind: kind, By: 2, User: 1}, errcode.NotAllowed)
		e.refused(Input{Kind: kind, By: organizer, User: 99}, errcode.BadRequest)
		e.refused(Input{Kind: kind, By: organizer}, errcode.BadRequest)
	}
	e.refused(letIn(1), errcode.BadRequest)
	e.refused(Input{Kind: InputRemove, By: organizer, User: 1, Note: strings.Repeat("x", MaxNote+1)}, errcode.BadRequest)

	e.do(remove(5))
	if e.state.PlayerIndex(5) >= 0 || e.state.IsOpenTo(5) || !e.hasNotice(5, NoticeRemoved) {
		t.Errorf("before the start a player who is taken out is still there: %+v", e.state.Players)
	}
	if v := e.state.View(nameOf, Page{}); len(v.Removed) != 1 || v.Removed[0] != (Removed{"p5", "a second account"}) {
		t.Errorf("everyone sees %+v", v.Removed)
	}
	e.refused(Input{Kind: InputEnter, By: 5}, errcode.NotAllowed)
	e.refused(remove(5), errcode.BadRequest)
	e.do(letIn(5))
	if !e.hasNotice(5, NoticeLetIn) || e.hasNotice(5, NoticeRemoved) {
		t.Errorf("the notices are %+v", e.want().Notices)
	}
	e.refused(letIn(5), errcode.BadRequest)
	e.do(Input{Kind: InputEnter, By: 5})
	e.do(Input{Kind: InputRemove, By: 77, Moderator: true, User: 4})
	e.do(letIn(4))
	e.do(Input{Kind: InputEnter, By: 4})
	e.do(Input{Kind: InputStart, By: organizer})

	// While it is running the game of the player goes on, and they are not paired any more.
	g := e.gameOf(1)
	e.do(remove(1))
	if running := e.gameOf(1); e.statusOf(1) != StatusRemoved || running.IsOver() {
		t.Errorf("the player is %s, and the game over: %t", e.statusOf(1), running.IsOver())
	}
	e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{Places: winnersPlaces(2, func(seat int) bool { return seat == g.seatOf(0) }), Version: 9}})
	if e.pointsOf(1) != Point {
		t.Errorf("the game of a player who was taken out brings %d", e.pointsOf(1))
	}
	for _, kind := range []InputKind{InputEnter, InputResume, InputPause} {
		if text := e.refused(Input{Kind: kind, By: 1}, errcode.NotAllowed); !strings.Contains(text, "the organizer has taken you out") {
			t.Errorf("input %d is refused with %q", kind, text)
		}
	}
	e.do(Input{Kind: InputWithdraw, By: 1}) // changes nothing
	e.playRound()
	e.wait(time.Minute)
	if e.kindIn(2, 1) != "" {
		t.Error("a player who was taken out is in the next round")
	}
	e.do(letIn(1))
	if e.statusOf(1) != StatusPaused {
		t.Errorf("a player who is let in is %s", e.statusOf(1))
	}
	e.do(Input{Kind: InputResume, By: 1})
	e.playRound()
	e.wait(time.Minute)
	if kind := e.kindIn(3, 1); kind != GamePlaying && kind != GameBye {
		t.Errorf("in the round after that their game is %q", kind)
	}
	e.do(remove(2))
	e.do(Input{Kind: InputBan, User: 2})
	e.refused(letIn(2), errcode.BadRequest)
	keys := make(map[string]bool)
	for _, n := range e.want().Notices {
		if keys[n.Key] || len(n.Key) > 60 {
			t.Errorf("the key %s is not unique, or long", n.Key)
		}
		keys[n.Key] = true
	}
	e.playAll()
	e.refused(remove(3), errcode.Closed)
	e.refold()
}

// TestPlayerTakenOutOfARoundRobin: as one who withdraws, and for good.
func TestPlayerTakenOutOfARoundRobin(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{}).started(5)
	e.do(Input{Kind: InputRemove, By: organizer, User: 3})
	if i := e.state.PlayerIndex(3); !e.state.Players[i].Annulled {
		t.Error("the games of a player who has played fewer than half of them count")
	}
	e.refused(Input{Kind: InputLetIn, By: organizer, User: 3}, errcode.Closed)
	e.playAll()
	e.refold()
}

// TestRoomForPlayersWhoAreLetIn: one who is let in after the start needs a place.
func TestRoomForPlayersWhoAreLetIn(t *testing.T) {
	e := open(t, FormatSwiss, Request{Max: 4, Rounds: 3}).started(4)
	e.do(Input{Kind: InputRemove, By: organizer, User: 1})
	e.do(Input{Kind: InputEnter, By: 9})
	e.refused(Input{Kind: InputLetIn, By: organizer, User: 1}, errcode.Full)
}

func TestOthersCannotActForPlayers(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(3)
	for _, kind := range []InputKind{InputCheckIn, InputWithdraw, InputPause, InputResume, InputAskBye} {
		e.refused(Input{Kind: kind, By: 99, Round: 1}, errcode.NotAllowed)
	}
	e.refused(Input{Kind: InputCreate, By: 99, Terms: e.state.Terms}, errcode.NotAllowed)
	if _, effects := Step(State{ID: "x"}, Input{Kind: InputEnter, By: 1}, Now{Time: began}); effects.Err == nil {
		t.Error("a tournament that does not exist is entered")
	}
}

// TestRemarks: the organizer is shown games of players who share an address, and wins against much higher ratings.
func TestRemarks(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	s := &e.state
	share := func(...account.ID) bool { return false }
	if all := s.Remarks(share); len(all) != 0 {
		t.Errorf("%d remarks on games that are running", len(all))
	}
	first, second := s.Rounds[0].Games[0], s.Rounds[0].Games[1]
	share = func(users ...account.ID) bool { return slices.Contains(users, s.Players[second.Seats[0]].User) }
	if all := s.Remarks(share); len(all) != 1 || all[0].Game != second || !all[0].IsOneAddress || all[0].Upset != 0 {
		t.Errorf("%+v, of players who share an address", all)
	}
	for _, by := range []int{minUpset - 1, minUpset} {
		x := *s
		x.Players = slices.Clone(s.Players)
		x.Players[first.Seats[1]].Rating = x.Players[first.Seats[0]].Rating + by
		x, effects := Step(x, Input{Kind: InputGameEnded, Round: 1, Table: 1, Ended: MatchEnd{Places: []int{1, 2}, Version: 5}}, Now{Time: e.now})
		if effects.Err != nil {
			t.Fatal(effects.Err)
		}
		all := x.Remarks(func(...account.ID) bool { return false })
		if (by < minUpset) != (len(all) == 0) || len(all) > 0 && all[0].Upset != by {
			t.Errorf("%+v, of a win against a rating higher by %d", all, by)
		}
	}
}
