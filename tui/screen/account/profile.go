package account

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/archive"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// profile is what the screen shows.
type profile struct {
	*screen.List[archive.Match]
	sh      *screen.Shell
	profile *lobby.Profile
	graph   int // the number of the graph that is shown, from 1; 0: the list of games
}

// OpenProfile loads the profile of the account with the destination's name, or else with its id, and then shows it.
func OpenProfile(sh *screen.Shell, d dest.Profile) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (*lobby.Profile, error) {
		if d.Name != "" {
			return sh.Visit.Archive().Profile(ctx, d.Name)
		}
		return sh.Visit.Archive().ProfileByID(ctx, d.ID)
	}, func(p *lobby.Profile) tea.Cmd { return list(sh, p).Push(sh) })
}

// list declares the screen: the matches of a player below what is known of them.
func list(sh *screen.Shell, p *lobby.Profile) *screen.List[archive.Match] {
	v := &profile{List: archive.List(sh), sh: sh, profile: p}
	l, name := v.List, p.Account.Name
	l.Name, l.Title, l.HelpTitle, l.Of = "profile", name, "Profile", name
	l.About = "Ratings with their deviation (a question mark marks a provisional rating) and their history; games won, drawn and lost, by side and by variant; and the finished games."
	l.Subtitle, l.Right = v.kind, func() string { return "your profile" }
	if v.isOther() {
		l.Right = func() string { return "profile" }
	}
	l.DrawAbove = v.draw
	l.Arrange = func(all []archive.Match) []archive.Match {
		if v.showsGames() {
			return all
		}
		return nil
	}
	l.Empty = func() string { return name + " has no finished games that you can see." }
	hasBlocked := func() bool { return sh.Session.HasBlocked(p.Account.ID) }
	l.Actions = []screen.RowAction[archive.Match]{
		archive.Replay(sh),
		archive.Profile(sh, "opponent", 0),
		{Key: screen.Keys("tab right", "→", "the history of each rating as a graph"), Label: "graph", Rank: 1, When: func() bool { return v.graph < len(v.graphs()) }, DoAny: v.nextGraph},
		{Key: screen.Keys("tab right", "→", "the finished games"), Label: "games", Rank: 1, When: func() bool { return v.graph > 0 && v.graph == len(v.graphs()) }, DoAny: v.nextGraph},
		{Key: screen.Keys("c", "c", "challenge this player, who must be online"), Label: "challenge", When: v.isOther, DoAny: func() tea.Cmd { return sh.Open(dest.Challenge{Name: name}) }},
		{Key: screen.NoKey("block this player: no pairing and no messages between you; they are not notified"), Label: "block", Operation: op.Block.Info().Name, Rank: 1, When: func() bool { return v.isOther() && !hasBlocked() }, DoAny: v.toggleBlock},
		{Key: screen.NoKey("unblock this player"), Label: "unblock", Operation: op.Unblock.Info().Name, Rank: 1, When: func() bool { return v.isOther() && hasBlocked() }, DoAny: v.toggleBlock},
		{Key: screen.NoKey("report this player to the moderators"), Label: "report", Operation: op.Report.Info().Name, Rank: 1, When: func() bool { return v.isOther() && sh.Config.Can(club.PermissionReport) }, DoAny: func() tea.Cmd { return player.Report(sh, name) }},
		{Key: screen.NoKey("for moderators: mute, kick or ban this player"), Label: "moderate", Rank: 1, When: func() bool { return v.isOther() && sh.Config.Can(club.PermissionMute) }, DoAny: func() tea.Cmd { return sh.Open(dest.Sanction{Name: name}) }},
	}
	return l
}

func (v *profile) toggleBlock() tea.Cmd {
	return player.ToggleBlock(v.sh, v.profile.Account.ID, v.profile.Account.Name)
}

// isOther reports whether the profile is another user's.
func (v *profile) isOther() bool { return v.profile.Account.ID != v.sh.Session.Account().ID }

