package notify

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
)

// memoryStore is a Store with the pending notifications of one account, of which only SetBatch can be used. It returns err.
type memoryStore struct {
	Store
	err     error
	pending []Notification
}

func (s *memoryStore) SetBatch(_ context.Context, _ lobby.AccountID, batch string, notifications []string) error {
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
	c := &Claim{Receiver: Receiver{Account: 1, Settings: Settings{Kind: KindWebhook}}, Pending: []Notification{
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
		c := &Claim{Receiver: Receiver{Account: 1, Settings: Settings{Kind: KindWebhook, Quiet: Quiet{From: 60, Until: 120}}}}
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
