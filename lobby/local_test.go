package lobby_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/record"
	"ayumu/lobby/table"
)

// openLocal opens a local lobby.
func openLocal(t *testing.T, s lobby.Store) harness {
	t.Helper()
	l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s, Local: true, Report: func(msg string, kv ...any) { t.Error(msg, kv) }})
	if err != nil {
		t.Fatal(err)
	}
	return harness{l, t, s}
}

// withLocal calls f with a local lobby and its only session.
func withLocal(t *testing.T, f func(t *testing.T, h harness, ana *lobby.Session)) {
	synctest.Test(t, func(t *testing.T) {
		h := openLocal(t, memoryStore(t))
		defer h.Close()
		f(t, h, h.member("ana"))
	})
}

// startLocal starts a local match and returns its id.
func startLocal(t *testing.T, s *lobby.Session, game, options string, names ...string) string {
	t.Helper()
	id, err := s.StartLocal(t.Context(), game, []byte(options), names)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// sit returns the seat at which a session acts.
func sit(t *testing.T, s *lobby.Session, id string) *lobby.Player {
	t.Helper()
	p, err := s.AsPlayer(id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playLocal plays turns with the first legal actions.
func playLocal(t *testing.T, s *lobby.Session, id string, turns int) {
	t.Helper()
	for range turns {
		p := sit(t, s, id)
		snap := p.Snapshot()
		var actions []string
		for pos := snap.Position; len(actions) == 0 || pos.MidTurn(); {
			actions = append(actions, pos.Legal()[0])
			var err error
			if pos, err = pos.Play(actions[len(actions)-1]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Act(t.Context(), snap.Version, actions); err != nil {
			t.Fatal(err)
		}
	}
}

// seatNames returns the names of the players by seat.
func seatNames(info *match.Info) (names []string) {
	for _, s := range info.Seats {
		names = append(names, s.Name)
	}
	return names
}

// TestLocalMatch plays matches of two and of three at one keyboard: one session acts for each seat in its turn and takes back,
// and the match is casual, counts once, and is one of the user's.
func TestLocalMatch(t *testing.T) {
	for _, c := range []struct {
		game, options string
		seats         int
	}{{"ayu", string(smallOptions), 2}, {"mu", `{"players":3,"segments":2}`, 3}} {
		withLocal(t, func(t *testing.T, h harness, ana *lobby.Session) {
			id := startLocal(t, ana, c.game, c.options, "ana", " Tim ")
			p := sit(t, ana, id)
			info := p.Match().Info
			if want := []string{"ana", "Tim", "Player 3"}[:c.seats]; !slices.Equal(seatNames(info), want) || !info.Local || info.Rated || !info.Control.IsUntimed() {
				t.Errorf("%+v, want a local match of %q", info, want)
			}
			for made := range 2 * c.seats {
				if got := sit(t, ana, id).Seat(); got != made%c.seats {
					t.Errorf("%s: after %d turns the session acts for seat %d", c.game, made, got)
				}
				playLocal(t, ana, id, 1)
				advance(time.Hour)
			}
			if s := p.Snapshot(); s.Turns != 2*c.seats || p.Acting(s).Seat() != 0 || s.Clocks != nil {
				t.Errorf("%s: after %d turns the seat is %d; clocks %v", c.game, s.Turns, p.Acting(s).Seat(), s.Clocks)
			}
			for _, a := range p.Snapshot().Away {
				if a != (match.Away{}) {
					t.Errorf("%s: somebody is away: %+v", c.game, p.Snapshot().Away)
				}
			}
			if err := sit(t, ana, id).Offer(t.Context(), match.OfferUndo); err != nil {
				t.Error(err)
			}
			if s := p.Snapshot(); s.Turns != 2*c.seats-1 || sit(t, ana, id).Seat() != c.seats-1 {
				t.Errorf("%s: %d turns after the takeback, and the session acts for seat %d", c.game, s.Turns, sit(t, ana, id).Seat())
			}
			if all := ana.SeatedMatches(); len(all) != 1 || !ana.IsPlaying(all[0]) {
				t.Errorf("%s: the user plays %d matches", c.game, len(all))
			}
			for range c.seats - 1 {
				if err := sit(t, ana, id).Resign(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if s := p.Snapshot(); !s.IsOver() || fmt.Sprint(s.Result.Winners) != fmt.Sprint([]int{c.seats - 2}) || s.Ratings != nil || s.Unrated != "" {
				t.Errorf("%s: %+v", c.game, s.Result)
			}
			if a, err := h.store.Account(t.Context(), ana.Account().ID); err != nil || len(a.Ratings) > 0 {
				t.Errorf("%s: %+v, %v", c.game, a, err)
			}
			advance(2 * time.Hour) // until it is forgotten
			all, err := h.Archive.FinishedMatches(t.Context(), ana.Account().ID, "ana", "", 10)
			if err != nil || len(all) != 1 || !all[0].Info.Local {
				t.Fatalf("%s: %+v, %v", c.game, all, err)
			}
			s, err := h.Archive.MatchSnapshot(t.Context(), ana.Account().ID, id)
			if err != nil || !s.Info.Local || !slices.Equal(seatNames(s.Info), seatNames(info)) {
				t.Errorf("%s: %+v, %v", c.game, s, err)
			}
		})
	}
}

// TestLocalMatchGoesOnAfterARestart: nothing but the store says which matches are local, and who had the seats.
func TestLocalMatchGoesOnAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := openLocal(t, db)
		ana := h.member("ana")
		id := startLocal(t, ana, "mu", `{"players":4,"segments":2}`, "Tim", "ANA", "", "Zoë")
		playLocal(t, ana, id, 6)
		before := sit(t, ana, id).Snapshot()
		for range 2 {
			h.Close()
			advance(100 * 24 * time.Hour)
			h = openLocal(t, db)
			synctest.Wait()
			ana = h.member("ana")
			after := sit(t, ana, id).Snapshot()
			if after.Position.String() != before.Position.String() || after.Version != before.Version || !after.Info.Local {
				t.Errorf("came back at version %d as %s, local: %v", after.Version, after.Position, after.Info.Local)
			}
			if want := []string{"Tim", "ANA", "Player 3", "Zoë"}; !slices.Equal(seatNames(after.Info), want) {
				t.Errorf("the players are %q, want %q", seatNames(after.Info), want)
			}
			if seat, ok := after.Info.SeatOf(ana.Account().ID); seat != 1 || !ok {
				t.Errorf("the user has seat %d, %v", seat, ok)
			}
			if got := ana.Account().Name; got != "ana" {
				t.Errorf("the user is %s", got)
			}
		}
		defer h.Close()
		if err := sit(t, ana, id).Offer(t.Context(), match.OfferUndo); err != nil {
			t.Error(err)
		}
		playLocal(t, ana, id, 5)
		if s := sit(t, ana, id).Snapshot(); s.Turns != 10 || s.IsOver() {
			t.Errorf("%d turns, result %+v", s.Turns, s.Result)
		}
	})
}

// TestOnlyALocalLobbyHasLocalMatches: a server starts none, and one in its store is an ordinary match there, whose other seat
// nobody has. In a local lobby matches with bots and with guests are not local.
func TestOnlyALocalLobbyHasLocalMatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := openLocal(t, db)
		ana := h.member("ana")
		id := startLocal(t, ana, "ayu", string(smallOptions))
		playLocal(t, ana, id, 2)
		seats := h.pair(ana, h.enter(h.Accounts.NewGuest()), table.Proposal{Options: smallOptions, Clock: &clock.Control{}})
		if seats[0].Match().Info.Local {
			t.Error("a match with a guest is local")
		}
		h.Close()

		h = open(t, db)
		ana = h.member("ana")
		synctest.Wait()
		_, err := ana.StartLocal(t.Context(), "ayu", smallOptions, nil)
		wantCode(t, "a local match on a server", err, errcode.NotAllowed)
		playLocal(t, ana, id, 1)
		p := sit(t, ana, id)
		if p.Match().Info.Local || p.Seat() != 0 || h.IsLocal() {
			t.Errorf("on a server the session acts for seat %d; local: %v", p.Seat(), p.Match().Info.Local)
		}
		s := p.Snapshot()
		_, err = p.Act(t.Context(), s.Version, s.Position.Legal()[:1])
		wantCode(t, "a turn for the other seat", err, errcode.NotYourTurn)
		h.Close()
		advance(31 * 24 * time.Hour)
		h = open(t, db)
		synctest.Wait()
		if _, _, ok := sit(t, h.member("ana"), id).Snapshot().Aborted(); !ok {
			t.Error("a server does not abort the match after a month")
		}
		h.Close()

		h = openLocal(t, db)
		defer h.Close()
		if m, err := h.Match(seats[0].Match().Info.ID); err == nil && m.Info.Local {
			t.Error("after a restart a match with a guest is local")
		}
	})
}

// TestLocalNames has names as people type and paste them. What is accepted is shown safely and can be read back from the
// record.
func TestLocalNames(t *testing.T) {
	withLocal(t, func(t *testing.T, h harness, ana *lobby.Session) {
		for _, c := range []struct {
			names []string
			want  []string // nil: refused
		}{
			{nil, []string{"Player 1", "Player 2"}},
			{[]string{"Tim"}, []string{"Tim", "Player 2"}},
			{[]string{"", "\x1b[2J\u202e \u200b"}, []string{"Player 1", "[2J"}},
			{[]string{"  Anna   Lena\n", "Bo\tb\x00"}, []string{"Anna Lena", "Bo b"}},
			{[]string{`a"b\c`, "[Seat0 \"x\"]"}, []string{`a"b\c`, `[Seat0 "x"]`}},
			{[]string{"木木木木木木木木木木木木木木木木", "e\u0301\u0301\u0301\u0301"}, []string{"木木木木木木木木木木木木木木木木", "e\u0301\u0301"}},
			{[]string{strings.Repeat("x", 17)}, nil},
			{[]string{strings.Repeat("x", 1<<20)}, nil},
			{[]string{"Tim", "tim "}, nil},
			{[]string{"Player 2"}, nil},
			{[]string{"a", "b", "c"}, nil},
		} {
			id, err := ana.StartLocal(t.Context(), "ayu", smallOptions, c.names)
			if c.want == nil {
				wantCode(t, fmt.Sprintf("the names %.60q", c.names), err, errcode.BadRequest)
				continue
			}
			if err != nil {
				t.Errorf("%q: %v", c.names, err)
				continue
			}
			playLocal(t, ana, id, 3)
			info, log, err := h.Archive.MatchLog(t.Context(), ana.Account().ID, id)
			if err != nil || !slices.Equal(seatNames(info), c.want) {
				t.Errorf("%q became %q, want %q (%v)", c.names, seatNames(info), c.want, err)
			}
			var text bytes.Buffer
			if err := record.FromLog("", info, log).Write(&text); err != nil {
				t.Errorf("%q: %v", c.names, err)
				continue
			}
			r, err := record.Read(&text, enginetest.Games)
			if err != nil || r.Seats[0].Name != c.want[0] || r.Seats[1].Name != c.want[1] {
				t.Errorf("%q: the record has %+v, %v", c.names, r, err)
			}
			if err := sit(t, ana, id).Resign(t.Context()); err != nil {
				t.Error(err)
			}
		}
		for _, c := range [][2]string{{"chess", ""}, {"ayu", `{"size":4}`}, {"ayu", `{"size":`}, {"mu", `{"players":7}`}} {
			_, err := ana.StartLocal(t.Context(), c[0], []byte(c[1]), nil)
			wantCode(t, strings.Join(c[:], " "), err, errcode.BadRequest)
		}
	})
}

// TestLocalMatchesAreLimited: a match at one keyboard counts once for its user.
func TestLocalMatchesAreLimited(t *testing.T) {
	withLocal(t, func(t *testing.T, h harness, ana *lobby.Session) {
		limits := h.Limits()
		limits.MatchesPerUser = 3
		h.SetLimits(limits)
		var id string
		for range 3 {
			id = startLocal(t, ana, "mu", `{"players":6,"segments":1}`)
		}
		_, err := ana.StartLocal(t.Context(), "ayu", smallOptions, nil)
		wantCode(t, "a fourth match", err, errcode.Full)
		for range 5 {
			if err := sit(t, ana, id).Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if s := sit(t, ana, id).Snapshot(); s.Result == nil || s.Result.Reason != engine.ReasonLeft {
			t.Errorf("after five players have left: %+v", s.Result)
		}
		startLocal(t, ana, "ayu", string(smallOptions))
	})
}

// TestUntimedMatchesWaitInALocalLobby closes a local lobby for a month after the first turn of a match with another user, as
// bots are: it goes on.
func TestUntimedMatchesWaitInALocalLobby(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := openLocal(t, db)
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{}})
		s := seats[0].Snapshot()
		if _, err := seats[0].Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
			t.Fatal(err)
		}
		h.Close()
		advance(31 * 24 * time.Hour)
		h = openLocal(t, db)
		defer h.Close()
		synctest.Wait()
		if s := sit(t, h.member("bob"), s.Info.ID).Snapshot(); s.IsOver() || s.Turns != 1 {
			t.Errorf("the match is over after %d turns: %+v", s.Turns, s.Result)
		}
	})
}
