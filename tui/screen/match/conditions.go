package match

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// conditionSet has the armed conditions of the user's seat, as they were read last.
type conditionSet struct {
	view  *view
	armed lobby.ArmedConditions
	wants int // 1 + the version of the match for which they were asked for; 0: they were not
}

// The key and the command of conditional moves.
const (
	keyArm         = ";"
	listConditions = ": if"
)

// hasConditions reports whether the user can have conditions here.
func (c *conditionSet) hasConditions() bool { return c.view.HasConditions() }

// match returns the match in the arguments of operations.
func (c *conditionSet) match() op.MatchID { return op.MatchID(c.view.Snapshot.Info.ID) }

// conditionKeys are the bindings of conditions, at the live position and in a variation.
var conditionKeys = screen.Part(func(v *view) *conditionSet { return &v.conditions }, screen.Bindings[*conditionSet]{
	{Key: screen.Keys(keyArm, keyArm, "in a correspondence game, while your opponent is to move: conditional moves. Play a move for your opponent, then your answer, and press ; again: if your opponent plays that move, the server answers at once, and so on. The command if lists and deletes them"),
		Rank: rankReview + 1, When: (*conditionSet).hasConditions, Listed: (*conditionSet).hasConditions, LabelOf: (*conditionSet).armLabel, Do: (*conditionSet).arm},
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
		lines = append(lines, styledText{fmt.Sprintf("%s (%s).", words.Plural(n, "conditional move"), listConditions), t.Notice})
	}
	switch {
	case c.canArm():
		lines = append(lines, styledText{keyArm + ": add as a conditional move.", t.Dim})
	case v.variation != nil && v.variation.base == len(v.turns.Entries):
		lines = append(lines, styledText{keyArm + " adds your opponent's move and your answer as a conditional move.", t.Dim})
	case v.variation != nil || v.isReviewing || n > 0:
	default:
		lines = append(lines, styledText{keyArm + ": conditional moves.", t.Dim})
	}
	return lines
}

// listedCondition is a row of the list of armed conditions.
type listedCondition struct {
	number int // index into the armed ones
	text   string
}

// open opens the list, with the conditions as they are now.
func (c *conditionSet) open() tea.Cmd {
	l := &screen.List[listedCondition]{
		Title: "Your conditional moves",
		Note:  "If your opponent plays one of these moves, the server answers at once and charges you no time; what follows stays in the list. Any other move clears the list. Only you see it.",
		About: "Each row is a move of your opponent and your answer, which may have further ones.",
		Rows: func() (rows []listedCondition) {
			for i, armed := range c.armed.All {
				rows = append(rows, listedCondition{i, words.Condition(armed, c.view.Game)})
			}
			return rows
		},
		ID:      func(r listedCondition) any { return r.text },
		Columns: []screen.Column[listedCondition]{{Fills: true, Text: func(r listedCondition) string { return r.text }}},
		Empty: func() string {
			return "You have no conditional moves. Press ; in the game, play a move for your opponent, then your answer, and press ; again."
		},
		Actions: []screen.RowAction[listedCondition]{
			{Key: screen.Keys("x delete", "x", "delete the selected conditional move"), Label: "delete", Do: c.remove},
		},
	}
	return tea.Batch(l.Overlay(c.view.Shell), c.read())
}

// remove deletes a condition.
func (c *conditionSet) remove(r listedCondition) tea.Cmd {
	sh, version, revision := c.view.Shell, c.armed.Version, c.armed.Revision
	in := op.ConditionArgs{Match: c.match(), Version: &version, Remove: &r.number, Revision: &revision}
	return screen.Try(sh, func(ctx context.Context) (op.ConditionsResult, error) {
		armed, err := op.Condition.Run(ctx, sh.Visit, in)
		if err != nil {
			armed, _ = op.Conditions.Run(ctx, sh.Visit, op.ConditionsArgs{Match: in.Match}) // as they are now
		}
		return armed, err
	}, func(armed op.ConditionsResult, failure error) tea.Cmd {
		if c.take(armed.ArmedConditions); failure != nil {
			sh.NotifyFailure(failure)
		} else {
			sh.Notify("Deleted: %s.", r.text)
		}
		return nil
	})
}
