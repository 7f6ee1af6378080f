// Package palette is the panel that finds every operation which works on the visible screen by a few letters, asks for its
// arguments in the same line, and runs it. It also shows the lists that operations return.
package palette

import (
	"context"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// Memory is what a session keeps between two palettes. The zero value is ready for use.
type Memory struct {
	used []string // names of operations, the last one first
}

// maxUsed is the number of operations that a session remembers.
const maxUsed = 8

// use remembers that an operation was run.
func (m *Memory) use(name string) {
	m.used = slices.DeleteFunc(m.used, func(n string) bool { return n == name })
	m.used = append([]string{name}, m.used[:min(len(m.used), maxUsed-1)]...)
}

// maxLine is the maximum number of characters of the line.
const maxLine = 500

// palette is the panel in which a command is found and its arguments are typed.
type palette struct {
	sh     *screen.Shell
	memory *Memory
	all    []command // those that work here
	line   widget.TextField

	found       []command       // for the line, while it names no command
	chosen      *command        // whose arguments are typed; nil: none
	suggestions []op.Suggestion // for the word that is being typed
	isSelecting bool            // one of suggestions is selected
	list        widget.ListCursor
	failure     string // why the line was refused; cleared by the next key
	isRunning   bool
	area        image.Rectangle // where it was drawn
	rows        image.Rectangle // of the list
}

// Open opens the palette for the visible screen.
func Open(sh *screen.Shell, m *Memory) tea.Cmd {
	p := &palette{sh: sh, memory: m, line: widget.TextField{Limit: maxLine}}
	traits := sh.Visible().Traits()
	shown := sh.Current().Traits().Shown
	for _, o := range sh.Visit.Operations.All() {
		i := o.Info()
		key, isDoneHere := traits.Operates[i.Name]
		if offers(o) && sh.Visit.May(i) == nil && (allows(sh, i.Where) || isDoneHere || i.Name == "unwatch" && traits.Name != "lobby") {
			c := newCommand(o, traits.Name)
			if isDoneHere {
				c.isDoneHere, c.key = true, screen.ShownKey(key)
			}
			c.isUnavailable = shown != nil && shown.Player != nil && i.IsOfUse != nil && !i.IsOfUse(shown)
			p.all = append(p.all, c)
		}
	}
	if !slices.ContainsFunc(p.all, func(c command) bool { return c.Info().Group == op.GroupClub && c.Info().Permission != "" }) {
		p.all = slices.DeleteFunc(p.all, func(c command) bool { return c.Info().Group == op.GroupClub }) // their help
	}
	if v, ok := sh.Visible().(screen.Commander); ok {
		for _, c := range v.Commands() {
			if isOther := func(o command) bool {
				return o.name == c.Name || c.Key != "" && slices.Contains(o.Info().On.Screen.Names, traits.Name+" "+c.Key)
			}; !slices.ContainsFunc(p.all, isOther) {
				p.all = append(p.all, newScreenCommand(c))
			}
		}
	}
	addWordsOf(p.all, sh.Visible().StatusKeys(), sh.Visible().Help().Keys)
	slices.SortStableFunc(p.all, func(a, b command) int { return a.rank() - b.rank() })
	p.update()
	sh.OpenPanel(p)
	return nil
}

// rank orders what has a key on the screen, or is about a selected row, before what the screen or the match has besides, and the
// others after
// them. What could do nothing now is last.
func (c command) rank() int {
	isAnywhere := c.do == nil && c.Info().Where == op.Anywhere
	switch {
	case c.isUnavailable:
		return 3
	case c.isDoneHere, c.key != "" && !isAnywhere:
		return 0
	case c.key != "", !isAnywhere:
		return 1
	}
	return 2
}

// allows reports whether operations of a place work on the current screen.
func allows(sh *screen.Shell, w op.Where) bool {
	m := sh.Current().Traits().Shown
	switch w {
	case op.OnBoard:
		return m != nil
	case op.InMatch:
		return m != nil && !m.IsArchived()
	case op.AtSeat:
		return m != nil && m.Player != nil
	}
	return true
}

// update applies a change of the line.
func (p *palette) update() {
	p.list = widget.ListCursor{}
	p.failure, p.isSelecting, p.chosen, p.suggestions, p.found = "", false, nil, nil, nil
	c, rest, ok := named(p.all, p.line.Text())
	if !ok || !c.takesWords() {
		p.found = find(p.all, p.line.Text(), p.memory.used)
		if strings.TrimSpace(p.line.Text()) == "" {
			p.passSeatActions()
		}
		return
	}
	p.chosen = &c
	typed, prefix := splitLast(rest)
	inMatch(p.sh, func() { p.suggestions = p.sh.Visit.Suggest(c.Info(), typed, prefix) })
}

// passSeatActions moves the first command to the top that does nothing at the user's seat, so that Enter alone offers and ends
// nothing.
func (p *palette) passSeatActions() {
	if at := slices.IndexFunc(p.found, func(c command) bool { return !c.actsAtSeat() }); at > 0 {
		c := p.found[at]
		p.found = slices.Insert(slices.Delete(p.found, at, at+1), 0, c)
	}
}

// splitLast splits a text into its words and the one that is being typed, which is "" after a space.
func splitLast(text string) (typed []string, last string) {
	typed = strings.Fields(text)
	if n := len(typed); n > 0 && !strings.HasSuffix(text, " ") {
		return typed[:n-1], typed[n-1]
	}
	return typed, ""
}

// inMatch calls f with the match of the current screen as that of the visit, and the position that is shown.
func inMatch(sh *screen.Shell, f func()) {
	traits := sh.Current().Traits()
	sh.Visit.Current, sh.Visit.Here = traits.Shown, traits.Here
	defer func() { sh.Visit.Current, sh.Visit.Here = nil, nil }()
	f()
}

// count returns the number of rows of the list.
func (p *palette) count() int {
	if p.chosen != nil {
		return len(p.suggestions)
	}
	return len(p.found)
}

// Handle implements screen.Panel.
func (p *palette) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		return p.click(msg)
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			p.move(-1)
		} else {
			p.move(1)
		}
		return nil
	case tea.KeyPressMsg:
		if msg.String() == "esc" {
			p.back()
			return nil
		}
		if p.isRunning {
			return nil
		}
		return p.key(msg)
	case tea.PasteMsg:
		if !p.isRunning && p.line.Handle(msg) {
			p.update()
		}
	}
	return nil
}

