package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/notify"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// receiver is what the form edits.
type receiver struct {
	sh      *screen.Shell
	own     notify.UserService
	stored  notify.Receiver
	kinds   []notify.ReceiverKind // that can be chosen; the first is "", for none
	kind    int                   // index into kinds
	preset  int                   // index into notify.Presets
	digest  int                   // index into digests
	digests []int                 // hours
	offered []notify.Event        // that the user can choose
	events  []bool                // which of them are chosen

	url, address, quiet, zone, code *widget.TextField
}

// OpenNotifications shows the notifications over the current screen, or shows why there are none.
func OpenNotifications(sh *screen.Shell, _ dest.Notifications) tea.Cmd {
	own, err := sh.Visit.UserNotifications()
	if err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	r := &receiver{sh: sh, own: own, kinds: []notify.ReceiverKind{""}}
	if own.CanWebhook() {
		r.kinds = append(r.kinds, notify.KindWebhook)
	}
	if own.CanMail() {
		r.kinds = append(r.kinds, notify.KindMail)
	}
	return screen.Load(sh, r.read, func(s stored) tea.Cmd {
		r.fill(s)
		return screen.OpenForm(sh, r.form)
	})
}

// stored is what the store has.
type stored struct {
	offered  []notify.Event
	receiver notify.Receiver
}

// read reads what is stored.
func (r *receiver) read(ctx context.Context) (s stored, err error) {
	if s.offered, err = r.own.Events(ctx); err == nil {
		s.receiver, err = r.own.Receiver(ctx)
	}
	return s, err
}

// fill fills the form with what is stored.
func (r *receiver) fill(s stored) {
	to := s.receiver
	r.offered, r.stored = s.offered, to
	r.kind, r.preset = max(slices.Index(r.kinds, to.Kind), 0), max(slices.Index(notify.Presets, to.Preset), 0)
	r.digests = []int{0, 3, 6, 12, 24}
	if !slices.Contains(r.digests, to.Digest) {
		r.digests = append(r.digests, to.Digest)
	}
	r.digest = slices.Index(r.digests, to.Digest)
	r.events = make([]bool, len(r.offered))
	for i, e := range r.offered {
		r.events[i] = to.Has(e)
	}
	r.url, r.address = widget.NewTextField(500, ""), widget.NewTextField(254, "")
	switch to.Kind {
	case notify.KindWebhook:
		r.url.Set(to.Address)
	case notify.KindMail:
		r.address.Set(to.Address)
	}
	r.quiet, r.zone, r.code = widget.NewTextField(13, to.Quiet.String()), widget.NewTextField(32, to.Zone), widget.NewTextField(8, "")
}

// form declares the form.
func (r *receiver) form() screen.Form {
	var more []screen.Action
	if r.kind > 0 { // there is something to send to
		more = append(more, screen.Action{Key: "ctrl+t", Label: "test", Help: "save and send a test", Sends: true, Do: r.test})
	}
	return screen.Form{
		Title: "Notifications", IsOverlay: true, Under: dest.Settings{},
		About: "Notifications outside Ayumu: your turn in a correspondence game, little time left, challenges, finished games and announcements. " +
			"A webhook is a URL to which this server sends requests: Discord, Slack and ntfy give you one. Only you can see what you enter. " +
			"If nothing can be delivered for a week, notifications are switched off, and you are informed at your next sign-in.",
		Fields: r.fields(),
		Send:   screen.Action{Label: "save", Help: "save, and confirm the address if a code was entered", Do: r.save},
		More:   more,
	}
}

// codeLabel is the label of the field for the code that confirms a mail address.
const codeLabel = "Code"

