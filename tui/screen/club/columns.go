package club

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// order is an order of the members, that of a column.
type order struct {
	name    string // in "by NAME"
	compare func(a, b *club.Member) int
}

// addColumns adds the columns and their orders, that of the names first.
func (v *members) addColumns(pools []words.RatingPool) {
	add := func(c screen.Column[club.Member], name string, compare func(a, b *club.Member) int) {
		i := len(v.orders)
		c.IsMarked = func() bool { return v.order == i }
		v.Columns, v.orders = append(v.Columns, c), append(v.orders, order{name, compare})
	}
	add(screen.Column[club.Member]{Title: "Name", Width: minMemberNames, Fills: true, Text: func(m club.Member) string { return m.Account.Name }}, "name", compareNames)
	add(screen.Column[club.Member]{Title: "Role", Width: 10, Rank: 0, Text: admin.RoleText}, "role", func(a, b *club.Member) int { return cmp.Compare(rank(b), rank(a)) })
	add(screen.Column[club.Member]{Title: "Seen", Width: 7, Rank: 1, Text: seenText}, "last visit", func(a, b *club.Member) int { return b.LastSeen.Compare(a.LastSeen) })
	add(screen.Column[club.Member]{Title: "Games", Width: 6, Rank: 2, Text: func(m club.Member) string { return strconv.Itoa(m.Games) }}, "games", func(a, b *club.Member) int { return cmp.Compare(b.Games, a.Games) })
	add(screen.Column[club.Member]{Title: "Keys", Width: 5, Rank: 4, Text: func(m club.Member) string { return strconv.Itoa(m.Keys) }}, "keys", func(a, b *club.Member) int { return cmp.Compare(b.Keys, a.Keys) })
	for i, p := range pools {
		rank := 3
		if i > 0 {
			rank += i + 1 // after the keys
		}
		value := func(m *club.Member) float64 { return m.Account.Ratings[p.Key].Value }
		add(screen.Column[club.Member]{Title: p.Title, Width: max(len(p.Title)+1, 7), Rank: rank, Text: func(m club.Member) string {
			r, ok := m.Account.Ratings[p.Key]
			if !ok {
				return ""
			}
			return words.Rating(r)
		}}, p.Title+" rating", func(a, b *club.Member) int { return cmp.Compare(value(b), value(a)) })
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
func seenText(m club.Member) string {
	if m.LastSeen.IsZero() {
		return ""
	}
	return words.AgoText(time.Since(m.LastSeen))
}
