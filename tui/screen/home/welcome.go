package home

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// OpenWelcome welcomes a visitor who is not signed in: a guest, or someone with a new key, who chooses a name.
func OpenWelcome(sh *screen.Shell, _ dest.Welcome) tea.Cmd {
	base := screen.Base{Shell: sh}
	var next screen.Screen = &guestScreen{base}
	if !sh.Config.IsNewGuest() {
		next = newNameForm(sh)
	}
	return sh.Show(next)
}

// OpenFailure shows why the sign-in failed.
func OpenFailure(sh *screen.Shell, d dest.SignInFailed) tea.Cmd {
	_, why := lobby.PublicError(d.Err)
	return sh.Show(&failureScreen{screen.Base{Shell: sh}, why})
}

// maxRows is the maximum height of the texts below a picture.
const maxRows = 14

// column returns the text column of a screen, below the picture if both fit.
func column(sh *screen.Shell, c paint.Canvas) widget.TextColumn {
	w, h := c.Size()
	if n := sh.Config.Picture.Draw(c, sh.Style.Theme.Text, sh.Style.ASCII, 2, h-maxRows-3); n > 0 {
		c = c.Sub(0, n+1, w, h-n-1)
		width := min(widget.ColumnWidth, w-4)
		return widget.TextColumn{Canvas: c.Sub((w-width)/2, 1, width, h), Width: width}
	}
	return widget.NewTextColumn(c)
}

// newNameForm returns the form that asks for a name at the first visit of a key.
func newNameForm(sh *screen.Shell) *screen.FormScreen {
	name := widget.NewTextField(account.MaxName, sh.Config.SuggestedName())
	return screen.NewForm(sh, func() screen.Form {
		return screen.Form{
			Title: "Your name", Games: sh.Config.Games,
			About:  "Other players see this name in your games and in chat. It belongs to your SSH key: there is no password, and nobody else can use it.",
			Fields: []screen.Field{{Label: nameLabel, Text: name, Refused: account.CheckName(name.Text())}},
			Send:   screen.Action{Label: "take this name", Do: func(v *screen.FormScreen) tea.Cmd { return register(v, name.Text()) }},
			More: []screen.Action{
				{Key: "ctrl+u", Help: "clear it"},
				{Key: "ctrl+c", Label: "quit", Help: "quit Ayumu"},
			},
			Draw: func(c paint.Canvas, v *screen.FormScreen) { drawName(c, v, name) },
		}
	})
}

// nameLabel is the label of the only field of the form for a name.
const nameLabel = "Name"

// register takes a name and signs in.
func register(v *screen.FormScreen, name string) tea.Cmd {
	sh := v.Shell
	return screen.SendCall(v, func(ctx context.Context) (account.Account, error) {
		return sh.Config.Register(ctx, name)
	}, func(a account.Account) tea.Cmd {
		sh.Notify("Welcome, %s. Your SSH key is your password. Press l to learn the games.", a.Name)
		return sh.Enter(a)
	})
}

// drawName draws the form for a name. It has a drawing of its own because its only field is part of the welcome, with the
// operator's picture and the texts around it, and because a name is checked while it is typed.
func drawName(c paint.Canvas, v *screen.FormScreen, name *widget.TextField) {
	sh, t := v.Shell, v.Shell.Style.Theme
	widget.DrawHeader(c, t, sh.Config.Site(), sh.Config.SSHCommand(), "first visit")
	box := column(sh, c)
	y := box.Draw(1, t.Strong, "Welcome to "+sh.Config.Site()+". Choose your name.")
	y = box.Draw(y+1, t.Text, "Your SSH key is new here. Your "+sh.Config.Games.Engine().Titles()+" games and ratings are kept under this name; you sign in with this key.")
	y++
	n := box.Canvas.Text(0, y, t.Strong, nameLabel+" ")
	name.Draw(box.Canvas.Sub(n, y, account.MaxName+1, 1), t.Field, t.FieldBlank)
	y += 2
	isTyped := name.Len() > 1 // a name of one character is still being typed; no error yet
	failure := v.Refused(nameLabel)
	if err := account.CheckName(name.Text()); failure == "" && isTyped && err != nil {
		failure = words.Sentence(sh.Config.Explain(err))
	}
	switch {
	case failure != "":
		y = box.Draw(y, t.Bad, failure)
	case isTyped:
		y = box.Draw(y, t.Good, "Press Enter to sign in with this name.")
	default:
		y++
	}
	box.Draw(y+1, t.Dim, "2 to 16 letters a to z, digits, - and _; the first is a letter. Names too similar to an existing one are not available.")
}

// guestScreen welcomes a visitor without a key.
type guestScreen struct {
	screen.Base
}

var guestBindings = screen.Bindings[*guestScreen]{
	{Key: screen.Keys("enter space", "Enter", "continue"), Label: "continue", Do: func(v *guestScreen) tea.Cmd {
		return v.Shell.Enter(v.Shell.Config.Lobby.Accounts.NewGuest())
	}},
	screen.QuitKey[*guestScreen](),
	screen.HelpKey[*guestScreen](),
}

func (v *guestScreen) Handle(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		return guestBindings.HandleLast(v, key.String())
	}
	return nil
}

func (v *guestScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, v.Shell.Config.Site(), v.Shell.Config.SSHCommand(), "guest")
	box := column(v.Shell, c)
	y := box.Draw(1, t.Strong, "Welcome to "+v.Shell.Config.Site()+".")
	y = box.Draw(y+1, t.Text, "You connected without an SSH key, so you are a guest: you can play casual games of "+v.Shell.Config.Games.Engine().Titles()+", watch and chat.")
	y = box.Draw(y+1, t.Text, "With a key you keep your name, your rating and your games. To create one, run this on your computer and reconnect:")
	y = box.Draw(y+1, t.Link, "ssh-keygen -t ed25519")
	y = box.Draw(y, t.Link, v.Shell.Config.SSHCommand())
	box.Draw(y+1, t.Notice, "Press Enter to continue as a guest.")
}

func (v *guestScreen) StatusKeys() []game.Key { return guestBindings.Status(v) }

func (v *guestScreen) Help() screen.Help {
	return screen.Help{Title: "Guests", Games: v.Shell.Config.Games,
		About: "A guest gets a name for this visit and plays casual games without correspondence clocks. With an SSH key you keep your name, your rating and your games.",
		Keys:  guestBindings.Help(v)}
}

// failureScreen shows why the sign-in failed.
type failureScreen struct {
	screen.Base
	reason string
}

func (v *failureScreen) Handle(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return v.Shell.Exit()
	}
	return nil
}

func (v *failureScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, v.Shell.Config.Site(), v.Shell.Config.SSHCommand(), "")
	box := widget.NewTextColumn(c)
	y := box.Draw(1, t.Strong, "Sign-in failed.")
	box.Draw(y+1, t.Text, words.Sentence(v.reason))
}

func (v *failureScreen) StatusKeys() []game.Key { return []game.Key{{Key: "any key", Help: "quit"}} }

func (v *failureScreen) Help() screen.Help { return screen.Help{} }
