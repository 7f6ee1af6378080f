package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/limit"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/table"
	"ayumu/server/servertest"
)

// statusTable has the status of every path in every state. {m}, {t} and {u} stand for a match, a tournament and an account in
// the state; a path without them is asked for as it is.
//
//   - running: a public match, a tournament that is played, an account
//   - private, code: a private match without its code and with it
//   - delayed: a match that is shown late
//   - finished: a match and a tournament that are over; deleted: the same, one of whose players has deleted their account
//   - unknown, malformed: no such id; an id that cannot be one
//   - closed, noguests: the clubs whose settings are access.open = false and access.guests = false
//   - banned: of a client whose address is banned
//   - draining: while the web pages end; stopped: after the lobby has ended
//   - post, foreign, body: a request with another method, for another host, with a body
const statusTable = `
path             running private code delayed finished deleted unknown malformed closed noguests banned draining stopped post foreign body
/                200     200     200  200     200      200     200     200       200    200      403    200      200     405  421     413
/m/{m}           200     404     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/m/{m}.json      200     404     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/m/{m}.txt       200     404     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/m/{m}.svg       200     404     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/m/{m}.png       200     404     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/m/{m}.cast      200     404     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/m/{m}.gif       400     404     400  400     200      200     404     404       404    404      403    400      503     405  421     413
/m/{m}.exe       404     404     404  404     404      404     404     404       404    404      403    404      503     405  421     413
/m/{m}/events    200     404     200  200     204      204     404     404       404    404      403    200      503     405  421     413
/embed/m/{m}     200     404     404  200     200      200     404     404       404    404      403    200      503     405  421     413
/t/{t}           200     200     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/t/{t}/events    200     200     200  200     204      204     404     404       404    404      403    200      503     405  421     413
/feed/t/{t}      200     200     200  200     200      200     404     404       404    404      403    200      503     405  421     413
/u/{u}           200     200     200  200     200      404     404     404       404    404      403    200      200     405  421     413
/feed/u/{u}      200     200     200  200     200      404     404     404       404    404      403    200      200     405  421     413
/feed/games      200     200     200  200     200      200     200     200       404    404      403    200      200     405  421     413
/puzzle/ayu      200     200     200  200     200      200     200     200       404    404      403    200      200     405  421     413
/healthz         200     200     200  200     200      200     200     200       200    200      200    503      200     405  421     413
/assets/{style}  200     200     200  200     200      200     200     200       200    200      200    200      200     405  421     413
/favicon.ico     200     200     200  200     200      200     200     200       200    200      200    200      200     405  421     413
/robots.txt      200     200     200  200     200      200     200     200       200    200      200    200      200     405  421     413
/nothing         404     404     404  404     404      404     404     404       404    404      403    404      404     405  421     413
`

// statusState is a column of statusTable.
type statusState struct {
	s       *Server
	m, t, u string // ids and a name, as they are written in paths
	query   string
	change  func(*http.Request)
	secrets []string // what no answer may have
}

// cachePolicy returns the wanted Cache-Control of an answer.
func cachePolicy(path, state string, status int) string {
	switch isMatch := strings.Contains(path, "{m}"); {
	case state == "post", state == "foreign", state == "body":
		return "" // no cache keeps these statuses
	case status >= 400 && status != http.StatusNoContent:
		return "private, no-store"
	case strings.HasSuffix(path, "/events") && status == http.StatusOK:
		return "no-store"
	case state == "code" && isMatch:
		return "private, no-store"
	case strings.HasPrefix(path, "/m/") && (state == "finished" || state == "deleted") && status == http.StatusOK:
		return "public, max-age=3600"
	case isMatch && status == http.StatusOK, strings.HasPrefix(path, "/puzzle/"), path == "/" && (state == "closed" || state == "noguests"):
		return "no-cache"
	case path == "/", path == "/t/{t}":
		return "public, max-age=5"
	case strings.HasPrefix(path, "/u/"), strings.HasPrefix(path, "/feed/"):
		return "public, max-age=60"
	case strings.HasPrefix(path, "/assets/"):
		return "public, max-age=31536000, immutable"
	case path == "/favicon.ico", path == "/robots.txt":
		return "public, max-age=31536000"
	case path == "/healthz":
		return "no-store"
	}
	return ""
}

func (st *statusState) path(path string) string {
	return strings.NewReplacer("{m}", st.m, "{t}", st.t, "{u}", st.u, "/assets/{style}", assetPath("style.css")).Replace(path)
}

