package notify

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// TestPlan: what is sent at once, what together, what later, and what not at all.
func TestPlan(t *testing.T) {
	turn := func(minutes int) Notification {
		return Notification{ID: fmt.Sprint("turn/m/", minutes), Event: EventTurn, At: noon.Add(time.Duration(minutes) * time.Minute)}
	}
	held := func(n Notification) Notification { n.Deferred = true; return n }
	in := func(n Notification, batch string) Notification { n.Batch = batch; return n }
	night := Settings{Quiet: Quiet{From: 22 * 60, Until: 7*60 + 30}, Zone: "Europe/Berlin"}
	at := func(h, m int) time.Time { return time.Date(2026, 11, 20, h, m, 0, 0, time.UTC) }
	pointless := func(*Notification) bool { return true }
	for _, c := range []struct {
		name      string
		settings  Settings
		pending   []Notification
		now       time.Time
		pointless func(*Notification) bool
		want      plan
	}{
		{"nothing", Settings{}, nil, noon, nil, plan{}},
		{"one by one, the oldest first", Settings{}, []Notification{turn(2), turn(1)}, at(13, 0), nil, plan{send: []Notification{turn(1)}, batch: "turn/m/1"}},
		{"never dropped before quiet hours or a digest", Settings{}, []Notification{turn(1)}, at(13, 0), pointless, plan{send: []Notification{turn(1)}, batch: "turn/m/1"}},
		{"quiet over midnight, by the time zone", night, []Notification{turn(1)}, at(21, 0), nil, plan{deferTo: at(30, 30)}},
		{"just before the quiet hours", night, []Notification{turn(1)}, at(20, 59), nil, plan{send: []Notification{turn(1)}, batch: "turn/m/1"}},
		{"quiet after midnight", night, []Notification{turn(1)}, at(6, 29), nil, plan{deferTo: at(6, 30)}},
		{"together at their end", night, []Notification{held(turn(1)), held(turn(2)), turn(3)}, at(6, 30), func(*Notification) bool { return false },
			plan{send: []Notification{held(turn(1)), held(turn(2))}, batch: "digest/turn/m/1"}},
		{"held back and pointless", night, []Notification{held(turn(1)), held(turn(2))}, at(6, 30), func(n *Notification) bool { return n.ID == "turn/m/1" },
			plan{send: []Notification{held(turn(2))}, batch: "turn/m/2", drop: []string{"turn/m/1"}}},
		{"a digest waits from its first", Settings{Digest: 6}, []Notification{turn(10), turn(0)}, at(13, 0), nil, plan{deferTo: at(18, 0)}},
		{"a digest", Settings{Digest: 6}, []Notification{turn(0), turn(10)}, at(18, 0), nil,
			plan{send: []Notification{turn(0), turn(10)}, batch: "digest/turn/m/0"}},
		{"a message that may have been sent is the same again", Settings{Digest: 6},
			[]Notification{in(turn(0), "b"), turn(1), in(held(turn(2)), "b")}, at(23, 0), pointless,
			plan{send: []Notification{in(turn(0), "b"), in(held(turn(2)), "b")}, batch: "b"}},
		{"of a single notification too", night, []Notification{in(held(turn(0)), "turn/m/0"), held(turn(1))}, at(13, 0), pointless,
			plan{send: []Notification{in(held(turn(0)), "turn/m/0")}, batch: "turn/m/0", drop: []string{"turn/m/1"}}},
	} {
		if c.pointless == nil {
			c.pointless = func(*Notification) bool { return false }
		}
		before := slices.Clone(c.pending)
		got := c.settings.makePlan(c.pending, c.now, c.pointless)
		same := func(a, b Notification) bool { return a.ID == b.ID && a.Batch == b.Batch }
		if !slices.EqualFunc(got.send, c.want.send, same) || got.batch != c.want.batch || !got.deferTo.Equal(c.want.deferTo) || !slices.Equal(got.drop, c.want.drop) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
		if !slices.EqualFunc(before, c.pending, same) {
			t.Errorf("%s: the argument was changed", c.name)
		}
	}
}

