package tournament

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
)

// The tests of this file are of what users of other servers have reported.

func TestOneGameForEachPairing(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(6)
	first := e.want().Games
	if len(first) != 3 {
		t.Fatalf("%d games are wanted", len(first))
	}
	e.do(Input{Kind: InputCheck}) // as on another node
	for i, g := range e.want().Games {
		if g.ID != first[i].ID || g.ID != MatchID(e.state.ID, 1, i+1) {
			t.Errorf("game %d is wanted as %s, and was as %s", i, g.ID, first[i].ID)
		}
	}
	e.playAll()
	seen := make(map[string]bool)
	for _, r := range e.state.Rounds {
		for _, g := range r.Games {
			id := MatchID(e.state.ID, g.Round, g.Table)
			if g.Table > 0 && seen[id] {
				t.Errorf("round %d, table %d has the id of another game", g.Round, g.Table)
			}
			seen[id] = true
		}
	}
}

func TestNobodyEntersTwice(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(3)
	e.refused(Input{Kind: InputEnter, By: 2}, errcode.NotAllowed)
	e.do(Input{Kind: InputWithdraw, By: 2})
	e.do(Input{Kind: InputEnter, By: 2})
	if len(e.state.Players) != 3 {
		t.Errorf("there are %d players", len(e.state.Players))
	}
}

func TestPairingAlwaysEnds(t *testing.T) {
	for n := 2; n <= 9; n++ {
		e := open(t, FormatSwiss, Request{Min: 2, Rounds: 8}).started(n)
		e.playAll()
		if e.state.Phase != PhaseClosed || len(e.state.Rounds) != n-1 && len(e.state.Rounds) != 8 {
			t.Errorf("%d players: %s after %d rounds", n, e.state.Phase, len(e.state.Rounds))
		}
	}
}

func TestLastGameCounts(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 1}).started(4)
	games := e.playing()
	e.do(ended(&games[0], 1, 2))
	e.do(ended(&games[1], 1, 2))
	if e.state.Phase != PhaseClosed {
		t.Fatalf("the tournament is %s", e.state.Phase)
	}
	sum := 0
	for _, at := range e.state.Standings() {
		sum += at.Points
	}
	if sum != 2*Point {
		t.Errorf("two games bring %d/120", sum)
	}
}

func TestEndedGamesDoNotCountAsRunning(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.playing()[0]
	e.do(ended(&g, 2, 1))
	for _, w := range e.want().Games {
		if w.Table == g.Table {
			t.Error("an ended game is still wanted")
		}
	}
	e.playAll()
	if len(e.want().Active) != 0 || len(e.want().Games) != 0 {
		t.Errorf("a closed tournament counts for %v and wants %v", e.want().Active, e.want().Games)
	}
}

func TestRoundGoesOnWithoutTheWithdrawn(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(6)
	games := e.playing()
	e.do(ended(&games[0], 1, 2))
	e.do(ended(&games[1], 1, 2))
	left := e.state.Players[games[2].Seats[0]].User
	stays := e.state.Players[games[2].Seats[1]].User
	e.do(Input{Kind: InputWithdraw, By: left})
	if e.state.Phase != PhasePause || e.pointsOf(stays) != Point || e.pointsOf(left) != 0 {
		t.Errorf("%s: the one who stays has %d/120", e.state.Phase, e.pointsOf(stays))
	}
	if want := (WantedEnd{MatchID(e.state.ID, 1, games[2].Table), games[2].seatOf(e.state.PlayerIndex(stays))}); !slices.Contains(e.want().Ends, want) {
		t.Errorf("the match %v is not ended: %v", want, e.want().Ends)
	}
}

func TestOnlyPresentPlayersArePaired(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).entered(6)
	e.absent[3] = e.now.Add(-absenceLimit - time.Second)
	e.absent[4] = e.now.Add(-absenceLimit)
	e.do(Input{Kind: InputStart, By: organizer})
	if kind := e.kindIn(1, 3); kind != GameAbsent {
		t.Errorf("the absent player is %q", kind)
	}
	if kind := e.kindIn(1, 4); kind == GameAbsent {
		t.Error("a player who was there 60 s ago is absent")
	}
	if !e.hasNotice(3, NoticeAbsent) {
		t.Error("the absent player is not notified")
	}
}

