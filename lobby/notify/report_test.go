package notify_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
)

// TestReports: moderators who choose it are notified of each report once, in as many characters as are sent, as long as
// they are moderators. Nobody else can choose it.
func TestReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := &receivers{acknowledged: make(map[string]int), contents: make(map[string][]string)}
		var mu sync.Mutex
		moderators := make(map[account.ID]bool)
		var reports []notify.Report
		s := notify.New(notify.Config{
			Store: db, Match: db.Match, Senders: map[notify.ReceiverKind]notify.Sender{notify.KindWebhook: sent},
			Reports: func(context.Context) ([]notify.Report, error) {
				mu.Lock()
				defer mu.Unlock()
				return slices.Clone(reports), nil
			},
			ReadsReports: func(_ context.Context, id account.ID) (bool, error) {
				mu.Lock()
				defer mu.Unlock()
				return moderators[id], nil
			},
		})
		l := lobbytest.New(t, lobby.Config{Store: db, Correspondence: s.MatchChanged})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { s.Run(ctx, l.TableList, func() (string, string) { return "Go Club", "play.example.org" }) })
		defer wg.Wait()
		defer cancel()
		h := &server{Lobby: l, t: t, s: s, sent: sent}
		ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
		set := func(who *lobby.Session, isModerator bool) {
			mu.Lock()
			defer mu.Unlock()
			moderators[who.Account().ID] = isModerator
		}
		report := func(id int64, text string) {
			mu.Lock()
			reports = append(reports, notify.Report{ID: id, At: time.Now(), By: "eva", About: "mallory", Text: text})
			mu.Unlock()
			time.Sleep(time.Minute)
		}
		choose := func(s *notify.Settings) { s.Events = append(slices.Clone(notify.Events), notify.EventReport) }
		set(ana, true)
		h.receiver(ana, choose)
		h.receiver(bob)
		settings := notify.Settings{Kind: notify.KindWebhook, Address: "https://example.org/bob"}
		choose(&settings)
		if _, err := h.own(bob).Save(t.Context(), settings); err == nil {
			t.Error("who is no moderator has chosen reports")
		}
		for who, want := range map[*lobby.Session]bool{ana: true, bob: false} {
			if offered, err := h.own(who).Events(t.Context()); err != nil || slices.Contains(offered, notify.EventReport) != want {
				t.Errorf("%s can choose %v, %v", who.Account().Name, offered, err)
			}
		}
		time.Sleep(time.Minute)
		report(7, "cheats "+strings.Repeat("x", 500))
		h.want("a report", ana, "report/7")
		h.want("no moderator", bob)
		time.Sleep(2 * time.Hour) // with the report still open
		h.want("once", ana)
		mu.Lock()
		reports = append(reports, notify.Report{ID: 9, At: time.Now(), By: "guest 192.0.2.1/32", About: "mallory", Text: "x"})
		mu.Unlock()
		time.Sleep(time.Minute)
		h.want("a report by a guest", ana, "report/9")
		if text := sent.texts[len(sent.texts)-1]; strings.Contains(text, "192.0.2") || !strings.Contains(text, "\na guest reports mallory: x\n") {
			t.Errorf("a guest's report is sent as %q", text)
		}
		want := "eva reports mallory: cheats " + strings.Repeat("x", 292) + "…\nssh -t play.example.org admin reports"
		if len(sent.texts) != 2 || !strings.HasSuffix(sent.texts[0], "\n"+want) {
			t.Errorf("the message is %q, want %q", sent.texts, want)
		}
		// The role ends: nothing is sent, other settings can be changed, and what was chosen is gone.
		set(ana, false)
		report(8, "again")
		h.want("after the role", ana)
		set(ana, true)
		time.Sleep(time.Minute)
		h.want("what was dropped", ana)
		set(ana, false)
		h.receiver(ana, choose)
		if r, err := h.own(ana).Receiver(t.Context()); err != nil || r.Has(notify.EventReport) || !r.Has(notify.EventTurn) {
			t.Errorf("saved after the role: %+v, %v", r, err)
		}
	})
}
