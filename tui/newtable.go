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
	"ayumu/tui/words"
)

// tableForm is the form for a new table, a challenge or a game against a bot.
type tableForm struct {
	baseScreen
	app      *app
	game     int
	choices  []game.Choice
	answers  []int // index of the answer to each of choices
	clock    int
	custom   textField
	rated    bool
	private  bool
	delay    int // index into delayChoices
	to       textField
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

func newTableForm(a *app, to string) *tableForm {
	v := &tableForm{app: a, clock: defaultClock, custom: textField{limit: 12}, to: textField{limit: lobby.MaxName}}
	v.to.set(to)
	v.custom.set("15+10")
	v.setGame(0)
	return v
}

func (v *tableForm) setGame(n int) {
	v.game, v.choices, v.answers = n, v.app.config.Games[n].Choices(), nil
	for _, c := range v.choices {
		if v.botLevel > 0 {
			v.answers = append(v.answers, c.BotDefault)
		} else {
			v.answers = append(v.answers, c.Default)
		}
	}
}

// formRow is one line of the form.
type formRow struct {
	label   string
	answers []string
	index   int
	set     func(int)
	field   *textField // an input field after the answers; nil: none
	help    string
}

func (v *tableForm) rows() []formRow {
	var rows []formRow
	if len(v.app.config.Games) > 1 {
		r := formRow{label: "Game", index: v.game, set: v.setGame}
		for _, g := range v.app.config.Games {
			r.answers = append(r.answers, g.Engine().Title())
		}
		rows = append(rows, r)
	}
	for i, c := range v.choices {
		rows = append(rows, formRow{label: c.Label, answers: c.Answers, index: v.answers[i], set: func(n int) { v.answers[i] = n }})
	}
	clockRow := formRow{label: "Clock", index: v.clock, set: func(n int) { v.clock = n },
		help: "10+10: ten minutes for each player, plus ten seconds per turn."}
	for _, p := range clockPresets {
		clockRow.answers = append(clockRow.answers, p.String())
	}
	clockRow.answers = append(clockRow.answers, "custom")
	if v.clock == len(clockPresets) {
		clockRow.field = &v.custom
		clockRow.help = "Type minutes+seconds, such as 15+10, or days, such as 2d."
	}
	rows = append(rows, v.opponentRow()...)
	rows = append(rows, clockRow,
		v.toggle("Mode", "casual", "rated", &v.rated, "Rated games change all players' ratings. Guests play casual games only."))
	if v.botLevel > 0 {
		return append(rows, v.delayRow())
	}
	rows = append(rows,
		v.toggle("Visibility", "public", "private (by code)", &v.private, "Private: you get a code to pass on; the table is not listed publicly."),
		v.delayRow(),
		formRow{label: "Challenge", field: &v.to, help: "The name of a player who is online; leave it empty for an open table."})
	return rows
}

// newBotForm returns the form as it was used for the last game against a bot; at first with
// client.DefaultBotLevel and no clock.
func newBotForm(a *app) *tableForm {
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
	same.custom.set(v.custom.text())
	same.to.clear()
	return &same
}

// opponentRow returns the row that selects people or a bot; no row on a server without bots.
func (v *tableForm) opponentRow() []formRow {
	builtin := v.app.config.Bots
	if builtin == nil {
		return nil
	}
	r := formRow{label: "Against", answers: []string{"people"}, index: v.botLevel, set: func(n int) { v.botLevel = n },
		help: "Bots are always available. " + builtin.Name(1) + " is for complete beginners."}
	for level := 1; level <= bots.Levels; level++ {
		r.answers = append(r.answers, builtin.Name(level))
	}
	if v.botLevel > 0 {
		r.help = fmt.Sprintf("%s is level %d of %d. ", builtin.Name(v.botLevel), v.botLevel, bots.Levels) + r.help
	}
	return []formRow{r}
}

// delayChoices are the offered spectator delays, in turns.
var delayChoices = []int{0, 1, 2, 3, 5, 10, lobby.MaxDelay}

func (v *tableForm) delayRow() formRow {
	r := formRow{label: "Spectator delay", index: v.delay, set: func(n int) { v.delay = n },
		help: "Spectators see the game this many turns late, so that they cannot help a player."}
	for _, n := range delayChoices {
		text := words.Plural(n, "turn")
		switch {
		case n == 0:
			text = "none"
		case n > 1:
			text = strconv.Itoa(n)
		}
		r.answers = append(r.answers, text)
	}
	return r
}

func (v *tableForm) toggle(label, off, on string, b *bool, about string) formRow {
	r := formRow{label: label, answers: []string{off, on}, set: func(n int) { *b = n == 1 }, help: about}
	if *b {
		r.index = 1
	}
	return r
}

func (v *tableForm) handle(msg tea.Msg) tea.Cmd {
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
			return v.app.openHelp()
		case "esc":
			return v.app.setView(newLobbyScreen(v.app))
		case "left", "right":
			if r.answers != nil {
				step := 1
				if key.String() == "left" {
					step = -1
				}
				r.set(max(min(r.index+step, len(r.answers)-1), 0))
				return nil
			}
		case "space":
			if r.field == nil {
				r.set((r.index + 1) % len(r.answers))
				return nil
			}
		}
	}
	if r.field != nil {
		r.field.handle(msg)
		return nil
	}
	if key, ok := msg.(tea.KeyPressMsg); ok {
		return v.handleLetter(key.String(), r)
	}
	return nil
}