func (r *receiver) fields() []screen.Field {
	names := map[notify.ReceiverKind]string{"": "off", notify.KindWebhook: "webhook", notify.KindMail: "mail"}
	var kinds []string
	for _, k := range r.kinds {
		kinds = append(kinds, names[k])
	}
	all := []screen.Field{screen.Choice("Send to", kinds, &r.kind, op.ReceiverState(&r.stored))}
	switch r.kinds[r.kind] {
	case notify.KindWebhook:
		help := "Slack also works for services that accept its format. JSON is for programs."
		if r.stored.Secret != "" {
			help = "Requests are signed with the secret " + r.stored.Secret
		}
		all = append(all,
			screen.Field{Label: "URL", Arg: "address", Text: r.url, TypesAll: true, Help: "Only you can see it. For ntfy: the URL of your topic."},
			screen.Choice("Format", []string{"JSON", "Discord", "Slack", "ntfy"}, &r.preset, help))
	case notify.KindMail:
		all = append(all, screen.Field{Label: "Address", Arg: "address", Text: r.address, Help: "The server sends a code to a new address. Enter it in the field that appears here."})
		if r.stored.Kind == notify.KindMail && !r.stored.IsActive() {
			all = append(all, screen.Field{Label: codeLabel, Arg: "code", Text: r.code, Help: "The code in the mail that was sent to the address."})
		}
	default:
		return all
	}
	for i, e := range r.offered {
		all = append(all, screen.Toggle(eventLabels[e], "no", "yes", &r.events[i], eventHelps[e]))
	}
	var digests []string
	for _, hours := range r.digests {
		text := "off"
		if hours > 0 {
			text = fmt.Sprintf("%d h", hours)
		}
		digests = append(digests, text)
	}
	_, badQuiet := notify.ParseQuiet(r.quiet.Text())
	return append(all,
		screen.Field{Label: "Quiet hours", Arg: "quiet", Text: r.quiet, Refused: badQuiet, Help: "Such as 22:00-07:00: nothing is sent then, and what was held back is sent at the end. Empty: none."},
		screen.Field{Label: "Time zone", Arg: "zone", Text: r.zone, Help: "Such as Europe/Berlin. Empty: UTC."},
		screen.Choice("Digest", digests, &r.digest, "Off: one message per event. Otherwise one for all events in that time."))
}

// eventLabels and eventHelps are the words for events in the form.
var (
	eventLabels = map[notify.Event]string{
		notify.EventTurn: "Your turn", notify.EventTime: "Time reminder", notify.EventChallenge: "Challenge", notify.EventOver: "Game over",
		notify.EventAnnouncement: "Announcements", notify.EventReport: "Reports", notify.EventTournament: "Tournaments",
	}
	eventHelps = map[notify.Event]string{
		notify.EventTurn: "It is your turn in a correspondence game, or your conditional move was played.", notify.EventTime: "A quarter of your time is left in a correspondence game.",
		notify.EventChallenge: "Someone challenges you.", notify.EventOver: "A correspondence game has ended.",
		notify.EventAnnouncement: "The moderators announce something.", notify.EventReport: "Someone reports a player. Only moderators and owners have this.",
		notify.EventTournament: "A tournament of yours: its check-in, your rounds, a deadline, its end.",
	}
)

// settings returns what the form has.
func (r *receiver) settings() notify.Settings {
	address := r.address
	if r.kinds[r.kind] == notify.KindWebhook {
		address = r.url
	}
	s := notify.Settings{
		Kind: r.kinds[r.kind], Address: strings.TrimSpace(address.Text()), Preset: notify.Presets[r.preset],
		Zone: strings.TrimSpace(r.zone.Text()), Digest: r.digests[r.digest],
	}
	for i, e := range r.offered {
		if r.events[i] {
			s.Events = append(s.Events, e)
		}
	}
	s.Quiet, _ = notify.ParseQuiet(r.quiet.Text()) // the field was not refused
	return s
}

// save stores the form.
func (r *receiver) save(v *screen.FormScreen) tea.Cmd {
	return r.saveThen(v, func() tea.Cmd {
		switch {
		case r.stored.Kind == "":
			r.sh.Notify("Saved. Nothing is sent to you.")
		case !r.stored.IsActive():
			v.Select(codeLabel)
			r.sh.Notify("Saved. Enter the code that was sent to the address.")
		default:
			r.sh.Notify("Saved. Ctrl+T sends a test.")
		}
		return nil
	})
}

// saveThen confirms the address if a code was entered, stores the form, and then calls then.
func (r *receiver) saveThen(v *screen.FormScreen, then func() tea.Cmd) tea.Cmd {
	s, before, code := r.settings(), r.stored, strings.TrimSpace(r.code.Text())
	return screen.SendCall(v, func(ctx context.Context) (read stored, err error) {
		switch {
		case s.Kind == "" && before.Kind == "":
		case s.Kind == "":
			err = r.own.Remove(ctx)
		default:
			if code != "" && s.Kind == before.Kind && s.Address == before.Address {
				_, err = r.own.Confirm(ctx, code)
			}
			if err == nil {
				_, err = r.own.Save(ctx, s)
			}
		}
		if err != nil {
			return read, err
		}
		return r.read(ctx)
	}, func(s stored) tea.Cmd {
		r.fill(s)
		return then()
	})
}

// test stores the form and sends a test.
func (r *receiver) test(v *screen.FormScreen) tea.Cmd {
	return r.saveThen(v, func() tea.Cmd {
		r.sh.Notify("The test is being sent…")
		return screen.Send(v, op.NotifyTest, op.None{}, func(op.None) tea.Cmd {
			return screen.Load(r.sh, r.read, func(s stored) tea.Cmd {
				r.fill(s)
				r.sh.Notify("The test was acknowledged.")
				return nil
			})
		})
	})
}
