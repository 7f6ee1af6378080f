package tournament

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s is now\n%s", path, got)
	}
}

// crossTable returns a round robin of four with these results: the points of the row against the column.
//
//	    1  2  3  4   points
//	1   -  1  ½  0   1½
//	2   0  -  1  1   2
//	3   ½  0  -  1   1½
//	4   1  0  0  -   1
func crossTable(t *testing.T) *event {
	t.Helper()
	halves := [4][4]int{{0, 2, 1, 0}, {0, 0, 2, 2}, {1, 0, 0, 2}, {2, 0, 0, 0}}
	e := open(t, FormatRoundRobin, Request{Clock: days}).started(4)
	for _, g := range e.playing() {
		places := []int{1, 1}
		switch halves[g.Seats[0]][g.Seats[1]] {
		case 2:
			places = []int{1, 2}
		case 0:
			places = []int{2, 1}
		}
		e.do(ended(&g, places...))
	}
	return e
}

func TestTieBreaksOfARoundRobin(t *testing.T) {
	e := crossTable(t)
	// Players 1 and 3 have drawn their game. Sonneborn–Berger: 1: 2·1 + 1½·½ = 2¾; 3: 1½·½ + 1·1 = 1¾.
	want := []Standing{
		{Player: 1, Place: 1, Points: 240, TieBreaks: []int{0, 300, 2}},
		{Player: 0, Place: 2, Points: 180, TieBreaks: []int{60, 330, 1}},
		{Player: 2, Place: 3, Points: 180, TieBreaks: []int{60, 210, 1}},
		{Player: 3, Place: 4, Points: 120, TieBreaks: []int{0, 180, 1}},
	}
	for i, at := range e.state.Standings() {
		w := want[i]
		if at.Player != w.Player || at.Place != w.Place || at.Points != w.Points || !slices.Equal(at.TieBreaks, w.TieBreaks) {
			t.Errorf("%+v, want %+v", at, w)
		}
	}
	if got, want := e.state.WhyPlace(2, nameOf), "p3 is 3rd of 4 with 1½ points. p1 is above: the same points, and points of the beaten and "+
		"drawn opponents (Sonneborn–Berger) 2.75 against 1.75. p4 is below: 1 point."; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestTieBreaksOfASwiss has four players and two rounds. Player 4 does not come in round 1.
func TestTieBreaksOfASwiss(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 2}).started(4)
	g := e.gameOf(2) // against player 4
	seat := g.seatOf(e.state.PlayerIndex(4))
	e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{NoShows: []int{seat}, Version: 1}})
	e.do(Input{Kind: InputResume, By: 4})
	e.playRound() // 1 beats 3
	e.wait(time.Minute)
	e.playRound() // 1 beats 2, 3 beats 4
	for _, at := range e.state.Standings() {
		user := e.state.Players[at.Player].User
		breaks := make(map[TieBreak]int)
		for i, b := range e.state.Terms.TieBreaks() {
			breaks[b] = at.TieBreaks[i]
		}
		want := map[account.ID][4]int{ // points, Buchholz, Sonneborn–Berger, wins
			1: {240, 120, 240, 2},
			2: {120, 240, 60, 0}, // round 1 counts like a draw against a player with 1 point
			3: {120, 240, 0, 1},
			4: {0, 120, 0, 0},
		}[user]
		if got := [4]int{at.Points, breaks[TieBreakBuchholz], breaks[TieBreakSonnebornBerger], breaks[TieBreakWins]}; got != want {
			t.Errorf("player %d has %v, want %v", user, got, want)
		}
	}
}

