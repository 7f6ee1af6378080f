package learn

import "ayumu/tui/screen"

// Commands implements screen.Commander.
func (v *lessonScreen) Commands() []screen.Command {
	return screen.BoardCommands(v.Board, true, v.show)
}

// Commands implements screen.Commander.
func (v *puzzleScreen) Commands() []screen.Command {
	return screen.BoardCommands(v.task.Board, false, func() {})
}

// Commands implements screen.Commander.
func (v *analysis) Commands() []screen.Command {
	return screen.BoardCommands(v.board, false, func() {})
}
