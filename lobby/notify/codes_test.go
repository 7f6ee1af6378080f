package notify_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/notify"
)

// noReceivers is a Store in which no account has a receiver, whatever is saved.
type noReceivers struct{ notify.Store }

func (noReceivers) Receiver(context.Context, account.ID) (notify.Receiver, error) {
	return notify.Receiver{}, errcode.ErrNotFound
}

func (noReceivers) SaveReceiver(context.Context, account.ID, notify.Settings, time.Time) error {
	return nil
}

// codeServer is a server that sends mails with codes.
type codeServer struct {
	t       *testing.T
	s       *notify.Service
	m       *mailer
	reports []string
}

func newCodeServer(t *testing.T) *codeServer {
	c := &codeServer{t: t, m: new(mailer)}
	c.s = notify.New(notify.Config{Store: noReceivers{}, Senders: map[notify.ReceiverKind]notify.Sender{notify.KindMail: c.m},
		Report: func(msg string, _ ...any) { c.reports = append(c.reports, msg) }})
	return c
}

// ask has an account at an address of the network ask for codes to a mail address, and returns how many were sent.
func (c *codeServer) ask(number int, from, to string) (sent int) {
	c.t.Helper()
	own, err := c.s.ForUser(account.Account{ID: account.ID(number)}, netip.MustParseAddr(from))
	if err != nil {
		c.t.Fatal(err)
	}
	before := len(c.m.codes)
	_, err = own.Save(c.t.Context(), notify.Settings{Kind: notify.KindMail, Address: to})
	if sent = len(c.m.codes) - before; (sent == 0) != (err != nil) {
		c.t.Errorf("%d codes were sent, the error is %v", sent, err)
	}
	if code, _ := lobby.PublicError(err); err != nil && code != errcode.RateLimited {
		c.t.Fatal(err)
	}
	return sent
}

// network returns an address of another network for each number.
func network(i int) string { return fmt.Sprintf("2001:db8:%x::1", i) }

// TestCodesToAMailbox are limited over all accounts, origins and spellings.
func TestCodesToAMailbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCodeServer(t)
		for _, spellings := range [][]string{
			{"victim@example.org"},
			{"eva@example.com", "Eva@example.com", "eva@EXAMPLE.com", "eva+1@example.com", "EVA+two+three@example.com", "eva+@example.com"},
			{"a.b.c@gmail.com", "abc@gmail.com", "A.BC+x@gmail.com", "abc@googlemail.com"},
		} {
			sent := 0
			for i := range 24 {
				sent += c.ask(1000+i, network(1000+i), spellings[i%len(spellings)])
			}
			if sent != 3 {
				t.Errorf("24 accounts had %d codes sent to %q, want 3", sent, spellings)
			}
		}
		for i, other := range []string{"b.c@example.com", "bc@example.com", "+x@example.com", "+y@example.com", "abc@example.com"} {
			if c.ask(2000+i, network(2000+i), other) != 1 {
				t.Errorf("%s is another mailbox, to which no code was sent", other)
			}
		}
		time.Sleep(2 * time.Hour)
		if n := c.ask(1, network(1), "victim+x@example.org") + c.ask(2, network(2), "victim+y@example.org"); n != 1 {
			t.Errorf("%d codes after two hours, want 1", n)
		}
		if n := c.s.LimitHits.All()["mail_codes"]; n != 3*21+1 {
			t.Errorf("%d refusals were counted, want %d", n, 3*21+1)
		}
	})
}

// TestCodesFromANetwork are limited over all accounts, mailboxes and origins of it.
func TestCodesFromANetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCodeServer(t)
		sent := make(map[string]int)
		for i := range 30 {
			to := func(n int) string { return fmt.Sprintf("m%d@example%d.org", n, n) }
			sent["IPv4"] += c.ask(100+i, "192.0.2.1", to(100+i))
			sent["IPv6 /48"] += c.ask(200+i, fmt.Sprintf("2001:db8:1:%x::%x", i, i), to(200+i))
			sent["another"] += c.ask(300+i, network(300+i), to(300+i))
		}
		if sent["IPv4"] != 6 || sent["IPv6 /48"] != 6 || sent["another"] != 30 {
			t.Errorf("sent: %v", sent)
		}
		time.Sleep(10 * time.Minute)
		if n := c.ask(1, "2001:db8:1:ffff::1", "n1@example.org") + c.ask(2, "2001:db8:1:fffe::1", "n2@example.org"); n != 1 {
			t.Errorf("%d codes after ten minutes, want 1", n)
		}
	})
}

