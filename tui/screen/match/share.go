package match

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/screen/dest"
	"ayumu/tui/theme"
	"ayumu/tui/words"
)

// canShare reports whether others can open the match by its id: it is over, and in the archive of a server.
func (v *view) canShare() bool {
	return v.Snapshot.IsOver() && !v.isOfRecord() && v.Shell.Config.SSHTarget != "" && !v.Shell.Config.IsOffline()
}

// replayCommand returns the command that replays the match, for others.
func (v *view) replayCommand() string {
	return "ssh -t " + v.Shell.Config.SSHArguments() + " replay " + v.Snapshot.Info.ID
}

// copyCommand copies replayCommand.
func (v *view) copyCommand() tea.Cmd {
	v.Shell.Notify("Copied, if your terminal allows it: %s", v.replayCommand())
	return tea.SetClipboard(v.replayCommand())
}

// share shows the match and its last position as a text to pass on, and copies it.
func (v *view) share() tea.Cmd {
	text := v.shareText()
	return tea.Batch(tea.SetClipboard(text), v.Shell.Open(dest.Text{Title: "Share this game", Body: text, Note: "Copied, if your terminal allows it."}))
}

// shareText describes the match with its last position, and how it can be opened.
func (v *view) shareText() string {
	s := v.Snapshot
	plain := game.Style{Theme: &theme.Plain, ASCII: !v.Shell.Style.HasSymbols()} // text has no colours
	var names []string
	for i, seat := range s.Info.Seats {
		mark, _ := v.Game.SeatMark(s.Position, i, plain)
		names = append(names, mark+" "+seat.Name+" ("+v.Game.Side(s.Position, i)+")")
	}
	all := []string{s.Info.Title() + ": " + strings.Join(names, " – "), words.Result(s, v.Game, -1), ""}
	all = append(all, v.Game.TextBoard(s.Position, plain.ASCII)...)
	all = append(all, "", v.replayCommand())
	if url := v.Shell.Config.MatchURL(s.Info); url != "" {
		all = append(all, url)
	}
	return strings.Join(all, "\n")
}
