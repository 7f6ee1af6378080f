package tui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// Office is where moderation happens, as one person may use it. Whoever implements it decides about
// every single call; May is there so that nobody is shown what he cannot do.
type Office interface {
	// May reports whether the person may give a command of moderation, such as "mute", or "report".
	May(command string) bool
	// Order carries out the words of a command and returns what there is to read.
	Order(ctx context.Context, words ...string) (string, error)
	// Report tells the moderators what somebody has done.
	Report(ctx context.Context, about, what string) error
	// Sanctions lists what holds, and Reports what was reported and nobody is done with, oldest first.
	Sanctions(ctx context.Context) ([]Sanction, error)
	Reports(ctx context.Context) ([]Report, error)
	// CountReports returns how many of those there are.
	CountReports(ctx context.Context) (int, error)
	// Marks returns by what else than his name somebody can be banned: keys, addresses, networks.
	Marks(ctx context.Context, name string) ([]string, error)
}

// Sanction is a mute, a ban, or a room that is closed. Lift is the command that ends it.
type Sanction struct {
	Kind, Who, Reason, By, Lift string
	Until                       time.Time // zero: for good
}

// Report is what a player has told the moderators.
type Report struct {
	ID              int64
	At              time.Time
	By, About, Text string
}

// may reports whether the person may give a command of moderation.
func (a *app) may(command string) bool { return a.visit.Office != nil && a.visit.Office.May(command) }

// report asks what somebody has done and tells the moderators.
func (a *app) report(name string) tea.Cmd {
	switch {
	case a.visit.Office == nil || name == a.session.Account().Name:
		return nil
	case !a.may("report"):
		a.tell("A report needs an account; come with an SSH key.")
		return nil
	}
	return a.typing(&line{field: field{limit: 200}, label: "Tell the moderators what " + name + " did", does: "report", enter: func(what string) tea.Cmd {
		return a.call(func(ctx context.Context) error { return a.visit.Office.Report(ctx, name, what) }, func() tea.Cmd {
			a.tell("Thank you; the moderators will read it.")
			return nil
		})
	}})
}

// tellReports tells a moderator who comes in how many reports are open.
func (a *app) tellReports() tea.Cmd {
	if !a.may("reports") {
		return nil
	}
	open := 0
	return a.call(func(ctx context.Context) (err error) {
		open, err = a.visit.Office.CountReports(ctx)
		return err
	}, func() tea.Cmd {
		if open > 0 {
			a.tellMore(words.Plural(open, "open report") + "; M leads there.")
		}
		return nil
	})
}

// moderateKeys are the keys with which somebody can be reported and moderated, and what is said of
// them.
func (a *app) moderateKeys(report, moderate string) []board.Key {
	var keys []board.Key
	if a.may("report") {
		keys = append(keys, board.Key{Key: "R", Does: report})
	}
	if a.may("mute") {
		keys = append(keys, board.Key{Key: "M", Does: moderate})
	}
	return keys
}

// officeView lists what holds and what was reported.
type officeView struct {
	plain
	app       *app
	sanctions []Sanction
	reported  []Report
	reports   bool // these are shown
	list      list
}

func (a *app) openOffice() tea.Cmd {
	if !a.may("bans") {
		return nil
	}
	v := &officeView{app: a}
	return v.read(func() tea.Cmd {
		v.reports = len(v.reported) > 0
		return a.deeper(v)
	})
}

// read reads everything anew.
func (v *officeView) read(then func() tea.Cmd) tea.Cmd {
	office := v.app.visit.Office
	var sanctions []Sanction
	var reported []Report
	return v.app.call(func(ctx context.Context) (err error) {
		if sanctions, err = office.Sanctions(ctx); err == nil {
			reported, err = office.Reports(ctx)
		}
		return err
	}, func() tea.Cmd {
		v.sanctions, v.reported = sanctions, reported
		if then == nil {
			return nil
		}
		return then()
	})
}

func (v *officeView) size() int {
	if v.reports {
		return len(v.reported)
	}
	return len(v.sanctions)
}

func (v *officeView) handle(msg tea.Msg) tea.Cmd {
	a := v.app
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		v.list.click(msg.Y, v.size())
	case tea.KeyPressMsg:
		switch key := msg.String(); key {
		case "q", "esc":
			return a.up()
		case "?":
			return a.openHelp()
		case "tab", "left", "right":
			v.reports, v.list = !v.reports, list{}
		case "r":
			return v.read(nil)
		case "x", "delete":
			return v.settle()
		case "enter":
			if v.reports && v.list.at < len(v.reported) {
				r := v.reported[v.list.at]
				return a.openModerate(r.About, func() tea.Cmd { return tea.Batch(v.read(nil), v.close(r)) })
			}
		case "m":
			return v.whom()
		case "i":
			return v.invite()
		case "A":
			return v.audit()
		case "T":
			return v.toggleRoom("lobby", "in the lobby")
		case "W":
			return v.toggleRoom("watchers", "of watchers")
		default:
			v.list.key(key, v.size())
		}
	}
	return nil
}

