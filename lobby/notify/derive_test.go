package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
)

// correspondence returns the information about a match of accounts 1, 2 and so on, with opponents named by letters.
func correspondence(t *testing.T, seats int) *match.Info {
	t.Helper()
	options, err := ayu.Game{}.ParseOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	info := &match.Info{ID: "m", Options: options, Control: clock.Control{Days: 4}}
	for i := range seats {
		info.Seats = append(info.Seats, match.Seat{Account: account.ID(i + 1), Name: string(rune('a' + i))})
	}
	return info
}

// TestEndsAreNotifiedAsTheyAre checks what each seat is told of the end of a match, with how it came about, and that bots and
// guests are told nothing.
func TestEndsAreNotifiedAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		result engine.Result
		want   string // of the seats
		text   string // to the first seat
	}{
		{engine.Result{Winners: []int{0}, Reason: engine.ReasonResign}, "won lost", "You have won against b (Ayu 11×11, pie, 4 days per turn; by resignation)."},
		{engine.Result{Winners: []int{1}, Reason: engine.ReasonTime}, "lost won", "You have lost against b (Ayu 11×11, pie, 4 days per turn; on time)."},
		{engine.Result{Winners: []int{0, 1}, Reason: engine.ReasonDraw}, "draw draw", "You have drawn against b (Ayu 11×11, pie, 4 days per turn; by agreement)."},
		{engine.Result{Winners: []int{}, Reason: engine.ReasonAbort}, "aborted aborted", "No winner in your game against b (Ayu 11×11, pie, 4 days per turn; aborted)."},
		{engine.Result{Winners: []int{1}, Reason: engine.ReasonImmobile}, "lost won", "You have lost against b (Ayu 11×11, pie, 4 days per turn; no moves left)."},
	} {
		all := endNotifications(correspondence(t, 2), c.result, noon)
		var results []string
		for i, n := range all {
			results = append(results, n.Facts.Result)
			if n.Account != account.ID(i+1) || n.ID != "over/m" || n.Event != EventOver || !n.At.Equal(noon) || n.Facts.Reason != c.result.Reason {
				t.Errorf("%+v: seat %d is notified of %+v", c.result, i, n)
			}
		}
		if got := strings.Join(results, " "); got != c.want {
			t.Errorf("%+v: the seats have %q, want %q", c.result, got, c.want)
			continue
		}
		m := Message{Zone: time.UTC, Notifications: all[:1]}
		if got, _, _ := strings.Cut(m.Text(), "\n"); got != c.text {
			t.Errorf("%+v: the message is %q, want %q", c.result, got, c.text)
		}
	}
	info := correspondence(t, 3)
	all := endNotifications(info, engine.Result{Winners: []int{0, 2}, Reason: engine.ReasonScore}, noon)
	if len(all) != 3 || all[0].Facts.Result != "draw" || all[1].Facts.Result != "lost" || all[2].Facts.Result != "draw" {
		t.Errorf("of three seats of which two share the win are notified: %+v", all)
	}
	info.Tournament.ID = "t"
	if all := endNotifications(info, engine.Result{Reason: engine.ReasonAbort}, noon); len(all) != 0 {
		t.Errorf("of a game that its tournament has decided is notified: %+v", all)
	}
	info.Seats[0].Bot = true
	info.Seats[1].Account = 0
	if all := endNotifications(info, engine.Result{Winners: []int{2}}, noon); len(all) != 1 || all[0].Account != 3 || all[0].Facts.Result != "won" {
		t.Errorf("beside a bot and a guest are notified: %+v", all)
	}
}

// TestDeadlinesAreInMessages checks that a message says until when there is time, in the player's zone, and nothing if there is
// no clock.
func TestDeadlinesAreInMessages(t *testing.T) {
	facts := Facts{Match: "m", Game: "Ayu", Opponents: []string{"b"}}
	m := Message{Target: "host", Zone: (&Settings{Zone: "Europe/Berlin"}).Location(), Notifications: []Notification{{Event: EventTurn, Facts: facts}}}
	if got, want := m.Text(), "It is your turn against b (Ayu).\nssh -t host watch m"; got != want {
		t.Errorf("without a clock the message is %q, want %q", got, want)
	}
	facts.Deadline = noon
	for event, want := range map[Event]string{
		EventTurn: "It is your turn against b (Ayu). You have until Fri 20 Nov, 13:00 CET.\nssh -t host watch m",
		EventTime: "A quarter of your time or less is left against b (Ayu): you have until Fri 20 Nov, 13:00 CET.\nssh -t host watch m",
	} {
		m.Notifications = []Notification{{Event: event, Facts: facts}}
		if got := m.Text(); got != want {
			t.Errorf("%s: the message is %q, want %q", event, got, want)
		}
	}
}

