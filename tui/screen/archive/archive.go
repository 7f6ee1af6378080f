// Package archive is the screen that lists finished matches: the user's own, those of another player, or all.
package archive

import (
	tea "charm.land/bubbletea/v2"

	"fmt"

	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/finished"
	"ayumu/tui/widget"
)

// archive is the screen.
type archive struct {
	screen.Base
	list finished.List
}

// Open shows the user's finished matches, or all matches to a guest.
func Open(sh *screen.Shell, _ dest.Archive) tea.Cmd {
	v := &archive{Base: screen.Base{Shell: sh}}
	whose := ""
	if me := sh.Session.Account(); !me.IsGuest() {
		whose = me.Name
	}
	return tea.Batch(sh.Push(v), v.list.Load(sh, whose))
}

var bindings = screen.Bindings[*archive]{
	{Key: screen.Keys("enter space", "Enter", "replay the selected game"), LabelOf: (*archive).replayLabel, Do: func(v *archive) tea.Cmd { return v.list.OpenSelected(v.Shell) }},
	{Key: screen.Keys(screen.CursorNames, "↑ ↓", "select a game; below the last row, load older games"), DoKey: func(v *archive, key string) tea.Cmd { return v.list.Move(v.Shell, key) }},
	{Key: screen.Keys("left right tab h l", "← →", "your games, all games"), When: (*archive).hasOthers, Listed: (*archive).hasOthers, LabelOf: (*archive).switchLabel, Do: (*archive).switchPlayer},
	{Key: screen.Keys("/", "/", "the games of a player"), When: (*archive).hasOthers, Listed: (*archive).hasOthers, Label: "player", Rank: 1, Do: (*archive).askPlayer},
	{Key: screen.Keys("A", "A", "the analysis of the selected game by the engine, with the costliest moves"), Label: "analysis", Rank: 1,
		When: (*archive).canAnalyze, Listed: (*archive).hasEngine, Do: func(v *archive) tea.Cmd { return v.list.AnalyzeSelected(v.Shell) }},
	{Key: screen.Keys("i I", "i", "the profile of one of the game's players"), Label: "profile", Rank: 1, Do: func(v *archive) tea.Cmd { return v.list.AskProfile(v.Shell) }},
	screen.BackKey[*archive](),
	screen.HelpKey[*archive](),
}

func (v *archive) canAnalyze() bool { return v.list.CanAnalyze(v.Shell) }
func (v *archive) hasEngine() bool  { return v.Shell.Config.Bots != nil }

// hasOthers reports whether there are games of others.
func (v *archive) hasOthers() bool { return !v.Shell.Config.IsOffline() }

func (v *archive) Handle(msg tea.Msg) tea.Cmd {
	cmd, _ := bindings.Handle(v, v.list.Input(msg))
	return cmd
}

// replayLabel returns the label of the key that opens the selected match; "" if there is none.
func (v *archive) replayLabel() string {
	if len(v.list.Page.Games) == 0 {
		return ""
	}
	return "replay"
}

// switchLabel returns the label of the key for switchPlayer.
func (v *archive) switchLabel() string {
	if v.list.Page.Player != "" {
		return "all games"
	}
	return "your games"
}

// switchPlayer lists the user's matches instead of all, otherwise all.
func (v *archive) switchPlayer() tea.Cmd {
	if me := v.Shell.Session.Account(); v.list.Page.Player == "" && !me.IsGuest() {
		return v.list.Load(v.Shell, me.Name)
	}
	return v.list.Load(v.Shell, "")
}

// askPlayer prompts for a name and lists the matches of that player.
func (v *archive) askPlayer() tea.Cmd {
	return v.Shell.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: account.MaxName}, Label: "Games of which player", EnterHelp: "list games",
		Enter: func(name string) tea.Cmd { return v.list.Load(v.Shell, name) },
	})
}

// ownerText describes whose games are listed.
func (v *archive) ownerText() string {
	switch v.list.Page.Player {
	case "":
		return "all games"
	case v.Shell.Session.Account().Name:
		return "your games"
	}
	return v.list.Page.Player + "'s games"
}

func (v *archive) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	_, h := c.Size()
	page := ""
	if len(v.list.Page.Before) > 0 || v.list.Page.HasMore {
		page = fmt.Sprintf("page %d", len(v.list.Page.Before)+1)
	}
	widget.DrawHeader(c, t, "Finished games", v.ownerText()+", newest first", page)
	v.list.Draw(widget.Middle(c, widget.ListWidth), v.Shell, 1, h-1, v.emptyText())
}

func (v *archive) emptyText() string {
	switch v.list.Page.Player {
	case "":
		return "No finished games yet."
	case v.Shell.Session.Account().Name:
		if v.Shell.Config.IsOffline() {
			return "You have no finished games yet."
		}
		return "You have no finished games yet. Press p in the lobby to find an opponent, → to list all games."
	}
	return v.list.Page.Player + " has no finished games yet."
}

func (v *archive) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	n := len(v.list.Page.Games)
	more := ""
	switch {
	case n > 0 && v.list.Cursor.Index == n-1 && v.list.Page.HasMore:
		more = "↓: older games. "
	case n > 0 && v.list.Cursor.Index == 0 && len(v.list.Page.Before) > 0:
		more = "↑: newer games. "
	}
	return more + v.list.Describe(v.Shell, v.Shell.Width-2-paint.Width(more)), t.Dim
}

// Traits implements screen.Screen.
func (v *archive) Traits() screen.Traits {
	return screen.Traits{Name: "archive", Operates: []string{"analysis"}}
}

// Operate implements screen.Operator.
func (v *archive) Operate(name, _ string) (cmd tea.Cmd, ok bool) {
	if name != "analysis" {
		return nil, false
	}
	return v.list.AnalyzeSelected(v.Shell), true
}

func (v *archive) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *archive) Help() screen.Help {
	about := "All finished games are kept."
	if v.hasOthers() {
		about += " Private games are listed only for their players."
	}
	return screen.Help{Title: "Finished games", About: about, Keys: bindings.Help(v)}
}
