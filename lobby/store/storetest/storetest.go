// Package storetest tests what every store promises, whatever it stores its data in.
//
// What is true only of one database, such as its files, its schema and its failures, is tested beside that
// store. Its tests may use the accounts, matches and logs of this package.
package storetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

// Run runs all tests. Each calls create, which makes an empty database for matches of enginetest.Games and
// returns a function that opens a store on it. A database that has only one store returns that again. The
// stores are closed by create, when the test ends.
func Run(t *testing.T, create func(t *testing.T) (open func() store.Store)) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, open func() store.Store)
	}{
		{"Accounts", testAccounts},
		{"Keys", testKeys},
		{"Blocks", testBlocks},
		{"Deletion", testDeletion},
		{"Match", testMatch},
		{"MatchStart", testMatchStart},
		{"ConditionalAppend", testConditionalAppend},
		{"AppendIDs", testAppendIDs},
		{"Conditions", testConditions},
		{"ConditionVersions", testConditionVersions},
		{"Unfinished", testUnfinished},
		{"RatingsOnce", testRatingsOnce},
		{"Unrated", testUnrated},
		{"Places", testPlaces},
		{"FinishedMatches", testFinishedMatches},
		{"Departures", testDepartures},
		{"Faults", testFaults},
		{"Tally", testTally},
		{"RatingHistory", testRatingHistory},
		{"RepeatedMatches", testRepeatedMatches},
		{"RepeatedMeetings", testRepeatedMeetings},
		{"Leaderboard", testLeaderboard},
		{"OpenAccess", testOpenAccess},
		{"Newcomers", testNewcomers},
		{"BuiltInPlayers", testBuiltInPlayers},
		{"ManyNewcomers", testManyNewcomers},
		{"Lobby", testLobby},
		{"Invitations", testInvitations},
		{"Members", testMembers},
		{"Sanctions", testSanctions},
		{"SanctionsFollowKeys", testSanctionsFollowKeys},
		{"SanctionNames", testSanctionNames},
		{"Reports", testReports},
		{"Audit", testAudit},
		{"Puzzles", testPuzzles},
		{"AddedPuzzles", testAddedPuzzles},
		{"Announcements", testAnnouncements},
		{"OldAnnouncements", testOldAnnouncements},
		{"MemberList", testMemberList},
		{"Roles", testRoles},
		{"InvitationList", testInvitationList},
		{"Played", testPlayed},
		{"Receivers", testReceivers},
		{"Notifications", testNotifications},
		{"OwnNotifications", testOwnNotifications},
		{"Queues", testQueues},
		{"EndedMatches", testEndedMatches},
		{"Tournaments", testTournaments},
		{"TournamentList", testTournamentList},
		{"Attendance", testAttendance},
		{"ExpectedErrors", testExpectedErrors},
		{"HostileText", testHostileText},
		{"Closed", testClosed},
		{"Maintenance", testMaintenance},
		{"Transfer", testTransfer},
		{"AppendsAtOnce", testAppendsAtOnce},
		{"ConditionsAtOnce", testConditionsAtOnce},
		{"EndsAtOnce", testEndsAtOnce},
		{"RepeatedAtOnce", testRepeatedAtOnce},
		{"MatchesAtOnce", testMatchesAtOnce},
		{"StartsAtOnce", testStartsAtOnce},
		{"NamesAtOnce", testNamesAtOnce},
		{"KeysAtOnce", testKeysAtOnce},
		{"LastKeyAtOnce", testLastKeyAtOnce},
		{"DeletionAtOnce", testDeletionAtOnce},
		{"InvitationsAtOnce", testInvitationsAtOnce},
		{"ReportsAtOnce", testReportsAtOnce},
		{"SanctionsAtOnce", testSanctionsAtOnce},
		{"TriesAtOnce", testTriesAtOnce},
		{"OwnersAtOnce", testOwnersAtOnce},
		{"LeasesAtOnce", testLeasesAtOnce},
		{"TournamentsAtOnce", testTournamentsAtOnce},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, create(t)) })
	}
}

// Start is the time at which the matches of the tests start.
var Start = time.Date(2026, 11, 20, 20, 0, 0, 123456789, time.UTC)

// Guest is a guest's account, which no store has.
var Guest = account.Account{ID: -3, Name: "guest-x"}

