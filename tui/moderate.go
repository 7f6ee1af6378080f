package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// moderateView is the form with which a moderator acts on somebody.
type moderateView struct {
	plain
	app    *app
	name   string
	deeds  []string // that he may do
	marks  []string // by which a ban can hold, the name first
	deed   int
	mark   int
	lasts  int // an index of spans
	reason field
	row    int
	after  func() tea.Cmd // what follows when it is done; nil: nothing
}

// spans are how long a sanction can last, as commands and as people call them.
var spans = []struct{ word, title string }{
	{"10m", "10 minutes"}, {"1h", "1 hour"}, {"24h", "1 day"}, {"7d", "7 days"}, {"30d", "30 days"}, {"forever", "for good"},
}

const usualSpan = 2

// deeds are what the person may do to somebody.
func (a *app) deeds() (all []string) {
	for _, deed := range []string{"mute", "kick", "ban"} {
		if a.may(deed) {
			all = append(all, deed)
		}
	}
	return all
}

// moderation is the form about somebody, for whom has deeds. After something was done it goes back,
// and does what is said.
func (a *app) moderation(name string, after func() tea.Cmd) *moderateView {
	return &moderateView{app: a, name: name, deeds: a.deeds(), after: after, lasts: usualSpan, reason: field{limit: 200}, marks: []string{name}}
}

// read learns by what a ban can hold.
func (v *moderateView) read(ctx context.Context) error {
	marks, err := v.app.visit.Office.Marks(ctx, v.name)
	v.marks = append(v.marks, marks...)
	return err
}

// openModerate opens the form about somebody.
func (a *app) openModerate(name string, after func() tea.Cmd) tea.Cmd {
	if len(a.deeds()) == 0 {
		return nil
	}
	v := a.moderation(name, after)
	return a.call(v.read, func() tea.Cmd { return a.deeper(v) })
}

func (v *moderateView) rows() []formRow {
	deed := formRow{label: "What", answers: v.deeds, at: v.deed, set: func(n int) { v.deed = n }}
	reason := formRow{label: "Reason", field: &v.reason, about: "The person is told it, and so are other moderators."}
	lasts := formRow{label: "How long", at: v.lasts, set: func(n int) { v.lasts = n }}
	for _, s := range spans {
		lasts.answers = append(lasts.answers, s.title)
	}
	switch v.deeds[v.deed] {
	case "mute":
		deed.about = "He may play and watch, but not talk."
		return []formRow{deed, lasts, reason}
	case "kick":
		deed.about = "His sessions end; he may come back at once, and his games go on."
		return []formRow{deed, reason}
	}
	deed.about = "His sessions end, and he is not let in again."
	whom := formRow{label: "Whom", at: v.mark, set: func(n int) { v.mark = n },
		about: "An account, one key, or all who come from an address or network."}
	for _, m := range v.marks {
		whom.answers = append(whom.answers, shortMark(m))
	}
	return []formRow{deed, whom, lasts, reason}
}

// shortMark is a mark as the form shows it: of the fingerprint of a key as much as tells it apart.
func shortMark(mark string) string {
	const enough = len("SHA256:") + 10
	if strings.HasPrefix(mark, "SHA256:") && len(mark) > enough {
		return mark[:enough] + "…"
	}
	return mark
}

func (v *moderateView) handle(msg tea.Msg) tea.Cmd {
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	r := rows[v.row]
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		if r.field != nil {
			r.field.handle(msg)
		}
		return nil
	}
	switch name := key.String(); {
	case name == "up" || name == "shift+tab":
		v.row = max(v.row-1, 0)
	case name == "down" || name == "tab":
		v.row = min(v.row+1, len(rows)-1)
	case name == "esc":
		return v.app.up()
	case name == "enter":
		return v.confirm()
	case r.field != nil:
		r.field.handle(msg)
	case name == "left" || name == "h":
		r.set(max(r.at-1, 0))
	case name == "right" || name == "l":
		r.set(min(r.at+1, len(r.answers)-1))
	case name == "space":
		r.set((r.at + 1) % len(r.answers))
	case name == "q":
		return v.app.up()
	case name == "?":
		return v.app.openHelp()
	}
	return nil
}

// confirm asks whether it is meant so, and does it.
func (v *moderateView) confirm() tea.Cmd {
	a, deed, span := v.app, v.deeds[v.deed], spans[v.lasts]
	whom := v.name
	if deed == "ban" {
		whom = v.marks[v.mark]
	}
	order, text := []string{deed, whom, span.word}, words.Sentence(deed+" "+whom+", "+span.title)
	if deed == "kick" {
		order, text = order[:2], words.Sentence(deed+" "+whom)
	}
	order = append(order, strings.Fields(v.reason.text())...)
	return a.ask(yes(text+" Do you mean it?", deed, "no", func() tea.Cmd {
		var out string
		return a.call(func(ctx context.Context) (err error) {
			out, err = a.visit.Office.Order(ctx, order...)
			return err
		}, func() tea.Cmd {
			cmd := a.up()
			told := strings.FieldsFunc(out, func(r rune) bool { return r == '\n' })
			a.tell("%s", words.Sentence("done: "+strings.Join(told, "; ")))
			if v.after != nil {
				cmd = tea.Batch(cmd, v.after())
			}
			return cmd
		})
	}))
}

func (v *moderateView) draw(c paint.Canvas) {
	v.app.header(c, "Moderate "+v.name, "", v.app.session.Account().Name)
	rows := v.rows()
	v.row = min(v.row, len(rows)-1)
	v.app.drawForm(c, rows, v.row)
}

func (v *moderateView) hint() (string, paint.Style) {
	return v.rows()[v.row].about, v.app.look.Theme.Dim
}

func (v *moderateView) keys() []board.Key {
	return []board.Key{{Key: "Enter", Does: v.deeds[v.deed]}, {Key: "↑↓", Does: "question"}, {Key: "←→", Does: "answer"}, {Key: "Esc", Does: v.app.behind()}}
}

func (v *moderateView) help() helpPage {
	return helpPage{
		title: "Moderating somebody",
		about: "Nobody can moderate somebody of his own rank or above. Who is muted or banned is told why, and until when. What is done is noted with your name.",
		keys: []board.Key{{Key: "↑ ↓", Does: "go from question to question"}, {Key: "← →", Does: "choose an answer"},
			{Key: "Enter", Does: "do it, after one more question"}, {Key: "Esc", Does: "back"}},
	}
}
