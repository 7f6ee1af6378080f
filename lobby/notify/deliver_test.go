package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/smtp"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/account"
)

// memoryStore is a Store with the pending notifications of one account, of which only SetBatch can be used. It returns err.
type memoryStore struct {
	Store
	err     error
	pending []Notification
}

func (s *memoryStore) SetBatch(_ context.Context, _ account.ID, batch string, notifications []string) error {
	for i := range s.pending {
		if s.err == nil && slices.Contains(notifications, s.pending[i].ID) {
			s.pending[i].Batch = batch
		}
	}
	return s.err
}

// apply changes the pending notifications as Release does.
func (s *memoryStore) apply(o Outcome) {
	s.pending = slices.DeleteFunc(s.pending, func(n Notification) bool {
		return slices.Contains(o.Acknowledged, n.ID) || slices.Contains(o.Dropped, n.ID)
	})
	for i := range s.pending {
		s.pending[i].Deferred = s.pending[i].Deferred || !o.DeferTo.IsZero()
	}
}

// sender is a Sender that keeps the ids of all messages, and returns err.
type sender struct {
	err error
	ids []string
}

func (s *sender) Check(*Settings) error { return nil }

func (s *sender) Send(_ context.Context, _ *Settings, m *Message) (string, error) {
	s.ids = append(s.ids, m.ID)
	return "", s.err
}

// TestFailureOfABatch: if a batch cannot be stored, nothing is sent and nothing is held back; what is outdated is dropped.
func TestFailureOfABatch(t *testing.T) {
	sent := new(sender)
	s := New(Config{Store: &memoryStore{err: errors.New("no connection")}, Senders: map[ReceiverKind]Sender{KindWebhook: sent}})
	c := &Lease{Receiver: Receiver{Account: 1, Settings: Settings{Kind: KindWebhook}}, Pending: []Notification{
		{ID: "turn/m/1", Event: EventTurn, At: noon, Deferred: true, Facts: Facts{Match: "m"}}, // of a match that has ended
		{ID: "over/m", Event: EventOver, At: noon, Deferred: true},
		{ID: "over/n", Event: EventOver, At: noon, Deferred: true},
	}}
	o := s.sendPending(t.Context(), c, func() {})
	if len(sent.ids) != 0 || !o.DeferTo.IsZero() || o.Error != "" || len(o.Acknowledged) != 0 {
		t.Errorf("sent %q, outcome %+v", sent.ids, o)
	}
	if pause := time.Until(o.NotBefore); pause <= 0 || pause > firstRetry {
		t.Errorf("due again after %v, want %v", pause, firstRetry)
	}
	if !slices.Equal(o.Dropped, []string{"turn/m/1"}) {
		t.Errorf("dropped: %q", o.Dropped)
	}
}

// TestMessagesKeepTheirIDs: a single notification whose message may have arrived is repeated alone, with the same id, also
// after quiet hours that have held back others meanwhile.
func TestMessagesKeepTheirIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memoryStore{}
		sent := &sender{err: errors.New("no answer")}
		s := New(Config{Store: store, Senders: map[ReceiverKind]Sender{KindWebhook: sent}})
		c := &Lease{Receiver: Receiver{Account: 1, Settings: Settings{Kind: KindWebhook, Quiet: Quiet{From: 60, Until: 120}}}}
		store.pending = []Notification{{ID: "over/m", Event: EventOver, At: time.Now()}}
		attempt := func() Outcome {
			c.Pending = slices.Clone(store.pending)
			o := s.sendPending(t.Context(), c, func() {})
			store.apply(o)
			return o
		}
		attempt() // at midnight
		store.pending = append(store.pending, Notification{ID: "over/n", Event: EventOver, At: time.Now()})
		time.Sleep(time.Hour)
		if o := attempt(); o.DeferTo.IsZero() {
			t.Fatalf("in the quiet hours: %+v", o)
		}
		time.Sleep(time.Hour)
		sent.err = nil
		attempt()
		attempt()
		if want := []string{"over/m", "over/m", "over/n"}; !slices.Equal(sent.ids, want) {
			t.Errorf("the messages are %q, want %q", sent.ids, want)
		}
	})
}

