package screen

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/widget"
)

// Binding declares one key of a screen of type S, or several keys with the same purpose: what it does, and
// how the status bar and the help page name it.
type Binding[S any] struct {
	// Key has the names of the keys and their help, as Keys returns it; as NoKey does for what only the palette does.
	// The upper case of a letter means the same as the letter.
	Key key.Binding
	// Command is the name of a binding without a key in the palette, or Operation that of the operation that it is, which
	// the palette offers then. A label in the status bar stands beside the key of the palette.
	Command, Operation string
	// When reports whether the binding works now; nil: always. Otherwise a later binding of the same key
	// may.
	When func(S) bool
	// Do handles the key. DoKey handles it instead if it is set, and receives the key's name, for bindings
	// of several keys.
	Do    func(S) tea.Cmd
	DoKey func(S, string) tea.Cmd

	// Short is how the status bar shows the key; "": as the help page does.
	Short string
	// Label is the word or two for the status bar; "": the key is not in it. LabelOf, if set, returns the
	// label for the current state instead; it is called only while the binding works.
	Label   string
	LabelOf func(S) string
	// Rank orders the status bar, lowest first; keys of the same rank are in the order of the table. The
	// key of the highest rank is always visible.
	Rank int
	// More, if set, returns further keys for this place of the status bar, such as those of a board.
	More func(S) []game.Key

	// Listed reports whether the help page lists the key, if it has help; nil: always.
	Listed func(S) bool
}

// Bindings are the keys of a screen of type S, in the order of its help page. One table serves all screens
// of a type and must not change. A binding with a key of op.On.Screen is absent where its operations are.
type Bindings[S any] []Binding[S]

// Keys returns a key binding: the keys' names as Bubble Tea has them, separated by spaces; how screens show
// the key ("← →"); and its description on the help page, "" if it is not listed there.
func Keys(names, shown, help string) key.Binding {
	return key.NewBinding(key.WithKeys(strings.Fields(names)...), key.WithHelp(shown, help))
}

// NoKey returns the help of a binding that has no key.
func NoKey(help string) key.Binding { return Keys("", "", help) }

// hasKey reports whether a binding has a key of its own.
func (e *Binding[S]) hasKey() bool { return len(e.Key.Keys()) > 0 }

// isOfPalette reports whether the palette does what a binding does.
func (e *Binding[S]) isOfPalette() bool { return e.Command != "" || e.Operation != "" }

// isAbsent reports whether a binding is that of operations which the user of a screen does not have.
func (e *Binding[S]) isAbsent(s S) bool {
	on, ok := any(s).(interface {
		based
		Traits() Traits
	})
	if !ok || on.shell() == nil {
		return false
	}
	operations := on.shell().Config.Operations
	if e.Operation != "" && operations != nil && operations.Named(e.Operation) == nil {
		return true
	}
	return e.hasKey() && operations.LacksKeys() && slices.ContainsFunc(e.Key.Keys(), func(key string) bool { return !operations.HasKey(on.Traits().Name, key) })
}

// find returns the first binding of a key that works now; nil: none.
func (b Bindings[S]) find(s S, name string) *Binding[S] {
	name = CommandKey(name)
	for i := range b {
		e := &b[i]
		if slices.Contains(e.Key.Keys(), name) && (e.Do != nil || e.DoKey != nil) && (e.When == nil || e.When(s)) && !e.isAbsent(s) {
			return e
		}
	}
	return nil
}

// Handle handles a key by its name and reports whether a binding of it works now.
func (b Bindings[S]) Handle(s S, name string) (cmd tea.Cmd, used bool) {
	switch e := b.find(s, name); {
	case e == nil:
		return nil, false
	case e.DoKey != nil:
		return e.DoKey(s, name), true
	default:
		return e.Do(s), true
	}
}

// HandleKey handles the press of a key. It ignores other messages and keys that no binding handles.
func (b Bindings[S]) HandleKey(s S, msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	return b.HandleLast(s, key.String())
}