// TestQuietHoursAcrossClockChanges: the end is by the clock of the wall, also in a night in which it is put back.
func TestQuietHoursAcrossClockChanges(t *testing.T) {
	berlin := (&Settings{Zone: "Europe/Berlin"}).Location()
	q := Quiet{From: 22 * 60, Until: 7 * 60}
	for _, day := range []int{24, 25, 26} { // the 25th of October 2026 has 25 hours
		at := time.Date(2026, 10, day, 23, 0, 0, 0, berlin)
		if end := q.end(at, berlin).In(berlin); end.Hour() != 7 || end.Minute() != 0 || end.Day() != day+1 {
			t.Errorf("the quiet hours of %v end at %v", at, end)
		}
	}
}

// TestRetries: pauses grow to a limit, vary, and are never shorter than what the receiver has asked for.
func TestRetries(t *testing.T) {
	sum := time.Duration(0)
	pauses := make(map[time.Duration]bool)
	for range 20 {
		pauses[retryAfter(1, 0)] = true
	}
	if len(pauses) == 1 {
		t.Error("receivers that failed together are tried together")
	}
	for failures := 1; failures < 100; failures++ {
		nominal := lastRetry
		if failures < 11 {
			nominal = min(firstRetry<<(failures-1), lastRetry)
		}
		for range 20 {
			if p := retryAfter(failures, 0); p < nominal*3/4 || p > nominal*5/4+time.Second {
				t.Fatalf("after %d failures: %v, want about %v", failures, p, nominal)
			}
		}
		if failures < 6 {
			sum += nominal
		}
	}
	if sum > 10*time.Minute {
		t.Errorf("the first five attempts take %v", sum)
	}
	if p := retryAfter(1, time.Hour); p != time.Hour {
		t.Errorf("asked for an hour, got %v", p)
	}
	if p := retryAfter(1, 1000*time.Hour); p > lastRetry {
		t.Errorf("a receiver can delay itself by %v", p)
	}
}

// TestQuietHoursAsText: what can be typed is read, and written in one form.
func TestQuietHoursAsText(t *testing.T) {
	for text, want := range map[string]string{"22:00-07:30": "22:00-07:30", "22-7": "22:00-07:00", " 1:05 - 2 ": "01:05-02:00", "off": "", "none": "", "": "", "0-24": "", "22:59-7:00": "22:59-07:00"} {
		if q, err := ParseQuiet(text); err != nil || q.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, q, err, want)
		}
	}
	for _, text := range []string{"22", "22:60-7", "25-7", "-", "a-b", "22:00-", "24:30-7", "1-2-3", "22--1", "22-7:-5", "a:30-7", "22-7:60"} {
		if q, err := ParseQuiet(text); err == nil {
			t.Errorf("%q is read as %v", text, q)
		}
	}
}

