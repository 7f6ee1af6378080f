package notify

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
)

// Limits of what a client can trigger.
const (
	codeTTL       = 30 * time.Minute
	maxCodeErrors = 5
	// answerTimeout bounds what a user waits for: a test, and a mail with a code.
	answerTimeout = 15 * time.Second
)

// CodeLimits limit the mails with a code, which anybody can have sent to anybody. DefaultCodeLimits returns them.
type CodeLimits struct {
	User, Address, Domain limit.Rate // by one account; to one address, as normalMail counts it; to one domain
	Origin                limit.Rate // from one IPv4 address or IPv6 /48
	Server                limit.Rate
}

// DefaultCodeLimits returns the limits of a server.
func DefaultCodeLimits() CodeLimits {
	perHour := func(n int) limit.Rate { return limit.PerMinute(float64(n)/60, n) }
	return CodeLimits{User: perHour(3), Address: limit.PerMinute(1.0/120, 3), Domain: perHour(30), Origin: perHour(6), Server: perHour(100)}
}

// The names of the limits in Service.LimitHits.
const (
	hitCodes       = "mail_codes"
	hitServerCodes = "mail_codes_per_server"
)

// limits are the rates of what accounts and addresses can trigger.
type limits struct {
	changes, tests     *limit.Buckets[account.ID]
	testsOf            *limit.Buckets[netip.Prefix]
	codes              *limit.Buckets[account.ID]
	codesFrom          *limit.Buckets[netip.Prefix]
	codesTo, codesInto *limit.Buckets[[sha256.Size]byte] // by the digests of an address and of a domain
	allCodes           *limit.Buckets[struct{}]
}

func newLimits(c CodeLimits) limits {
	return limits{
		changes: limit.NewBuckets[account.ID](limit.PerMinute(10, 30)), tests: limit.NewBuckets[account.ID](limit.PerMinute(1, 5)),
		testsOf: limit.NewBuckets[netip.Prefix](limit.PerMinute(2, 10)),
		codes:   limit.NewBuckets[account.ID](c.User), codesFrom: limit.NewBuckets[netip.Prefix](c.Origin),
		codesTo: limit.NewBuckets[[sha256.Size]byte](c.Address), codesInto: limit.NewBuckets[[sha256.Size]byte](c.Domain),
		allCodes: limit.NewBuckets[struct{}](c.Server),
	}
}

// UserService is the Service for one user: their receiver and its settings. Service.ForUser makes one.
type UserService struct {
	s    *Service
	id   account.ID
	from netip.Addr
}

// ForUser returns the notifications of an account, whose user is at an address. It returns an errcode.NotAllowed error
// if there are no notifications on this server, or none for guests.
func (s *Service) ForUser(a account.Account, from netip.Addr) (UserService, error) {
	switch {
	case s == nil || len(s.c.Senders) == 0:
		return UserService{}, &errcode.Error{Code: errcode.NotAllowed, Message: "this server sends no notifications"}
	case a.ID <= 0:
		return UserService{}, &errcode.Error{Code: errcode.NotAllowed, Message: "guests have no notifications; sign in with an SSH key"}
	}
	return UserService{s, a.ID, from}, nil
}

// CanMail reports whether there is a mail server.
func (o UserService) CanMail() bool { return o.s.c.Senders[KindMail] != nil }

// CanWebhook reports whether webhooks can be used.
func (o UserService) CanWebhook() bool { return o.s.c.Senders[KindWebhook] != nil }

// Events returns the kinds of events that the account can choose.
func (o UserService) Events(ctx context.Context) ([]Event, error) {
	mayRead, err := o.s.readsReports(ctx, o.id)
	if mayRead {
		return slices.Clone(allEvents), err
	}
	return slices.Clone(Events), err
}

// Receiver returns the account's receiver, without one the zero value with all events chosen.
func (o UserService) Receiver(ctx context.Context) (Receiver, error) {
	r, err := o.s.c.Store.Receiver(ctx, o.id)
	if errors.Is(err, errcode.ErrNotFound) {
		return Receiver{Account: o.id, Settings: Settings{Events: Events}}, nil
	}
	return r, err
}

