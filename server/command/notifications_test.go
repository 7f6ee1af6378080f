package command_test

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
	"ayumu/lobby/notify/notifytest"
	"ayumu/lobby/table"
	"ayumu/server/command"
	"ayumu/tui/game/gametest"
	"ayumu/tui/jsonform"
	"ayumu/tui/op"
)

// TestNotificationsInAShell: the commands change the receiver, as text and as JSON, and refuse what cannot be.
func TestNotificationsInAShell(t *testing.T) {
	db := lobbytest.Store(t)
	h := harness{t, lobbytest.New(t, lobby.Config{Store: db})}
	sender := new(notifytest.Sender)
	service := notifytest.Service(db, sender)
	ana := h.member("ana").Account()
	run := func(account *account.Account, line string) (out, errs string, status int) {
		t.Helper()
		var o, e bytes.Buffer
		status = command.Run(t.Context(), &op.Config{Lobby: h.l, Notify: service, Account: account, Addr: netip.MustParseAddr("192.0.2.1"), Games: gametest.Games, SSHTarget: "HOST"}, &o, &e, strings.Fields(line))
		return o.String(), e.String(), status
	}
	type row struct {
		Kind, Address, Format, Secret, Quiet, Zone string
		Confirmed                                  bool
		Events                                     []string
		Digest                                     int
	}
	asJSON := func(line string) row {
		t.Helper()
		out, errs, status := run(&ana, line+" --json")
		var answer struct{ Receiver row }
		if err := json.Unmarshal([]byte(out), &answer); err != nil || status != 0 || errs != "" || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: exit %d, %v: %q, %q", line, status, err, out, errs)
		}
		return answer.Receiver
	}
	if r := asJSON("notifications"); r.Kind != "none" || r.Address != "" || r.Zone != "UTC" || r.Confirmed || len(r.Events) != len(notify.Events) {
		t.Errorf("at first: %+v", r)
	}
	for _, c := range []struct{ line, want string }{
		{"notifications quiet 22-7", "set a webhook or a mail address first"},
		{"notifications webhook", "usage: notifications webhook URL"},
		{"notifications webhook ftp://example.org", "begins with https://"},
		{"notifications mail ana@example.org", "no mail notifications"},
		{"notifications test", "there is no webhook or mail address"},
		{"notifications loudly", "unknown setting \"loudly\"; usage: notifications webhook"}, {"notifications quite 22-7", "did you mean quiet?"}, {"notifications off --now", "unknown flag --now"},
	} {
		if out, errs, status := run(&ana, c.line); status != 1 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %q, %q", c.line, status, out, errs)
		}
	}
	out, errs, status := run(&ana, "notifications webhook https://example.org/secret SLACK")
	if status != 0 || errs != "" || !strings.HasPrefix(out, "Saved.\n") || !strings.Contains(out, "Notifications go to the webhook https://example.org/secret in the format slack.\n") {
		t.Errorf("webhook: exit %d, %q, %q", status, out, errs)
	}
	if r := asJSON("notifications quiet 22:00 - 7 Europe/Berlin"); r.Quiet != "22:00-07:00" || r.Zone != "Europe/Berlin" || r.Kind != "webhook" || r.Address != "https://example.org/secret" || r.Format != "slack" || !r.Confirmed || len(r.Secret) < 32 {
		t.Errorf("quiet: %+v", r)
	}
	if r := asJSON("notifications quiet 21:30 - 06:00"); r.Quiet != "21:30-06:00" || r.Zone != "Europe/Berlin" {
		t.Errorf("quiet hours with spaces: %+v", r)
	}
	if r := asJSON("notifications quiet off"); r.Quiet != "" || r.Zone != "Europe/Berlin" {
		t.Errorf("quiet off: %+v", r)
	}
	if r := asJSON("notifications digest 6"); r.Digest != 6 {
		t.Errorf("digest: %+v", r)
	}
	for _, c := range []struct{ line, want string }{
		{"notifications quiet", "usage: notifications quiet"}, {"notifications quiet night", "quiet hours are written"}, {"notifications quiet 22-7 Atlantis", "unknown time zone"},
		{"notifications zone", "usage: notifications zone"}, {"notifications digest", "usage: notifications digest"}, {"notifications digest 49", "1 to 48 hours"}, {"notifications digest soon", "usage: notifications digest"}, {"notifications events luck", "usage: notifications events"},
	} {
		if out, errs, status := run(&ana, c.line); status != 1 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %q, %q", c.line, status, out, errs)
		}
	}
	if r := asJSON("notifications events over,turn"); r.Digest != 6 || !slices.Equal(r.Events, []string{"turn", "over"}) {
		t.Errorf("after what was refused: %+v", r)
	}
	if r := asJSON("notifications digest off"); r.Digest != 0 {
		t.Errorf("digest off: %+v", r)
	}
	if out, errs, status := run(&ana, "notifications TEST"); status != 0 || out != "The test was acknowledged.\n" || errs != "" {
		t.Errorf("test: exit %d, %q, %q", status, out, errs)
	}
	sender.Fail("the receiver answered with status 500")
	if out, errs, status := run(&ana, "notifications test"); status != 1 || out != "" || !strings.Contains(errs, "test failed: the receiver answered with status 500") {
		t.Errorf("a test that fails: exit %d, %q, %q", status, out, errs)
	}
	if sent := sender.Sent(); len(sent) != 2 || !strings.HasPrefix(sent[0], "https://example.org/secret test/") || sent[0] == sent[1] {
		t.Errorf("sent: %q", sent)
	}
	if r := asJSON("notifications off"); r.Kind != "none" || r.Address != "" || r.Secret != "" {
		t.Errorf("off: %+v", r)
	}
	if out, errs, status := run(nil, "notifications"); status != 1 || out != "" || !strings.Contains(errs, "guests have no notifications") {
		t.Errorf("a guest: exit %d, %q, %q", status, out, errs)
	}
}

