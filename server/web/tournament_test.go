package web

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/tournament"
	"ayumu/server/servertest"
)

// TestTournamentPage shows who enters, as it happens, and says no more than a page of an unknown one about others.
func TestTournamentPage(t *testing.T) {
	h := open(t, nil)
	game, _ := enginetest.Games.ByName("ayu")
	terms, err := tournament.NewTerms("Cup <of> names", tournament.FormatSwiss, tournament.Request{Clock: &clock.Control{Initial: 5 * time.Minute}, Min: 2}, game)
	if err != nil {
		t.Fatal(err)
	}
	id, err := h.ana.CreateTournament(t.Context(), terms, true)
	if err != nil {
		t.Fatal(err)
	}
	s := h.stream("/t/" + id + "/events")
	if page := h.status(200, "/t/"+id); !strings.Contains(page.body, "Cup &lt;of&gt; names") || !strings.Contains(page.body, "Nobody has entered yet.") || !strings.Contains(page.body, `data-events="/t/`+id+`/events"`) {
		t.Errorf("%s", page.body)
	}
	for _, player := range []*lobby.Session{h.ana, h.bob} {
		if err := player.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputEnter}); err != nil {
			t.Fatal(err)
		}
	}
	e, ok := s.next()
	if !ok || e.kind != "tournament" || e.data["tournament"] != id || e.data["state"] == "" {
		t.Errorf("%+v", e)
	}
	page := h.status(200, "/t/"+id)
	for _, want := range []string{`<th scope="row"><a href="/u/ana">ana</a></th>`, `<th scope="row"><a href="/u/bob">bob</a></th>`, "2 players of at most 256 entered"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page lacks %q:\n%s", want, page.body)
		}
	}

	bob := h.bob.Account().ID
	if err := h.ana.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputRemove, User: bob, Note: "a <second> account"}); err != nil {
		t.Fatal(err)
	}
	if page := h.status(200, "/t/"+id); !strings.Contains(page.body, "The organizer has taken bob out: a &lt;second&gt; account.") || strings.Contains(page.body, ">bob</a>") {
		t.Errorf("before the start: %s", page.body)
	}
	for _, in := range []tournament.Input{{Kind: tournament.InputLetIn, User: bob}, {Kind: tournament.InputEnter}, {Kind: tournament.InputStart}, {Kind: tournament.InputRemove, User: bob}} {
		player := h.ana
		if in.Kind == tournament.InputEnter {
			player = h.bob
		}
		if err := player.ChangeTournament(t.Context(), id, in); err != nil {
			t.Fatal(err)
		}
	}
	if page := h.status(200, "/t/"+id); !strings.Contains(page.body, `>bob</a> <span class="dim">taken out by the organizer</span>`) || !strings.Contains(page.body, "The organizer has taken bob out.") {
		t.Errorf("after the start: %s", page.body)
	}
	for _, missing := range []string{"/t/nosuch", "/t/nosuch/events", "/t/" + id + "/nothing"} {
		h.status(404, missing)
	}
}

// TestTournamentIsListedAndHasAFeed plays a tournament of one round: the first page lists it, and the feed has what happens.
func TestTournamentIsListedAndHasAFeed(t *testing.T) {
	h := open(t, nil)
	id := swiss(t, "Cup <of> names", h.ana, h.bob)
	if index := h.status(200, "/"); !strings.Contains(index.body, `href="/t/`+id+`"`) || !strings.Contains(index.body, "Cup &lt;of&gt; names") {
		t.Errorf("the first page does not list the tournament: %s", index.body)
	}
	type entry struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Summary string `xml:"summary"`
		Link    struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
	}
	read := func() (all []entry) {
		t.Helper()
		r := h.status(200, "/feed/t/"+id)
		var feed struct {
			Entries []entry `xml:"entry"`
		}
		if err := xml.Unmarshal([]byte(r.body), &feed); err != nil {
			t.Fatal(err)
		}
		return feed.Entries
	}
	titles := func() (all []string) {
		for _, e := range read() {
			all = append(all, e.Title)
		}
		return all
	}
	if got := titles(); !slices.Equal(got, []string{"It is open"}) {
		t.Errorf("before the start: %q", got)
	}
	match := startTournament(t, h, id)
	if got := titles(); !slices.Equal(got, []string{"Round 1 is paired", "It is open"}) {
		t.Errorf("in the first round: %q", got)
	}
	page := h.status(200, "/t/"+id)
	if !strings.Contains(page.body, `href="/m/`+match+`"`) || !strings.Contains(page.body, "Round 1 of 1") {
		t.Errorf("%s", page.body)
	}
	if page := h.status(200, "/m/"+match); !strings.Contains(page.body, `href="/t/`+id+`"`) {
		t.Error("the page of the match does not lead to its tournament")
	}
	h.resign(h.ana, match)
	servertest.Until(t, "the tournament ends", func() bool { s := h.l.Tournaments.Known(id); return s != nil && s.IsOver() })
	all := read()
	if len(all) != 4 || all[0].Title != "It is over" || !strings.Contains(all[0].Summary, "bob") || all[1].Title != "Round 1 is over" || !strings.Contains(all[1].Summary, "bob 1") {
		t.Errorf("after the end: %+v", all)
	}
	if strings.Contains(all[2].Summary, "bob 1") {
		t.Errorf("the pairings have results: %+v", all[2])
	}
	ids := make(map[string]bool)
	for _, e := range all {
		if _, err := time.Parse(time.RFC3339, e.Updated); err != nil || ids[e.ID] || !strings.HasSuffix(e.Link.Href, "/t/"+id) {
			t.Errorf("%+v, %v", e, err)
		}
		ids[e.ID] = true
	}
	if page := h.status(200, "/t/"+id); strings.Contains(page.body, "data-events") || !strings.Contains(page.body, "Won by bob") {
		t.Errorf("%s", page.body)
	}
}
