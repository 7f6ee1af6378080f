package tournaments_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/tournament"
	"ayumu/tui"
	"ayumu/tui/game/mu"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/preview"
	"ayumu/tui/screen/screentest"
)

// cup is a tournament in a harness, organized by olga.
type cup struct {
	*screentest.Harness
	id string
}

// live is a clock for games of an evening.
var live = clock.Control{Initial: 5 * time.Minute, Increment: 5 * time.Second}

// event is a tournament that a test begins with. The clock is live unless the request has one.
type event struct {
	id, name string
	format   tournament.Format
	tournament.Request
}

// terms returns the terms of a tournament of small games.
func (e event) terms(t *testing.T) tournament.Terms {
	t.Helper()
	title := "ayu"
	if e.format == tournament.FormatTables {
		title = "mu"
	} else if e.Options == nil {
		e.Options = json.RawMessage(`{"size":5}`)
	}
	if e.Clock == nil {
		e.Clock = &live
	}
	game, _ := enginetest.Games.ByName(title)
	terms, err := tournament.NewTerms(e.name, e.format, e.Request, game)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// with calls f with a lobby that has open tournaments. Their lots are those of a fixed seed, so that the pairings are always the
// same: they are recorded before the lobby opens.
func with(t *testing.T, events func() []event, f func(h *screentest.Harness, cups []*cup)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := sqlite.OpenMemory(enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		open := func() *screentest.Harness {
			l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s, Report: func(msg string, kv ...any) { t.Error(msg, kv) }})
			if err != nil {
				t.Fatal(err)
			}
			return screentest.New(t, l, s)
		}
		h := open()
		olga := h.Account("olga")
		h.Close()
		for n, e := range events() {
			screentest.Advance(time.Second) // the list has the newest first
			next, fx := tournament.Step(tournament.State{ID: e.id}, tournament.Input{
				Kind: tournament.InputCreate, By: olga.ID, Moderator: true, Terms: e.terms(t), Seed: uint64(n) + 1,
			}, tournament.Now{Time: time.Now()})
			if fx.Err != nil {
				t.Fatal(fx.Err)
			}
			err := s.AppendTournament(t.Context(), lobby.TournamentAppend{Entries: fx.Entries, Listing: lobby.NewTournamentListing(&next)})
			if err != nil {
				t.Fatal(err)
			}
		}
		h = open()
		defer h.Close()
		var cups []*cup
		for _, e := range events() {
			cups = append(cups, &cup{h, e.id})
		}
		f(h, cups)
	})
}

// one returns the only tournament of a test.
func one(id, name string, format tournament.Format, r tournament.Request) func() []event {
	return func() []event { return []event{{id, name, format, r}} }
}

// change has a user change the tournament.
func (c *cup) change(name string, in tournament.Input) {
	c.T.Helper()
	if err := c.Member(name).ChangeTournament(c.T.Context(), c.id, in); err != nil {
		c.T.Fatalf("%s: %v", name, err)
	}
	synctest.Wait()
}

// enter has users enter.
func (c *cup) enter(names ...string) {
	c.T.Helper()
	for _, name := range names {
		c.change(name, tournament.Input{Kind: tournament.InputEnter})
	}
}

// start starts the tournament and lets the first round be paired.
func (c *cup) start() {
	c.T.Helper()
	c.change("olga", tournament.Input{Kind: tournament.InputStart})
	synctest.Wait()
}

func (c *cup) state() *tournament.State { return c.Tournaments.Known(c.id) }

// end ends the game of two players of the latest round: loser resigns.
func (c *cup) end(loser string) {
	c.T.Helper()
	for _, m := range c.Member(loser).SeatedMatches() {
		if s := m.Snapshot(); m.Info.Tournament.ID == c.id && !s.IsOver() {
			c.Resign(m, loser)
			synctest.Wait()
			return
		}
	}
	c.T.Fatalf("%s plays no game", loser)
}

// endRound ends all games of the latest round: the players to move resign.
func (c *cup) endRound() {
	c.T.Helper()
	s := c.state()
	for _, g := range s.Rounds[len(s.Rounds)-1].Games {
		for !g.IsOver() {
			m, err := c.Match(tournament.MatchID(s.ID, g.Round, g.Table))
			if err != nil {
				c.T.Fatal(err)
			}
			snap := m.Snapshot()
			if snap.IsOver() {
				break
			}
			c.Resign(m, snap.Info.Seats[snap.Position.Turn()].Name)
			synctest.Wait()
		}
	}
}