// TestCodesOfAnAccount are limited over all networks and mailboxes.
func TestCodesOfAnAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, sent := newCodeServer(t), 0
		for i := range 20 {
			sent += c.ask(1, network(i), fmt.Sprintf("m%d@example%d.org", i, i))
		}
		if sent != 3 {
			t.Errorf("%d codes were sent for one account, want 3", sent)
		}
	})
}

// TestRefusedForOthersKeepsTheirs checks that an account that asks for codes to a domain to which others have had too many
// sent is refused, and can then have as many sent elsewhere as before.
func TestRefusedForOthersKeepsTheirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCodeServer(t)
		for i := range 30 {
			c.ask(1000+i, network(1000+i), fmt.Sprintf("m%d@example.org", i))
		}
		for i := range 10 {
			if c.ask(1, network(1), fmt.Sprintf("n%d@example.org", i)) != 0 {
				t.Fatalf("code %d was sent to one domain, want 30", 31+i)
			}
		}
		sent := 0
		for i := range 10 {
			sent += c.ask(1, network(1), fmt.Sprintf("m%d@example.com", i))
		}
		if sent != 3 {
			t.Errorf("an account that was refused for others has %d codes sent elsewhere, want 3", sent)
		}
	})
}

// TestCodesOfAServer are limited, and those to one domain; the operator is told once an hour.
func TestCodesOfAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, toDomain, all := newCodeServer(t), 0, 0
		for i := range 50 {
			toDomain += c.ask(1000+i, network(1000+i), fmt.Sprintf("m%d@example.org", i))
		}
		if toDomain != 30 {
			t.Errorf("%d codes were sent to one domain, want 30", toDomain)
		}
		if all = toDomain; len(c.reports) != 0 {
			t.Errorf("reported: %q", c.reports)
		}
		for i := range 100 {
			all += c.ask(2000+i, network(2000+i), fmt.Sprintf("m@example%d.org", i))
		}
		if hits := c.s.LimitHits.All(); all != 100 || hits["mail_codes_per_server"] != 30 || hits["mail_codes"] != 20 {
			t.Errorf("%d codes were sent by one server, want 100; counted: %v", all, hits)
		}
		time.Sleep(30 * time.Minute)
		for i := range 60 {
			all += c.ask(3000+i, network(3000+i), fmt.Sprintf("m@example%d.org", 200+i))
		}
		if all != 150 || len(c.reports) != 1 || !strings.Contains(c.reports[0], "mails with a code are refused") {
			t.Errorf("%d codes after half an hour, want 150; reported: %q", all, c.reports)
		}
		time.Sleep(30 * time.Minute)
		for i := range 60 {
			all += c.ask(4000+i, network(4000+i), fmt.Sprintf("m@example%d.org", 300+i))
		}
		if all != 200 || len(c.reports) != 2 || slices.ContainsFunc(c.reports, func(r string) bool { return strings.Contains(r, "example") }) {
			t.Errorf("%d codes after an hour, want 200; reported: %q", all, c.reports)
		}
	})
}

// receiverStore is a Store of one receiver, some of whose methods fail.
type receiverStore struct {
	notify.Store
	kept    *notify.Receiver
	failing string // the name of a method
}

var errStore = errors.New("the disk is full")

func (s *receiverStore) Receiver(context.Context, account.ID) (notify.Receiver, error) {
	switch {
	case s.failing == "Receiver":
		return notify.Receiver{}, errStore
	case s.kept == nil:
		return notify.Receiver{}, errcode.ErrNotFound
	}
	return *s.kept, nil
}

func (s *receiverStore) SaveReceiver(_ context.Context, id account.ID, settings notify.Settings, _ time.Time) error {
	if s.failing == "SaveReceiver" {
		return errStore
	}
	s.kept = &notify.Receiver{Account: id, Settings: settings}
	return nil
}

