package storetest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/notify"
	"ayumu/lobby/store"
)

// receiver stores a receiver of an account for events.
func receiver(t testing.TB, s store.Store, a account.Account, events ...notify.Event) {
	t.Helper()
	settings := notify.Settings{Kind: notify.KindWebhook, Address: "https://example.org/secret", Events: events, Secret: "s"}
	Want(t, "save", s.SaveReceiver(t.Context(), a.ID, settings, Start), nil)
}

// notified returns a notification of a turn.
func notified(a account.Account, id string, at time.Time) notify.Notification {
	return notify.Notification{Account: a.ID, ID: id, Event: notify.EventTurn, At: at, Facts: notify.Facts{Match: id}}
}

// lease takes the receivers of webhooks that are due, for a minute: the slow ones, or the others.
func lease(t testing.TB, s store.Store, now time.Time, slow bool) (all []notify.Lease) {
	t.Helper()
	speeds := []notify.Speed{notify.SpeedNew, notify.SpeedQuick}
	if slow {
		speeds = []notify.Speed{notify.SpeedSlow}
	}
	for _, speed := range speeds {
		q := notify.Queue{Kind: notify.KindWebhook, Speed: speed}
		all = append(all, Must[[]notify.Lease](t)(s.Lease(t.Context(), now, now.Add(time.Minute), q, nil, 10))...)
	}
	return all
}

// nextDue returns when the next receiver is due, of all queues; the zero time: none is.
func nextDue(t testing.TB, s store.Store) (due time.Time) {
	t.Helper()
	for _, at := range Must[map[notify.Queue]time.Time](t)(s.NextDue(t.Context())) {
		if due.IsZero() || at.Before(due) {
			due = at
		}
	}
	return due
}

// pendingIDs returns the ids of what is pending in leases.
func pendingIDs(all []notify.Lease) (ids []string) {
	for _, c := range all {
		for _, n := range c.Pending {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// testReceivers: settings are stored, replaced and removed, also with the account.
func testReceivers(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana := Account(t, s, "ana")
	_, err := s.Receiver(ctx, ana.ID)
	Want(t, "no receiver", err, errcode.ErrNotFound)
	Want(t, "a deleted account's", s.SaveReceiver(ctx, ana.ID+99, notify.Settings{Kind: notify.KindMail}, Start), errcode.ErrNotFound)
	receiver(t, s, ana, notify.EventTurn, notify.EventOver)
	r := Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID))
	if r.Account != ana.ID || r.Address != "https://example.org/secret" || !r.Since.Equal(Start) || !r.Has(notify.EventOver) || !r.Off.IsZero() || !r.Failing.IsZero() {
		t.Errorf("stored: %+v", r)
	}
	// Other settings do not change since when the receiver is there.
	changed := r.Settings
	changed.Digest = 6
	Want(t, "save", s.SaveReceiver(ctx, ana.ID, changed, Start.Add(time.Hour)), nil)
	if r = Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID)); r.Digest != 6 || !r.Since.Equal(Start) {
		t.Errorf("changed: %+v", r)
	}
	active, off, err := s.Receivers(ctx)
	if err != nil || !slices.Equal(active, []account.ID{ana.ID}) || len(off) != 0 {
		t.Errorf("active %v, off %v, %v", active, off, err)
	}
	Must[int](t)(s.Enqueue(ctx, []notify.Notification{notified(ana, "turn/m/1", Start)}))
	Want(t, "delete", s.DeleteAccount(ctx, ana.ID, Start), nil)
	_, err = s.Receiver(ctx, ana.ID)
	Want(t, "the receiver of a deleted account", err, errcode.ErrNotFound)
	Want(t, "save", s.SaveReceiver(ctx, ana.ID, changed, Start), errcode.ErrNotFound)
	if all := lease(t, s, Start.Add(time.Hour), false); len(all) != 0 {
		t.Errorf("leased: %+v", all)
	}
	counts := Must[[]int](t)(s.CountRows(ctx))
	for i, table := range store.Tables {
		if (table.Name == "receivers" || table.Name == "notifications") && counts[i] != 0 {
			t.Errorf("%d rows of %s are left", counts[i], table.Name)
		}
	}
}

