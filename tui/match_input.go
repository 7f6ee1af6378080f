package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/words"
)

func (v *matchView) handle(msg tea.Msg) tea.Cmd {
	defer func() {
		v.pace(time.Now())
		v.playOn(time.Now())
	}()
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if v.playing() {
			v.playAt = noTime
			return nil
		}
		return v.key(msg.String())
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		if x, y, ok := v.area.at(msg.X, msg.Y); ok {
			return v.answered(v.board.Click(x, y))
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return v.step(-1)
		}
		return v.step(1)
	}
	return nil
}

// answered does what an input to the board led to.
func (v *matchView) answered(a board.Answer) tea.Cmd {
	switch {
	case a.Bad:
		v.app.complain("%s", a.Note)
	case a.Note != "":
		v.app.tell("%s", a.Note)
	}
	if v.trial != nil {
		return v.tried(a)
	}
	if a.Draft != nil && v.player != nil {
		if err := v.player.SetDraft(v.snap.Version, a.Draft); err != nil {
			v.app.complain("%v", err)
		}
		v.showPosition()
	}
	if a.Turn != nil {
		return v.submit(a.Turn)
	}
	return nil
}

func (v *matchView) key(key string) tea.Cmd {
	// A turn that is being typed takes all the keys it can use.
	if v.board.Typed() != "" {
		if a := v.board.Key(key); a.Used {
			return v.answered(a)
		}
	}
	if cmd, used := v.engineKey(key); used {
		return cmd
	}
	if v.trial != nil {
		return v.trialKey(key)
	}
	if cmd, used := v.historyKey(key); used {
		return cmd
	}
	if v.player != nil {
		if cmd, used := v.playerKey(key); used {
			return cmd
		}
	}
	switch key {
	case "t":
		return v.talk()
	case "?":
		return v.app.openHelp()
	case "o":
		if v.player == nil || v.snap.Over() {
			return v.app.openOptions()
		}
	case "F":
		if v.player == nil && !v.archived() {
			return v.app.followSeat(v.snap.Info)
		}
	case "I":
		return v.app.profileOf(v.snap.Info)
	case "N":
		return v.app.nextWaiting()
	}
	if a := v.board.Key(key); a.Used {
		return v.answered(a)
	}
	switch key {
	case "q", "esc":
		return v.app.up()
	case "enter", "space":
		if v.player != nil && !v.snap.Over() {
			v.app.complain("%s", v.notNow())
		}
	}
	return nil
}

// notNow says why the player cannot move.
func (v *matchView) notNow() string {
	switch {
	case v.out():
		return outText
	case v.back:
		return "you look at an earlier position; End leads back to the game"
	case v.busy:
		return "your move is on its way"
	}
	return "it is " + v.snap.Info.Seats[v.snap.Position.Turn()].Name + "'s turn"
}

// playerKey takes the keys of a player beside those of the board.
func (v *matchView) playerKey(key string) (tea.Cmd, bool) {
	over := v.snap.Over()
	if kind, ok := offerKeys[key]; ok && (kind == lobby.OfferRematch) == over && (over || !v.many()) {
		if kind == lobby.OfferDraw && v.claimable() {
			return v.claim("draw", "Call the game a draw?"), true
		}
		return v.offer(kind), true
	}
	switch {
	case over && key == "x" && len(v.snap.Offers) > 0:
		return v.refuse(), true
	case over:
		return nil, false
	case v.out() && (key == "r" || key == "x" || key == "w"):
		v.app.tell(outText)
		return nil, true
	case key == "r":
		return v.resign(), true
	case key == "x":
		return v.refuse(), true
	case key == "w" && v.many():
		return v.vote(), true
	case key == "w" && v.claimable():
		return v.claim("win", "Claim the win?"), true
	}
	return nil, false
}

// toLobby leaves the match's screen, after asking if the player's clock runs on.
func (a *app) toLobby() tea.Cmd {
	lobbyScreen := func() tea.Cmd {
		a.follow = follow{}
		return a.show(newLobbyView(a))
	}
	v, ok := a.at.(*matchView)
	if ok && v.player != nil && !v.snap.Over() && !v.out() && v.snap.Info.Control.Live() {
		return a.confirm(yes("The game goes on and your clock runs. To the lobby?", "to the lobby", "stay", lobbyScreen))
	}
	return lobbyScreen()
}

// talk opens a line for chat.
func (v *matchView) talk() tea.Cmd {
	if v.archived() {
		v.app.tell("This game is long over; nobody is here to talk to.")
		return nil
	}
	label, say := "Say to the watchers", func(text string) error { return v.watcher.Say(text) }
	if v.player != nil {
		label, say = "Say to "+words.Opponents(v.match.Info, v.app.session.Account().ID), v.player.Say
	}
	return v.app.chatLine(label, say)
}

// chatLine lets somebody talk until Esc. What was refused stays in the line.
func (a *app) chatLine(label string, say func(string) error) tea.Cmd {
	l := &line{field: field{limit: lobby.MaxChat}, label: label, does: "say it", stay: true}
	l.enter = func(text string) tea.Cmd {
		if err := say(text); err != nil {
			_, why := lobby.Explain(err)
			l.wrong = words.Sentence(why)
			l.set(text)
		}
		return nil
	}
	return a.typing(l)
}