// HandleLast handles a key that nothing else gets after these bindings: one without a binding does nothing.
func (b Bindings[S]) HandleLast(s S, name string) tea.Cmd {
	cmd, used := b.Handle(s, name)
	if on, ok := any(s).(based); ok && !used && on.shell() != nil {
		on.shell().Ignore()
	}
	return cmd
}

// shortArrows returns a key as the status bar shows it. It allocates only for arrows.
func shortArrows(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "↑ ↓", "↑↓"), "← →", "←→")
}

// Status returns the keys for the status bar. A key that two bindings name appears once, with the first, and that
// of the palette with the one of the lowest rank.
func (b Bindings[S]) Status(s S) []game.Key {
	type ranked struct {
		game.Key
		rank int
	}
	all := make([]ranked, 0, 12) // as many as a status bar has space for
	add := func(k game.Key, rank int) {
		switch at := slices.IndexFunc(all, func(o ranked) bool { return o.Key.Key == k.Key }); {
		case at < 0:
			all = append(all, ranked{k, rank})
		case k.Key == paletteKey && rank < all[at].rank: // it stands for all that have no key
			all[at] = ranked{k, rank}
		}
	}
	for i := range b {
		e := &b[i]
		if inStatus := e.Label != "" || e.LabelOf != nil || e.More != nil; !inStatus || e.When != nil && !e.When(s) || e.isAbsent(s) {
			continue
		}
		label := e.Label
		if e.LabelOf != nil {
			label = e.LabelOf(s)
		}
		switch {
		case label == "":
		case e.isOfPalette():
			add(game.Key{Key: paletteKey, Help: label + " …"}, e.Rank)
		default:
			add(game.Key{Key: cmp.Or(e.Short, shortArrows(e.Key.Help().Key)), Help: label}, e.Rank)
		}
		if e.More != nil {
			for _, k := range e.More(s) {
				add(k, e.Rank)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y ranked) int { return cmp.Compare(x.rank, y.rank) })
	keys := make([]game.Key, len(all), len(all)+1) // and the palette
	for i, k := range all {
		keys[i] = k.Key
	}
	return keys
}

// Help returns the keys for the help page.
func (b Bindings[S]) Help(s S) []game.Key {
	var keys []game.Key
	for i := range b {
		e := &b[i]
		if h := e.Key.Help(); h.Desc != "" && (e.Listed == nil || e.Listed(s)) && !e.isAbsent(s) {
			shown := h.Key
			if e.isOfPalette() {
				shown = paletteKey + " " + cmp.Or(e.Command, strings.ReplaceAll(e.Operation, "_", " "))
			}
			keys = append(keys, game.Key{Key: shown, Help: h.Desc})
		}
	}
	return keys
}

// ofPalette yields the bindings without a key that work now.
func (b Bindings[S]) ofPalette(s S) iter.Seq[*Binding[S]] {
	return func(yield func(*Binding[S]) bool) {
		for i := range b {
			e := &b[i]
			if e.isOfPalette() && e.Do != nil && (e.When == nil || e.When(s)) && !e.isAbsent(s) && !yield(e) {
				return
			}
		}
	}
}

// Commands returns what the palette offers of the bindings besides operations.
func (b Bindings[S]) Commands(s S) (all []Command) {
	for e := range b.ofPalette(s) {
		if e.Operation == "" {
			all = append(all, Command{Name: e.Command, Help: e.Key.Help().Desc, Do: func() tea.Cmd { return e.Do(s) }})
		}
	}
	return all
}

// Operates returns the operations that the bindings do without words, for Traits.
func (b Bindings[S]) Operates(s S) map[string]string {
	all := make(map[string]string)
	for e := range b.ofPalette(s) {
		if e.Operation != "" {
			all[e.Operation] = ""
		}
	}
	return all
}

// Operate does an operation that one of the bindings is, if no words follow its name.
func (b Bindings[S]) Operate(s S, name, args string) (cmd tea.Cmd, ok bool) {
	if args != "" {
		return nil, false
	}
	for e := range b.ofPalette(s) {
		if e.Operation == name {
			return e.Do(s), true
		}
	}
	return nil, false
}

// IsLetter reports whether a key types a letter of the alphabet.
func IsLetter(key string) bool {
	return len(key) == 1 && (key[0] >= 'a' && key[0] <= 'z' || key[0] >= 'A' && key[0] <= 'Z')
}

// CommandKey returns the key by which bindings know a key: upper case means the same as lower case.
func CommandKey(key string) string {
	if IsLetter(key) {
		return strings.ToLower(key)
	}
	return key
}

// TakesLetter reports whether a key is a lower-case letter that only begins a typed turn on a board.
func TakesLetter(b game.Board, key string) bool {
	taker, ok := b.(game.LetterTaker)
	return ok && IsLetter(key) && key == strings.ToLower(key) && taker.TakesLetter(key)
}

// ShownKeys returns keys as they work on a board now: letters that begin a typed turn have their upper case.
func ShownKeys(b game.Board, keys []game.Key) []game.Key {
	for i, k := range keys {
		if TakesLetter(b, k.Key) {
			keys[i].Key = strings.ToUpper(k.Key)
		}
	}
	return keys
}

// ShownKey returns a key with a Bubble Tea name as screens show it: "Ctrl+T" for "ctrl+t".
func ShownKey(name string) string {
	if utf8.RuneCountInString(name) < 2 {
		return name
	}
	parts := strings.Split(name, "+")
	for i, p := range parts {
		parts[i] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "+")
}

// Part adapts the bindings of a part of a screen to the screen. part returns the part.
func Part[S, P any](part func(S) P, bindings Bindings[P]) Bindings[S] {
	adapted := make(Bindings[S], len(bindings))
	for i, e := range bindings {
		adapted[i] = Binding[S]{
			Key: e.Key, Command: e.Command, Operation: e.Operation, Short: e.Short, Label: e.Label, Rank: e.Rank,
			When: adapt(part, e.When), Do: adapt(part, e.Do), LabelOf: adapt(part, e.LabelOf), More: adapt(part, e.More), Listed: adapt(part, e.Listed),
		}
		if do := e.DoKey; do != nil {
			adapted[i].DoKey = func(s S, name string) tea.Cmd { return do(part(s), name) }
		}
	}
	return adapted
}

// adapt returns f for the part of a screen; nil for nil.
func adapt[S, P, R any](part func(S) P, f func(P) R) func(S) R {
	if f == nil {
		return nil
	}
	return func(s S) R { return f(part(s)) }
}

// LastRank is the highest rank. Of the keys that have it, the last one of the table is always visible.
const LastRank = 1000

// helpKey opens the help page on all screens, and paletteKey the palette where no text is typed. The status bar always
// shows them where they work.
const (
	helpKey    = "?"
	paletteKey = ":"
)

// HelpKey returns the binding that opens the help page, last in the status bar.
func HelpKey[S based]() Binding[S] {
	return Binding[S]{Key: Keys(helpKey, helpKey, ""), Label: "help", Rank: LastRank, Do: func(s S) tea.Cmd { return s.shell().OpenHelp() }}
}

// BackKey returns the binding that returns to the previous screen.
func BackKey[S based]() Binding[S] {
	return Binding[S]{Key: Keys("q esc", "q", "back"), Label: "back", Do: func(s S) tea.Cmd { return s.shell().Back() }}
}

// CursorNames are the names of the keys that move the cursor of a list.
const CursorNames = "up k down j pgup pgdown home end"

// QuitKey returns the binding that ends the session.
func QuitKey[S based]() Binding[S] {
	return Binding[S]{Key: Keys("q esc", "q", "quit Ayumu"), Label: "quit", Do: func(s S) tea.Cmd { return s.shell().Quit() }}
}

// ScrollKeys returns the binding that scrolls a text. scroll returns its position.
func ScrollKeys[S any](scroll func(S) *widget.Scroll) Binding[S] {
	return Binding[S]{
		Key: Keys("up k down j pgup pgdown space home end", "↑↓ Space", ""),
		LabelOf: func(s S) string {
			if !scroll(s).CanMove() {
				return ""
			}
			return "scroll"
		},
		DoKey: func(s S, name string) tea.Cmd {
			scroll(s).Key(name)
			return nil
		},
	}
}