// ask has the server answer a request for a path of statusTable from an address.
func (st *statusState) ask(path, method, addr string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, st.path(path)+st.query, nil)
	r.Host, r.RemoteAddr = "localhost", addr
	if st.change != nil {
		st.change(r)
	}
	w := httptest.NewRecorder() // it has no deadlines, without which a stream ends after its headers
	st.s.ServeHTTP(w, r)
	return w
}

// check asks for a path in a state and compares the answer.
func (st *statusState) check(t *testing.T, path, state string, want int, addr string) {
	t.Helper()
	at := st.path(path)
	var body string
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		w := st.ask(path, method, addr)
		h := w.Header()
		if w.Code != want {
			t.Errorf("%s: %s %s: %d, not %d: %.200s", state, method, at, w.Code, want, w.Body)
			continue
		}
		if method == http.MethodHead && w.Body.Len() > 0 && want != 405 && want != 421 && want != 413 { // which net/http does not send
			t.Errorf("%s: HEAD %s has %d bytes", state, at, w.Body.Len())
		}
		body += w.Body.String() + fmt.Sprint(h)
		csp := h.Get("Content-Security-Policy")
		isFramed := strings.HasPrefix(path, "/embed/") && want == http.StatusOK
		if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'; style-src 'self';") || strings.Contains(csp, "unsafe") ||
			strings.Contains(csp, "frame-ancestors 'none'") == isFramed || (h.Get("X-Frame-Options") == "DENY") == isFramed {
			t.Errorf("%s: %s: content policy %q, framing %q", state, at, csp, h.Get("X-Frame-Options"))
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Set-Cookie") != "" {
			t.Errorf("%s: %s: %v", state, at, h)
		}
		if w.Code != http.StatusNoContent && h.Get("Content-Type") == "" {
			t.Errorf("%s: %s has no type", state, at)
		}
		if wantCache := cachePolicy(path, state, want); h.Get("Cache-Control") != wantCache {
			t.Errorf("%s: %s: others may keep it: %q, not %q", state, at, h.Get("Cache-Control"), wantCache)
		}
		if (want == 503 || want == 429) && h.Get("Retry-After") == "" {
			t.Errorf("%s: %s: without Retry-After", state, at)
		}
	}
	for _, secret := range st.secrets {
		if strings.Contains(body, secret) {
			t.Errorf("%s: %s tells %q", state, at, secret)
		}
	}
}