func TestAbsenceDoesNotCountInGamesOfDays(t *testing.T) {
	e := open(t, FormatSwiss, Request{Clock: days}).entered(4)
	for i := range 4 {
		e.absent[account.ID(i+1)] = began.Add(-time.Hour)
	}
	e.do(Input{Kind: InputStart, By: organizer})
	if len(e.playing()) != 2 {
		t.Errorf("%d games are running", len(e.playing()))
	}
}

func TestGameEndedByServerIsNobodysFault(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.playing()[0]
	e.do(Input{Kind: InputGameEnded, Round: g.Round, Table: g.Table, Ended: MatchEnd{Version: 3}})
	for _, p := range g.Seats {
		if user := e.state.Players[p].User; e.statusOf(user) != StatusIn || e.pointsOf(user) != Point/2 {
			t.Errorf("player %d is %s with %d/120", user, e.statusOf(user), e.pointsOf(user))
		}
	}
}

func TestRulingOfTheOrganizerIsNoNoShow(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.playing()[0]
	e.do(Input{Kind: InputRule, By: organizer, Round: g.Round, Table: g.Table, Places: []int{2, 1}, Note: "seen at the board"})
	if user := e.state.Players[g.Seats[0]].User; e.statusOf(user) != StatusIn {
		t.Errorf("the loser is %s", e.statusOf(user))
	}
	if e.state.Rounds[0].Games[g.Table-1].NoShows != nil {
		t.Error("the game has a no-show")
	}
}

func TestResignedBeforeTheFirstTurnIsPlayed(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.playing()[0]
	e.do(Input{Kind: InputGameEnded, Round: g.Round, Table: g.Table, Ended: MatchEnd{Places: []int{1, 2}, Version: 1}})
	if got := e.state.Rounds[0].Games[g.Table-1]; got.Kind != GamePlayed || e.statusOf(e.state.Players[g.Seats[0]].User) != StatusIn {
		t.Errorf("the game is %+v", got)
	}
}

func TestNoShowLosesUnratedAndIsPaused(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.playing()[0]
	late, came := e.state.Players[g.Seats[0]].User, e.state.Players[g.Seats[1]].User
	e.do(Input{Kind: InputGameEnded, Round: g.Round, Table: g.Table, Ended: MatchEnd{NoShows: []int{0}, Version: 1}})
	if got := e.state.Rounds[0].Games[g.Table-1]; got.Kind != GameNoShow || !slices.Equal(got.Places, []int{2, 1}) {
		t.Errorf("the game is %+v", got)
	}
	if e.statusOf(late) != StatusPaused || e.statusOf(came) != StatusIn || e.pointsOf(came) != Point || !e.hasNotice(late, NoticePaused) {
		t.Errorf("one is %s, the other %s with %d/120", e.statusOf(late), e.statusOf(came), e.pointsOf(came))
	}
	e.playRound()
	e.wait(time.Minute)
	if kind := e.kindIn(2, late); kind != GameAbsent {
		t.Errorf("in the next round the paused player is %q", kind)
	}
	e.do(Input{Kind: InputResume, By: late})
	e.playRound()
	e.wait(time.Minute)
	if kind := e.kindIn(3, late); kind == GameAbsent {
		t.Error("the player is not paired after resuming")
	}
}

func TestGameThatNobodyCameToHasNoWinner(t *testing.T) {
	e := open(t, FormatSwiss, Request{}).started(4)
	g := e.playing()[0]
	e.do(Input{Kind: InputGameEnded, Round: g.Round, Table: g.Table, Ended: MatchEnd{NoShows: []int{0, 1}}})
	got := e.state.Rounds[0].Games[g.Table-1]
	if got.Kind != GameNoShow || got.Places != nil || !slices.Equal(got.Points, []int{0, 0}) {
		t.Errorf("the game is %+v", got)
	}
}