// handleLetter handles keys that have a meaning only outside input fields.
func (v *tableForm) handleLetter(key string, r formRow) tea.Cmd {
	switch key {
	case "k":
		v.row = max(v.row-1, 0)
	case "j":
		v.row++
	case "h":
		r.set(max(r.index-1, 0))
	case "l":
		r.set(min(r.index+1, len(r.answers)-1))
	case "q":
		return v.app.setView(newLobbyScreen(v.app))
	}
	return nil
}

// control returns the selected clock.
func (v *tableForm) control() (clock.Control, error) {
	if v.clock < len(clockPresets) {
		return clockPresets[v.clock], nil
	}
	return clock.Parse(v.custom.text())
}

// submit opens the table or starts the match against a bot.
func (v *tableForm) submit() tea.Cmd {
	a := v.app
	control, err := v.control()
	if err != nil {
		a.notifyError("%v", err)
		return nil
	}
	game := v.app.config.Games[v.game]
	p := lobby.Proposal{
		Game: game.Name(), Options: game.Options(v.answers), Clock: &control, Rated: &v.rated,
		Private: v.private, Delay: delayChoices[v.delay], To: strings.TrimSpace(v.to.text()),
	}
	if v.botLevel > 0 {
		return v.startBotMatch(p)
	}
	var table *lobby.Table
	return a.call(func(ctx context.Context) (err error) {
		table, err = a.session.Open(ctx, p)
		return err
	}, func() tea.Cmd {
		cmd := a.setView(newLobbyScreen(a))
		switch {
		case table.To != "":
			a.notify("Challenge sent to %s. The game starts when %s accepts.", table.To, table.To)
		case table.Private:
			a.notify("Your table is open. Pass on the code %s (others press e in the lobby).", table.Code(a.session.Account().ID))
		default:
			a.notify("Your table is open; %s.", startCondition(table.Options))
		}
		return cmd
	})
}

// startBotMatch starts a match against a bot.
func (v *tableForm) startBotMatch(p lobby.Proposal) tea.Cmd {
	a := v.app
	p.To, p.Private = "", false
	var match string
	return a.call(func(ctx context.Context) (err error) {
		match, err = a.config.Bots.Play(ctx, a.session, v.botLevel, p)
		return err
	}, func() tea.Cmd {
		a.lastBotForm = v.restarted()
		a.expectMatch(match)
		return a.watch(match, "")
	})
}

