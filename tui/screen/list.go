package screen

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// List is a screen that lists rows of type R. A package declares one by its exported fields and shows it with Push or
// Overlay. What follows from the fields is the same for all lists: moving, the mouse, pages, loading, the status bar, the
// help page, the operations in the palette, and how it is drawn in each window. Functions among the fields are called
// while a message is processed, except Load, and may be nil unless noted.
type List[R any] struct {
	Base

	// Name is that of the screen in op.On.Screen; "": no operation has a key here.
	Name string
	// Title, Subtitle and Right are the header, with the number of the page at the right if there are several.
	Title    string
	Subtitle func() string
	Right    func() string
	// HelpTitle is the title of the help page; "": Title. About is its text.
	HelpTitle, About string

	// Note is a text above the rows; "": none. DrawAbove draws below the header instead, and returns the row after it.
	Note      string
	DrawAbove func(paint.Canvas) int
	// Tabs returns the tabs, of which the one of Of is shown. TabLabel is what a tab is to the user: "game".
	Tabs     func() []Tab
	TabLabel string

	// Columns are the columns, of which exactly one fills the row. MaxWidth is the maximum width of all; 0:
	// widget.ListWidth.
	Columns  []Column[R]
	MaxWidth int

	// Of is what is listed, such as a tab or the name of a player. The List changes it when rows of another one have been
	// loaded (Switch).
	Of string
	// Rows returns all rows as they are now. Otherwise Load reads a page of those of a value of Of: the rows after one, or
	// the first ones for nil. It is called in a goroutine of its own, and must not use what changes.
	Rows func() []R
	Load func(ctx context.Context, of string, after *R) (Page[R], error)
	// Arrange returns those of the rows that are shown, in their order; nil: all of them.
	Arrange func([]R) []R
	// IsLive reports that what Arrange returns depends on the lobby's lists. The rows are arranged again when those have changed,
	// and then OnChange is called, unless it is nil.
	IsLive   bool
	OnChange func() tea.Cmd
	// ID returns a value that is equal for the same row of a later list, so that the cursor stays on it. It is not nil.
	ID func(R) any
	// Start is the ID of the row that is selected first; nil: the first one.
	Start any
	// OnLoad is called when rows have been loaded.
	OnLoad func() tea.Cmd
	// Empty returns the text of a list without rows, unless its page has one.
	Empty func() string

	// Detail describes the selected row below the list: one line of secondary text, "" for none, and a text. Log returns
	// lines below it, of which the last ones that fit are shown.
	Detail func(R) (about, text string)
	Log    func(R) []string
	// Beside returns what a wide window shows beside the list of the selected row. OnSelect is called when another row has been
	// selected, to load it.
	Beside   func(R) Beside
	OnSelect func(R) tea.Cmd
	// Status returns the line above the status bar, in at most width columns.
	Status func(width int) string

	// Actions are the keys of the list, in the order of the help page.
	Actions []RowAction[R]
	// Back does what the key for going back does, labelled BackLabel; nil: it returns to the screen before.
	Back func() tea.Cmd

	bindings Bindings[*List[R]]
	loaded   Page[R]
	rows     []R // those of loaded, or of Rows, that are shown
	pages    []R // the last rows of the pages before the one that is shown
	isLoaded bool
	loads    int // started so far, so that only the result of the last one counts
	failure  string
	cursor   widget.ListCursor
	selected any  // the ID with which OnSelect was called last
	isOver   bool // an overlay
	tabs     []tabTarget
}

// tabTarget is where the tab with a value of Of was drawn in the window.
type tabTarget struct {
	area image.Rectangle
	of   string
}

// Page is what Load of a List reads at once.
type Page[R any] struct {
	Rows    []R
	HasMore bool   // others follow
	Empty   string // the text without rows; "": that of the List
	Of      string // the value of Of as it is written, such as the name of a player; "": as it was given
}

// Tab is a tab of a List: the value of Of whose rows it shows, and its title.
type Tab struct{ Of, Title string }

// Column is a column of a List.
type Column[R any] struct {
	Title string
	// Width is the number of columns of a cell with the gap after it; that of the column which fills the row is at least as
	// wide. Narrow is the same in windows below 60 columns; 0: Width.
	Width, Narrow int
	// Fills reports that the column gets the space that the others leave. Those before it are always shown. Those after
	// it are shown in the order of their Ranks, 0, 1 and so on, as the window becomes wider.
	Fills bool
	Rank  int
	// Text returns the cell of a row, which is cut if it is too wide. Fit, if it is not nil, returns instead one of at
	// most width columns.
	Text func(R) string
	Fit  func(r R, width int) string
	// Style returns the style of the cell; nil: primary text in the column that fills the row, otherwise secondary text.
	Style func(R) paint.Style
	// IsMarked reports that the title stands out; nil: never.
	IsMarked func() bool
}

