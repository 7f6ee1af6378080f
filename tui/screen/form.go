package screen

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/widget"
)

// Form is a screen with the rows of a form.
type Form interface {
	// Form returns the cursor and the rows, of which there is at least one.
	Form() (*widget.FormCursor, []widget.FormRow)
}

// FormKeys returns the bindings that select a row of a form and change its answer. row is what a row is to the
// user: "field". In a row with an input field, the arrows choose an answer if there are some; the letters and
// the space are text there, for HandleForm.
func FormKeys[S Form](row string) Bindings[S] {
	move := func(by int) func(S) tea.Cmd {
		return func(s S) tea.Cmd {
			cursor, rows := s.Form()
			cursor.Move(by, len(rows))
			return nil
		}
	}
	change := func(by int) func(S) tea.Cmd {
		return func(s S) tea.Cmd {
			selectedRow(s).Move(by)
			return nil
		}
	}
	return Bindings[S]{
		{Key: Keys("up shift+tab", "↑ ↓", "select a "+row), Label: row, Do: move(-1)},
		{Key: Keys("down tab", "", ""), Do: move(1)},
		{Key: Keys("left", "← →", "change it"), Label: "change", When: hasAnswers[S], Do: change(-1)},
		{Key: Keys("right", "", ""), When: hasAnswers[S], Do: change(1)},
		{Key: Keys("k", "", ""), When: IsChoice[S], Do: move(-1)},
		{Key: Keys("j", "", ""), When: IsChoice[S], Do: move(1)},
		{Key: Keys("h", "", ""), When: IsChoice[S], Do: change(-1)},
		{Key: Keys("l", "", ""), When: IsChoice[S], Do: change(1)},
		{Key: Keys("space", "", ""), When: IsChoice[S], Do: func(s S) tea.Cmd {
			selectedRow(s).Cycle()
			return nil
		}},
	}
}

// HandleForm handles a message of a form: a key with its bindings, everything else with the input field of the
// selected row.
func HandleForm[S Form](s S, bindings Bindings[S], msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		if cmd, used := bindings.Handle(s, key.String()); used {
			return cmd
		}
	}
	if field := selectedRow(s).Field; field != nil {
		field.Handle(msg)
	}
	return nil
}

// IsChoice reports whether the selected row has no input field, so that letters are keys.
func IsChoice[S Form](s S) bool { return selectedRow(s).Field == nil }

func hasAnswers[S Form](s S) bool { return selectedRow(s).Answers != nil }

// selectedRow returns the selected row.
func selectedRow(f Form) widget.FormRow {
	cursor, rows := f.Form()
	return cursor.In(rows)
}

// FormHelp returns the help of the selected row for the status line.
func FormHelp(f Form) string { return selectedRow(f).Help }
