package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// nameScreen asks for a name at the first visit of a key.
type nameScreen struct {
	screen.Base
	app     *Model
	field   widget.TextField
	failure string // why the current text is not a valid name; "": it is
	busy    bool
}

func newNameScreen(a *Model) *nameScreen {
	v := &nameScreen{app: a, field: widget.TextField{Limit: lobby.MaxName}}
	if lobby.CheckName(a.Config.NameHint) == nil {
		v.field.Set(a.Config.NameHint)
	}
	return v
}

func (v *nameScreen) Handle(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.String() == "enter" && !v.busy:
			return v.submit()
		case key.String() == "?": // not a character of names
			return v.app.OpenHelp()
		}
	}
	if v.field.Handle(msg) {
		v.failure = ""
		// A name of one character is still being typed; no error yet.
		if err := lobby.CheckName(v.field.Text()); err != nil && v.field.Len() > 1 {
			_, v.failure = lobby.PublicError(err)
		}
	}
	return nil
}

func (v *nameScreen) submit() tea.Cmd {
	name := v.field.Text()
	if err := lobby.CheckName(name); err != nil {
		_, v.failure = lobby.PublicError(err)
		return nil
	}
	v.busy = true
	var account lobby.Account
	var refused string
	return v.app.Call(func(ctx context.Context) error {
		var err error
		if account, err = v.app.Config.Lobby.Register(ctx, name, v.app.Config.Key, v.app.Config.Addr); err != nil {
			_, refused = lobby.PublicError(err)
		}
		return nil
	}, func() tea.Cmd {
		v.busy = false
		if refused != "" {
			v.failure = refused
			return nil
		}
		v.app.Notify("Welcome, %s. Your SSH key is your password. Press ? for the rules.", account.Name)
		return v.app.enterLobby(account)
	})
}

func (v *nameScreen) Draw(c paint.Canvas) {
	t := v.app.Style.Theme
	widget.DrawHeader(c, v.app.Style.Theme, v.app.Config.Site(), v.app.Config.SSHCommand(), "first visit")
	box := v.app.welcomeColumn(c, welcomeRows)
	y := box.Draw(1, t.Strong, "Welcome to "+v.app.Config.Site()+". Choose your name.")
	y = box.Draw(y+1, t.Text, "Your SSH key is new here. Your games and ratings are kept under this name; you sign in to it with this key.")
	y++
	n := box.Canvas.Text(0, y, t.Strong, "Name ")
	v.field.Draw(box.Canvas.Sub(n, y, lobby.MaxName+1, 1), t.Field)
	y += 2
	switch {
	case v.failure != "":
		y = box.Draw(y, t.Bad, words.Sentence(v.failure))
	case v.field.Len() > 1:
		y = box.Draw(y, t.Good, "Press Enter to take this name.")
	default:
		y++
	}
	box.Draw(y+1, t.Dim, "2 to 16 letters a to z, digits, - and _; the first is a letter. Names too similar to an existing one are not available.")
}

func (v *nameScreen) StatusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *nameScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "Enter", Help: "take this name"}, {Key: "Ctrl+C", Help: "quit"}, {Key: "?", Help: "help"}}
}

func (v *nameScreen) Help() screen.Help {
	return screen.Help{Title: "Your name", Games: v.app.Config.Games,
		About: "Other players see this name at your games and in the chat. It belongs to your SSH key: there is no password, and no one else can use it.",
		Keys:  []game.Key{{Key: "Enter", Help: "take this name"}, {Key: "Ctrl+U", Help: "clear it"}, {Key: "Ctrl+C", Help: "quit Ayumu"}}}
}

// guestScreen welcomes a visitor without a key.
type guestScreen struct {
	screen.Base
	app *Model
}

func (v *guestScreen) Handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch key.String() {
	case "enter", "space":
		return v.app.enterLobby(v.app.Config.Lobby.NewGuest())
	case "q", "esc":
		return v.app.Quit()
	case "?":
		return v.app.OpenHelp()
	}
	return nil
}

func (v *guestScreen) Draw(c paint.Canvas) {
	t := v.app.Style.Theme
	widget.DrawHeader(c, v.app.Style.Theme, v.app.Config.Site(), v.app.Config.SSHCommand(), "guest")
	box := v.app.welcomeColumn(c, welcomeRows)
	y := box.Draw(1, t.Strong, "Welcome to "+v.app.Config.Site()+".")
	y = box.Draw(y+1, t.Text, "You connected without an SSH key, so you are a guest: you can play casual games, watch, and chat.")
	y = box.Draw(y+1, t.Text, "With a key you keep your name, your rating and your games. To create one, run this on your computer and reconnect:")
	y = box.Draw(y+1, t.Link, "ssh-keygen -t ed25519")
	y = box.Draw(y, t.Link, v.app.Config.SSHCommand())
	box.Draw(y+1, t.Notice, "Press Enter to continue as a guest.")
}

func (v *guestScreen) StatusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *guestScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "Enter", Help: "continue"}, {Key: "q", Help: "quit"}, {Key: "?", Help: "help"}}
}

func (v *guestScreen) Help() screen.Help {
	return screen.Help{Title: "Guests", Games: v.app.Config.Games,
		About: "A guest gets a name for this visit and plays casual games without correspondence clocks. With an SSH key you keep your name, your rating and your games.",
		Keys:  []game.Key{{Key: "Enter", Help: "continue"}, {Key: "q", Help: "quit Ayumu"}}}
}

// errorScreen shows why the sign-in failed.
type errorScreen struct {
	screen.Base
	app    *Model
	reason string
}

func (a *Model) showError(err error) tea.Cmd {
	_, why := lobby.PublicError(err)
	return a.Show(&errorScreen{app: a, reason: why})
}

func (v *errorScreen) Handle(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return v.app.Exit()
	}
	return nil
}

func (v *errorScreen) Draw(c paint.Canvas) {
	t := v.app.Style.Theme
	widget.DrawHeader(c, v.app.Style.Theme, v.app.Config.Site(), v.app.Config.SSHCommand(), "")
	box := widget.NewTextColumn(c)
	y := box.Draw(1, t.Strong, "Sign-in failed.")
	box.Draw(y+1, t.Text, words.Sentence(v.reason))
}

func (v *errorScreen) StatusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *errorScreen) StatusKeys() []game.Key { return []game.Key{{Key: "any key", Help: "quit"}} }

func (v *errorScreen) Help() screen.Help { return screen.Help{} }