// kind describes the account.
func (v *profile) kind() string {
	a := &v.profile.Account
	kind := "joined " + words.Date(a.CreatedAt)
	if a.Bot {
		switch level := v.sh.Config.Bots.Level(a.ID); level {
		case bots.NoLevel:
			kind = "bot"
		case bots.Adaptive:
			kind = "built-in bot that adapts to you"
		default:
			kind = fmt.Sprintf("built-in bot, level %d", level)
		}
	}
	if v.sh.Session.HasBlocked(a.ID) {
		kind += ", blocked by you"
	}
	return kind
}

// minGameRows is the minimum height of the list of matches.
const minGameRows = 6

// draw draws what is known of the player, or a graph instead of the matches, and returns the row after it.
func (v *profile) draw(c paint.Canvas) (y int) {
	t := v.sh.Style.Theme
	_, h := c.Size()
	y = v.drawRatings(c, 2)
	if !v.showsGames() {
		v.drawGraph(c, y+1, v.graphs()[v.graph-1])
		return h
	}
	y = v.drawTallies(c, y+1, h-minGameRows-1)
	widget.DrawRule(c, t, y, "Finished games", t.Dim)
	return y + 1
}

// narrowColumns is the width of windows in which the titles of rows have less space.
const narrowColumns = 60

// minHistoryColumns is the minimum width of the history of a rating beside its value.
const minHistoryColumns = 8

// valueColumn returns the column in which values begin, in a window of w columns.
func valueColumn(w int) int {
	if w < narrowColumns {
		return 13
	}
	return 19
}

// firstFit returns the first text that has at most width columns, or else the last one.
func firstFit(width int, texts ...string) string {
	for _, text := range texts[:len(texts)-1] {
		if paint.Width(text) <= width {
			return text
		}
	}
	return texts[len(texts)-1]
}

// drawRatings draws a row for each rating and returns the next row.
func (v *profile) drawRatings(c paint.Canvas, y int) int {
	t := v.sh.Style.Theme
	w, _ := c.Size()
	x, rated := valueColumn(w), 0
	for _, pool := range words.RatingPools(v.sh.Config.Games) {
		r, ok := v.profile.Account.Ratings[pool.Key]
		if !ok {
			continue
		}
		if rated++; rated == 1 {
			c.Text(2, y-1, t.Dim, "Rating in")
			c.Text(x, y-1, t.Dim, "Value ±")
			c.Text(x+13, y-1, t.Dim, "Games")
			if w-x-25 >= minHistoryColumns {
				c.Text(x+24, y-1, t.Dim, "History")
			}
		}
		c.Text(2, y, t.Strong, paint.Cut(pool.Title, x-3))
		c.Text(x, y, t.Text, words.RatingWithDeviation(r))
		c.Text(x+13, y, t.Dim, strconv.Itoa(r.Games))
		v.drawSparkline(c.Sub(x+24, y, w-x-25, 1), v.profile.RatingHistories[pool.Key])
		y++
	}
	if rated == 0 {
		c.Text(2, y, t.Dim, firstFit(w-3, "No rated games yet. Every rating starts at 1500.", "No rated games yet."))
		y++
	}
	return y
}

// drawSparkline draws the history of a rating, with its lowest and highest value if they fit.
func (v *profile) drawSparkline(c paint.Canvas, points []lobby.RatingPoint) {
	w, _ := c.Size()
	if len(points) < 2 || w < minHistoryColumns {
		return
	}
	low, high := points[0].Value, points[0].Value
	for _, p := range points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	bounds := fmt.Sprintf("%.0f to %.0f", low, high)
	space := w - paint.Width(bounds) - 1
	if space < 8 {
		space, bounds = w, ""
	}
	n := c.Text(0, 0, v.sh.Style.Theme.Link, sparkline(points, low, high, min(space, 40), !v.sh.Style.HasSymbols()))
	c.Text(n+1, 0, v.sh.Style.Theme.Dim, bounds)
}