func TestDirectEncounterDecides(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{Clock: days}).started(4)
	for _, g := range e.playing() { // 1 beats 2, 2 beats 3 and 4, 3 beats 1, 1 and 4 as well as 3 and 4 draw
		pair := [2]int{g.Seats[0] + 1, g.Seats[1] + 1}
		places := []int{1, 1}
		for _, won := range [][2]int{{1, 2}, {2, 3}, {2, 4}, {3, 1}} {
			if pair == won {
				places = []int{1, 2}
			} else if pair == [2]int{won[1], won[0]} {
				places = []int{2, 1}
			}
		}
		e.do(ended(&g, places...))
	}
	// 1 and 3 have 1½ points, and 3 has won against 1.
	var order []int
	for _, at := range e.state.Standings() {
		order = append(order, at.Player+1)
	}
	if !slices.Equal(order, []int{2, 3, 1, 4}) {
		t.Errorf("the order is %v", order)
	}
	if text := e.state.WhyPlace(0, nameOf); !strings.Contains(text, "points from games against each other 1 against 0") {
		t.Error(text)
	}
}

// TestDirectEncounterNeedsAllGames: among equal players of whom two have not met, games between them decide nothing.
func TestDirectEncounterNeedsAllGames(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 1}).started(4)
	g := e.playing()
	e.do(ended(&g[0], 1, 2))
	if err := e.try(Input{Kind: InputRule, By: organizer, Round: 1, Table: 2, Places: []int{1, 2}}); err != nil {
		t.Fatal(err)
	}
	for _, at := range e.state.Standings() {
		if at.TieBreaks[slices.Index(e.state.Terms.TieBreaks(), TieBreakDirect)] != 0 {
			t.Errorf("%+v", at)
		}
	}
	// In a cycle of three with another who has met two of them only, the sums differ and do not count.
	x := tally{s: &e.state, points: make([]int, 4), scores: [][]score{
		{{Point, 1}, {0, 2}}, {{0, 0}, {Point, 2}}, {{Point, 0}, {0, 1}, {Point, 3}}, {{0, 2}},
	}}
	if got := x.direct([]Standing{{Player: 0}, {Player: 1}, {Player: 2}, {Player: 3}}); got != nil {
		t.Errorf("players who have not met have %v", got)
	}
	if got := x.direct([]Standing{{Player: 0}, {Player: 2}}); got[0] != 0 || got[2] != Point {
		t.Errorf("two who have met have %v", got)
	}
}

// TestStandingsBeforeTheStart have the order of lots and no points.
func TestStandingsBeforeTheStart(t *testing.T) {
	for _, format := range []Format{FormatSwiss, FormatRoundRobin, FormatTables} {
		e := open(t, format, Request{}).entered(3)
		for _, at := range e.state.Standings() {
			for i, b := range e.state.Terms.TieBreaks() {
				if n := at.TieBreaks[i]; n != 0 && b != TieBreakPerformance {
					t.Errorf("%s: %s is %d", format, b, n)
				}
			}
		}
		if e.state.PossiblePlaces() != nil || Next(&e.state) != (time.Time{}) {
			t.Errorf("%s: something follows before the start", format)
		}
		text := e.state.WhyPlace(e.state.Standings()[0].Player, nameOf)
		if !strings.Contains(text, "the lot decides") || strings.Contains(text, "is above") {
			t.Error(text)
		}
	}
}

// TestPerformanceFollowsFromAllGames: the second of two equal results changes less than the first.
func TestPerformanceFollowsFromAllGames(t *testing.T) {
	e := open(t, FormatTables, Request{Rounds: 2}).started(5)
	e.playRound()
	first := e.state.Standings()[0].TieBreaks[2]
	e.wait(time.Minute)
	e.playRound()
	second := e.state.Standings()[0].TieBreaks[2]
	if second <= first || second-first >= first-1500 {
		t.Errorf("performances of %d and %d", first, second)
	}
}