// testNotifications: a notification is stored once, leased by one, repeated after a failure and not after an
// acknowledgement.
func testNotifications(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	receiver(t, s, ana, notify.EventTurn, notify.EventAnnouncement)
	receiver(t, s, bob, notify.EventAnnouncement)
	at := Start.Add(time.Minute)
	first := []notify.Notification{
		notified(ana, "turn/m/1", at), notified(ana, "turn/m/1", at), // twice
		notified(bob, "turn/m/2", at),                      // who does not want it
		notified(cleo, "turn/m/3", at),                     // who has no receiver
		notified(ana, "turn/m/0", Start.Add(-time.Second)), // before it
	}
	if n := Must[int](t)(s.Enqueue(ctx, first)); n != 1 {
		t.Errorf("%d were stored, want 1", n)
	}
	if n := Must[int](t)(s.Enqueue(ctx, first)); n != 0 {
		t.Errorf("%d were stored again", n)
	}
	if due := nextDue(t, s); !due.Equal(at) {
		t.Errorf("due at %v, want %v", due, at)
	}
	if early := lease(t, s, at.Add(-time.Second), false); len(early) != 0 {
		t.Errorf("leased too early: %v", early)
	}
	got := lease(t, s, at, false)
	if len(got) != 1 || got[0].Account != ana.ID || got[0].Address == "" || !slices.Equal(pendingIDs(got), []string{"turn/m/1"}) || got[0].Pending[0].Facts.Match != "turn/m/1" {
		t.Fatalf("leased: %+v", got)
	}
	if again := lease(t, s, at.Add(59*time.Second), false); len(again) != 0 {
		t.Errorf("leased twice: %v", pendingIDs(again))
	}
	lost := got[0]
	if got = lease(t, s, at.Add(time.Minute), false); len(got) != 1 || got[0].Token == lost.Token {
		t.Fatalf("not leased after the lease: %+v", got)
	}
	// A failure: the receiver is failing, and due when that says.
	at = at.Add(2 * time.Minute)
	Want(t, "release", s.Release(ctx, &lost, notify.Outcome{At: at, Speed: notify.SpeedSlow, Error: "no answer", RetryAt: at}), nil) // without effect
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, Speed: notify.SpeedSlow, Error: "status 500", RetryAt: at.Add(time.Minute)}), nil)
	r := Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID))
	if r.Error != "status 500" || r.Attempts != 1 || !r.Failing.Equal(at) {
		t.Errorf("after a failure: %+v", r)
	}
	Must[int](t)(s.Enqueue(ctx, []notify.Notification{notified(ana, "turn/m/5", at)}))
	if all := lease(t, s, at.Add(time.Second), true); len(all) != 0 {
		t.Error("a new notification has it tried before its time")
	}
	if all := lease(t, s, at.Add(time.Minute), false); len(all) != 0 {
		t.Error("a failing receiver is among the others")
	}
	got = lease(t, s, at.Add(time.Minute), true)
	if !slices.Equal(pendingIDs(got), []string{"turn/m/1", "turn/m/5"}) {
		t.Fatalf("pending: %v", pendingIDs(got))
	}
	// An acknowledgement of the first: the second is due at once.
	at = at.Add(time.Hour)
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, Speed: notify.SpeedQuick, Acknowledged: []string{"turn/m/1"}}), nil)
	if r = Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID)); r.Error != "" || r.Attempts != 0 || !r.Failing.IsZero() || !r.Delivered.Equal(at) {
		t.Errorf("after an acknowledgement: %+v", r)
	}
	if n := Must[int](t)(s.Enqueue(ctx, first)); n != 0 {
		t.Errorf("%d were stored again after the acknowledgement", n)
	}
	// Due later, but not held back.
	got = lease(t, s, at, false)
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, NotBefore: at.Add(time.Minute)}), nil)
	if early := lease(t, s, at.Add(59*time.Second), false); len(early) != 0 {
		t.Errorf("leased too early: %v", pendingIDs(early))
	}
	at = at.Add(time.Minute)
	if got = lease(t, s, at, false); len(got) != 1 || got[0].Pending[0].Deferred {
		t.Fatalf("held back: %+v", got)
	}
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at}), nil)
	// Held back, and made one message.
	got = lease(t, s, at, false)
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, DeferTo: at.Add(time.Hour)}), nil)
	if early := lease(t, s, at.Add(59*time.Minute), false); len(early) != 0 {
		t.Errorf("leased too early: %v", pendingIDs(early))
	}
	at = at.Add(time.Hour)
	got = lease(t, s, at, false)
	if len(got) != 1 || !got[0].Pending[0].Deferred {
		t.Fatalf("not held back: %+v", got)
	}
	Want(t, "batch", s.SetBatch(ctx, ana.ID, "digest/1", []string{"turn/m/5"}), nil)
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, Speed: notify.SpeedSlow, Error: "x", RetryAt: at}), nil)
	if got = lease(t, s, at, true); got[0].Pending[0].Batch != "digest/1" {
		t.Errorf("batch: %+v", got[0].Pending)
	}
	// Acknowledged by one whose lease was lost: not sent again.
	late := got[0]
	late.Token--
	Want(t, "release", s.Release(ctx, &late, notify.Outcome{At: at, Acknowledged: []string{"turn/m/5"}}), nil)
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, Dropped: []string{"turn/m/5"}}), nil)
	if due := nextDue(t, s); !due.IsZero() {
		t.Errorf("due at %v with nothing pending", due)
	}
	// For all who want it.
	all := notify.Notification{ID: "announcement/1", Event: notify.EventAnnouncement, At: at}
	if n := Must[int](t)(s.Enqueue(ctx, []notify.Notification{all})); n != 2 {
		t.Errorf("an announcement for %d accounts, want 2", n)
	}
	// Switched off: nothing is pending, and nothing is stored until the player changes the settings.
	for _, failing := range []bool{true, false} {
		for _, c := range lease(t, s, at, failing) {
			Want(t, "release", s.Release(ctx, &c, notify.Outcome{At: at, Speed: notify.SpeedSlow, Error: "gone", RetryAt: at, Off: true}), nil)
		}
	}
	if _, off, err := s.Receivers(ctx); err != nil || len(off) != 2 {
		t.Errorf("off: %v, %v", off, err)
	}
	if n := Must[int](t)(s.Enqueue(ctx, []notify.Notification{notified(ana, "turn/m/7", at)})); n != 0 {
		t.Error("stored for a receiver that is off")
	}
	receiver(t, s, ana, notify.EventTurn, notify.EventTime)
	if r = Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID)); !r.Off.IsZero() || !r.Failing.IsZero() || r.Error != "" {
		t.Errorf("saved again: %+v", r)
	}
	// Pruned: reminders later than others.
	reminder := notified(ana, "time/m/7", at)
	reminder.Event = notify.EventTime
	Must[int](t)(s.Enqueue(ctx, []notify.Notification{reminder}))
	got = lease(t, s, at, true)
	Want(t, "release", s.Release(ctx, &got[0], notify.Outcome{At: at, Acknowledged: []string{reminder.ID}}), nil)
	Want(t, "prune", s.PruneNotifications(ctx, at.Add(time.Second), at), nil)
	if n := Must[int](t)(s.Enqueue(ctx, append(first, reminder))); n != 1 {
		t.Errorf("%d stored after pruning, want 1", n)
	}
	Want(t, "prune", s.PruneNotifications(ctx, at.Add(time.Second), at.Add(time.Second)), nil)
	if n := Must[int](t)(s.Enqueue(ctx, []notify.Notification{reminder})); n != 1 {
		t.Errorf("%d reminders stored after pruning, want 1", n)
	}
	Want(t, "remove", s.RemoveReceiver(ctx, ana.ID), nil)
	Want(t, "remove", s.RemoveReceiver(ctx, ana.ID), nil)
	if due := nextDue(t, s); !due.IsZero() {
		t.Errorf("due at %v after the removal", due)
	}
}

