package moderation

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
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// sanction is the form with which a moderator mutes, kicks or bans a user.
type sanction struct {
	screen.Base
	name     string
	actions  []string      // that the moderator may use
	targets  []club.Target // what a ban can apply to, the name first
	action   int
	target   int
	duration int // index into durations
	reason   widget.TextField
	cursor   widget.FormCursor
	after    func() tea.Cmd // called after success; may be nil
}

const day = 24 * time.Hour

// durations are the offered durations.
var durations = []duration{
	{10 * time.Minute, "10 minutes"}, {time.Hour, "1 hour"}, {day, "1 day"}, {7 * day, "7 days"}, {30 * day, "30 days"}, {club.Permanent, "permanently"},
}

type duration struct {
	time.Duration
	title string
}

// phrase returns the duration for a sentence: "for 7 days".
func (d duration) phrase() string {
	if d.Duration == club.Permanent {
		return d.title
	}
	return "for " + d.title
}

const defaultDuration = 2

// actionsOf returns the actions that the user may take against others.
func actionsOf(sh *screen.Shell) (all []string) {
	for _, action := range []struct {
		name       string
		permission club.Permission
	}{{"mute", club.PermissionMute}, {"kick", club.PermissionKick}, {"ban", club.PermissionBan}} {
		if sh.Config.Can(action.permission) {
			all = append(all, action.name)
		}
	}
	return all
}

// newSanction returns the form for a user. The moderator must have at least one of actionsOf. after is called
// after success; it may be nil.
func newSanction(sh *screen.Shell, name string, after func() tea.Cmd) *sanction {
	return &sanction{
		Base: screen.Base{Shell: sh}, name: name, actions: actionsOf(sh), after: after,
		duration: defaultDuration, reason: widget.TextField{Limit: 200}, targets: []club.Target{{Name: name}},
	}
}

// loadTargets adds the user's keys, addresses and networks to the targets. A command may
// call it.
func (v *sanction) loadTargets(ctx context.Context) error {
	targets, err := v.Shell.Config.Moderator.BanTargets(ctx, v.name)
	v.targets = append(v.targets, targets...)
	return err
}

// OpenSanction loads what can be banned of the user and then shows the form. It does nothing for users who are
// no moderators.
func OpenSanction(sh *screen.Shell, d dest.Sanction) tea.Cmd {
	if len(actionsOf(sh)) == 0 {
		return nil
	}
	v := newSanction(sh, d.Name, d.Done)
	return sh.Call(v.loadTargets, func() tea.Cmd { return sh.Push(v) })
}

var sanctionBindings = append(screen.FormKeys[*sanction]("field"), screen.Bindings[*sanction]{
	{Key: screen.Keys("enter", "Enter", "carry it out, after a confirmation"), LabelOf: (*sanction).actionName, Rank: -1, Do: (*sanction).confirm},
	{Key: screen.Keys("?", "", ""), When: screen.IsChoice[*sanction], Do: func(v *sanction) tea.Cmd { return v.Shell.OpenHelp() }},
	{Key: screen.Keys("q", "", ""), When: screen.IsChoice[*sanction], Do: func(v *sanction) tea.Cmd { return v.Shell.Back() }},
	{Key: screen.Keys("esc", "Esc", "back"), LabelOf: func(v *sanction) string { return v.Shell.BackLabel() }, Rank: screen.LastRank, Do: func(v *sanction) tea.Cmd { return v.Shell.Back() }},
}...)

