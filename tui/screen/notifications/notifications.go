// Package notifications is the overlay in which users choose where and when they are notified outside of SSH.
package notifications

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/notify"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// view is the overlay.
type view struct {
	screen.Base
	own     notify.Own
	stored  notify.Receiver
	kinds   []notify.ReceiverKind // that can be chosen; the first is "", for none
	kind    int                   // index into kinds
	preset  int                   // index into notify.Presets
	digest  int                   // index into digests
	digests []int                 // hours
	offered []notify.Event        // that the user can choose
	events  []bool                // which of them are chosen

	url, address, quiet, zone, code widget.TextField

	cursor widget.FormCursor
}

// Open shows the notifications over the current screen, or shows why there are none.
func Open(sh *screen.Shell, _ dest.Notifications) tea.Cmd {
	own, err := sh.Visit.OwnNotifications()
	if err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	v := &view{Base: screen.Base{Shell: sh}, own: own, kinds: []notify.ReceiverKind{""}}
	if own.CanWebhook() {
		v.kinds = append(v.kinds, notify.KindWebhook)
	}
	if own.CanMail() {
		v.kinds = append(v.kinds, notify.KindMail)
	}
	return v.load(func() tea.Cmd {
		sh.OpenOverlay(v)
		return nil
	})
}

// load reads what is stored, fills the form and continues with then.
func (v *view) load(then func() tea.Cmd) tea.Cmd {
	type stored struct {
		offered  []notify.Event
		receiver notify.Receiver
	}
	return screen.Load(v.Shell, func(ctx context.Context) (s stored, err error) {
		if s.offered, err = v.own.Events(ctx); err == nil {
			s.receiver, err = v.own.Receiver(ctx)
		}
		return s, err
	}, func(s stored) tea.Cmd {
		v.offered = s.offered
		v.fill(s.receiver)
		return then()
	})
}

// fill fills the form with a receiver.
func (v *view) fill(r notify.Receiver) {
	v.stored = r
	v.kind, v.preset = max(slices.Index(v.kinds, r.Kind), 0), max(slices.Index(notify.Presets, r.Preset), 0)
	v.digests = []int{0, 3, 6, 12, 24}
	if !slices.Contains(v.digests, r.Digest) {
		v.digests = append(v.digests, r.Digest)
	}
	v.digest = slices.Index(v.digests, r.Digest)
	v.events = make([]bool, len(v.offered))
	for i, e := range v.offered {
		v.events[i] = r.Has(e)
	}
	v.url.Limit, v.address.Limit, v.quiet.Limit, v.zone.Limit, v.code.Limit = 500, 254, 13, 32, 8
	switch r.Kind {
	case notify.KindWebhook:
		v.url.Set(r.Address)
	case notify.KindMail:
		v.address.Set(r.Address)
	}
	v.quiet.Set(r.Quiet.String())
	v.zone.Set(r.Zone)
	v.code.Clear()
}

var bindings = append(screen.FormKeys[*view]("field"), screen.Bindings[*view]{
	{Key: screen.Keys("enter", "Enter", "save, and confirm the address if a code was entered"), Label: "save", Rank: -2, Do: (*view).save},
	{Key: screen.Keys("ctrl+t", "Ctrl+T", "save and send a test"), Label: "test", Rank: -1, Do: (*view).test},
	screen.HelpKey[*view](),
	{Key: screen.Keys("esc", "Esc", "back to the settings, without saving"), Label: "back", Rank: screen.LastRank, Do: (*view).close},
	{Key: screen.Keys("q", "", ""), When: screen.IsChoice[*view], Do: (*view).close},
}...)

// Form implements screen.Form.
func (v *view) Form() (*widget.FormCursor, []widget.FormRow) {
	names := map[notify.ReceiverKind]string{"": "off", notify.KindWebhook: "webhook", notify.KindMail: "mail"}
	to := widget.FormRow{Label: "Send to", Index: v.kind, Set: func(n int) { v.kind = n }, Help: op.ReceiverState(&v.stored)}
	for _, k := range v.kinds {
		to.Answers = append(to.Answers, names[k])
	}
	rows := []widget.FormRow{to}
	switch v.kinds[v.kind] {
	case notify.KindWebhook:
		format := widget.FormRow{Label: "Format", Answers: []string{"JSON", "Discord", "Slack", "ntfy"}, Index: v.preset, Set: func(n int) { v.preset = n },
			Help: "Slack also works for services that accept its format. JSON is for programs."}
		if v.stored.Secret != "" {
			format.Help = "Requests are signed with the secret " + v.stored.Secret
		}
		rows = append(rows, widget.FormRow{Label: "URL", Field: &v.url, Help: "Only you can see it. For ntfy: the URL of your topic."}, format)
	case notify.KindMail:
		rows = append(rows, widget.FormRow{Label: "Address", Field: &v.address, Help: "The server sends a code to a new address. Enter it in the field that appears here."})
		if v.stored.Kind == notify.KindMail && !v.stored.IsActive() {
			rows = append(rows, widget.FormRow{Label: "Code", Field: &v.code, Help: "The code in the mail that was sent to the address."})
		}
	default:
		return &v.cursor, rows
	}
	for i, e := range v.offered {
		rows = append(rows, widget.Toggle(eventLabels[e], "no", "yes", &v.events[i], eventHelps[e]))
	}
	rows = append(rows,
		widget.FormRow{Label: "Quiet hours", Field: &v.quiet, Help: "Such as 22:00-07:00: nothing is sent then, and what was held back is sent at the end. Empty: none."},
		widget.FormRow{Label: "Time zone", Field: &v.zone, Help: "Such as Europe/Berlin. Empty: UTC."})
	digest := widget.FormRow{Label: "Digest", Index: v.digest, Set: func(n int) { v.digest = n }, Help: "Off: one message per event. Otherwise one for all events in that time."}
	for _, hours := range v.digests {
		text := "off"
		if hours > 0 {
			text = fmt.Sprintf("%d h", hours)
		}
		digest.Answers = append(digest.Answers, text)
	}
	return &v.cursor, append(rows, digest)
}