// testQueues: receivers of each kind and speed are leased apart, and those of some destinations left out. An attempt
// changes speed and destination, another address makes a receiver new, and nothing else does.
func testQueues(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	hook := notify.Settings{Kind: notify.KindWebhook, Address: "https://Hooks.example.org./secret", Events: notify.Events}
	mail := notify.Settings{Kind: notify.KindMail, Address: "cleo@example.org", Events: notify.Events}
	Want(t, "save", s.SaveReceiver(ctx, ana.ID, hook, Start), nil)
	Want(t, "save", s.SaveReceiver(ctx, bob.ID, hook, Start), nil)
	Want(t, "save", s.SaveReceiver(ctx, cleo.ID, mail, Start), nil)
	at := Start.Add(time.Minute)
	Must[int](t)(s.Enqueue(ctx, []notify.Notification{notified(ana, "turn/m/1", at), notified(bob, "turn/m/1", at.Add(time.Second)), notified(cleo, "turn/m/1", at.Add(time.Hour))}))
	queue := func(kind notify.ReceiverKind, speed notify.Speed) notify.Queue {
		return notify.Queue{Kind: kind, Speed: speed}
	}
	newHooks, quickHooks, slowHooks, newMails := queue(notify.KindWebhook, notify.SpeedNew), queue(notify.KindWebhook, notify.SpeedQuick),
		queue(notify.KindWebhook, notify.SpeedSlow), queue(notify.KindMail, notify.SpeedNew)
	wantDue := func(want map[notify.Queue]time.Time) {
		t.Helper()
		if due := Must[map[notify.Queue]time.Time](t)(s.NextDue(ctx)); !maps.EqualFunc(due, want, time.Time.Equal) {
			t.Errorf("due: %v, want %v", due, want)
		}
	}
	wantDue(map[notify.Queue]time.Time{newHooks: at, newMails: at.Add(time.Hour)})
	take := func(q notify.Queue, without ...string) (names []account.ID, all []notify.Lease) {
		t.Helper()
		all = Must[[]notify.Lease](t)(s.Lease(ctx, at.Add(2*time.Hour), at.Add(2*time.Hour), q, without, 10))
		for _, c := range all {
			names = append(names, c.Account)
		}
		return names, all
	}
	for _, q := range []notify.Queue{quickHooks, slowHooks, queue(notify.KindMail, notify.SpeedQuick)} {
		if names, _ := take(q); len(names) != 0 {
			t.Errorf("taken from %v: %v", q, names)
		}
	}
	if names, _ := take(newHooks, "other.example.org", "hooks.example.org"); len(names) != 0 {
		t.Errorf("taken although their destination was left out: %v", names)
	}
	if names, all := take(newMails); !slices.Equal(names, []account.ID{cleo.ID}) || all[0].Destination != "" || all[0].Speed != notify.SpeedNew {
		t.Errorf("new mails: %+v", all)
	}
	names, all := take(newHooks, "other.example.org")
	if !slices.Equal(names, []account.ID{ana.ID, bob.ID}) || all[0].Destination != "hooks.example.org" {
		t.Fatalf("new webhooks: %+v", all)
	}
	Want(t, "release", s.Release(ctx, &all[0], notify.Outcome{At: at, Error: "x", RetryAt: at, Speed: notify.SpeedSlow, Destination: "192.0.2.1/32"}), nil)
	Want(t, "release", s.Release(ctx, &all[1], notify.Outcome{At: at, NotBefore: at}), nil)
	wantDue(map[notify.Queue]time.Time{slowHooks: at, newHooks: at, newMails: at.Add(2 * time.Hour)})
	if names, _ := take(slowHooks, "192.0.2.1/32"); len(names) != 0 {
		t.Errorf("taken although its destination was left out: %v", names)
	}
	// Settings do not make it new, and an attempt without a connection does not change where it goes.
	hook.Digest = 3
	Want(t, "save", s.SaveReceiver(ctx, ana.ID, hook, at), nil)
	names, all = take(slowHooks, "hooks.example.org")
	if !slices.Equal(names, []account.ID{ana.ID}) || all[0].Speed != notify.SpeedSlow {
		t.Fatalf("slow webhooks: %+v", all)
	}
	Want(t, "release", s.Release(ctx, &all[0], notify.Outcome{At: at, Speed: notify.SpeedQuick}), nil)
	if names, all = take(quickHooks); !slices.Equal(names, []account.ID{ana.ID}) || all[0].Destination != "192.0.2.1/32" {
		t.Errorf("quick webhooks: %+v", all)
	}
	hook.Address = "https://other.example.org/secret"
	Want(t, "save", s.SaveReceiver(ctx, ana.ID, hook, at), nil)
	if r := Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID)); r.Speed != notify.SpeedNew || r.Destination != "other.example.org" {
		t.Errorf("with another address: %+v", r)
	}
	mail.Address = "ana@example.org"
	Want(t, "save", s.SaveReceiver(ctx, ana.ID, mail, at), nil)
	if names, _ := take(newMails); !slices.Contains(names, ana.ID) {
		t.Errorf("new mails after a change to mail: %v", names)
	}
}

