// Package newtable is the form of a new table, a challenge or a game against a bot.
package newtable

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// form is the screen.
type form struct {
	screen.Base
	last     *LastBotGame
	game     int // index into Config.Games
	choices  []game.Choice
	answers  []int // index of the answer to each of choices
	clock    int   // index into clockPresets, or their number for a custom clock
	custom   widget.TextField
	rated    bool
	private  bool
	delay    int // index into delayChoices
	to       widget.TextField
	botLevel int // 0: against people; otherwise the bot's level
	cursor   widget.FormCursor
}

// LastBotGame keeps the form of a session's last game against a bot. The zero value is no game.
type LastBotGame struct{ form *form }

// Open shows the form of a table against people. It keeps what it starts against a bot in last.
func Open(sh *screen.Shell, d dest.NewTable, last *LastBotGame) tea.Cmd {
	return sh.Show(newForm(sh, last, d.To))
}

// OpenBotGame shows the form as it was used for the last game against a bot; at first with
// client.DefaultBotLevel and no clock.
func OpenBotGame(sh *screen.Shell, _ dest.BotGame, last *LastBotGame) tea.Cmd {
	if last.form != nil {
		return sh.Show(last.form.restarted())
	}
	v := newForm(sh, last, "")
	v.botLevel = client.DefaultBotLevel
	v.setGame(0)
	for i, c := range clockPresets {
		if c.IsUntimed() {
			v.clock = i
		}
	}
	return sh.Show(v)
}

var bindings = append(screen.FormKeys[*form]("field"), screen.Bindings[*form]{
	{Key: screen.Keys("enter", "Enter", "open the table"), LabelOf: (*form).submitLabel, Rank: -1, Do: (*form).submit},
	{Key: screen.Keys("esc", "Esc", "back to the lobby"), Label: "lobby", Do: (*form).close},
	{Key: screen.Keys("q", "", ""), When: screen.IsChoice[*form], Do: (*form).close},
	screen.HelpKey[*form](),
}...)

// clockPresets are the offered clocks, short to long. One more answer is a custom clock.
var clockPresets = []clock.Control{
	{Initial: 5 * time.Minute, Increment: 5 * time.Second},
	clock.Default,
	{Initial: 20 * time.Minute, Increment: 15 * time.Second},
	{Initial: 60 * time.Minute, Increment: 30 * time.Second},
	{},
	{Days: 1},
	{Days: 3},
}

const defaultClock = 1

func newForm(sh *screen.Shell, last *LastBotGame, to string) *form {
	v := &form{Base: screen.Base{Shell: sh}, last: last, clock: defaultClock, custom: widget.TextField{Limit: 12}, to: widget.TextField{Limit: lobby.MaxName}}
	v.to.Set(to)
	v.custom.Set("15+10")
	v.setGame(0)
	return v
}

func (v *form) setGame(n int) {
	v.game, v.choices, v.answers = n, v.Shell.Config.Games[n].Choices(), nil
	for _, c := range v.choices {
		if v.botLevel > 0 {
			v.answers = append(v.answers, c.BotDefault)
		} else {
			v.answers = append(v.answers, c.Default)
		}
	}
}

// Form implements screen.Form.
func (v *form) Form() (*widget.FormCursor, []widget.FormRow) {
	var rows []widget.FormRow
	if len(v.Shell.Config.Games) > 1 {
		r := widget.FormRow{Label: "Game", Index: v.game, Set: v.setGame}
		for _, g := range v.Shell.Config.Games {
			r.Answers = append(r.Answers, g.Engine().Title())
		}
		rows = append(rows, r)
	}
	for i, c := range v.choices {
		rows = append(rows, widget.FormRow{Label: c.Label, Answers: c.Answers, Index: v.answers[i], Set: func(n int) { v.answers[i] = n }})
	}
	clockRow := widget.FormRow{Label: "Clock", Index: v.clock, Set: func(n int) { v.clock = n },
		Help: "10+10: ten minutes for each player, plus ten seconds per turn."}
	for _, p := range clockPresets {
		clockRow.Answers = append(clockRow.Answers, p.String())
	}
	clockRow.Answers = append(clockRow.Answers, "custom")
	if v.clock == len(clockPresets) {
		clockRow.Field = &v.custom
		clockRow.Help = "Type minutes+seconds, such as 15+10, or days, such as 2d."
	}
	rows = append(rows, v.opponentRow()...)
	rows = append(rows, clockRow,
		widget.Toggle("Mode", "casual", "rated", &v.rated, "Rated games change all players' ratings. Guests play casual games only."))
	if v.botLevel > 0 {
		return &v.cursor, append(rows, v.delayRow())
	}
	rows = append(rows,
		widget.Toggle("Visibility", "public", "private (by code)", &v.private, "Private: you get a code to pass on; the table is not listed publicly."),
		v.delayRow(),
		widget.FormRow{Label: "Challenge", Field: &v.to, Help: "The name of a player who is online; leave it empty for an open table."})
	return &v.cursor, rows
}

