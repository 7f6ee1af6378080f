package notify_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
	"ayumu/lobby/store/sqlite"
)

// TestSlowReceiversDelayNobody: while thousands of receivers answer after 9.5 s, each at a host of its own, the notification
// of somebody else leaves before any of them has answered: when they are new, when they are known to be slow, and after
// a restart with all of them waiting. Webhooks do not delay mails, nor mails webhooks.
func TestSlowReceiversDelayNobody(t *testing.T) {
	for _, slow := range []notify.ReceiverKind{notify.KindWebhook, notify.KindMail} {
		for _, fair := range []notify.ReceiverKind{notify.KindWebhook, notify.KindMail} {
			t.Run(fmt.Sprintf("slow %s, fair %s", slow, fair), func(t *testing.T) {
				attackers := 200
				if !testing.Short() && slow == notify.KindWebhook && fair == slow {
					attackers = 3000
				}
				synctest.Test(t, func(t *testing.T) { delayNobody(t, slow, fair, attackers) })
			})
		}
	}
}

func delayNobody(t *testing.T, slow, fair notify.ReceiverKind, attackers int) {
	sent := &receivers{delay: func(address string) time.Duration {
		if strings.Contains(address, "slow") {
			return 9500 * time.Millisecond
		}
		return 20 * time.Millisecond
	}}
	sent.mail = sent
	db := lobbytest.Store(t)
	h := open(t, db, sent)
	address := map[notify.ReceiverKind]string{notify.KindWebhook: "https://fair.example.org/ana", notify.KindMail: "ana@fair.example.org"}[fair]
	settings := notify.Settings{Kind: fair, Address: address, Events: []notify.Event{notify.EventTurn}}
	ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
	if _, err := h.own(ana).Save(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	storeReceivers(t, db, attackers, slow, map[notify.ReceiverKind]string{notify.KindWebhook: "https://slow%d.example.org/x", notify.KindMail: "slow%d@example.org"}[slow])
	var announced []notify.Announcement
	// announce has all attackers notified, and waits until messages are on their way.
	announce := func() {
		announced = append(announced, notify.Announcement{ID: fmt.Sprint(len(announced)), Title: "News", At: time.Now()})
		sent.announce(slices.Clone(announced))
		time.Sleep(time.Minute)
	}
	answers := func() (n int) {
		sent.mu.Lock()
		defer sent.mu.Unlock()
		for _, r := range sent.received {
			if strings.Contains(r, "slow") {
				n++
			}
		}
		return n
	}
	// notified plays a turn, and checks that ana is notified at once and before any of the attackers has answered.
	notified := func(when string) {
		t.Helper()
		before := answers()
		id := "turn/" + h.match(ana, bob)[0].Match().Info.ID + "/0"
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if got := sent.take(address); !slices.Equal(got, []string{id}) {
			t.Errorf("%s: after 100 ms ana has acknowledged %q, want %q", when, got, id)
		}
		if n := answers() - before; n > 0 && strings.HasPrefix(when, "first") {
			t.Errorf("%s: %d attackers had answered before", when, n)
		}
	}
	time.Sleep(time.Minute)
	notified("first, in peace")
	time.Sleep(time.Minute)
	announce()
	notified("beside those that are new")
	time.Sleep(time.Hour)
	if n := answers(); n != attackers {
		t.Fatalf("%d of the slow ones were notified, want all %d", n, attackers)
	}
	announce()
	notified("beside those that are known to be slow")
	h.stop()
	h = open(t, db, sent)
	ana, bob = lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
	notified("first after a restart")
	time.Sleep(time.Hour)
	if n := answers(); n != 2*attackers {
		t.Errorf("%d messages to the slow ones, want %d", n, 2*attackers)
	}
}

// storeReceivers stores receivers, each of an account of its own, that want announcements. address has the place of a number.
func storeReceivers(t *testing.T, db *sqlite.Store, n int, kind notify.ReceiverKind, address string) {
	t.Helper()
	for i := range n {
		name := fmt.Sprintf("other%d", i)
		a, err := db.CreateAccount(t.Context(), name, []byte("key of "+name), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		s := notify.Settings{Kind: kind, Address: fmt.Sprintf(address, i), Events: []notify.Event{notify.EventAnnouncement}}
		if err := db.SaveReceiver(t.Context(), a.ID, s, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOneDestinationDelaysNoOther: while all receivers of one host, which were quick until now, hang, others are notified
// at once, and no more than its share of messages is on the way to the host.
func TestOneDestinationDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tenants = 150
		var hangs atomic.Bool
		var now, most atomic.Int32
		sent := &receivers{delay: func(address string) time.Duration {
			if !hangs.Load() || !strings.Contains(address, "hooks") {
				return 20 * time.Millisecond
			}
			most.Store(max(most.Load(), now.Add(1)))
			time.AfterFunc(9*time.Second, func() { now.Add(-1) })
			return 9 * time.Second
		}}
		db := lobbytest.Store(t)
		h := open(t, db, sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana, func(s *notify.Settings) { s.Events = []notify.Event{notify.EventTurn} })
		storeReceivers(t, db, tenants, notify.KindWebhook, "https://hooks.example.org/%d")
		time.Sleep(time.Minute)
		sent.announce([]notify.Announcement{{ID: "1", At: time.Now()}})
		h.want("in peace", ana, "turn/"+h.match(ana, bob)[0].Match().Info.ID+"/0")
		time.Sleep(2 * time.Minute)
		if n := h.s.Counts()[notify.KindWebhook].Sent; n != tenants+1 {
			t.Fatalf("%d messages were acknowledged, want %d", n, tenants+1)
		}
		hangs.Store(true)
		sent.announce([]notify.Announcement{{ID: "2", At: time.Now()}})
		time.Sleep(61 * time.Second)
		for range 20 {
			id := "turn/" + h.match(ana, bob)[0].Match().Info.ID + "/0"
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			if got := sent.take("https://example.org/ana"); !slices.Equal(got, []string{id}) {
				t.Errorf("after 100 ms ana has acknowledged %q, want %q", got, id)
			}
			time.Sleep(time.Second)
		}
		if n := most.Load(); n < 8 || n > 16 { // in the queues of the quick and of the slow ones
			t.Errorf("%d messages were on the way to the host at once, want 8 to 16", n)
		}
	})
}