// say writes to the chat of the tournament.
func (c *cup) say(name, text string) {
	c.T.Helper()
	if err := c.Member(name).SayInTournament(c.id, text); err != nil {
		c.T.Fatal(err)
	}
}

// Names returns the names of those who appear in a state.
func (c *cup) Names(s *tournament.State) func(account.ID) string {
	c.T.Helper()
	names, err := c.Tournaments.NamesIn(c.T.Context(), s)
	if err != nil {
		c.T.Fatal(err)
	}
	return names
}

// players are the players of a swiss tournament, with long and short names.
var players = []string{"ana", "bob", "carol", "dave", "erika-with-a-nam", "frederic-der-gro", "gil", "hana", "ivo", "jun", "kay"}

// each calls f for each size of windows.
func each(f func(screentest.Setting)) {
	for _, s := range screentest.Sizes {
		f(s)
	}
}

// inAllStates are tournaments for the list.
func inAllStates() []event {
	return []event{
		{"over", "Summer round robin", tournament.FormatRoundRobin, tournament.Request{Min: 2}},
		{"open", "Friday cup", tournament.FormatSwiss, tournament.Request{}},
		{"later", "Autumn Swiss with a rather long name", tournament.FormatSwiss, tournament.Request{Start: time.Now().Add(3 * time.Hour).Truncate(time.Minute)}},
		{"running", "Mu evening", tournament.FormatTables, tournament.Request{}},
	}
}

func TestList(t *testing.T) {
	with(t, func() []event { return nil }, func(h *screentest.Harness, _ []*cup) {
		d := h.SignIn("ana", "")
		d.Press(":tournaments")
		d.WantText("No tournaments yet.")
		d.GoldenSizes("list-empty")
	})
	with(t, inAllStates, func(h *screentest.Harness, cups []*cup) {
		over, open, later, running := cups[0], cups[1], cups[2], cups[3]
		over.enter("carol", "dave")
		over.start()
		over.endRound()
		open.enter("gil")
		later.enter("ana", "hana")
		running.enter("kay", "bob", "ivo", "jun", "hana")
		running.start()
		each(func(s screentest.Setting) {
			s.Name = "ana"
			d := h.Visit(s)
			d.Press(":tournaments")
			d.Golden("list" + s.Suffix())
			d.Close()
		})
		each(func(s screentest.Setting) {
			s.Name = "zoe"
			h.Account("zoe")
			d := h.Visit(s)
			d.Golden("home" + s.Suffix())
			d.Close()
		})
		home := h.SignIn("zoe", "")
		home.Press("home down down down down") // below the section Play
		for range 10 {
			if strings.Contains(home.Text(), "› "+" Autumn Swiss") {
				break
			}
			home.Press("down")
		}
		home.Press("enter")
		home.WantText("Autumn Swiss with a rather long name", "You can enter: press y.")
		d := h.Visit(screentest.Setting{Name: "ana", Profile: paint.Profile{ASCII: true}})
		d.Press(":tournaments down")
		d.WantText("2 players entered")
		later.enter("bob")
		d.Advance(3 * time.Second)
		d.WantText("3 players entered") // by the lobby's lists
	})
}

// TestRoundsWhileAwayAreTold: the last round of a tournament that was paired since the last visit.
func TestRoundsWhileAwayAreTold(t *testing.T) {
	with(t, one("cup", "Friday cup", tournament.FormatSwiss, tournament.Request{}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter("ana", "bob", "carol", "dave", "gil", "hana")
		c.start()
		left := time.Now()
		var site tui.Config
		site.LastVisit = func(context.Context) (time.Time, error) { return left, nil }
		told := func(name string) string {
			screentest.Advance(time.Second)
			d := h.Visit(screentest.Setting{Name: name, Site: site})
			defer d.Close()
			for _, m := range d.Messages() {
				if strings.HasPrefix(m.Text, "While you were away") {
					return m.Text
				}
			}
			return ""
		}
		if got := told("ana"); got != "" {
			t.Errorf("before the next round ana is told %q", got)
		}
		c.endRound()
		for range 10 {
			if len(c.state().Rounds) < 2 {
				screentest.Advance(time.Minute)
			}
		}
		if n := len(c.state().Rounds); n != 2 {
			t.Fatalf("%d rounds are paired", n)
		}
		if got := told("ana"); !strings.Contains(got, "; round 2 of Friday cup began.") {
			t.Errorf("ana is told %q", got)
		}
		if got := told("olga"); got != "" {
			t.Errorf("olga, who has not entered, is told %q", got)
		}
	})
}