// testEndedMatches: correspondence matches whose end was not notified are found.
func testEndedMatches(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	receiver(t, s, ana, notify.EventOver)
	receiver(t, s, bob, notify.EventTurn)
	slow := func(id string, a, b account.Account) {
		info := Match(t, id, "", a, b)
		info.Control = clock.Control{Days: 3}
		Finish(t, s, info, 2, End(time.Hour, engine.ReasonResign, 0))
	}
	slow("slow", ana, bob)
	slow("others", bob, Account(t, s, "cleo"))
	Finish(t, s, Match(t, "fast", "", ana, bob), 2, End(time.Hour, engine.ReasonResign, 0))
	found := func(since time.Time) []string { return Must[[]string](t)(s.EndedMatches(t.Context(), since, 10)) }
	if got := found(Start); !slices.Equal(got, []string{"slow"}) {
		t.Errorf("found %v, want slow", got)
	}
	if got := found(Start.Add(2 * time.Hour)); len(got) != 0 {
		t.Errorf("found %v, which ended before", got)
	}
	n := notify.Notification{Account: ana.ID, ID: "over/slow", Event: notify.EventOver, At: Start.Add(time.Hour)}
	Must[int](t)(s.Enqueue(t.Context(), []notify.Notification{n}))
	if got := found(Start); len(got) != 0 {
		t.Errorf("found %v again", got)
	}
}

