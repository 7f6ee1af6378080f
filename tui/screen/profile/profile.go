// Package profile is the screen with a player's ratings, tallies and finished matches.
package profile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/finished"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// profile is the screen.
type profile struct {
	screen.Base
	profile *lobby.Profile
	list    finished.List
	graph   int // the number of the graph that is shown, from 1; 0: the list of games
}

// Open loads the profile of the account with the destination's name, or else with its id, and then shows it.
func Open(sh *screen.Shell, d dest.Profile) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (*lobby.Profile, error) {
		if d.Name != "" {
			return sh.Visit.Archive().Profile(ctx, d.Name)
		}
		return sh.Visit.Archive().ProfileOf(ctx, d.ID)
	}, func(p *lobby.Profile) tea.Cmd {
		v := &profile{Base: screen.Base{Shell: sh}, profile: p}
		return tea.Batch(sh.Push(v), v.list.Load(sh, p.Account.Name))
	})
}

var bindings = screen.Bindings[*profile]{
	{Key: screen.Keys("enter space", "Enter", "replay the selected game"), When: (*profile).showsGames, LabelOf: func(v *profile) string { return v.ifGames("replay") }, Do: func(v *profile) tea.Cmd { return v.list.OpenSelected(v.Shell) }},
	{Key: screen.Keys(screen.CursorNames, "", ""), When: (*profile).showsGames, DoKey: func(v *profile, key string) tea.Cmd { return v.list.Move(v.Shell, key) }},
	{Key: screen.Keys("i I", "i", "the profile of one of the game's players"), When: (*profile).showsGames, LabelOf: func(v *profile) string { return v.ifGames("opponent") }, Do: func(v *profile) tea.Cmd { return v.list.AskProfile(v.Shell) }},
	{Key: screen.Keys("g", "g", "the history of each rating as a graph"), LabelOf: (*profile).graphLabel, Rank: 1, Do: (*profile).nextGraph},
	{Key: screen.Keys("c", "c", "challenge this player, who must be online"), Label: "challenge", When: (*profile).isOther, Do: func(v *profile) tea.Cmd { return v.Shell.Open(dest.Challenge{Name: v.name()}) }},
	{Key: screen.Keys("B", "B", "block or unblock this player: no pairing and no messages between you; they are not notified"), LabelOf: (*profile).blockLabel, Rank: 1, Do: func(v *profile) tea.Cmd { return player.ToggleBlock(v.Shell, v.profile.Account.ID, v.name()) }},
	screen.BackKey[*profile](),
	{Key: screen.Keys("R", "R", "report this player to the moderators"), LabelOf: func(v *profile) string { return player.ReportLabel(v.Shell) }, Rank: 1, When: (*profile).isOther, Listed: (*profile).canReport, Do: func(v *profile) tea.Cmd { return player.Report(v.Shell, v.name()) }},
	{Key: screen.Keys("M", "M", "for moderators: mute, kick or ban this player"), LabelOf: func(v *profile) string { return player.ModerateLabel(v.Shell) }, Rank: 1, When: (*profile).isOther, Listed: (*profile).canModerate, Do: func(v *profile) tea.Cmd { return v.Shell.Open(dest.Sanction{Name: v.name()}) }},
	screen.HelpKey[*profile](),
}

func (v *profile) Handle(msg tea.Msg) tea.Cmd {
	cmd, _ := bindings.Handle(v, v.list.Input(msg))
	return cmd
}

// Traits implements screen.Screen.
func (v *profile) Traits() screen.Traits { return screen.Traits{Name: "profile"} }

func (v *profile) name() string { return v.profile.Account.Name }

// isOther reports whether the profile is another user's.
func (v *profile) isOther() bool { return v.profile.Account.ID != v.Shell.Session.Account().ID }

func (v *profile) canReport() bool { return v.Shell.Config.Can(club.PermissionReport) }

func (v *profile) canModerate() bool { return v.Shell.Config.Can(club.PermissionMute) }

// ifGames returns the label of a key for the selected match; "" if there is none.
func (v *profile) ifGames(label string) string {
	if len(v.list.Page.Games) == 0 {
		return ""
	}
	return label
}

// blockLabel returns the label of the key that blocks or unblocks the player; "" for the user.
func (v *profile) blockLabel() string {
	if !v.isOther() {
		return ""
	}
	return player.BlockLabel(v.Shell, v.profile.Account.ID)
}

// minGameRows is the minimum height of the list of matches.
const minGameRows = 6

func (v *profile) Draw(c paint.Canvas) {
	sh, p := v.Shell, v.profile
	t := sh.Style.Theme
	_, h := c.Size()
	kind := "joined " + words.Date(p.Account.CreatedAt)
	if p.Account.Bot {
		if kind = "bot"; sh.Config.Bots.Level(p.Account.ID) > 0 {
			kind = fmt.Sprintf("built-in bot, level %d", sh.Config.Bots.Level(p.Account.ID))
		}
	}
	if sh.Session.HasBlocked(p.Account.ID) {
		kind += ", blocked by you"
	}
	right := "profile"
	if !v.isOther() {
		right = "your profile"
	}
	widget.DrawHeader(c, t, p.Account.Name, kind, right)
	c = widget.Middle(c, widget.ListWidth)
	y := v.drawRatings(c, 2)
	if !v.showsGames() {
		v.drawGraph(c, y+1, v.graphs()[v.graph-1])
		return
	}
	y = v.drawTallies(c, y+1, h-minGameRows-1)
	widget.DrawRule(c, t, y, "Finished games", t.Dim)
	v.list.Draw(c, sh, y+1, h-y-1, p.Account.Name+" has no finished games that you can see.")
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
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	x, rated := valueColumn(w), 0
	for _, pool := range words.RatingPools(v.Shell.Config.Games) {
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
	n := c.Text(0, 0, v.Shell.Style.Theme.Link, sparkline(points, low, high, min(space, 40), !v.Shell.Style.HasSymbols()))
	c.Text(n+1, 0, v.Shell.Style.Theme.Dim, bounds)
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
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	x, titled := valueColumn(w), false
	for _, g := range v.Shell.Config.Games {
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

func (v *profile) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if !v.showsGames() {
		return "", t.Dim
	}
	return v.list.Describe(v.Shell, v.Shell.Width-2), t.Dim
}

func (v *profile) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *profile) Help() screen.Help {
	return screen.Help{
		Title: "Profile",
		About: "Ratings with their deviation (a question mark marks a provisional rating) and their history; games won, drawn and lost, by side and by variant; and the finished games.",
		Keys:  bindings.Help(v),
	}
}
