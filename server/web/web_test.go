package web

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/server/servertest"
)

// TestPagesOfAMatch reads a running and a finished match on each path.
func TestPagesOfAMatch(t *testing.T) {
	h := open(t, func(c *Config) { c.URL = public(t, "https://play.example.org") })
	host := []string{"Host", "play.example.org"}
	id := h.start(table.Proposal{Clock: &clock.Control{Initial: 600 * time.Second}})
	h.play(id, 3)
	page := h.status(200, "/m/"+id, host...)
	for _, want := range []string{"<svg viewBox", "Turn 3 of 3", `data-events="/m/` + id + `/events"`, "to move", "https://play.example.org/m/" + id + ".png", "ssh -t play.example.org watch " + id, `aria-live="polite"`, "Test Club"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page of a running match lacks %q", want)
		}
	}
	if cc := page.Header.Get("Cache-Control"); cc != "no-cache" {
		t.Errorf("a running match may be kept: %s", cc)
	}
	early := h.status(200, "/m/"+id+"?turn=1", host...)
	if !strings.Contains(early.body, "Turn 1 of 3") || strings.Contains(early.body, "data-events") {
		t.Error("an earlier position is live, or is not shown")
	}
	if again := h.status(304, "/m/"+id+"?turn=1", append(host, "If-None-Match", early.Header.Get("ETag"))...); again.body != "" {
		t.Error("an unchanged page is sent again")
	}
	h.status(400, "/m/"+id+".gif", host...)
	h.resign(h.bob, id)
	for ending, want := range map[string][2]string{
		"": {"text/html; charset=utf-8", "ana wins: bob resigned."}, ".txt": {"text/plain; charset=utf-8", "[AyumuRecord"}, ".json": {"application/json", `"entries":[{`},
		".svg": {"image/svg+xml", "<svg "}, ".png": {"image/png", "\x89PNG"}, ".gif": {"image/gif", "GIF89a"}, ".cast": {"application/x-asciicast", `{"version":3,`}, ".cast?v=2": {"application/x-asciicast", `{"version":2,`},
		".svg?turn=0&size=240&theme=light": {"image/svg+xml", `width="240"`},
	} {
		r := h.status(200, "/m/"+id+ending, host...)
		if r.Header.Get("Content-Type") != want[0] || !strings.Contains(r.body, want[1]) || r.Header.Get("Cache-Control") != "public, max-age=3600" {
			t.Errorf("%s: %v %.200q", ending, r.Header, r.body)
		}
		if head := h.do("HEAD", "/m/"+id+ending, host...); head.StatusCode != 200 || head.body != "" {
			t.Errorf("HEAD %s: %d, %d bytes", ending, head.StatusCode, len(head.body))
		}
	}
	var all struct {
		Version int
		Over    bool
		Entries []map[string]any
	}
	if err := json.Unmarshal([]byte(h.get("/m/"+id+".json", host...).body), &all); err != nil || !all.Over || all.Version != 4 || len(all.Entries) != 4 || all.Entries[3]["event"] != "over" {
		t.Errorf("%+v, %v", all, err)
	}
	for _, bad := range []string{"?turn=4", "?turn=-1", "?turn=x", ".svg?size=1", ".svg?size=99999", ".svg?turn=99"} {
		h.status(400, "/m/"+id+bad, host...)
	}
	for _, missing := range []string{"/m/nosuch", "/m/" + id + ".exe", "/m/", "/nothing", "/m/" + id + "/nothing", "/u/nobody", "/assets/nothing.js", "/puzzle/chess", "/feed/u/nobody"} {
		h.status(404, missing, host...)
	}
}

