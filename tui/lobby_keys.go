package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

func (v *lobbyScreen) handle(msg tea.Msg) tea.Cmd {
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
		return a.setView(newTableForm(a, ""))
	case "b":
		if a.config.Bots != nil {
			return a.setView(newBotForm(a))
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
		return v.followFeatured()
	case "w":
		return v.watchUser()
	case "x":
		return v.cancel()
	case "t":
		return a.openChatPrompt("Message to all", a.session.Say)
	case "o":
		return a.openSettings()
	case "?":
		return a.openHelp()
	case "q":
		return a.quit()
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
			return a.watch(p.Match, "")
		}
		return v.challenge()
	}
	it, ok := v.selected()
	switch {
	case !ok:
		a.notify("Nothing selected. Press p to find an opponent.")
	case it.ownMatch != nil:
		return a.watch(it.ownMatch.Info.ID, "")
	case it.listing != nil:
		return a.watch(it.listing.ID, "")
	case isOwner(it.table, a.session.Account()):
		a.notify("This is your table; %s. x: close it.", startCondition(it.table.Options))
	default:
		return a.join(it.table.ID, "")
	}
	return nil
}

func (v *lobbyScreen) watchUser() tea.Cmd {
	p, ok := v.selectedUser()
	switch {
	case !ok:
		v.app.notify("Select a player first (Tab).")
	case p.Match == "":
		v.app.notify("%s is not playing. Press f to follow; the next game opens by itself.", p.Name)
	default:
		return v.app.watch(p.Match, "")
	}
	return nil
}

// quickMatch starts a search for an opponent, or cancels it.
func (v *lobbyScreen) quickMatch() tea.Cmd {
	a := v.app
	if t := v.ownQuickRequest(); t != nil {
		return a.call(func(context.Context) error { return a.session.Cancel(t.ID) }, func() tea.Cmd {
			a.notify("Search cancelled.")
			return a.refresh()
		})
	}
	start := func(game string) tea.Cmd {
		return a.call(func(ctx context.Context) error {
			_, err := a.session.Open(ctx, lobby.Proposal{Game: game, Quick: true})
			return err
		}, func() tea.Cmd {
			a.notify("Looking for an opponent. The game opens by itself.")
			if a.config.Bots != nil {
				a.notify("Looking for an opponent. The game opens by itself. Press b to play a bot meanwhile.")
			}
			return a.refresh()
		})
	}
	return a.chooseGame("Quick match in which game?", func(g game.Game) tea.Cmd { return start(g.Name()) })
}

func (v *lobbyScreen) ownQuickRequest() *lobby.Table {
	me := v.app.session.Account().ID
	for _, t := range v.view.Tables {
		if t.Quick && t.Concerns(me) {
			return t
		}
	}
	return nil
}

// chooseGame asks for a game if there are several; the key of each is one of [game.List.ChoiceKeys].
func (a *app) chooseGame(text string, do func(game.Game) tea.Cmd) tea.Cmd {
	if len(a.config.Games) == 1 {
		return do(a.config.Games.Default())
	}
	q := &question{text: text, dismiss: "cancel"}
	keys := a.config.Games.ChoiceKeys()
	for i, g := range a.config.Games {
		q.answers = append(q.answers, answer{game.Key{Key: keys[i], Help: g.Engine().Title()}, func() tea.Cmd { return do(g) }})
	}
	return a.ask(q)
}

// challenge opens the form of a new table for the selected user, or asks for a name first.
func (v *lobbyScreen) challenge() tea.Cmd {
	a := v.app
	if p, ok := v.selectedUser(); ok && p.ID != a.session.Account().ID {
		return a.setView(newTableForm(a, p.Name))
	}
	return a.openPrompt(&prompt{
		textField: textField{limit: lobby.MaxName}, label: "Challenge which player", enterHelp: "continue",
		enter: func(name string) tea.Cmd { return a.setView(newTableForm(a, name)) },
	})
}

// askCode prompts for the code of a private table or match and opens it.
func (v *lobbyScreen) askCode() tea.Cmd {
	a := v.app
	return a.openPrompt(&prompt{
		textField: textField{limit: 20}, label: "Code of a private table or game", enterHelp: "open",
		enter: func(code string) tea.Cmd {
			table, match := a.session.FindByCode(code)
			switch {
			case table != "":
				return a.join(table, code)
			case match != "":
				return a.watch(match, code)
			}
			a.notifyError("no table or game has the code %q; check it with the player who sent it", code)
			return nil
		},
	})
}

// followKey follows the selected user, or asks for a player of the selected match.
func (v *lobbyScreen) followKey() tea.Cmd {
	a := v.app
	if p, ok := v.selectedUser(); ok {
		return a.followPlayer(p.ID, p.Name)
	}
	it, ok := v.selected()
	if !ok || it.listing == nil {
		a.notify("Select a game or a player to follow.")
		return nil
	}
	return a.followSeat(it.listing.Info)
}

// followSeat asks which player of a match to follow.
func (a *app) followSeat(info *lobby.MatchInfo) tea.Cmd {
	q := &question{text: "Follow which player? Every next game opens by itself.", dismiss: "cancel"}
	for i, s := range info.Seats {
		q.answers = append(q.answers, answer{game.Key{Key: string(rune('1' + i)), Help: s.Name},
			func() tea.Cmd { return a.followPlayer(s.Account, s.Name) }})
	}
	return a.ask(q)
}

func (a *app) followPlayer(id lobby.AccountID, name string) tea.Cmd {
	if id == a.session.Account().ID {
		a.notify("This is you; your own games open by themselves.")
		return nil
	}
	a.follow = followTarget{id: id, name: name}
	a.session.IgnoreLists(false)
	if a.followedMatch() == "" {
		a.notify("Following %s. The next game opens by itself.", name)
		return nil
	}
	return a.openFollowed()
}

func (v *lobbyScreen) followFeatured() tea.Cmd {
	a := v.app
	a.follow = followTarget{featured: true}
	if a.followedMatch() == "" {
		a.notify("No games in progress. The next featured game opens by itself.")
		return nil
	}
	return a.openFollowed()
}

// cancel closes the user's own table, leaves another one, or declines a challenge.
func (v *lobbyScreen) cancel() tea.Cmd {
	a := v.app
	me := a.session.Account()
	t := v.ownQuickRequest()
	if it, ok := v.selected(); ok && it.table != nil {
		t = it.table
	}
	if t == nil || !t.Concerns(me.ID) {
		a.notify("Select a table that you joined, or a challenge to you.")
		return nil
	}
	declines := !slices.Contains(t.Seated, me.Name)
	return a.call(func(context.Context) error {
		if declines {
			return a.session.Decline(t.ID)
		}
		return a.session.Cancel(t.ID)
	}, func() tea.Cmd {
		a.notify("%s", words.DescribeClosed(t, me.Name))
		return a.refresh()
	})
}