// Save stores settings, of which the secret and the code are ignored. A new mail address is sent a code. Sending to a
// receiver that was off begins again.
func (o UserService) Save(ctx context.Context, s Settings) (Receiver, error) {
	if !o.s.limits.changes.Take(o.id, time.Now(), 1) {
		return Receiver{}, rateLimited("you have changed this too often; wait a minute")
	}
	if err := s.check(); err != nil {
		return Receiver{}, err
	}
	sender := o.s.c.Senders[s.Kind]
	if sender == nil {
		return Receiver{}, &errcode.Error{Code: errcode.NotAllowed, Message: "this server has no " + string(s.Kind) + " notifications"}
	}
	if err := sender.Check(&s); err != nil {
		return Receiver{}, err
	}
	before, err := o.Receiver(ctx)
	if err != nil {
		return Receiver{}, err
	}
	offered, err := o.Events(ctx)
	if err != nil {
		return Receiver{}, err
	}
	if s.Has(EventReport) && !slices.Contains(offered, EventReport) {
		if !before.Has(EventReport) {
			return Receiver{}, &errcode.Error{Code: errcode.NotAllowed, Message: "only moderators and owners are notified of reports"}
		}
		s.Events = slices.DeleteFunc(s.Events, func(e Event) bool { return e == EventReport }) // their role has ended
	}
	isSame := before.Kind == s.Kind && before.Address == s.Address
	s.Secret, s.CodeDigest, s.CodeExpires, s.CodeErrors = "", "", time.Time{}, 0
	switch {
	case s.Kind == KindWebhook && before.Secret != "":
		s.Secret = before.Secret
	case s.Kind == KindWebhook:
		s.Secret = newSecret()
	case isSame:
		s.CodeDigest, s.CodeExpires, s.CodeErrors = before.CodeDigest, before.CodeExpires, before.CodeErrors
	default:
		if err := o.sendCode(ctx, sender, &s); err != nil {
			return Receiver{}, err
		}
	}
	return o.store(ctx, s)
}

// store stores settings that were checked.
func (o UserService) store(ctx context.Context, s Settings) (Receiver, error) {
	// A transaction of the store can read a turn that was recorded before with a later time of the clock of another
	// machine, so nothing depends on the exact time.
	if err := o.s.c.Store.SaveReceiver(ctx, o.id, s, time.Now()); err != nil {
		return Receiver{}, err
	}
	o.s.receiversChanged(o.id)
	return o.Receiver(ctx)
}

// sendCode sends a code to a new mail address, and sets its digest.
func (o UserService) sendCode(ctx context.Context, sender Sender, s *Settings) error {
	codes, ok := sender.(CodeSender)
	if !ok {
		return nil
	}
	now := time.Now()
	if err := o.takeCode(s.Address, now); err != nil {
		return err
	}
	text := lobby.RandomCode(40)
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	counts := o.s.counters(s.Kind)
	if err := codes.SendCode(ctx, s, o.s.message(s, []Notification{{}}).Site, text); err != nil {
		counts.failed.Add(1)
		return &errcode.Error{Code: errcode.Unavailable, Message: "the code could not be sent: " + errorText(err)}
	}
	counts.sent.Add(1)
	s.CodeDigest, s.CodeExpires = codeDigest(text), now.Add(codeTTL)
	return nil
}

// takeCode counts a mail with a code to an address, or returns an error for the user if a limit is reached.
func (o UserService) takeCode(address string, now time.Time) error {
	l := &o.s.limits
	normal := normalMail(address)
	_, domain, _ := strings.Cut(normal, "@")
	to, into := sha256.Sum256([]byte(normal)), sha256.Sum256([]byte(domain))
	switch {
	case l.codesInto.Wait(into, now, 1) > 0, // whoever is refused for others keeps what is theirs
		!l.codes.Take(o.id, now, 1), !l.codesFrom.Take(limit.Network(o.from), now, 1), !l.codesTo.Take(to, now, 1), !l.codesInto.Take(into, now, 1):
		o.s.LimitHits.Add(hitCodes)
		return rateLimited("too many codes were sent to this address or its domain, or by you; try again in two hours")
	case !l.allCodes.Take(struct{}{}, now, 1):
		o.s.LimitHits.Add(hitServerCodes)
		o.s.reportServerLimit(now)
		return rateLimited("this server has sent too many codes; try again in an hour")
	}
	return nil
}

// reportServerLimit tells the operator, at most once an hour, that mails with a code were refused to everybody.
func (s *Service) reportServerLimit(now time.Time) {
	s.mu.Lock()
	isNews := now.Sub(s.codesReported) >= time.Hour
	if isNews {
		s.codesReported = now
	}
	s.mu.Unlock()
	if isNews {
		s.c.Report("mails with a code are refused: this server's limit for an hour is reached")
	}
}

