package match

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
)

// Ranks order the status bar of the screens of a match.
const (
	rankAnswer = 10 + iota*10 // answers to offers and absence
	rankReview                // earlier positions
	rankNext                  // other matches
	rankLive                  // the board of a running match
	rankHint
	rankTurn
	rankChat
	rankEnd    // ends the match or takes a turn back
	rankReplay // the board of a replay
)

// keyTable is the bindings of a screen of a match. The board gets a key after early and before late.
type keyTable[S any] struct{ early, late, all screen.Bindings[S] }

func newKeyTable[S any](early, late screen.Bindings[S]) keyTable[S] {
	return keyTable[S]{early, late, slices.Concat(early, late)}
}

// viewKeys are the bindings that the screens share.
var viewKeys = screen.Bindings[*view]{
	{Key: screen.Keys("[ , pgup", "[ ] PgUp PgDn", "review the game turn by turn; where you only watch, after the end and while reviewing also with ← →"), Do: func(v *view) tea.Cmd { return v.step(-1) }},
	{Key: screen.Keys("] . pgdown", "", ""), Do: func(v *view) tea.Cmd { return v.step(1) }},
	{Key: screen.Keys("home", "Home End", "go to the start; return to the live position"), Do: func(v *view) tea.Cmd { return v.step(-len(v.turns.Entries)) }},
	{Key: screen.Keys("end", "End", ""), Rank: rankReview + 1, LabelOf: func(v *view) string {
		if v.IsArchived() {
			return ""
		}
		return whileReviewing("live")(v)
	}, Do: func(v *view) tea.Cmd { return v.step(len(v.turns.Entries)) }},
	{Key: screen.Keys("", "↑ ↓", "show a cursor, which tells what is on a point, and move it; a click does too, and Esc hides it"), Listed: (*view).isWatching},
	{Key: screen.Keys("#", "#", "go to a turn by its number"), Rank: rankTurn, LabelOf: inReplay("turn"), Do: (*view).askTurn},
	{Key: screen.Keys("enter", "Enter", "when the game is over: its analysis by the engine, with the costliest moves"), Rank: rankHint + 1,
		When: (*view).canAnalyze, Listed: (*view).canAnalyze, Label: "analysis", Do: (*view).analyze},
	{Key: screen.Keys("tab", "Tab", "while reviewing, or after the end: try moves of both sides from this position; only you see them, Esc returns to the game"), Rank: rankReview + 2,
		When: (*view).triesWithTab, LabelOf: whileReviewing("try moves"), Do: (*view).startVariation},
	{Key: screen.Keys("space", "Space", "in a replay: autoplay, at the speed in the settings; any key stops it"), Rank: rankReview + 1,
		When: (*view).IsArchived, Listed: (*view).IsArchived, LabelOf: func(v *view) string {
			if v.playback.isRunning() {
				return "stop"
			}
			return "autoplay"
		}, Do: func(v *view) tea.Cmd { return v.playback.toggle(time.Now()) }},
	// The arrows step where they do not move a cursor.
	{Key: screen.Keys("left", "← →", ""), Rank: rankReview, When: (*view).stepsWithArrows, LabelOf: whileReviewing("step"), Do: func(v *view) tea.Cmd { return v.step(-1) }},
	{Key: screen.Keys("right", "← →", ""), Rank: rankReview + 3, When: (*view).stepsWithArrows, LabelOf: func(v *view) string {
		if v.Snapshot.IsOver() {
			return "step"
		}
		return "review"
	}, Do: func(v *view) tea.Cmd { return v.step(1) }},
	{Key: screen.Keys("i", "i", "the profile of a player"), Rank: rankReplay + 1, LabelOf: inReplay("player"),
		When: func(v *view) bool { return !v.isOfRecord() }, Listed: func(v *view) bool { return !v.isOfRecord() },
		Do: func(v *view) tea.Cmd { return player.AskProfile(v.Shell, v.Snapshot.Info) }},
	{Key: screen.Keys(">", ">", "go to the next game in which it is your turn"), Rank: rankNext, LabelOf: (*view).nextMatchLabel,
		Do: func(v *view) tea.Cmd { return v.Shell.Open(dest.NextWaiting{}) }},
	{Key: screen.Keys("o", "o", "settings"), Do: func(v *view) tea.Cmd { return v.Shell.Open(dest.Settings{}) }},
}

// triesWithTab reports whether Tab begins a variation: it moves no cursor between pieces there.
func (v *view) triesWithTab() bool { return v.variation == nil && v.stepsWithArrows() }