// TestTextsOfMessages: a challenge names its clock and whether it is rated, a conditional move what it answers, and a digest
// the number of its notifications.
func TestTextsOfMessages(t *testing.T) {
	m := Message{ID: "digest/1", Site: "Club", Target: "host", Zone: time.UTC}
	text := func(event Event, f Facts) string {
		f.Game, f.Match, f.Table, f.Opponents = "Ayu", "m", "t", []string{"b"}
		m.Notifications = []Notification{{Event: event, Facts: f}}
		return m.Text()
	}
	for _, c := range []struct{ got, want string }{
		{text(EventChallenge, Facts{Clock: "4 days"}), "b challenges you: Ayu, 4 days per turn, casual.\nssh -t host join t"},
		{text(EventChallenge, Facts{Clock: "1 day", Rated: true}), "b challenges you: Ayu, 1 day per turn, rated.\nssh -t host join t"},
		{text(EventChallenge, Facts{Clock: "5 min + 10 s"}), "b challenges you: Ayu, 5 min + 10 s, casual.\nssh -t host join t"},
		{text(EventChallenge, Facts{}), "b challenges you: Ayu, casual.\nssh -t host join t"},
		{text(EventCondition, Facts{Move: []string{"a1", "a2"}, Answers: []string{"b1", "b2"}}), "Your conditional move was played against b (Ayu): a1, a2, in answer to b1, b2.\nssh -t host watch m"},
		{text(EventCondition, Facts{Move: []string{"a1"}}), "Your conditional move was played against b (Ayu): a1.\nssh -t host watch m"},
	} {
		if c.got != c.want {
			t.Errorf("the text is %q, want %q", c.got, c.want)
		}
	}
	if got := m.Title(); got != "Club: your conditional move against b was played" {
		t.Errorf("the title of one is %q", got)
	}
	m.Notifications = append(m.Notifications, Notification{Event: EventAnnouncement, Facts: Facts{Title: "Ladder", Text: "begins"}})
	if got := m.Title(); got != "Club: 2 notifications" {
		t.Errorf("the title of two is %q", got)
	}
	if p := m.payload(); p.Event != "digest" || len(p.Events) != 2 || p.Events[1].AnnouncementText != "begins" || p.Events[1].Text != "Ladder\nbegins" {
		t.Errorf("the digest is %+v", p)
	}
	const limit = 10
	for n, want := range map[int]string{limit: "碁碁碁碁碁碁碁碁碁碁", limit + 1: "碁碁碁碁碁碁碁碁碁…"} {
		if got := cut(strings.Repeat("碁", n), limit); got != want {
			t.Errorf("%d characters of %d are %q", n, limit, got)
		}
	}
	for n, isCut := range map[int]bool{maxNtfy - len("T\n"): false, maxNtfy - len("T\n") + 1: true, 5 * maxNtfy: true} {
		m.Notifications = []Notification{{Event: EventAnnouncement, Facts: Facts{Title: "T", Text: strings.Repeat("x", n)}}}
		if got, _ := m.body(PresetNtfy); len(got) > maxNtfy || isCut != strings.HasSuffix(string(got), "…") {
			t.Errorf("%d bytes become %d for ntfy", n, len(got))
		}
	}
}

// TestMatchChanged checks what a change of a match has Run look at, and when it wakes it.
func TestMatchChanged(t *testing.T) {
	(*Service)(nil).MatchChanged(&match.Snapshot{}) // does nothing
	s := New(Config{})
	info, result := correspondence(t, 2), &engine.Result{Winners: []int{0}}
	want := func(what string, isWoken bool, running, ended int) {
		t.Helper()
		woken := len(s.wakeup) > 0
		if woken {
			<-s.wakeup
		}
		r, e := s.takeChanged()
		if woken != isWoken || len(r) != running || len(e) != ended {
			t.Errorf("%s: woken: %t, %d running and %d ended matches; want %t, %d, %d", what, woken, len(r), len(e), isWoken, running, ended)
		}
	}
	s.MatchChanged(&match.Snapshot{Info: info, Version: 5, Result: result})
	want("a match that was over when it came into memory", false, 0, 0)
	s.MatchChanged(&match.Snapshot{Info: info, Version: 0})
	want("a new match", true, 1, 0)
	s.MatchChanged(&match.Snapshot{Info: info, Version: 0})
	want("the same version", false, 0, 0)
	s.MatchChanged(&match.Snapshot{Info: info, Version: 1})
	want("a turn", true, 1, 0)
	s.MatchChanged(&match.Snapshot{Info: info, Version: 2, Result: result})
	want("the end", true, 0, 1)
	s.markAll()
	want("after the end", false, 0, 0)
}