// normalMail returns what all spellings of a mail address that reach one person have in common: it is in lower case,
// without a tag and, at Google, without the dots that mean nothing there.
func normalMail(address string) string {
	local, domain, _ := strings.Cut(strings.ToLower(address), "@")
	if untagged, _, _ := strings.Cut(local, "+"); untagged != "" {
		local = untagged
	}
	if domain == "gmail.com" || domain == "googlemail.com" {
		local, domain = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	return local + "@" + domain
}

func codeDigest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// Confirm confirms the mail address with the code that was sent to it.
func (o UserService) Confirm(ctx context.Context, text string) (Receiver, error) {
	if !o.s.limits.changes.Take(o.id, time.Now(), 1) {
		return Receiver{}, rateLimited("you have changed this too often; wait a minute")
	}
	r, err := o.Receiver(ctx)
	switch {
	case err != nil:
		return Receiver{}, err
	case r.CodeDigest == "":
		return Receiver{}, refused("code", "no address is waiting for a code")
	case time.Now().After(r.CodeExpires) || r.CodeErrors >= maxCodeErrors:
		return Receiver{}, refused("code", "that code has expired; enter the address again to get another")
	}
	s := r.Settings
	if subtle.ConstantTimeCompare([]byte(codeDigest(strings.ToLower(strings.TrimSpace(text)))), []byte(s.CodeDigest)) != 1 {
		s.CodeErrors++
		if _, err := o.store(ctx, s); err != nil {
			return Receiver{}, err
		}
		return Receiver{}, refused("code", "that code is wrong; use the one in the newest mail")
	}
	s.CodeDigest, s.CodeExpires, s.CodeErrors = "", time.Time{}, 0
	return o.store(ctx, s)
}

// Remove removes the receiver, so that nothing more is sent.
func (o UserService) Remove(ctx context.Context) error {
	if !o.s.limits.changes.Take(o.id, time.Now(), 1) {
		return rateLimited("you have changed this too often; wait a minute")
	}
	err := o.s.c.Store.RemoveReceiver(ctx, o.id)
	if err == nil {
		o.s.receiversChanged(o.id)
	}
	return err
}

// Test sends a test to the stored receiver and returns nil once it was acknowledged. The error says what happened. It
// takes at most answerTimeout besides the store.
func (o UserService) Test(ctx context.Context) error {
	r, err := o.Receiver(ctx)
	switch {
	case err != nil:
		return err
	case r.Kind == "":
		return refused("address", "there is no webhook or mail address to send a test to; set one first")
	case !r.IsActive():
		return refused("", "the address is not confirmed; enter the code that was sent to it")
	}
	now := time.Now()
	l := &o.s.limits
	if !l.tests.Take(o.id, now, 1) || !l.testsOf.Take(limit.Origin(o.from), now, 1) {
		return rateLimited("too many tests; wait a minute")
	}
	sender := o.s.c.Senders[r.Kind]
	if sender == nil {
		return refused("", "this server has no "+string(r.Kind)+" notifications")
	}
	n := Notification{ID: "test/" + lobby.RandomCode(50), Event: eventTest, At: now}
	counts := o.s.counters(r.Kind)
	sending, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	if _, err := sender.Send(sending, &r.Settings, o.s.message(&r.Settings, []Notification{n})); err != nil {
		counts.failed.Add(1)
		return &errcode.Error{Code: errcode.Unavailable, Message: "the test failed: " + errorText(err)}
	}
	counts.sent.Add(1)
	if r.Off.IsZero() && r.Failing.IsZero() {
		return nil
	}
	_, err = o.store(ctx, r.Settings) // it works again
	return err
}

// errorText returns the text of an error of a Sender.
func errorText(err error) string {
	var e *SendError
	if errors.As(err, &e) {
		return e.Text
	}
	return "internal error"
}

// receiversChanged makes Run read the receivers again, after that of an account was stored or removed.
func (s *Service) receiversChanged(id account.ID) {
	s.mu.Lock()
	delete(s.off, id)
	s.receivers = true
	s.mu.Unlock()
	s.wake()
}

func rateLimited(text string) error {
	return &errcode.Error{Code: errcode.RateLimited, Message: text}
}
