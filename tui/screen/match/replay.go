package match

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// replay shows a finished match from the archive, without other users.
type replay struct{ view }

// newReplay returns the screen at the first position of the match.
func newReplay(sh *screen.Shell, m *op.Match) *replay {
	v := new(replay)
	v.init(sh, m, v)
	v.turns = turnsOf(sh).Of(m.Snapshot, m.Game)
	v.isReviewing = len(v.turns.Positions()) > 1
	return v
}

var replayKeys = newKeyTable(slices.Concat(
	ofReplay(viewKeys), ofReplay(hintKeys), ofReplay(boardKeys(rankReplay)), ofReplay(endKeys),
), ofReplay(lateKeys))

// ofReplay adapts bindings of the view.
func ofReplay(b screen.Bindings[*view]) screen.Bindings[*replay] {
	return screen.Part(func(v *replay) *view { return &v.view }, b)
}

// Handle implements screen.Screen.
func (v *replay) Handle(msg tea.Msg) tea.Cmd { return handle(v, &v.view, &replayKeys, msg) }

// StatusKeys implements screen.Screen.
func (v *replay) StatusKeys() []game.Key { return statusKeys(v, &v.view, &replayKeys) }

// Help implements screen.Screen.
func (v *replay) Help() screen.Help {
	p := v.help()
	p.Title, p.About = "Replay", "A finished game from the archive, from its first turn to its last."
	p.Keys = screen.ShownKeys(v.board, replayKeys.all.Help(v))
	return p
}

// Refresh implements screen.Screen.
func (v *replay) Refresh() tea.Cmd {
	v.show()
	return nil
}

// NextChange returns when the replay shows the next step or turn.
func (v *replay) NextChange(now time.Time) time.Time {
	next := soonest{now: now}
	next.add(v.playback.nextStepAt)
	next.add(v.playback.nextTurnAt)
	return next.at
}

// lines implements viewer.
func (v *replay) lines(time.Time) []styledText {
	if v.variation != nil {
		return append(v.variationLines(), styledText{})
	}
	t := v.Shell.Style.Theme
	where := "Last position."
	switch {
	case v.playback.isRunning():
		where = "Autoplay; press any key to stop."
	case v.isReviewing && v.ply == 0:
		where = "Start of the game. →: next move, Space: autoplay."
	case v.isReviewing:
		where = "Turn " + strconv.Itoa(countTurns(v.turns.Entries[:v.ply])) + " of " + strconv.Itoa(v.Snapshot.Turns) + "."
	}
	return []styledText{{where, t.Notice}, {words.Result(v.Snapshot, v.Game, v.Seat), t.Text}, {}}
}

// headerNote returns the date of the match.
func (v *replay) headerNote(int) string { return "played " + words.Date(v.Snapshot.LastAt) }

// seatToMove implements viewer.
func (v *replay) seatToMove() int {
	if v.variation == nil && !v.isReviewing {
		return -1
	}
	return v.position().Turn()
}

// recordedClocks returns the times left after the turn that is shown.
func (v *replay) recordedClocks() recordedClocks {
	c := recordedClocks{isSet: v.isReviewing}
	if v.isReviewing && v.ply > 0 && v.turns.Entries[v.ply-1].Clocks != nil {
		c.known = true
		copy(c.left[:], v.turns.Entries[v.ply-1].Clocks)
	}
	return c
}

// isOfRecord reports whether the match is that of a record, which is in no archive and whose players have no profiles.
func (v *view) isOfRecord() bool { return v.Snapshot.Info.ID == "" }

// chat implements viewer.
func (v *replay) chat() tea.Cmd {
	v.Shell.Notify("There is no chat in the archive.")
	return nil
}

// footer returns the dates of the match, if headerNote does not say all, and the command for its record.
func (v *replay) footer() panelFooter {
	i := v.Snapshot.Info
	var lines []string
	switch from, to := words.Date(i.Started), words.Date(v.Snapshot.LastAt); {
	case from != to:
		lines = append(lines, "Played from "+from+" to "+to+".")
	case v.Shell.Config.IsOffline(): // nothing else is known
		lines = append(lines, "Played on "+from+".")
	}
	if !v.Shell.Config.IsOffline() {
		lines = append(lines, "Record: ssh "+v.Shell.Config.SSHArguments()+" record "+i.ID)
		if url := v.Shell.Config.MatchURL(i); url != "" {
			lines = append(lines, url)
		}
	}
	title := "From the archive"
	if v.isOfRecord() {
		title = "From a record"
	}
	return panelFooter{title: title, text: strings.Join(lines, "\n"), minRows: 3, isFixed: true}
}