// queueStore is a Store of which only the queues are used: it returns times from due, one after the other.
type queueStore struct {
	Store
	due    []map[Queue]time.Time // of each call of NextDue; nil: it fails
	fails  bool                  // Lease fails
	leases []Lease               // of all queues; Lease takes those at the front
	leased int                   // calls of Lease
}

func (s *queueStore) NextDue(context.Context) (map[Queue]time.Time, error) {
	due := s.due[0]
	s.due = s.due[1:]
	if due == nil {
		return nil, errors.New("no connection")
	}
	return due, nil
}

func (s *queueStore) Lease(_ context.Context, _, _ time.Time, _ Queue, _ []string, limit int) (all []Lease, err error) {
	s.leased++
	if s.fails {
		return nil, errors.New("no connection")
	}
	n := min(limit, len(s.leases))
	all, s.leases = s.leases[:n], s.leases[n:]
	return all, nil
}

func (s *queueStore) SetBatch(context.Context, account.ID, string, []string) error { return nil }

func (s *queueStore) Release(context.Context, *Lease, Outcome) error { return nil }

// TestTimeOfTheNextDispatch checks what is leased, and when the store is asked next: when something becomes due, at once for
// what is due and has a place, and otherwise after a minute.
func TestTimeOfTheNextDispatch(t *testing.T) {
	q := Queue{KindWebhook, SpeedNew}
	none := map[Queue]time.Time{}
	for _, c := range []struct {
		name          string
		before, after time.Duration // from now until the queue is due, before and after the leases
		isFull        bool
		store         queueStore
		want          time.Duration
		leased        int
	}{
		{name: "nothing is due", store: queueStore{due: []map[Queue]time.Time{none, none}}, want: sweepInterval},
		{name: "due later", before: 20 * time.Second, after: 20 * time.Second, want: 20 * time.Second},
		{name: "due much later", before: time.Hour, after: time.Hour, want: sweepInterval},
		{name: "due now", after: 30 * time.Second, want: 30 * time.Second, leased: 1},
		{name: "due still, with a place", before: -time.Second, after: -time.Second, want: -time.Second, leased: 1},
		{name: "due, without a place", before: -time.Second, after: -time.Second, isFull: true, want: sweepInterval},
		{name: "due now, without a place", isFull: true, want: sweepInterval},
		{name: "due later, without a place", before: -time.Second, after: 10 * time.Second, isFull: true, want: 10 * time.Second},
		{name: "the first question fails", store: queueStore{due: []map[Queue]time.Time{nil}}, want: sweepInterval},
		{name: "the second question fails", store: queueStore{due: []map[Queue]time.Time{none, nil}}, want: sweepInterval},
		{name: "a lease fails", before: -time.Second, store: queueStore{fails: true}, want: sweepInterval, leased: 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			store := c.store
			if store.due == nil {
				store.due = []map[Queue]time.Time{{q: time.Now().Add(c.before)}, {q: time.Now().Add(c.after)}}
			}
			s := New(Config{Store: &store})
			for range queueLimits[q] {
				if c.isFull {
					s.places.take(q, "")
				}
			}
			if got := s.dispatch(t.Context()); got != c.want || store.leased != c.leased {
				t.Errorf("%s: the next dispatch is after %v, and %d leases were tried; want %v and %d", c.name, got, store.leased, c.want, c.leased)
			}
		})
	}
}

// TestFailedAttempts checks when sending is tried again, after what a receiver has asked for at the earliest, and when a receiver
// is switched off.
func TestFailedAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{})
		for _, c := range []struct {
			name        string
			attempts    int           // before this one
			failing     time.Duration // since when; 0: it is the first
			err         error
			text        string
			least, most time.Duration
			isOff       bool
		}{
			{"the first", 0, 0, errors.New("secret"), "the message could not be sent", firstRetry * 3 / 4, firstRetry * 5 / 4, false},
			{"the fourth", 3, time.Hour, sendError("status %d", 500), "status 500", 6 * firstRetry, 10 * firstRetry, false},
			{"one that asks for an hour", 0, 0, &SendError{Text: "busy", RetryAfter: time.Hour}, "busy", time.Hour, time.Hour, false},
			{"just before a week", 99, FailureLimit - 1, sendError("x"), "x", lastRetry * 3 / 4, lastRetry * 5 / 4, false},
			{"after a week", 99, FailureLimit, sendError("x"), "x", lastRetry * 3 / 4, lastRetry * 5 / 4, true},
		} {
			lease := &Lease{Receiver: Receiver{Settings: Settings{Kind: KindMail}, Attempts: c.attempts}}
			if c.failing > 0 {
				lease.Failing = time.Now().Add(-c.failing)
			}
			o := s.failedWith(lease, c.err)
			if pause := time.Until(o.RetryAt); pause < c.least || pause > c.most {
				t.Errorf("%s: tried again after %v, want %v to %v", c.name, pause, c.least, c.most)
			}
			if o.Error != c.text || o.Off != c.isOff {
				t.Errorf("%s: the error is %q and off %t, want %q and %t", c.name, o.Error, o.Off, c.text, c.isOff)
			}
		}
		if n := s.Counts(); n[KindMail].Failed != 5 || n[KindWebhook].Failed != 0 {
			t.Errorf("counted: %+v, want 5 failed mails", n)
		}
	})
}

