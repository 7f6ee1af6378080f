package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// plain is what screens without clocks and without lists have in common.
type plain struct{}

func (plain) refresh() tea.Cmd        { return nil }
func (plain) due(time.Time) time.Time { return time.Time{} }
func (plain) leave()                  {}

// nameView asks for a name at the first visit of a key.
type nameView struct {
	plain
	app   *app
	field field
	wrong string // what is wrong with the name as it stands
	busy  bool
}

func newNameView(a *app) *nameView {
	v := &nameView{app: a, field: field{limit: lobby.MaxName}}
	if lobby.CheckName(a.visit.Hint) == nil {
		v.field.set(a.visit.Hint)
	}
	return v
}

func (v *nameView) handle(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.String() == "enter" && !v.busy:
			return v.submit()
		case key.String() == "?": // no name has it
			return v.app.openHelp()
		}
	}
	if v.field.handle(msg) {
		v.wrong = ""
		// A name that is still being typed is too short for a while; that needs no remark.
		if err := lobby.CheckName(v.field.text()); err != nil && len(v.field.runes) > 1 {
			_, v.wrong = lobby.Explain(err)
		}
	}
	return nil
}

func (v *nameView) submit() tea.Cmd {
	name := v.field.text()
	if err := lobby.CheckName(name); err != nil {
		_, v.wrong = lobby.Explain(err)
		return nil
	}
	v.busy = true
	var account lobby.Account
	var refused string
	return v.app.call(func(ctx context.Context) error {
		var err error
		if account, err = v.app.visit.Lobby.Register(ctx, name, v.app.visit.Key, v.app.visit.From); err != nil {
			_, refused = lobby.Explain(err)
		}
		return nil
	}, func() tea.Cmd {
		v.busy = false
		if refused != "" {
			v.wrong = refused
			return nil
		}
		v.app.tell("Welcome, %s. Your SSH key is your password; ? explains the games.", account.Name)
		return v.app.enter(account)
	})
}

func (v *nameView) draw(c paint.Canvas) {
	t := v.app.look.Theme
	v.app.header(c, v.app.visit.club(), v.app.address(), "first visit")
	box := v.app.firstColumn(c, firstRows)
	y := box.say(1, t.Strong, "Welcome to "+v.app.visit.club()+". What shall we call you?")
	y = box.say(y+1, t.Text, "Your SSH key is new here. Choose a name for it; whenever you come back with this key, you are that player.")
	y++
	n := box.c.Text(0, y, t.Strong, "Name ")
	v.field.draw(box.c.Sub(n, y, lobby.MaxName+1, 1), t.Field)
	y += 2
	switch {
	case v.wrong != "":
		y = box.say(y, t.Bad, words.Sentence(v.wrong))
	case len(v.field.runes) > 1:
		y = box.say(y, t.Good, "Press Enter to take this name.")
	default:
		y++
	}
	box.say(y+1, t.Dim, "2 to 16 letters a to z, digits, - and _; the first is a letter. A name that looks like another one counts as taken.")
}

func (v *nameView) hint() (string, paint.Style) { return "", paint.Style{} }

func (v *nameView) keys() []board.Key {
	return []board.Key{{Key: "Enter", Does: "take this name"}, {Key: "Ctrl+C", Does: "leave"}, {Key: "?", Does: "help"}}
}

func (v *nameView) help() helpPage {
	return helpPage{title: "Your name", games: boards.All,
		about: "Others see this name beside your games and your talk. It belongs to your SSH key: nobody needs a password, and nobody else can take it.",
		keys:  []board.Key{{Key: "Enter", Does: "take the name"}, {Key: "Ctrl+U", Does: "clear it"}, {Key: "Ctrl+C", Does: "leave Ayumu"}}}
}

// guestView welcomes somebody without a key.
type guestView struct {
	plain
	app *app
}

func (v *guestView) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch key.String() {
	case "enter", "space":
		return v.app.enter(v.app.visit.Lobby.Guest())
	case "q", "esc":
		return v.app.quit()
	case "?":
		return v.app.openHelp()
	}
	return nil
}

func (v *guestView) draw(c paint.Canvas) {
	t := v.app.look.Theme
	v.app.header(c, v.app.visit.club(), v.app.address(), "guest")
	box := v.app.firstColumn(c, firstRows)
	y := box.say(1, t.Strong, "Welcome to "+v.app.visit.club()+".")
	y = box.say(y+1, t.Text, "You came without an SSH key, so you are a guest: you can play casual games, watch, and talk.")
	y = box.say(y+1, t.Text, "With a key you keep a name, a rating, and your games when you come back. To make one, run this at home and connect again:")
	y = box.say(y+1, t.Link, "ssh-keygen -t ed25519")
	y = box.say(y, t.Link, v.app.address())
	box.say(y+1, t.Note, "Press Enter to come in as a guest.")
}

func (v *guestView) hint() (string, paint.Style) { return "", paint.Style{} }

func (v *guestView) keys() []board.Key {
	return []board.Key{{Key: "Enter", Does: "come in"}, {Key: "q", Does: "leave"}, {Key: "?", Does: "help"}}
}

func (v *guestView) help() helpPage {
	return helpPage{title: "Guests", games: boards.All,
		about: "A guest gets a name for this visit and plays casual games in one sitting. Whoever comes with an SSH key keeps his name, his rating and his games.",
		keys:  []board.Key{{Key: "Enter", Does: "come in"}, {Key: "q", Does: "leave Ayumu"}}}
}

// sorryView says why nobody can come in.
type sorryView struct {
	plain
	app *app
	why string
}

func (a *app) sorry(err error) tea.Cmd {
	_, why := lobby.Explain(err)
	return a.show(&sorryView{app: a, why: why})
}

func (v *sorryView) handle(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return v.app.leaveNow()
	}
	return nil
}

func (v *sorryView) draw(c paint.Canvas) {
	t := v.app.look.Theme
	v.app.header(c, v.app.visit.club(), v.app.address(), "")
	box := column(c)
	y := box.say(1, t.Strong, "You cannot come in just now.")
	box.say(y+1, t.Text, words.Sentence(v.why))
}

func (v *sorryView) hint() (string, paint.Style) { return "", paint.Style{} }

func (v *sorryView) keys() []board.Key { return []board.Key{{Key: "any key", Does: "leave"}} }

func (v *sorryView) help() helpPage { return helpPage{} }

// textColumn is a column of text in the middle of a screen.
type textColumn struct {
	c paint.Canvas
	w int
}

const columnWidth = 64

func column(c paint.Canvas) textColumn {
	w, h := c.Size()
	width := min(columnWidth, w-4)
	top := 1
	if h > 20 {
		top = 3
	}
	return textColumn{c.Sub((w-width)/2, top, width, h-top), width}
}

// say draws wrapped text and returns the row after it.
func (t textColumn) say(y int, s paint.Style, text string) int {
	for _, l := range wrap(text, t.w) {
		t.c.Text(0, y, s, l)
		y++
	}
	return y
}
