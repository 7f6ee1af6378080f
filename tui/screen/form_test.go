package screen_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/errcode"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
	"ayumu/tui/widget"
)

// reserveArgs are the arguments of reserve.
type reserveArgs struct {
	Room  string
	Seats int
	Light bool
	Note  string
}

// reserve is an operation that refuses some arguments, of which it names one.
var reserve = op.New(op.Spec[reserveArgs, string]{
	Info: op.Info{Name: "book", Help: "book a room", Effect: op.Changes},
	Run: func(ctx context.Context, _ *op.Visit, in reserveArgs) (string, error) {
		switch {
		case in.Note == "taken":
			return "", &errcode.Error{Code: errcode.NotAllowed, Message: "it is booked", Field: "room"}
		case in.Note == "slow":
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			return "", &errcode.Error{Code: errcode.Full, Message: "all rooms are booked"}
		}
		return in.Room + " for " + strconv.Itoa(in.Seats), nil
	},
	Text: func(_ *op.Visit, _ reserveArgs, r string) op.Text { return op.Say("%s.", r) },
})

// openBooking opens a form that is nothing but its declaration. It adds what was sent to sent.
func openBooking(d *screentest.Session, sent *[]reserveArgs) {
	room, isDark := 0, false
	seats, note := widget.NewTextField(3, "4"), widget.NewTextField(60, "")
	rooms := []string{"garden", "tower", "cellar"}
	d.Start(screen.OpenForm(d.Shell, func() screen.Form {
		n, err := strconv.Atoi(seats.Text())
		if err != nil || n < 1 || n > 12 {
			err = errcode.Errorf(errcode.BadRequest, "there are 12 seats")
		}
		in := reserveArgs{rooms[room], n, !isDark, note.Text()}
		fields := []screen.Field{
			{Label: "Room", Arg: "room", Answers: rooms, Index: room, Set: func(n int) { room = n }, Help: "Where you meet.", Remember: "room"},
			{Label: "Seats", Text: seats, Refused: err, Help: "How many come.", Remember: "seats"},
		}
		if rooms[room] == "cellar" {
			fields = append(fields, screen.Toggle("Light", "on", "off", &isDark, "It is dark there."))
		}
		return screen.Form{
			Title: "Book a room", About: "A room is yours for the evening.", Returns: true,
			Fields: append(fields, screen.Field{Label: "Note", Text: note, TypesAll: true, Help: "For the keeper."}),
			Send: screen.Action{Label: "book", Help: "book the room", Do: func(v *screen.FormScreen) tea.Cmd {
				return screen.Send(v, reserve, in, func(r string) tea.Cmd {
					*sent = append(*sent, in)
					cmd := v.Leave()
					v.Shell.Notify("Booked: %s.", r)
					return cmd
				})
			}},
			More: []screen.Action{
				{Key: "x", Label: "empty the note", Help: "remove the note", Do: func(*screen.FormScreen) tea.Cmd {
					note.Clear()
					return nil
				}},
				{Key: "ctrl+t", Label: "try", Help: "try whether it would work", Sends: true, Confirm: "Try it?", Dismiss: "cancel", Do: func(v *screen.FormScreen) tea.Cmd {
					v.Shell.Notify("It would work.")
					return nil
				}},
			},
		}
	}))
	d.Drain()
}

