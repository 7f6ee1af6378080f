package screen

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/errcode"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// Form declares a screen on which fields are filled in and sent. A declaration holds no state: the fields set variables of
// whoever declares it, and it is declared anew from them whenever it is used. What depends on an answer is therefore plain Go:
// a field, an action or a text is in the declaration or is not.
//
// Keys, the mouse, pastes, drawing, the status bar, the help page and the palette follow from the declaration.
type Form struct {
	Name   string // of the screen in op.On.Screen; "": no operation has a key here
	Title  string
	About  string // on the help page
	Fields []Field
	Games  []game.Game // whose rules the help page has

	// Send is what Enter does once no field is refused. Its Key is not used.
	Send Action
	More []Action
	// AppliesAtOnce reports that the answers apply when they are chosen. Enter then chooses the next answer, and Send runs when
	// the form is left; without a Do nothing has changed.
	AppliesAtOnce bool

	// IsOverlay reports that the form is drawn over the current screen. Otherwise the form replaces it, and Returns reports that
	// leaving the form returns to it and not to the lobby.
	IsOverlay, Returns bool
	Under              dest.Destination // to which leaving the form returns instead; nil: none
	Key                string           // a letter that leaves the form, because it has opened it; "": none

	// Draw draws the screen instead of the header and the fields, where these are part of something else; nil: they are not.
	Draw func(c paint.Canvas, v *FormScreen)
	// Beside is drawn beside the fields in windows that are wide enough; the zero value: nothing is.
	Beside Beside
}

// Field is a question in a form: with answers to choose from, with a text that is typed, or with both.
type Field struct {
	Label    string // unique in the form
	Answers  []string
	Index    int       // of the chosen answer
	Set      func(int) // chooses an answer; nil without Answers
	Text     *widget.TextField
	TypesAll bool   // a question mark is typed into Text; otherwise it opens the help, because no text has one
	Help     string // one line
	// Refused is why what is there cannot be sent; nil: it can. The form shows it at the field when the user tries to.
	Refused error
	Arg     string // the name by which errors of operations call the field (errcode.Error.Field); "": none do
	// Remember is the name under which the session keeps the answer or the text when the form has been sent, for the next form
	// with such a field; "": it does not.
	Remember string
}

// Choice returns a field with answers, of which *index is chosen.
func Choice(label string, answers []string, index *int, help string) Field {
	return Field{Label: label, Answers: answers, Index: *index, Set: func(n int) { *index = n }, Help: help}
}

// Toggle returns a field with two answers that sets b: the first is false.
func Toggle(label, off, on string, b *bool, help string) Field {
	f := Field{Label: label, Answers: []string{off, on}, Set: func(n int) { *b = n == 1 }, Help: help}
	if *b {
		f.Index = 1
	}
	return f
}

// Action is a key of a form.
type Action struct {
	Key   string // as Bubble Tea names it; a letter works where no text is typed
	Label string // one or two words for the status bar, and the name in the palette; "": in neither
	Help  string // on the help page; "": not there
	// Sends reports that the action sends the form, as Form.Send always does: nothing happens while a field is refused or the
	// form is being sent.
	Sends bool
	// Confirm is a question that is asked before, with Label and Dismiss as answers; "": none.
	Confirm, Dismiss string
	Do               func(*FormScreen) tea.Cmd // nil: the text field or the session handles the key
}

// FormScreen is a form that is open.
type FormScreen struct {
	Base
	declare func() Form
	cursor  int // index of the selected field
	// What was refused, until something is changed.
	refused struct{ label, text string }
	sending bool
	targets []formTarget // where Draw has drawn the fields
	origin  image.Point  // of the canvas of the targets in the window
}

