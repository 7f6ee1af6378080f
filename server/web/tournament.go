package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"ayumu/lobby/limit"
	"ayumu/lobby/tournament"
	"ayumu/tui/op"
)

// tournamentInterval is how often a stream looks at its tournament, which is in memory: a tournament changes a few times an
// hour, and wakes only sessions that are online.
const tournamentInterval = time.Second

// tournamentAge is how many seconds others may keep the page of a tournament.
const tournamentAge = 5

// maxPlayers is how many players of a tournament a page lists.
const maxPlayers = 200

type tournamentData struct {
	layout
	Heading    string
	Terms      string
	Organizer  string
	Status     string
	Players    []tournamentPlayer
	IsDivided  bool
	Rounds     []tournamentRound // newest first
	More       int               // players that are not listed
	Removed    []string          // sentences about those whom the organizer has taken out
	Version    int
	IsLive     bool
	Events     string
	Feed       string
	InTerminal string // the command that shows it
}

type tournamentPlayer struct {
	Place      int
	Name, Link string
	Points     string
	Rating     int
	State      string // "": they take part
	Division   int
}

type tournamentRound struct {
	Number int
	Games  []linkData // without a path: a player without an opponent
}

// tournament serves the standings and games of a tournament.
func (v *visit) tournament() error {
	v.kind = "tournament"
	t, err := v.tournamentState()
	if err != nil {
		return err
	}
	s := t.State
	v.cacheFor(tournamentAge)
	d := &tournamentData{
		layout: v.layout(s.Terms.Name), Heading: s.Terms.Name, Terms: op.TournamentTitle(s), Organizer: t.Names(s.Organizer),
		Status: op.PhaseSentence(s, t.Names, time.Now()), IsDivided: s.Terms.Divisions > 1, Version: s.Version, IsLive: !s.IsOver(),
		Events: "/t/" + s.ID + "/events", Feed: "/feed/t/" + s.ID, InTerminal: "ssh " + v.SSHTarget + " tournament " + s.ID,
	}
	d.Description = d.Terms + ". " + d.Status
	standings := s.Standings()
	d.More = max(len(standings)-maxPlayers, 0)
	for _, at := range standings[:min(len(standings), maxPlayers)] {
		p := &s.Players[at.Player]
		row := tournamentPlayer{Place: at.Place, Name: t.Names(p.User), Points: tournament.FormatPoints(at.Points), Rating: p.Rating, Division: p.Division}
		if row.Link = "/u/" + row.Name; p.Status != tournament.StatusIn {
			row.State = op.StatusText(s.StatusOf(at.Player))
		}
		d.Players = append(d.Players, row)
	}
	for _, o := range s.View(t.Names, tournament.Page{Round: max(len(s.Rounds), 1), Limit: 1}).Removed {
		d.Removed = append(d.Removed, op.RemovedSentence(o))
	}
	for i := range s.Rounds {
		r := tournamentRound{Number: s.Rounds[i].Number}
		for _, g := range s.Rounds[i].Games {
			game := linkData{Text: t.GameText(g)}
			if g.Table > 0 {
				game.Path = "/m/" + tournament.MatchID(s.ID, g.Round, g.Table)
			}
			r.Games = append(r.Games, game)
		}
		d.Rounds = append(d.Rounds, r)
	}
	slices.Reverse(d.Rounds)
	return v.page("tournament.html", d)
}

// tournamentState returns the tournament of the path with the names of all who appear in it.
func (v *visit) tournamentState() (t op.TournamentResult, err error) {
	id := v.r.PathValue("id")
	if !isID(id) {
		return t, errNotFound
	}
	session, err := v.enter()
	if err != nil {
		return t, err
	}
	if err := session.Spend(limit.WorkTournament); err != nil {
		return t, err
	}
	ts := &v.Lobby.Tournaments
	if t.State, err = ts.State(v.ctx, id); err == nil {
		t.Names, err = ts.NamesIn(v.ctx, t.State)
	}
	return t, err
}

// tournamentStream sends the event tournament after each change, with the version as its id.
func (v *visit) tournamentStream() error {
	v.kind = "events"
	t, err := v.tournamentState()
	if err != nil {
		return err
	}
	state := t.State
	last := state.Version
	if n, err := strconv.Atoi(v.r.Header.Get("Last-Event-ID")); err == nil && n >= 0 {
		last = n
	}
	if state.IsOver() && last >= state.Version {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	out, ok := v.startStream()
	if !ok {
		return nil
	}
	v.counts.addStream(1)
	defer v.counts.addStream(-1)
	beat, look := time.NewTicker(heartbeat), time.NewTicker(tournamentInterval)
	defer beat.Stop()
	defer look.Stop()
	for {
		if s := v.Lobby.Tournaments.Known(state.ID); s != nil {
			state = s
		}
		if state.Version != last {
			last = state.Version
			data, err := json.Marshal(map[string]any{"event": "tournament", "tournament": state.ID, "version": state.Version, "state": state.Phase, "round": len(state.Rounds)})
			if err != nil || out.write(fmt.Sprintf("id: %d\nevent: tournament\ndata: %s\n\n", last, data)) != nil {
				return nil
			}
			v.counts.sent(1, 0)
		}
		if state.IsOver() || !out.wait(nil, look.C, beat.C) {
			return nil
		}
	}
}

// feedEntries is how many entries the feed of a tournament has, and feedGames how many games an entry names.
const (
	feedEntries = 20
	feedGames   = 50
)

// feedOfTournament serves what has happened in a tournament: the pairings and the results of each round, and the end.
func (v *visit) feedOfTournament() error {
	t, err := v.tournamentState()
	if err != nil {
		return err
	}
	s := t.State
	path := "/t/" + s.ID
	var all []feedEntry
	add := func(fragment, title string, at time.Time, summary string) {
		all = append(all, feedEntry{path, fragment, title, at, summary})
	}
	add("open", "It is open", s.Created, op.TournamentTitle(s)+", organized by "+t.Names(s.Organizer))
	for i := range s.Rounds {
		r := &s.Rounds[i]
		add(fmt.Sprintf("round-%d", r.Number), fmt.Sprintf("Round %d is paired", r.Number), r.Paired, roundText(&t, r, false))
		if !r.Ended.IsZero() {
			add(fmt.Sprintf("round-%d-over", r.Number), fmt.Sprintf("Round %d is over", r.Number), r.Ended, roundText(&t, r, true))
		}
	}
	if s.IsOver() {
		add("over", "It is over", s.LastAt, op.PhaseSentence(s, t.Names, s.LastAt))
	}
	slices.Reverse(all)
	return v.writeFeed(s.Terms.Name, all[:min(len(all), feedEntries)])
}

// roundText names the games of a round, in a line each, without their results or with them.
func roundText(t *op.TournamentResult, r *tournament.Round, withResults bool) string {
	text := ""
	for i, g := range r.Games {
		if i == feedGames {
			return text + fmt.Sprintf("and %d more\n", len(r.Games)-i)
		}
		shown := *g
		if !withResults && g.Table > 0 {
			shown.Kind = tournament.GamePlaying
		}
		text += t.GameText(&shown) + "\n"
	}
	return text
}
