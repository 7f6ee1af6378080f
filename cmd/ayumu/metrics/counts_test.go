package metrics

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
	"ayumu/lobby/table"
	"ayumu/server/sshd"
)

// TestWhatPlayersDoIsCounted registers three, one of them in vain, and plays two turns of a game that is resigned.
func TestWhatPlayersDoIsCounted(t *testing.T) {
	db := lobbytest.Store(t)
	l := lobbytest.New(t, lobby.Config{Store: db})
	measured := make(chan struct{})
	h := Handler(Source{
		Version: "v1.2.3, commit 0123456789ab",
		Server:  func() sshd.Stats { return sshd.Stats{} }, Lobby: l, WriteFailures: func() uint64 { return 5 },
		Notifications: func() map[notify.ReceiverKind]notify.Counts {
			return map[notify.ReceiverKind]notify.Counts{notify.KindWebhook: {Sent: 3, Failed: 1}, notify.KindMail: {Failed: 2}}
		},
		DatabaseSize: func(ctx context.Context) (int64, error) {
			defer close(measured)
			return db.Size(ctx)
		},
		Report: func(msg string, keyvals ...any) { t.Error(msg, keyvals) },
	})
	scrape := func() string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		return w.Body.String()
	}
	if text := scrape(); strings.Contains(text, "\nayumu_database_bytes") {
		t.Error("the first answer has the size of the database")
	}
	ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
	if _, err := l.Accounts.Register(t.Context(), "ana", []byte("another key"), netip.Addr{}); err == nil {
		t.Error("two accounts have one name")
	}
	id := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu", Options: []byte(`{"size":5}`)})
	for range 2 {
		for _, s := range []*lobby.Session{ana, bob} {
			p, err := s.AsPlayer(id)
			if err != nil {
				t.Fatal(err)
			}
			now := p.Snapshot()
			if now.Position.Turn() != p.Seat() {
				continue
			}
			if _, err := p.Act(t.Context(), now.Version, now.Position.Legal()[:1]); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	p, err := ana.AsPlayer(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resign(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-measured
	text := scrape()
	if !regexp.MustCompile(`(?m)^ayumu_database_bytes [1-9]`).MatchString(text) {
		t.Error("the metrics lack the size of the database")
	}
	for _, want := range []string{fmt.Sprintf("ayumu_build_info{go=%q,version=\"v1.2.3, commit 0123456789ab\"} 1", runtime.Version()), "ayumu_turns_total 2", "ayumu_matches_finished_total 1", "ayumu_new_accounts_total 2", "ayumu_write_failures_total 5",
		`ayumu_notifications_sent_total{kind="webhook"} 3`, `ayumu_notifications_failed_total{kind="webhook"} 1`,
		`ayumu_notifications_sent_total{kind="mail"} 0`, `ayumu_notifications_failed_total{kind="mail"} 2`} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("the metrics lack %s", want)
		}
	}
}