// NewForm returns a form that is not shown yet. declare must return at least one field. What the session remembers is
// set.
func NewForm(sh *Shell, declare func() Form) *FormScreen {
	v := &FormScreen{Base: Base{Shell: sh}, declare: declare}
	for i := 0; i < len(declare().Fields); i++ { // an answer can change which fields follow
		f := declare().Fields[i]
		kept, ok := sh.remembered[f.Remember]
		if !ok {
			continue
		}
		if n := slices.Index(f.Answers, kept); n >= 0 {
			f.Set(n)
		} else if f.Answers == nil {
			f.Text.Set(kept)
		}
	}
	return v
}

// OpenForm shows a form (NewForm).
func OpenForm(sh *Shell, declare func() Form) tea.Cmd {
	v := NewForm(sh, declare)
	switch f := declare(); {
	case f.IsOverlay:
		sh.OpenOverlay(v)
		return nil
	case f.Returns:
		return sh.Push(v)
	}
	return sh.Show(v)
}

// Send runs an operation for a form and then then, with its result. An error is shown in the form.
func Send[A, R any](v *FormScreen, o *op.Op[A, R], in A, then func(R) tea.Cmd) tea.Cmd {
	return SendCall(v, func(ctx context.Context) (R, error) { return o.Run(ctx, v.Shell.Visit, in) }, then)
}

// SendCall is Send for a function, which runs in a goroutine of its own.
func SendCall[R any](v *FormScreen, call func(context.Context) (R, error), then func(R) tea.Cmd) tea.Cmd {
	v.sending = true
	return Try(v.Shell, call, func(r R, err error) tea.Cmd {
		v.sending = false
		if err != nil {
			return v.fail(err)
		}
		v.remember()
		return then(r)
	})
}

// remember keeps the fields that are to be remembered.
func (v *FormScreen) remember() {
	for _, f := range v.declare().Fields {
		switch {
		case f.Remember == "":
			continue
		case v.Shell.remembered == nil:
			v.Shell.remembered = make(map[string]string)
		}
		if f.Answers != nil {
			v.Shell.remembered[f.Remember] = f.Answers[f.Index]
		} else {
			v.Shell.remembered[f.Remember] = f.Text.Text()
		}
	}
}

// fail shows why the form was refused: at the field that the error names or the only one, and otherwise as a notice.
func (v *FormScreen) fail(err error) tea.Cmd {
	fields := v.declare().Fields
	at := -1
	if e, ok := errors.AsType[*errcode.Error](err); ok && e.Field != "" {
		at = slices.IndexFunc(fields, func(f Field) bool { return f.Arg == e.Field })
	}
	if len(fields) == 1 {
		at = 0
	}
	if v.Shell.Visible() != Screen(v) || at < 0 {
		v.Shell.NotifyFailure(err)
	} else {
		v.refuse(fields, at, err)
	}
	return v.Shell.Refresh()
}

// refuse shows at a field why it was refused, and selects it.
func (v *FormScreen) refuse(fields []Field, at int, err error) {
	v.cursor = at
	v.refused.label, v.refused.text = fields[at].Label, words.Sentence(v.Shell.Config.Explain(err))
}

// Refused returns why the field with a label was refused when the form was to be sent last, a sentence; "": it was not, or
// something has changed.
func (v *FormScreen) Refused(label string) string {
	if v.refused.label != label {
		return ""
	}
	return v.refused.text
}

// Select selects the field with a label, if there is one.
func (v *FormScreen) Select(label string) {
	if i := slices.IndexFunc(v.declare().Fields, func(f Field) bool { return f.Label == label }); i >= 0 {
		v.cursor = i
	}
}

// Leave returns to the screen before, the lobby, or the destination that the form declares. It does nothing if the user has
// left the form.
func (v *FormScreen) Leave() tea.Cmd {
	sh, f := v.Shell, v.declare()
	if !slices.Contains([]Screen{sh.current, sh.overlay, sh.covered}, Screen(v)) {
		return nil
	}
	var cmd tea.Cmd
	switch {
	case f.Under != nil:
		cmd = sh.Open(f.Under)
	case f.IsOverlay:
		sh.CloseOverlay()
	case len(sh.history) > 0:
		cmd = sh.Back()
	default:
		cmd = sh.Open(dest.Lobby{KeepsFollowing: true})
	}
	return tea.Batch(cmd, v.apply(f))
}