func TestPointsAtTables(t *testing.T) {
	for _, c := range []struct {
		places []int
		want   []int // in 1/120
	}{
		{[]int{1, 2, 3}, []int{240, 60, 0}},
		{[]int{4, 1, 3, 2}, []int{0, 240, 40, 80}},
		{[]int{1, 2, 3, 4, 5}, []int{240, 90, 60, 30, 0}},
		{[]int{1, 2, 3, 4, 5, 6}, []int{240, 96, 72, 48, 24, 0}},
		{[]int{1, 1, 3}, []int{150, 150, 0}},
		{[]int{1, 2, 2}, []int{240, 30, 30}},
		{[]int{1, 1, 1, 1}, []int{90, 90, 90, 90}},
		{[]int{1, 2, 2, 2}, []int{240, 40, 40, 40}},
		{[]int{1, 2, 2, 4, 4, 4}, []int{240, 84, 84, 24, 24, 24}},
		{[]int{1, 2}, []int{240, 0}},
	} {
		if err := checkPlaces(c.places, len(c.places)); err != nil {
			t.Error(err)
		}
		got := pointsOf(c.places, len(c.places), true)
		if !slices.Equal(got, c.want) {
			t.Errorf("the places %v bring %v, want %v", c.places, got, c.want)
		}
	}
	for seats := 3; seats <= 6; seats++ { // a table brings the same, however its places are shared
		sum := 0
		for _, n := range pointsOf(drawnPlaces(seats), seats, true) {
			sum += n
		}
		if want := Point*seats/2 + Point; sum != want {
			t.Errorf("a table of %d brings %d/120, want %d/120", seats, sum, want)
		}
	}
	if got := pointsOf([]int{1, 1}, 2, false); !slices.Equal(got, []int{60, 60}) {
		t.Errorf("a drawn game brings %v", got)
	}
	for _, bad := range [][]int{{1, 3}, {0, 1}, {2, 2}, {1}, {1, 2, 2, 3}} {
		if checkPlaces(bad, max(len(bad), 2)) == nil {
			t.Errorf("the places %v are possible", bad)
		}
	}
}

// TestTablesAreRankedByWinsAndOpponents: of equal points the wins count before the opponents.
func TestTablesAreRankedByWinsAndOpponents(t *testing.T) {
	e := open(t, FormatTables, Request{}).started(7)
	e.playAll()
	all := e.state.Standings()
	for i, at := range all {
		if len(at.TieBreaks) != 3 || at.Place != i+1 {
			t.Errorf("place %d: %+v", i+1, at)
		}
	}
	if all[0].Player != 0 || all[0].Points != 3*2*Point || all[0].TieBreaks[0] != 3 {
		t.Errorf("who wins all is %+v", all[0])
	}
	if best, worst := all[0].TieBreaks[2], all[6].TieBreaks[2]; best <= 1500 || worst >= 1500 {
		t.Errorf("performances from %d to %d", best, worst)
	}
}

// TestPossiblePlacesBecomeFewer plays the last rounds of a swiss.
func TestPossiblePlacesBecomeFewer(t *testing.T) {
	e := open(t, FormatSwiss, Request{Rounds: 4}).started(8)
	if e.state.PossiblePlaces() != nil {
		t.Error("places are possible before the last round but one")
	}
	var before []PlaceRange
	check := func() {
		t.Helper()
		now := e.state.PossiblePlaces()
		for i := range before {
			if now[i].Best < before[i].Best || now[i].Worst > before[i].Worst {
				t.Errorf("player %d: %+v after %+v", i+1, now[i], before[i])
			}
		}
		before = now
	}
	for range 4 {
		for _, g := range e.playing() {
			e.do(ended(&g, 1, 2))
			check()
		}
		e.wait(time.Minute)
		check()
	}
	for _, at := range e.state.Standings() {
		if r := before[at.Player]; r.Best != at.Place || r.Worst != at.Place {
			t.Errorf("after the end player %d can reach %+v, and has place %d", at.Player+1, r, at.Place)
		}
	}
	// By hand: before the last round with 3, 2, 2, 2 … points the first can only be shared.
	e = open(t, FormatSwiss, Request{Rounds: 3}).started(4)
	e.playRound()
	e.wait(time.Minute)
	if e.state.PossiblePlaces() != nil {
		t.Error("places are possible while one can enter")
	}
	e.playRound() // 2, 1, 1, 0 points
	e.wait(time.Minute)
	want := []PlaceRange{{1, 3}, {1, 4}, {1, 4}, {2, 4}}
	if got := e.state.PossiblePlaces(); !slices.Equal(got, want) {
		t.Errorf("the possible places are %v, want %v", got, want)
	}
}

