package match

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// conditionSet has the armed conditions of the user's seat, as they were read last.
type conditionSet struct {
	view  *view
	armed lobby.ArmedConditions
	wants int // 1 + the version of the match for which they were asked for; 0: they were not
}

// Keys of conditional moves.
const (
	keyArm        = "K"
	keyConditions = "C"
)

// hasConditions reports whether the user can have conditions here.
func (c *conditionSet) hasConditions() bool { return c.view.HasConditions() }

// match returns the match in the arguments of operations.
func (c *conditionSet) match() op.MatchID { return op.MatchID(c.view.Snapshot.Info.ID) }

// conditionKeys are the bindings of conditions, at the live position and in a variation.
var conditionKeys = screen.Part(func(v *view) *conditionSet { return &v.conditions }, screen.Bindings[*conditionSet]{
	{Key: screen.Keys(keyArm, keyArm, "in a correspondence game, while your opponent is to move: conditional moves. Play a move for your opponent, then your answer, and press K again: if your opponent plays that move, the server answers at once, and so on"),
		Rank: rankReview + 1, When: (*conditionSet).hasConditions, Listed: (*conditionSet).hasConditions, LabelOf: (*conditionSet).armLabel, Do: (*conditionSet).arm},
	{Key: screen.Keys(keyConditions, keyConditions, "list and delete your conditional moves"), Rank: rankReview + 4,
		When: (*conditionSet).hasConditions, Listed: (*conditionSet).hasConditions, LabelOf: func(c *conditionSet) string {
			if len(c.armed.All) == 0 {
				return ""
			}
			return "list"
		}, Do: (*conditionSet).open},
})

// canArm reports whether the variation that is shown can be armed.
func (c *conditionSet) canArm() bool {
	v := c.view
	return v.variation != nil && v.variation.base == len(v.turns.Entries) && v.CanArm(&v.variation.Variation)
}

// armLabel returns the label of the key that begins a variation for a conditional move, or adds the one that is shown.
func (c *conditionSet) armLabel() string {
	switch v := c.view; {
	case c.canArm():
		return "add"
	case v.variation == nil && !v.isReviewing && !v.IsOwnTurn():
		return "conditional"
	}
	return ""
}

// begin begins a variation at the newest position, for a conditional move.
func (c *conditionSet) begin() tea.Cmd {
	v := c.view
	v.step(len(v.turns.Entries))
	cmd := v.startVariation()
	if v.variation != nil {
		v.Shell.Notify("Play a move for your opponent, then your answer, and press %s.", keyArm)
	}
	return cmd
}

// refresh reads the conditions after the match has changed.
func (c *conditionSet) refresh() tea.Cmd {
	version := c.view.Snapshot.Version
	if !c.hasConditions() || c.wants == version+1 {
		return nil
	}
	c.wants = version + 1
	return c.read()
}

// read reads the conditions. Those that cannot be read now are read after the next change.
func (c *conditionSet) read() tea.Cmd {
	visit, in := c.view.Shell.Visit, op.ConditionsArgs{Match: c.match()}
	return screen.Try(c.view.Shell, func(ctx context.Context) (op.ConditionsResult, error) {
		return op.Conditions.Run(ctx, visit, in)
	}, func(armed op.ConditionsResult, failure error) tea.Cmd {
		if failure == nil {
			c.take(armed.ArmedConditions)
		}
		c.view.show()
		return nil
	})
}

// take shows conditions that were read, unless newer ones are shown.
func (c *conditionSet) take(a lobby.ArmedConditions) {
	if a.Version > c.armed.Version || a.Version == c.armed.Version && a.Revision >= c.armed.Revision {
		c.armed = a
	}
}

// arm adds the variation that is shown as a conditional move. Without a variation it begins one.
func (c *conditionSet) arm() tea.Cmd {
	v := c.view
	switch {
	case v.IsOwnTurn():
		v.Shell.NotifyError("it is your turn; conditional moves answer your opponent's next move")
		return nil
	case v.variation == nil:
		return c.begin()
	case !c.canArm() || match.Digest(v.variation.Positions[0]) != match.Digest(v.Snapshot.Position):
		v.Shell.NotifyError("from the newest position, play a move for your opponent, then your answer, and press %s", keyArm)
		return nil
	}
	version := v.Snapshot.Version
	in := op.ConditionArgs{Match: c.match(), Version: &version, Turns: slices.Clone(v.variation.Turns[:v.variation.Shown])}
	return screen.Run(v.Shell, op.Condition, in, func(armed op.ConditionsResult) tea.Cmd {
		c.take(armed.ArmedConditions)
		v.Shell.Notify("Added: %s.", words.Condition(armed.All[len(armed.All)-1], v.Game))
		v.show()
		return nil
	})
}