// key handles a key other than Esc.
func (p *palette) key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "up", "ctrl+p":
		p.move(-1)
	case "down", "ctrl+n":
		p.move(1)
	case "pgup":
		p.move(1 - max(p.rows.Dy(), 2))
	case "pgdown":
		p.move(max(p.rows.Dy(), 2) - 1)
	case "tab":
		p.complete(1)
	case "shift+tab":
		p.complete(-1)
	case "enter":
		return p.enter()
	case ":":
		if p.line.Len() > 0 {
			p.edit(msg)
		}
	default:
		p.edit(msg)
	}
	return nil
}

// edit gives a key to the line.
func (p *palette) edit(msg tea.KeyPressMsg) {
	before := p.line.Text()
	if p.line.Handle(msg); p.line.Text() != before {
		p.update()
	}
}

// back leaves the arguments, or else the palette.
func (p *palette) back() {
	if p.chosen == nil || p.isRunning {
		p.sh.ClosePanel()
		return
	}
	p.line.Clear()
	p.update()
}

// move moves the cursor. Of words none is selected at first.
func (p *palette) move(by int) {
	p.failure = ""
	if p.chosen != nil && !p.isSelecting {
		p.isSelecting = len(p.suggestions) > 0
		if by > 0 {
			by--
		}
	}
	p.list.Move(by, p.count())
}

// complete completes the line with the selected row; without a selected word with the letters that all words have in
// common, and then it goes from one to the next.
func (p *palette) complete(by int) {
	switch {
	case p.chosen == nil && p.list.Index < len(p.found):
		p.choose(p.found[p.list.Index])
	case p.chosen != nil && len(p.suggestions) == 1:
		p.take(p.suggestions[0].Word)
	case p.chosen != nil && p.isSelecting:
		p.list.Index = (p.list.Index + by + p.count()) % p.count()
	case p.chosen != nil && len(p.suggestions) > 0:
		_, prefix := splitLast(p.line.Text())
		if common := commonPrefix(p.suggestions); len(common) > len(prefix) {
			p.setLast(common)
			return
		}
		p.isSelecting = true
	}
}