// panickingStore is a Store that panics when it is asked for the receivers, and counts how often it is.
type panickingStore struct {
	Store
	asked int
}

func (s *panickingStore) Receivers(context.Context) (active, off []account.ID, err error) {
	s.asked++
	panic("a bug")
}

// TestRunGoesOnAfterAPanic checks that a panic ends no service, with or without somebody to report it to, and that it is
// reported.
func TestRunGoesOnAfterAPanic(t *testing.T) {
	reports := 0
	for _, report := range []func(string, ...any){nil, func(string, ...any) { reports++ }} {
		synctest.Test(t, func(t *testing.T) {
			store := new(panickingStore)
			s := New(Config{Store: store, Report: report})
			ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
			defer cancel()
			s.Run(ctx, nil, nil)
			if store.asked != 2 {
				t.Errorf("in 90 seconds the store was asked %d times, want 2: now and after a minute", store.asked)
			}
		})
	}
	if reports != 2 {
		t.Errorf("%d reports of two panics", reports)
	}
}

// waitingSender is a Sender whose messages are on their way until the end is closed; those to "bug" panic then.
type waitingSender struct {
	end     chan struct{}
	sending atomic.Int32
}

func (s *waitingSender) Check(*Settings) error { return nil }

func (s *waitingSender) Send(_ context.Context, to *Settings, _ *Message) (string, error) {
	s.sending.Add(1)
	<-s.end
	if to.Address == "bug" {
		panic("a bug")
	}
	return "", nil
}

// releaseStore is a Store of which only Release can be used, with a context that has not ended.
type releaseStore struct {
	memoryStore
	released int
}

func (s *releaseStore) Release(ctx context.Context, _ *Lease, _ Outcome) error {
	if ctx.Err() == nil {
		s.released++
	}
	return ctx.Err()
}

// hangingSender is a Sender that has no answer before its context ends.
type hangingSender struct{}

func (hangingSender) Check(*Settings) error { return nil }

func (hangingSender) Send(ctx context.Context, _ *Settings, _ *Message) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// TestHangingMessageIsReleased checks that what became of a message that has taken all of its time is still stored, before the
// lease ends.
func TestHangingMessageIsReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(releaseStore)
		s := New(Config{Store: store, Senders: map[ReceiverKind]Sender{KindWebhook: hangingSender{}}})
		c := &Lease{Receiver: Receiver{Account: 1, Settings: Settings{Kind: KindWebhook}}, Pending: []Notification{{ID: "over/m", At: time.Now()}}}
		c.Failing = time.Now().Add(-FailureLimit)
		begun := time.Now()
		s.handleLease(t.Context(), c, s.places.take(Queue{KindWebhook, SpeedNew}, ""))
		if took := time.Since(begun); store.released != 1 || took >= leaseTime {
			t.Errorf("after %v the outcome was stored %d times, want once before the lease of %v ends", took, store.released, leaseTime)
		}
		if !s.HasStopped(1) || s.HasStopped(2) {
			t.Errorf("after a week of failures the receiver has stopped: %t, another: %t", s.HasStopped(1), s.HasStopped(2))
		}
	})
}

