package moderation

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// memberColumn is a column of the list of members.
type memberColumn struct {
	widget.Column
	name    string // in "by NAME"
	compare func(a, b *club.Member) int
	text    func(m *club.Member, now time.Time) string
}

// memberColumns returns the columns, that of the names first.
func memberColumns(pools []words.RatingPool) []memberColumn {
	all := []memberColumn{
		{widget.Column{Title: "Name"}, "name", compareNames, func(m *club.Member, _ time.Time) string { return m.Account.Name }},
		{widget.Column{Title: "Role", Width: 10, Rank: 0}, "role", func(a, b *club.Member) int { return cmp.Compare(rank(b), rank(a)) },
			func(m *club.Member, _ time.Time) string { return admin.RoleText(*m) }},
		{widget.Column{Title: "Seen", Width: 7, Rank: 1}, "last visit", func(a, b *club.Member) int { return b.LastSeen.Compare(a.LastSeen) }, seenText},
		{widget.Column{Title: "Games", Width: 6, Rank: 2}, "games", func(a, b *club.Member) int { return cmp.Compare(b.Games, a.Games) },
			func(m *club.Member, _ time.Time) string { return strconv.Itoa(m.Games) }},
		{widget.Column{Title: "Keys", Width: 5, Rank: 4}, "keys", func(a, b *club.Member) int { return cmp.Compare(b.Keys, a.Keys) },
			func(m *club.Member, _ time.Time) string { return strconv.Itoa(m.Keys) }},
	}
	for i, p := range pools {
		all = append(all, ratingColumn(p, i))
	}
	return all
}

// ratingColumn returns the column of the ratings of the pool with an index.
func ratingColumn(p words.RatingPool, i int) memberColumn {
	rank := 3
	if i > 0 {
		rank += i + 1 // after the keys
	}
	value := func(m *club.Member) float64 { return m.Account.Ratings[p.Key].Value }
	return memberColumn{
		widget.Column{Title: p.Title, Width: max(len(p.Title)+1, 7), Rank: rank}, p.Title + " rating",
		func(a, b *club.Member) int { return cmp.Compare(value(b), value(a)) },
		func(m *club.Member, _ time.Time) string {
			r, ok := m.Account.Ratings[p.Key]
			if !ok {
				return ""
			}
			return words.Rating(r)
		},
	}
}

// compareNames orders members by their names, ignoring case.
func compareNames(a, b *club.Member) int {
	return cmp.Compare(strings.ToLower(a.Account.Name), strings.ToLower(b.Account.Name))
}

// rank orders members by their roles; bots are the lowest.
func rank(m *club.Member) club.Role {
	if m.Account.Bot {
		return club.RoleNobody
	}
	return m.Role
}

// seenText returns how long ago a member was last seen: "now", "5 min", "3 h", "12 d"; "" if that is unknown.
func seenText(m *club.Member, now time.Time) string {
	if m.LastSeen.IsZero() {
		return ""
	}
	return words.AgoText(now.Sub(m.LastSeen))
}