func TestManyNoShowsOfOneTournamentCountOnce(t *testing.T) {
	at := func(day int) time.Time { return began.AddDate(0, 0, day) }
	miss := func(id string, day int) Attendance { return Attendance{id, at(day), true} }
	finish := func(id string, day int) Attendance { return Attendance{id, at(day), false} }
	for _, c := range []struct {
		what    string
		history []Attendance
		until   time.Time
	}{
		{"none", nil, time.Time{}},
		{"one", []Attendance{miss("a", 0)}, time.Time{}},
		{"several games of one", []Attendance{miss("a", 0), miss("a", 0), miss("a", 1)}, time.Time{}},
		{"two", []Attendance{miss("a", 0), miss("b", 3)}, at(4)},
		{"two in any order", []Attendance{miss("b", 3), miss("a", 0)}, at(4)},
		{"two more than 30 days apart", []Attendance{miss("a", 0), miss("b", 31)}, time.Time{}},
		{"three", []Attendance{miss("a", 0), miss("b", 1), miss("c", 2)}, at(4)},
		{"four", []Attendance{miss("a", 0), miss("b", 1), miss("c", 2), miss("d", 3)}, at(7)},
		{"a finished one halves", []Attendance{miss("a", 0), miss("b", 1), miss("c", 2), finish("x", 5), miss("d", 6)}, at(8)},
		{"two finished ones", []Attendance{miss("a", 0), miss("b", 1), miss("c", 2), finish("x", 5), finish("y", 6), miss("d", 7)}, at(8)},
		{"many finished ones", []Attendance{miss("a", 0), miss("b", 1), finish("v", 2), finish("w", 3), finish("x", 4), miss("c", 5)}, at(6)},
		{"finished and missed", []Attendance{miss("a", 0), finish("a", 1), miss("b", 2)}, at(3)},
	} {
		if got := NoEntryUntil(c.history); !got.Equal(c.until) {
			t.Errorf("%s: %v, want %v", c.what, got, c.until)
		}
	}
}

func TestNoShowsBarFromEntering(t *testing.T) {
	e := open(t, FormatSwiss, Request{})
	text := e.refused(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Until: e.now.Add(time.Hour)}}, errcode.NotAllowed)
	if !strings.Contains(text, "2027-03-01 19:00") {
		t.Errorf("the refusal is %q", text)
	}
	e.do(Input{Kind: InputEnter, By: 1, Entrant: Entrant{Until: e.now}})
}

func TestNobodyHasASecondBye(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 6}).started(7)
	e.playAll()
	byes := make(map[int]int)
	for _, r := range e.state.Rounds {
		for _, g := range r.Games {
			if g.Kind == GameBye {
				byes[g.Seats[0]]++
				if g.Points[0] != Point {
					t.Errorf("a bye is worth %d/120", g.Points[0])
				}
			}
		}
	}
	for p, n := range byes {
		if n > 1 {
			t.Errorf("player %d has %d byes", p, n)
		}
	}
	if len(byes) != 6 {
		t.Errorf("%d players had the bye in 6 rounds", len(byes))
	}
}

func TestNobodyMeetsTheSameOpponentAgain(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 5}).started(8)
	e.playAll()
	met := make(map[[2]int]bool)
	for _, r := range e.state.Rounds {
		for _, g := range r.Games {
			pair := [2]int{min(g.Seats[0], g.Seats[1]), max(g.Seats[0], g.Seats[1])}
			if met[pair] {
				t.Errorf("players %v meet again in round %d", pair, r.Number)
			}
			met[pair] = true
		}
	}
}