// show compares the screen of a tournament in all sizes, after keys.
func (c *cup) show(name, golden, keys string) {
	c.T.Helper()
	c.Account(name)
	each(func(s screentest.Setting) {
		s.Name = name
		d := c.Visit(s)
		d.Start(d.Open(dest.Tournament{ID: c.id}))
		d.Drain()
		d.Press(keys)
		d.Golden(golden + s.Suffix())
		d.Close()
	})
}

func TestSwiss(t *testing.T) {
	with(t, one("autumn", "Autumn Swiss", tournament.FormatSwiss, tournament.Request{Rounds: 4}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.show("zoe", "swiss-nobody", "")
		c.enter(players...)
		c.show("ana", "swiss-open", "")
		c.start()
		c.endRound()
		c.say("bob", "good games, all; who is up for analysis afterwards?")
		screentest.Advance(2 * time.Minute)
		synctest.Wait()
		s := c.state()
		c.end(c.Names(s)(s.Players[s.Rounds[1].Games[1].Seats[0]].User))
		c.show("ana", "swiss", "")
		c.show("ana", "swiss-round", "right")
		c.show("zoe", "swiss-rounds", "right right")
		c.show("zoe", "swiss-rules", "left")
		for c.state().Phase != tournament.PhaseClosed {
			c.endRound()
			screentest.Advance(2 * time.Minute)
			synctest.Wait()
		}
		c.show("ana", "swiss-over", "")
	})
}

// TestBoardBesideTheTable has the board of the selected game beside the table, and otherwise that of the first one. Nothing is drawn
// for a second session.
func TestBoardBesideTheTable(t *testing.T) {
	with(t, one("autumn", "Autumn Swiss", tournament.FormatSwiss, tournament.Request{Rounds: 4}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter("ana", "bob", "carol", "dave", "gil")
		c.start()
		s := c.state()
		name := func(table, seat int) string {
			return c.Names(s)(s.Players[s.Rounds[0].Games[table-1].Seats[seat]].User)
		}
		h.Account("zoe")
		open := func() *screentest.Session {
			d := h.Visit(screentest.Setting{Name: "zoe", Width: 120, Height: 40})
			d.Start(d.Open(dest.Tournament{ID: c.id}))
			d.Drain()
			return d
		}
		d := open()
		wantBoard := func(table int) {
			t.Helper()
			d.WantText(fmt.Sprintf("─ Table %d · live", table), "● "+name(table, 0)+" 1500?", "○ "+name(table, 1)+" 1500?")
		}
		d.Press("right")
		wantBoard(1)
		d.Press("down")
		wantBoard(2)
		d.Press("down") // who has no opponent
		wantBoard(1)
		d.Press("up left home")
		for range s.Players {
			row := d.Text()[strings.Index(d.Text(), "›"):]
			row = row[:strings.Index(row, "\n")]
			if strings.Contains(row, " "+name(2, 1)+" ") {
				break
			}
			d.Press("down")
		}
		wantBoard(2)

		d.Press("home")
		made := preview.BoardsOf(&h.Shared).MadeCount()
		other := open()
		other.Press("home")
		other.WantText("· live")
		if n := preview.BoardsOf(&h.Shared).MadeCount(); n != made {
			t.Errorf("%d boards were drawn for a second session", n-made)
		}
		screentest.Advance(time.Minute)
		d.Drain()
		d.Press("right left")
		if n := preview.BoardsOf(&h.Shared).MadeCount(); n != made {
			t.Errorf("%d boards were drawn while nothing changed", n-made)
		}
		m, err := c.Match(tournament.MatchID(s.ID, 1, 1))
		if err != nil {
			t.Fatal(err)
		}
		c.Play(m, m.Snapshot().Position.Legal()[0])
		screentest.Advance(3 * time.Second)
		d.Drain()
		d.WantText("─ Table 1 · live", " 1 turn ─")
		c.endRound()
		screentest.Advance(3 * time.Second)
		d.Drain()
		d.WantNoText("· live")
	})
}

