package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// baseScreen implements the methods of Screen for screens without clocks and lobby data.
type baseScreen struct{}

func (baseScreen) refresh() tea.Cmd               { return nil }
func (baseScreen) nextChange(time.Time) time.Time { return time.Time{} }
func (baseScreen) close()                         {}

// nameScreen asks for a name at the first visit of a key.
type nameScreen struct {
	baseScreen
	app     *app
	field   textField
	failure string // why the current text is not a valid name; "": it is
	busy    bool
}

func newNameScreen(a *app) *nameScreen {
	v := &nameScreen{app: a, field: textField{limit: lobby.MaxName}}
	if lobby.CheckName(a.config.NameHint) == nil {
		v.field.set(a.config.NameHint)
	}
	return v
}

func (v *nameScreen) handle(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.String() == "enter" && !v.busy:
			return v.submit()
		case key.String() == "?": // not a character of names
			return v.app.openHelp()
		}
	}
	if v.field.handle(msg) {
		v.failure = ""
		// A name of one character is still being typed; no error yet.
		if err := lobby.CheckName(v.field.text()); err != nil && len(v.field.runes) > 1 {
			_, v.failure = lobby.PublicError(err)
		}
	}
	return nil
}

func (v *nameScreen) submit() tea.Cmd {
	name := v.field.text()
	if err := lobby.CheckName(name); err != nil {
		_, v.failure = lobby.PublicError(err)
		return nil
	}
	v.busy = true
	var account lobby.Account
	var refused string
	return v.app.call(func(ctx context.Context) error {
		var err error
		if account, err = v.app.config.Lobby.Register(ctx, name, v.app.config.Key, v.app.config.Addr); err != nil {
			_, refused = lobby.PublicError(err)
		}
		return nil
	}, func() tea.Cmd {
		v.busy = false
		if refused != "" {
			v.failure = refused
			return nil
		}
		v.app.notify("Welcome, %s. Your SSH key is your password. Press ? for the rules.", account.Name)
		return v.app.enterLobby(account)
	})
}

func (v *nameScreen) draw(c paint.Canvas) {
	t := v.app.style.Theme
	v.app.drawHeader(c, v.app.config.siteName(), v.app.siteAddress(), "first visit")
	box := v.app.welcomeColumn(c, welcomeRows)
	y := box.draw(1, t.Strong, "Welcome to "+v.app.config.siteName()+". Choose your name.")
	y = box.draw(y+1, t.Text, "Your SSH key is new here. Your games and ratings are kept under this name; you sign in to it with this key.")
	y++
	n := box.c.Text(0, y, t.Strong, "Name ")
	v.field.draw(box.c.Sub(n, y, lobby.MaxName+1, 1), t.Field)
	y += 2
	switch {
	case v.failure != "":
		y = box.draw(y, t.Bad, words.Sentence(v.failure))
	case len(v.field.runes) > 1:
		y = box.draw(y, t.Good, "Press Enter to take this name.")
	default:
		y++
	}
	box.draw(y+1, t.Dim, "2 to 16 letters a to z, digits, - and _; the first is a letter. Names too similar to an existing one are not available.")
}

func (v *nameScreen) statusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *nameScreen) statusKeys() []game.Key {
	return []game.Key{{Key: "Enter", Help: "take this name"}, {Key: "Ctrl+C", Help: "quit"}, {Key: "?", Help: "help"}}
}

func (v *nameScreen) help() helpPage {
	return helpPage{title: "Your name", games: v.app.config.Games,
		about: "Other players see this name at your games and in the chat. It belongs to your SSH key: there is no password, and no one else can use it.",
		keys:  []game.Key{{Key: "Enter", Help: "take this name"}, {Key: "Ctrl+U", Help: "clear it"}, {Key: "Ctrl+C", Help: "quit Ayumu"}}}
}

// guestScreen welcomes a visitor without a key.
type guestScreen struct {
	baseScreen
	app *app
}

func (v *guestScreen) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch key.String() {
	case "enter", "space":
		return v.app.enterLobby(v.app.config.Lobby.NewGuest())
	case "q", "esc":
		return v.app.quit()
	case "?":
		return v.app.openHelp()
	}
	return nil
}

func (v *guestScreen) draw(c paint.Canvas) {
	t := v.app.style.Theme
	v.app.drawHeader(c, v.app.config.siteName(), v.app.siteAddress(), "guest")
	box := v.app.welcomeColumn(c, welcomeRows)
	y := box.draw(1, t.Strong, "Welcome to "+v.app.config.siteName()+".")
	y = box.draw(y+1, t.Text, "You connected without an SSH key, so you are a guest: you can play casual games, watch, and chat.")
	y = box.draw(y+1, t.Text, "With a key you keep your name, your rating and your games. To create one, run this on your computer and reconnect:")
	y = box.draw(y+1, t.Link, "ssh-keygen -t ed25519")
	y = box.draw(y, t.Link, v.app.siteAddress())
	box.draw(y+1, t.Notice, "Press Enter to continue as a guest.")
}

func (v *guestScreen) statusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *guestScreen) statusKeys() []game.Key {
	return []game.Key{{Key: "Enter", Help: "continue"}, {Key: "q", Help: "quit"}, {Key: "?", Help: "help"}}
}

func (v *guestScreen) help() helpPage {
	return helpPage{title: "Guests", games: v.app.config.Games,
		about: "A guest gets a name for this visit and plays casual games without correspondence clocks. With an SSH key you keep your name, your rating and your games.",
		keys:  []game.Key{{Key: "Enter", Help: "continue"}, {Key: "q", Help: "quit Ayumu"}}}
}

// errorScreen shows why the sign-in failed.
type errorScreen struct {
	baseScreen
	app    *app
	reason string
}

func (a *app) showError(err error) tea.Cmd {
	_, why := lobby.PublicError(err)
	return a.setView(&errorScreen{app: a, reason: why})
}

func (v *errorScreen) handle(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return v.app.exit()
	}
	return nil
}

func (v *errorScreen) draw(c paint.Canvas) {
	t := v.app.style.Theme
	v.app.drawHeader(c, v.app.config.siteName(), v.app.siteAddress(), "")
	box := newTextColumn(c)
	y := box.draw(1, t.Strong, "Sign-in failed.")
	box.draw(y+1, t.Text, words.Sentence(v.reason))
}

func (v *errorScreen) statusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *errorScreen) statusKeys() []game.Key { return []game.Key{{Key: "any key", Help: "quit"}} }

func (v *errorScreen) help() helpPage { return helpPage{} }

// textColumn is a centred column of text.
type textColumn struct {
	c paint.Canvas
	w int
}

const columnWidth = 64

func newTextColumn(c paint.Canvas) textColumn {
	w, h := c.Size()
	width := min(columnWidth, w-4)
	top := 1
	if h > 20 {
		top = 3
	}
	return textColumn{c.Sub((w-width)/2, top, width, h-top), width}
}

// draw draws wrapped text from row y on and returns the next row.
func (t textColumn) draw(y int, s paint.Style, text string) int {
	for _, l := range wrap(text, t.w) {
		t.c.Text(0, y, s, l)
		y++
	}
	return y
}