// RowAction is what a key of a List does.
type RowAction[R any] struct {
	// Key has the names of the keys and their help, as Keys returns it; as NoKey does for what only the palette does, by its
	// Label. Label is the word or two for the status bar; "": the key is not in it. Rank orders the status bar as that of a
	// Binding does; the key for going back has rank 0.
	Key   key.Binding
	Label string
	Rank  int
	// Operation is the name of the operation that the action is; "": none. Users who may not use it do not have the
	// action, and the palette offers it here for the selected row.
	Operation string
	// When reports whether there is the action now; nil: always.
	When func() bool
	// Do is called with the selected row, if there is one and For is nil or reports that the action is for it. A
	// question that Ask returns is answered with y before; "": there is none.
	Do  func(R) tea.Cmd
	For func(R) bool
	Ask func(R) string
	// DoAny is called instead of Do, with or without a row.
	DoAny func() tea.Cmd
}

// Push shows the list as a screen from which Back returns to the current one, and loads its rows.
func (l *List[R]) Push(sh *Shell) tea.Cmd {
	l.prepare(sh)
	return tea.Batch(sh.Push(l), l.Reload())
}

// Overlay shows the list over the current screen, and loads its rows.
func (l *List[R]) Overlay(sh *Shell) tea.Cmd {
	l.prepare(sh)
	l.isOver = true
	sh.OpenOverlay(l)
	return l.Reload()
}

// prepare makes the bindings, those of the actions first.
func (l *List[R]) prepare(sh *Shell) {
	l.Shell = sh
	for _, a := range l.Actions {
		b := Binding[*List[R]]{
			Key: a.Key, Label: a.Label, Rank: a.Rank,
			When:   func(l *List[R]) bool { return l.works(a) },
			Listed: func(l *List[R]) bool { return l.has(a) },
			Do:     func(l *List[R]) tea.Cmd { return l.do(a) },
		}
		if !b.hasKey() {
			b.Command = a.Label
		}
		l.bindings = append(l.bindings, b)
	}
	if l.Tabs != nil {
		tab := func(by int) func(*List[R]) tea.Cmd {
			return func(l *List[R]) tea.Cmd { return l.nextTab(by) }
		}
		l.bindings = append(l.bindings, Bindings[*List[R]]{
			{Key: Keys("right tab", "← →", "another "+l.TabLabel), Label: l.TabLabel, Do: tab(1)},
			{Key: Keys("left shift+tab", "", ""), Do: tab(-1)},
		}...)
	}
	moving := "select a row"
	if l.Load != nil {
		moving += "; beyond the last or first one, another page"
		l.bindings = append(l.bindings, Binding[*List[R]]{Key: Keys("ctrl+r", "Ctrl+R", "reload"), Do: (*List[R]).Reload})
	}
	l.bindings = append(l.bindings, Bindings[*List[R]]{
		{Key: Keys(CursorNames, "↑ ↓", moving), DoKey: (*List[R]).move},
		{Key: Keys("q esc", "q", "back"), LabelOf: (*List[R]).backLabel, Do: (*List[R]).back},
		HelpKey[*List[R]](),
	}...)
	l.Update()
}

// Selected returns the selected row; ok is false if there is none.
func (l *List[R]) Selected() (r R, ok bool) {
	if l.cursor.Index < len(l.rows) {
		return l.rows[l.cursor.Index], true
	}
	return r, false
}

// All returns what Load has read, and Shown what is listed of it. They must not be changed.
func (l *List[R]) All() []R   { return l.loaded.Rows }
func (l *List[R]) Shown() []R { return l.rows }

// Select moves the cursor to the row with an ID, if it is listed.
func (l *List[R]) Select(id any) {
	if i := slices.IndexFunc(l.rows, func(r R) bool { return l.ID(r) == id }); i >= 0 {
		l.cursor.Index = i
	}
}

// Update lists the rows again, after a change of what Arrange depends on. The cursor stays on its row, or else in its
// place.
func (l *List[R]) Update() {
	selected, ok := l.Selected()
	l.rows = l.loaded.Rows
	if l.Rows != nil {
		l.rows, l.isLoaded = l.Rows(), true
	}
	if l.Arrange != nil {
		l.rows = l.Arrange(l.rows)
	}
	l.cursor.Move(0, len(l.rows))
	if ok {
		l.Select(l.ID(selected))
	}
}

