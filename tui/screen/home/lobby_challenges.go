package home

import (
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/op"
	"ayumu/tui/screen/lists"
	"ayumu/tui/words"
)

// challenges are the challenges to the user.
type challenges struct {
	open       []*table.View
	answerFrom time.Time // until then no key answers a challenge
}

// isChallenge reports whether a table, which may be nil, is a challenge to a user.
func isChallenge(t *table.View, me account.Account) bool {
	return t != nil && t.To != "" && t.To == me.Name
}

// update applies the rows, selects a challenge that was not among them before and reports whether there is one. For op.OfferGuard no key
// answers it, since it may have been meant for another row.
func (c *challenges) update(cursor *cursor, me account.Account, now time.Time) (isNew bool) {
	before := c.open
	c.open = nil
	for _, r := range cursor.rows.Rows {
		if !isChallenge(r.Table, me) {
			continue
		}
		c.open = append(c.open, r.Table)
		if !slices.ContainsFunc(before, func(t *table.View) bool { return t.ID == r.Table.ID }) {
			cursor.rows.Select(r.Key)
			cursor.usersFocused, c.answerFrom = false, now.Add(op.OfferGuard)
			isNew = true
		}
	}
	return isNew
}

// isTooEarly reports whether a table is a challenge that was shown too recently for a key to answer it.
func (c *challenges) isTooEarly(t *table.View, me account.Account) bool {
	return isChallenge(t, me) && time.Now().Before(c.answerFrom)
}

// text describes the selected row's challenge to the user, or else the first one; "" if there is none.
func (c *challenges) text(selected lists.Row, me account.Account) string {
	if len(c.open) == 0 {
		return ""
	}
	t, answer := c.open[0], "Select it to answer."
	if isChallenge(selected.Table, me) {
		t, answer = selected.Table, "Enter: accept, x: decline."
	}
	return t.Owner + " challenges you: " + match.Title(t.Options) + ", " + words.Terms(t.Control, t.Rated) + ". " + answer
}
