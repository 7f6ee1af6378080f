package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

func (v *lobbyScreen) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.handleKey(msg.String())
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			v.move(-1)
		} else {
			v.move(1)
		}
	case tea.MouseClickMsg:
		return v.click(msg.X, msg.Y)
	}
	return nil
}

// click selects a row; a click on the selected row opens it.
func (v *lobbyScreen) click(_, y int) tea.Cmd {
	i := v.area.top + y - v.area.y
	if y < v.area.y || y >= v.area.y+v.area.rows || i >= len(v.items) || !v.items[i].selectable() {
		return nil
	}
	if !v.usersFocused && v.items[i].key == v.selectedKey {
		return v.openSelected()
	}
	v.usersFocused, v.selectedKey = false, v.items[i].key
	return nil
}

func (v *lobbyScreen) handleKey(key string) tea.Cmd {
	a := v.app
	switch key {
	case "up", "k":
		v.move(-1)
	case "down", "j":
		v.move(1)
	case "pgup":
		v.move(-10)
	case "pgdown":
		v.move(10)
	case "home":
		v.move(-1000)
	case "end":
		v.move(1000)
	case "tab", "shift+tab", "left", "right", "h", "l":
		v.usersFocused = !v.usersFocused
	case "enter", "space":
		return v.openSelected()
	case "n":
		return a.Open(dest.NewTable{})
	case "b":
		if a.Config.Bots != nil {
			return a.Open(dest.BotGame{})
		}
	case "y":
		return v.markReady()
	case "p":
		return v.quickMatch()
	case "c":
		return v.challenge()
	case "e":
		return v.askCode()
	case "f":
		return v.followKey()
	case "F":
		return a.FollowFeatured()
	case "w":
		return v.watchUser()
	case "x":
		return v.cancel()
	case "t":
		return a.OpenChat("Message to all", a.Session.Say)
	case "o":
		return a.Open(dest.Settings{})
	case "?":
		return a.OpenHelp()
	case "q":
		return a.Quit()
	case "esc":
		v.usersFocused = false
	default:
		return v.handleMoreKeys(key)
	}
	return nil
}

// openSelected opens the selected row or user.
func (v *lobbyScreen) openSelected() tea.Cmd {
	a := v.app
	if p, ok := v.selectedUser(); ok {
		if p.Match != "" {
			return a.Open(dest.Match{ID: p.Match})
		}
		return v.challenge()
	}
	it, ok := v.selected()
	switch {
	case !ok:
		a.Notify("Nothing selected. Press p to find an opponent.")
	case it.ownMatch != nil:
		return a.Open(dest.Match{ID: it.ownMatch.Info.ID})
	case it.listing != nil:
		return a.Open(dest.Match{ID: it.listing.ID})
	case isOwner(it.table, a.Session.Account()):
		a.Notify("This is your table; %s. x: close it.", startCondition(it.table.Options))
	default:
		return a.Open(dest.Table{ID: it.table.ID})
	}
	return nil
}

func (v *lobbyScreen) watchUser() tea.Cmd {
	p, ok := v.selectedUser()
	switch {
	case !ok:
		v.app.Notify("Select a player first (Tab).")
	case p.Match == "":
		v.app.Notify("%s is not playing. Press f to follow; the next game opens by itself.", p.Name)
	default:
		return v.app.Open(dest.Match{ID: p.Match})
	}
	return nil
}

// quickMatch starts a search for an opponent, or cancels it.
func (v *lobbyScreen) quickMatch() tea.Cmd {
	a := v.app
	if t := a.Client.QuickRequest(v.view); t != nil {
		return a.Call(func(context.Context) error { return a.Client.LeaveTable(t) }, func() tea.Cmd {
			a.Notify("Search cancelled.")
			return a.Refresh()
		})
	}
	start := func(game string) tea.Cmd {
		return a.Call(func(ctx context.Context) error { return a.Client.QuickMatch(ctx, game) }, func() tea.Cmd {
			a.Notify("Looking for an opponent. The game opens by itself.")
			if a.Config.Bots != nil {
				a.Notify("Looking for an opponent. The game opens by itself. Press b to play a bot meanwhile.")
			}
			return a.Refresh()
		})
	}
	return a.ChooseGame("Quick match in which game?", func(g game.Game) tea.Cmd { return start(g.Name()) })
}

// challenge opens the form of a new table for the selected user, or asks for a name first.
func (v *lobbyScreen) challenge() tea.Cmd {
	a := v.app
	if p, ok := v.selectedUser(); ok && p.ID != a.Session.Account().ID {
		return a.Open(dest.NewTable{To: p.Name})
	}
	return a.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: lobby.MaxName}, Label: "Challenge which player", EnterHelp: "continue",
		Enter: func(name string) tea.Cmd { return a.Open(dest.NewTable{To: name}) },
	})
}

// askCode prompts for the code of a private table or match and opens it.
func (v *lobbyScreen) askCode() tea.Cmd {
	a := v.app
	return a.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: 20}, Label: "Code of a private table or game", EnterHelp: "open",
		Enter: func(code string) tea.Cmd {
			table, match := a.Session.FindByCode(code)
			switch {
			case table != "":
				return a.Open(dest.Table{ID: table, Code: code})
			case match != "":
				return a.Open(dest.Match{ID: match, Code: code})
			}
			a.NotifyError("no table or game has the code %q; check it with the player who sent it", code)
			return nil
		},
	})
}

// followKey follows the selected user, or asks for a player of the selected match.
func (v *lobbyScreen) followKey() tea.Cmd {
	a := v.app
	if p, ok := v.selectedUser(); ok {
		return a.FollowPlayer(p.ID, p.Name)
	}
	it, ok := v.selected()
	if !ok || it.listing == nil {
		a.Notify("Select a game or a player to follow.")
		return nil
	}
	return player.AskFollow(a.Shell, it.listing.Info)
}

// cancel closes the user's own table, leaves another one, or declines a challenge.
func (v *lobbyScreen) cancel() tea.Cmd {
	a := v.app
	me := a.Session.Account()
	t := a.Client.QuickRequest(v.view)
	if it, ok := v.selected(); ok && it.table != nil {
		t = it.table
	}
	if t == nil || !t.Concerns(me.ID) {
		a.Notify("Select a table that you joined, or a challenge to you.")
		return nil
	}
	return a.Call(func(context.Context) error { return a.Client.LeaveTable(t) }, func() tea.Cmd {
		a.Notify("%s", words.DescribeClosed(t, me.Name))
		return a.Refresh()
	})
}