// newStatusStates makes the states of statusTable, in one lobby but for the one that has ended.
func newStatusStates(t *testing.T) map[string]*statusState {
	t.Helper()
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	h := openLobby(t)
	server := func(h *harness, change func(*Config)) *Server {
		return h.newServer(func(config *Config) {
			config.Puzzles = func() *puzzles.Collection { return c }
			if change != nil {
				change(config)
			}
		})
	}
	pages := server(h, nil)
	played := func(tournament string, loser *lobby.Session) (match string) {
		t.Helper()
		match = startTournament(t, h, tournament)
		if loser != nil {
			h.resign(loser, match)
			servertest.Until(t, "the tournament ends", func() bool { s := h.l.Tournaments.Known(tournament); return s != nil && s.IsOver() })
		}
		return match
	}
	code := func(h *harness, id string) string {
		m, err := h.l.Match(id)
		if err != nil {
			t.Fatal(err)
		}
		return m.Snapshot().Code
	}

	cup := swiss(t, "Running cup", h.ana, h.bob)
	running := played(cup, nil)
	h.play(running, 2)
	all := map[string]*statusState{"running": {s: pages, m: running, t: cup, u: "ana"}}

	private := h.start(table.Proposal{Private: true})
	h.play(private, 2)
	secret := code(h, private)
	all["private"] = &statusState{s: pages, m: private, t: cup, u: "ana", secrets: []string{secret, "/m/" + private}}
	all["code"] = &statusState{s: pages, m: private, t: cup, u: "ana", query: "?code=" + secret}

	delayed := h.start(table.Proposal{Delay: 2, Game: "ayu", Options: []byte(`{"size":9,"pie":false}`)})
	h.play(delayed, 5)
	p, err := h.ana.AsPlayer(delayed)
	if err != nil {
		t.Fatal(err)
	}
	newest := p.Snapshot()
	all["delayed"] = &statusState{s: pages, m: delayed, t: cup, u: "ana", secrets: []string{newest.Log[3].Actions[0], newest.Log[4].Actions[0], newest.Position.String()}}

	ended := swiss(t, "Finished cup", h.ana, h.bob)
	all["finished"] = &statusState{s: pages, m: played(ended, h.bob), t: ended, u: "bob"}
	zoe := lobbytest.Member(t, h.l, "zoe")
	left := swiss(t, "Abandoned cup", h.ana, zoe)
	all["deleted"] = &statusState{s: pages, m: played(left, h.ana), t: left, u: "zoe", secrets: []string{"zoe"}}
	for path := range strings.SplitSeq("/m/{m} /m/{m}.png /m/{m}.gif /t/{t} /feed/t/{t} /u/{u}", " ") { // made while there is the account; the lists of the first page follow within listAge
		all["deleted"].ask(path, http.MethodGet, "198.51.100.1:1")
	}
	if err := zoe.DeleteAccount(t.Context()); err != nil {
		t.Fatal(err)
	}

	all["unknown"] = &statusState{s: pages, m: "nosuchmatch", t: "nosuchcup", u: "nobody"}
	all["malformed"] = &statusState{s: pages, m: running + "%00", t: "%00" + cup, u: "ana%00"}

	everything := []string{"ana", "bob", "cup", running, cup}
	closed := func(p club.Policy) *statusState {
		a := withClub(h, p)
		return &statusState{s: server(h, func(c *Config) { c.Authorizer = a }), m: running, t: cup, u: "ana", secrets: everything}
	}
	all["closed"], all["noguests"] = closed(club.Policy{Open: false, AllowGuests: true}), closed(club.Policy{Open: true, AllowGuests: false})
	a := withClub(h, club.PublicPolicy())
	owner := a.Club.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "owner"})
	if _, _, err := owner.Ban(t.Context(), club.Target{Prefix: prefix("203.0.113.0/24")}, time.Hour, "too loud"); err != nil {
		t.Fatal(err)
	}
	all["banned"] = &statusState{s: server(h, func(c *Config) { c.Authorizer = a }), m: running, t: cup, u: "ana", secrets: everything, change: func(r *http.Request) { r.RemoteAddr = "203.0.113.7:1" }}
	all["banned"].s.guard.rates.SetRate(limit.Rate{Refill: 1e6, Burst: 1e6})

	all["draining"] = &statusState{s: server(h, nil), m: running, t: cup, u: "ana"}
	if err := all["draining"].s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	over := openLobby(t)
	id := over.start(table.Proposal{})
	all["stopped"] = &statusState{s: server(over, nil), m: id, t: "cup", u: "ana"}
	over.l.Close()

	with := func(change func(*http.Request)) *statusState {
		return &statusState{s: pages, m: running, t: cup, u: "ana", secrets: everything, change: change}
	}
	all["post"] = with(func(r *http.Request) { r.Method = http.MethodPost })
	all["foreign"] = with(func(r *http.Request) { r.Host = "evil.example" })
	all["body"] = with(func(r *http.Request) { r.ContentLength = 1 })
	return all
}

// TestStatusOfEveryPath asks for every path in every state: the status, the headers, and nothing that may not be seen. A path
// that statusTable does not have fails.
func TestStatusOfEveryPath(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(statusTable), "\n")
	states := strings.Fields(lines[0])[1:]
	all := newStatusStates(t)
	asked := make(map[string]bool)
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		for i, name := range states {
			st, ok := all[name]
			if !ok || len(f) != len(states)+1 {
				t.Fatalf("%s: no state %s, or not all statuses: %q", f[0], name, line)
			}
			var want int
			if _, err := fmt.Sscan(f[i+1], &want); err != nil {
				t.Fatal(err)
			}
			st.check(t, f[0], name, want, fmt.Sprintf("198.18.%d.%d:1", len(asked), i+1))
		}
		_, pattern := all["running"].s.mux.Handler(httptest.NewRequest(http.MethodGet, all["running"].path(f[0]), nil))
		asked[pattern] = true
	}
	for _, to := range routes {
		if !asked["GET "+to.pattern] {
			t.Errorf("statusTable has no path of %s", to.pattern)
		}
	}
	for ending := range contentTypes {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "/m/{m}."+string(ending)+" ") }) {
			t.Errorf("statusTable has no files with the ending %s", ending)
		}
	}
}
