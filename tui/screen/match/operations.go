package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
)

// operations are what the screens of a match do for operations that each front end implements for itself, with what was
// typed after the name.
var operations = map[string]func(v *view, args string) tea.Cmd{
	"board": func(v *view, _ string) tea.Cmd {
		return v.describe("The position", v.Game.DescribePosition(v.position()))
	},
	"status":   (*view).notifyStatus,
	"act":      (*view).playTyped,
	"say":      (*view).sayTyped,
	"unwatch":  func(v *view, _ string) tea.Cmd { return v.Shell.Open(dest.Lobby{}) },
	"turns":    (*view).listTurns,
	"turn":     (*view).goToTurn,
	"back":     func(v *view, _ string) tea.Cmd { return v.step(-1) },
	"try":      (*view).tryTyped,
	"live":     (*view).goLive,
	"hint":     (*view).askHint,
	"analysis": (*view).openAnalysis,
}

// Operate implements screen.OperationHandler.
func (v *view) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	v.lastBoard.isStale = true
	switch {
	case name == "follow" && args == "" && v.Player == nil && !v.IsArchived():
		return player.AskFollow(v.Shell, v.Snapshot.Info), true
	case name == "condition" && v.conditions.hasConditions():
		return v.conditions.arm(), true
	case name == "condition":
		v.Shell.NotifyError("conditional moves are for correspondence games of two players")
		return nil, true
	case name == "conditions" && args == "" && v.conditions.hasConditions():
		return v.conditions.open(), true
	case name == "vacation" && args == "" && v.canGoOnVacation():
		return player.AskVacation(v.Shell), true
	case name == "conditions":
		v.conditions.wants = 0 // what it changes is read at the next refresh
		return nil, false
	case name == "say" && v.IsArchived():
		return nil, false
	}
	do := operations[name]
	if do == nil {
		return nil, false
	}
	return do(v, args), true
}

// Commands implements screen.Commander: what changes how the match is shown.
func (v *view) Commands() []screen.Command {
	all := screen.BoardCommands(v.board, true, func() {
		v.lastBoard.isStale = true
		v.playback.updateReplay(time.Now())
	})
	all = append(all, screen.Command{Name: "legend", Help: "show or hide the legend of the board", Do: v.legend.toggle})
	if v.variation == nil {
		all = append(all, screen.Command{Name: "autoplay", Help: "show the turns one after the other from here, at the speed in the settings; any key stops it",
			Do: func() tea.Cmd { return v.playback.toggle(time.Now()) }})
	}
	if v.canShare() {
		all = append(all, screen.Command{Name: "share", Help: "show and copy the result, the last position as text, and the command that replays the game", Do: v.share})
	}
	if v.canPlayFrom() {
		all = append(all, screen.Command{Name: "continue", Help: "play on from this position in a new game", Do: v.playFrom})
	}
	return all
}

// canGoOnVacation reports whether the user plays correspondence games here, on a server with vacations.
func (v *view) canGoOnVacation() bool {
	return v.Player != nil && !v.Snapshot.IsOver() && v.Snapshot.Info.Control.IsCorrespondence() && player.CanGoOnVacation(v.Shell)
}

// describe shows lines of a text.
func (v *view) describe(title string, lines []string) tea.Cmd {
	return v.Shell.Open(dest.Text{Title: title, Body: strings.Join(lines, "\n")})
}

// notifyStatus shows the state of the match as a message.
func (v *view) notifyStatus(string) tea.Cmd {
	var all []string
	for _, l := range v.viewer.lines(time.Now()) {
		if l.text != "" {
			all = append(all, l.text)
		}
	}
	v.Shell.Notify("%s", strings.Join(all, " "))
	return nil
}

// actor is the viewer of users who make turns.
type actor interface {
	viewer
	submit(turn []string) tea.Cmd
	explainWhy() tea.Cmd // why they cannot make one now
}

