package notify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/notify"
	"ayumu/lobby/tournament"
)

// tournament opens a swiss tournament of Ayu, which the sessions enter, and returns its id.
func (h *server) tournament(r tournament.Request, host *lobby.Session, players ...*lobby.Session) string {
	h.t.Helper()
	game, _ := enginetest.Games.ByName("ayu")
	r.Options = []byte(`{"size":5,"pie":false}`)
	terms, err := tournament.NewTerms("Autumn Swiss", tournament.FormatSwiss, r, game)
	if err != nil {
		h.t.Fatal(err)
	}
	id, err := host.CreateTournament(h.t.Context(), terms, true)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, p := range players {
		h.change(p, id, tournament.Input{Kind: tournament.InputEnter})
	}
	return id
}

func (h *server) change(s *lobby.Session, id string, in tournament.Input) {
	h.t.Helper()
	if err := s.ChangeTournament(h.t.Context(), id, in); err != nil {
		h.t.Fatal(err)
	}
	synctest.Wait()
}

// key returns the id of the notification of a notice.
func key(id, kind, version string, s *lobby.Session) string {
	return "tournament/" + id + "/" + kind + "/" + version + "/" + s.Account().ID.String()
}

// resign has the seat to move of the match of a game resign.
func (h *server) resign(id string, players ...*lobby.Session) {
	h.t.Helper()
	for _, s := range players {
		if p, err := s.AsPlayer(id); err == nil && p.Snapshot().Position.Turn() == p.Seat() {
			if err := p.Resign(h.t.Context()); err != nil {
				h.t.Fatal(err)
			}
			return
		}
	}
	h.t.Fatalf("nobody is to move in %s", id)
}

// TestTournamentIsNotified: the check-in, each round and the end are notified once to who wants it, by the process that has the
// tournament and not again by the next one, and to nobody who has switched tournaments off.
func TestTournamentIsNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		h := open(t, db, sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana)
		h.receiver(bob, func(s *notify.Settings) {
			s.Events = slices.DeleteFunc(slices.Clone(notify.Events), func(e notify.Event) bool { return e == notify.EventTournament })
		})
		time.Sleep(time.Minute)
		id := h.tournament(tournament.Request{Clock: &clock.Control{Initial: 10 * time.Minute, Increment: 10 * time.Second}, Min: 2, Rounds: 1, CheckIn: new(120), FirstTurn: 600}, bob, ana, bob)
		h.want("entering", ana)
		h.change(bob, id, tournament.Input{Kind: tournament.InputStart})
		h.want("the check-in", ana, key(id, "check_in", "", ana))
		for _, s := range []*lobby.Session{ana, bob} {
			h.change(s, id, tournament.Input{Kind: tournament.InputCheckIn})
		}
		time.Sleep(2 * time.Minute)
		game := tournament.MatchID(id, 1, 1)
		h.want("the round", ana, key(id, "game", "1", ana))

		h.stop()
		h = open(t, db, sent)
		ana, bob = lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		time.Sleep(2 * time.Minute)
		h.want("after a restart", ana)
		h.resign(game, ana, bob)
		h.want("the end", ana, key(id, "closed", "", ana))
		time.Sleep(time.Hour)
		h.want("later", ana)
		h.want("who has switched it off", bob)
		for _, text := range []string{"Go Club: Autumn Swiss, round 1, against bob\nAutumn Swiss begins. You play bob in round 1 (Ayu 5×5, 10+10).\nssh -t play.example.org watch " + game,
			"Autumn Swiss: the check-in is open until ", "\nssh play.example.org tournament check-in " + id, "Autumn Swiss: the tournament is over, and your place is ", "\nssh play.example.org tournament " + id} {
			if !slices.ContainsFunc(sent.texts, func(s string) bool { return strings.Contains(s, text) }) {
				t.Errorf("no message says %q; they are %q", text, sent.texts)
			}
		}
	})
}