func TestTables(t *testing.T) {
	with(t, one("mu", "Mu evening", tournament.FormatTables, tournament.Request{}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter(players...)
		c.start()
		c.endRound()
		screentest.Advance(2 * time.Minute)
		synctest.Wait()
		c.show("ana", "tables", "")
		c.show("ana", "tables-round", "right")

		// Beside the players of a running table stands what can be counted on its board.
		for c.state().Phase != tournament.PhaseRunning {
			screentest.Advance(time.Minute)
			synctest.Wait()
		}
		s := c.state()
		m, err := c.Match(tournament.MatchID(s.ID, len(s.Rounds), 1))
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			p := m.Snapshot().Position
			if (mu.Game{}).Counts(p, 0) != "" {
				break
			}
			legal := p.Legal()
			c.Play(m, legal[len(legal)/2])
		}
		synctest.Wait()
		screentest.Advance(3 * time.Second)
		c.show("zoe", "tables-counts", "right")
	})
}

// TestCellsOfAnEndedTable has the cells that were counted beside the players of a table that has ended.
func TestCellsOfAnEndedTable(t *testing.T) {
	request := tournament.Request{Options: json.RawMessage(`{"players":3,"segments":2}`)}
	with(t, one("mu", "Mu evening", tournament.FormatTables, request), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter(players[:6]...)
		c.start()
		m, err := c.Match(tournament.MatchID(c.id, 1, 1))
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; !m.Snapshot().IsOver(); n++ {
			if n == 2000 {
				t.Fatal("the game does not end")
			}
			legal := m.Snapshot().Position.Legal()
			turn := legal[len(legal)/2]
			if slices.Contains(legal, "end") { // all pass
				turn = "end"
			}
			c.Play(m, turn)
		}
		synctest.Wait()
		g, scores := c.state().Rounds[0].Games[0], m.Snapshot().Result.Scores
		if !slices.Equal(g.Scores, scores) {
			t.Fatalf("the game is %+v, and the scores are %v", g, scores)
		}
		c.show("zoe", "tables-ended", "right")
	})
}

func TestRoundRobin(t *testing.T) {
	with(t, one("league", "League", tournament.FormatRoundRobin, tournament.Request{Divisions: 2, Clock: &clock.Control{Days: 2}}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter(players...)
		c.start()
		c.end("ana")
		c.end("bob")
		c.end("carol")
		c.show("ana", "robin", "")
	})
}

// TestForm makes tournaments with the form.
func TestForm(t *testing.T) {
	with(t, func() []event { return nil }, func(h *screentest.Harness, _ []*cup) {
		h.Account("ana")
		c := h.NewClub()
		visit := func(s screentest.Setting, role club.Role) *screentest.Session {
			s.Name, s.Club, s.Role = "ana", c, role
			d := h.Visit(s)
			t.Cleanup(d.Close)
			d.Press(":tournaments")
			return d
		}
		visit(screentest.Setting{}, club.RolePlayer).WantText("The moderators and owners of this server")
		each(func(s screentest.Setting) {
			d := visit(s, club.RoleModerator)
			d.Press("n")
			d.Golden("form" + s.Suffix())
			if s.Width > 40 { // where the field is not beside the mark of further ones
				d.FillField("Further terms", "choose")
				d.Golden("form-more" + s.Suffix())
			}
		})
		d := visit(screentest.Setting{}, club.RoleModerator)
		d.Press("n enter")
		d.WantText("A tournament needs a name; type one.")
		d.TypeText("Friday cup")
		d.FillField("Format", "round robin")
		d.FillField("Games", "two against each")
		d.FillField("Clock", "5+5")
		d.Press("enter")
		d.WantText("Friday cup", "Round robin", "5+5, rated", "Open: 0 players entered", "Press : to start it")
		d.Press("y y")
		d.WantText("You have entered.", "ana you")
		d.Press("q n")
		d.TypeText("Mu evening")
		d.FillField("Game", "Mu")
		d.FillField("Format", "tables")
		d.FillField("At a table", "3 to 5")
		d.Press("enter")
		d.WantText("Mu evening", "Tables", "Open: 0 players entered, 5 needed")
	})
}

