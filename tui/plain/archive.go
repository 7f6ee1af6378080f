package plain

import (
	"context"
	"fmt"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// Lengths of the lists.
const (
	listedGames     = 10
	leaderboardSize = 10
)

// printFinished lists the finished games of the player that args names, or of all players.
func (t *session) printFinished(args string) {
	var list []lobby.FinishedMatch
	if !t.call(func(ctx context.Context) (err error) {
		if err := t.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		list, err = t.session.Lobby().FinishedMatches(ctx, t.session.Account().ID, args, "", listedGames)
		return err
	}) {
		return
	}
	if len(list) == 0 {
		t.printf("No finished games.")
	}
	for _, f := range list {
		t.printf("%s, %s: %s, %s, %s.", f.Ended.UTC().Format("2 Jan 2006"), f.Info.Title(), names(f.Info), words.DescribeOutcome(&f), words.Plural(f.Turns, "turn"))
	}
}

func names(info *lobby.MatchInfo) string {
	var all []string
	for _, s := range info.Seats {
		all = append(all, s.Name)
	}
	return strings.Join(all, " and ")
}

// printLeaderboard prints the highest established ratings, of one game or of all.
func (t *session) printLeaderboard(args string) {
	printed := false
	for _, g := range t.config.Games {
		if args != "" && !strings.EqualFold(args, g.Name()) {
			continue
		}
		for _, seats := range []int{2, 3} {
			pool := lobby.Pool(g.Name(), seats)
			var best []lobby.Account
			if !t.call(func(ctx context.Context) (err error) {
				if err := t.session.Spend(lobby.WorkArchive); err != nil {
					return err
				}
				best, err = t.session.Lobby().Leaderboard(ctx, pool, leaderboardSize)
				return err
			}) {
				return
			}
			if len(best) == 0 {
				continue
			}
			printed = true
			title := g.Name()
			if seats > 2 {
				title += " with three or more players"
			}
			t.printf("Leaderboard of %s:", title)
			for i, a := range best {
				t.printf("%d: %s, %s.", i+1, a.Name, rating(a.Ratings[pool]))
			}
		}
	}
	if !printed {
		t.printf("No established ratings yet. A rating is provisional until its deviation drops to 110.")
	}
}

func rating(r lobby.Rating) string {
	text := fmt.Sprintf("%.0f plus or minus %.0f", r.Value, r.Deviation)
	if !r.IsEstablished() {
		text += ", provisional"
	}
	return text
}

// printProfile prints the ratings and results of the player that args names, else the user's own.
func (t *session) printProfile(args string) {
	if args == "" {
		args = t.session.Account().Name
	}
	var p *lobby.Profile
	if !t.call(func(ctx context.Context) (err error) {
		if err := t.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		p, err = t.session.Lobby().Profile(ctx, args)
		return err
	}) {
		return
	}
	t.printf("%s, joined %s.", p.Account.Name, p.Account.CreatedAt.UTC().Format("2 Jan 2006"))
	for _, g := range t.config.Games {
		for _, seats := range []int{2, 3} {
			if r, ok := p.Account.Ratings[lobby.Pool(g.Name(), seats)]; ok && r.Games > 0 {
				title := g.Name()
				if seats > 2 {
					title += " with three or more players"
				}
				t.printf("%s: %s, after %s.", title, rating(r), words.Plural(r.Games, "rated game"))
			}
		}
		if r, ok := p.Tallies[g.Name()]; ok {
			t.printf("%s: %s, %d won, %d drawn, %d lost.", g.Name(), words.Plural(r.Games(), "game"), r.Won, r.Drawn, r.Lost)
		}
	}
	if len(p.Tallies) == 0 {
		t.printf("No finished games.")
	}
}

// openNextWaiting opens the next game in which it is the user's turn, after the open one.
func (t *session) openNextWaiting(string) {
	me := t.session.Account().ID
	var before, after []string
	past := false
	for _, m := range t.session.SeatedMatches() {
		s := t.session.Snapshot(m)
		switch {
		case t.current != nil && t.current.match == m:
			past = true
		case s.IsOver() || s.Frozen || s.Info.Seats[s.Position.Turn()].Account != me:
		case past:
			after = append(after, m.Info.ID)
		default:
			before = append(before, m.Info.ID)
		}
	}
	list := append(after, before...)
	if len(list) == 0 {
		t.printf("It is not your turn in any other game.")
		return
	}
	if t.current != nil && t.current.isLive() {
		t.printf("The game you are leaving continues and your clock keeps running.")
	}
	t.openMatch(list[0], "")
}