// eventLabels and eventHelps are the words for events in the form.
var (
	eventLabels = map[notify.Event]string{
		notify.EventTurn: "Your turn", notify.EventTime: "Time reminder", notify.EventChallenge: "Challenge", notify.EventOver: "Game over",
		notify.EventAnnouncement: "Announcements", notify.EventReport: "Reports",
	}
	eventHelps = map[notify.Event]string{
		notify.EventTurn: "It is your turn in a correspondence game, or your conditional move was played.", notify.EventTime: "A quarter of your time is left in a correspondence game.",
		notify.EventChallenge: "Someone challenges you.", notify.EventOver: "A correspondence game has ended.",
		notify.EventAnnouncement: "The moderators announce something.", notify.EventReport: "Someone reports a player. Only moderators and owners have this.",
	}
)

// settings returns what the form has.
func (v *view) settings() (s notify.Settings, err error) {
	address := &v.address
	if v.kinds[v.kind] == notify.KindWebhook {
		address = &v.url
	}
	s = notify.Settings{
		Kind: v.kinds[v.kind], Address: strings.TrimSpace(address.Text()), Preset: notify.Presets[v.preset],
		Zone: strings.TrimSpace(v.zone.Text()), Digest: v.digests[v.digest],
	}
	for i, e := range v.offered {
		if v.events[i] {
			s.Events = append(s.Events, e)
		}
	}
	s.Quiet, err = notify.ParseQuiet(v.quiet.Text())
	return s, err
}

// save stores the form.
func (v *view) save() tea.Cmd {
	return v.saveThen(func() tea.Cmd {
		switch {
		case v.stored.Kind == "":
			v.Shell.Notify("Saved. Nothing is sent to you.")
		case !v.stored.IsActive():
			_, rows := v.Form()
			v.cursor.Index = slices.IndexFunc(rows, func(r widget.FormRow) bool { return r.Field == &v.code })
			v.Shell.Notify("Saved. Enter the code that was sent to the address.")
		default:
			v.Shell.Notify("Saved. Ctrl+T sends a test.")
		}
		return nil
	})
}

// saveThen confirms the address if a code was entered, stores the form, and then calls then.
func (v *view) saveThen(then func() tea.Cmd) tea.Cmd {
	s, err := v.settings()
	if err != nil {
		v.Shell.NotifyFailure(err)
		return nil
	}
	code := strings.TrimSpace(v.code.Text())
	return v.Shell.Call(func(ctx context.Context) error {
		switch {
		case s.Kind == "" && v.stored.Kind == "":
			return nil
		case s.Kind == "":
			return v.own.Remove(ctx)
		case code != "" && s.Kind == v.stored.Kind && s.Address == v.stored.Address:
			if _, err := v.own.Confirm(ctx, code); err != nil {
				return err
			}
		}
		_, err := v.own.Save(ctx, s)
		return err
	}, func() tea.Cmd { return v.load(then) })
}

// test stores the form and sends a test.
func (v *view) test() tea.Cmd {
	sh := v.Shell
	return v.saveThen(func() tea.Cmd {
		sh.Notify("The test is being sent…")
		return screen.Run(sh, op.NotifyTest, op.None{}, func(op.None) tea.Cmd {
			return v.load(func() tea.Cmd {
				sh.Notify("The test was acknowledged.")
				return nil
			})
		})
	})
}

func (v *view) close() tea.Cmd { return v.Shell.Open(dest.Settings{}) }

func (v *view) Handle(msg tea.Msg) tea.Cmd { return screen.HandleForm(v, bindings, msg) }

func (v *view) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.Shell.Style.Theme, "Notifications", "", "")
	cursor, rows := v.Form()
	widget.DrawForm(c, v.Shell.Style.Theme, rows, cursor)
}

func (v *view) StatusLine() (string, paint.Style) { return screen.FormHelp(v), v.Shell.Style.Theme.Dim }

func (v *view) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *view) Help() screen.Help {
	p := screen.Help{
		Title: "Notifications",
		About: "Notifications outside Ayumu: your turn in a correspondence game, little time left, challenges, finished games and announcements. " +
			"A webhook is a URL to which this server sends requests: Discord, Slack and ntfy give you one. Only you can see what you enter. " +
			"If nothing can be delivered for a week, notifications are switched off, and you are informed at your next sign-in.",
		Keys: bindings.Help(v),
	}
	_, rows := v.Form()
	for _, r := range rows {
		p.Keys = append(p.Keys, game.Key{Key: r.Label, Help: r.Help})
	}
	return p
}