// TestEditForm changes the terms with the form. What is not touched stays as it is, also what no answer of the form of a new
// tournament leads to.
func TestEditForm(t *testing.T) {
	pause, checkIn, late := 7, 75, 9
	start := time.Date(2000, 1, 2, 3, 4, 5, 0, time.UTC)
	with(t, func() []event {
		return []event{
			{"swiss", "Friday cup", tournament.FormatSwiss, tournament.Request{
				Rounds: 17, Pause: &pause, CheckIn: &checkIn, Late: &late, FirstTurn: 77, Cap: 5, Delay: 7, Min: 4, Max: 99, Start: start,
				MinRating: 1000, MaxRating: 2000, MinGames: 3, Members: true, Bots: true, Elsewhere: tournament.ElsewhereAbsent, Rated: new(false),
				Clock: &clock.Control{Initial: 7 * time.Minute, Increment: 3 * time.Second}, Options: json.RawMessage(`{"size":7,"pie":false}`),
			}},
			{"robin", "League", tournament.FormatRoundRobin, tournament.Request{Legs: 2, Divisions: 11, Clock: &clock.Control{Days: 2}, Vacation: new(false)}},
			{"mu", "Mu evening", tournament.FormatTables, tournament.Request{TableMax: 6}},
		}
	}, func(h *screentest.Harness, cups []*cup) {
		request := func(c *cup) string {
			raw, err := json.Marshal(c.state().Terms.Request())
			if err != nil {
				t.Fatal(err)
			}
			return string(raw)
		}
		for _, c := range cups {
			d := h.Visit(screentest.Setting{Name: "olga"})
			d.Start(d.Open(dest.Tournament{ID: c.id}))
			d.Drain()
			before, name := request(c), c.state().Terms.Name
			d.Press(":organize e")
			d.WantText("Terms of " + name)
			d.WantNoText("Format")
			if c.id == "swiss" {
				d.Golden("form-edit")
			}
			d.Press("enter")
			d.WantText("The terms are changed.")
			if after := request(c); after != before || c.state().Terms.Name != name {
				t.Errorf("the form has changed the terms %s to %s", before, after)
			}
			d.Press(":organize e")
			d.TypeText(" 2")
			d.FillField("Mode", "rated")
			d.FillField("Clock", "5+5")
			d.Press("enter")
			d.WantText(name+" 2", "5+5, rated")
			d.Close()
		}
		c := cups[2]
		c.enter("ana", "bob", "carol", "dave", "gil")
		c.start()
		d := h.Visit(screentest.Setting{Name: "olga"})
		d.Start(d.Open(dest.Tournament{ID: c.id}))
		d.Drain()
		d.Press(":organize")
		d.WantNoText("change the terms")
	})
}

// TestEnoughPlayersAreHere says that it will be cancelled only while too few players have checked in.
func TestEnoughPlayersAreHere(t *testing.T) {
	minute := 60
	with(t, one("friday", "Friday cup", tournament.FormatSwiss, tournament.Request{CheckIn: &minute}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter("ana", "bob", "carol", "dave")
		c.change("olga", tournament.Input{Kind: tournament.InputStart})
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Start(d.Open(dest.Tournament{ID: c.id}))
		d.Drain()
		d.WantText("Too few players are here")
		for _, name := range []string{"bob", "carol", "dave"} {
			c.change(name, tournament.Input{Kind: tournament.InputCheckIn})
		}
		d.Drain()
		d.WantText("The check-in is open. The tournament starts in", "Are you here?")
		d.WantNoText("Too few")
	})
}