// TestLeasesFillAllPlaces checks that one dispatch leases receivers until a queue has no place, also where one lease is of fewer,
// and that each place is free again once its message was sent or has failed by a panic, which is reported.
func TestLeasesFillAllPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := Queue{KindWebhook, SpeedNew}
		store := new(queueStore)
		for i := range 2 * queueLimits[q] {
			r := Receiver{Account: account.ID(i + 1), Destination: fmt.Sprint("host", i), Settings: Settings{Kind: KindWebhook}}
			if i == 0 {
				r.Address = "bug"
			}
			store.leases = append(store.leases, Lease{Receiver: r, Pending: []Notification{{ID: "over/m", Event: EventOver, At: time.Now()}}})
		}
		var mu sync.Mutex
		var reports []string
		sent := &waitingSender{end: make(chan struct{})}
		s := New(Config{Store: store, Senders: map[ReceiverKind]Sender{KindWebhook: sent}, Report: func(msg string, kv ...any) {
			mu.Lock()
			defer mu.Unlock()
			reports = append(reports, fmt.Sprint(msg, " ", kv[1]))
		}})
		if err := s.leaseFrom(t.Context(), q, time.Now()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := int(sent.sending.Load()); n != queueLimits[q] {
			t.Errorf("%d messages are on their way, want as many as the queue has places: %d", n, queueLimits[q])
		}
		time.Sleep(slowAfter)
		synctest.Wait()
		if n := s.places.queues[q].taken; n != 0 || !s.sent.Swap(false) || len(s.wakeup) != 1 {
			t.Errorf("with all slow, %d places are taken, want 0, and Run woken for those that wait", n)
		} else {
			<-s.wakeup
		}
		close(sent.end)
		s.wg.Wait()
		if n := s.places.queues[q].taken; n != 0 || !s.sent.Load() || len(s.wakeup) != 1 {
			t.Errorf("with all sent, %d places are taken, Run looks for more: %t, and is woken: %t", n, s.sent.Load(), len(s.wakeup) == 1)
		}
		if s.HasStopped(2) {
			t.Error("a receiver has stopped that has acknowledged its message")
		}
		if want := []string{"a notification failed 1"}; !slices.Equal(reports, want) {
			t.Errorf("reported: %q, want %q", reports, want)
		}
	})
}

// delayedSender is a Sender that answers after a time, with a destination and an error.
type delayedSender struct {
	delay time.Duration
	err   error
}

func (s delayedSender) Check(*Settings) error { return nil }

func (s delayedSender) Send(context.Context, *Settings, *Message) (string, error) {
	time.Sleep(s.delay)
	return "network", s.err
}

