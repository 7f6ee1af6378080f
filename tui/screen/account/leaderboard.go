package account

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// place is a row of the list.
type place struct {
	account.Account
	number int // from 1
}

// leaderboardSize is the maximum number of players on the leaderboard.
const leaderboardSize = 100

// OpenLeaderboard shows the first pool.
func OpenLeaderboard(sh *screen.Shell, _ dest.Leaderboard) tea.Cmd {
	pools := words.RatingPools(sh.Config.Games)
	var tabs []screen.Tab
	for _, p := range pools {
		tabs = append(tabs, screen.Tab{Of: p.Key, Title: p.Title})
	}
	archive := sh.Visit.Archive()
	isOwn := func(p place) bool { return p.ID == sh.Session.Account().ID }
	style := func(p place) paint.Style {
		if isOwn(p) {
			return sh.Style.Theme.Strong
		}
		return sh.Style.Theme.Text
	}
	list := &screen.List[place]{
		Title: "Leaderboard", Subtitle: func() string { return "established ratings, highest first" },
		About: "A rating estimates a player's strength; the number after ± is its deviation. Games of two players count for one rating of that game, games of three and more for another. Every rated game changes it. The leaderboard lists established ratings (±110 or less) of those who have met enough opponents in recent rated games. Built-in players are not on it.",
		Tabs:  func() []screen.Tab { return tabs }, TabLabel: "game", Of: pools[0].Key,
		MaxWidth: widget.ColumnWidth,
		ID:       func(p place) any { return p.ID },
	}
	list.Load = func(ctx context.Context, pool string, _ *place) (page screen.Page[place], err error) {
		top, err := archive.Leaderboard(ctx, pool, leaderboardSize)
		for i, a := range top {
			page.Rows = append(page.Rows, place{a, i + 1})
		}
		if err == nil && len(top) == 0 {
			required, failure := archive.Requirements(ctx)
			at := slices.IndexFunc(pools, func(p words.RatingPool) bool { return p.Key == pool })
			page.Empty, err = "Nobody has a place in "+pools[at].Title+" yet. "+words.PlaceRequirements(required), failure
		}
		return page, err
	}
	list.Columns = []screen.Column[place]{
		{Title: "Place", Width: 7, Text: func(p place) string { return fmt.Sprintf("%4d.", p.number) }},
		{Title: "Player", Width: 18, Fills: true, Style: style, Text: func(p place) string {
			switch {
			case p.Bot:
				return p.Name + " (bot)"
			case isOwn(p):
				return p.Name + " (you)"
			}
			return p.Name
		}},
		{Title: "Rating", Width: 13, Rank: 0, Style: style, Text: func(p place) string { return words.RatingWithDeviation(p.Ratings[list.Of]) }},
		{Title: "Games", Width: 6, Rank: 1, Text: func(p place) string { return strconv.Itoa(p.Ratings[list.Of].Games) }},
	}
	list.Status = func(int) string {
		r, ok := sh.Session.Account().Rating(list.Of)
		switch {
		case !ok:
			return ""
		case !r.IsEstablished():
			return "You: " + words.RatingWithDeviation(r) + ", provisional."
		}
		return "You: " + words.RatingWithDeviation(r) + "."
	}
	list.Actions = []screen.RowAction[place]{
		{Key: screen.Keys("enter space i", "Enter", "the profile of the selected player"), Label: "profile", Do: func(p place) tea.Cmd { return sh.Open(dest.Profile{ID: p.ID}) }},
	}
	return list.Push(sh)
}