// IsFirstPage reports whether the rows are those of the first page.
func (l *List[R]) IsFirstPage() bool { return len(l.pages) == 0 }

// Refresh implements Screen.
func (l *List[R]) Refresh() tea.Cmd {
	if !l.IsLive {
		return nil
	}
	l.Update()
	if l.OnChange == nil {
		return nil
	}
	return l.OnChange()
}

// updateLive lists rows again that may have changed.
func (l *List[R]) updateLive() {
	if l.Rows != nil {
		l.Update()
	}
}

// Reload implements Reloader: it reads the rows again. The page stays.
func (l *List[R]) Reload() tea.Cmd { return l.read(l.Of, l.pages, -1) }

// Switch lists the rows of another value of Of, once they have been loaded.
func (l *List[R]) Switch(of string) tea.Cmd { return l.read(of, nil, 0) }

// read loads the rows after the last one of pages and then lists them, with the cursor in row at, for -1 on the selected
// one. After a limit was reached, what is shown stays; other errors are shown instead of rows.
func (l *List[R]) read(of string, pages []R, at int) tea.Cmd {
	show := func(p Page[R]) {
		isFirst := !l.isLoaded
		l.Of, l.pages, l.loaded, l.isLoaded = cmp.Or(p.Of, of), pages, p, true
		if at >= 0 {
			l.rows, l.cursor = nil, widget.ListCursor{}
		}
		l.Update()
		if isFirst && l.Start != nil {
			l.Select(l.Start)
		}
		if at > 0 {
			l.cursor.Move(at, len(l.rows))
		}
	}
	if l.Load == nil {
		show(Page[R]{})
		return nil
	}
	var after *R
	if n := len(pages); n > 0 {
		after = &pages[n-1]
	}
	l.loads++
	number := l.loads
	return Try(l.Shell, func(ctx context.Context) (Page[R], error) { return l.Load(ctx, of, after) }, func(p Page[R], err error) tea.Cmd {
		if number != l.loads {
			return nil
		}
		if err == nil {
			l.failure = ""
			show(p)
			if l.OnLoad != nil {
				return tea.Batch(l.OnLoad(), l.onSelect())
			}
			return l.onSelect()
		}
		if code, _ := lobby.PublicError(err); code == errcode.RateLimited && l.isLoaded {
			l.Shell.NotifyFailure(err)
			return l.Shell.Refresh()
		}
		l.failure = l.Shell.Config.Explain(err)
		if l.IsLive { // there may be rows, and they stay
			l.Shell.NotifyFailure(err)
		}
		show(Page[R]{})
		return l.Shell.Refresh()
	})
}

// move moves the cursor by a key of CursorNames, and beyond the first or last row to the page before or after.
func (l *List[R]) move(name string) tea.Cmd {
	n := len(l.rows)
	switch name {
	case "down", "j", "pgdown":
		if l.loaded.HasMore && n > 0 && l.cursor.Index == n-1 {
			return l.read(l.Of, append(slices.Clip(l.pages), l.loaded.Rows[len(l.loaded.Rows)-1]), 0)
		}
	case "up", "k", "pgup":
		if before := len(l.pages) - 1; before >= 0 && n > 0 && l.cursor.Index == 0 {
			return l.read(l.Of, l.pages[:before], math.MaxInt)
		}
	}
	l.cursor.Key(name, n)
	return nil
}

// nextTab shows another tab; tabs follow each other in a circle.
func (l *List[R]) nextTab(by int) tea.Cmd {
	tabs := l.Tabs()
	at := slices.IndexFunc(tabs, func(t Tab) bool { return t.Of == l.Of })
	return l.Switch(tabs[(at+by+len(tabs))%len(tabs)].Of)
}

// has reports whether there is an action for the user now.
func (l *List[R]) has(a RowAction[R]) bool {
	if a.When != nil && !a.When() {
		return false
	}
	if a.Operation == "" {
		return true
	}
	o := l.Shell.Visit.Operations.Named(a.Operation)
	return o != nil && l.Shell.Visit.May(o.Info()) == nil
}

// works reports whether an action can be done now.
func (l *List[R]) works(a RowAction[R]) bool {
	switch {
	case !l.has(a):
		return false
	case a.Do == nil:
		return true
	}
	r, ok := l.Selected()
	return ok && (a.For == nil || a.For(r))
}