// TestOutcomes checks what becomes of what is pending: of the message, of what is dropped, and of the receiver's speed.
func TestOutcomes(t *testing.T) {
	failure := errors.New("no connection")
	for _, c := range []struct {
		name    string
		change  func(*Config)
		sender  Sender // nil: none
		store   error  // of SetBatch
		batch   string // that is stored already
		want    Outcome
		isAgain bool // it is tried again
	}{
		{name: "acknowledged at once", sender: delayedSender{}, want: Outcome{Dropped: []string{"turn/old/1"}, Acknowledged: []string{"over/m"}, Destination: "network", Speed: SpeedQuick}},
		{name: "acknowledged just in time", sender: delayedSender{delay: slowAfter}, want: Outcome{Dropped: []string{"turn/old/1"}, Acknowledged: []string{"over/m"}, Destination: "network", Speed: SpeedQuick}},
		{name: "acknowledged late", sender: delayedSender{delay: slowAfter + 1}, want: Outcome{Dropped: []string{"turn/old/1"}, Acknowledged: []string{"over/m"}, Destination: "network", Speed: SpeedSlow}},
		{name: "failed", sender: delayedSender{err: failure}, isAgain: true,
			want: Outcome{Dropped: []string{"turn/old/1"}, Error: "the message could not be sent", Destination: "network", Speed: SpeedSlow}},
		{name: "sent before, without the store", sender: delayedSender{}, store: failure, batch: "over/m",
			want: Outcome{Dropped: []string{"turn/old/1"}, Acknowledged: []string{"over/m"}, Destination: "network", Speed: SpeedQuick}},
		{name: "no sender", isAgain: true, want: Outcome{Error: "the operator has switched off this kind of notification"}},
		{name: "an account that is not found", sender: delayedSender{}, isAgain: true, want: Outcome{Error: "the server could not look up the account"},
			change: func(c *Config) {
				c.MayReceive = func(context.Context, account.ID) (bool, error) { return false, failure }
			}},
		{name: "an account that may not use the server", sender: delayedSender{}, want: Outcome{Dropped: []string{"turn/old/1", "over/m", "report/1"}},
			change: func(c *Config) {
				c.MayReceive = func(context.Context, account.ID) (bool, error) { return false, nil }
			}},
		{name: "a role that is not found", sender: delayedSender{}, isAgain: true, want: Outcome{Error: "the server could not look up the account"},
			change: func(c *Config) {
				c.ReadsReports = func(context.Context, account.ID) (bool, error) { return false, failure }
			}},
		{name: "a moderator no more", sender: delayedSender{}, want: Outcome{Dropped: []string{"report/1"}},
			change: func(c *Config) {
				c.ReadsReports = func(context.Context, account.ID) (bool, error) { return false, nil }
			}},
	} {
		synctest.Test(t, func(t *testing.T) {
			config := Config{
				Store: &memoryStore{err: c.store}, Senders: make(map[ReceiverKind]Sender),
				ReadsReports: func(context.Context, account.ID) (bool, error) { return true, nil },
			}
			if c.sender != nil {
				config.Senders[KindWebhook] = c.sender
			}
			if c.change != nil {
				c.change(&config)
			}
			at := time.Now().Add(-time.Hour)
			o := New(config).sendPending(t.Context(), &Lease{Receiver: Receiver{Account: 1, Settings: Settings{Kind: KindWebhook}}, Pending: []Notification{
				{ID: "turn/old/1", Event: EventTurn, At: at, Deferred: true, Facts: Facts{Match: "old"}}, // of a match that has ended
				{ID: "over/m", Event: EventOver, At: at, Batch: c.batch},
				{ID: "report/1", Event: EventReport, At: at.Add(1)},
			}}, func() {})
			if isAgain := o.RetryAt.After(time.Now()); isAgain != c.isAgain || !o.NotBefore.IsZero() || !o.DeferTo.IsZero() || o.Off {
				t.Errorf("%s: tried again: %t, want %t; the outcome is %+v", c.name, isAgain, c.isAgain, o)
			}
			if !slices.Equal(o.Acknowledged, c.want.Acknowledged) || !slices.Equal(o.Dropped, c.want.Dropped) || o.Error != c.want.Error ||
				o.Speed != c.want.Speed || o.Destination != c.want.Destination {
				t.Errorf("%s: the outcome is %+v, want %+v", c.name, o, c.want)
			}
		})
	}
}

// TestCausesOfFailedMails: what a user and the operator read of an error of a connection.
func TestCausesOfFailedMails(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, "did not answer in time"},
		{fmt.Errorf("reading: %w", context.DeadlineExceeded), "did not answer in time"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "the connection to this server's mail server broke"},
		{tls.RecordHeaderError{Msg: "no TLS"}, "offers no valid TLS"},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(40)}, "offers no valid TLS"},
		{&tls.CertificateVerificationError{Err: errors.New("expired")}, "is not valid"},
		{&textproto.Error{Code: 451}, "try again later (status 451)"},
		{&textproto.Error{Code: 550}, "answered with status 550"},
		{io.ErrUnexpectedEOF, "broke"},
	} {
		if got := mailCause(c.err); !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// TestLoginNeedsTLS: the password is not sent in clear, whatever begins a sign-in.
func TestLoginNeedsTLS(t *testing.T) {
	for _, isTLS := range []bool{false, true} {
		a := &loginAuth{answers: []string{"user", "password"}}
		if _, _, err := a.Start(&smtp.ServerInfo{Name: "mail.example.org", TLS: isTLS}); (err == nil) != isTLS {
			t.Errorf("with TLS %t: %v", isTLS, err)
		}
	}
}

// TestReasonsOfAnIncidentAreBounded: a server that answers something else each time is not reported each time.
func TestReasonsOfAnIncidentAreBounded(t *testing.T) {
	var i mailIncident
	for n := 1; n <= maxReasons+2; n++ {
		if isNews, failed := i.note(fmt.Sprint("reason ", n)); isNews != (n <= maxReasons) || failed != n {
			t.Errorf("reason %d is reported: %t, after %d attempts", n, isNews, failed)
		}
	}
	if isNews, failed := i.note(""); !isNews || failed != maxReasons+2 {
		t.Errorf("the end is reported: %t, after %d attempts", isNews, failed)
	}
}
