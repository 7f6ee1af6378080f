package match

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/tournament"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// live is a view of a match as it happens, for its players and spectators.
type live struct {
	view
	swapAt int // the version of the match of which a swap by another was told; 0: none
}

// Refresh applies the newest snapshot, and the draft as other sessions of the seat left it.
func (v *live) Refresh() tea.Cmd { return tea.Batch(v.refreshMatch(), v.conditions.refresh()) }

func (v *live) refreshMatch() tea.Cmd {
	before := v.Update()
	s := v.Snapshot
	isFirst := v.turns == nil
	if s == before && !isFirst {
		v.show()
		return nil
	}
	turns := 0
	if !isFirst {
		turns = len(v.turns.Entries)
	}
	v.turns = turnsOf(v.Shell).Of(s, v.Game)
	if newest := len(v.turns.Entries); v.ply >= newest {
		v.ply, v.isReviewing = newest, false
	}
	moved := !isFirst && before.Version != s.Version
	if moved {
		v.Shell.ClearFailure() // what was refused can be legal now
	}
	if v.IsOwnTurn() && moved && !s.Info.Local {
		v.Shell.Bell()
	}
	if !before.IsOver() && s.IsOver() {
		v.Shell.ClearOldNotice() // it would hide the result
	}
	v.notifyNews()
	v.notifyPresence(before)
	v.setTitle()
	typed := v.board.Typed()
	v.show()
	if typed != "" && v.board.Typed() == "" {
		v.droppedTyping.begin(time.Now())
		v.Shell.NotifyEvents("Your typed move was dropped: the position has changed.")
	}
	if e := v.turns.Entries; moved && !v.isReviewing && v.variation == nil && len(e) > turns && e[len(e)-1].Kind == match.EntryTurn {
		v.playback.showLastTurn(time.Now())
	}
	if s.Rematch != "" && (isFirst || before.Rematch == "") {
		v.Shell.Notify("The rematch has started.")
		return v.Shell.Open(dest.Match{ID: s.Rematch, Code: s.NextCode, IsExpected: true})
	}
	return nil
}

// notifyNews shows as a notice what others did since the last call, and the result where the board is
// hidden.
func (v *live) notifyNews() {
	var texts []string
	hasOffer := false
	err := v.Read(func(n match.FeedItem) error {
		text := words.DescribeItem(n, v.Snapshot, v.Game, v.Seat)
		if n.Entry != nil && n.Entry.Kind == match.EntryEnd && v.hidesPanel() {
			text = strings.TrimSpace(words.ResultAndPlaces(v.Snapshot, v.Game, v.Seat) + " " + words.DescribeRatings(v.Snapshot, v.Seat, "→"))
		}
		if text != "" {
			texts = append(texts, text)
		}
		if text != "" && n.Swapped {
			v.swapAt = v.Snapshot.Version
		}
		if n.Event != nil && n.Event.Kind == match.EventOffered && n.Event.Seat != v.Seat {
			hasOffer = true // the offer itself is shown beside the board
		}
		return nil
	})
	if err != nil {
		texts = []string{"Some events of this game cannot be shown."}
	}
	v.Shell.NotifyEvents(texts...)
	if v.Player != nil && !v.Snapshot.Info.Local && (hasOffer || len(texts) > 0) {
		v.Shell.Bell()
	}
}

// hidesPanel reports whether the panel beside the board shows another position than the current one, or is covered.
func (v *live) hidesPanel() bool {
	return v.Shell.HasOverlay() || v.isReviewing || v.variation != nil
}

// setTitle shows in the window's title whether it is the user's turn.
func (v *live) setTitle() {
	if v.IsOwnTurn() && !v.Snapshot.Info.Local {
		v.Shell.Title = "Your turn – " + screen.Title
	} else {
		v.Shell.Title = screen.Title
	}
}

// Traits implements screen.Screen.
func (v *live) Traits() screen.Traits {
	over := v.Snapshot.IsOver()
	isDone := over && time.Since(v.Snapshot.LastAt) >= screen.ResultDelay || !over && v.Snapshot.Interest() == match.InterestNone
	t := v.view.Traits()
	t.Match, t.IsPlaying, t.ClockRuns, t.CanFollow = v.Snapshot.Info.ID, v.Player != nil && !over, v.ClockRuns(), v.Player == nil && isDone
	return t
}

// Reopen implements screen.Screen. A match is opened anew.
func (v *live) Reopen() dest.Destination {
	return dest.Match{ID: v.Snapshot.Info.ID, Code: v.Snapshot.Code}
}

// NextChange returns when a clock, an absence, an offer or a replay changes the screen. The clocks of a frame that
// sessions share change by themselves.
func (v *live) NextChange(now time.Time) time.Time {
	next := soonest{now: now}
	next.add(v.NextOfferChange(now))
	next.add(v.playback.nextStepAt)
	next.add(v.playback.nextTurnAt)
	if v.Snapshot.IsOver() {
		if v.Shell.Visit.IsFollowing() {
			next.add(v.Snapshot.LastAt.Add(screen.ResultDelay))
		}
		return next.at
	}
	next.add(v.NextWarning(now))
	if !v.Shell.IsTimed() {
		next.add(nextClockChange(v.Snapshot, now))
	}
	return next.at
}