// TestWaiting: the exit status is 0 only for who has to play, 1 for others, and 2 after an error.
func TestWaiting(t *testing.T) {
	h := open(t)
	ana, bob := h.member("ana"), h.member("bob")
	id := h.begin(ana, bob, table.Proposal{Clock: &clock.Control{Days: 3}, First: table.FirstOwner})
	m, err := h.l.Match(id)
	if err != nil {
		t.Fatal(err)
	}
	waits, rests := ana, bob
	if turn := m.Snapshot().Position.Turn(); m.Info.Seats[turn].Name == "bob" {
		waits, rests = bob, ana
	}
	out := h.must(waits, "waiting")
	if !strings.HasPrefix(out, id+"  ") || !strings.Contains(out, rests.Account().Name) || !strings.Contains(out, " left\n") || strings.Count(out, "\n") != 1 {
		t.Errorf("waiting: %q", out)
	}
	var r struct {
		Matches []jsonform.WaitingMatch `json:"matches"`
	}
	out = h.must(waits, "waiting --json")
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Matches) != 1 || r.Matches[0].Match != id || len(r.Matches[0].Seats) != 2 || r.Matches[0].Version != 2 || r.Matches[0].LeftMS == nil {
		t.Errorf("waiting --json: %q, %v", out, err)
	}
	if out, errs, status := h.run(rests, "waiting"); status != 1 || out+errs != "" {
		t.Errorf("who does not have to play: exit %d, %q, %q", status, out, errs)
	}
	if out, errs, status := h.run(rests, "waiting --json"); status != 1 || out != `{"matches":[]}`+"\n" || errs != "" {
		t.Errorf("who does not have to play, as JSON: exit %d, %q, %q", status, out, errs)
	}
	for line, s := range map[string]*lobby.Session{"waiting": nil, "waiting long": waits, "waiting --long": waits} {
		if out, errs, status := h.run(s, line); status != 2 || out != "" || errs == "" {
			t.Errorf("%s: exit %d, %q, %q", line, status, out, errs)
		}
	}
	h.act(ana, bob, id, "")
	h.must(rests, "waiting")
	h.resign(waits, id)
	if _, errs, status := h.run(rests, "waiting"); status != 1 || errs != "" {
		t.Errorf("after the end: exit %d, %q", status, errs)
	}
}
