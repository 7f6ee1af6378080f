package notify_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/notify"
)

// noReceivers is a Store in which no account has a receiver, whatever is saved.
type noReceivers struct{ notify.Store }

func (noReceivers) Receiver(context.Context, lobby.AccountID) (notify.Receiver, error) {
	return notify.Receiver{}, lobby.ErrNotFound
}

func (noReceivers) SaveReceiver(context.Context, lobby.AccountID, notify.Settings, time.Time) error {
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
func (c *codeServer) ask(account int, from, to string) (sent int) {
	c.t.Helper()
	own, err := c.s.Own(lobby.Account{ID: lobby.AccountID(account)}, netip.MustParseAddr(from))
	if err != nil {
		c.t.Fatal(err)
	}
	before := len(c.m.codes)
	_, err = own.Save(c.t.Context(), notify.Settings{Kind: notify.KindMail, Address: to})
	if sent = len(c.m.codes) - before; (sent == 0) != (err != nil) {
		c.t.Errorf("%d codes were sent, the error is %v", sent, err)
	}
	if code, _ := lobby.PublicError(err); err != nil && code != lobby.CodeRateLimited {
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