// keptStore is a Store that keeps what is to be stored, and returns err.
type keptStore struct {
	Store
	err error
	ids []string
}

func (s *keptStore) Enqueue(_ context.Context, all []Notification) (int, error) {
	s.ids = append(s.ids, ids(all)...)
	return len(all), s.err
}

// TestAnnouncementsAndReportsAreStoredOnce checks that each is given to the store until it is stored and not again, and never
// before its time or after that of what is notified.
func TestAnnouncementsAndReportsAreStoredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		store := &keptStore{err: errors.New("no connection")}
		var reportsFail error
		s := New(Config{
			Store: store,
			Announcements: func() []Announcement {
				return []Announcement{{ID: "old", At: start.Add(-keepDone)}, {ID: "now", At: start}, {ID: "next", At: start.Add(time.Nanosecond)}, {ID: "other", At: start}}
			},
			Reports: func(context.Context) ([]Report, error) {
				return []Report{{ID: 1, At: start.Add(-keepDone)}, {ID: 2, At: start}, {ID: 3, At: start}}, reportsFail
			},
		})
		want := func(when string, ids ...string) {
			t.Helper()
			store.ids = nil
			s.announce(t.Context())
			s.storeReports(t.Context())
			if !slices.Equal(store.ids, ids) {
				t.Errorf("%s: %q are given to the store, want %q", when, store.ids, ids)
			}
		}
		want("without the store", "announcement/now", "report/2")
		store.err, reportsFail = nil, errors.New("no connection")
		want("without the reports", "announcement/now", "announcement/other")
		reportsFail = nil
		want("with the reports", "report/2", "report/3")
		want("stored")
		time.Sleep(time.Nanosecond)
		want("a nanosecond later", "announcement/next")
	})
	s := New(Config{})
	s.announce(t.Context()) // there are none
	s.storeReports(t.Context())
}

// snapshot returns a running match with a clock of 4 days per turn, in which a seat has a time left at noon.
func snapshot(t *testing.T, left time.Duration) *match.Snapshot {
	t.Helper()
	info := correspondence(t, 2)
	info.Started = noon.Add(-time.Hour)
	s := &match.Snapshot{Info: info, Position: ayu.Game{}.New(info.Options), RunningSeat: -1}
	s.Clocks, s.ClocksAt = []time.Duration{left, left}, noon
	return s
}

// TestTurnsAreNotified checks to whom it is notified that it is their turn, with how much time, and from when on that little is
// left.
func TestTurnsAreNotified(t *testing.T) {
	const quarter = 24 * time.Hour // of 4 days
	for _, c := range []struct {
		name               string
		change             func(*match.Snapshot)
		left               time.Duration
		isTurn, isReminder bool
		hasDeadline        bool
	}{
		{name: "more than a quarter", left: quarter + 1, isTurn: true, hasDeadline: true},
		{name: "a quarter", left: quarter, isTurn: true, isReminder: true, hasDeadline: true},
		{name: "over", left: quarter, change: func(s *match.Snapshot) { s.Result = new(engine.Result) }},
		{name: "frozen", left: quarter, change: func(s *match.Snapshot) { s.Frozen = true }},
		{name: "a bot", left: quarter, change: func(s *match.Snapshot) { s.Info.Seats[0].Bot = true }},
		{name: "nobody's seat", left: quarter, change: func(s *match.Snapshot) { s.Info.Seats[0].Account = 0 }},
		{name: "a guest", left: quarter, change: func(s *match.Snapshot) { s.Info.Seats[0].Account = -1 }},
		{name: "without a clock", isTurn: true, change: func(s *match.Snapshot) { s.Clocks, s.Info.Control = nil, clock.Control{} }},
		{name: "days whose clock does not run", isTurn: true, change: func(s *match.Snapshot) { s.Clocks = nil }},
		{name: "a clock that is not of days", left: 0, isTurn: true, hasDeadline: true, change: func(s *match.Snapshot) { s.Info.Control = clock.Control{Initial: time.Minute} }},
	} {
		s := snapshot(t, c.left)
		if c.change != nil {
			c.change(s)
		}
		turn, reminder, ok := turnNotifications(s, noon)
		if ok != c.isTurn || (reminder != nil) != c.isReminder {
			t.Errorf("%s: notified of the turn: %t, of little time: %t; want %t and %t", c.name, ok, reminder != nil, c.isTurn, c.isReminder)
		}
		if !ok {
			continue
		}
		if turn.Account != 1 || turn.ID != "turn/m/0" || !turn.At.Equal(s.Info.Started) {
			t.Errorf("%s: the turn is %+v", c.name, turn)
		}
		want := time.Time{}
		if c.hasDeadline {
			want = noon.Add(c.left).Truncate(time.Second)
		}
		if !turn.Facts.Deadline.Equal(want) {
			t.Errorf("%s: the deadline is %v, want %v", c.name, turn.Facts.Deadline, want)
		}
		if reminder != nil && (reminder.ID != "time/m/0" || !reminder.At.Equal(noon) || !reminder.Facts.Deadline.Equal(want)) {
			t.Errorf("%s: the reminder is %+v", c.name, *reminder)
		}
	}
}