// order gives a command and reads everything anew.
func (v *officeView) order(told string, words ...string) tea.Cmd {
	a := v.app
	return a.call(func(ctx context.Context) error {
		_, err := a.visit.Office.Order(ctx, words...)
		return err
	}, func() tea.Cmd {
		a.tell("%s", told)
		return v.read(nil)
	})
}

// settle lifts the chosen sanction, or is done with the chosen report.
func (v *officeView) settle() tea.Cmd {
	a := v.app
	if v.list.at >= v.size() {
		return nil
	}
	if v.reports {
		return v.close(v.reported[v.list.at])
	}
	s := v.sanctions[v.list.at]
	return a.ask(yes("Lift this: "+s.what()+"?", "lift", "keep", func() tea.Cmd {
		return v.order("Lifted.", s.Lift, s.Who)
	}))
}

// close asks whether a report is done with.
func (v *officeView) close(r Report) tea.Cmd {
	return v.app.ask(yes("Nothing more to do about this report on "+r.About+"?", "done", "keep", func() tea.Cmd {
		return v.order("The report is closed.", "done", strconv.FormatInt(r.ID, 10))
	}))
}

// toggleRoom closes a room for talk, or opens it again.
func (v *officeView) toggleRoom(room, where string) tea.Cmd {
	a := v.app
	if v.closed(room) {
		return v.order("People may talk "+where+" again.", "open", room)
	}
	return a.ask(yes("Close the talk "+where+" until somebody opens it again?", "close", "no", func() tea.Cmd {
		return v.order("The talk "+where+" is closed.", "close", room)
	}))
}

// whom asks for a name and opens the form about whom has it.
func (v *officeView) whom() tea.Cmd {
	a := v.app
	if len(a.deeds()) == 0 {
		return nil
	}
	l := &line{field: field{limit: lobby.MaxName}, label: "Moderate whom", does: "go on"}
	var form *moderateView
	return a.typing(v.until(l, "", func(ctx context.Context, name string) (err error) {
		form = a.moderation(name, func() tea.Cmd { return v.read(nil) })
		return form.read(ctx)
	}, func() tea.Cmd { return a.deeper(form) }))
}

// invite makes an invitation and shows it, which can be done only once.
func (v *officeView) invite() tea.Cmd {
	a := v.app
	l := &line{field: field{limit: 20}, label: "Invitation: how many keys, and how long (30m, 12h, 7d)", does: "make it"}
	l.set("1 7d")
	var out string
	return a.typing(v.until(l, " Write how many keys, and how long: 5 24h", func(ctx context.Context, text string) (err error) {
		out, err = a.visit.Office.Order(ctx, append([]string{"invite"}, strings.Fields(text)...)...)
		return err
	}, func() tea.Cmd {
		a.over = &paperView{app: a, title: "An invitation", text: out, note: "It is shown only now; pass it on before you go back."}
		return nil
	}))
}

// until makes a line do f with what is typed. What is refused stands in the line again, with the
// reason and what is said besides, so that it need not be typed anew.
func (v *officeView) until(l *line, besides string, f func(ctx context.Context, text string) error, then func() tea.Cmd) *line {
	a := v.app
	l.enter = func(text string) tea.Cmd {
		var refused error
		return a.call(func(ctx context.Context) error {
			refused = f(ctx, text)
			return nil
		}, func() tea.Cmd {
			if refused == nil {
				return then()
			}
			_, why := lobby.Explain(refused)
			if a.at != v || a.line != nil { // he does something else by now
				a.complain("%s", why)
				return nil
			}
			l.set(text)
			l.wrong = words.Sentence(why) + besides
			return a.typing(l)
		})
	}
	return l
}

// audit shows the host what moderators have done, the newest last.
func (v *officeView) audit() tea.Cmd {
	a := v.app
	if !a.may("audit") {
		return nil
	}
	var out string
	return a.call(func(ctx context.Context) (err error) {
		out, err = a.visit.Office.Order(ctx, "audit")
		return err
	}, func() tea.Cmd {
		paper := &paperView{app: a, title: "What was done", text: out, note: "The newest stands last. Times are UTC.", last: true, dated: true}
		if out == "" {
			paper.text, paper.note, paper.dated = "Nothing has been done yet.", "", false
		}
		a.over = paper
		return nil
	})
}