// hintKeys are the bindings of hints.
var hintKeys = screen.Part(func(v *view) *hints { return &v.hints }, screen.Bindings[*hints]{
	{Key: screen.Keys(keyHint, keyHint, "ask the engine who is ahead; it lists the best moves with their chances, one of them (›) marked on the board. Again: mark the next one, and after the last one hide them. Only in finished games and your own casual games against bots"),
		Rank: rankHint, When: (*hints).canAsk, Listed: (*hints).canAsk, Do: (*hints).next, LabelOf: func(h *hints) string {
			switch {
			case h.hasNext():
				return "next hint"
			case h.isShown():
				return "hide"
			}
			if _, over := h.view.position().Result(); over {
				return "" // nobody moves here
			}
			return "hint"
		}},
})

// endKeys follow those of the screen.
var endKeys = screen.Bindings[*view]{
	{Key: screen.Keys("&", "&", "when the game is over: copy the command that replays it, to pass on; : share shows and copies it with the last position"),
		Rank: rankEnd, When: (*view).canShare, Listed: (*view).canShare, Label: "copy", Do: (*view).copyCommand},
	{Key: screen.Keys("t", "t", "chat"), Rank: rankChat, Listed: (*view).hasChat, LabelOf: func(v *view) string {
		if v.IsArchived() {
			return ""
		}
		return "chat"
	}, Do: func(v *view) tea.Cmd { return v.viewer.chat() }},
	paletteHelp[*view](),
	screen.HelpKey[*view](),
}

// paletteHelp returns the row of the help page about commands without a key.
func paletteHelp[S any]() screen.Binding[S] {
	return screen.Binding[S]{Key: screen.Keys("", ":", "find every command, also those without a key, such as resign, abort, legend, and what the board offers")}
}

// hasChat reports whether the screen has a chat: a replay has none.
func (v *view) hasChat() bool { return !v.IsArchived() }

// lateKeys are the keys that the board gets first.
var lateKeys = screen.Bindings[*view]{
	{Key: screen.Keys("q", "q", "go to the lobby"), Rank: rankChat + 1, LabelOf: func(v *view) string { return v.Shell.BackLabel() },
		Do: func(v *view) tea.Cmd { return v.Shell.Back() }},
	{Key: screen.Keys("ctrl+l", "Ctrl+L", "redraw the screen")}, // of the session
}

// canAnalyze reports whether the match can be analyzed.
func (v *view) canAnalyze() bool { return v.Shell.Visit.CanAnalyze(v.Snapshot) }

// analyze opens the analysis of the match.
func (v *view) analyze() tea.Cmd {
	return v.Shell.Open(dest.Analysis{ID: v.Snapshot.Info.ID, Snapshot: v.Snapshot})
}

// mainBoardKeys is how many keys of the board come before those of the match in the status bar.
const mainBoardKeys = 4

// boardKeys puts the keys of the board into the status bar: the first ones of a running match at a rank, the others
// behind those of the match, so that they do not displace the hint or the analysis.
func boardKeys(rank int) screen.Bindings[*view] {
	split := func(v *view) (first, rest []game.Key) {
		all := v.board.StatusKeys()
		n := min(mainBoardKeys, len(all))
		if v.Snapshot.IsOver() {
			n = 0
		}
		return all[:n], all[n:]
	}
	return screen.Bindings[*view]{
		{Rank: rank, More: func(v *view) []game.Key { first, _ := split(v); return first }},
		{Rank: max(rank, rankReplay), More: func(v *view) []game.Key { _, rest := split(v); return rest }},
	}
}

// variationKeys are the bindings while a variation is shown, on all screens.
var variationKeys = newKeyTable(slices.Concat(screen.Bindings[*view]{
	{Key: screen.Keys("[ , pgup", "[ ]", ""), Rank: rankReview, LabelOf: func(v *view) string {
		if len(v.variation.Turns) == 0 {
			return ""
		}
		return "step"
	}, Do: func(v *view) tea.Cmd { return v.step(-1) }},
	{Key: screen.Keys("] . pgdown", "", ""), Do: func(v *view) tea.Cmd { return v.step(1) }},
	{Key: screen.Keys("home", "", ""), Do: func(v *view) tea.Cmd { return v.step(-len(v.variation.Turns)) }},
	{Key: screen.Keys("end", "", ""), Do: func(v *view) tea.Cmd { return v.step(len(v.variation.Turns)) }},
	{Key: screen.Keys("q", "", ""), Do: (*view).endVariation},
	{Key: screen.Keys("t", "", ""), Do: func(v *view) tea.Cmd { return v.viewer.chat() }},
	screen.HelpKey[*view](),
}, boardKeys(rankReplay), hintKeys, conditionKeys), screen.Bindings[*view]{
	{Key: screen.Keys("esc", "Esc", ""), Label: "back to the game", Do: (*view).endVariation},
})