// TestTermsAndRulingsAreNotified: other terms, and that a game was decided, reach all players once, by webhook and by mail.
func TestTermsAndRulingsAreNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		post := &mailer{receivers: receivers{acknowledged: make(map[string]int), contents: make(map[string][]string)}}
		sent := &receivers{mail: post}
		h := open(t, lobbytest.Store(t), sent)
		olga, ana, bob := lobbytest.Member(t, h.Lobby, "olga"), lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana)
		const address = "bob@example.org"
		h.receiver(bob, func(s *notify.Settings) { s.Kind, s.Address = notify.KindMail, address })
		if _, err := h.own(bob).Confirm(t.Context(), strings.Fields(post.codes[0])[1]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		id := h.tournament(tournament.Request{Clock: &clock.Default, Min: 2, Rounds: 1}, olga, ana, bob)
		want := func(what, byWebhook, byMail string, notices ...[2]string) {
			t.Helper()
			var keys, mails []string
			for _, n := range notices {
				keys, mails = append(keys, key(id, n[0], n[1], ana)), append(mails, key(id, n[0], n[1], bob))
			}
			h.want(what, ana, keys...)
			if got := post.take(address); !slices.Equal(got, mails) {
				t.Errorf("%s: the mails are %q, want %q", what, got, mails)
			}
			for text, texts := range map[string][]string{byWebhook: sent.texts, byMail: post.texts} {
				if !slices.ContainsFunc(texts, func(s string) bool { return strings.HasSuffix(s, text) }) {
					t.Errorf("%s: no message says %q; they are %q", what, text, texts)
				}
			}
		}
		terms := h.Tournaments.Known(id).Terms
		terms.Rated, terms.Start = false, time.Now().Add(time.Hour).Truncate(time.Minute)
		h.change(olga, id, tournament.Input{Kind: tournament.InputEdit, Terms: terms})
		text := "Autumn Swiss: the organizer has changed the terms: the games are casual and it starts at " + terms.Start.UTC().Format("2006-01-02 15:04") + " UTC.\nssh play.example.org tournament " + id
		want("other terms", text, text, [2]string{"edited", strconv.Itoa(h.Tournaments.Known(id).Edits.Version)})
		h.change(olga, id, tournament.Input{Kind: tournament.InputStart})
		want("the round", "", "", [2]string{"game", "1"})
		places := []int{1, 2}
		if p, err := ana.AsPlayer(tournament.MatchID(id, 1, 1)); err != nil || p.Seat() == 1 {
			places = []int{2, 1}
		}
		h.change(olga, id, tournament.Input{Kind: tournament.InputRule, Round: 1, Table: 1, Places: places, Note: "bob was not there."})
		text = "Autumn Swiss: your game of round 1 is decided: you %s (bob was not there).\nssh play.example.org tournament " + id
		want("the ruling and the end", fmt.Sprintf(text, "win"), fmt.Sprintf(text, "lose"), [2]string{"closed", ""}, [2]string{"ruled", "1"})
	})
}

// TestDeadlineOfARoundIsNotified: in a tournament of days both players are warned before the time of the round is up, once, and
// again after the organizer has given it more time.
func TestDeadlineOfARoundIsNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := new(receivers)
		h := open(t, lobbytest.Store(t), sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana, func(s *notify.Settings) { s.Events = []notify.Event{notify.EventTournament} })
		h.receiver(bob, func(s *notify.Settings) { s.Events = []notify.Event{notify.EventTournament} })
		time.Sleep(time.Minute)
		id := h.tournament(tournament.Request{Clock: &clock.Control{Days: 5}, Min: 2, Rounds: 1, Cap: 60}, bob, ana, bob)
		h.change(bob, id, tournament.Input{Kind: tournament.InputStart})
		h.want("the round", ana, key(id, "game", "1", ana))
		h.want("the round", bob, key(id, "game", "1", bob))
		warning := func() string {
			s := h.Tournaments.Known(id)
			return "1-" + strconv.FormatInt(s.Rounds[0].Deadline.Unix(), 10)
		}
		time.Sleep(35 * time.Hour)
		h.want("before the warning", ana)
		time.Sleep(time.Hour)
		h.want("the warning", ana, key(id, "deadline", warning(), ana))
		h.want("the warning", bob, key(id, "deadline", warning(), bob))
		h.change(bob, id, tournament.Input{Kind: tournament.InputExtend, Hours: 48})
		time.Sleep(24 * time.Hour)
		h.want("after the extension", ana)
		time.Sleep(24 * time.Hour)
		h.want("the second warning", ana, key(id, "deadline", warning(), ana))
		time.Sleep(24 * time.Hour)
		h.want("the end", ana, key(id, "closed", "", ana), key(id, "ruled", "1", ana))
		if text := "Autumn Swiss: your game of round 1 against bob is drawn if it has not ended at "; !slices.ContainsFunc(sent.texts, func(s string) bool { return strings.Contains(s, text) }) {
			t.Errorf("no message says %q; they are %q", text, sent.texts)
		}
	})
}