// apply sends a form that applies at once.
func (v *FormScreen) apply(f Form) tea.Cmd {
	if !f.AppliesAtOnce || f.Send.Do == nil {
		return nil
	}
	return f.Send.Do(v)
}

// do does an action.
func (v *FormScreen) do(a Action) tea.Cmd {
	f := v.declare()
	if !a.Sends {
		return tea.Batch(v.apply(f), a.Do(v))
	}
	if v.sending {
		return nil
	}
	if i := slices.IndexFunc(f.Fields, func(f Field) bool { return f.Refused != nil }); i >= 0 {
		v.refuse(f.Fields, i, f.Fields[i].Refused)
		return nil
	}
	if a.Confirm == "" {
		return a.Do(v)
	}
	return v.Shell.Ask(YesNo(a.Confirm, a.Label, a.Dismiss, func() tea.Cmd { return a.Do(v) }))
}

// field returns the selected field of a form; the last one if the form has fewer fields now.
func (v *FormScreen) field(f Form) Field {
	v.cursor = min(v.cursor, len(f.Fields)-1)
	return f.Fields[v.cursor]
}

// move selects another field: the one by fields further, at most the first or last.
func (v *FormScreen) move(f Form, by int) { v.cursor = max(min(v.cursor+by, len(f.Fields)-1), 0) }

// choose chooses an answer of a field, at most the first or last.
func (v *FormScreen) choose(f Field, n int) {
	f.Set(max(min(n, len(f.Answers)-1), 0))
	v.refused.label = ""
}

// bindings returns the keys of a form in its state. They drive the handler, the status bar, the help page and the palette.
func (v *FormScreen) bindings(f Form) Bindings[*FormScreen] {
	field := v.field(f)
	isTyped, hasAnswers := field.Text != nil, field.Answers != nil
	does := func(do func()) func(*FormScreen) tea.Cmd {
		return func(*FormScreen) tea.Cmd {
			do()
			return nil
		}
	}
	always := func(works bool) func(*FormScreen) bool { return func(*FormScreen) bool { return works } }
	move := func(by int) func(*FormScreen) tea.Cmd { return does(func() { v.move(f, by) }) }
	change := func(by int) func(*FormScreen) tea.Cmd { return does(func() { v.choose(field, field.Index+by) }) }
	next := does(func() { v.choose(field, (field.Index+1)%len(field.Answers)) })

	var all Bindings[*FormScreen]
	if len(f.Fields) > 1 {
		all = append(all, Bindings[*FormScreen]{
			{Key: Keys("up shift+tab", "↑ ↓", "select a field"), Label: "field", Do: move(-1)},
			{Key: Keys("down tab", "", ""), Do: move(1)},
			{Key: Keys("k", "", ""), When: always(!isTyped), Do: move(-1)},
			{Key: Keys("j", "", ""), When: always(!isTyped), Do: move(1)},
		}...)
	}
	if slices.ContainsFunc(f.Fields, func(f Field) bool { return f.Answers != nil }) {
		all = append(all, Bindings[*FormScreen]{
			{Key: Keys("left", "← →", "change it"), Label: "change", When: always(hasAnswers), Do: change(-1)},
			{Key: Keys("right", "", ""), When: always(hasAnswers), Do: change(1)},
			{Key: Keys("space", "", ""), When: always(!isTyped), Do: next},
		}...)
	}
	if f.AppliesAtOnce {
		all = append(all, Binding[*FormScreen]{Key: Keys("enter", "", ""), Do: next})
	}
	for _, a := range f.actions() {
		all = append(all, v.binding(a, isTyped))
	}
	leave := Binding[*FormScreen]{Key: Keys("esc", "Esc", "leave the form"), Label: "back", Do: (*FormScreen).Leave}
	q := Binding[*FormScreen]{Key: Keys("q", "", ""), When: always(!isTyped), Do: (*FormScreen).Leave}
	if f.AppliesAtOnce {
		leave.Key = Keys("q esc "+f.Key, "q", "back")
	}
	help := HelpKey[*FormScreen]()
	help.When = always(!isTyped || !field.TypesAll)
	switch {
	case v.Shell.Visit == nil && !f.IsOverlay: // there is nothing to return to
		return append(all, help)
	case f.IsOverlay:
		leave.Rank = LastRank
		return append(all, help, leave, q)
	}
	leave.Label = v.Shell.BackLabel()
	return append(all, leave, q, help)
}

