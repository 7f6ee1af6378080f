package api

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
)

// TestVacation begins and ends a vacation, which the opponent sees.
func TestVacation(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second, id := pair(connect(t, l, "ana"), connect(t, l, "bob"), `"options":{"size":7,"pie":false},"clock":{"days":3}`)
		m := fmt.Sprintf(`,"match":%q`, id)
		if o := first.must("vacation", ""); !has(t, o, `{"left":21,"allowed":21}`) || o["until"] != nil {
			t.Errorf("at first %v", o)
		}
		second.take("")
		until := time.Now().Add(5 * 24 * time.Hour).UTC().Format(time.RFC3339)
		if o := first.must("vacation", `,"days":5`); !has(t, o, fmt.Sprintf(`{"left":16,"until":%q}`, until)) {
			t.Errorf("begun %v", o)
		}
		second.wants("vacation", fmt.Sprintf(`{"event":"vacation","match":%q,"seat":0,"until":%q}`, id, until))
		if o := second.must("watch", m); fmt.Sprint(o["vacations"]) != fmt.Sprintf("[map[seat:0 until:%s]]", until) {
			t.Errorf("the snapshot has %v", o["vacations"])
		}
		for _, days := range []string{"22", "-1"} {
			for _, o := range askAll(t, first.s, `{"id":1,"op":"vacation","days":`+days+`}`) {
				if o["re"] == 1.0 && errorCode(o) != "bad_request" {
					t.Errorf("%s days: %v", days, o)
				}
			}
		}
		if o := first.must("vacation", `,"days":0`); o["until"] != nil || o["left"] != 20.0 {
			t.Errorf("ended %v", o)
		}
		second.wants("vacation", fmt.Sprintf(`{"event":"vacation","match":%q,"seat":0}`, id))
	})
}

// TestChangesOfAVacationAreLimited moves the end of a vacation again and again: each change is announced to the
// opponents of all games.
func TestChangesOfAVacationAreLimited(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		ana := lobbytest.Member(t, l, "ana")
		change := func() any {
			return errorCode(askAll(t, ana, fmt.Sprintf(`{"id":1,"op":"vacation","days":%d}`, 5))[0])
		}
		for i := range 10 {
			if code := change(); code != nil {
				t.Fatalf("change %d: %v", i+1, code)
			}
		}
		if code := change(); code != "rate_limited" {
			t.Errorf("after ten changes at once: %v", code)
		}
		if o := askAll(t, ana, `{"id":1,"op":"vacation"}`)[0]; o["until"] == nil {
			t.Errorf("a vacation can be read at any time: %v", o)
		}
		time.Sleep(10 * time.Second)
		if code := change(); code != nil {
			t.Errorf("ten seconds later: %v", code)
		}
	})
}
