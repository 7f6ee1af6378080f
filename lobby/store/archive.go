package store

import (
	"context"
	"slices"

	"ayumu/lobby"
)

// finish files a match that has just ended. mu must be held.
func (s *Memory) finish(m *kept, end lobby.Entry) {
	f := lobby.Finished{Info: m.info, Result: *end.Result, Ended: end.At}
	for _, e := range m.log {
		if e.Kind == lobby.Turn {
			f.Turns++
		}
	}
	s.finished = append(s.finished, f)
}

// Finished implements lobby.Store.
func (s *Memory) Finished(_ context.Context, q lobby.Query) ([]lobby.Finished, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []lobby.Finished
	skip := q.Before != ""
	for _, f := range slices.Backward(s.finished) {
		if skip {
			skip = f.Info.ID != q.Before
			continue
		}
		sat := slices.ContainsFunc(f.Info.Seats, func(s lobby.Seat) bool { return s.Account == q.Player })
		if q.Player == 0 || sat {
			found = append(found, f)
		}
		if len(found) == q.Limit {
			break
		}
	}
	return found, nil
}

// Top implements lobby.Store.
func (s *Memory) Top(_ context.Context, pool string, limit int) ([]lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var top []lobby.Account
	for _, a := range s.accounts {
		if a.Ratings[pool].Settled() {
			top = append(top, a)
		}
	}
	slices.SortFunc(top, func(a, b lobby.Account) int {
		return int(b.Ratings[pool].Value - a.Ratings[pool].Value)
	})
	return top[:min(len(top), limit)], nil
}

// History implements lobby.Store: Memory rates no games.
func (s *Memory) History(context.Context, lobby.AccountID, string, int) ([]lobby.RatingPoint, error) {
	return nil, nil
}

// Record implements lobby.Store: Memory keeps no tallies.
func (s *Memory) Record(context.Context, lobby.AccountID, string) (lobby.Tally, error) {
	return lobby.Tally{}, nil
}
