package notify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/lobby/notify"
	"ayumu/lobby/requiretest"
)

var sample = notify.Message{
	ID: "turn/m1/4", Site: "Go Club", Target: "play.example.org", Zone: time.UTC,
	Notifications: []notify.Notification{{ID: "turn/m1/4", Event: notify.EventTurn, At: time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC),
		Facts: notify.Facts{Match: "m1", Version: 4, Game: "Ayu 11×11", Clock: "3 days", Opponents: []string{"b_o_b"}}}},
}

// loopback allows the addresses of this machine.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

// request is a request as a receiver gets it.
type request struct {
	*http.Request
	body []byte
}

// receiver starts a web server that answers with a function, and returns its URL and its last request.
func receiver(t *testing.T, answer http.HandlerFunc) (url string, last *atomic.Pointer[request]) {
	t.Helper()
	last = new(atomic.Pointer[request])
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last.Store(&request{r, body})
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/hook/secretpath?token=secrettoken", last
}

func settings(url string, p notify.Preset) *notify.Settings {
	return &notify.Settings{Kind: notify.KindWebhook, Address: url, Preset: p, Secret: "the secret"}
}

// TestWebhookRequests: the id is in the header and the body, the signature is that of the body, and each preset has the
// form that its service reads.
func TestWebhookRequests(t *testing.T) {
	url, last := receiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	w := notify.NewWebhook(notify.WebhookConfig{Private: loopback, Version: "1"})
	for _, p := range notify.Presets {
		if to, err := w.Send(t.Context(), settings(url, p), &sample); err != nil || to != "127.0.0.1/32" {
			t.Fatalf("%s: sent to %q, %v", p, to, err)
		}
		r := last.Load()
		if got := r.Header.Get("Ayumu-Event-Id"); got != "turn/m1/4" || r.Method != "POST" || r.URL.RawQuery != "token=secrettoken" {
			t.Errorf("%s: id %q, %s %s", p, got, r.Method, r.URL)
		}
		if title, coding := r.Header.Get("Title"), r.Header.Get("Accept-Encoding"); title != "" && p != notify.PresetNtfy || coding != "" {
			t.Errorf("%s: the headers say %q and accept %q", p, title, coding)
		}
		want := "sha256=" + notify.Sign("the secret", r.Header.Get("Ayumu-Timestamp"), r.body)
		if got := r.Header.Get("Ayumu-Signature"); got != want {
			t.Errorf("%s: signature %q, want %q", p, got, want)
		}
		var fields map[string]any
		if p != notify.PresetNtfy {
			if err := json.Unmarshal(r.body, &fields); err != nil || r.Header.Get("Content-Type") != "application/json" {
				t.Fatalf("%s: %v", p, err)
			}
		}
		switch p {
		case notify.PresetJSON:
			events := fields["events"].([]any)
			first := events[0].(map[string]any)
			if fields["id"] != "turn/m1/4" || fields["event"] != "turn" || first["id"] != "turn/m1/4" || first["match"] != "m1" || first["version"] != 4.0 {
				t.Errorf("json: %s", r.body)
			}
		case notify.PresetDiscord:
			if text := fields["content"].(string); !strings.Contains(text, `It is your turn against b\_o\_b`) || fields["allowed_mentions"] == nil {
				t.Errorf("discord: %s", r.body)
			}
		case notify.PresetSlack:
			if text := fields["text"].(string); !strings.Contains(text, "It is your turn against b_o_b") {
				t.Errorf("slack: %s", r.body)
			}
		case notify.PresetNtfy:
			if !bytes.HasPrefix(r.body, []byte("It is your turn against b_o_b (Ayu 11×11, 3 days per turn).")) || r.Header.Get("Title") != "Go Club: your turn against b_o_b" {
				t.Errorf("ntfy: %q, title %q", r.body, r.Header.Get("Title"))
			}
		}
	}
	for version, want := range map[string]string{
		"v1.2.3, commit 0123456789ab, 2026-11-20":        "Ayumu/v1.2.3",
		"commit 0123456789ab, 2026-11-20, modified":      "Ayumu/0123456789ab",
		"v1.2.3-rc.1+A_Zaz09":                            "Ayumu/v1.2.3-rc.1+A_Zaz09",
		"v1/2":                                           "Ayumu",
		"unknown commit (built without version control)": "Ayumu",
		"": "Ayumu",
	} {
		w := notify.NewWebhook(notify.WebhookConfig{Private: loopback, Version: version})
		if _, err := w.Send(t.Context(), settings(url, notify.PresetJSON), &sample); err != nil {
			t.Fatal(err)
		}
		if got := last.Load().UserAgent(); got != want {
			t.Errorf("version %q: user agent %q, want %q", version, got, want)
		}
	}
	// A known signature, which the documentation shows.
	if got := notify.Sign("s3cret", "1790000000", []byte(`{"id":"test"}`)); got != "48fd9fb225acea95f03e2c35c8a616275602ad292ebc502b6394b0095455c5cf" {
		t.Errorf("signature %s", got)
	}
}

