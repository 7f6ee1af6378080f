package main

import (
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/games"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/tournament"
	"ayumu/server/servertest"
)

// tournamentProgram is a program that plays in a tournament: every seat but the first resigns.
type tournamentProgram struct {
	name string
	key  ssh.Signer
}

// tournamentAnswer is what a program reads of lines of the API.
type tournamentAnswer struct {
	Re         any
	OK         bool
	Error      struct{ Code, Message string }
	Event      string
	Match      string
	Tournament any
	You        any
	Over       bool
	State      tournament.Phase
	Round      int
	Rounds     int
	Players    []tournament.PlayerView
	Games      []tournament.GameView
}

// ask sends a request and returns its answer.
func (c *client) ask(format string, args ...any) (a tournamentAnswer, err error) {
	id, err := c.send(format, args...)
	for err == nil {
		a = tournamentAnswer{}
		if err = c.read(&a); a.Re == float64(id) {
			return a, err
		}
	}
	return a, err
}

// play enters a tournament and plays until the connection breaks.
func (p *tournamentProgram) play(addr, id string, entered func()) error {
	c, err := connect(addr, p.name, p.key)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	request, err := c.send(`"op":"enter","tournament":%q`, id)
	for err == nil {
		var a tournamentAnswer
		if err = c.read(&a); err != nil {
			return err
		}
		you, isPlayer := a.You.(float64)
		switch {
		case a.Re == float64(request) && !a.OK && a.Error.Code != "not_allowed" && a.Error.Code != "closed":
			return fmt.Errorf("it could not enter: %s: %s", a.Error.Code, a.Error.Message)
		case a.Re == float64(request):
			entered() // or it had before
		case a.Event == "match" && isPlayer && you > 0 && !a.Over:
			<-time.After(100*time.Millisecond + mathrand.N(400*time.Millisecond)) // so that a round lasts until it is seen
			_, err = c.send(`"op":"resign","match":%q`, a.Match)
		}
	}
	return err
}

// TestTournamentsSurviveKills plays a swiss tournament of 8 and an evening of Mu of 7 at once, by programs over the API, while the
// server is killed in each round.
func TestTournamentsSurviveKills(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	dir := t.TempDir()
	host := tournamentProgram{"host", servertest.NewKey(t)}
	events := []*struct {
		terms    string
		programs []tournamentProgram
		id       string
		last     tournamentAnswer
	}{
		{terms: `"name":"Swiss","format":"swiss","terms":{"game":"ayu","options":{"size":5,"pie":false},"clock":{"initial":120,"increment":0},"pause":0}`, programs: make([]tournamentProgram, 8)},
		{terms: `"name":"Mu evening","format":"mu_tables","terms":{"game":"mu","clock":{"initial":120,"increment":0},"pause":0}`, programs: make([]tournamentProgram, 7)},
	}
	for e := range events {
		for i := range events[e].programs {
			events[e].programs[i] = tournamentProgram{fmt.Sprintf("prog%c%c", 'a'+e, 'a'+i), servertest.NewKey(t)}
		}
	}
	began, kills := time.Now(), 0
	isOver := func() bool {
		return events[0].last.State == tournament.PhaseClosed && events[1].last.State == tournament.PhaseClosed
	}
	for !isOver() {
		if time.Since(began) > time.Minute {
			t.Fatalf("after a minute: %+v, %+v", events[0].last, events[1].last)
		}
		p := start(t, dir, "--tournaments-members")
		c, err := connect(p.addr, host.name, host.key)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.id != "" {
				continue
			}
			a, err := c.ask(`"op":"tournament_new",%s`, e.terms)
			if e.id, _ = a.Tournament.(string); err != nil || e.id == "" {
				t.Fatalf("%+v, %v", a, err)
			}
		}
		var playing, entering sync.WaitGroup
		for _, e := range events {
			for i := range e.programs {
				entering.Add(1)
				playing.Go(func() {
					once := sync.OnceFunc(entering.Done)
					defer once()
					if err := e.programs[i].play(p.addr, e.id, once); err != nil && !errors.Is(err, errBroken) {
						t.Errorf("%s: %v", e.programs[i].name, err)
					}
				})
			}
		}
		entering.Wait()
		for _, e := range events {
			if e.last.Round == 0 {
				_, _ = c.ask(`"op":"tournament_start","tournament":%q`, e.id) // it has started, or starts now
			}
		}
		// Until a further round has begun, and then a while into it.
		rounds := events[0].last.Round + events[1].last.Round
		for waiting := true; waiting && err == nil; {
			if waiting = time.Since(began) < time.Minute; waiting {
				<-time.After(20 * time.Millisecond)
			}
			for _, e := range events {
				if e.last, err = c.ask(`"op":"tournament","tournament":%q`, e.id); err != nil || !e.last.OK {
					t.Fatalf("%+v, %v", e.last, err)
				}
			}
			waiting = waiting && !isOver() && events[0].last.Round+events[1].last.Round == rounds
		}
		<-time.After(mathrand.N(250 * time.Millisecond))
		p.kill()
		kills++
		c.conn.Close()
		playing.Wait()
	}
	t.Logf("%d kills in %v", kills, time.Since(began).Round(time.Millisecond))
	if kills < 4 {
		t.Errorf("only %d kills", kills)
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, sqlite.FileName), games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stored := make(map[string]match.Tournament)
	if err := db.AllMatches(t.Context(), func(info *match.Info, log []match.Entry) error {
		if len(log) == 0 || log[len(log)-1].Kind != match.EntryEnd {
			t.Errorf("match %s of %+v has no end", info.ID, info.Tournament)
		}
		stored[info.ID] = info.Tournament
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, e := range events {
		seen := make(map[string]bool) // player and round
		for _, g := range e.last.Games {
			for _, name := range g.Seats {
				key := fmt.Sprint(name, " ", g.Round)
				if seen[key] {
					t.Errorf("%s has two games in a round", key)
				}
				seen[key] = true
			}
			if g.Kind != tournament.GamePlayed || stored[g.Match].ID != e.id || stored[g.Match].Round != g.Round {
				t.Errorf("%+v is stored as %+v", g, stored[g.Match])
			}
			played++
		}
		if len(seen) != len(e.programs)*e.last.Rounds {
			t.Errorf("%d seats in %d rounds of %d players", len(seen), e.last.Rounds, len(e.programs))
		}
	}
	if played != len(stored) {
		t.Errorf("%d games, and %d matches", played, len(stored))
	}
}