// TestPossiblePlacesOfARoundRobin: games against players who can still withdraw are not certain.
func TestPossiblePlacesOfARoundRobin(t *testing.T) {
	e := open(t, FormatRoundRobin, Request{Clock: days}).started(4)
	for i, want := range [][]PlaceRange{
		{{1, 4}, {1, 4}, {1, 4}, {1, 4}},
		{{1, 4}, {1, 4}, {1, 4}, {1, 4}}, // 1 beats 2
		{{1, 4}, {1, 4}, {1, 4}, {1, 4}}, // 1 beats 3, and 3 can still withdraw
		{{1, 3}, {2, 4}, {1, 4}, {1, 4}}, // 3 beats 2: 2 points, 0 to 1, 1 to 2, and 3 at most for 4, who can withdraw
		{{1, 3}, {2, 4}, {1, 4}, {1, 4}}, // 1 beats 4, whose game counts only if 4 plays another
		{{1, 1}, {3, 4}, {2, 2}, {3, 4}}, // 3 beats 4, and only 2 against 4 is left
	} {
		if i > 0 {
			pair := [][2]int{{0, 1}, {0, 2}, {2, 1}, {0, 3}, {2, 3}}[i-1]
			for _, g := range e.playing() {
				if winner, loser := g.seatOf(pair[0]), g.seatOf(pair[1]); winner >= 0 && loser >= 0 {
					places := []int{2, 2}
					places[winner], places[loser] = 1, 2
					e.do(ended(&g, places...))
				}
			}
		}
		if got := e.state.PossiblePlaces(); !slices.Equal(got, want) {
			t.Errorf("after %d games %v, want %v", i, got, want)
		}
	}
}

func TestOpponentsDecideAtTables(t *testing.T) {
	e := open(t, FormatTables, Request{Rounds: 1}).started(6)
	for _, g := range e.playing() {
		places := []int{1, 2, 3}
		if g.Table == 2 {
			places = []int{1, 2, 2}
		}
		e.do(ended(&g, places...))
	}
	// The winners have the same points; the opponents of one have 60 and 0, of the other 30 and 30.
	for _, at := range e.state.Standings()[:2] {
		if at.TieBreaks[1] != 30 || at.Points != 2*Point {
			t.Errorf("a winner has %+v", at)
		}
	}
	for _, at := range e.state.Standings()[2:] {
		if at.TieBreaks[1] < 120 || at.TieBreaks[1] > 150 {
			t.Errorf("a loser has %+v", at)
		}
	}
}

