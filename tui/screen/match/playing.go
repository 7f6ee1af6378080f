package match

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// playing shows a match to one of its players.
type playing struct {
	live
	coaching  coaching
	submitted int // number of the log entry that the turn being sent will be; 0: none is being sent
}

func newPlaying(sh *screen.Shell, m *op.Match) *playing {
	v := new(playing)
	v.init(sh, m, v)
	v.coaching.playing = v
	return v
}

var playingKeys = newKeyTable(slices.Concat(
	ofPlaying(viewKeys), ofPlaying(hintKeys), ofPlaying(conditionKeys), premoveKeys, playerKeys,
	ofPlaying(boardKeys(rankLive)), ofPlaying(endKeys),
), slices.Concat(ofPlaying(lateKeys), screen.Bindings[*playing]{
	{Key: screen.Keys("enter space", "", ""), When: (*playing).isRunning, Do: (*playing).explainWhy},
	{Key: screen.Keys(keyArm, "", ""), When: (*playing).isRunning, Do: (*playing).whyNoPremove},
	{Key: screen.Keys("0 1 2 3 4 5 6 7 8 9 - ! @ ×", "", ""), When: (*playing).typesCells, DoKey: (*playing).beginTyped},
}))

// ofPlaying adapts bindings of the view.
func ofPlaying(b screen.Bindings[*view]) screen.Bindings[*playing] {
	return screen.Part(func(v *playing) *view { return &v.view }, b)
}

// Handle implements screen.Screen.
func (v *playing) Handle(msg tea.Msg) tea.Cmd {
	if now, ok := msg.(screen.TickMsg); ok {
		v.warn(time.Time(now))
	}
	return handle(v, &v.view, &playingKeys, msg)
}

// StatusKeys implements screen.Screen.
func (v *playing) StatusKeys() []game.Key { return statusKeys(v, &v.view, &playingKeys) }

// Help implements screen.Screen.
func (v *playing) Help() screen.Help {
	p := v.help()
	p.Title = "Playing a game"
	p.About = "Your name is the lower one. The arrow marks the player to move, whose clock is running. Press the same key to accept an offer (after a short delay)."
	if v.IsMultiplayer() {
		p.About = "The players are listed beside the board. The arrow marks the player to move, whose clock is running. A player who resigns or runs out of time leaves the game, and the others continue."
	}
	p.Keys = screen.ShownKeys(v.board, playingKeys.all.Help(v))
	return p
}

const outOfGameText = "You are out of this game. You can still watch."

// explainWhy shows why the player cannot move now.
func (v *playing) explainWhy() tea.Cmd {
	why := "it is " + v.Snapshot.Info.Seats[v.Snapshot.Position.Turn()].Name + "'s turn"
	switch {
	case v.IsOut():
		why = outOfGameText
	case v.isReviewing:
		why = "this is an earlier position; press End to return to the game"
	case v.isSubmitting():
		why = "your move is being sent"
	}
	v.Shell.NotifyError("%s", why)
	return nil
}

// canAct implements viewer.
func (v *playing) canAct() bool { return v.IsOwnTurn() && !v.isSubmitting() }

// isSubmitting reports whether a turn is being sent. Once the snapshot has the turn it has been sent, although
// its answer may come later, even after the opponent's next turn.
func (v *playing) isSubmitting() bool { return v.Snapshot.Version < v.submitted }

// draft returns the actions of the seat's unfinished turn that are still legal. It removes the others
// from the draft.
func (v *playing) draft() []string {
	d := v.Player.Draft()
	_, legal, cut := d.ApplyTo(v.Snapshot, v.Player.Seat())
	if cut && d.Version != v.Snapshot.Version {
		v.Shell.Notify("The position has changed: the rest of your turn is no longer legal and was dropped.")
		v.setDraft(legal)
	}
	return legal
}

func (v *playing) setDraft(actions []string) {
	if err := v.Player.SetDraft(v.Snapshot.Version, actions); err != nil {
		v.Shell.NotifyError("%v", err)
	}
}