func (v *officeView) draw(c paint.Canvas) {
	a := v.app
	t := a.look.Theme
	w, h := c.Size()
	a.header(c, "Moderation", a.visit.club(), a.session.Account().Name)
	x := 2
	for i, title := range []string{words.Plural(len(v.sanctions), "sanction"), words.Plural(len(v.reported), "open report")} {
		style, text := t.Dim, " "+title+" "
		if (i == 1) == v.reports {
			style, text = t.Pick, "["+title+"]"
		}
		x += c.Text(x, 2, style, text) + 1
	}
	if v.size() == 0 {
		text := "Nobody is muted or banned, and no room is closed."
		if v.reports {
			text = "There are no open reports."
		}
		c.Text(3, 4, t.Dim, text)
		return
	}
	v.list.move(0, v.size())
	const top, least, listed = 4, 4, 3 // rows above the list, of the detail, and of the list where both are long
	about := wrap(v.about(v.list.at), w-6)
	detail := max(min(len(about), h-top-listed-1), least)
	if len(about) > detail {
		about = append(about[:detail-1], paint.Cut(strings.Join(about[detail-1:], " "), w-6))
	}
	from, to := v.list.window(top, h-top-detail-1, v.size())
	for i := from; i < to; i++ {
		row, style := c.Sub(0, top+i-from, w, 1), t.Text
		if i == v.list.at {
			style = t.Pick
			row.Fill(0, 0, w, 1, t.Pick, ' ')
			row.Text(1, 0, t.Pick, "›")
		}
		left, right := v.row(i)
		row.Text(w-1-paint.Width(right), 0, style, right)
		row.Text(3, 0, style, paint.Cut(left, w-6-paint.Width(right)))
	}
	a.rule(c, h-detail-1, "", t.Dim)
	for i, l := range about {
		c.Text(3, h-detail+i, t.Text, l)
	}
}

// row is a line about something.
func (v *officeView) row(i int) (left, right string) {
	if v.reports {
		r := v.reported[i]
		return r.By + " about " + r.About + ": " + r.Text, r.At.UTC().Format("2 Jan 15:04")
	}
	s := v.sanctions[i]
	return s.what(), lastsUntil(s.Until)
}

// about is all that is known of it.
func (v *officeView) about(i int) string {
	if v.reports {
		r := v.reported[i]
		return r.By + " reports " + r.About + ": " + r.Text
	}
	s := v.sanctions[i]
	text := s.what() + ", by " + s.By + ", " + lastsUntil(s.Until)
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// what says it in short.
func (s Sanction) what() string {
	if s.Lift == "open" {
		return "talk closed: " + s.Who
	}
	return s.Kind + " of " + s.Who
}

func lastsUntil(t time.Time) string {
	if t.IsZero() {
		return "for good"
	}
	return "until " + t.UTC().Format("2 Jan 2006 15:04")
}

func (v *officeView) hint() (string, paint.Style) {
	return "Times are UTC. What you do here is noted with your name.", v.app.look.Theme.Dim
}

func (v *officeView) keys() []board.Key {
	other, settle := "reports", []board.Key{{Key: "x", Does: "lift"}}
	if v.reports {
		other, settle = "sanctions", []board.Key{{Key: "Enter", Does: "act"}, {Key: "x", Does: "done"}}
	}
	keys := []board.Key{{Key: "Tab", Does: other}}
	if v.size() > 0 {
		keys = append(keys, settle...)
	}
	keys = append(keys, board.Key{Key: "q", Does: v.app.behind()}, board.Key{Key: "m", Does: "moderate"}, board.Key{Key: "i", Does: "invite"})
	if v.app.may("audit") {
		keys = append(keys, board.Key{Key: "A", Does: "audit"})
	}
	keys = append(keys, v.roomKey("T", "lobby"), v.roomKey("W", "watchers"))
	return append(keys, board.Key{Key: "?", Does: "help"})
}

// roomKey is the key that closes a room for talk, or opens it again.
func (v *officeView) roomKey(key, room string) board.Key {
	if v.closed(room) {
		return board.Key{Key: key, Does: "open " + room}
	}
	return board.Key{Key: key, Does: "close " + room}
}

func (v *officeView) closed(room string) bool {
	return slices.ContainsFunc(v.sanctions, func(s Sanction) bool { return s.Lift == "open" && s.Who == room })
}

func (v *officeView) help() helpPage {
	return helpPage{
		title: "Moderation",
		about: "Who is muted or banned, which rooms are closed, and what players have reported. Everything that is done here is noted with the name of who did it.",
		keys: []board.Key{
			{Key: "Tab", Does: "from the sanctions to the reports and back"},
			{Key: "x", Does: "lift the chosen sanction, or close the chosen report"},
			{Key: "Enter", Does: "mute, kick or ban whom the chosen report is about"},
			{Key: "m", Does: "mute, kick or ban somebody by name"},
			{Key: "i", Does: "make an invitation: for how many keys, and how long it holds (30m, 12h, 7d)"},
			{Key: "T", Does: "close the talk in the lobby, or open it again"},
			{Key: "W", Does: "the same for the talk of watchers; players can always talk at their game"},
			{Key: "A", Does: "for owners: what was done, and by whom"},
			{Key: "r", Does: "read everything anew"},
			{Key: "q", Does: "back"},
		},
	}
}
