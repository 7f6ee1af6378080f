package lobby_test

import (
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

func TestProfileCountsWhatWasPlayed(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		if p, err := h.Archive.Profile(t.Context(), "ANA"); err != nil || p.Account.Name != "ana" || len(p.Tallies) != 0 || len(p.RatingHistories) != 0 {
			t.Errorf("before any game: %+v, %v", p, err)
		}
		yes := true
		for range 3 {
			seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Rated: &yes})
			for range 4 {
				turn(t, seats)
			}
			loser := seats[0]
			if loser.Match().Info.Seats[0].Name == "ana" {
				loser = seats[1]
			}
			if err := loser.Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
			advance(time.Minute) // games that end at the same time have no order
		}
		if err := ana.SaveSettings(t.Context(), []byte("secret")); err != nil {
			t.Fatal(err)
		}
		if err := ana.RenameAccount(t.Context(), "anna"); err != nil {
			t.Fatal(err)
		}
		p, err := h.Archive.ProfileByID(t.Context(), ana.Account().ID)
		if err != nil || p.Account.Name != "anna" || p.Account.Settings != nil {
			t.Fatalf("%+v, %v", p, err)
		}
		r := p.Tallies["ayu"]
		if r.Won != 3 || r.Games() != 3 || r.BySide["b"].Won+r.BySide["w"].Won != 3 {
			t.Errorf("the record is %+v", r)
		}
		went := p.RatingHistories["ayu"]
		if len(went) != 3 || went[2].Value <= went[0].Value || went[2].Value != p.Account.Ratings["ayu"].Value {
			t.Errorf("the history is %+v, the rating %+v", went, p.Account.Ratings)
		}
	})
	withHarness(t, func(t *testing.T, h harness) {
		_, err := h.Archive.Profile(t.Context(), "nobody")
		wantCode(t, "nobody's profile", err, errcode.BadRequest)
		_, err = h.Archive.ProfileByID(t.Context(), h.Accounts.NewGuest().ID)
		wantCode(t, "a guest's profile", err, errcode.BadRequest)
	})
}

func TestReplayIsTheMatchAsItEnded(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Delay: 2})
		for range 3 {
			turn(t, seats)
		}
		m := seats[0].Match()
		turns := func(s *match.Snapshot, err error) int {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			return s.Turns
		}
		// While it runs, a player sees it at once and everybody else two turns late, in every way to read
		// it.
		for who, want := range map[*lobby.Session]int{ana: 3, bob: 3, eve: 1} {
			if n := turns(h.Archive.MatchSnapshot(t.Context(), who.Account().ID, m.Info.ID)); n != want {
				t.Errorf("%s replays %d turns, want %d", who.Account().Name, n, want)
			}
			if n := who.Snapshot(m).Turns; n != want {
				t.Errorf("%s sees %d turns, want %d", who.Account().Name, n, want)
			}
		}
		if err := seats[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		last := seats[0].Snapshot()
		advance(2 * time.Hour)
		s, err := h.Archive.MatchSnapshot(t.Context(), 0, m.Info.ID)
		if err != nil || !s.IsOver() || s.Position.String() != last.Position.String() || s.Version != last.Version || s.Turns != 3 || s.RunningSeat != -1 {
			t.Errorf("from the archive: %+v, %v", s, err)
		}
		_, err = h.Archive.MatchSnapshot(t.Context(), 0, "nosuch")
		wantCode(t, "no such match", err, errcode.UnknownMatch)
	})
}

func TestFingerprintIsThatOfSSH(t *testing.T) {
	// ssh-keygen -l prints this for an Ed25519 key of 32 zero bytes.
	wire := append([]byte("\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"), make([]byte, 32)...)
	k := account.Key{Wire: wire}
	if k.Type() != "ssh-ed25519" || k.Fingerprint() != "SHA256:kmYcvdi2GkPeWxB6XLjrZB8JHsy2Hm8luHMFp9GMvqk" {
		t.Errorf("%s %s", k.Type(), k.Fingerprint())
	}
	for _, damaged := range []string{"", "\x00\x00\x00\x0bssh", "\xff\xff\xff\xffssh-ed25519"} {
		if got := (account.Key{Wire: []byte(damaged)}).Type(); got != "unknown" {
			t.Errorf("%q has type %q", damaged, got)
		}
	}
}
