package learn

import "ayumu/tui/screen"

// Commands implements screen.Commander.
func (v *lessonScreen) Commands() []screen.Command {
	return append(lessonBindings.Commands(v), screen.BoardCommands(v.Board, true, v.show)...)
}

// Commands implements screen.Commander.
func (v *puzzleScreen) Commands() []screen.Command {
	return append(puzzleBindings.Commands(v), screen.BoardCommands(v.task.Board, false, func() {})...)
}

// Commands implements screen.Commander.
func (v *analysis) Commands() []screen.Command {
	return append(analysisBindings.Commands(v), screen.BoardCommands(v.board, false, func() {})...)
}
