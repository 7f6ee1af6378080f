package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
	"ayumu/server/servertest"
)

// visitor asks for paths, each time from another address, so that no rate is exceeded.
type visitor struct {
	*harness
	asked int
}

// trustClient is a change of the configuration that lets the tests name the address of a client.
func trustClient(c *Config) { c.Proxies = append(c.Proxies, prefix("127.0.0.1/32")) }

// ask returns the status of a path, and the beginning of what is answered. A stream is not read.
func (v *visitor) ask(path string) (status int, body string, header http.Header) {
	v.t.Helper()
	v.asked++
	ctx, cancel := context.WithCancel(v.t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+v.addr, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	r.URL.Opaque = "//" + v.addr + path // as it is written, with every encoding
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.18.%d.%d", v.asked>>8, v.asked&255))
	resp, err := client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		all, err := io.ReadAll(resp.Body)
		if err != nil {
			v.t.Fatal(err)
		}
		body = string(all)
	}
	return resp.StatusCode, body, resp.Header
}

// wants asks for paths and compares the status; none of the answers may have one of the secrets.
func (v *visitor) wants(name string, paths []string, status func(path string) int, secrets ...string) {
	v.t.Helper()
	for _, path := range paths {
		got, body, _ := v.ask(path)
		if want := status(path); got != want {
			v.t.Errorf("%s: %s: %d, not %d: %.200s", name, path, got, want, body)
		}
		for _, secret := range secrets {
			if strings.Contains(body, secret) {
				v.t.Errorf("%s: %s tells %s", name, path, secret)
			}
		}
	}
}

// always is a status of all paths.
func always(status int) func(string) int { return func(string) int { return status } }

// whileRunning is the status of the paths of a running match.
func whileRunning(path string) int {
	if strings.Contains(path, ".gif") { // only of a finished match
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// afterEnd is the status of the paths of a finished match.
func afterEnd(path string) int {
	if strings.Contains(path, "/events") { // nothing comes any more
		return http.StatusNoContent
	}
	return http.StatusOK
}

// embedded is the status of the paths of a private match with its code: it cannot be embedded.
func embedded(status func(string) int) func(string) int {
	return func(path string) int {
		if strings.HasPrefix(path, "/embed/") {
			return http.StatusNotFound
		}
		return status(path)
	}
}

// with adds a query to paths.
func with(paths []string, query string) []string {
	var all []string
	for _, p := range paths {
		all = append(all, p+query)
	}
	return all
}

// tournamentPaths are all paths of a tournament.
func tournamentPaths(id string) []string {
	return []string{"/t/" + id, "/t/" + id + "/events", "/feed/t/" + id}
}

// spellings writes a path's last id in ways that some servers take for the id.
func spellings(id string) []string {
	percent, double := "", ""
	for _, b := range []byte(id) {
		percent += fmt.Sprintf("%%%02x", b)
		double += fmt.Sprintf("%%25%02x", b)
	}
	return []string{
		percent, strings.ToUpper(percent), double, strings.ToUpper(id), id + "%00", "%00" + id, id + "%20", "%20" + id, id + "%0a", id + "%0d%0a", id + "%09", id + ".", id + "%2e", id + ";x",
		id + "%3fturn=1", id + "%23", id + "%2f", "." + id, "%2e%2fm%2f" + id, "x%2f..%2f" + id, id + "%c0%80", id + "%ef%bb%bf", "%e2%80%8b" + id, "%ff" + id, id + strings.Repeat("%00", 40), url.PathEscape("ｍ" + id),
	}
}

// swiss creates a tournament of a lobby for the players.
func swiss(t *testing.T, name string, players ...*lobby.Session) (id string) {
	t.Helper()
	game, _ := enginetest.Games.ByName("ayu")
	minimum := 2
	terms, err := tournament.NewTerms(name, tournament.FormatSwiss, tournament.Request{Options: []byte(`{"size":5,"pie":false}`), Clock: &clock.Control{Initial: 5 * time.Minute}, Min: minimum, Rounds: 1}, game)
	if err != nil {
		t.Fatal(err)
	}
	id, err = players[0].CreateTournament(t.Context(), terms, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		if err := p.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputEnter}); err != nil {
			t.Fatal(err)
		}
	}
	return id
}

// startTournament starts a tournament and returns the id of the first match.
func startTournament(t *testing.T, h *harness, id string) (match string) {
	t.Helper()
	if err := h.ana.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputStart}); err != nil {
		t.Fatal(err)
	}
	match = tournament.MatchID(id, 1, 1)
	servertest.Until(t, "the match of the tournament begins", func() bool { _, err := h.l.Match(match); return err == nil })
	return match
}

