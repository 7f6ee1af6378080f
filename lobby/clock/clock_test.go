package clock

import (
	"encoding/json"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestFischerIncrementIsCapped(t *testing.T) {
	k := New(Control{Initial: 10 * time.Second, Increment: 5 * time.Second}, 2) // the cap is 50 s
	at := start
	for turn := range 30 {
		seat := turn % 2
		k.Start(seat, at)
		at = at.Add(time.Second)
		k.EndTurn(at, 0)
	}
	for seat, left := range k.Remaining(at) {
		if left != 50*time.Second {
			t.Errorf("seat %d has %v", seat, left)
		}
	}
}

func TestLagIsCreditedFromABoundedBank(t *testing.T) {
	k := New(Control{Initial: time.Minute}, 2)
	var credited, charged time.Duration
	at := start
	for range 40 {
		before := k.Remaining(at)[0]
		k.Start(0, at)
		at = at.Add(time.Second)
		credit := k.EndTurn(at, 300*time.Millisecond)
		credited += credit
		charged += before - k.Remaining(at)[0]
		if credit > 300*time.Millisecond {
			t.Fatalf("credited %v", credit)
		}
	}
	if charged+credited != 40*time.Second {
		t.Errorf("%v charged, %v credited", charged, credited)
	}
	if limit := maxLagCredit + 40*lagCreditPerTurn; credited > limit {
		t.Errorf("credited %v, more than %v", credited, limit)
	}
	k.Start(1, at)
	if credit := k.EndTurn(at.Add(time.Millisecond), time.Hour); credit > time.Millisecond {
		t.Errorf("credited %v for a turn of a millisecond", credit)
	}
}

// TestFeignedLagGainsLittle: a client answers keepalives 0.8 s late and thinks for as long as its clock
// allows: its gain in 36 turns is bounded by the time of the game. A distant client's lag is credited in
// full at first, and in part during the game.
func TestFeignedLagGainsLittle(t *testing.T) {
	for _, tt := range []struct {
		control Control
		most    time.Duration
	}{
		{Control{Initial: 6 * time.Second}, 1700 * time.Millisecond},
		{Control{Initial: time.Minute}, 5700 * time.Millisecond},
		{Control{Initial: 10 * time.Minute, Increment: 10 * time.Second}, 5700 * time.Millisecond},
	} {
		k, at, gained := New(tt.control, 1), start, time.Duration(0)
		for range 36 {
			k.Start(0, at)
			at = at.Add(800 * time.Millisecond)
			gained += k.EndTurn(at, 800*time.Millisecond)
		}
		if gained > tt.most {
			t.Errorf("%s: gained %s, want %s at most", tt.control, gained, tt.most)
		}
	}
	k := New(Control{Initial: time.Minute}, 1)
	for turn := range 40 {
		k.Start(0, start)
		minimum := 100 * time.Millisecond
		if turn < 10 {
			minimum = 250 * time.Millisecond
		}
		if credit := k.EndTurn(start.Add(time.Second), 250*time.Millisecond); credit < minimum {
			t.Errorf("a client 250 ms away is credited %s in turn %d, want %s", credit, turn, minimum)
		}
	}
}

func TestEachTurnHasItsDays(t *testing.T) {
	k := New(Control{Days: 3}, 2)
	k.Start(0, start)
	if d, ok := k.Deadline(); !ok || !d.Equal(start.Add(72*time.Hour)) {
		t.Errorf("deadline %v", d)
	}
	k.EndTurn(start.Add(50*time.Hour), 0)
	if left := k.Remaining(start.Add(50 * time.Hour)); left[0] != 72*time.Hour {
		t.Errorf("left %v", left)
	}
}

func TestNoControlCountsNothing(t *testing.T) {
	k := New(Control{}, 3)
	k.Start(1, start)
	if _, ok := k.Deadline(); ok || k.Remaining(start.Add(time.Hour)) != nil {
		t.Error("an untimed match has a deadline or clocks")
	}
}

func TestControlReadsWhatItWrites(t *testing.T) {
	for _, c := range []Control{{}, Default, {Days: 7}, {Initial: 90 * time.Second}, {Increment: 30 * time.Second}} {
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var again Control
		if err := json.Unmarshal(raw, &again); err != nil || again != c {
			t.Errorf("%v became %s became %v, %v", c, raw, again, err)
		}
	}
	for _, bad := range []string{`{"initial":-1}`, `{"initial":999999999999999}`, `{"days":31}`, `{"days":-1}`,
		`{"days":1,"initial":1}`, `{"increment":181}`, `{"initial":1.5}`, `[]`, `"10+10"`} {
		var c Control
		if err := json.Unmarshal([]byte(bad), &c); err == nil {
			t.Errorf("%s was read as %v", bad, c)
		}
	}
}

func TestControlSaysWhatItIs(t *testing.T) {
	for want, c := range map[string]Control{
		"10+10": Default, "no clock": {}, "3 days": {Days: 3}, "1 day": {Days: 1}, "0:30+2": {Initial: 30 * time.Second, Increment: 2 * time.Second},
	} {
		if c.String() != want {
			t.Errorf("%#v is %q", c, c.String())
		}
	}
}
