package plain

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// Lengths of the lists.
const (
	listedGames     = 10
	leaderboardSize = 10
	listedRatings   = 20
)

// archiveCommands list finished games, ratings and profiles.
type archiveCommands struct{ *session }

// printFinished lists the newest finished games of the player that args names, or of all players.
func (t archiveCommands) printFinished(args string) {
	t.finishedOf, t.finished = args, nil
	t.printOlder("")
}

// printMore continues the last list of finished games.
func (t archiveCommands) printMore(string) {
	if len(t.finished) == 0 {
		t.printf("Type finished first.")
		return
	}
	t.printOlder(t.finished[len(t.finished)-1])
}

// printOlder lists finished games that ended before the one with an id; "" lists the newest.
func (t archiveCommands) printOlder(before string) {
	var list []lobby.FinishedMatch
	if !t.call(func(ctx context.Context) (err error) {
		list, err = t.visit.Archive().Finished(ctx, t.finishedOf, before, listedGames)
		return err
	}) {
		return
	}
	if len(list) == 0 && before != "" {
		t.printf("No older games.")
		return
	} else if len(list) == 0 {
		t.printf("No finished games.")
	}
	t.finished = nil
	for i, f := range list {
		t.finished = append(t.finished, f.Info.ID)
		t.printf("%d: %s, %s: %s, %s, %s.", i+1, f.Ended.UTC().Format("2 Jan 2006"), f.Info.Title(), t.names(f.Info), words.DescribeOutcome(&f), words.Plural(f.Turns, "turn"))
	}
	if len(list) > 0 {
		t.printf("Type replay and a number to go through a game, or more for older games.")
	}
}

func (t *session) names(info *lobby.MatchInfo) string {
	var all []string
	for _, s := range info.Seats {
		all = append(all, t.config.LongName(s))
	}
	return strings.Join(all, " and ")
}

// printLeaderboard prints the highest established ratings, of one game or of all.
func (t archiveCommands) printLeaderboard(args string) {
	var all []op.Leaderboard
	if !t.call(func(ctx context.Context) (err error) {
		all, err = t.visit.Archive().Leaderboards(ctx, t.config.Games, strings.ToLower(args), leaderboardSize)
		return err
	}) {
		return
	}
	for _, l := range all {
		t.printf("Leaderboard of %s:", l.Pool.LongTitle)
		for i, a := range l.Top {
			t.printf("%d: %s, %s.", i+1, a.Name, rating(a.Ratings[l.Pool.Key]))
		}
	}
	if len(all) > 0 {
		return
	}
	var required lobby.Requirements
	if t.call(func(ctx context.Context) (err error) {
		required, err = t.visit.Archive().Requirements(ctx)
		return err
	}) {
		t.printf("Nobody has a place yet. %s", words.PlaceRequirements(required))
	}
}

func tally(t lobby.Tally) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost", t.Won, t.Drawn, t.Lost)
}

func rating(r lobby.Rating) string {
	text := fmt.Sprintf("%.0f plus or minus %.0f", r.Value, r.Deviation)
	if !r.IsEstablished() {
		text += ", provisional"
	}
	return text
}

// printProfile prints the ratings and results of the player that args names, else the user's own.
func (t archiveCommands) printProfile(args string) {
	if args == "" {
		args = t.visit.Session.Account().Name
	}
	var p *lobby.Profile
	if !t.call(func(ctx context.Context) (err error) {
		p, err = t.visit.Archive().Profile(ctx, args)
		return err
	}) {
		return
	}
	t.printf("%s, joined %s.", words.BotName(p.Account.Name, t.config.Bots.Level(p.Account.ID)), p.Account.CreatedAt.UTC().Format("2 Jan 2006"))
	for _, pool := range words.RatingPools(t.config.Games) {
		if r, ok := p.Account.Ratings[pool.Key]; ok {
			t.printf("%s: %s, after %s.", pool.LongTitle, rating(r), words.Plural(r.Games, "rated game"))
			t.printRatings(p.RatingHistories[pool.Key])
		}
	}
	for _, g := range t.config.Games {
		if r, ok := p.Tallies[g.Name()]; ok {
			t.printf("%s: %s, %s.", g.Engine().Title(), words.Plural(r.Games(), "game"), tally(r))
			for _, side := range words.SideTallies(g, r) {
				t.printf("As %s: %s.", side.Side, tally(side.Tally))
			}
			for _, options := range slices.Sorted(maps.Keys(r.ByOptions)) {
				t.printf("%s: %s.", options, tally(r.ByOptions[options]))
			}
		}
	}
	if len(p.Tallies) == 0 {
		t.printf("No finished games.")
	}
}

// printRatings prints the last ratings of a history, oldest first.
func (t archiveCommands) printRatings(history []lobby.RatingPoint) {
	history = history[max(len(history)-listedRatings, 0):]
	if len(history) == 0 {
		return
	}
	var values []string
	for _, point := range history {
		values = append(values, fmt.Sprintf("%.0f", point.Value))
	}
	t.printf("Rating after the last %s: %s.", words.Plural(len(history), "game"), strings.Join(values, ", "))
}