// commonPrefix returns the letters with which all words begin.
func commonPrefix(all []op.Suggestion) string {
	common := all[0].Word
	for _, s := range all[1:] {
		for !strings.HasPrefix(s.Word, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

// choose begins the arguments of a command.
func (p *palette) choose(c command) {
	p.line.Set(c.name)
	if c.takesWords() {
		p.line.Set(c.name + " ")
	}
	p.update()
}

// setLast replaces the word that is being typed.
func (p *palette) setLast(word string) {
	text := p.line.Text()
	_, last := splitLast(text)
	p.line.Set(text[:len(text)-len(last)] + word)
	p.update()
}

// take replaces the word that is being typed by a whole one.
func (p *palette) take(word string) {
	if !strings.HasSuffix(word, "=") {
		word += " "
	}
	p.setLast(word)
}

// enter runs the command, or takes the selected word.
func (p *palette) enter() tea.Cmd {
	switch {
	case p.chosen == nil && len(p.found) == 0:
		p.failure = "No command here matches that. Esc closes the palette."
	case p.chosen == nil:
		c := p.found[p.list.Index]
		if c.needsWords() {
			p.choose(c)
			return nil
		}
		return p.run(c, "")
	case p.isSelecting:
		p.take(p.suggestions[p.list.Index].Word)
		return nil
	default:
		_, rest, _ := named(p.all, p.line.Text())
		if p.chosen.needsWords() && strings.TrimSpace(rest) == "" {
			p.failure = "Usage: " + p.chosen.name + " " + p.chosen.usage() + "."
			return nil
		}
		return p.run(*p.chosen, strings.TrimSpace(rest))
	}
	return nil
}

// click selects a row, or runs the one that is selected; beside the palette it closes it.
func (p *palette) click(msg tea.MouseClickMsg) tea.Cmd {
	at := image.Pt(msg.X, msg.Y)
	switch {
	case msg.Button != tea.MouseLeft:
	case !at.In(p.area):
		p.sh.ClosePanel()
	case at.In(p.rows) && !p.isRunning:
		again, ok := p.list.Click(msg.Y, p.count())
		again = again && (p.chosen == nil || p.isSelecting)
		p.isSelecting = ok && p.chosen != nil
		if again {
			return p.enter()
		}
	}
	return nil
}

// run runs a command with what was typed after its name.
func (p *palette) run(c command, args string) tea.Cmd {
	if c.do != nil {
		p.sh.ClosePanel()
		return c.do()
	}
	name := c.Info().Name
	if cmd, ok := act(p.sh, c.Info(), args); ok {
		p.memory.use(name)
		return cmd
	}
	call, question, err := parse(p.sh, c.Operation, c.name, args)
	if err != nil {
		p.fail(err)
		return nil
	}
	p.memory.use(name)
	if question != "" {
		return p.sh.Ask(screen.YesNo(question+" Are you sure?", "do it", "cancel", func() tea.Cmd {
			return start(p.sh, call, c.title(), p.sh.NotifyFailure)
		}))
	}
	p.isRunning = true
	return start(p.sh, call, c.title(), func(err error) {
		if p.sh.Panel() != screen.Panel(p) { // closed meanwhile
			p.sh.NotifyFailure(err)
			return
		}
		p.isRunning = false
		p.fail(err)
	})
}

// fail shows why the line was refused.
func (p *palette) fail(err error) {
	p.failure = words.Sentence(p.sh.Config.Explain(err))
}

// parse parses the words after the name of an operation. question is what a person has to confirm; "": nothing.
func parse(sh *screen.Shell, o op.Operation, name, args string) (call op.Call, question string, err error) {
	inMatch(sh, func() {
		if call, err = o.ParseWords(sh.Visit, name, strings.Fields(args)); err == nil {
			question, err = call.Confirmation(sh.Visit)
		}
	})
	return call, question, err
}

// start runs a call as a command and opens the match that it has started, or shows its result, or calls failed.
func start(sh *screen.Shell, call op.Call, title string, failed func(error)) tea.Cmd {
	return screen.Try(sh, func(ctx context.Context) (op.Result, error) {
		return call.Run(ctx, sh.Visit)
	}, func(r op.Result, failure error) tea.Cmd {
		if failure != nil {
			failed(failure)
			return sh.Refresh()
		}
		if _, isOpen := sh.Panel().(*palette); isOpen {
			sh.ClosePanel()
		}
		if r.Opens != "" {
			return sh.Open(dest.Match{ID: r.Opens, IsExpected: true})
		}
		cmd := sh.Refresh() // first, so that what the result says stays
		if r, ok := sh.Visible().(screen.Reloader); ok {
			cmd = tea.Batch(cmd, r.Reload())
		}
		var text op.Text
		inMatch(sh, func() { text = r.Text() })
		show(sh, title, text)
		return cmd
	})
}

// maxSentences is the number of characters of a result that is shown in the row of messages.
const maxSentences = 200

// show shows a result: sentences in the row of messages, a list or a long text in a panel.
func show(sh *screen.Shell, title string, text op.Text) {
	sentences := strings.TrimSpace(strings.Join(text.Lines, " "))
	switch {
	case text.Rows != nil && len(text.Rows.Rows) == 0 && sentences == "":
		sh.Notify("%s", text.Rows.Empty)
	case text.Rows != nil || text.Board != nil || len(text.Lines) > 2 || len(sentences) > maxSentences:
		openList(sh, title, text)
	case sentences != "":
		sh.Notify("%s", sentences)
	}
}

// StatusKeys implements screen.Panel.
func (p *palette) StatusKeys() []game.Key {
	keys := []game.Key{{Key: "Enter", Help: "run"}, {Key: "Tab", Help: "complete"}, {Key: "↑↓", Help: "select"}}
	if p.chosen != nil {
		if keys[2].Help = "choose"; p.isSelecting {
			keys[0].Help = "take"
		}
		return append(keys, game.Key{Key: "Esc", Help: "back"})
	}
	if p.list.Index < len(p.found) && p.found[p.list.Index].needsWords() {
		keys[0].Help = "arguments"
	}
	return append(keys, game.Key{Key: "Esc", Help: "close"})
}