// handleTurn implements viewer.
func (v *playing) handleTurn(res game.InputResult) tea.Cmd {
	if res.Draft != nil {
		v.setDraft(res.Draft)
		v.show()
	}
	if res.Turn == nil {
		return nil
	}
	if v.canPlan() {
		v.plan(op.Premove{Text: v.Game.ShortTurn(res.Turn), Actions: res.Turn, Version: v.Snapshot.Version})
		return nil
	}
	if v.coaching.isOn() {
		if why := v.coaching.coach.Warn(v.Snapshot, res.Turn); why != "" {
			v.Shell.NotifyError("%s Make the same move again to play it anyway.", why)
			v.show()
			return nil
		}
	}
	return v.submit(res.Turn)
}

// submit sends a turn to the match.
func (v *playing) submit(turn []string) tea.Cmd {
	before, version, isHinted := v.Snapshot, v.Snapshot.Version, v.hints.current.recommends(turn)
	v.submitted, v.coaching.comment, v.coaching.turnAt, v.coaching.ply = version+1, op.Comment{}, version, len(v.turns.Entries)
	v.show()
	player := v.Player // in a local match another one after the turn
	return screen.Try(v.Shell, func(ctx context.Context) (int, error) {
		return player.Act(ctx, version, turn)
	}, func(_ int, failed error) tea.Cmd {
		if v.submitted == version+1 { // not a later one
			v.submitted = 0
		}
		if failed != nil {
			v.Shell.NotifyFailure(failed)
		}
		cmd := v.Refresh()
		if v.show(); failed == nil && v.coaching.isOn() {
			cmd = tea.Batch(cmd, v.coaching.judge(before, turn, isHinted))
		}
		return cmd
	})
}

// Refresh implements screen.Screen. The last turn is described in words, by the coach together with what it says of the
// user's turn.
func (v *playing) Refresh() tea.Cmd {
	version := v.Snapshot.Version
	cmd := v.live.Refresh()
	switch {
	case v.Shell.Current() != screen.Screen(v) || v.Snapshot.Version == version:
	case v.coaching.isOn():
		v.coaching.notify()
	default:
		v.notifyLastTurn()
	}
	if v.Shell.Current() == screen.Screen(v) {
		cmd = tea.Batch(cmd, v.playPremove())
	}
	return cmd
}

// maxLastTurn is the maximum number of characters of the description of a turn in the row of messages.
const maxLastTurn = 100

// notifyLastTurn describes the last turn in words, unless it is long, the match is over, or it is a swap that was told as one.
func (v *playing) notifyLastTurn() {
	n := len(v.turns.Entries)
	if n == 0 || v.Snapshot.IsOver() || v.swapAt == v.Snapshot.Version || v.turns.Entries[n-1].Kind != match.EntryTurn || v.Snapshot.Log[len(v.Snapshot.Log)-1].Kind != match.EntryTurn {
		return
	}
	e := v.turns.Entries[n-1]
	name := v.Snapshot.Info.Seats[e.Seat].Name
	if e.Seat == v.Seat {
		name = "You"
	}
	if text := v.Game.DescribeTurn(v.Snapshot.Position, e.Actions, name); len(text) < maxLastTurn {
		v.Shell.NotifyEvents(text + ".")
	}
}

// Operate implements screen.OperationHandler: what the palette asks for in other words is asked in those of the screen.
func (v *playing) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	if (name == "resign" || name == "abort" && v.Snapshot.CanAbort) && v.isRunning() {
		return v.resign(), true
	}
	return v.live.Operate(name, args)
}

// seatArgs returns the arguments of operations of the user's seat.
func (v *playing) seatArgs() op.SeatArgs { return op.SeatArgs{Match: op.MatchID(v.Snapshot.Info.ID)} }

// runSeatOp runs an operation as a command and refreshes the screen; an error is shown.
func runSeatOp[A, R any](v *playing, o *op.Op[A, R], in A) tea.Cmd {
	return screen.Run(v.Shell, o, in, func(R) tea.Cmd { return v.Refresh() })
}