// TestOtherPages reads the first page, a profile, the feeds and the files.
func TestOtherPages(t *testing.T) {
	h := open(t, nil)
	running, ended := h.start(table.Proposal{}), h.start(table.Proposal{})
	h.play(running, 2)
	h.play(ended, 2)
	h.resign(h.ana, ended)
	index := h.status(200, "/")
	for _, want := range []string{"/m/" + running + ".svg", "/m/" + ended + ".svg", "ssh play.example.org"} {
		if !strings.Contains(index.body, want) {
			t.Errorf("the first page lacks %s", want)
		}
	}
	profile := h.status(200, "/u/ana")
	if !strings.Contains(profile.body, "/m/"+ended) || !strings.Contains(profile.body, `content="noindex"`) || profile.Header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("the profile: %v\n%s", profile.Header, profile.body)
	}
	for _, path := range []string{"/feed/games", "/feed/u/bob"} {
		r := h.status(200, path)
		var feed struct {
			Entries []struct {
				Title string `xml:"title"`
				Link  struct {
					Href string `xml:"href,attr"`
				} `xml:"link"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal([]byte(r.body), &feed); err != nil || len(feed.Entries) != 1 || !strings.HasSuffix(feed.Entries[0].Link.Href, "/m/"+ended) {
			t.Errorf("%s: %v\n%s", path, err, r.body)
		}
	}
	for name := range assets {
		if r := h.status(200, "/assets/"+name); !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v", name, r.Header)
		}
	}
	h.status(200, "/favicon.ico")
	h.status(200, "/robots.txt")
	if r := h.status(200, "/healthz"); r.body != "ok\n" {
		t.Error(r.body)
	}
}

// TestStreamHasEveryEntryOnce follows a match, and resumes after the last event that was read.
func TestStreamHasEveryEntryOnce(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{})
	h.play(id, 2)
	s := h.stream("/m/" + id + "/events")
	h.play(id, 2)
	s.want("turn", 3)
	e := s.want("turn", 4)
	if e.data["match"] != id || e.data["position"] == "" || e.data["version"] != 4.0 {
		t.Errorf("%v", e.data)
	}
	resumed := h.stream("/m/"+id+"/events", "Last-Event-ID", "1")
	for version := 2; version <= 4; version++ {
		resumed.want("turn", version)
	}
	undo(t, h, id)
	s.want("undone", 5)
	h.resign(h.ana, id)
	for _, open := range []*stream{s, resumed} {
		e, ok := open.next()
		for ok && e.kind != "over" {
			e, ok = open.next()
		}
		if e.kind != "over" || e.data["result"] == nil {
			t.Errorf("%+v", e)
		}
		if e, ok := open.next(); ok {
			t.Errorf("after the end: %+v", e)
		}
	}
	h.status(204, "/m/"+id+"/events", "Last-Event-ID", "6") // nothing comes any more, and the browser does not try again
}

// undo takes the last turn back.
func undo(t *testing.T, h *harness, id string) {
	t.Helper()
	a, err := h.ana.AsPlayer(id)
	if err != nil {
		t.Fatal(err)
	}
	b, err := h.bob.AsPlayer(id)
	if err != nil {
		t.Fatal(err)
	}
	if a.Snapshot().Position.Turn() == a.Seat() {
		a, b = b, a
	}
	if err := a.Offer(t.Context(), match.OfferUndo); err != nil {
		t.Fatal(err)
	}
	if err := b.Offer(t.Context(), match.OfferUndo); err != nil {
		t.Fatal(err)
	}
}

// TestReaderFarBehindGetsTheNewestPosition resumes a stream from long ago.
func TestReaderFarBehindGetsTheNewestPosition(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":13,"pie":false}`)})
	h.play(id, maxBehind+3)
	h.stream("/m/"+id+"/events", "Last-Event-ID", "1").want("turn", maxBehind+3)
	h.stream("/m/"+id+"/events", "Last-Event-ID", "3").want("turn", 4)
	h.stream("/m/"+id+"/events", "Last-Event-ID", "1000").want("turn", maxBehind+3) // of a database that has lost entries
}

// TestDrainEndsStreams: the end of the server does not wait for readers.
func TestDrainEndsStreams(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{})
	s := h.stream("/m/" + id + "/events")
	began := time.Now()
	if err := h.s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(s.body); err != nil || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	// The next server on the address goes on from the last event.
	addr := h.addr
	h.play(id, 1)
	h.serve(addr, nil)
	h.stream("/m/"+id+"/events", "Last-Event-ID", "0").want("turn", 1)
}

// paths are all paths of a match.
func paths(id string) []string {
	var all []string
	for _, ending := range []string{"", ".json", ".txt", ".svg", ".png", ".gif", ".cast", "/events"} {
		all = append(all, "/m/"+id+ending)
	}
	return append(all, "/embed/m/"+id)
}

// TestPrivateMatchesNeedTheirCode on every path, with every query; what they show is not kept by anybody.
func TestPrivateMatchesNeedTheirCode(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{Private: true})
	h.play(id, 2)
	m, err := h.l.Match(id)
	if err != nil {
		t.Fatal(err)
	}
	code := m.Snapshot().Code
	for _, path := range paths(id) {
		for _, query := range []string{"", "?code=", "?code=wrong", "?turn=1", "?code=" + strings.Repeat("x", 500), "?CODE=" + code} {
			if r := h.status(404, path+query); strings.Contains(r.body, "ana") || strings.Contains(r.body, code) {
				t.Errorf("%s%s says something: %s", path, query, r.body)
			}
		}
		if strings.HasPrefix(path, "/embed") {
			h.status(404, path+"?code="+code)
			continue
		}
		if strings.HasSuffix(path, "/events") {
			h.stream(path + "?code=" + code)
			continue
		}
		if strings.HasSuffix(path, ".gif") { // of a finished game only
			h.status(400, path+"?code="+code)
			continue
		}
		r := h.status(200, path+"?code="+code)
		if r.Header.Get("Cache-Control") != "private, no-store" || r.Header.Get("Referrer-Policy") != "no-referrer" || !strings.Contains(r.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s: %v", path, r.Header)
		}
		if path == "/m/"+id && (!strings.Contains(r.body, "?turn=1&amp;code="+code) || !strings.Contains(r.body, "watch "+id+" "+code)) {
			t.Error("the links of the page, or the command, lack the code")
		}
	}
	if strings.Contains(h.get("/").body, id) || strings.Contains(h.get("/feed/games").body, id) {
		t.Error("a private match is listed")
	}
	h.resign(h.ana, id)
	for _, path := range paths(id) {
		if !strings.HasSuffix(path, "/events") {
			h.status(404, path)
		}
	}
	if strings.Contains(h.get("/u/ana").body, id) || strings.Contains(h.log.String(), code) {
		t.Error("a private match is listed, or its code is in the log")
	}
}