// TestHostileReceivers: whatever a receiver does, the attempt ends in time with a reason that has no part of its URL, and
// nothing but a status of 200 to 299 is an acknowledgement. Who gives no answer gets the same reason in whatever way, so
// that nobody scans ports with webhooks.
func TestHostileReceivers(t *testing.T) {
	var victims, flooded atomic.Int64
	flooding := make(chan struct{})
	victim := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { victims.Add(1) }))
	defer victim.Close()
	const noAnswer = "the receiver gave no answer; check that the host, the port and http or https in the URL are right, " +
		"that it can be reached from the internet, and that it answers within 5 seconds"
	w := notify.NewWebhook(notify.WebhookConfig{Private: loopback})
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string // in the error; "": acknowledged
	}{
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "status 500"},
		"410": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) }, "status 410"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, victim.URL, http.StatusTemporaryRedirect)
		}, "redirect"},
		"closes": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, noAnswer},
		"large": {func(w http.ResponseWriter, _ *http.Request) {
			defer close(flooding)
			flooded.Store(flood(w))
		}, ""},
		"headers": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 100<<10)) }, noAnswer},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			w.Write([]byte("x"))
		}, ""},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, noAnswer},
		"endless": {func(w http.ResponseWriter, r *http.Request) { // after the status
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, ""},
		"no TLS":  {func(http.ResponseWriter, *http.Request) {}, noAnswer},
		"refused": {nil, noAnswer},
	} {
		url, _ := receiver(t, c.answer)
		switch name {
		case "no TLS":
			url = strings.Replace(url, "http://", "https://", 1)
		case "refused":
			closed := httptest.NewServer(nil)
			closed.Close()
			url = closed.URL + "/secret"
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if name == "no answer" {
			ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
		}
		begun := time.Now()
		_, err := w.Send(ctx, settings(url, notify.PresetJSON), &sample)
		cancel()
		if took := time.Since(begun); took > 4*time.Second && name != "large" {
			t.Errorf("%s took %v", name, took)
		}
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)), c.want == noAnswer && err.Error() != noAnswer:
			t.Errorf("%s: %v, want %q", name, err, c.want)
		case err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "127.0.0.1")):
			t.Errorf("%s: the error has the address: %v", name, err)
		}
	}
	// What is beyond 64 KiB is not read: a receiver can write no more than the buffers of the connection hold.
	if <-flooding; flooded.Load() >= floodSize {
		t.Errorf("all of an answer of %d bytes was taken", flooded.Load())
	}
	if n := victims.Load(); n != 0 {
		t.Errorf("%d requests followed a redirect", n)
	}
}

// TestStatusIsNotWaitedFor longer than 5 seconds.
func TestStatusIsNotWaitedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	t.Parallel()
	url, _ := receiver(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	begun := time.Now()
	_, err := notify.NewWebhook(notify.WebhookConfig{Private: loopback}).Send(t.Context(), settings(url, ""), &sample)
	if took := time.Since(begun); err == nil || took < 4900*time.Millisecond || took > 9*time.Second {
		t.Errorf("the attempt took %v: %v", took, err)
	}
}

// floodSize is far more than the buffers of a connection hold.
const floodSize = 256 << 20

// flood writes floodSize bytes, or until nobody reads, and returns the number of those written.
func flood(w http.ResponseWriter) (written int64) {
	part := make([]byte, 64<<10)
	for written < floodSize {
		if _, err := w.Write(part); err != nil {
			break
		}
		written += int64(len(part))
	}
	return written
}

// TestRetryAfter: a receiver can ask for a pause.
func TestRetryAfter(t *testing.T) {
	url, _ := receiver(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "90"); w.WriteHeader(429) })
	_, err := notify.NewWebhook(notify.WebhookConfig{Private: loopback}).Send(t.Context(), settings(url, ""), &sample)
	if e, ok := err.(*notify.SendError); !ok || e.RetryAfter != 90*time.Second {
		t.Errorf("%v", err)
	}
}

