package lobbyscreen

import (
	"slices"
	"time"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/screen/lists"
	"ayumu/tui/words"
)

// selectNewChallenge selects a challenge to the user that was not listed before. For client.OfferGuard no key answers
// it, since it may have been meant for another row.
func (v *lobbyScreen) selectNewChallenge(now time.Time) {
	before := v.challenges
	v.challenges = nil
	if v.rowsShared {
		return
	}
	for _, r := range v.rows.Rows {
		if r.Table == nil || !v.isChallenged(r.Table) {
			continue
		}
		v.challenges = append(v.challenges, r.Table.ID)
		if !slices.Contains(before, r.Table.ID) {
			v.rows.Select(r.Key)
			v.usersFocused, v.answerFrom = false, now.Add(client.OfferGuard)
		}
	}
}

// isChallenged reports whether a table is a challenge to the user.
func (v *lobbyScreen) isChallenged(t *lobby.Table) bool { return t.To != "" && t.To == v.me().Name }

// isTooEarly reports whether a challenge was shown too recently for a key to answer it.
func (v *lobbyScreen) isTooEarly(t *lobby.Table) bool {
	return v.isChallenged(t) && time.Now().Before(v.answerFrom)
}

// challengeText describes the selected challenge to the user, or else the first one; "" if there is none.
func (v *lobbyScreen) challengeText() string {
	if len(v.challenges) == 0 {
		return ""
	}
	describe := func(t *lobby.Table) string {
		return t.Owner + " challenges you: " + lobby.Title(t.Options) + ", " + words.Terms(t.Control, t.Rated) + ". "
	}
	if r, ok := v.selected(); ok && r.Table != nil && v.isChallenged(r.Table) {
		return describe(r.Table) + "Enter: accept, x: decline."
	}
	i := slices.IndexFunc(v.rows.Rows, func(r lists.Row) bool { return r.Table != nil && r.Table.ID == v.challenges[0] })
	return describe(v.rows.Rows[i].Table) + "Select it to answer."
}