// TestDeclaredForm uses a form that has no type, key handler or drawing of its own, in the smallest window and a large one.
func TestDeclaredForm(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 40, Height: 16}, {Width: 200, Height: 60}} {
		screentest.With(t, func(h *screentest.Harness) {
			var sent []reserveArgs
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			openBooking(d, &sent)
			d.Golden("form" + size.Suffix())
			d.WantText("Book a room", "▸ Room", "[garden] tower", "Where you meet.", "Enter book", "? help")
			d.WantNoText("Light")

			// Keys: the arrows and letters where nothing is typed, Tab everywhere.
			d.Press("right right right")
			d.WantText("[cellar]", "Light")
			d.Press("left")
			d.WantText("[tower]")
			d.WantNoText("Light")
			d.Press("space")
			d.WantText("[cellar]")
			d.Press("j j k tab")
			d.WantText("▸ Light", "4jk")
			d.Press("enter")
			d.WantText("▸ Seats", "There are 12 seats.")
			d.Golden("form-refused" + size.Suffix())
			d.Press("up down enter")
			d.WantText("There are 12 seats.")
			d.Press("ctrl+u")
			d.WantNoText("There are 12 seats.")
			d.Press("ctrl+t")
			d.WantText("There are 12 seats.")
			d.WantNoText("Try it?")
			d.TypeText("7")
			d.Press("ctrl+t y")
			d.WantText("It would work.")

			// Pastes, and a question mark in a text that can have one.
			d.Press("tab tab")
			d.Send(tea.PasteMsg{Content: "which\x1b one\n"})
			d.TypeText("?:q")
			d.WantText("which one ?:q", "For the keeper.")
			d.WantNoText("? help", "Help")

			// The mouse.
			d.ClickOn("tower", 0)
			d.WantText("▸ Room", "[tower]")
			d.WantNoText("Light")
			d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
			d.Drain()
			d.WantText("▸ Seats")
			d.ClickOn("Note", 0)
			d.WantText("▸ Note")
			d.ClickOn("Room", 0)

			// The help page and the palette.
			d.Press("?")
			if text := d.HelpText(); !hasAll(text, "A room is yours", "book the room", "remove the note", "try whether it would work", "How many come.", "leave the form") {
				t.Errorf("the help page is\n%s", text)
			}
			d.Press("q :")
			d.TypeText("empty")
			d.WantText("empty the note", "remove the note")
			d.Press("enter")
			d.WantNoText("which one", "Commands")

			// Errors of the operation: at the field that one names, and otherwise above the status bar.
			d.Press("down down")
			d.TypeText("taken")
			d.Press("enter")
			d.WantText("▸ Room", "It is booked.")
			d.Press("right x down down down")
			d.WantNoText("It is booked.")
			d.TypeText("slow")
			d.Press("enter enter") // the second is not sent
			d.Advance(2 * time.Second)
			d.WantText("All rooms are booked.", "▸ Note")
			d.Press("ctrl+u enter")
			d.WantText("Booked: cellar for 7.", "Open tables")
			if want := []reserveArgs{{"cellar", 7, true, ""}}; !slices.Equal(sent, want) {
				t.Errorf("sent: %+v", sent)
			}

			// What is remembered is there again, until the form is left without sending it.
			openBooking(d, &sent)
			d.WantText("[cellar]", "Light")
			d.Press("down")
			d.WantText("▸ Seats" + strings.Repeat(" ", 12) + "7")
			d.Press("backspace esc")
			d.WantText("Open tables")
			openBooking(d, &sent)
			d.WantText("  Seats" + strings.Repeat(" ", 12) + "7")
			d.Press("q")
			d.WantText("Open tables")
		})
	}
}

func hasAll(text string, parts ...string) bool {
	text = strings.Join(strings.Fields(text), " ")
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// TestFormThatScrolls has more fields than rows: the selected one is visible, with why it was refused.
func TestFormThatScrolls(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Width: 40, Height: 16})
		answers := make([]int, 20)
		declare := func() screen.Form {
			f := screen.Form{Title: "Many", IsOverlay: true, Send: screen.Action{Label: "send", Do: func(*screen.FormScreen) tea.Cmd { return nil }}}
			for i := range answers {
				f.Fields = append(f.Fields, screen.Choice("Field "+strconv.Itoa(i), []string{"no", "yes"}, &answers[i], ""))
			}
			if answers[19] == 0 {
				f.Fields[19].Refused = errcode.Errorf(errcode.BadRequest, "the last answer has to be yes, whatever the others are")
			}
			return f
		}
		d.Start(screen.OpenForm(d.Shell, declare))
		d.Drain()
		d.WantText("▸ Field 0", "Field 11")
		d.WantNoText("Field 12")
		d.Press("enter")
		d.WantText("▸ Field 19", "The last answer has", "the others are.")
		d.WantNoText("Field 0")
		d.ClickOn("yes", 0)
		d.WantNoText("The last answer has")
		if i := slices.Index(answers, 1); i != 11 {
			t.Errorf("a click has changed field %d, not the first that is visible", i)
		}
		d.Press("q")
		d.WantText("Open tables")
	})
}

// TestTextFieldsWithoutColours shows how long a text can be where no background does, in the selected field and in others.
func TestTextFieldsWithoutColours(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		openBooking(d, new([]reserveArgs))
		d.Press("down")
		d.WantText("Seats            4___", "Note             "+strings.Repeat("_", 60))
		d.Press("backspace")
		d.WantText("Seats            ____\n")
		h.Account("ben")
		d = h.Visit(screentest.Setting{Name: "ben", Profile: paint.Profile{Colors: paint.TrueColor}})
		openBooking(d, new([]reserveArgs))
		d.WantNoText("_")
	})
}
