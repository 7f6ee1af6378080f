package account

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// OpenSettings shows the settings over the current screen.
func OpenSettings(sh *screen.Shell, _ dest.Settings) tea.Cmd {
	stored := sh.Settings
	return screen.OpenForm(sh, func() screen.Form {
		f := screen.Form{
			Name: "settings", Title: "Settings", IsOverlay: true, AppliesAtOnce: true, Key: "o",
			About:  "How Ayumu looks and when it asks. Changes apply at once and are kept.",
			Fields: settingFields(sh),
			Beside: screen.Beside{Title: "How it looks", Draw: func(c paint.Canvas) { drawSample(c, sh) }},
		}
		if !sh.Config.IsOffline() {
			f.About = "How Ayumu looks and when it asks. Changes apply at once. They are kept with your account; a guest's are lost at the end of the visit."
		}
		if sh.Session == nil {
			return f
		}
		if !sh.Config.IsOffline() {
			f.More = []screen.Action{
				{Label: "account", Help: "your account: name, SSH keys, blocked players", Do: func(*screen.FormScreen) tea.Cmd { return sh.Open(dest.Account{}) }},
				{Label: "notifications", Help: "be notified outside Ayumu, by webhook or mail", Do: func(*screen.FormScreen) tea.Cmd { return sh.Open(dest.Notifications{}) }},
			}
		}
		if now := sh.Settings; now != stored && !sh.Session.Account().IsGuest() {
			f.Send.Do = func(v *screen.FormScreen) tea.Cmd {
				return screen.SendCall(v, func(ctx context.Context) (op.None, error) {
					return op.None{}, op.SaveSettings(ctx, sh.Session, now)
				}, func(op.None) tea.Cmd { return sh.Refresh() })
			}
		}
		return f
	})
}

// settingFields returns a field for each setting.
func settingFields(sh *screen.Shell) []screen.Field {
	s := &sh.Settings
	styled := func(f screen.Field) screen.Field {
		set := f.Set
		f.Set = func(n int) {
			set(n)
			sh.UpdateStyle()
		}
		return f
	}
	var speeds []string
	for _, p := range screen.ReplaySpeeds {
		speeds = append(speeds, p.Name)
	}
	bell := "Rings when it is your turn, a game starts, or someone challenges you."
	if sh.Config.IsOffline() {
		bell = "Rings when it is your turn."
	}
	all := []screen.Field{
		screen.Toggle("Bell", "off", "on", &s.Bell, bell),
		styled(screen.Choice("Background", []string{"auto", "dark", "light"}, &s.Background, "The background of your terminal. Auto: ask the terminal.")),
		styled(screen.Toggle("Colours", "on", "off", &s.Plain, "Off: shapes alone distinguish everything.")),
		styled(screen.Toggle("Palette", "standard", "red-green blind", &s.RedGreen, "Red-green blind: blue, orange and lightness in place of red and green.")),
		styled(screen.Toggle("Characters", "Unicode", "ASCII", &s.ASCII, "ASCII: for terminals and fonts that show nothing else.")),
		screen.Toggle("Confirmations", "fewer", "all", &s.Confirm, "Fewer: no question before a draw offer, a takeback, or before you leave a game. Resigning always asks."),
		screen.Choice("Replay speed", speeds, &s.ReplaySpeed, "The speed of autoplay (Space) and of turns with many steps."),
		screen.Toggle("Moves walk", "off", "on", &s.Walk, "On: in your games you see a moved stone on its way, for a third of a second. Off: less motion."),
	}
	if !sh.Config.IsOffline() {
		all = append(all, screen.Toggle("Chat input", "close", "keep open", &s.KeepChat, "After sending a message. Keep open: until Esc, or Enter without a text."))
	}
	return append(all, screen.Toggle("Coaching", "off", "on", &s.Coach, "Advice and warnings in your first games against bots."))
}

// drawSample draws a board in the style that the settings choose, and the ranks of text.
func drawSample(c paint.Canvas, sh *screen.Shell) {
	w, h := c.Size()
	t := sh.Style.Theme
	y := 1
	for _, line := range []struct {
		style paint.Style
		text  string
	}{{t.Notice, "It is your turn."}, {t.Good, "+12: you won."}, {t.Bad, "−9: you lost."}, {t.Text, "The game has begun."}, {t.Dim, "Nobody is watching."}} {
		c.Text(2, y, line.style, line.text)
		y++
	}
	b := sampleBoard(sh.Config.Games)
	if bw, bh, ok := b.Fit(w-2, h-y-2); ok {
		b.Draw(c.Sub((w-bw)/2, y+1, bw, bh), sh.Style)
	}
}

// sampleTurns is the number of turns after which a sample board has units and free points.
const sampleTurns = 24

// sampleBoard returns the board of the first game after some turns, always the same ones.
func sampleBoard(games game.List) game.Board {
	o := op.FirstBotOptions(games)
	state := game.State{Position: o.Game().New(o), Seat: -1, Static: true}
	for turn := range sampleTurns {
		legal := state.Position.Legal()
		if len(legal) == 0 {
			break
		}
		action := legal[turn*turn%len(legal)]
		next, err := state.Position.Play(action)
		if err != nil {
			panic(err) // cannot happen: the action is legal
		}
		state.Previous, state.Position, state.LastTurn = state.Position, next, []string{action}
	}
	b := games.Default().New()
	b.Show(state)
	return b
}