// Form implements screen.Form.
func (v *sanction) Form() (*widget.FormCursor, []widget.FormRow) {
	action := widget.FormRow{Label: "Action", Answers: v.actions, Index: v.action, Set: func(n int) { v.action = n }}
	reason := widget.FormRow{Label: "Reason", Field: &v.reason, Help: "The player and other moderators see the reason."}
	lasts := widget.FormRow{Label: "Duration", Index: v.duration, Set: func(n int) { v.duration = n }}
	for _, s := range durations {
		lasts.Answers = append(lasts.Answers, s.title)
	}
	switch v.actionName() {
	case "mute":
		action.Help = "They may play and watch, but not chat."
		return &v.cursor, []widget.FormRow{action, lasts, reason}
	case "kick":
		action.Help = "Ends their sessions; they may return at once, and their games continue."
		return &v.cursor, []widget.FormRow{action, reason}
	}
	action.Help = "Ends their sessions and refuses new ones."
	name := widget.FormRow{Label: "Target", Index: v.target, Set: func(n int) { v.target = n },
		Help: "An account, one key, or everyone from an address or network."}
	for _, m := range v.targets {
		name.Answers = append(name.Answers, shortTarget(m.String()))
	}
	return &v.cursor, []widget.FormRow{action, name, lasts, reason}
}

// shortTarget returns a target as the form shows it: a key's fingerprint is shortened.
func shortTarget(target string) string {
	const enough = len("SHA256:") + 10
	if strings.HasPrefix(target, "SHA256:") && len(target) > enough {
		return target[:enough] + "…"
	}
	return target
}

func (v *sanction) Handle(msg tea.Msg) tea.Cmd {
	return screen.HandleForm(v, sanctionBindings, msg)
}

func (v *sanction) actionName() string { return v.actions[v.action] }

// confirm executes the action, after a confirmation.
func (v *sanction) confirm() tea.Cmd {
	sh, action, span := v.Shell, v.actionName(), durations[v.duration]
	name := v.name
	if action == "ban" {
		name = v.targets[v.target].String()
	}
	text := words.Sentence(action + " " + name + " " + span.phrase() + "?")
	if action == "kick" {
		text = words.Sentence(action + " " + name + "?")
	}
	return sh.Ask(screen.YesNo(text, action, "cancel", func() tea.Cmd {
		return screen.Load(sh, v.carryOut, func(done string) tea.Cmd {
			cmd := sh.Back()
			sh.Notify("%s", words.Sentence("done: "+done))
			if v.after != nil {
				cmd = tea.Batch(cmd, v.after())
			}
			return cmd
		})
	}))
}

// carryOut executes the action and returns what was done, in words.
func (v *sanction) carryOut(ctx context.Context) (done string, err error) {
	visit, span, reason := v.Shell.Visit, admin.DurationOf(durations[v.duration].Duration), v.reason.Text()
	switch v.actionName() {
	case "mute":
		s, err := admin.Mute.Run(ctx, visit, admin.MuteArgs{Name: v.name, Duration: span, Reason: reason})
		return admin.SanctionText(s), err
	case "kick":
		r, err := admin.Kick.Run(ctx, visit, admin.KickArgs{Name: v.name, Reason: reason})
		return admin.EndedText(r.Ended), err
	}
	r, err := admin.Ban.Run(ctx, visit, admin.BanArgs{Target: v.targets[v.target].String(), Duration: span, Reason: reason})
	return admin.SanctionText(r.Sanction) + "; " + admin.EndedText(r.Ended), err
}

func (v *sanction) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.Shell.Style.Theme, "Moderate "+v.name, "", v.Shell.Session.Account().Name)
	cursor, rows := v.Form()
	widget.DrawForm(c, v.Shell.Style.Theme, rows, cursor)
}

func (v *sanction) StatusLine() (string, paint.Style) {
	return screen.FormHelp(v), v.Shell.Style.Theme.Dim
}

func (v *sanction) StatusKeys() []game.Key { return sanctionBindings.Status(v) }

func (v *sanction) Help() screen.Help {
	return screen.Help{
		Title: "Moderate a player",
		About: "You can moderate players whose role is below yours. A muted or banned player sees the reason and until when. Your actions are recorded in the audit log.",
		Keys:  sanctionBindings.Help(v),
	}
}