func TestPairingsCanBeExplained(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 4}).started(9)
	e.playAll()
	for round := 1; round <= 4; round++ {
		for p := range e.state.Players {
			text := e.state.WhyPaired(round, p, nameOf)
			if !strings.Contains(text, nameOf(e.state.Players[p].User)) && e.kindIn(round, e.state.Players[p].User) != GamePlayed {
				t.Errorf("round %d: %q", round, text)
			}
			if strings.Contains(text, "was not paired") {
				t.Errorf("round %d, player %d: %q", round, p, text)
			}
		}
	}
	met := 0
	for p := range e.state.Players {
		text := e.state.WhyPaired(4, p, nameOf)
		if _, after, ok := strings.Cut(text, " Not "); ok && strings.HasPrefix(after, "p") && strings.Contains(after, ": they have met before.") {
			met++
		}
	}
	if met == 0 {
		t.Error("nobody has met a nearer opponent before round 4")
	}
	if text := e.state.WhyPaired(1, 0, nameOf); !strings.Contains(text, "upper half") || !strings.Contains(text, "p1 (1st with 0 points) plays p5") {
		t.Errorf("round 1: %q", text)
	}
	if text := e.state.WhyPaired(2, 0, nameOf); !strings.Contains(text, "was the highest without an opponent and plays") || strings.Contains(text, "upper half") || strings.Contains(text, "Not :") {
		t.Errorf("round 2: %q", text)
	}
	for format, want := range map[Format][]string{
		FormatRoundRobin: {"Berger", "Berger", "Berger"}, FormatTables: {"by rating", "by their points", "In the last round"},
	} {
		other := open(t, format, Request{}).started(6)
		other.playAll()
		for round, words := range want {
			if text := other.state.WhyPaired(round+1, 0, nameOf); !strings.Contains(text, words) {
				t.Errorf("%s, round %d: %q", format, round+1, text)
			}
		}
	}
	if text := e.state.WhyPaired(9, 0, nameOf); !strings.Contains(text, "has not been paired") {
		t.Errorf("round 9: %q", text)
	}
}

func TestVacationIsATerm(t *testing.T) {
	no := false
	if terms := termsOf(t, FormatSwiss, Request{Clock: days, Vacation: &no}); terms.Vacation {
		t.Error("vacations count although the terms exclude them")
	}
	if terms := termsOf(t, FormatSwiss, Request{Clock: days}); !terms.Vacation {
		t.Error("vacations do not count by default")
	}
}

func TestDeadlinesFollowFromTheState(t *testing.T) {
	e := open(t, FormatSwiss, Request{Clock: days, Cap: 100}).started(4)
	if got := Next(&e.state); !got.Equal(e.now.Add(76 * time.Hour)) {
		t.Errorf("next is %v", got)
	}
	e.now = e.now.Add(200 * time.Hour) // the server was down
	e.do(Input{Kind: InputCheck})
	if e.state.Phase != PhaseRunning || !e.hasNotice(1, NoticeDeadline) {
		t.Fatalf("%s without a warning", e.state.Phase)
	}
	e.wait(24 * time.Hour)
	if e.state.Phase != PhasePause {
		t.Errorf("a day after the warning the tournament is %s", e.state.Phase)
	}
}