// TestPlayersAtABoardAreTold shows a player at a board what the organizer says, other terms and the end, but not what spectators
// say during a live game of the tournament.
func TestPlayersAtABoardAreTold(t *testing.T) {
	with(t, one("friday", "Friday cup", tournament.FormatSwiss, tournament.Request{Rounds: 2}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		h.Account("zoe")
		c.enter("ana", "bob", "carol", "dave")
		m := h.StartMatch("ana", "gil", `{"size":7}`, clock.Default)
		ana := h.Visit(screentest.Setting{Name: "ana"})
		atBoard := func(match string) {
			t.Helper()
			ana.Drain()
			if at := ana.Current().Traits().Match; at != match {
				t.Fatalf("the match on the screen is %q, want %q", at, match)
			}
		}
		atBoard(m.Info.ID)
		c.say("zoe", "is anyone here?")
		atBoard(m.Info.ID)
		ana.WantText("zoe says in Friday cup: is anyone here?")
		terms := c.state().Terms
		terms.Rated = false
		c.change("olga", tournament.Input{Kind: tournament.InputEdit, Terms: terms})
		atBoard(m.Info.ID)
		ana.WantText("Friday cup: the organizer has changed the terms: the games are casual.")
		c.Resign(m, "ana")
		synctest.Wait()
		c.start()
		ana.Drain()
		ana.Press("q") // if the end of the other game was shown
		own := c.state().Running(c.state().PlayerIndex(h.Account("ana").ID))
		id := tournament.MatchID(c.id, own.Round, own.Table)
		ana.Start(ana.Open(dest.Match{ID: id}))
		atBoard(id)
		c.say("olga", "round 2 begins at nine")
		atBoard(id)
		ana.WantText("olga (organizer) says in Friday cup: round 2 begins at nine")
		ana.Press("up") // the text goes
		c.say("zoe", "ana should move the stone on the left")
		atBoard(id)
		ana.WantNoText("the stone on the left")
		if lines := ana.Messages(); strings.Contains(lines[len(lines)-1].Text, "the stone on the left") {
			t.Errorf("the last message is %q", lines[len(lines)-1].Text)
		}
		c.change("olga", tournament.Input{Kind: tournament.InputCancel, Note: "a storm"})
		ana.Drain()
		ana.WantText("Friday cup: the tournament was cancelled: a storm.")
	})
}

// TestOtherTermsAreReadToTheEnd: what has changed in the terms is not cut in a small window, however much that is.
func TestOtherTermsAreReadToTheEnd(t *testing.T) {
	with(t, one("friday", "Friday cup", tournament.FormatSwiss, tournament.Request{}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter("ana")
		ana := h.Visit(screentest.Setting{Name: "ana", Width: 60, Height: 20})
		terms := c.state().Terms
		terms.Name, terms.Rated, terms.Rounds, terms.CheckIn, terms.Cap, terms.Delay = "The cup of all Fridays of the long autumn", false, 5, 90*time.Second, 3*time.Hour, 2
		terms.Control, terms.Pause, terms.Max = clock.Control{Initial: 20 * time.Minute, Increment: 15 * time.Second}, time.Hour, 12
		terms.Name = terms.Name[:tournament.MaxName]
		c.change("olga", tournament.Input{Kind: tournament.InputEdit, Terms: terms})
		ana.Drain()
		want := terms.Name + ": the organizer has changed the terms: it has this new name, the clock is 20+15, the games are casual, the check-in takes 90 seconds, " +
			"it has 5 rounds, a round takes at most 3 hours, spectators see the games 2 turns late, some of the rules differ and others can enter than before."
		if shown := strings.Join(strings.Fields(ana.Text()), " "); !strings.Contains(shown, want) {
			t.Errorf("the screen lacks %q:\n%s", want, ana.Text())
		}
	})
}

// TestEnteringTellsOfBlocks: who blocks somebody is told on entering that blocks change no pairing.
func TestEnteringTellsOfBlocks(t *testing.T) {
	with(t, one("friday", "Friday cup", tournament.FormatSwiss, tournament.Request{}), func(h *screentest.Harness, cups []*cup) {
		h.Account("bob")
		h.Account("ana")
		if err := h.Member("ana").Block(h.T.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ana", "bob"} {
			d := h.Visit(screentest.Setting{Name: name})
			d.Start(d.Open(dest.Tournament{ID: cups[0].id}))
			d.Drain()
			d.Press("y y")
			d.WantText("You have entered.")
			if got, want := strings.Contains(d.Text(), "whom you block"), name == "ana"; got != want {
				t.Errorf("%s is told of blocks: %t, want %t:\n%s", name, got, want, d.Text())
			}
		}
	})
}