// TestPrivateAddresses: without the operator's permission nothing is sent to an address that is not public, however it is
// written and whatever its name resolves to when.
func TestPrivateAddresses(t *testing.T) {
	var mu sync.Mutex
	var hosts []string // of requests that arrived
	listen := func(address string) {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			hosts = append(hosts, r.Context().Value(http.LocalAddrContextKey).(net.Addr).String())
		})}
		go s.Serve(l)
		t.Cleanup(func() { s.Close() })
	}
	free, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		requiretest.Missing(t, "loopback", err) // all of 127.0.0.0/8
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	listen("127.0.0.1:" + port)
	listen("127.0.0.2:" + port)

	w := notify.NewWebhook(notify.WebhookConfig{})
	for _, host := range []string{"127.0.0.1", "localhost", "127.1", "0.0.0.0", "2130706433", "0x7f000001", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]",
		"10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "[fe80::1]", "[fc00::1]", "[ff02::1]", "[2002:7f00:1::]"} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := w.Send(ctx, settings("http://"+host+":"+port+"/", ""), &sample)
		isOdd := host == "127.1" || host == "2130706433" || host == "0x7f000001" // which not every resolver reads as an address
		isLookup := isOdd && err != nil && strings.Contains(err.Error(), "looked up")
		if err == nil || !strings.Contains(err.Error(), "is not public") && !isLookup {
			t.Errorf("%s: %v", host, err)
		}
		cancel()
	}
	if len(hosts) != 0 {
		t.Fatalf("requests arrived at %q", hosts)
	}

	// 127.0.0.2 stands for a public address, which the name has at first.
	answers := []string{"127.0.0.2", "127.0.0.1", "127.0.0.2"}
	var lookups atomic.Int64
	w = notify.NewWebhook(notify.WebhookConfig{
		Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")},
		Resolver: resolver(t, func() netip.Addr {
			return netip.MustParseAddr(answers[min(int(lookups.Add(1)), len(answers))-1])
		}),
	})
	for i, want := range answers {
		_, err := w.Send(t.Context(), settings("http://rebind.example.org:"+port+"/", ""), &sample)
		if ok := want == "127.0.0.2"; (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "is not public") {
			t.Errorf("look-up %d gives %s: %v", i+1, want, err)
		}
	}
	if len(hosts) != 2 || hosts[0] != "127.0.0.2:"+port || hosts[1] != hosts[0] {
		t.Errorf("requests arrived at %q", hosts)
	}
}

// TestAllowedHosts: the operator can name the only hosts.
func TestAllowedHosts(t *testing.T) {
	w := notify.NewWebhook(notify.WebhookConfig{Hosts: []string{"Discord.com", ".slack.com"}})
	for host, ok := range map[string]bool{"discord.com": true, "Discord.com.": true, "hooks.slack.com": true, "slack.com": true,
		"evildiscord.com": false, "discord.com.evil.org": false, "example.org": false, "x.discord.com": false} {
		if err := w.Check(settings("https://"+host+"/x", "")); (err == nil) != ok {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// TestAddressesAreCheckedWhenTheyAreEntered, not only when something is sent: the player reads why at once.
func TestAddressesAreCheckedWhenTheyAreEntered(t *testing.T) {
	w := notify.NewWebhook(notify.WebhookConfig{})
	for url, ok := range map[string]bool{"https://8.8.8.8/x": true, "https://example.org/x": true, "https://10.0.0.1/x": false, "https://[::1]/x": false,
		"https://localhost/x": false, "https://LocalHost./x": false, "ftp://example.org/x": false} {
		if err := w.Check(settings(url, "")); (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := notify.NewWebhook(notify.WebhookConfig{Private: loopback}).Check(settings("http://localhost/x", "")); err != nil {
		t.Errorf("this machine, which the operator allows: %v", err)
	}
}

// TestCausesOfFailedRequests are named where they are no secret of the network: a name that is unknown, and a certificate.
func TestCausesOfFailedRequests(t *testing.T) {
	fails := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no network") }}
	to, err := notify.NewWebhook(notify.WebhookConfig{Resolver: fails}).Send(t.Context(), settings("https://nowhere.example.org/x", ""), &sample)
	if to != "" || err == nil || !strings.Contains(err.Error(), "looked up") {
		t.Errorf("an unknown name: sent to %q, %v", to, err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	to, err = notify.NewWebhook(notify.WebhookConfig{Private: loopback}).Send(t.Context(), settings(s.URL, ""), &sample)
	if to != "127.0.0.1/32" || err == nil || !strings.Contains(err.Error(), "certificate is not valid") {
		t.Errorf("an unknown certificate: sent to %q, %v", to, err)
	}
}

// TestSendingChecksTheHost: the operator's list of hosts holds for receivers that were stored before it was made.
func TestSendingChecksTheHost(t *testing.T) {
	url, last := receiver(t, func(http.ResponseWriter, *http.Request) {})
	w := notify.NewWebhook(notify.WebhookConfig{Private: loopback, Hosts: []string{"discord.com"}})
	if _, err := w.Send(t.Context(), settings(url, ""), &sample); err == nil || !strings.Contains(err.Error(), "only to discord.com") || last.Load() != nil {
		t.Errorf("sent to a host that is not listed: %v", err)
	}
	w = notify.NewWebhook(notify.WebhookConfig{Private: loopback, Hosts: []string{"127.0.0.1"}})
	if _, err := w.Send(t.Context(), settings(url, ""), &sample); err != nil || last.Load() == nil {
		t.Errorf("not sent to a host that is listed: %v", err)
	}
}