func TestOrganizersHaveControl(t *testing.T) {
	e := open(t, FormatSwiss, Request{Clock: days, Cap: 48}).started(4)
	g := e.playing()[0]
	for _, in := range []Input{
		{Kind: InputStart, By: 1}, {Kind: InputEdit, By: 1}, {Kind: InputCancel, By: 1}, {Kind: InputExtend, By: 1, Hours: 1},
		{Kind: InputRule, By: 1, Round: 1, Table: 1},
	} {
		e.refused(in, errcode.NotAllowed)
	}
	e.do(Input{Kind: InputExtend, By: 5, Moderator: true, Hours: 10})
	if r := e.state.Rounds[0]; !r.Deadline.Equal(r.Paired.Add(58 * time.Hour)) {
		t.Errorf("the deadline is %v", r.Deadline)
	}
	e.refused(Input{Kind: InputExtend, By: organizer, Hours: 0}, errcode.BadRequest)
	e.refused(Input{Kind: InputExtend, By: organizer, Hours: MaxCap}, errcode.BadRequest)
	e.refused(Input{Kind: InputRule, By: organizer, Round: 1, Table: 9}, errcode.BadRequest)
	e.refused(Input{Kind: InputRule, By: organizer, Round: 1, Table: 1, Places: []int{1, 3}}, errcode.BadRequest)
	e.do(Input{Kind: InputRule, By: organizer, Round: 1, Table: g.Table})
	if got := e.state.Rounds[0].Games[g.Table-1]; got.Kind != GameRuled || !slices.Equal(got.Points, []int{Point / 2, Point / 2}) {
		t.Errorf("the game is %+v", got)
	}
	e.refused(Input{Kind: InputRule, By: organizer, Round: 1, Table: g.Table}, errcode.Closed)
	e.refused(Input{Kind: InputEdit, By: organizer}, errcode.Closed)
	e.refused(Input{Kind: InputStart, By: organizer}, errcode.Closed)
	e.refused(Input{Kind: InputCancel, By: organizer, Note: strings.Repeat("x", MaxNote+1)}, errcode.BadRequest)
	e.do(Input{Kind: InputCancel, By: organizer, Note: "rain"})
	if e.state.Phase != PhaseCancelled || e.state.Note != "rain" || !e.hasNotice(1, NoticeCancelled) || len(e.want().Games) != 0 {
		t.Errorf("the tournament is %s because of %q", e.state.Phase, e.state.Note)
	}
	e.refused(Input{Kind: InputCancel, By: organizer}, errcode.Closed)
	e.refold()
}

// TestRulingsAreTold: who is still in is told how a game was decided, and why.
func TestRulingsAreTold(t *testing.T) {
	told := func(e *event, user account.ID) string {
		text := ""
		for _, n := range e.want().Notices {
			if n.User == user && n.Kind == NoticeRuled {
				text += n.Text
			}
		}
		return text
	}
	e := open(t, FormatSwiss, Request{Clock: days}).started(6)
	games := e.playing()
	player := func(g *Game, seat int) account.ID { return e.state.Players[g.Seats[seat]].User }
	e.do(Input{Kind: InputRule, By: organizer, Round: 1, Table: games[0].Table, Places: []int{2, 1}, Note: "a power cut."})
	e.do(Input{Kind: InputRule, By: organizer, Round: 1, Table: games[1].Table})
	e.do(Input{Kind: InputWithdraw, By: player(&games[2], 1)})
	if e.state.Phase != PhasePause {
		t.Fatalf("the tournament is %s", e.state.Phase)
	}
	for _, c := range []struct {
		user account.ID
		want string
	}{
		{player(&games[0], 0), "your game of round 1 is decided: you lose (a power cut)"},
		{player(&games[0], 1), "your game of round 1 is decided: you win (a power cut)"},
		{player(&games[1], 0), "your game of round 1 is decided: it is drawn"},
		{player(&games[1], 1), "your game of round 1 is decided: it is drawn"},
		{player(&games[2], 0), "your game of round 1 is decided: you win (the opponent has withdrawn)"},
		{player(&games[2], 1), ""},
	} {
		if got := told(e, c.user); got != c.want {
			t.Errorf("player %d is told %q, want %q", c.user, got, c.want)
		}
	}

	e = open(t, FormatTables, Request{}).started(6)
	g := e.playing()[0]
	e.do(Input{Kind: InputRule, By: organizer, Round: 1, Table: g.Table, Places: []int{2, 1, 3}})
	for seat, want := range []string{"your place is 2 of 3", "you win", "your place is 3 of 3"} {
		if got := told(e, e.state.Players[g.Seats[seat]].User); got != "your game of round 1 is decided: "+want {
			t.Errorf("seat %d is told %q, want %q", seat, got, want)
		}
	}
	if end := (WantedEnd{MatchID(e.state.ID, 1, g.Table), 1}); !slices.Contains(e.want().Ends, end) {
		t.Errorf("the ends %v are without %v", e.want().Ends, end)
	}
}
