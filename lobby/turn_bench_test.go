package lobby_test

import (
	"context"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// discardingStore records no entries.
type discardingStore struct{ lobby.Store }

func (discardingStore) Append(context.Context, string, match.LogEnd, ...match.Entry) error {
	return nil
}

// BenchmarkTurn measures a turn in a match, from the command to its acknowledgement, without the store:
// what the match itself costs.
func BenchmarkTurn(b *testing.B) {
	s := discardingStore{memoryStore(b)}
	l, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: s})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	var sessions [2]*lobby.Session
	for i := range sessions {
		a := l.Accounts.NewGuest()
		a.Bot = true // its games have no limit
		if sessions[i], err = l.Enter(a, nil); err != nil {
			b.Fatal(err)
		}
	}
	start := func() (seats [2]*lobby.Player) {
		id, err := sessions[0].StartAgainst(b.Context(), table.Proposal{Game: "ayu", Clock: &clock.Default}, sessions[1])
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range sessions {
			p, err := s.AsPlayer(id)
			if err != nil {
				b.Fatal(err)
			}
			seats[p.Seat()] = p
		}
		return seats
	}
	seats := start()
	b.ReportAllocs()
	for b.Loop() {
		snap := seats[0].Snapshot()
		b.StopTimer()
		if snap.Turns >= 40 {
			if err := seats[0].Resign(b.Context()); err != nil {
				b.Fatal(err)
			}
			seats = start()
			snap = seats[0].Snapshot()
		}
		actions := snap.Position.Legal()[:1]
		b.StartTimer()
		if _, err := seats[snap.Position.Turn()].Act(b.Context(), snap.Version, actions); err != nil {
			b.Fatal(err)
		}
	}
}