func (s *receiverStore) RemoveReceiver(context.Context, account.ID) error {
	if s.failing == "RemoveReceiver" {
		return errStore
	}
	s.kept = nil
	return nil
}

// pickySender is a mailer that refuses addresses of example.net, and sends nothing while err is set.
type pickySender struct {
	mailer
	err error
}

func (s *pickySender) Check(settings *notify.Settings) error {
	if strings.HasSuffix(settings.Address, "example.net") {
		return &errcode.Error{Code: errcode.BadRequest, Message: "not there"}
	}
	return nil
}

func (s *pickySender) Send(context.Context, *notify.Settings, *notify.Message) (string, error) {
	return "", s.err
}

func (s *pickySender) SendCode(ctx context.Context, to *notify.Settings, site, code string) error {
	if s.err != nil {
		return s.err
	}
	return s.mailer.SendCode(ctx, to, site, code)
}

// TestOwnReceiver: what a player does with their receiver succeeds as a whole or is an error, and only what was sent counts.
func TestOwnReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, mail := new(receiverStore), new(pickySender)
		var errReads error
		senders := map[notify.ReceiverKind]notify.Sender{notify.KindWebhook: mail, notify.KindMail: mail}
		s := notify.New(notify.Config{Store: store, Senders: senders, ReadsReports: func(context.Context, account.ID) (bool, error) { return errReads == nil, errReads }})
		newOwn := func(id account.ID, from string) notify.UserService {
			own, err := s.ForUser(account.Account{ID: id}, netip.MustParseAddr(from))
			if err != nil {
				t.Fatal(err)
			}
			return own
		}
		own, ctx := newOwn(1, "192.0.2.1"), t.Context()
		webhook := notify.Settings{Kind: notify.KindWebhook, Address: "https://example.org/x"}
		byMail := notify.Settings{Kind: notify.KindMail, Address: "ana@example.org"}
		save := func(settings notify.Settings) error { _, err := own.Save(ctx, settings); return err }
		confirm := func(code string) error { _, err := own.Confirm(ctx, code); return err }
		want := func(what string, err error, text string) {
			t.Helper()
			time.Sleep(10 * time.Minute) // no limit is reached
			if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, want %q", what, err, text)
			}
		}
		counts := func(kind notify.ReceiverKind, sent, failed uint64) {
			t.Helper()
			if got := s.Counts()[kind]; got.Sent != sent || got.Failed != failed {
				t.Errorf("%s: %+v, want %d sent and %d failed", kind, got, sent, failed)
			}
		}

		want("a test without a receiver", own.Test(ctx), "no webhook or mail address to send")
		want("a code without an address", confirm("abcd"), "no address is waiting")
		given := webhook
		given.CodeDigest, given.CodeErrors, given.Secret = "x", 99, "chosen"
		want("a webhook", save(given), "")
		if r := store.kept; !r.IsActive() || r.CodeErrors != 0 || r.Secret == "chosen" {
			t.Errorf("what was given is stored: %+v", r)
		}
		want("a test", own.Test(ctx), "")
		counts(notify.KindWebhook, 1, 0)
		mail.err = errors.New("secret")
		want("a failing test", own.Test(ctx), "the test failed: internal error")
		mail.err = &notify.SendError{Text: "status 500"}
		want("another failing test", own.Test(ctx), "the test failed: status 500")
		counts(notify.KindWebhook, 1, 2)

		want("a code that cannot be sent", save(byMail), "could not be sent: status 500")
		if store.kept.Kind != notify.KindWebhook {
			t.Errorf("without a code is stored %+v", store.kept)
		}
		mail.err = nil
		counts(notify.KindMail, 0, 1)
		want("a mail address after a webhook", save(byMail), "")
		store.failing = "SaveReceiver"
		want("a wrong code that is not counted", confirm("abcd"), errStore.Error())
		store.failing = ""
		counts(notify.KindMail, 1, 1)
		if r := store.kept; r.IsActive() || r.Secret != "" || len(mail.codes) != 1 {
			t.Fatalf("the address is %+v, %d codes were sent", r, len(mail.codes))
		}
		want("a test before the code", own.Test(ctx), "not confirmed")
		want("another address", save(notify.Settings{Kind: notify.KindMail, Address: "ana@example.net"}), "not there")
		want("another kind", save(notify.Settings{Kind: "pigeon", Address: "x"}), "webhook or by mail")
		errReads = errStore
		want("settings without roles", save(webhook), errStore.Error())
		errReads = nil
		for _, c := range []struct {
			method string
			call   func() error
		}{
			{"Receiver", func() error { _, err := own.Receiver(ctx); return err }},
			{"Receiver", func() error { return save(webhook) }},
			{"Receiver", func() error { return confirm("abcd") }},
			{"Receiver", func() error { return own.Test(ctx) }},
			{"SaveReceiver", func() error { return save(byMail) }},
			{"RemoveReceiver", func() error { return own.Remove(ctx) }},
		} {
			store.failing = c.method
			want(c.method+" fails", c.call(), errStore.Error())
			store.failing = ""
		}
		want("an old code", confirm(strings.Fields(mail.codes[0])[1]), "expired")
		for what, validity := range map[string]time.Duration{"": 30 * time.Minute, "expired": 30*time.Minute + 1} {
			want("a new address", save(webhook), "")
			want("a mail address", save(byMail), "")
			time.Sleep(time.Until(store.kept.CodeExpires.Add(validity - 30*time.Minute)))
			want(what, confirm(strings.Fields(mail.codes[len(mail.codes)-1])[1]), what)
		}
		want("a removal", own.Remove(ctx), "")
		want("a second removal", own.Remove(ctx), "")

		// What can be triggered is limited: by account, and tests by address as well.
		count := func(call func() error) (n int) {
			time.Sleep(time.Hour)
			for range 100 {
				if code, _ := lobby.PublicError(call()); code != errcode.RateLimited {
					n++
				}
			}
			return n
		}
		if n := count(func() error { return own.Remove(ctx) }); n != 30 {
			t.Errorf("%d removals at once", n)
		}
		if n := count(func() error { return confirm("abcd") }); n != 30 {
			t.Errorf("%d codes at once", n)
		}
		time.Sleep(time.Hour)
		want("a webhook", save(webhook), "")
		time.Sleep(time.Hour)
		tests := 0
		for id := range account.ID(5) {
			other := newOwn(id+1, "192.0.2.1")
			for range 10 {
				if other.Test(ctx) == nil {
					tests++
				}
			}
		}
		if tests != 10 {
			t.Errorf("%d tests at once from one address", tests)
		}
		if !own.CanMail() || !own.CanWebhook() {
			t.Error("a kind is missing")
		}
		delete(senders, notify.KindWebhook)
		time.Sleep(time.Hour)
		want("a test of a kind that is gone", own.Test(ctx), "no webhook notifications")
		want("a kind that is gone", save(webhook), "no webhook notifications")
		if own.CanWebhook() || !own.CanMail() {
			t.Error("webhooks can be used")
		}
		delete(senders, notify.KindMail)
		if own.CanMail() {
			t.Error("mail can be used")
		}
		if _, err := s.ForUser(account.Account{ID: 1}, lobbyAddr); err == nil {
			t.Error("a server that sends nothing has notifications")
		}
	})
}

// TestLimitsOfTheOperator: the operator's limits of codes replace the usual ones, and without a list of moderators nobody
// chooses reports.
func TestLimitsOfTheOperator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := notify.DefaultCodeLimits()
		limits.User = limit.PerMinute(1, 1)
		c := &codeServer{t: t, m: new(mailer)}
		c.s = notify.New(notify.Config{Store: noReceivers{}, Senders: map[notify.ReceiverKind]notify.Sender{notify.KindMail: c.m}, CodeLimits: &limits})
		if first, second := c.ask(1, network(1), "a@example.org"), c.ask(1, network(1), "b@example.org"); first != 1 || second != 0 {
			t.Errorf("%d and %d codes were sent, want 1 and 0", first, second)
		}
		own, err := c.s.ForUser(account.Account{ID: 1}, lobbyAddr)
		if err != nil {
			t.Fatal(err)
		}
		if events, err := own.Events(t.Context()); err != nil || slices.Contains(events, notify.EventReport) {
			t.Errorf("the events are %q, %v", events, err)
		}
	})
}