// testLeasesAtOnce has many goroutines of two stores store and lease: each notification is stored once, and each
// receiver leased by one.
func testLeasesAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	const accounts = 6
	var all []notify.Notification
	for i := range accounts {
		a := Account(t, stores[0], distinct("player", i))
		receiver(t, stores[0], a, notify.EventTurn)
		all = append(all, notified(a, fmt.Sprint("turn/m/", i), Start))
	}
	var mu sync.Mutex
	stored := 0
	leased := make(map[account.ID]int)
	atOnce(t, 8, func(i int) error {
		n, err := stores[i%2].Enqueue(t.Context(), all)
		mu.Lock()
		stored += n
		mu.Unlock()
		return err
	})
	atOnce(t, 8, func(i int) error {
		leases, err := stores[i%2].Lease(t.Context(), Start, Start.Add(time.Minute), notify.Queue{Kind: notify.KindWebhook, Speed: notify.SpeedNew}, nil, 2)
		mu.Lock()
		defer mu.Unlock()
		for _, c := range leases {
			leased[c.Account]++
		}
		return err
	})
	if stored != accounts {
		t.Errorf("%d notifications were stored, want %d", stored, accounts)
	}
	for id, n := range leased {
		if n != 1 {
			t.Errorf("account %d was leased %d times", id, n)
		}
	}
	if len(leased) != accounts {
		t.Errorf("%d of %d receivers were leased", len(leased), accounts)
	}
}

// testOwnNotifications: what is done with a notification of one account does nothing to others, nor to those of another
// account with the same id.
func testOwnNotifications(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	at := Start.Add(time.Minute)
	for _, a := range []account.Account{ana, bob} {
		receiver(t, s, a, notify.EventTurn)
		Must[int](t)(s.Enqueue(ctx, []notify.Notification{notified(a, "same", at), notified(a, "own of "+a.Name, at)}))
	}
	leases := func(at time.Time) map[string]notify.Lease {
		t.Helper()
		all := make(map[string]notify.Lease)
		for _, l := range lease(t, s, at, false) {
			all[map[account.ID]string{ana.ID: "ana", bob.ID: "bob"}[l.Account]] = l
		}
		return all
	}
	want := func(what string, l notify.Lease, want ...string) {
		t.Helper()
		var got []string
		for _, n := range l.Pending {
			got = append(got, n.ID+":"+n.Batch)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: pending are %q, want %q", what, got, want)
		}
	}
	all := leases(at)
	want("ana at first", all["ana"], "own of ana:", "same:")
	want("bob at first", all["bob"], "own of bob:", "same:")
	Want(t, "batch", s.SetBatch(ctx, ana.ID, "b", []string{"same"}), nil)
	at = at.Add(2 * time.Minute)
	all = leases(at)
	want("ana with a batch", all["ana"], "own of ana:", "same:b")
	want("bob beside a batch", all["bob"], "own of bob:", "same:")
	l := all["ana"]
	Want(t, "release", s.Release(ctx, &l, notify.Outcome{At: at, Acknowledged: []string{"same"}}), nil)
	all = leases(at.Add(2 * time.Minute))
	want("ana after one was sent", all["ana"], "own of ana:")
	want("bob after that", all["bob"], "own of bob:", "same:")
	// Holding back, and switching the receiver off.
	at = at.Add(2 * time.Minute)
	l = all["ana"]
	Want(t, "hold back", s.Release(ctx, &l, notify.Outcome{At: at, DeferTo: at.Add(time.Minute)}), nil)
	all = leases(at.Add(2 * time.Minute))
	if l = all["ana"]; len(l.Pending) != 1 || !l.Pending[0].Deferred || all["bob"].Pending[0].Deferred {
		t.Errorf("after ana's were held back: %+v", all)
	}
	Want(t, "switch off", s.Release(ctx, &l, notify.Outcome{At: at, Off: true, Error: "gone"}), nil)
	all = leases(at.Add(4 * time.Minute))
	want("ana, switched off", all["ana"])
	want("bob, beside a receiver that is off", all["bob"], "own of bob:", "same:")
}
