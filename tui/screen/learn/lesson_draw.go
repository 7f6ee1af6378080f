package learn

import (
	"fmt"

	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// text returns what is beside the board: the lesson, or what its solution has shown.
func (v *lessonScreen) text() []paragraph {
	t, l := v.Shell.Style.Theme, v.Lesson()
	title := paragraph{Text: l.Title, Style: t.Strong}
	if v.IsSolved {
		all := []paragraph{title, {Text: "Right. " + l.Done, Style: t.Text}}
		if v.IsLast() {
			all = append(all, paragraph{Text: v.Shell.Visit.LessonsEnd(v.Lessons), Style: t.Strong})
		}
		return append(all, paragraph{Text: "Enter: " + v.nextLabel() + ".", Style: t.Notice})
	}
	return []paragraph{title, {Text: l.Text, Style: t.Text}, {Text: l.Task, Style: t.Notice}}
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