// TestDelayedMatchesAreLateOnEveryPath.
func TestDelayedMatchesAreLateOnEveryPath(t *testing.T) {
	h := open(t, nil)
	delay := 2
	id := h.start(table.Proposal{Delay: delay, Game: "ayu", Options: []byte(`{"size":9,"pie":false}`)})
	h.play(id, 5)
	p, err := h.ana.AsPlayer(id)
	if err != nil {
		t.Fatal(err)
	}
	snap := p.Snapshot()
	secret := snap.Log[3].Actions[0] // the first that spectators may not see
	for _, path := range paths(id) {
		if strings.HasSuffix(path, "/events") {
			continue
		}
		want := 200
		if strings.HasSuffix(path, ".gif") {
			want = 400
		}
		if r := h.status(want, path); strings.Contains(r.body, secret) || strings.Contains(r.body, snap.Position.String()) {
			t.Errorf("%s shows %s", path, secret)
		}
		for _, query := range []string{"?turn=4", "?turn=5"} {
			if r := h.get(path + query); strings.Contains(r.body, secret) || r.StatusCode == 200 && (path == "/m/"+id || strings.HasSuffix(path, ".svg")) {
				t.Errorf("%s%s: %d", path, query, r.StatusCode)
			}
		}
	}
	s := h.stream("/m/"+id+"/events", "Last-Event-ID", "2")
	s.want("turn", 3)
	h.play(id, 1)
	s.want("turn", 4)
	if index := h.get("/"); strings.Contains(index.body, "6 turns") {
		t.Error("the first page counts the newest turns")
	}
}

// TestClosedClubsShowOnlyHowToConnect and banned addresses nothing but the reason.
func TestClosedClubsShowOnlyHowToConnect(t *testing.T) {
	for _, p := range []club.Policy{{Open: false, AllowGuests: true}, {Open: true, AllowGuests: false}} {
		h := open(t, nil)
		id := h.start(table.Proposal{})
		h.play(id, 2)
		h.resign(h.ana, id)
		a := withClub(h, p)
		h.serve("127.0.0.1:0", func(c *Config) { c.Authorizer = a })
		for _, path := range append(paths(id), "/u/ana", "/feed/games", "/feed/u/ana", "/puzzle/ayu", "/t/1") {
			if r := h.status(404, path); strings.Contains(r.body, "bob") {
				t.Errorf("%+v: %s says something", p, path)
			}
		}
		if index := h.status(200, "/"); strings.Contains(index.body, id) || !strings.Contains(index.body, "private club") || !strings.Contains(index.body, "ssh play.example.org") {
			t.Errorf("%+v: %s", p, index.body)
		}
		h.status(200, assetPath("style.css"))
		h.status(200, "/healthz")
	}
}

// TestStreamOfASlowReaderDelaysNobody has a client that does not read: others get their turns, and it costs no memory.
func TestStreamOfASlowReaderDelaysNobody(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":15,"pie":false}`)})
	slow := h.stream("/m/" + id + "/events")
	quick := h.stream("/m/" + id + "/events")
	for version := 1; version <= 40; version++ {
		h.play(id, 1)
		quick.want("turn", version)
	}
	for version := 1; version <= 40; version++ {
		slow.want("turn", version)
	}
	servertest.Until(t, "all events are counted", func() bool { s := h.s.Stats(); return s.Streams == 2 && s.Events == 80 })
}

// TestNamesAreEscaped puts markup where text goes.
func TestNamesAreEscaped(t *testing.T) {
	const evil = `<script>alert(1)</script>"'&`
	h := open(t, func(c *Config) { c.Site = func() string { return evil }; c.SSHTarget = evil })
	id := h.start(table.Proposal{})
	h.play(id, 1)
	for _, path := range []string{"/", "/m/" + id, "/u/ana", "/nothing", "/embed/m/" + id} {
		if r := h.get(path, "Accept", "text/html"); strings.Contains(r.body, "<script>alert") || !strings.Contains(r.body, "&lt;script&gt;") {
			t.Errorf("%s: %.500s", path, r.body)
		}
	}
	if r := h.get("/puzzle/" + evil); strings.Contains(r.body, "<script>a") {
		t.Error(r.body)
	}
	var feed any
	if err := xml.Unmarshal([]byte(h.get("/feed/games").body), &feed); err != nil && err != io.EOF {
		t.Error(err)
	}
}

// TestServerWithoutAName says in one sentence what runs a server that has no name of its own.
func TestServerWithoutAName(t *testing.T) {
	h := open(t, func(c *Config) { c.Site = nil })
	if page := h.status(200, "/"); strings.Contains(page.body, "Ayumu runs on Ayumu") || !strings.Contains(page.body, "Ayumu: board games over SSH.") {
		t.Errorf("%s", page.body)
	}
}