// TestWhoSeesWhatOnEveryPath asks for every path of the table of paths, for matches and tournaments in every state.
func TestWhoSeesWhatOnEveryPath(t *testing.T) {
	h := open(t, trustClient)
	v := &visitor{harness: h}
	v.wants("unknown", paths("nosuchmatch"), always(404))
	v.wants("unknown", tournamentPaths("nosuchtournament"), always(404))

	public := h.start(table.Proposal{})
	h.play(public, 2)
	v.wants("running", paths(public), whileRunning)
	v.wants("running", with(paths(public), "?code=wrong"), whileRunning) // a code of a public match opens nothing and closes nothing

	private := h.start(table.Proposal{Private: true})
	h.play(private, 2)
	m, err := h.l.Match(private)
	if err != nil {
		t.Fatal(err)
	}
	code := m.Snapshot().Code
	hidden := []string{"ana", "bob", code, m.Snapshot().Position.String()}
	for _, query := range []string{"", "?code=", "?code=wrong", "?turn=1", "?code=" + strings.ToUpper(code) + "x", "?code=" + code[:len(code)-1], "?Code=" + code, "?code=%00" + code, "?code=wrong&code=" + code} {
		v.wants("private, without its code", with(paths(private), query), always(404), hidden...)
	}
	v.wants("private, with its code", with(paths(private), "?code="+code), embedded(whileRunning))
	v.wants("private, with its code", with(paths(private), "?turn=1&code="+code), embedded(whileRunning))

	delayed := h.start(table.Proposal{Delay: 2, Game: "ayu", Options: []byte(`{"size":9,"pie":false}`)})
	h.play(delayed, 5)
	p, err := h.ana.AsPlayer(delayed)
	if err != nil {
		t.Fatal(err)
	}
	late := []string{p.Snapshot().Log[3].Actions[0], p.Snapshot().Log[4].Actions[0], p.Snapshot().Position.String()}
	v.wants("delayed", paths(delayed), whileRunning, late...)
	v.wants("delayed", with(paths(delayed), "?turn=3"), whileRunning, late...)
	v.wants("delayed, too new a turn", []string{"/m/" + delayed + "?turn=4", "/m/" + delayed + ".svg?turn=4", "/m/" + delayed + ".png?turn=5", "/embed/m/" + delayed + "?turn=4"}, always(400), late...)

	open := swiss(t, "Open cup", h.ana, h.bob)
	v.wants("open tournament", tournamentPaths(open), always(200))
	game := startTournament(t, h, open)
	v.wants("running tournament", tournamentPaths(open), always(200))
	v.wants("match of a tournament", paths(game), whileRunning)
	h.resign(h.ana, game)
	servertest.Until(t, "the tournament ends", func() bool { s := h.l.Tournaments.Known(open); return s != nil && s.IsOver() })
	v.wants("finished tournament", tournamentPaths(open), afterEnd)
	v.wants("finished match of a tournament", paths(game), afterEnd)

	for _, id := range []string{public, private, delayed} {
		h.resign(h.bob, id)
	}
	v.wants("finished", paths(public), afterEnd)
	v.wants("finished, delayed before", paths(delayed), afterEnd)
	for _, query := range []string{"", "?code=" + code, "?code=wrong"} {
		v.wants("finished, private", with(paths(private), query), always(404), hidden...)
	}

	for _, id := range []string{public, private, game} {
		for _, s := range spellings(id) {
			for _, path := range []string{"/m/" + s, "/m/" + s + ".json", "/m/" + s + ".svg", "/m/" + s + "/events", "/embed/m/" + s} {
				status, body, _ := v.ask(path)
				decoded, _ := url.PathUnescape(s)
				isSame := decoded == id && id != private // percent-encoded, which is the same path
				if isSame != (status == 200 || status == 204) || !isSame && (status < 300 || status >= 500 || strings.Contains(body, "bob")) {
					t.Errorf("%s, written as %s: %d %.200s", id, path, status, body)
				}
			}
		}
	}
	for _, s := range spellings(open) {
		for _, path := range tournamentPaths(s) {
			status, _, _ := v.ask(path)
			decoded, _ := url.PathUnescape(s)
			if isSame := decoded == open; isSame != (status == 200 || status == 204) || !isSame && (status < 300 || status >= 500) {
				t.Errorf("tournament %s, written as %s: %d", open, path, status)
			}
		}
	}

	for _, policy := range []club.Policy{{Open: false, AllowGuests: true}, {Open: true, AllowGuests: false}} {
		a := withClub(h, policy)
		h.serve("127.0.0.1:0", func(c *Config) { c.Authorizer = a; trustClient(c) })
		closed := append(append(append(paths(public), tournamentPaths(open)...), paths(private)...), "/u/ana", "/u/nobody", "/feed/games", "/feed/u/ana", "/puzzle/ayu", "/nothing")
		for _, query := range []string{"", "?code=" + code, "?turn=1"} {
			v.wants("closed club", with(closed, query), always(404), "bob", "Open cup")
		}
		v.wants("closed club", []string{"/", "/healthz", "/robots.txt", "/favicon.ico", assetPath("style.css")}, always(200), "bob", "Open cup", public)
	}
}

// TestADeletedAccountLeavesThePages: neither pages nor pictures name it any more, although they were made before.
func TestADeletedAccountLeavesThePages(t *testing.T) {
	h := open(t, trustClient)
	zoe := lobbytest.Member(t, h.l, "zoe")
	id := lobbytest.Start(t, h.ana, zoe, table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
	h.resign(h.ana, id)
	v := &visitor{harness: h}
	before := make(map[string]string)
	for _, path := range paths(id) {
		_, before[path], _ = v.ask(path)
	}
	if !strings.Contains(before["/m/"+id], "zoe") || !strings.Contains(before["/m/"+id+".cast"], "zoe") {
		t.Fatal("the pages do not name the players")
	}
	if err := zoe.DeleteAccount(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.wants("match of a deleted account", paths(id), afterEnd, "zoe")
	for _, ending := range []string{".png", ".gif"} { // the names are drawn
		if _, now, _ := v.ask("/m/" + id + ending); now == before["/m/"+id+ending] {
			t.Errorf("%s still has the name", ending)
		}
	}
	v.wants("profile of a deleted account", []string{"/u/zoe", "/feed/u/zoe"}, always(404))
	v.wants("the others'", []string{"/u/ana", "/feed/u/ana"}, always(200), "zoe")
}
