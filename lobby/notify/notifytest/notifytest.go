// Package notifytest has notifications for tests of the packages that show them.
package notifytest

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/notify"
)

// Sender is a sender that keeps what it was to send. The zero value acknowledges everything. Any goroutine may use it.
type Sender struct {
	mu   sync.Mutex
	sent []string
	err  error
}

// Check implements notify.Sender.
func (s *Sender) Check(*notify.Settings) error { return nil }

// Send implements notify.Sender.
func (s *Sender) Send(_ context.Context, to *notify.Settings, m *notify.Message) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, to.Address+" "+m.ID)
	return "", s.err
}

// Fail lets the messages that follow fail with a text; "" lets them succeed.
func (s *Sender) Fail(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err = nil; text != "" {
		s.err = &notify.SendError{Text: text}
	}
}

// Sent returns "ADDRESS ID" of each attempt.
func (s *Sender) Sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.sent...)
}

// Service returns notifications that a sender sends to webhooks. They do not run.
func Service(db interface {
	notify.Store
	lobby.MatchStore
}, s *Sender) *notify.Service {
	return notify.New(notify.Config{Store: db, Match: db.Match, Senders: map[notify.ReceiverKind]notify.Sender{notify.KindWebhook: s}})
}

// Stop gives an account a receiver that was switched off after a week of failures, and runs the service until the end of
// the test. It is called in a bubble.
func Stop(t *testing.T, db notify.Store, s *notify.Service, id account.ID) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	settings := notify.Settings{Kind: notify.KindWebhook, Address: "https://example.org/secret", Preset: notify.PresetJSON, Events: notify.Events}
	err := db.SaveReceiver(ctx, id, settings, now.Add(-time.Hour))
	if err == nil {
		_, err = db.Enqueue(ctx, []notify.Notification{{ID: "turn/m/1", Account: id, Event: notify.EventTurn, At: now}})
	}
	var leases []notify.Lease
	if err == nil {
		leases, err = db.Lease(ctx, now, now.Add(time.Minute), notify.Queue{Kind: notify.KindWebhook, Speed: notify.SpeedNew}, nil, 1)
	}
	if err == nil && len(leases) == 1 {
		err = db.Release(ctx, &leases[0], notify.Outcome{At: now, Error: "the receiver answered with status 500", RetryAt: now.Add(time.Hour), Off: true})
	}
	if err != nil || len(leases) != 1 {
		t.Fatalf("%d receivers, %v", len(leases), err)
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx, func() *lobby.TableList { return new(lobby.TableList) }, func() (string, string) { return "Ayumu", "play.example.org" })
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	synctest.Wait()
}
