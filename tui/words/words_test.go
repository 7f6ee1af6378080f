package words

import (
	"testing"
	"time"

	"ayumu/lobby"
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
	if s := Rating(lobby.Rating{Value: 1512.4, Deviation: 60}); s != "1512" {
		t.Errorf("an established rating is %q", s)
	}
	if s := Rating(lobby.Rating{Value: 1500, Deviation: 350}); s != "1500?" {
		t.Errorf("a new rating is %q", s)
	}
	if s := NameAndRating("ana", nil); s != "ana" {
		t.Errorf("without a rating it is %q", s)
	}
}