// labelColumns is the width of the form's labels.
const labelColumns = 16

func (v *tableForm) draw(c paint.Canvas) {
	title := "New table"
	if v.botLevel > 0 {
		title = "Game against " + v.app.config.Bots.Name(v.botLevel)
	}
	v.app.drawHeader(c, title, v.app.siteAddress(), v.app.session.Account().Name)
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	v.app.drawForm(c, rows, v.row)
}

// drawForm draws rows below the header, scrolled so that the selected one is visible.
func (a *app) drawForm(c paint.Canvas, rows []formRow, selected int) {
	w, h := c.Size()
	c = c.Sub(0, 1, w, h-1)
	skip, used := 0, 1
	for i := range selected + 1 {
		for used += rows[i].height(w); used > h-1 && skip < i; skip++ {
			used -= rows[skip].height(w)
		}
	}
	y := 1
	for i, r := range rows[skip:] {
		a.drawFormRow(c, y, r, i+skip == selected)
		y += r.height(w)
	}
}

// point is the position of an answer or a field, relative to the row's first line.
type point struct{ x, y int }

// layOut returns the positions of the answers and the field in a form of width w.
func (r formRow) layOut(w int) []point {
	const left = 3 + labelColumns
	var places []point
	at := point{x: left}
	put := func(width int) {
		if at.x > left && at.x+width > w {
			at = point{left, at.y + 1}
		}
		places = append(places, at)
		at.x += width
	}
	for _, an := range r.answers {
		put(paint.Width(an) + 2)
	}
	if r.field != nil {
		put(r.field.limit + 2)
	}
	return places
}

// height returns the number of lines of a row, with an empty one.
func (r formRow) height(w int) int {
	places := r.layOut(w)
	return places[len(places)-1].y + 2
}

// drawFormRow draws a row with its answers and its field.
func (a *app) drawFormRow(c paint.Canvas, y int, r formRow, selected bool) {
	t := a.style.Theme
	w, _ := c.Size()
	label := t.Dim
	if selected {
		label = t.Notice
		c.Text(1, y, t.Notice, "▸")
	}
	c.Text(3, y, label, r.label)
	places := r.layOut(w)
	for j, an := range r.answers {
		style, text := t.Text, " "+an+" "
		if j == r.index {
			style, text = t.Selected, "["+an+"]"
		}
		c.Text(places[j].x, y+places[j].y, style, text)
	}
	if r.field == nil {
		return
	}
	at := places[len(places)-1]
	box := c.Sub(at.x+1, y+at.y, r.field.limit+1, 1)
	bw, _ := box.Size()
	box.Fill(0, 0, bw, 1, t.Field, ' ')
	box.Text(0, 0, t.Field, r.field.text())
	if selected {
		r.field.draw(box, t.Field)
	}
}

func (v *tableForm) statusLine() (string, paint.Style) {
	return v.rows()[v.row].help, v.app.style.Theme.Dim
}

func (v *tableForm) statusKeys() []game.Key {
	enter := "open table"
	if v.botLevel > 0 {
		enter = "start game"
	}
	return []game.Key{{Key: "Enter", Help: enter}, {Key: "↑↓", Help: "field"}, {Key: "←→", Help: "change"}, {Key: "Esc", Help: "lobby"}, {Key: "?", Help: "help"}}
}

func (v *tableForm) help() helpPage {
	return helpPage{title: "New table", games: v.app.config.Games[v.game : v.game+1],
		about: "Choose what you want to play. The table stays open until the game starts or you close it.",
		keys: []game.Key{{Key: "↑ ↓", Help: "select a field"}, {Key: "← →", Help: "change it"},
			{Key: "Enter", Help: "open the table"}, {Key: "Esc", Help: "back to the lobby"}}}
}