// actions returns Send, unless it runs without a key, and More.
func (f Form) actions() []Action {
	if f.AppliesAtOnce {
		return f.More
	}
	send := f.Send
	send.Key, send.Sends, send.Help = "enter", true, cmp.Or(send.Help, send.Label)
	return append([]Action{send}, f.More...)
}

// binding returns the key of an action.
func (v *FormScreen) binding(a Action, isTyped bool) Binding[*FormScreen] {
	b := Binding[*FormScreen]{Key: Keys(a.Key, ShownKey(a.Key), a.Help), Label: a.Label}
	if a.Key == "" {
		b.Command = a.Label
	}
	if a.Do != nil {
		b.Do = func(*FormScreen) tea.Cmd { return v.do(a) }
	}
	works := !(a.Sends && v.sending)
	switch {
	case a.Key == "enter":
		b.Rank = -2
	case len(a.Key) > 1:
		b.Rank = -1
	default:
		works = works && !isTyped
	}
	b.When = func(*FormScreen) bool { return works }
	return b
}

// Commands implements Commander.
func (v *FormScreen) Commands() (all []Command) {
	f := v.declare()
	for _, a := range f.actions() {
		if b := v.binding(a, false); a.Label != "" && a.Do != nil && !b.isAbsent(v) {
			all = append(all, Command{Name: a.Label, Help: cmp.Or(a.Help, a.Label), Key: a.Key, Do: func() tea.Cmd { return v.do(a) }})
		}
	}
	return all
}

// Handle implements Screen.
func (v *FormScreen) Handle(msg tea.Msg) tea.Cmd {
	f := v.declare()
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		v.click(f, msg)
		return nil
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			v.move(f, -1)
		} else {
			v.move(f, 1)
		}
		return nil
	case tea.KeyPressMsg:
		if cmd, used := v.bindings(f).Handle(v, msg.String()); used {
			return cmd
		}
	}
	if text := v.field(f).Text; text != nil && text.Handle(msg) {
		v.refused.label = ""
		return nil
	}
	v.Shell.Ignore()
	return nil
}

// StatusLine implements Screen.
func (v *FormScreen) StatusLine() (string, paint.Style) {
	f := v.declare()
	if f.Draw != nil {
		return "", paint.Style{}
	}
	return v.field(f).Help, v.Shell.Style.Theme.Dim
}

// StatusKeys implements Screen.
func (v *FormScreen) StatusKeys() []game.Key { return v.bindings(v.declare()).Status(v) }

// Help implements Screen.
func (v *FormScreen) Help() Help {
	f := v.declare()
	p := Help{Title: f.Title, About: f.About, Games: f.Games, Keys: v.bindings(f).Help(v)}
	for _, field := range f.Fields {
		if field.Help != "" {
			p.Keys = append(p.Keys, game.Key{Key: field.Label, Help: field.Help})
		}
	}
	return p
}

// Traits implements Screen.
func (v *FormScreen) Traits() Traits {
	f := v.declare()
	return Traits{Name: f.Name, TakesText: v.field(f).Text != nil}
}
