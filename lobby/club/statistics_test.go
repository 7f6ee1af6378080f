package club_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/match"
	"ayumu/lobby/store/storetest"
)

// TestStatistics compares every figure with a made-up history of ten weeks.
func TestStatistics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, db := openClub(t)
		const day = 24 * time.Hour
		<-time.After(time.Until(storetest.Start.Add(10 * club.Week)))
		newAccount := func(name string, after time.Duration) account.Account {
			return storetest.Must[account.Account](t)(db.CreateAccount(t.Context(), name, []byte("key of "+name), storetest.Start.Add(after)))
		}
		ana, bob := newAccount("ana", 0), newAccount("bob", 0)
		cleo, dora, bot, other := newAccount("cleo", 3*club.Week), newAccount("dora", 4*club.Week), newAccount("bot", 4*club.Week), newAccount("other", 4*club.Week)
		for _, a := range []account.Account{bot, other} {
			storetest.Want(t, "a bot", db.SetBot(t.Context(), a.ID, true), nil)
		}
		games := 0
		play := func(options string, ago time.Duration, black, white account.Account, last match.Entry) {
			games++
			info := storetest.Match(t, string(rune('a'+games)), options, black, white)
			for i, a := range []account.Account{black, white} {
				info.Seats[i].Bot = a.ID == bot.ID || a.ID == other.ID
			}
			last.At = storetest.Start.Add(10*club.Week - ago)
			storetest.Finish(t, db, info, 0, last)
		}
		won := func(winners ...int) match.Entry { return storetest.End(0, engine.ReasonResign, winners...) }
		swapped := won(1) // White took the colour of the first move, and won with it
		swapped.Sides = []string{"w", "b"}
		const large = `{"size":7,"pie":true}`
		play("", 9*club.Week, ana, bob, won(0)) // too old
		play("", 8*club.Week-day, ana, bob, won(1))
		play("", 20*day, dora, ana, won(0)) // who deletes the account
		play("", 10*day, cleo, bot, won(0, 1))
		play(large, day, ana, bob, swapped)
		play(large, 2*day, other, bot, won(0))
		play("", day, bob, cleo, storetest.End(0, engine.ReasonAbort))
		storetest.Want(t, "delete", db.DeleteAccount(t.Context(), dora.ID, time.Now()), nil)

		got, err := c.Manager(club.Actor{Role: club.RoleServerOwner, Name: "boss"}).Statistics(t.Context())
		small, big := match.Title(storetest.Options(t, "ayu", `{"size":5,"pie":false}`)), match.Title(storetest.Options(t, "ayu", large))
		want := club.Statistics{
			Weeks:       []int{1, 0, 0, 0, 0, 1, 1, 2}, // 55, 20, 10, and 2 and 1 days ago
			NewAccounts: 1,                             // cleo
			ActiveWeek:  2,                             // ana and bob
			ActiveMonth: 4,                             // cleo and dora as well
			Kinds: []club.PlayedKind{
				{Title: small, Games: 3, FirstWins: 1, FirstLoses: 1},
				{Title: big, Games: 2, FirstWins: 2, Swaps: 1},
			},
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the statistics are\n%+v, want\n%+v; %v", got, want, err)
		}
	})
}