// lines describes the conditions for the panel.
func (c *conditionSet) lines() []styledText {
	v, t := c.view, c.view.Shell.Style.Theme
	n := len(c.armed.All)
	if !c.hasConditions() || v.IsOwnTurn() {
		return nil
	}
	var lines []styledText
	if n > 0 {
		lines = append(lines, styledText{fmt.Sprintf("%s. %s: list.", words.Plural(n, "conditional move"), keyConditions), t.Notice})
	}
	switch {
	case c.canArm():
		lines = append(lines, styledText{keyArm + ": add as a conditional move.", t.Dim})
	case v.variation != nil && v.variation.base == len(v.turns.Entries):
		lines = append(lines, styledText{keyArm + " adds your opponent's move and your answer as a conditional move.", t.Dim})
	case v.variation != nil || v.isReviewing || n > 0:
	default:
		lines = append(lines, styledText{keyArm + ": conditional moves.", t.Dim})
		if v.canGoOnVacation() {
			lines = append(lines, styledText{keyVacation + ": vacation.", t.Dim})
		}
	}
	return lines
}

// conditionList is the overlay that lists the armed conditions.
type conditionList struct {
	screen.Base
	set  *conditionSet
	list widget.ListCursor
}

// open opens the list, with the conditions as they are now.
func (c *conditionSet) open() tea.Cmd {
	c.view.Shell.OpenOverlay(&conditionList{Base: screen.Base{Shell: c.view.Shell}, set: c})
	return c.read()
}

var conditionListKeys = screen.Bindings[*conditionList]{
	{Key: screen.Keys("x delete", "x", ""), LabelOf: func(l *conditionList) string {
		if len(l.set.armed.All) == 0 {
			return ""
		}
		return "delete"
	}, Do: (*conditionList).remove},
	{Key: screen.Keys("q esc C", "q", ""), Label: "back", Do: func(l *conditionList) tea.Cmd { l.Shell.CloseOverlay(); return nil }},
	screen.CursorKeys(func(l *conditionList) (*widget.ListCursor, int) { return &l.list, len(l.set.armed.All) }),
}

// Handle implements screen.Screen.
func (l *conditionList) Handle(msg tea.Msg) tea.Cmd { return conditionListKeys.HandleKey(l, msg) }

// remove deletes the selected condition.
func (l *conditionList) remove() tea.Cmd {
	c := l.set
	if l.list.Index >= len(c.armed.All) {
		return nil
	}
	version, revision, n := c.armed.Version, c.armed.Revision, l.list.Index
	in := op.ConditionArgs{Match: c.match(), Version: &version, Remove: &n, Revision: &revision}
	text := words.Condition(c.armed.All[n], c.view.Game)
	return screen.Try(l.Shell, func(ctx context.Context) (op.ConditionsResult, error) {
		armed, err := op.Condition.Run(ctx, l.Shell.Visit, in)
		if err != nil {
			armed, _ = op.Conditions.Run(ctx, l.Shell.Visit, op.ConditionsArgs{Match: in.Match}) // as they are now
		}
		return armed, err
	}, func(armed op.ConditionsResult, failure error) tea.Cmd {
		if c.take(armed.ArmedConditions); failure != nil {
			l.Shell.NotifyFailure(failure)
		} else {
			l.Shell.Notify("Deleted: %s.", text)
		}
		l.list.Index = max(min(l.list.Index, len(c.armed.All)-1), 0)
		return nil
	})
}

// Draw implements screen.Screen.
func (l *conditionList) Draw(c paint.Canvas) {
	t := l.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Your conditional moves", "", "")
	y := 2
	for _, text := range widget.Wrap("If your opponent plays one of these moves, the server answers at once and charges you no time; what follows stays in the list. Any other move clears the list. Only you see it.", w-6) {
		c.Text(3, y, t.Dim, text)
		y++
	}
	y++
	all := l.set.armed.All
	if len(all) == 0 {
		for i, text := range widget.Wrap("You have no conditional moves. Press K in the game, play a move for your opponent, then your answer, and press K again.", w-6) {
			c.Text(3, y+i, t.Text, text)
		}
		return
	}
	from, to := l.list.Window(y, h-y, len(all))
	for i := from; i < to; i++ {
		row := c.Sub(0, y+i-from, w, 1)
		style, _ := l.list.RowStyles(row, t, i, 1)
		row.Text(3, 0, style, paint.Cut(words.Condition(all[i], l.set.view.Game), w-4))
	}
}

// StatusKeys implements screen.Screen.
func (l *conditionList) StatusKeys() []game.Key { return conditionListKeys.Status(l) }

// Help implements screen.Screen.
func (l *conditionList) Help() screen.Help { return screen.Help{} }