// TestNoticesAreStoredBeforeTheTournamentIsSettled: while notices cannot be stored, the tournament goes on and is not settled, and
// afterwards everything is notified that still is wanted.
func TestNoticesAreStoredBeforeTheTournamentIsSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		var failing atomic.Bool
		h := open(t, db, sent, func(c *lobby.Config) {
			store := c.Notices
			c.Notices = func(ctx context.Context, notices []lobby.TournamentNotice) error {
				if failing.Load() {
					return errors.New("the store fails")
				}
				return store(ctx, notices)
			}
		})
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana)
		time.Sleep(time.Minute)
		id := h.tournament(tournament.Request{Clock: &clock.Default, Min: 2, Rounds: 1}, bob, ana, bob)
		failing.Store(true)
		h.change(bob, id, tournament.Input{Kind: tournament.InputStart})
		h.want("a round whose notices cannot be stored", ana)
		h.resign(tournament.MatchID(id, 1, 1), ana, bob)
		time.Sleep(20 * time.Second)
		if s := h.Tournaments.Known(id); s.Phase != tournament.PhaseClosed {
			t.Errorf("the tournament is %s", s.Phase)
		}
		if left, err := db.UnsettledTournaments(t.Context()); err != nil || len(left) != 1 {
			t.Errorf("unsettled: %v, %v", left, err)
		}
		failing.Store(false)
		time.Sleep(10 * time.Second)
		h.want("the end", ana, key(id, "closed", "", ana))
		if left, err := db.UnsettledTournaments(t.Context()); err != nil || len(left) != 0 {
			t.Errorf("unsettled: %v, %v", left, err)
		}
	})
}

// TestNoticesOfTwoNodes: what two nodes pass on is sent once.
func TestNoticesOfTwoNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		h := open(t, db, sent)
		other := notify.New(notify.Config{Store: db, Match: db.Match})
		ana := lobbytest.Member(t, h.Lobby, "ana")
		h.receiver(ana)
		time.Sleep(time.Minute)
		n := lobby.TournamentNotice{Tournament: "t1", Name: "Cup", Notice: tournament.Notice{
			Key: "t1/bye/1/1", User: ana.Account().ID, Kind: tournament.NoticeBye, Text: "you have no opponent in round 1", At: time.Now(), Round: 1,
		}}
		pass := func() {
			for _, s := range []*notify.Service{h.s, other} {
				if err := s.TournamentNotices(t.Context(), []lobby.TournamentNotice{n}); err != nil {
					t.Fatal(err)
				}
			}
		}
		pass()
		h.want("a notice", ana, "tournament/t1/bye/1/1")
		pass()
		h.want("the same notice", ana)
		if err := (*notify.Service)(nil).TournamentNotices(t.Context(), []lobby.TournamentNotice{n}); err != nil {
			t.Error(err)
		}
	})
}

// TestHeldBackNoticesOfTournaments: a notice that quiet hours have held back is left out if its time has passed or its game is over.
func TestHeldBackNoticesOfTournaments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		h := open(t, db, sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		now := time.Now().UTC()
		minute := now.Hour()*60 + now.Minute()
		h.receiver(ana, func(s *notify.Settings) {
			s.Events, s.Quiet = []notify.Event{notify.EventTournament}, notify.Quiet{From: minute, Until: (minute + 120) % (24 * 60)}
		})
		time.Sleep(time.Minute)
		over, running := h.match(ana, bob), h.match(ana, bob)
		if err := over[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		notice := func(k string, until time.Time, m *lobby.Match) lobby.TournamentNotice {
			n := lobby.TournamentNotice{Tournament: "t1", Name: "Cup", Notice: tournament.Notice{Key: k, User: ana.Account().ID, Kind: tournament.NoticeGame, Text: "x", At: time.Now(), Until: until}}
			if m != nil {
				n.Match = m.Info.ID
			}
			return n
		}
		err := h.s.TournamentNotices(t.Context(), []lobby.TournamentNotice{
			notice("past", time.Now().Add(time.Hour), nil), notice("future", time.Now().Add(5*time.Hour), nil), notice("none", time.Time{}, nil),
			notice("over", time.Time{}, over[0].Match()), notice("running", time.Time{}, running[0].Match()),
			notice("not created", time.Time{}, &lobby.Match{Info: &match.Info{ID: "unknown"}}),
		})
		if err != nil {
			t.Fatal(err)
		}
		h.want("in quiet hours", ana)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		sent.mu.Lock()
		defer sent.mu.Unlock()
		var got []string
		for _, contents := range sent.contents {
			got = append(got, contents...)
		}
		slices.Sort(got)
		if want := []string{"tournament/future", "tournament/none", "tournament/not created", "tournament/running"}; !slices.Equal(got, want) {
			t.Errorf("sent %q, want %q", got, want)
		}
	})
}
