// Package newtable has the forms that lead to a game: a new table, a challenge, a quick match, a game against
// bots, one at one keyboard, and one from a position.
package newtable

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/table"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// form is the screen.
type form struct {
	screen.Base
	content
	cursor  widget.FormCursor
	returns bool // to the screen before
}

// content is what one of the forms asks and does.
type content interface {
	title() string
	about() string // for the help page
	rows() []widget.FormRow
	submitLabel() string
	submit() tea.Cmd
	shownGames() []game.Game // for the help page
}

// Memory keeps what a session has used last in the forms. The zero value is nothing.
type Memory struct {
	game string // of the last table or challenge
}

// Open shows the form of a new table.
func Open(sh *screen.Shell, _ dest.NewTable, m *Memory) tea.Cmd {
	return show(sh, newTableForm(sh, m))
}

// OpenChallenge shows the form of a challenge, unless the user cannot be challenged.
func OpenChallenge(sh *screen.Shell, d dest.Challenge, m *Memory) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (string, error) {
		return sh.Session.CheckChallenge(ctx, d.Name)
	}, func(name string) tea.Cmd { return show(sh, newChallengeForm(sh, m, name)) })
}

// OpenQuickMatch shows the form of a quick match as the user has used it last.
func OpenQuickMatch(sh *screen.Shell, _ dest.QuickMatch) tea.Cmd {
	return show(sh, newQuickForm(sh))
}

// OpenBotGame shows the form of a game against bots as the user has used it last.
func OpenBotGame(sh *screen.Shell, d dest.BotGame) tea.Cmd {
	return show(sh, newBotForm(sh, d.Level))
}

// OpenLocalGame shows the form of a local match as the user has used it last.
func OpenLocalGame(sh *screen.Shell, _ dest.LocalGame) tea.Cmd { return show(sh, newLocalForm(sh)) }

// OpenPositionGame shows the form of a game that begins with a position.
func OpenPositionGame(sh *screen.Shell, d dest.PositionGame) tea.Cmd {
	return sh.Push(&form{Base: screen.Base{Shell: sh}, content: newPositionForm(sh, d.Options), returns: true})
}

func show(sh *screen.Shell, c content) tea.Cmd {
	return sh.Show(&form{Base: screen.Base{Shell: sh}, content: c})
}

var bindings = append(screen.FormKeys[*form]("field"), screen.Bindings[*form]{
	{Key: screen.Keys("enter", "Enter", "confirm the form"), LabelOf: func(v *form) string { return v.submitLabel() }, Rank: -1, Do: func(v *form) tea.Cmd { return v.submit() }},
	{Key: screen.Keys("esc", "Esc", "leave the form"), LabelOf: func(v *form) string { return v.Shell.BackLabel() }, Do: (*form).close},
	{Key: screen.Keys("q", "", ""), When: screen.IsChoice[*form], Do: (*form).close},
	screen.HelpKey[*form](),
}...)

// Form implements screen.Form.
func (v *form) Form() (*widget.FormCursor, []widget.FormRow) { return &v.cursor, v.rows() }

func (v *form) Handle(msg tea.Msg) tea.Cmd { return screen.HandleForm(v, bindings, msg) }

func (v *form) close() tea.Cmd {
	if v.returns {
		return v.Shell.Back()
	}
	return toLobby(v.Shell)
}

// toLobby returns to the lobby.
func toLobby(sh *screen.Shell) tea.Cmd { return sh.Open(dest.Lobby{KeepsFollowing: true}) }

func (v *form) Draw(c paint.Canvas) {
	sh := v.Shell
	widget.DrawHeader(c, sh.Style.Theme, v.title(), sh.Config.SSHCommand(), sh.Session.Account().Name)
	cursor, rows := v.Form()
	widget.DrawForm(c, sh.Style.Theme, rows, cursor)
}

func (v *form) StatusLine() (string, paint.Style) { return screen.FormHelp(v), v.Shell.Style.Theme.Dim }

func (v *form) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *form) Help() screen.Help {
	h := screen.Help{Title: v.title(), About: v.about(), Keys: bindings.Help(v), Games: v.shownGames()}
	for _, r := range v.rows() {
		h.Keys = append(h.Keys, game.Key{Key: r.Label, Help: r.Help})
	}
	return h
}

// open opens a table, then returns to the lobby and calls then.
func open(sh *screen.Shell, in op.OpenArgs, then func(*table.View)) tea.Cmd {
	return screen.Run(sh, op.Open, in, func(r op.OpenResult) tea.Cmd {
		cmd := toLobby(sh)
		then(r.View)
		return cmd
	})
}

// playBot starts a game against bots and opens it.
func playBot(sh *screen.Shell, in op.BotArgs) tea.Cmd {
	return screen.Run(sh, op.Bot, in, func(r op.StartResult) tea.Cmd {
		return sh.Open(dest.Match{ID: r.Match, IsExpected: true})
	})
}
