package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

func (v *matchScreen) Handle(msg tea.Msg) tea.Cmd {
	defer func() {
		v.updateReplay(time.Now())
		v.advancePlayThrough(time.Now())
	}()
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if v.isPlayingThrough() {
			v.nextTurnAt = zeroTime
			return nil
		}
		return v.handleKey(msg.String())
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		if x, y, ok := v.area.at(msg.X, msg.Y); ok {
			return v.handleResult(v.board.Click(x, y))
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return v.stepHistory(-1)
		}
		return v.stepHistory(1)
	}
	return nil
}

// handleResult applies the board's result of an input.
func (v *matchScreen) handleResult(res game.InputResult) tea.Cmd {
	switch {
	case res.Refused:
		v.app.NotifyError("%s", res.Message)
	case res.Message != "":
		v.app.Notify("%s", res.Message)
	}
	if v.variation != nil {
		return v.handleVariationResult(res)
	}
	if res.Draft != nil && v.Player != nil {
		if err := v.Player.SetDraft(v.Snapshot.Version, res.Draft); err != nil {
			v.app.NotifyError("%v", err)
		}
		v.showPosition()
	}
	if res.Turn != nil {
		return v.submit(res.Turn)
	}
	return nil
}

func (v *matchScreen) handleKey(key string) tea.Cmd {
	// A turn that is being typed has priority for all keys it can use.
	if v.board.Typed() != "" {
		if res := v.board.Key(key); res.Handled {
			return v.handleResult(res)
		}
	}
	if cmd, used := v.handleHintKey(key); used {
		return cmd
	}
	if v.variation != nil {
		return v.handleVariationKey(key)
	}
	if cmd, used := v.handleHistoryKey(key); used {
		return cmd
	}
	if v.Player != nil {
		if cmd, used := v.handlePlayerKey(key); used {
			return cmd
		}
	}
	switch key {
	case "t":
		return v.openChat()
	case "?":
		return v.app.OpenHelp()
	case "o":
		if v.Player == nil || v.Snapshot.IsOver() {
			return v.app.Open(dest.Settings{})
		}
	case "F":
		if v.Player == nil && !v.IsArchived() {
			return player.AskFollow(v.app.Shell, v.Snapshot.Info)
		}
	case "I":
		return player.AskProfile(v.app.Shell, v.Snapshot.Info)
	case "N":
		return v.app.openNextWaiting()
	}
	if res := v.board.Key(key); res.Handled {
		return v.handleResult(res)
	}
	switch key {
	case "q", "esc":
		return v.app.Back()
	case "enter", "space":
		if v.Player != nil && !v.Snapshot.IsOver() {
			v.app.NotifyError("%s", v.cannotMoveReason())
		}
	}
	return nil
}

// cannotMoveReason describes why the player cannot move now.
func (v *matchScreen) cannotMoveReason() string {
	switch {
	case v.IsOut():
		return outOfGameText
	case v.isReviewing:
		return "this is an earlier position; press End to return to the game"
	case v.isSubmitting:
		return "your move is being sent"
	}
	return "it is " + v.Snapshot.Info.Seats[v.Snapshot.Position.Turn()].Name + "'s turn"
}

// handlePlayerKey handles the keys of a player for offers, claims, votes and resigning.
func (v *matchScreen) handlePlayerKey(key string) (tea.Cmd, bool) {
	over := v.Snapshot.IsOver()
	if kind, ok := offerKinds[key]; ok && (kind == lobby.OfferRematch) == over && (over || !v.IsMultiplayer()) {
		if kind == lobby.OfferDraw && v.CanClaim() {
			return v.claim("draw", "Claim a draw?"), true
		}
		return v.offer(kind), true
	}
	switch {
	case over && key == "x" && len(v.Snapshot.Offers) > 0:
		return v.refuse(), true
	case over:
		return nil, false
	case v.IsOut() && (key == "r" || key == "x" || key == "w"):
		v.app.Notify(outOfGameText)
		return nil, true
	case key == "r":
		return v.resign(), true
	case key == "x":
		return v.refuse(), true
	case key == "w" && v.IsMultiplayer():
		return v.vote(), true
	case key == "w" && v.CanClaim():
		return v.claim("win", "Claim the win?"), true
	}
	return nil, false
}

// toLobby opens the lobby, after a confirmation if the player's clock is running.
func (a *Model) toLobby() tea.Cmd {
	open := func() tea.Cmd {
		a.Client.Unfollow()
		return a.Show(newLobbyScreen(a))
	}
	if a.Current() != nil && a.Current().Traits().ClockRuns {
		return a.Confirm(screen.YesNo("Your clock keeps running. Go to the lobby?", "go to the lobby", "stay", open))
	}
	return open()
}

// openChat opens the input line of the match's chat.
func (v *matchScreen) openChat() tea.Cmd {
	if v.IsArchived() {
		v.app.Notify("There is no chat in the archive.")
		return nil
	}
	label := "Message to spectators"
	if v.Player != nil {
		label = "Message to " + words.Opponents(v.Snapshot.Info, v.app.Session.Account().ID)
	}
	return v.app.OpenChat(label, v.Say)
}