func TestWords(t *testing.T) {
	for points, want := range map[int]string{0: "0", 60: "½", 120: "1", 180: "1½", 40: "0.33", 320: "2.67"} {
		if got := FormatPoints(points); got != want {
			t.Errorf("%d/120 is %q, want %q", points, got, want)
		}
	}
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th"} {
		if got := Ordinal(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// small returns a tournament of five players with a bye, a no-show, a late player, a ruling and one who withdraws.
func small(t *testing.T) *event {
	t.Helper()
	e := open(t, FormatSwiss, Request{Rounds: 3, Start: began.Add(time.Hour)}).entered(5)
	e.do(Input{Kind: InputEnter, By: 6, Entrant: Entrant{Rating: 1500}})
	e.do(Input{Kind: InputWithdraw, By: 6})
	e.do(Input{Kind: InputEdit, By: organizer, Terms: termsOf(t, FormatSwiss, Request{Rounds: 3, Start: began.Add(time.Hour), Delay: 2})})
	e.wait(50 * time.Minute)
	for i := range 5 {
		e.do(Input{Kind: InputCheckIn, By: account.ID(i + 1)})
	}
	e.do(Input{Kind: InputAskBye, By: 3, Round: 2})
	e.wait(10 * time.Minute)
	g := e.playing()[0]
	e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{NoShows: []int{1}, Version: 1}})
	e.do(Input{Kind: InputEnter, By: 7, Entrant: Entrant{Rating: 1700}})
	e.do(Input{Kind: InputRule, By: organizer, Round: 1, Table: 2, Places: []int{1, 2}, Note: "left the game"})
	e.wait(time.Minute)
	e.playRound()
	e.do(Input{Kind: InputPause, By: 7})
	e.wait(time.Minute)
	e.do(Input{Kind: InputExtend, By: organizer, Hours: 1})
	e.do(Input{Kind: InputResume, By: 7})
	e.do(Input{Kind: InputWithdraw, By: 2})
	e.playAll()
	return e
}

// TestStoredForm: the stored form of entries stays as it is, because logs outlive the program.
func TestStoredForm(t *testing.T) {
	var b strings.Builder
	kinds := make(map[EntryKind]bool)
	few := open(t, FormatSwiss, Request{Clock: days, Cap: 10, Start: began.Add(time.Hour)}).entered(2)
	for range 3 {
		few.wait(time.Hour)
	}
	slow := open(t, FormatRoundRobin, Request{Clock: days, Cap: 48}).started(3)
	slow.wait(24 * time.Hour)
	slow.wait(24 * time.Hour)
	for _, e := range []*event{small(t), few, slow} {
		e.refold()
		for i := range e.log {
			kinds[e.log[i].Kind] = true
			data, err := Encode(&e.log[i])
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(data, '\n'))
		}
	}
	if len(kinds) != 19 {
		t.Errorf("the logs have only %d kinds of entries: %v", len(kinds), kinds)
	}
	golden(t, "log.golden", b.String())
}

// TestTimesOfExportsAreWholeSeconds: the times of the JSON form have no fractions, whatever those of the log have.
func TestTimesOfExportsAreWholeSeconds(t *testing.T) {
	e := open(t, FormatSwiss, Request{Start: began.Add(time.Hour + time.Nanosecond), CheckIn: new(0)}).entered(4)
	e.wait(61*time.Minute + time.Nanosecond)
	data, err := json.Marshal(e.state.View(nameOf, Page{}))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Start, Deadline string
		Terms           struct{ Start string }
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"start": v.Start, "deadline": v.Deadline, "start of the terms": v.Terms.Start} {
		if len(text) != len("2027-03-01T19:00:00Z") || !strings.HasSuffix(text, "Z") {
			t.Errorf("the %s is %q", what, text)
		}
	}
}

