package lobby_test

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/limit"
	"ayumu/lobby/table"
)

// BenchmarkOpenAndCancel opens a table and closes it again, in a lobby with 100 others.
func BenchmarkOpenAndCancel(b *testing.B) {
	h, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: memoryStore(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	limits := limit.Default()
	limits.TablesPerUser, limits.TablesPerAddress = 1000, 1000
	h.SetLimits(limits)
	bot := h.Accounts.NewGuest()
	bot.Bot = true // no rate limits it
	s, err := h.Enter(bot, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := table.Proposal{Game: "ayu", Options: smallOptions, Clock: &clock.Default}
	for range 100 {
		if _, err := s.OpenTable(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		table, err := s.OpenTable(b.Context(), p)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.CancelTable(b.Context(), table.ID); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkJoin opens a table, which another user joins, so that the match is recorded.
func BenchmarkJoin(b *testing.B) {
	h, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: memoryStore(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	limits := limit.Default()
	limits.Matches, limits.MatchesPerAddress = 1<<20, 1<<20
	h.SetLimits(limits)
	var users [2]*lobby.Session
	for i := range users {
		bot := h.Accounts.NewGuest()
		bot.Bot = true
		if users[i], err = h.Enter(bot, nil); err != nil {
			b.Fatal(err)
		}
	}
	p := table.Proposal{Game: "ayu", Options: smallOptions, Clock: &clock.Default}
	b.ReportAllocs()
	for b.Loop() {
		table, err := users[0].OpenTable(b.Context(), p)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := users[1].JoinTable(b.Context(), table.ID, ""); err != nil {
			b.Fatal(err)
		}
	}
}
