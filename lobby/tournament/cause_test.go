package tournament

import (
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
)

var causes = []Cause{CauseBanned, CauseBot, CauseWithdrawn, CauseTimeUp, CauseAborted, CauseFewPlayers}

// TestNotesAreNoCauses: the code of a cause that someone types is a text like any other, and stays one in the log.
func TestNotesAreNoCauses(t *testing.T) {
	for _, c := range causes {
		note := string(c)
		e := open(t, FormatSwiss, Request{}).started(5)
		g := e.playing()[0]
		e.do(Input{Kind: InputRule, By: organizer, Round: 1, Table: g.Table, Places: []int{2, 1}, Note: note})
		ruled, _ := e.state.Game(1, g.Table)
		if ruled.Cause != "" || ruled.Note != note {
			t.Errorf("a ruling with the note %q has the cause %q and the note %q", note, ruled.Cause, ruled.Note)
		}
		for _, view := range e.state.View(nameOf, Page{Round: 1}).Games {
			if view.Table == g.Table && (view.Cause != "" || view.Reason != note) {
				t.Errorf("programs get the cause %q and the reason %q for the note %q", view.Cause, view.Reason, note)
			}
		}
		e.do(Input{Kind: InputWithdraw, By: 1, Note: note})
		if got := e.statusOf(1); got != StatusWithdrawn {
			t.Errorf("a player who withdraws with the note %q is %s", note, got)
		}
		e.do(Input{Kind: InputCancel, By: organizer, Note: note})
		if view := e.state.View(nameOf, Page{}); view.Cause != "" || view.Reason != note {
			t.Errorf("cancelled with the note %q: programs get the cause %q and the reason %q", note, view.Cause, view.Reason)
		}
		e.refold()
	}
	// Also a log that someone else has written.
	withdrew := Entry{Kind: EntryWithdrew, User: 1, Note: string(CauseBanned)}
	s, err := open(t, FormatSwiss, Request{}).started(4).state.With([]Entry{withdrew})
	if err != nil || s.Players[0].Status != StatusWithdrawn {
		t.Errorf("an entry with a note leads to %s, %v", s.Players[0].Status, err)
	}
}

// TestCausesReachPrograms: programs get the code of a cause and its text.
func TestCausesReachPrograms(t *testing.T) {
	few := open(t, FormatSwiss, Request{Start: began.Add(time.Hour)}).entered(2)
	for range 5 {
		few.wait(30 * time.Minute)
	}
	if view := few.state.View(nameOf, Page{}); view.Cause != CauseFewPlayers || view.Reason != "too few players" {
		t.Errorf("cancelled with the cause %q and the reason %q", view.Cause, view.Reason)
	}
	ruled := func(change func(e *event, user account.ID)) Cause {
		t.Helper()
		e := open(t, FormatSwiss, Request{Clock: days, Cap: 10}).started(4)
		change(e, 2)
		for _, view := range e.state.View(nameOf, Page{Round: 1}).Games {
			if view.Kind == GameRuled {
				if view.Reason != view.Cause.Text() {
					t.Errorf("the cause %q has the reason %q", view.Cause, view.Reason)
				}
				return view.Cause
			}
		}
		return ""
	}
	for want, change := range map[Cause]func(e *event, user account.ID){
		CauseBanned: func(e *event, user account.ID) { e.do(Input{Kind: InputBan, User: user}) },
		CauseAborted: func(e *event, user account.ID) {
			g := e.gameOf(user)
			e.do(Input{Kind: InputGameEnded, Round: 1, Table: g.Table, Ended: MatchEnd{Version: 3}})
		},
		CauseTimeUp: func(e *event, _ account.ID) {
			e.wait(5 * time.Hour)
			e.wait(5 * time.Hour)
		},
		CauseWithdrawn: func(e *event, _ account.ID) {
			for user := range account.ID(3) {
				e.do(Input{Kind: InputWithdraw, By: user + 1})
			}
		},
	} {
		if got := ruled(change); got != want {
			t.Errorf("a game is ruled with the cause %q, want %q", got, want)
		}
	}
}

// TestUnknownCausesAreRefused: a log of a server that knows more causes is not read as if it had none.
func TestUnknownCausesAreRefused(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range causes {
		if text := c.Text(); text == "" || text == string(c) || seen[text] {
			t.Errorf("the text of %q is %q", c, text)
		}
		seen[c.Text()] = true
		data, err := Encode(&Entry{Kind: EntryRuled, Cause: c})
		if err != nil {
			t.Fatal(err)
		}
		if e, err := Decode(data, enginetest.Games); err != nil || e.Cause != c {
			t.Errorf("%s: %q, %v", data, e.Cause, err)
		}
	}
	for _, bad := range []string{"perhaps", "Banned", "the account was banned", " "} {
		_, err := Decode([]byte(`{"v":1,"kind":"ruled","cause":"`+bad+`"}`), enginetest.Games)
		if err == nil || !strings.Contains(err.Error(), "unknown cause") {
			t.Errorf("the cause %q: %v", bad, err)
		}
	}
}
