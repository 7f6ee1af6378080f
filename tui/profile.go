package tui

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// profileScreen shows a player's ratings, tallies and finished matches.
type profileScreen struct {
	screen.Base
	app     *Model
	profile *lobby.Profile
	finishedList
}

// openProfile opens the profile of the account with that name, or else that id.
func (a *Model) openProfile(d dest.Profile) tea.Cmd {
	return a.showProfile(func(ctx context.Context) (*lobby.Profile, error) {
		if d.Name != "" {
			return a.Session.Lobby().Profile(ctx, d.Name)
		}
		return a.Session.Lobby().ProfileOf(ctx, d.ID)
	})
}

func (a *Model) showProfile(read func(context.Context) (*lobby.Profile, error)) tea.Cmd {
	var p *lobby.Profile
	return a.Call(func(ctx context.Context) (err error) {
		if err := a.Session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		p, err = read(ctx)
		return err
	}, func() tea.Cmd {
		v := &profileScreen{app: a, profile: p}
		cmd := a.Push(v)
		return tea.Batch(cmd, v.turnTo(nil, 0))
	})
}

func (v *profileScreen) turnTo(before []string, at int) tea.Cmd {
	return v.app.loadFinished(v.profile.Account.Name, before, func(p finishedPage) { v.page, v.list.Index = p, at })
}

func (v *profileScreen) Handle(msg tea.Msg) tea.Cmd {
	a := v.app
	switch key := v.input(msg); key {
	case "B":
		return player.ToggleBlock(a.Shell, v.profile.Account.ID, v.profile.Account.Name)
	case "R":
		return player.Report(a.Shell, v.profile.Account.Name)
	case "M":
		if !v.isOwn() {
			return a.openSanction(v.profile.Account.Name, nil)
		}
	case "c":
		if !v.isOwn() {
			return a.Show(newTableForm(a, v.profile.Account.Name))
		}
	case "?":
		return a.OpenHelp()
	case "q", "esc":
		return a.Back()
	default:
		return v.choose(a, key, v.turnTo)
	}
	return nil
}

func (v *profileScreen) isOwn() bool { return v.profile.Account.ID == v.app.Session.Account().ID }

// minGameRows is the minimum height of the list of matches.
const minGameRows = 5

func (v *profileScreen) Draw(c paint.Canvas) {
	a, p := v.app, v.profile
	w, h := c.Size()
	kind := "joined " + words.Date(p.Account.CreatedAt)
	if p.Account.Bot {
		kind = "built-in bot"
	}
	if a.Session.HasBlocked(p.Account.ID) {
		kind += ", blocked by you"
	}
	right := "profile"
	if v.isOwn() {
		right = "your profile"
	}
	widget.DrawHeader(c, a.Style.Theme, p.Account.Name, kind, right)
	y := v.drawRatings(c, 2)
	y = v.drawTallies(c, y+1, h-minGameRows-1)
	widget.DrawRule(c, a.Style.Theme, y, "Finished games", a.Style.Theme.Dim)
	v.page.draw(a, c.Sub(0, 0, w, h), &v.list, y+1, h-y-1, p.Account.Name+" has no finished games that you can see.")
}

// drawRatings draws a row for each rating and returns the next row.
func (v *profileScreen) drawRatings(c paint.Canvas, y int) int {
	t := v.app.Style.Theme
	w, _ := c.Size()
	rated := 0
	for _, pool := range words.RatingPools(v.app.Config.Games) {
		r, ok := v.profile.Account.Ratings[pool.Key]
		if !ok || r.Games == 0 {
			continue
		}
		rated++
		c.Text(2, y, t.Strong, pool.Title)
		c.Text(19, y, t.Text, words.RatingWithDeviation(r))
		c.Text(32, y, t.Dim, words.Plural(r.Games, "game"))
		v.drawSparkline(c.Sub(43, y, w-44, 1), v.profile.RatingHistories[pool.Key])
		y++
	}
	if rated == 0 {
		c.Text(2, y, t.Dim, "No rated games yet. Every rating starts at 1500 ±350 ?")
		y++
	}
	return y
}