// lines implements viewer.
func (v *playing) lines(now time.Time) []styledText {
	t, s := v.Shell.Style.Theme, v.Snapshot
	lines := v.positionLines()
	if lines == nil {
		lines = v.turnLines(now)
	}
	add := func(style paint.Style, text string) { lines = append(lines, styledText{text, style}) }
	if comment := v.coaching.shownComment(); comment != "" && v.coaching.isInPanel() {
		add(t.Text, comment)
	}
	if v.canShare() && v.variation == nil { // to pass on
		add(t.Link, v.replayCommand())
		if url := v.Shell.Config.MatchURL(s.Info); url != "" {
			add(t.Link, url)
		}
	}
	lines = append(lines, v.conditions.lines()...)
	lines = append(lines, v.offerLines(now)...)
	lines = append(lines, v.absenceLines(now)...)
	if v.CanClaim() {
		add(t.Notice, words.Absence(s, 1-v.Seat, v.Seat, now)+" =: claim the win or a draw, or wait.")
	}
	if line, ok := v.voteLine(now); ok {
		add(t.Notice, line)
	}
	return lines
}

// markedTurn implements viewer: the premove, or while the position is reviewed for which the coach names a turn, that turn: on the
// live board its signs could show what is not there any more.
func (v *playing) markedTurn() (turn []string, isPlanned bool) {
	if p := v.premove(); p.Text != "" && !v.isReviewing {
		return p.Actions, true
	}
	if v.coaching.isAtTurn() && v.coaching.isOn() {
		return v.coaching.comment.Better, false
	}
	return nil, false
}

// tips implements viewer.
func (v *playing) tips() (t tips) {
	s := v.Snapshot
	if s.IsOver() || v.IsOut() {
		return t
	}
	if code := v.Shell.ReturnCode; code != "" && v.Shell.Config.SSHTarget != "" {
		t[0] = "To resume after a disconnect: ssh -l " + code + " " + v.Shell.Config.SSHTarget
	}
	if d := s.Info.Delay; d > 0 && v.variation == nil {
		t[1] = "Spectators see this game " + words.Plural(d, "turn") + " late."
	}
	if v.coaching.isOn() && v.variation == nil && !v.isReviewing && v.coaching.shownComment() == "" {
		t[2] = v.coaching.coach.Advise(s, v.Seat)
	}
	return t
}

// turnLines describes the live position to the player.
func (v *playing) turnLines(now time.Time) []styledText {
	t, s := v.Shell.Style.Theme, v.Snapshot
	if !v.IsOwnTurn() && !v.isSubmitting() || s.IsOver() || s.Frozen {
		lines := v.stateLines()
		if p := v.premove(); p.Text != "" {
			lines = append(lines, styledText{"Your next move: " + p.Text + ". Esc: drop it.", t.Notice})
		}
		if v.IsOut() {
			lines = append(lines, styledText{outOfGameText, t.Notice})
		}
		return lines
	}
	lines := []styledText{{v.board.Prompt(), t.Notice}}
	if v.isSubmitting() {
		lines = []styledText{{"Sending your move …", t.Dim}}
	}
	if !v.IsOwnTurn() {
		return lines
	}
	if left, ok := s.FirstTurnRemaining(now); ok {
		style := t.Dim
		if left <= op.UrgentFirstTurn {
			style = t.Bad
		}
		lines = append(lines, styledText{words.FirstTurnLimit(s, left), style})
	}
	return lines
}

// chat implements viewer.
func (v *playing) chat() tea.Cmd {
	return v.Shell.OpenChat("Message to "+words.Opponents(v.Snapshot.Info, v.Shell.Session.Account().ID), v.Say)
}

// footer implements viewer.
func (v *playing) footer() panelFooter {
	if v.Shell.Config.IsOffline() {
		return panelFooter{minRows: 3, isFixed: true}
	}
	empty := "Press t to chat with your opponent."
	if v.IsMultiplayer() {
		empty = "Press t to chat with the other players."
	}
	return v.chatFooter(&v.InLobby.PlayerChat, "Chat", empty)
}

// isRunning reports whether the match is not over.
func (v *playing) isRunning() bool { return !v.Snapshot.IsOver() }

// isOver reports whether the match is over.
func (v *playing) isOver() bool { return v.Snapshot.IsOver() }

// isDuel reports whether the match has two seats.
func (v *playing) isDuel() bool { return !v.IsMultiplayer() }

// received returns a condition: an offer of the kind from another seat can be accepted.
func received(kind match.OfferKind) func(*playing) bool {
	return func(v *playing) bool { return v.OfferState(kind, time.Now()) == op.OfferReceived }
}
