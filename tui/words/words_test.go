package words

import (
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/tui/game"
)

func TestClock(t *testing.T) {
	for left, want := range map[time.Duration]string{
		0:                             "0:00",
		time.Millisecond:              "0:01", // a started second counts
		time.Second:                   "0:01",
		61*time.Second - 1:            "1:01",
		10 * time.Minute:              "10:00",
		time.Hour + 2*time.Minute + 3: "1:02:01",
		52 * time.Hour:                "2 d 4 h",
	} {
		if got := Clock(left); got != want {
			t.Errorf("%v is shown as %q, not %q", left, got, want)
		}
	}
}

func TestFirstTurnLimit(t *testing.T) {
	for want, info := range map[string]*match.Info{
		"the game is aborted": {Seats: make([]match.Seat, 2)},
		"you lose it unrated": {Seats: make([]match.Seat, 2), Tournament: match.Tournament{ID: "t"}},
		"you leave the game":  {Seats: make([]match.Seat, 3), Tournament: match.Tournament{ID: "t"}},
	} {
		if got := FirstTurnLimit(&match.Snapshot{Info: info}, 50*time.Second); got != "Make your first move within 0:50 or "+want+"." {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A screen that is redrawn after each NextClockChange shows every value of the clock once.
func TestClockChange(t *testing.T) {
	for _, left := range []time.Duration{time.Nanosecond, 1500 * time.Millisecond, 59 * time.Second, time.Hour + 1, 24*time.Hour + time.Minute, 49 * time.Hour} {
		d := NextClockChange(left)
		if d <= 0 {
			t.Fatalf("%v changes after %v", left, d)
		}
		if just := left - d + 1; d > 1 && just <= left && Clock(just) != Clock(left) {
			t.Errorf("%v changes before %v have passed", left, d)
		}
	}
}

func TestTimes(t *testing.T) {
	for d, want := range map[time.Duration][2]string{
		0:                 {"now", "0 s"},
		59 * time.Second:  {"now", "59 s"},
		5 * time.Minute:   {"5 min", "5 min"},
		100 * time.Minute: {"1 h", "1 h"},
		50 * time.Hour:    {"2 d", "2 d"},
	} {
		if got := [2]string{AgoText(d), Seconds(d)}; got != want {
			t.Errorf("%v is %q, not %q", d, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for clause, want := range map[string]string{
		"":                 "",
		"it is your turn":  "It is your turn.",
		"b1 is occupied":   "b1 is occupied.", // a point keeps its small letter
		"Already whole.":   "Already whole.",
		"really?":          "Really?",
		"één keer is goed": "Één keer is goed.",
	} {
		if got := Sentence(clause); got != want {
			t.Errorf("%q becomes %q, not %q", clause, got, want)
		}
	}
}

func TestRatings(t *testing.T) {
	if s := Rating(rating.Rating{Value: 1512.4, Deviation: 60}); s != "1512" {
		t.Errorf("an established rating is %q", s)
	}
	if s := Rating(rating.Rating{Value: 1500, Deviation: 350}); s != "1500?" {
		t.Errorf("a new rating is %q", s)
	}
	if s := NameAndRating("ana", nil); s != "ana" {
		t.Errorf("without a rating it is %q", s)
	}
}

// TestPlaces describes a match of four, of whom one resigned and two share a place.
func TestPlaces(t *testing.T) {
	info := &match.Info{}
	for _, name := range []string{"ana", "bob", "carol", "dan"} {
		info.Seats = append(info.Seats, match.Seat{Name: name})
	}
	r := engine.Result{Winners: []int{1}, Reason: engine.ReasonScore, Scores: []int{6, 25, 0, 6}, Places: []int{1, 0, 3, 1}}
	s := &match.Snapshot{Info: info, Result: &r, Log: []match.Entry{{Kind: match.EntryLeave, Seat: 2, Reason: match.LeftResigned}}}
	if got, want := Places(s), "Places: 1st bob (25), 2nd ana (6), 2nd dan (6), 4th carol (resigned)."; got != want {
		t.Errorf("the places are %q, want %q", got, want)
	}
	f := &lobby.FinishedMatch{Info: info, Result: r, Departures: []string{"", "", match.LeftResigned, ""}}
	if got, want := DescribeOutcome(f), "bob won, 2nd ana, 2nd dan, 4th carol (carol resigned)"; got != want {
		t.Errorf("the outcome is %q, want %q", got, want)
	}
	f.Result = engine.Result{Winners: []int{0, 1, 2, 3}, Reason: engine.ReasonRepetition, Scores: []int{1, 1, 1, 1}, Places: []int{0, 0, 0, 0}}
	if got, want := DescribeOutcome(f), "draw by repetition, 1st ana, 1st bob, 1st carol, 1st dan (carol resigned)"; got != want {
		t.Errorf("the outcome is %q, want %q", got, want)
	}
	r.Reason = engine.ReasonLeft
	if got := Places(s); got != "" {
		t.Errorf("all but one left, and the places are %q", got)
	}
}

// TestOutcomesNameTheirReader describes the ends of matches to those who played them: the loser reads that they lost, and why.
func TestOutcomesNameTheirReader(t *testing.T) {
	duel := &match.Info{Seats: []match.Seat{{Name: "ana", Account: 1}, {Name: "bob", Account: 2}}}
	many := &match.Info{Seats: append(slices.Clone(duel.Seats), match.Seat{Name: "carol", Account: 3})}
	for _, test := range []struct {
		info              *match.Info
		reason            string
		scores, places    []int
		departures        []string
		win, lose, none   string // the result to seat 0, which wins, to seat 1 and to spectators
		won, lost, listed string // the outcome to both, and in a list
	}{
		{duel, engine.ReasonResign, nil, nil, nil, "You win: bob resigned.", "You resigned: ana wins.", "ana wins: bob resigned.",
			"you won by resignation", "you lost by resignation", "ana won by resignation"},
		{duel, engine.ReasonTime, nil, nil, nil, "You win: bob ran out of time.", "You lose: you ran out of time.", "ana wins: bob ran out of time.",
			"you won on time", "you lost on time", "ana won on time"},
		{duel, engine.ReasonLeft, nil, nil, nil, "You win: bob left.", "You lose: you left.", "ana wins: bob left.",
			"you won, the opponent left", "you lost, you left", "ana won, the opponent left"},
		{duel, engine.ReasonScore, []int{25, 6}, nil, nil, "You win 25 to 6: the end.", "You lose 6 to 25: the end.", "ana wins 25 to 6: the end.",
			"you won", "you lost", "ana won"},
		{many, engine.ReasonScore, []int{25, 6, 0}, []int{0, 1, 2}, []string{"", "", match.LeftAbsent}, "You win: the end.", "ana wins: the end.", "ana wins: the end.",
			"you won, 2nd bob, 3rd carol (carol was voted out)", "ana won, 2nd you, 3rd carol (carol was voted out)", "ana won, 2nd bob, 3rd carol (carol was voted out)"},
		{many, engine.ReasonLeft, nil, nil, []string{"", match.LeftAbsent, match.LeftResigned},
			"You win: everyone else left (bob was voted out, carol resigned).", "ana wins: everyone else left (you were voted out, carol resigned).", "ana wins: everyone else left (bob was voted out, carol resigned).",
			"you won, everyone else left (bob was voted out, carol resigned)", "ana won, everyone else left (you were voted out, carol resigned)", "ana won, everyone else left (bob was voted out, carol resigned)"},
	} {
		r := engine.Result{Winners: []int{0}, Reason: test.reason, Scores: test.scores, Places: test.places}
		s := &match.Snapshot{Info: test.info, Result: &r}
		for seat, reason := range test.departures {
			if reason != "" {
				s.Log = append(s.Log, match.Entry{Kind: match.EntryLeave, Seat: seat, Reason: reason})
			}
		}
		f := &lobby.FinishedMatch{Info: test.info, Result: r, Departures: test.departures}
		for _, text := range [][2]string{
			{Result(s, ending{}, 0), test.win}, {Result(s, ending{}, 1), test.lose}, {Result(s, ending{}, -1), test.none},
			{DescribeOutcomeTo(f, 1), test.won}, {DescribeOutcomeTo(f, 2), test.lost}, {DescribeOutcome(f), test.listed},
		} {
			if got, want := text[0], text[1]; got != want {
				t.Errorf("%d seats, %s: %q, want %q", len(test.info.Seats), test.reason, got, want)
			}
		}
	}
}

// ending is a game of which only the description of the end is asked for.
type ending struct{ game.Game }

func (ending) DescribeEnding(engine.Position, engine.Result) string { return "the end" }

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th"} {
		if got := Ordinal(n); got != want {
			t.Errorf("%d is %q, not %q", n, got, want)
		}
	}
}

func TestOnline(t *testing.T) {
	for want, areBots := range map[string][]bool{
		"0 online":         nil,
		"1 online":         {false},
		"1 online, 1 bot":  {true, false},
		"2 online, 2 bots": {true, false, true, false},
	} {
		var users lobby.UserList
		for i, isBot := range areBots {
			users = users.Replace(nil, &lobby.UserListing{ID: account.ID(i + 1), Bot: isBot})
		}
		if got := Online(users); got != want {
			t.Errorf("%d users are described as %q, not %q", len(areBots), got, want)
		}
	}
}