// TestConditionsAreNotified checks which conditional moves of a log are notified, with what they answer, and for how long.
func TestConditionsAreNotified(t *testing.T) {
	entry := func(kind match.EntryKind, seat int, reason, action string) match.Entry {
		return match.Entry{Kind: kind, Seat: seat, Reason: reason, Actions: []string{action}, At: noon}
	}
	s := &match.Snapshot{Info: correspondence(t, 2), Log: []match.Entry{
		entry(match.EntryTurn, 0, match.TurnByCondition, "a"), // answers nothing
		entry(match.EntryTurn, 1, "", "b"),
		entry(match.EntryTurn, 0, match.TurnByCondition, "c"), // answers b
		entry(match.EntryCredit, 1, match.TurnByCondition, "d"),
		entry(match.EntryTurn, 1, match.TurnByCondition, "e"), // answers no turn
	}}
	var got []string
	for _, n := range conditionNotifications(s, noon.Add(conditionWindow)) {
		got = append(got, fmt.Sprintf("%d %s %v %v", n.Account, n.ID, n.Facts.Move, n.Facts.Answers))
	}
	want := []string{"2 condition/m/5 [e] []", "1 condition/m/3 [c] [b]", "1 condition/m/1 [a] []"}
	if !slices.Equal(got, want) {
		t.Errorf("notified of %q, want %q", got, want)
	}
	if all := conditionNotifications(s, noon.Add(conditionWindow+1)); len(all) != 0 {
		t.Errorf("after %v are notified: %+v", conditionWindow+1, all)
	}
	s.Info.Control = clock.Default
	if all := conditionNotifications(s, noon); len(all) != 0 {
		t.Errorf("of a live match are notified: %+v", all)
	}
}

// TestBeginOfATurn checks with which entry of the log the seat to move began to be the one.
func TestBeginOfATurn(t *testing.T) {
	s := snapshot(t, time.Hour) // seat 0 is to move
	at := func(i int) time.Time { return noon.Add(time.Duration(i) * time.Minute) }
	for _, c := range []struct {
		name    string
		log     []match.Entry
		version int
	}{
		{"no turn yet", nil, 0},
		{"the other's turn", []match.Entry{{Kind: match.EntryTurn, Seat: 1}}, 1},
		{"credits after it", []match.Entry{{Kind: match.EntryTurn, Seat: 1}, {Kind: match.EntryCredit, Seat: 0}, {Kind: match.EntryCredit, Seat: 1}}, 1},
		{"another turn of the same seat", []match.Entry{{Kind: match.EntryTurn, Seat: 1}, {Kind: match.EntryTurn, Seat: 0}}, 1},
		{"a turn that was taken back", []match.Entry{{Kind: match.EntryTurn, Seat: 1}, {Kind: match.EntryUndo}}, 2},
	} {
		s.Log = c.log
		want := s.Info.Started
		for i := range s.Log {
			s.Log[i].At = at(i + 1)
			if i+1 == c.version {
				want = at(i + 1)
			}
		}
		if version, began := turnStart(s); version != c.version || !began.Equal(want) {
			t.Errorf("%s: the turn began with entry %d at %v, want %d at %v", c.name, version, began, c.version, want)
		}
	}
}

// TestLeaveBeginsTheTurnOfTheNext, and not that of a seat that was to move before.
func TestLeaveBeginsTheTurnOfTheNext(t *testing.T) {
	options, err := mu.Game{}.ParseOptions([]byte(`{"players":3}`))
	if err != nil {
		t.Fatal(err)
	}
	first := mu.Game{}.New(options)
	for leaves := range 3 {
		after, err := first.Leave(leaves)
		if err != nil {
			t.Fatal(err)
		}
		s := &match.Snapshot{Info: &match.Info{ID: "m", Game: "mu", Options: options, Seats: make([]match.Seat, 3), Started: noon}, Position: after, Version: 1}
		s.Log = []match.Entry{{Kind: match.EntryLeave, Seat: leaves, At: noon.Add(time.Hour)}}
		want := 0
		if leaves == first.Turn() {
			want = 1
		}
		if version, at := turnStart(s); version != want || !at.Equal(noon.Add(time.Duration(want)*time.Hour)) {
			t.Errorf("after seat %d has left, the turn of seat %d began with entry %d at %v, want %d", leaves, after.Turn(), version, at, want)
		}
	}
}