// drawSparkline draws the history of a rating, with its lowest and highest value if they fit.
func (v *profileScreen) drawSparkline(c paint.Canvas, points []lobby.RatingPoint) {
	if len(points) < 2 {
		return
	}
	w, _ := c.Size()
	low, high := points[0].Value, points[0].Value
	for _, p := range points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	bounds := fmt.Sprintf("%.0f to %.0f", low, high)
	space := w - paint.Width(bounds) - 1
	if space < 8 {
		space, bounds = w, ""
	}
	n := c.Text(0, 0, v.app.Style.Theme.Link, sparkline(points, low, high, min(space, 40), v.app.Style.ASCII))
	c.Text(n+1, 0, v.app.Style.Theme.Dim, bounds)
}

var (
	sparkLevels      = []rune("▁▂▃▄▅▆▇█")
	sparkLevelsASCII = []rune("_.:-=+*#")
)

// sparkline formats values as at most width bars, each the last value of its part.
func sparkline(points []lobby.RatingPoint, low, high float64, width int, ascii bool) string {
	levels := sparkLevels
	if ascii {
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
func (v *profileScreen) drawTallies(c paint.Canvas, y, end int) int {
	t := v.app.Style.Theme
	w, _ := c.Size()
	for _, g := range v.app.Config.Games {
		tally, played := v.profile.Tallies[g.Name()]
		if !played || y+1 >= end {
			continue
		}
		c.Text(2, y, t.Strong, g.Engine().Title())
		c.Text(19, y, t.Text, paint.Cut(tallyText(tally), w-20))
		y++
		for _, parts := range [][]string{sideTallies(g, tally), optionTallies(tally)} {
			if len(parts) > 0 && y+1 < end {
				c.Text(19, y, t.Dim, fitParts(parts, w-20))
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
	p := firstPosition(g)
	for seat := range p.Seats() {
		if s, ok := t.BySide[p.Side(seat)]; ok && p.Side(seat) != "" {
			parts = append(parts, g.Side(p, seat)+" "+tallyScore(s))
		}
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

// firstPosition returns the initial position of a game with default options.
func firstPosition(g game.Game) engine.Position {
	rules := g.Engine()
	o, err := rules.ParseOptions(nil)
	if err != nil {
		panic(err) // default options are valid
	}
	return rules.New(o)
}

func (v *profileScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	if len(v.profile.Tallies) > 0 {
		return "12/1/5: 12 won, 1 drawn, 5 lost.", t.Dim
	}
	return "", t.Dim
}

func (v *profileScreen) StatusKeys() []game.Key {
	var keys []game.Key
	if len(v.page.games) > 0 {
		keys = append(keys, game.Key{Key: "Enter", Help: "replay"}, game.Key{Key: "i", Help: "opponent"})
	}
	if !v.isOwn() {
		keys = append(keys, game.Key{Key: "c", Help: "challenge"})
	}
	keys = append(keys, game.Key{Key: "q", Help: "back"})
	if !v.isOwn() {
		keys = append(append(keys, game.Key{Key: "B", Help: player.BlockLabel(v.app.Shell, v.profile.Account.ID)}), v.app.moderationKeys("report", "moderate")...)
	}
	return append(keys, game.Key{Key: "?", Help: "help"})
}

func (v *profileScreen) Help() screen.Help {
	page := screen.Help{
		Title: "Profile",
		About: "Ratings with their deviation (a question mark marks a provisional rating) and their history; games won, drawn and lost, by side and by variant; and the finished games.",
		Keys: []game.Key{
			{Key: "Enter", Help: "replay the selected game"}, {Key: "i", Help: "the profile of one of the game's players"},
			{Key: "c", Help: "challenge this player, who must be online"},
			{Key: "B", Help: "block or unblock this player: you are no longer paired or see each other's messages; they are not notified"}, {Key: "q", Help: "back"},
		},
	}
	page.Keys = append(page.Keys, v.app.moderationKeys("report this player to the moderators", "for moderators: mute, kick or ban this player")...)
	return page
}
