package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// sanctionScreen is the form with which a moderator mutes, kicks or bans a user.
type sanctionScreen struct {
	screen.Base
	app      *Model
	name     string
	actions  []string      // that the moderator may use
	targets  []club.Target // what a ban can apply to, the name first
	action   int
	target   int
	duration int // index into durations
	reason   widget.TextField
	row      int
	after    func() tea.Cmd // called after success; may be nil
}

const day = 24 * time.Hour

// durations are the offered durations.
var durations = []sanctionDuration{
	{10 * time.Minute, "10 minutes"}, {time.Hour, "1 hour"}, {day, "1 day"}, {7 * day, "7 days"}, {30 * day, "30 days"}, {club.Permanent, "permanently"},
}

type sanctionDuration struct {
	time.Duration
	title string
}

// phrase returns the duration for a sentence: "for 7 days".
func (d sanctionDuration) phrase() string {
	if d.Duration == club.Permanent {
		return d.title
	}
	return "for " + d.title
}

const defaultDuration = 2

// sanctionActions returns the actions that the user may take against others.
func (a *Model) sanctionActions() (all []string) {
	for _, action := range []struct {
		name       string
		permission club.Permission
	}{{"mute", club.PermissionMute}, {"kick", club.PermissionKick}, {"ban", club.PermissionBan}} {
		if a.Config.Can(action.permission) {
			all = append(all, action.name)
		}
	}
	return all
}

// newSanctionScreen returns the form for a user. The moderator must have at least one of
// sanctionActions. after is called after success; it may be nil.
func (a *Model) newSanctionScreen(name string, after func() tea.Cmd) *sanctionScreen {
	return &sanctionScreen{app: a, name: name, actions: a.sanctionActions(), after: after, duration: defaultDuration, reason: widget.TextField{Limit: 200}, targets: []club.Target{{Name: name}}}
}

// loadTargets adds the user's keys, addresses and networks to the targets. It may be called outside the
// event loop.
func (v *sanctionScreen) loadTargets(ctx context.Context) error {
	targets, err := v.app.Config.Moderator.BanTargets(ctx, v.name)
	v.targets = append(v.targets, targets...)
	return err
}

// openSanction opens the form for a user.
func (a *Model) openSanction(name string, after func() tea.Cmd) tea.Cmd {
	if len(a.sanctionActions()) == 0 {
		return nil
	}
	v := a.newSanctionScreen(name, after)
	return a.Call(v.loadTargets, func() tea.Cmd { return a.Push(v) })
}

func (v *sanctionScreen) rows() []widget.FormRow {
	action := widget.FormRow{Label: "Action", Answers: v.actions, Index: v.action, Set: func(n int) { v.action = n }}
	reason := widget.FormRow{Label: "Reason", Field: &v.reason, Help: "The player and other moderators see the reason."}
	lasts := widget.FormRow{Label: "Duration", Index: v.duration, Set: func(n int) { v.duration = n }}
	for _, s := range durations {
		lasts.Answers = append(lasts.Answers, s.title)
	}
	switch v.actions[v.action] {
	case "mute":
		action.Help = "They may play and watch, but not chat."
		return []widget.FormRow{action, lasts, reason}
	case "kick":
		action.Help = "Ends their sessions; they may return at once, and their games continue."
		return []widget.FormRow{action, reason}
	}
	action.Help = "Ends their sessions and refuses new ones."
	name := widget.FormRow{Label: "Target", Index: v.target, Set: func(n int) { v.target = n },
		Help: "An account, one key, or everyone from an address or network."}
	for _, m := range v.targets {
		name.Answers = append(name.Answers, shortTarget(m.String()))
	}
	return []widget.FormRow{action, name, lasts, reason}
}

// shortTarget returns a target as the form shows it: a key's fingerprint is shortened.
func shortTarget(target string) string {
	const enough = len("SHA256:") + 10
	if strings.HasPrefix(target, "SHA256:") && len(target) > enough {
		return target[:enough] + "…"
	}
	return target
}

func (v *sanctionScreen) Handle(msg tea.Msg) tea.Cmd {
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	r := rows[v.row]
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		if r.Field != nil {
			r.Field.Handle(msg)
		}
		return nil
	}
	switch name := key.String(); {
	case name == "up" || name == "shift+tab":
		v.row = max(v.row-1, 0)
	case name == "down" || name == "tab":
		v.row = min(v.row+1, len(rows)-1)
	case name == "esc":
		return v.app.Back()
	case name == "enter":
		return v.confirm()
	case r.Field != nil:
		r.Field.Handle(msg)
	case name == "left" || name == "h":
		r.Set(max(r.Index-1, 0))
	case name == "right" || name == "l":
		r.Set(min(r.Index+1, len(r.Answers)-1))
	case name == "space":
		r.Set((r.Index + 1) % len(r.Answers))
	case name == "q":
		return v.app.Back()
	case name == "?":
		return v.app.OpenHelp()
	}
	return nil
}

// confirm executes the action, after a confirmation.
func (v *sanctionScreen) confirm() tea.Cmd {
	a, action, span := v.app, v.actions[v.action], durations[v.duration]
	name := v.name
	if action == "ban" {
		name = v.targets[v.target].String()
	}
	text := words.Sentence(action + " " + name + " " + span.phrase() + "?")
	if action == "kick" {
		text = words.Sentence(action + " " + name + "?")
	}
	return a.Ask(screen.YesNo(text, action, "cancel", func() tea.Cmd {
		var done string
		return a.Call(func(ctx context.Context) (err error) {
			done, err = v.carryOut(ctx)
			return err
		}, func() tea.Cmd {
			cmd := a.Back()
			a.Notify("%s", words.Sentence("done: "+done))
			if v.after != nil {
				cmd = tea.Batch(cmd, v.after())
			}
			return cmd
		})
	}))
}

// carryOut executes the action and returns what was done, in words.
func (v *sanctionScreen) carryOut(ctx context.Context) (done string, err error) {
	m, span, reason := v.app.Config.Moderator, durations[v.duration].Duration, v.reason.Text()
	switch v.actions[v.action] {
	case "mute":
		s, err := m.Mute(ctx, v.name, span, reason)
		return admin.SanctionText(s), err
	case "kick":
		ended, err := m.Kick(ctx, v.name, reason)
		return admin.EndedText(ended), err
	}
	s, ended, err := m.Ban(ctx, v.targets[v.target], span, reason)
	return admin.SanctionText(s) + "; " + admin.EndedText(ended), err
}

func (v *sanctionScreen) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.app.Style.Theme, "Moderate "+v.name, "", v.app.Session.Account().Name)
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	widget.DrawForm(c, v.app.Style.Theme, rows, v.row)
}

func (v *sanctionScreen) StatusLine() (string, paint.Style) {
	return v.rows()[v.row].Help, v.app.Style.Theme.Dim
}

func (v *sanctionScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "Enter", Help: v.actions[v.action]}, {Key: "↑↓", Help: "field"}, {Key: "←→", Help: "change"}, {Key: "Esc", Help: v.app.BackLabel()}}
}

func (v *sanctionScreen) Help() screen.Help {
	return screen.Help{
		Title: "Moderate a player",
		About: "You can moderate players whose role is below yours. A muted or banned player sees the reason and the end. Your actions are recorded in the audit log.",
		Keys: []game.Key{{Key: "↑ ↓", Help: "select a field"}, {Key: "← →", Help: "change it"},
			{Key: "Enter", Help: "carry it out, after a confirmation"}, {Key: "Esc", Help: "back"}},
	}
}