// TestTakeAPlayerOut takes a player out and lets them in again, by keys alone.
func TestTakeAPlayerOut(t *testing.T) {
	with(t, one("friday", "Friday cup", tournament.FormatSwiss, tournament.Request{Rounds: 4}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		c.enter("ana", "bob", "carol")
		open := func(name string) *screentest.Session {
			d := h.Visit(screentest.Setting{Name: name})
			d.Start(d.Open(dest.Tournament{ID: c.id}))
			d.Drain()
			return d
		}
		ana, olga := open("ana"), open("olga")
		olga.Press(":organize o")
		olga.WantText("Why is ana taken out")
		olga.TypeText("a second account")
		olga.Press("enter")
		olga.WantText("Take ana out of Friday cup? They are told")
		if c.state().PlayerIndex(h.Account("ana").ID) < 0 {
			t.Error("the player was taken out before the answer")
		}
		olga.Press("y")
		olga.WantText("ana is out of the tournament.", "2 players")
		ana.Drain()
		ana.WantText("The organizer has taken you out.", "the organizer has taken you out: a second account")
		ana.WantNoText("press e")
		ana.Press("left")
		ana.WantText("The organizer has taken ana out: a second account.")
		olga.Press(":organize l y")
		olga.WantText("ana can take part again.")
		ana.Drain()
		ana.Press("right")
		ana.WantText("You can enter: press y.")
		ana.Press("y y")

		c.start()
		olga.Drain()
		olga.Press(":organize o")
		olga.TypeText("no mate")
		olga.Press("enter y")
		olga.WantText("is out of the tournament.", " out ")
		olga.Press(":organize o")
		olga.WantText("Select a player of the table first who is in.")
		olga.Press(":organize l y")
		olga.WantText("can take part again.", " paused ")
	})
}

// TestAnEveningByKeys enters, withdraws, plays, pauses and decides a game by keys alone.
func TestAnEveningByKeys(t *testing.T) {
	with(t, one("friday", "Friday cup", tournament.FormatSwiss, tournament.Request{Rounds: 2}), func(h *screentest.Harness, cups []*cup) {
		c := cups[0]
		open := func(name string) *screentest.Session {
			h.Account(name)
			d := h.Visit(screentest.Setting{Name: name})
			d.Start(d.Open(dest.Tournament{ID: c.id}))
			d.Drain()
			return d
		}
		ana, olga := open("ana"), open("olga")
		ana.Press("y")
		ana.WantText("Enter Friday cup?", "2 rounds")
		ana.Press("y")
		ana.WantText("You have entered.", "ana you", "1 player", "Rating")
		olga.Drain()
		olga.WantText("1 player") // the state refreshes the screen
		ana.Press("x y")
		ana.WantText("You can enter: press y.")
		ana.Press("y y")
		c.enter("bob", "carol", "dave")
		olga.Press(":organize s")
		olga.WantText("Start Friday cup with 4 players?")
		if c.state().HasStarted() {
			t.Error("it started before the answer")
		}
		olga.Press("y")
		olga.WantText("Round 1 of 2: 2 of 2 games running")

		// The game has opened by itself, and leads back to the tournament, where Enter opens it.
		ana.Advance(time.Second) // keys count again after a game has opened by itself
		ana.WantText("has started")
		ana.Press("q")
		ana.WantText("▸ Your game with ")
		ana.Press("enter")
		if m := ana.Current().Traits().Match; m == "" {
			t.Errorf("Enter opened no match:\n%s", ana.Text())
		}

		// A decision asks for the winner, the reason and an answer.
		olga.Press("right :organize r 1")
		olga.TypeText("power cut")
		olga.Press("enter")
		olga.WantText("Decide the game of table 1:", "All players are told")
		if c.state().Rounds[0].Games[0].IsOver() {
			t.Error("the game was decided before the answer")
		}
		olga.Press("y")
		olga.WantText("The game is decided.", "1 : 0, decided", "Power cut.")
		state := c.state()
		g := state.Rounds[0].Games[0]
		names := c.Names(state)
		first, second := names(state.Players[g.Seats[0]].User), names(state.Players[g.Seats[1]].User)
		for name, result := range map[string]string{first: "You win: the tournament has decided the game.", second: "You lose: the tournament has decided the game."} {
			d := h.Visit(screentest.Setting{Name: name, Width: 160, Height: 45})
			d.Start(d.Open(dest.Match{ID: tournament.MatchID(c.id, 1, 1)}))
			d.Drain()
			d.WantText(result, "Power cut.", "Not rated: the game was not played to its end.")
		}
		c.endRound()
		olga.Drain()
		olga.WantText("Round 1 is over. Round 2 begins in")
		olga.Press("left :why")
		olga.WantText("Why ", "Between equal points decide")
	})
}
