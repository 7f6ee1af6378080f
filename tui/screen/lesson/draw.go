package lesson

import (
	"fmt"

	"ayumu/tui/paint"
	"ayumu/tui/screen/taskboard"
	"ayumu/tui/widget"
)

// text returns what is beside the board: the lesson, or what its solution has shown.
func (v *lessonScreen) text() []taskboard.Paragraph {
	t, l := v.Shell.Style.Theme, v.Lesson()
	title := taskboard.Paragraph{Text: l.Title, Style: t.Strong}
	if v.IsSolved {
		return []taskboard.Paragraph{title, {Text: l.Done, Style: t.Text}, {Text: "Enter: " + v.nextLabel() + ".", Style: t.Notice}}
	}
	return []taskboard.Paragraph{title, {Text: l.Text, Style: t.Text}, {Text: l.Task, Style: t.Notice}}
}

// Draw implements screen.Screen.
func (v *lessonScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, "Learn "+v.Game.Engine().Title(), v.sideText(), fmt.Sprintf("%d of %d", v.At+1, v.Len()))
	v.DrawTask(c, v.Shell.Style, v.text())
}

// sideText names the side that the user plays.
func (v *lessonScreen) sideText() string {
	return "you are " + v.Game.Side(v.Lesson().Position, v.Seat())
}