// TestExports compares the JSON form and TRF16 with files.
func TestExports(t *testing.T) {
	e := small(t)
	data, err := json.MarshalIndent(e.state.View(nameOf, Page{}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "view.golden", string(data)+"\n")
	file, err := e.state.TRF(nameOf)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "trf.golden", string(file))
	for line := range strings.Lines(string(file)) { // the columns of FIDE's description
		if strings.HasPrefix(line, "001") && (len(line) != 90+30 || line[80:84] != " "+strings.TrimSpace(line[80:84]) || strings.TrimSpace(line[14:47]) == "") {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	if _, err := open(t, FormatTables, Request{}).started(6).state.TRF(nameOf); err == nil {
		t.Error("tables are written as TRF16")
	}
}

func TestPagesOfAView(t *testing.T) {
	e := small(t)
	all := e.state.View(nameOf, Page{})
	page := e.state.View(nameOf, Page{Round: 2, After: e.state.Players[e.state.Standings()[1].Player].User, Limit: 2})
	if len(page.Players) != 2 || page.Players[0].Name != all.Players[2].Name {
		t.Errorf("the players after the second are %+v", page.Players)
	}
	if len(page.Games) != len(e.state.Rounds[1].Games) {
		t.Errorf("round 2 has %d games", len(page.Games))
	}
	for _, g := range page.Games {
		if g.Round != 2 {
			t.Errorf("a game of round %d", g.Round)
		}
	}
	unknown := e.state.View(nameOf, Page{After: 4711})
	if len(unknown.Players) != len(all.Players) {
		t.Errorf("after an unknown player there are %d", len(unknown.Players))
	}
}

// TestFinalPlacesAreThoseOfTheLog: a later version of the server that ranks otherwise changes no tournament that has ended.
func TestFinalPlacesAreThoseOfTheLog(t *testing.T) {
	e := small(t)
	log := slices.Clone(e.log)
	last := &log[len(log)-1]
	last.Places = []int{1, 2, 3, 4, 5, 6}
	again, err := Fold("x", log)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range again.Standings() {
		if at.Player != i || at.Place != i+1 {
			t.Errorf("place %d is that of %+v", i+1, at)
		}
	}
}

// TestLargestEntries: the entries of a tournament with all players fit into the bounds of the stored form.
func TestLargestEntries(t *testing.T) {
	e := open(t, FormatSwiss, Request{Max: MaxPlayers, Rounds: 2})
	for i := range MaxPlayers {
		id := account.ID(1_000_000_000 + i)
		e.do(Input{Kind: InputEnter, By: id, Entrant: Entrant{Rating: 1000 + i}})
		if i%2 == 0 {
			e.absent[id] = began.Add(-time.Hour)
		}
	}
	e.refused(Input{Kind: InputEnter, By: 5}, errcode.Full)
	e.do(Input{Kind: InputStart, By: organizer})
	for i := range e.log {
		if _, err := Encode(&e.log[i]); err != nil {
			t.Error(err)
		}
	}
}

// FuzzDecode: what can be decoded can be encoded again without a change, and folding it after others does not panic.
func FuzzDecode(f *testing.F) {
	file, err := os.ReadFile("testdata/log.golden")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"v":1,"kind":"paired","at":"2027-03-01T18:00:00Z","round":1,"games":[{"seats":[]}]}`))
	f.Add([]byte(`{"v":2}`))
	f.Add([]byte(`{"v":1,"kind":"withdrew","at":"2027-03-01T18:00:00Z","user":2,"cause":"banned","note":"bot"}`))
	f.Add([]byte(`{"v":1,"kind":"created","terms":{"game":"chess"}}`))
	e := open(f, FormatSwiss, Request{Rounds: 3}).started(4)
	before := open(f, FormatRoundRobin, Request{}).entered(4).state
	f.Fuzz(func(t *testing.T, data []byte) {
		entry, err := Decode(data, enginetest.Games)
		if err != nil {
			return
		}
		text, err := Encode(&entry)
		if err != nil {
			return // longer than it was
		}
		again, err := Decode(text, enginetest.Games)
		if err != nil {
			t.Fatalf("%s is written as %s, which is refused: %v", data, text, err)
		}
		if more, err := Encode(&again); err != nil || string(more) != string(text) {
			t.Errorf("%s is written as %s, and then as %s, %v", data, text, more, err)
		}
		for _, s := range []State{{ID: "x"}, before, e.state} {
			next, err := s.apply(&entry)
			if err != nil || next.Version == 0 {
				continue
			}
			next.Standings()
			next.PossiblePlaces()
			next.View(nameOf, Page{})
			Want(&next)
			Next(&next)
			Step(next, Input{Kind: InputCheck}, Now{Time: began.Add(time.Hour)})
		}
	})
}