// Must returns a function that returns v and ends the test if err is not nil.
func Must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Want checks that an error is the wanted one. what names the call.
func Want(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Account creates an account with the key "key of NAME".
func Account(t testing.TB, s lobby.Store, name string) account.Account {
	t.Helper()
	return Must[account.Account](t)(s.CreateAccount(t.Context(), name, []byte("key of "+name), Start))
}

// Unfinished returns the number of unfinished matches in which a player of that name has a seat.
func Unfinished(t testing.TB, s lobby.Store, name string) (n int) {
	t.Helper()
	err := s.Unfinished(t.Context(), func(info *match.Info, _ []match.Entry) error {
		if slices.ContainsFunc(info.Seats, func(seat match.Seat) bool { return seat.Name == name }) {
			n++
		}
		return nil
	})
	Want(t, "reading the unfinished matches", err, nil)
	return n
}

// Seat returns an account's seat at the start of a match of Ayu.
func Seat(a account.Account) match.Seat {
	s := match.Seat{Account: a.ID, Name: a.Name}
	if r, ok := a.Rating("ayu"); ok {
		s.Rating = &r
	}
	return s
}

// Options returns the options of a game in their stored form.
func Options(t testing.TB, game, text string) engine.Options {
	t.Helper()
	g, _ := enginetest.Games.ByName(game)
	return Must[engine.Options](t)(g.ParseOptions([]byte(text)))
}

// Match returns a rated match of Ayu on 5×5 without pie, or with other options.
func Match(t testing.TB, id, options string, accounts ...account.Account) *match.Info {
	t.Helper()
	if options == "" {
		options = `{"size":5,"pie":false}`
	}
	info := &match.Info{
		ID: id, Game: "ayu", Options: Options(t, "ayu", options), Rated: true, Started: Start,
		Control: clock.Control{Initial: 90 * time.Second, Increment: 1500 * time.Millisecond},
	}
	for _, a := range accounts {
		info.Seats = append(info.Seats, Seat(a))
	}
	return info
}

// NewChance returns a random source that is the same in every run.
func NewChance() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// Log plays up to that number of random turns of a match and returns its entries.
func Log(t testing.TB, info *match.Info, turns int, chance *rand.Rand) []match.Entry {
	t.Helper()
	game, _ := enginetest.Games.ByName(info.Game)
	p := game.New(info.Options)
	var entries []match.Entry
	for range turns {
		e := match.Entry{
			Kind: match.EntryTurn, Seat: p.Turn(), At: info.Started.Add(time.Duration(len(entries)+1) * time.Second),
			Clocks: []time.Duration{time.Minute, 59 * time.Second},
		}
		for done := false; !done; done = !p.MidTurn() {
			legal := p.Legal()
			if len(legal) == 0 {
				return entries
			}
			action := legal[chance.IntN(len(legal))]
			e.Actions = append(e.Actions, action)
			p = Must[engine.Position](t)(p.Play(action))
		}
		e.Digest = match.Digest(p)
		entries = append(entries, e)
	}
	return entries
}

// End returns the last entry of a match of two in which each has made two turns, after that time.
func End(after time.Duration, reason string, winners ...int) match.Entry {
	return match.Entry{
		Kind: match.EntryEnd, Seat: -1, Result: &engine.Result{Winners: append([]int{}, winners...), Reason: reason},
		TurnsMade: []int{2, 2}, Sides: []string{"b", "w"}, At: Start.Add(after), Digest: "0123456789abcdef",
	}
}

// After returns the end of a log with that number of entries, of which none has an AppendID.
func After(version int) match.LogEnd { return match.LogEnd{Version: version} }

// Finish creates a match, plays that number of its turns, and then stores its end.
func Finish(t testing.TB, s lobby.Store, info *match.Info, turns int, last match.Entry) {
	t.Helper()
	if err := s.CreateMatch(t.Context(), info, lobby.MatchStart{}); err != nil {
		t.Fatal(err)
	}
	entries := Log(t, info, turns, NewChance())
	if err := s.Append(t.Context(), info.ID, After(0), append(entries, last)...); err != nil {
		t.Fatal(err)
	}
}

// Ratings returns an account's ratings by pool.
func Ratings(t testing.TB, s lobby.Store, id account.ID) map[string]rating.Rating {
	t.Helper()
	return Must[account.Account](t)(s.Account(t.Context(), id)).Ratings
}

// atOnce calls do for 0 to n-1, each in a goroutine of its own, and waits for them. It returns how many of
// the calls returned nil, and reports errors other than the wanted ones.
func atOnce(t *testing.T, n int, do func(i int) error, wanted ...error) (succeeded int) {
	t.Helper()
	errs := make([]error, n)
	start := make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	done.Wait()
	for i, err := range errs {
		known := false
		for _, w := range wanted {
			known = known || errors.Is(err, w)
		}
		switch {
		case err == nil:
			succeeded++
		case !known:
			t.Errorf("call %d: %v", i, err)
		}
	}
	return succeeded
}