var (
	sparkLevels      = []rune("▁▂▃▄▅▆▇█")
	sparkLevelsASCII = []rune("_.:-=+*#")
)

// sparkline formats values as at most width bars, each the last value of its part.
func sparkline(points []lobby.RatingPoint, low, high float64, width int, isASCII bool) string {
	levels := sparkLevels
	if isASCII {
		levels = sparkLevelsASCII
	}
	n := min(width, len(points))
	var b strings.Builder
	for i := range n {
		value := points[(i+1)*len(points)/n-1].Value
		level := len(levels) / 2
		if high > low {
			level = int((value-low)/(high-low)*float64(len(levels)-1) + 0.5)
		}
		b.WriteRune(levels[level])
	}
	return b.String()
}

// drawTallies draws the results by game, side and options in the rows before end, and returns the next
// row.
func (v *profile) drawTallies(c paint.Canvas, y, end int) int {
	t := v.sh.Style.Theme
	w, _ := c.Size()
	x, titled := valueColumn(w), false
	for _, g := range v.sh.Config.Games {
		tally, played := v.profile.Tallies[g.Name()]
		if !played || y+1 >= end {
			continue
		}
		if !titled {
			titled = true
			c.Text(2, y-1, t.Dim, "Results")
			c.Text(x, y-1, t.Dim, firstFit(w-x-1, "All; W/D/L by side and options", "All; W/D/L"))
		}
		c.Text(2, y, t.Strong, g.Engine().Title())
		c.Text(x, y, t.Text, firstFit(w-x-1, tallyText(tally), words.Plural(tally.Games(), "game")+": "+tallyScore(tally)))
		y++
		for _, parts := range [][]string{sideTallies(g, tally), optionTallies(tally)} {
			if len(parts) > 0 && y+1 < end {
				c.Text(x, y, t.Dim, fitParts(parts, w-x-1))
				y++
			}
		}
	}
	if len(v.profile.Tallies) > 0 && y < end {
		y++
	}
	return y
}

// tallyText formats a tally: "34 Games: 20 won, 1 drawn, 13 lost".
func tallyText(t lobby.Tally) string {
	text := words.Plural(t.Games(), "game") + fmt.Sprintf(": %d won, ", t.Won)
	if t.Drawn > 0 {
		text += fmt.Sprintf("%d drawn, ", t.Drawn)
	}
	return text + fmt.Sprintf("%d lost", t.Lost)
}

// tallyScore formats a tally in short: won/drawn/lost.
func tallyScore(t lobby.Tally) string { return fmt.Sprintf("%d/%d/%d", t.Won, t.Drawn, t.Lost) }

// sideTallies formats the tallies of a game's named sides.
func sideTallies(g game.Game, t lobby.Tally) []string {
	var parts []string
	for _, s := range words.SideTallies(g, t) {
		parts = append(parts, s.Side+" "+tallyScore(s.Tally))
	}
	return parts
}

// optionTallies formats the tallies by options, the most played first.
func optionTallies(t lobby.Tally) []string {
	forms := slices.SortedFunc(maps.Keys(t.ByOptions), func(a, b string) int {
		if n := t.ByOptions[b].Games() - t.ByOptions[a].Games(); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, f := range forms {
		parts = append(parts, f+" "+tallyScore(t.ByOptions[f]))
	}
	return parts
}

// fitParts joins as many parts as fit, and appends the number of the others.
func fitParts(parts []string, width int) string {
	for n := len(parts); n > 0; n-- {
		text := strings.Join(parts[:n], " · ")
		if rest := len(parts) - n; rest > 0 {
			text += fmt.Sprintf(" · %d more", rest)
		}
		if paint.Width(text) <= width {
			return text
		}
	}
	return paint.Cut(parts[0], width)
}
