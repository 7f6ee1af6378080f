package club

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// sanction is what the form with which a moderator mutes, kicks or bans a user edits.
type sanction struct {
	sh       *screen.Shell
	name     string
	actions  []string      // that the moderator may use
	targets  []club.Target // what a ban can apply to, the name first
	action   int
	target   int
	duration int // index into durations
	reason   *widget.TextField
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

// newSanction returns what the form for a user edits. The moderator must have at least one of actionsOf. after is called
// after success; it may be nil.
func newSanction(sh *screen.Shell, name string, after func() tea.Cmd) *sanction {
	return &sanction{
		sh: sh, name: name, actions: actionsOf(sh), after: after,
		duration: defaultDuration, reason: widget.NewTextField(200, ""), targets: []club.Target{{Name: name}},
	}
}

// loadTargets adds the user's keys, addresses and networks to the targets. A command may
// call it.
func (s *sanction) loadTargets(ctx context.Context) error {
	targets, err := s.sh.Config.Moderator.BanTargets(ctx, s.name)
	s.targets = append(s.targets, targets...)
	return err
}

// OpenSanction loads what can be banned of the user and then shows the form. It does nothing for users who are
// no moderators.
func OpenSanction(sh *screen.Shell, d dest.Sanction) tea.Cmd {
	if len(actionsOf(sh)) == 0 {
		return nil
	}
	s := newSanction(sh, d.Name, d.Done)
	return sh.Call(s.loadTargets, func() tea.Cmd { return screen.OpenForm(sh, s.form) })
}

// form declares the form.
func (s *sanction) form() screen.Form {
	action := screen.Choice("Action", s.actions, &s.action, "Ends their sessions and refuses new ones.")
	fields := []screen.Field{action}
	var spans, targets []string
	for _, d := range durations {
		spans = append(spans, d.title)
	}
	for _, m := range s.targets {
		targets = append(targets, shortTarget(m.String()))
	}
	span := durations[s.duration]
	name, lasts := s.name, " "+span.phrase()
	switch s.actionName() {
	case "mute":
		fields[0].Help = "They may play and watch, but not chat."
	case "kick":
		fields[0].Help = "Ends their sessions; they may return at once, and their games continue."
		lasts = ""
	default:
		fields = append(fields, screen.Choice("Target", targets, &s.target, "An account, one key, or everyone from an address or network."))
		name = s.targets[s.target].String()
	}
	if lasts != "" {
		fields = append(fields, screen.Choice("Duration", spans, &s.duration, ""))
	}
	return screen.Form{
		Title: "Moderate " + s.name, Returns: true,
		About:  "You can moderate players whose role is below yours. A muted or banned player sees the reason and until when. Your actions are recorded in the audit log.",
		Fields: append(fields, screen.Field{Label: "Reason", Text: s.reason, TypesAll: true, Help: "The player and other moderators see the reason."}),
		Send: screen.Action{
			Label: s.actionName(), Help: "carry it out, after a confirmation",
			Confirm: words.Sentence(s.actionName() + " " + name + lasts + "?"), Dismiss: "cancel", Do: s.carryOut,
		},
	}
}

// shortTarget returns a target as the form shows it: a key's fingerprint is shortened.
func shortTarget(target string) string {
	const enough = len("SHA256:") + 10
	if strings.HasPrefix(target, "SHA256:") && len(target) > enough {
		return target[:enough] + "…"
	}
	return target
}

func (s *sanction) actionName() string { return s.actions[s.action] }

// carryOut executes the action.
func (s *sanction) carryOut(v *screen.FormScreen) tea.Cmd {
	span, reason := admin.NewDuration(durations[s.duration].Duration), s.reason.Text()
	switch s.actionName() {
	case "mute":
		return screen.Send(v, admin.Mute, admin.MuteArgs{Name: s.name, Duration: span, Reason: reason}, func(r club.Sanction) tea.Cmd {
			return s.done(v, admin.SanctionText(r))
		})
	case "kick":
		return screen.Send(v, admin.Kick, admin.KickArgs{Name: s.name, Reason: reason}, func(r admin.KickResult) tea.Cmd {
			return s.done(v, admin.EndedText(r.Ended))
		})
	}
	return screen.Send(v, admin.Ban, admin.BanArgs{Target: s.targets[s.target].String(), Duration: span, Reason: reason}, func(r admin.BanResult) tea.Cmd {
		return s.done(v, admin.SanctionText(r.Sanction)+"; "+admin.EndedText(r.Ended))
	})
}

// done leaves the form and shows what was done.
func (s *sanction) done(v *screen.FormScreen, what string) tea.Cmd {
	cmd := v.Leave()
	s.sh.Notify("%s", words.Sentence("done: "+what))
	if s.after != nil {
		cmd = tea.Batch(cmd, s.after())
	}
	return cmd
}