// playTyped plays a typed turn.
func (v *view) playTyped(args string) tea.Cmd {
	p, isPlaying := v.viewer.(actor)
	if !isPlaying || !p.canAct() {
		if isPlaying {
			return p.explainWhy()
		}
		v.Shell.NotifyError("only the players can do that; you are a spectator")
		return nil
	}
	turn, err := v.Game.ParseTurn(v.Snapshot.Position, args)
	if err != nil {
		v.Shell.NotifyError("%v", err)
		return nil
	}
	v.variation = nil
	v.step(len(v.turns.Entries))
	return p.submit(turn)
}

// sayTyped sends a line of chat, or opens the input line.
func (v *view) sayTyped(args string) tea.Cmd {
	if args == "" {
		return v.viewer.chat()
	}
	if err := v.Say(args); err != nil {
		v.Shell.NotifyFailure(err)
	}
	return v.Shell.Refresh()
}

// listTurns lists the turns of the match.
func (v *view) listTurns(string) tea.Cmd {
	var all []string
	for _, e := range v.turns.Entries {
		name := v.Snapshot.Info.Seats[e.Seat].Name
		if e.Kind != match.EntryTurn {
			all = append(all, name+" leaves.")
			continue
		}
		all = append(all, fmt.Sprintf("%d. %s: %s", len(all)+1, name, v.Game.ShortTurn(e.Actions)))
	}
	if len(all) == 0 {
		all = []string{"No turns have been played."}
	}
	return v.describe("The turns", all)
}

// goToTurn shows the position after a turn, without a number after the next one.
func (v *view) goToTurn(args string) tea.Cmd {
	if args == "" {
		return v.step(1)
	}
	n := countTurns(v.turns.Entries)
	turn, err := strconv.Atoi(args)
	if err != nil || turn < 0 || turn > n {
		v.Shell.NotifyError("enter a turn number from 0 to %d", n)
		return nil
	}
	v.variation = nil
	return v.step(v.turns.PlyOf(turn) - v.shownPly())
}

// tryTyped begins a variation, and plays a typed turn in it.
func (v *view) tryTyped(args string) tea.Cmd {
	if v.variation == nil {
		v.startVariation()
	}
	if args == "" || v.variation == nil {
		return nil
	}
	turn, err := v.Game.ParseTurn(v.position(), args)
	if err == nil {
		v.variation.draft = nil
		err = v.variation.Play(turn)
	}
	if err != nil {
		v.Shell.NotifyError("%v", err)
	}
	v.show()
	return nil
}

// goLive shows the newest position.
func (v *view) goLive(string) tea.Cmd {
	v.variation = nil
	return v.step(len(v.turns.Entries))
}

// askHint asks the engine for a hint.
func (v *view) askHint(string) tea.Cmd {
	if err := v.Shell.Visit.CheckHint(v.Snapshot, v.Seat); err != nil {
		v.Shell.NotifyFailure(err)
		return nil
	}
	return v.hints.ask()
}

// openAnalysis opens the analysis of a finished match.
func (v *view) openAnalysis(string) tea.Cmd {
	if !v.canAnalyze() {
		v.Shell.NotifyError("an analysis begins when the game is over, on servers with an engine")
		return nil
	}
	return v.analyze()
}

// optionsHere returns the options of a game that begins with the position that is shown.
func (v *view) optionsHere() (engine.Options, error) {
	return op.StartAt(v.Snapshot, v.Seat, v.position())
}

// Traits implements screen.Screen: the traits that the screens of a match share.
func (v *view) Traits() screen.Traits {
	return screen.Traits{
		Name: "match", Here: v.optionsHere, Board: v.area.rect(), Status: v.status.rect(), Shown: v.Match, TakesText: v.board.Typed() != "",
		IsWatching: true, DrawsStatus: true, ShowsLists: v.Shell.Visit.IsFollowing(),
	}
}