// isWatching reports whether the user makes no turns in the match: they are a spectator or replay it.
func (v *view) isWatching() bool { return v.Player == nil }

func (v *view) stepsWithArrows() bool { return v.isWatching() || v.Snapshot.IsOver() || v.isReviewing }

// whileReviewing returns a label for earlier positions and replays.
func whileReviewing(label string) func(*view) string {
	return func(v *view) string {
		if !v.isReviewing && !v.IsArchived() {
			return ""
		}
		return label
	}
}

// inReplay returns a label for replays.
func inReplay(label string) func(*view) string {
	return func(v *view) string {
		if !v.IsArchived() {
			return ""
		}
		return label
	}
}

// nextMatchLabel returns the label of the key for the next match of a player.
func (v *view) nextMatchLabel() string {
	if v.Player == nil {
		return ""
	}
	n := len(v.Shell.Visit.Waiting(v.Snapshot.Info.ID))
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("next game (%d)", n)
}

// handle processes a message for a screen with a table of bindings.
func handle[S viewer](s S, v *view, keys *keyTable[S], msg tea.Msg) tea.Cmd {
	defer func() { v.playback.update(time.Now()) }()
	if _, isTick := msg.(screen.TickMsg); !isTick {
		v.lastBoard.isStale = true
	}
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseClickMsg, tea.MouseWheelMsg, tea.PasteMsg:
		v.playback.endWalk() // what is entered is for the position that it leads to
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if v.playback.isRunning() {
			v.playback.stop()
			return nil
		}
		if v.variation != nil {
			return handleKey(v, v, &variationKeys, msg.String())
		}
		return handleKey(s, v, keys, msg.String())
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		if x, y, ok := v.area.at(msg.X, msg.Y); ok {
			return v.handleResult(v.board.Click(x, y))
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return v.step(-1)
		}
		return v.step(1)
	case tea.PasteMsg:
		return v.pasteText(msg.Content)
	}
	return nil
}

// pasteText adds a text to the turn that is being typed, or begins one with a character that can do nothing else.
// Otherwise it does nothing: a pasted letter must not be a command.
func (v *view) pasteText(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if v.board.Typed() == "" && (text == "" || !strings.ContainsRune("0123456789-!@", rune(text[0])) && !v.takesLetter(strings.ToLower(text[:1]))) {
		return nil
	}
	if v.board.Typed() == "" {
		text = strings.ToLower(text[:1]) + text[1:]
	}
	var cmds []tea.Cmd
	for _, r := range text {
		key := string(r)
		if unicode.IsSpace(r) {
			key = "space"
		}
		if cmd, used := v.handleBoard(key); used {
			cmds = append(cmds, cmd)
		}
		if v.board.Typed() == "" {
			break
		}
	}
	return tea.Batch(cmds...)
}

// handleKey gives a key to the bindings and the board.
func handleKey[S any](s S, v *view, keys *keyTable[S], key string) tea.Cmd {
	if v.droppedTyping.drops(key, time.Now()) {
		return nil
	}
	// A turn that is being typed has priority for all keys it can use, and its letters are not commands.
	if v.board.Typed() != "" {
		if cmd, used := v.handleBoard(key); used {
			return cmd
		}
		if isCharacter(key) {
			v.Shell.NotifyError("your move: %s, which %s cannot continue. Enter: play it, Esc: clear it", v.board.Typed(), key)
			return nil
		}
	}
	if v.takesLetter(key) {
		cmd, _ := v.handleBoard(key)
		return cmd
	}
	key = screen.CommandKey(key)
	if cmd, used := keys.early.Handle(s, key); used {
		return cmd
	}
	if cmd, used := v.handleBoard(key); used {
		return cmd
	}
	return keys.late.HandleLast(s, key)
}

// takesLetter reports whether a key is a lower-case letter that only begins a typed turn on the board.
func (v *view) takesLetter(key string) bool { return screen.TakesLetter(v.board, key) }

// statusKeys returns the keys for the status bar.
func statusKeys[S any](s S, v *view, keys *keyTable[S]) []game.Key {
	if v.board.Typed() != "" {
		return v.board.StatusKeys() // all other letters are typed
	}
	if v.variation != nil {
		return screen.ShownKeys(v.board, variationKeys.all.Status(v))
	}
	return screen.ShownKeys(v.board, keys.all.Status(s))
}