// TestSettingsAreChecked: what a player or a program chooses is complete and within its limits, or refused.
func TestSettingsAreChecked(t *testing.T) {
	webhook, byMail := Settings{Kind: KindWebhook, Address: "https://example.org/x"}, Settings{Kind: KindMail, Address: "ana@example.org"}
	zone := "Etc/" + strings.Repeat("../Etc/", 8) + "UTC" // of 63 characters, if such a zone is known
	for _, c := range []struct {
		name   string
		of     Settings
		change func(*Settings)
		ok     bool
	}{
		{"a webhook", webhook, func(*Settings) {}, true},
		{"a mail address", byMail, func(*Settings) {}, true},
		{"neither", Settings{Address: "ana@example.org"}, func(*Settings) {}, false},
		{"a preset", webhook, func(s *Settings) { s.Preset = PresetNtfy }, true},
		{"an unknown preset", webhook, func(s *Settings) { s.Preset = "teams" }, false},
		{"no URL", webhook, func(s *Settings) { s.Address = "example.org" }, false},
		{"no mail address", byMail, func(s *Settings) { s.Address = "example.org" }, false},
		{"all events", webhook, func(s *Settings) { s.Events = slices.Clone(allEvents) }, true},
		{"an unknown event", webhook, func(s *Settings) { s.Events = []Event{EventTurn, "chat"} }, false},
		{"a zone", webhook, func(s *Settings) { s.Zone = "Europe/Berlin" }, true},
		{"the zone of the server", webhook, func(s *Settings) { s.Zone = "Local" }, false},
		{"an unknown zone", webhook, func(s *Settings) { s.Zone = "Europe/Bielefeld" }, false},
		{"a long zone", webhook, func(s *Settings) { s.Zone = zone }, false},
		{"a digest", webhook, func(s *Settings) { s.Digest = 48 }, true},
		{"a long digest", webhook, func(s *Settings) { s.Digest = 49 }, false},
		{"a negative digest", webhook, func(s *Settings) { s.Digest = -1 }, false},
		{"quiet hours", webhook, func(s *Settings) { s.Quiet = Quiet{24*60 - 1, 0} }, true},
		{"other quiet hours", webhook, func(s *Settings) { s.Quiet = Quiet{0, 24*60 - 1} }, true},
		{"quiet hours from 24:00", webhook, func(s *Settings) { s.Quiet.From = 24 * 60 }, false},
		{"quiet hours until 24:00", webhook, func(s *Settings) { s.Quiet.Until = 24 * 60 }, false},
		{"quiet hours from the day before", webhook, func(s *Settings) { s.Quiet.From = -1 }, false},
		{"quiet hours until the day before", webhook, func(s *Settings) { s.Quiet.Until = -1 }, false},
	} {
		s := c.of
		c.change(&s)
		if err := s.check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := webhook.check(); err != nil || webhook.Preset != PresetJSON {
		t.Errorf("the preset of a webhook is %q, %v", webhook.Preset, err)
	}
	byMail.Preset, byMail.Secret, byMail.Events = PresetSlack, "secret", []Event{EventOver, EventTurn, EventOver}
	if err := byMail.check(); err != nil || byMail.Preset != "" || byMail.Secret != "" || !slices.Equal(byMail.Events, []Event{EventTurn, EventOver}) {
		t.Errorf("mail has %+v, %v", byMail, err)
	}
	for _, name := range []string{"", "Local", "Europe/Bielefeld"} { // of settings that were stored by another version
		if l := (&Settings{Zone: name}).Location(); l != time.UTC {
			t.Errorf("the zone %q is %v", name, l)
		}
	}
	for _, c := range []struct {
		s    Settings
		want string
	}{
		{Settings{Kind: KindWebhook, Address: "https://Example.ORG.:8443/x"}, "example.org"},
		{Settings{Kind: KindWebhook, Address: "https://exa mple.org/"}, ""},
		{Settings{Kind: KindMail, Address: "https://example.org/"}, ""},
	} {
		if got := c.s.FirstDestination(); got != c.want {
			t.Errorf("%s: the destination is %q, want %q", c.s.Address, got, c.want)
		}
	}
}

// TestURLs: malformed URLs are refused, with a reason that has no part of them.
func TestURLs(t *testing.T) {
	for _, text := range []string{"https://example.org/x", "http://127.0.0.1:8080/a?b=c", "http://example.org:80/x", "https://example.org:443/x", "https://example.org:1024/x", "https://example.org:65535/x", "https://[2606:4700::1]/x", "https://example.org/~ana"} {
		if _, err := parseURL(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "secret", "ftp://secret.example/", "https://", "https:///secret", "https://secret@example.org/", "https://u:secret@example.org/",
		"https://example.org/#secret", "https://example.org/sec ret", "https://exämple.org/secret", "https://example.org:99999/secret", "https://example.org:22/secret", "https://example.org:25/secret", "https://example.org:1023/secret", "https://example.org:0/secret", "https://example.org/secret\x7f", "https://example.org/%zzsecret",
		"javascript:secret", "https://example.org/" + string(make([]byte, 500)), "https://example.org/secret\r\nHost: x"} {
		if _, err := parseURL(text); err == nil {
			t.Errorf("%q is accepted", text)
		} else if got := publicText(err); len(got) < 10 || containsSecret(got) {
			t.Errorf("%q: %q", text, got)
		}
	}
	for text, ok := range map[string]bool{"ana@example.org": true, "a.b+c@sub.example.org": true, "ana": false, "ana@localhost": false, "Ana <ana@example.org>": false,
		"ana@example.org\r\nBcc: x@example.org": false, "ana@example.org, bob@example.org": false, "ana@[127.0.0.1]": false, "": false, "\"a b\"@example.org": false, "<ana@example.org>": false, "ana@example.org (Ana)": false, "änä@example.org": false, "ana~@example.org": true,
		"ana@10.0.0.1": false, strings.Repeat("a", 60) + "@" + strings.Repeat("b.", 95) + "com": true, strings.Repeat("a", 60) + "@" + strings.Repeat("b.", 96) + "org": false} {
		if err := checkMail(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func containsSecret(text string) bool {
	for i := range len(text) - 5 {
		if text[i:i+6] == "secret" {
			return i < len(text)-7 && text[i:i+8] == "secret.e"
		}
	}
	return false
}