// restarted returns a copy of the form with the cursor on its first row.
func (v *form) restarted() *form {
	same := *v
	same.answers, same.cursor = slices.Clone(v.answers), widget.FormCursor{}
	same.custom.Set(v.custom.Text())
	same.to.Clear()
	return &same
}

// opponentRow returns the row that selects people or a bot; no row on a server without bots.
func (v *form) opponentRow() []widget.FormRow {
	builtin := v.Shell.Config.Bots
	if builtin == nil {
		return nil
	}
	r := widget.FormRow{Label: "Against", Answers: []string{"people"}, Index: v.botLevel, Set: func(n int) { v.botLevel = n },
		Help: "Bots are always available. " + builtin.Name(1) + " is for complete beginners."}
	for level := 1; level <= bots.Levels; level++ {
		r.Answers = append(r.Answers, builtin.Name(level))
	}
	if v.botLevel > 0 {
		r.Help = fmt.Sprintf("%s is level %d of %d. ", builtin.Name(v.botLevel), v.botLevel, bots.Levels) + r.Help
	}
	return []widget.FormRow{r}
}

// delayChoices are the offered spectator delays, in turns.
var delayChoices = []int{0, 1, 2, 3, 5, 10, lobby.MaxDelay}

func (v *form) delayRow() widget.FormRow {
	r := widget.FormRow{Label: "Spectator delay", Index: v.delay, Set: func(n int) { v.delay = n },
		Help: "Spectators see the game this many turns late, so that they cannot help a player."}
	for _, n := range delayChoices {
		text := words.Plural(n, "turn")
		switch {
		case n == 0:
			text = "none"
		case n > 1:
			text = strconv.Itoa(n)
		}
		r.Answers = append(r.Answers, text)
	}
	return r
}

func (v *form) Handle(msg tea.Msg) tea.Cmd { return screen.HandleForm(v, bindings, msg) }

// close returns to the lobby.
func (v *form) close() tea.Cmd { return v.Shell.Open(dest.Lobby{KeepsFollowing: true}) }

// submitLabel returns the label of the key for submit.
func (v *form) submitLabel() string {
	if v.botLevel > 0 {
		return "start game"
	}
	return "open table"
}

// control returns the selected clock.
func (v *form) control() (clock.Control, error) {
	if v.clock < len(clockPresets) {
		return clockPresets[v.clock], nil
	}
	return clock.Parse(v.custom.Text())
}

// submit opens the table or starts the match against a bot.
func (v *form) submit() tea.Cmd {
	sh := v.Shell
	control, err := v.control()
	if err != nil {
		sh.NotifyError("%v", err)
		return nil
	}
	game := v.Shell.Config.Games[v.game]
	p := lobby.Proposal{
		Game: game.Name(), Options: game.Options(v.answers), Clock: &control, Rated: &v.rated,
		Private: v.private, Delay: delayChoices[v.delay], To: strings.TrimSpace(v.to.Text()),
	}
	if v.botLevel > 0 {
		return v.startBotMatch(p)
	}
	var table *lobby.Table
	return sh.Call(func(ctx context.Context) (err error) {
		table, err = sh.Session.Tables().Open(ctx, p)
		return err
	}, func() tea.Cmd {
		cmd := v.close()
		switch {
		case table.To != "":
			sh.Notify("Challenge sent to %s. The game starts when %s accepts.", table.To, table.To)
		case table.Private:
			sh.Notify("Your table is open. Pass on the code %s (others press e in the lobby).", table.Code(sh.Session.Account().ID))
		default:
			sh.Notify("Your table is open; %s.", words.StartCondition(table.Options, "y"))
		}
		return cmd
	})
}

// startBotMatch starts a match against a bot.
func (v *form) startBotMatch(p lobby.Proposal) tea.Cmd {
	sh := v.Shell
	p.Private = false
	var match string
	return sh.Call(func(ctx context.Context) (err error) {
		match, err = sh.Client.PlayBot(ctx, v.botLevel, p)
		return err
	}, func() tea.Cmd {
		v.last.form = v.restarted()
		return sh.Open(dest.Match{ID: match, IsExpected: true})
	})
}

func (v *form) Draw(c paint.Canvas) {
	sh := v.Shell
	title := "New table"
	if v.botLevel > 0 {
		title = "Game against " + sh.Config.Bots.Name(v.botLevel)
	}
	widget.DrawHeader(c, sh.Style.Theme, title, sh.Config.SSHCommand(), sh.Session.Account().Name)
	cursor, rows := v.Form()
	widget.DrawForm(c, sh.Style.Theme, rows, cursor)
}

func (v *form) StatusLine() (string, paint.Style) { return screen.FormHelp(v), v.Shell.Style.Theme.Dim }

func (v *form) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *form) Help() screen.Help {
	return screen.Help{
		Title: "New table",
		About: "Choose what you want to play. The table stays open until the game starts or you close it.",
		Keys:  bindings.Help(v),
		Games: v.Shell.Config.Games[v.game : v.game+1],
	}
}