// rulingReason returns why the tournament of the match has decided it; "": it has not, or it is not in memory any more.
func (v *live) rulingReason() string {
	in := &v.Snapshot.Info.Tournament
	if s := v.Shell.Session.Lobby().Tournaments.Known(in.ID); s != nil {
		if g, ok := s.Game(in.Round, in.Table); ok && g.Kind == tournament.GameRuled {
			return g.Reason()
		}
	}
	return ""
}

// stateLines describes whose turn it is, or the result.
func (v *live) stateLines() []styledText {
	t, s := v.Shell.Style.Theme, v.Snapshot
	switch {
	case s.Frozen:
		who := "Tell the operator, whose log says why."
		if v.Shell.Config.IsOffline() {
			who = "The log in the data folder says why."
		}
		return []styledText{{"An internal error stopped this game. " + who, t.Bad}}
	case s.IsOver():
		lines := []styledText{{words.Result(s, v.Game, v.Seat), t.Notice}}
		if text := v.rulingReason(); text != "" {
			lines = append(lines, styledText{words.Sentence(text), t.Notice})
		}
		if text := words.DescribeRatings(s, v.Seat, "→"); text != "" {
			lines = append(lines, styledText{text, t.Notice})
		}
		return lines
	}
	turn := s.Position.Turn()
	lines := []styledText{{fmt.Sprintf("%s's turn (%s).", s.Info.Seats[turn].Name, v.Game.Side(s.Position, turn)), t.Text}}
	if until, ok := s.OnVacation(turn); ok {
		lines = append(lines, styledText{words.Sentence(words.OnVacation(until) + "; the clock is stopped"), t.Dim})
	}
	return append(lines, v.vacationLines(turn)...)
}

// vacationLines describes the vacations of the seats that are not to move. Beside their names there may be no space.
func (v *live) vacationLines(turn int) (lines []styledText) {
	for seat, player := range v.Snapshot.Info.Seats {
		until, ok := v.Snapshot.OnVacation(seat)
		if !ok || seat == turn {
			continue
		}
		text := player.Name + " is "
		if seat == v.Seat {
			text = "you are "
		}
		lines = append(lines, styledText{words.Sentence(text + words.OnVacation(until)), v.Shell.Style.Theme.Dim})
	}
	return lines
}

// positionLines describes the position that is shown if it is not the live one; nil: it is.
func (v *live) positionLines() []styledText {
	t := v.Shell.Style.Theme
	switch {
	case v.variation != nil:
		return v.variationLines()
	case v.playback.isRunning():
		return []styledText{{"Autoplay; press any key to stop.", t.Notice}}
	case v.isReviewing:
		return []styledText{{v.reviewLine(), t.Notice}}
	}
	return nil
}

// headerNote implements viewer.
func (v *live) headerNote(n int) string {
	switch {
	case v.Shell.Config.IsOffline():
		return ""
	case v.Player == nil && n == 1:
		return "1 spectator (you)"
	case n == 0:
		return ""
	}
	return words.Plural(n, "spectator")
}

// seatToMove implements viewer.
func (v *live) seatToMove() int {
	if v.Snapshot.IsOver() {
		return -1
	}
	return v.Snapshot.Position.Turn()
}

// recordedClocks implements viewer.
func (v *live) recordedClocks() recordedClocks { return recordedClocks{} }

// chatFooter returns the chat of a room, with its title and a text for when it is empty; after the end of the match
// that of both rooms.
func (v *live) chatFooter(room *lobby.Chat, title, empty string) panelFooter {
	if v.Snapshot.IsOver() {
		return panelFooter{title: "Chat" + widget.ChatZone, text: "No messages yet. Press t to chat.", chat: v.lastChat.Of(v.Shell, &v.InLobby.PlayerChat, &v.InLobby.SpectatorChat), brief: "Press t to chat.", minRows: 2}
	}
	return panelFooter{title: title + widget.ChatZone, text: empty, chat: v.lastChat.Of(v.Shell, room), brief: "Press t to chat.", minRows: 2}
}

// offerLines describes the open offers and the keys that answer them.
func (v *live) offerLines(now time.Time) []styledText {
	var lines []styledText
	for _, o := range v.Snapshot.Offers {
		text := words.DescribeOpenOffer(o, v.Snapshot, v.Seat)
		switch v.OfferState(o.Kind, now) {
		case op.OfferNone, op.OfferNew:
			text += "."
		case op.OfferReceived:
			text += ": " + offerKeys[o.Kind] + " accept, x decline."
		case op.OfferAgreed:
			text += ". x: decline."
		default:
			text += ". x: withdraw."
		}
		lines = append(lines, styledText{text, v.Shell.Style.Theme.Notice})
	}
	return lines
}
