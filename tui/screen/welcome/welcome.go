// Package welcome is the screens before the lobby: the choice of a name at the first visit of a key, the
// welcome of a guest, the operator's picture, and a sign-in that failed.
package welcome

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

// Open welcomes a visitor who is not signed in: a guest, or someone with a new key, who chooses a name. A
// picture that does not fit above the text is shown before.
func Open(sh *screen.Shell, _ dest.Welcome) tea.Cmd {
	base := screen.Base{Shell: sh}
	var next screen.Screen = &guestScreen{base}
	if !sh.Config.IsNewGuest() {
		next = newNameScreen(sh)
	}
	pw, ph := sh.Config.Picture.Size(sh.Style.ASCII)
	if ph > 0 && ph <= sh.Height-5 && pw <= sh.Width && ph > sh.Height-2-maxRows-3 {
		next = &pictureScreen{base, next}
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

// nameScreen asks for a name at the first visit of a key.
type nameScreen struct {
	screen.Base
	field   widget.TextField
	failure string // why the current text is not a valid name; "": it is
	busy    bool
}

func newNameScreen(sh *screen.Shell) *nameScreen {
	v := &nameScreen{Base: screen.Base{Shell: sh}, field: widget.TextField{Limit: account.MaxName}}
	v.field.Set(sh.Config.SuggestedName())
	return v
}

var nameBindings = screen.Bindings[*nameScreen]{
	{Key: screen.Keys("enter", "Enter", "take this name"), Label: "take this name", When: func(v *nameScreen) bool { return !v.busy }, Do: (*nameScreen).submit},
	{Key: screen.Keys("ctrl+u", "Ctrl+U", "clear it")},                           // of the input field
	{Key: screen.Keys("ctrl+c", "Ctrl+C", "quit Ayumu"), Label: "quit", Rank: 1}, // of the session
	screen.HelpKey[*nameScreen](),                                                // not a character of names
}

func (v *nameScreen) Handle(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		if cmd, used := nameBindings.Handle(v, key.String()); used {
			return cmd
		}
	}
	if v.field.Handle(msg) {
		v.failure = ""
		// A name of one character is still being typed; no error yet.
		if err := account.CheckName(v.field.Text()); err != nil && v.field.Len() > 1 {
			_, v.failure = lobby.PublicError(err)
		}
	}
	return nil
}

func (v *nameScreen) submit() tea.Cmd {
	name := v.field.Text()
	if err := account.CheckName(name); err != nil {
		_, v.failure = lobby.PublicError(err)
		return nil
	}
	v.busy = true
	return screen.Try(v.Shell, func(ctx context.Context) (account.Account, error) {
		return v.Shell.Config.Register(ctx, name)
	}, func(account account.Account, refused error) tea.Cmd {
		v.busy = false
		if refused != nil {
			_, v.failure = lobby.PublicError(refused)
			return nil
		}
		v.Shell.Notify("Welcome, %s. Your SSH key is your password. Press L to learn the games.", account.Name)
		return v.Shell.Enter(account)
	})
}

func (v *nameScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, v.Shell.Config.Site(), v.Shell.Config.SSHCommand(), "first visit")
	box := column(v.Shell, c)
	y := box.Draw(1, t.Strong, "Welcome to "+v.Shell.Config.Site()+". Choose your name.")
	y = box.Draw(y+1, t.Text, "Your SSH key is new here. Your "+v.Shell.Config.Games.Engine().Titles()+" games and ratings are kept under this name; you sign in with this key.")
	y++
	n := box.Canvas.Text(0, y, t.Strong, "Name ")
	v.field.Draw(box.Canvas.Sub(n, y, account.MaxName+1, 1), t.Field)
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

func (v *nameScreen) StatusKeys() []game.Key { return nameBindings.Status(v) }

func (v *nameScreen) Help() screen.Help {
	return screen.Help{Title: "Your name", Games: v.Shell.Config.Games,
		About: "Other players see this name in your games and in chat. It belongs to your SSH key: there is no password, and nobody else can use it.",
		Keys:  nameBindings.Help(v)}
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
		cmd, _ := guestBindings.Handle(v, key.String())
		return cmd
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

// pictureScreen shows the picture and the operator's message before the next screen.
type pictureScreen struct {
	screen.Base
	next screen.Screen
}

var pictureBindings = screen.Bindings[*pictureScreen]{
	{Key: screen.Keys("enter", "Enter", ""), Label: "continue", Do: (*pictureScreen).showNext},
	screen.QuitKey[*pictureScreen](),
}

func (v *pictureScreen) showNext() tea.Cmd { return v.Shell.Show(v.next) }

// Handle continues with any key that has no other meaning.
func (v *pictureScreen) Handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	if cmd, used := pictureBindings.Handle(v, key.String()); used {
		return cmd
	}
	return v.showNext()
}

func (v *pictureScreen) Draw(c paint.Canvas) {
	t, site := v.Shell.Style, v.Shell.Config
	widget.DrawHeader(c, t.Theme, site.Site(), site.SSHCommand(), "welcome")
	w, h := c.Size()
	_, ph := site.Picture.Size(t.ASCII)
	y := max((h-ph-3)/2, 2)
	y += site.Picture.Draw(c, t.Theme.Text, t.ASCII, y, h-y) + 1
	for _, l := range widget.Wrap(site.Message, w-4) {
		c.Text((w-paint.Width(l))/2, y, t.Theme.Text, l)
		y++
	}
}

func (v *pictureScreen) StatusLine() (string, paint.Style) {
	return "Press Enter to continue.", v.Shell.Style.Theme.Notice
}

func (v *pictureScreen) StatusKeys() []game.Key { return pictureBindings.Status(v) }

func (v *pictureScreen) Help() screen.Help { return screen.Help{} }
