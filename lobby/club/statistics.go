package club

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/match"
)

// Statistics is what was played in the last weeks, without aborted games.
type Statistics struct {
	Weeks       []int // finished games in each of the last statisticsWeeks weeks, the last one up to now
	NewAccounts int   // in these weeks, without bots and accounts that are deleted
	// ActiveWeek and ActiveMonth are the numbers of accounts, without bots, that finished a game in the last 7 and 30
	// days.
	ActiveWeek, ActiveMonth int
	Kinds                   []PlayedKind // in these weeks, the most frequent one first
}

// PlayedKind is what was played with equal options.
type PlayedKind struct {
	Title      string // match.Title of the options
	Games      int
	FirstWins  int // games that the side to move first has won, whoever had it at the end
	FirstLoses int
	Swaps      int // games in which the colours were exchanged
}

// statisticsWeeks is the number of weeks of Statistics.
const statisticsWeeks = 8

func (m manager) Statistics(ctx context.Context) (s Statistics, err error) {
	if err := m.begin(PermissionMembers); err != nil {
		return s, err
	}
	now := time.Now()
	p, err := m.club.store.Played(ctx, now.Add(-statisticsWeeks*Week))
	if err != nil {
		return s, err
	}
	s.NewAccounts, s.Weeks, s.Kinds = p.NewAccounts, make([]int, statisticsWeeks), playedKinds(p.Seats)
	copy(s.Weeks, p.Weeks)
	if s.ActiveWeek, err = m.club.store.ActivePlayers(ctx, now.Add(-Week)); err != nil {
		return s, err
	}
	s.ActiveMonth, err = m.club.store.ActivePlayers(ctx, now.AddDate(0, 0, -30))
	return s, err
}

// playedKinds adds the seats with equal options up.
func playedKinds(seats []PlayedSeat) []PlayedKind {
	byTitle := make(map[string]*PlayedKind)
	first := make(map[string]engine.Position) // the position with which a kind begins
	for _, p := range seats {
		title := match.Title(p.Options)
		k := byTitle[title]
		if k == nil {
			k = &PlayedKind{Title: title}
			byTitle[title], first[title] = k, p.Options.Game().New(p.Options)
		}
		start := first[title]
		seat := start.Turn()
		side := start.Side(seat)
		if p.Seat == 0 {
			k.Games += p.Games
		}
		if side == "" && p.Seat != seat || p.Side != side {
			continue
		}
		switch p.Outcome {
		case "won":
			k.FirstWins += p.Games
		case "lost":
			k.FirstLoses += p.Games
		}
		if p.Seat != seat {
			k.Swaps += p.Games
		}
	}
	var all []PlayedKind
	for _, k := range byTitle {
		all = append(all, *k)
	}
	slices.SortFunc(all, func(a, b PlayedKind) int { return cmp.Or(b.Games-a.Games, cmp.Compare(a.Title, b.Title)) })
	return all
}