// do does an action that works.
func (l *List[R]) do(a RowAction[R]) tea.Cmd {
	if a.Do == nil {
		return a.DoAny()
	}
	r, _ := l.Selected()
	question := ""
	if a.Ask != nil {
		question = a.Ask(r)
	}
	if question == "" {
		return a.Do(r)
	}
	return l.Shell.Ask(YesNo(question, a.Label, "cancel", func() tea.Cmd { return a.Do(r) }))
}

// Change runs an operation for an action of a list, shows text as a notice and reads the rows again.
func Change[R, A, Result any](l *List[R], o *op.Op[A, Result], in A, text string) tea.Cmd {
	return Run(l.Shell, o, in, func(Result) tea.Cmd {
		l.Shell.Notify("%s", text)
		return l.Reload()
	})
}

func (l *List[R]) back() tea.Cmd {
	switch {
	case l.Back != nil:
		return l.Back()
	case l.isOver:
		l.Shell.CloseOverlay()
		return nil
	}
	return l.Shell.Back()
}

func (l *List[R]) backLabel() string {
	if l.isOver {
		return "back"
	}
	return l.Shell.BackLabel()
}

// Handle implements Screen.
func (l *List[R]) Handle(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok && click.Button == tea.MouseLeft {
		for _, tab := range l.tabs {
			if image.Pt(click.X, click.Y).In(tab.area) {
				return l.Switch(tab.of)
			}
		}
	}
	l.updateLive()
	return tea.Batch(l.bindings.HandleLast(l, l.cursor.Input(msg, len(l.rows))), l.onSelect())
}

// onSelect calls OnSelect if another row is selected than the last time.
func (l *List[R]) onSelect() tea.Cmd {
	r, ok := l.Selected()
	if l.OnSelect == nil || !ok || l.Shell.Width < minPaned {
		return nil
	}
	if id := l.ID(r); id != l.selected {
		l.selected = id
		return l.OnSelect(r)
	}
	return nil
}

// Traits implements Screen.
func (l *List[R]) Traits() Traits {
	t := Traits{Name: l.Name, ShowsLists: l.IsLive}
	for _, a := range l.Actions {
		if a.Operation != "" && l.works(a) {
			if t.Operates == nil {
				t.Operates = make(map[string]string)
			}
			t.Operates[a.Operation] = firstKey(a.Key)
		}
	}
	return t
}

// firstKey returns the first of the keys of a binding; "": it has none.
func firstKey(k key.Binding) string {
	if all := k.Keys(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Operate implements Operator: without words an operation is the action for the selected row.
func (l *List[R]) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	i := slices.IndexFunc(l.Actions, func(a RowAction[R]) bool { return a.Operation == name && l.works(a) })
	if args != "" || i < 0 {
		return nil, false
	}
	return l.do(l.Actions[i]), true
}

// Commands implements Commander: the actions that are no operations.
func (l *List[R]) Commands() (all []Command) {
	for i, a := range l.Actions {
		if a.Operation == "" && a.Label != "" && l.works(a) && !l.bindings[i].isAbsent(l) {
			all = append(all, Command{Name: a.Label, Help: cmp.Or(a.Key.Help().Desc, a.Label), Key: firstKey(a.Key), Do: func() tea.Cmd { return l.do(a) }})
		}
	}
	return all
}

// StatusLine implements Screen.
func (l *List[R]) StatusLine() (string, paint.Style) {
	text := ""
	switch {
	case len(l.rows) == 0:
	case l.loaded.HasMore && l.cursor.Index == len(l.rows)-1:
		text = "↓: next page. "
	case len(l.pages) > 0 && l.cursor.Index == 0:
		text = "↑: previous page. "
	}
	if l.Status != nil {
		text += l.Status(l.Shell.Width - 2 - paint.Width(text))
	}
	return text, l.Shell.Style.Theme.Dim
}

// StatusKeys implements Screen.
func (l *List[R]) StatusKeys() []game.Key {
	l.updateLive()
	return l.bindings.Status(l)
}

// Help implements Screen.
func (l *List[R]) Help() Help {
	return Help{Title: cmp.Or(l.HelpTitle, l.Title), About: l.About, Keys: l.bindings.Help(l)}
}

// right returns the text at the right of the header.
func (l *List[R]) right() string {
	text := ""
	if l.Right != nil {
		text = l.Right()
	}
	if len(l.pages) == 0 && !l.loaded.HasMore {
		return text
	}
	if text != "" {
		text += ", "
	}
	return fmt.Sprintf("%spage %d", text, len(l.pages)+1)
}
