package tui

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

// tableForm is the form for a new table, a challenge or a game against a bot.
type tableForm struct {
	screen.Base
	app      *Model
	game     int
	choices  []game.Choice
	answers  []int // index of the answer to each of choices
	clock    int
	custom   widget.TextField
	rated    bool
	private  bool
	delay    int // index into delayChoices
	to       widget.TextField
	botLevel int // 0: against people; otherwise the bot's level
	row      int
}

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

func newTableForm(a *Model, to string) *tableForm {
	v := &tableForm{app: a, clock: defaultClock, custom: widget.TextField{Limit: 12}, to: widget.TextField{Limit: lobby.MaxName}}
	v.to.Set(to)
	v.custom.Set("15+10")
	v.setGame(0)
	return v
}

func (v *tableForm) setGame(n int) {
	v.game, v.choices, v.answers = n, v.app.Config.Games[n].Choices(), nil
	for _, c := range v.choices {
		if v.botLevel > 0 {
			v.answers = append(v.answers, c.BotDefault)
		} else {
			v.answers = append(v.answers, c.Default)
		}
	}
}

func (v *tableForm) rows() []widget.FormRow {
	var rows []widget.FormRow
	if len(v.app.Config.Games) > 1 {
		r := widget.FormRow{Label: "Game", Index: v.game, Set: v.setGame}
		for _, g := range v.app.Config.Games {
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
		return append(rows, v.delayRow())
	}
	rows = append(rows,
		widget.Toggle("Visibility", "public", "private (by code)", &v.private, "Private: you get a code to pass on; the table is not listed publicly."),
		v.delayRow(),
		widget.FormRow{Label: "Challenge", Field: &v.to, Help: "The name of a player who is online; leave it empty for an open table."})
	return rows
}

// newBotForm returns the form as it was used for the last game against a bot; at first with
// client.DefaultBotLevel and no clock.
func newBotForm(a *Model) *tableForm {
	if a.lastBotForm != nil {
		return a.lastBotForm.restarted()
	}
	v := newTableForm(a, "")
	v.botLevel = client.DefaultBotLevel
	v.setGame(0)
	for i, c := range clockPresets {
		if c.IsUntimed() {
			v.clock = i
		}
	}
	return v
}

// restarted returns a copy of the form with the cursor on its first row.
func (v *tableForm) restarted() *tableForm {
	same := *v
	same.answers, same.row = slices.Clone(v.answers), 0
	same.custom.Set(v.custom.Text())
	same.to.Clear()
	return &same
}

// opponentRow returns the row that selects people or a bot; no row on a server without bots.
func (v *tableForm) opponentRow() []widget.FormRow {
	builtin := v.app.Config.Bots
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

func (v *tableForm) delayRow() widget.FormRow {
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

func (v *tableForm) Handle(msg tea.Msg) tea.Cmd {
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	r := rows[v.row]
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "up", "shift+tab":
			v.row = max(v.row-1, 0)
			return nil
		case "down", "tab":
			v.row = min(v.row+1, len(rows)-1)
			return nil
		case "enter":
			return v.submit()
		case "?":
			return v.app.OpenHelp()
		case "esc":
			return v.app.Show(newLobbyScreen(v.app))
		case "left", "right":
			if r.Answers != nil {
				step := 1
				if key.String() == "left" {
					step = -1
				}
				r.Set(max(min(r.Index+step, len(r.Answers)-1), 0))
				return nil
			}
		case "space":
			if r.Field == nil {
				r.Set((r.Index + 1) % len(r.Answers))
				return nil
			}
		}
	}
	if r.Field != nil {
		r.Field.Handle(msg)
		return nil
	}
	if key, ok := msg.(tea.KeyPressMsg); ok {
		return v.handleLetter(key.String(), r)
	}
	return nil
}

// handleLetter handles keys that have a meaning only outside input fields.
func (v *tableForm) handleLetter(key string, r widget.FormRow) tea.Cmd {
	switch key {
	case "k":
		v.row = max(v.row-1, 0)
	case "j":
		v.row++
	case "h":
		r.Set(max(r.Index-1, 0))
	case "l":
		r.Set(min(r.Index+1, len(r.Answers)-1))
	case "q":
		return v.app.Show(newLobbyScreen(v.app))
	}
	return nil
}

// control returns the selected clock.
func (v *tableForm) control() (clock.Control, error) {
	if v.clock < len(clockPresets) {
		return clockPresets[v.clock], nil
	}
	return clock.Parse(v.custom.Text())
}

// submit opens the table or starts the match against a bot.
func (v *tableForm) submit() tea.Cmd {
	a := v.app
	control, err := v.control()
	if err != nil {
		a.NotifyError("%v", err)
		return nil
	}
	game := v.app.Config.Games[v.game]
	p := lobby.Proposal{
		Game: game.Name(), Options: game.Options(v.answers), Clock: &control, Rated: &v.rated,
		Private: v.private, Delay: delayChoices[v.delay], To: strings.TrimSpace(v.to.Text()),
	}
	if v.botLevel > 0 {
		return v.startBotMatch(p)
	}
	var table *lobby.Table
	return a.Call(func(ctx context.Context) (err error) {
		table, err = a.Session.Open(ctx, p)
		return err
	}, func() tea.Cmd {
		cmd := a.Show(newLobbyScreen(a))
		switch {
		case table.To != "":
			a.Notify("Challenge sent to %s. The game starts when %s accepts.", table.To, table.To)
		case table.Private:
			a.Notify("Your table is open. Pass on the code %s (others press e in the lobby).", table.Code(a.Session.Account().ID))
		default:
			a.Notify("Your table is open; %s.", startCondition(table.Options))
		}
		return cmd
	})
}

// startBotMatch starts a match against a bot.
func (v *tableForm) startBotMatch(p lobby.Proposal) tea.Cmd {
	a := v.app
	p.Private = false
	var match string
	return a.Call(func(ctx context.Context) (err error) {
		match, err = a.Client.PlayBot(ctx, v.botLevel, p)
		return err
	}, func() tea.Cmd {
		a.lastBotForm = v.restarted()
		return a.Open(dest.Match{ID: match, IsExpected: true})
	})
}

func (v *tableForm) Draw(c paint.Canvas) {
	title := "New table"
	if v.botLevel > 0 {
		title = "Game against " + v.app.Config.Bots.Name(v.botLevel)
	}
	widget.DrawHeader(c, v.app.Style.Theme, title, v.app.Config.SSHCommand(), v.app.Session.Account().Name)
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	widget.DrawForm(c, v.app.Style.Theme, rows, v.row)
}

func (v *tableForm) StatusLine() (string, paint.Style) {
	return v.rows()[v.row].Help, v.app.Style.Theme.Dim
}

func (v *tableForm) StatusKeys() []game.Key {
	enter := "open table"
	if v.botLevel > 0 {
		enter = "start game"
	}
	return []game.Key{{Key: "Enter", Help: enter}, {Key: "↑↓", Help: "field"}, {Key: "←→", Help: "change"}, {Key: "Esc", Help: "lobby"}, {Key: "?", Help: "help"}}
}

func (v *tableForm) Help() screen.Help {
	return screen.Help{Title: "New table", Games: v.app.Config.Games[v.game : v.game+1],
		About: "Choose what you want to play. The table stays open until the game starts or you close it.",
		Keys: []game.Key{{Key: "↑ ↓", Help: "select a field"}, {Key: "← →", Help: "change it"},
			{Key: "Enter", Help: "open the table"}, {Key: "Esc", Help: "back to the lobby"}}}
}
