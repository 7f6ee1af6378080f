package op

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ayumu/lobby"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// Tables lists the open tables that the user may see.
var Tables = New(Spec[None, []*lobby.Table]{
	Info: Info{Name: "tables", Help: "list open tables and challenges", Group: GroupFind, On: On{Line: As("tables"), Screen: As("lobby")}},
	Run: func(_ context.Context, v *Visit, _ None) ([]*lobby.Table, error) {
		return v.Lobby.OpenTables().TablesFor(v.User().ID), nil
	},
	Text: func(v *Visit, _ None, all []*lobby.Table) Text {
		rows := &Rows{Kind: RowTable, Columns: tableColumns, Empty: "No open tables."}
		for _, t := range all {
			rows.Rows = append(rows.Rows, v.tableRow(t))
		}
		return Text{Rows: rows}
	},
	JSON: func(v *Visit, all []*lobby.Table) any {
		tables := make([]wire.Table, len(all))
		for i, t := range all {
			tables[i] = wire.TableOf(t, v.User().ID)
		}
		return struct {
			Tables []wire.Table `json:"tables"`
		}{tables}
	},
})

var tableColumns = []Column{{TableOnly: true}, {Phrase: "%s:"}, {}, {}, {}, {}, {}, {}}

// tableRow is the row of a table.
func (v *Visit) tableRow(t *lobby.Table) Row {
	me := v.User()
	row := []string{t.ID, "", lobby.Title(t.Options), t.Control.String(), words.Mode(t.Rated), "", seatsText(t), ""}
	switch t.First {
	case lobby.FirstOwner:
		row[5] = t.Owner + " moves first"
	case lobby.FirstOpponent:
		row[5] = "the opponent of " + t.Owner + " moves first"
	}
	switch own := t.Owner == me.Name; {
	case own && t.Quick:
		row = []string{t.ID, "you are looking for an opponent", words.QuickMatch(t), "", "", "", "", ""}
	case own && t.Private:
		row[1], row[7] = "your private table", "code "+t.Code(me.ID)
	case own && t.To != "":
		row[1] = "your challenge to " + t.To
	case own:
		row[1] = "your table"
	case t.To != "":
		row[1] = t.Owner + " challenges you"
	default:
		row[1] = words.NameAndRating(t.Owner, t.Rating)
	}
	return Row{ID: t.ID, Values: row}
}

// DescribeTable describes a table without its id, in the words of a list.
func (v *Visit) DescribeTable(t *lobby.Table) string {
	return (&Rows{Columns: tableColumns}).Sentence(v.tableRow(t))
}

// seatsText describes the taken seats of a table for three or more; "" for two.
func seatsText(t *lobby.Table) string {
	minimum, limit := t.Options.Seats()
	if limit == 2 {
		return ""
	}
	text := fmt.Sprintf("%d of %d seats taken", len(t.Seated), limit)
	if minimum < limit {
		text += fmt.Sprintf(", may start with %d", minimum)
	}
	if n := len(t.Ready); n > 0 {
		text += fmt.Sprintf(", %d ready", n)
	}
	return text
}

// QuickRequest returns the user's open quick match in a view; nil: none.
func (c *Visit) QuickRequest(v *lobby.View) *lobby.Table {
	me := c.Session.Account().ID
	for _, t := range v.Tables {
		if t.Quick && t.Concerns(me) {
			return t
		}
	}
	return nil
}

// QuickMatch requests a quick match and remembers it. It may be called from any goroutine.
func (c *Visit) QuickMatch(ctx context.Context, w Wanted) error {
	p := w.proposal()
	p.Quick = true
	c.Preferences().change(ctx, func(last *lastChoices) { last.Quick = &w })
	_, err := c.Session.Tables().Open(ctx, p)
	return err
}

// LeaveTable declines a challenge, closes the user's own table, or leaves another's. It may be called from any
// goroutine.
func (c *Visit) LeaveTable(t *lobby.Table) error {
	if slices.Contains(t.Seated, c.Session.Account().Name) {
		return c.Session.Tables().Cancel(t.ID)
	}
	return c.Session.Tables().Decline(t.ID)
}

// CanBeReady reports whether account me is seated at a table that may start with fewer players and has not
// marked itself as ready. Such a table starts once all seated users are ready.
func CanBeReady(t *lobby.Table, me lobby.Account) bool {
	minimum, limit := t.Options.Seats()
	return minimum < limit && slices.Contains(t.Seated, me.Name) && !slices.Contains(t.Ready, me.Name)
}

// CanFill reports whether account me can give free seats at a table to bots, if the server has some: it owns the table,
// which is casual.
func CanFill(t *lobby.Table, me lobby.Account) bool {
	return t.Owner == me.Name && !t.Quick && !t.Rated && t.FreeSeats() > 0
}

// PlayBot starts a match against built-in players of a level, 1 to bots.Levels, or of DefaultBotLevel if it
// is 0, and returns the match's id. It may be called from any goroutine.
func (c *Visit) PlayBot(ctx context.Context, level int, p lobby.Proposal) (match string, err error) {
	if c.Bots == nil {
		return "", errNoBots
	}
	p.To, p.Quick = "", false
	return c.Bots.Play(ctx, c.Session, cmp.Or(level, DefaultBotLevel), p)
}

// PlayBotGame starts a match against bots, which spectators see delay turns late, remembers it and returns the match's
// id. Who moves first is random where it cannot be chosen. It may be called from any goroutine.
func (c *Visit) PlayBotGame(ctx context.Context, g BotGame, delay int) (match string, err error) {
	p := g.proposal()
	p.Delay = delay
	if rules, err := c.Session.Lobby().Game(g.Game); err == nil && (g.Rated == nil || !*g.Rated) {
		if n, err := p.Seats(rules); err == nil && n == 2 {
			p.First = g.First
		}
	}
	c.Preferences().change(ctx, func(last *lastChoices) { last.Bot = &g })
	return c.PlayBot(ctx, g.Level, p)
}

// FillTable gives free seats at a table of the user to built-in players of a level, as for PlayBot: n seats, or all
// if n is 0. It returns the match's id if the match starts. It may be called from any goroutine.
func (c *Visit) FillTable(ctx context.Context, table string, level, n int) (match string, err error) {
	if c.Bots == nil {
		return "", errNoBots
	}
	return c.Bots.Fill(ctx, c.Session, table, cmp.Or(level, DefaultBotLevel), n)
}

var errNoBots = &lobby.Error{Code: lobby.CodeNotAllowed, Message: "this server has no bots"}

// FindCode returns the private table or running private match with a code; ok is false if there is none.
func (c *Visit) FindCode(code string) (d Destination, ok bool) {
	table, match := c.Session.FindByCode(code)
	switch {
	case table != "":
		return Destination{ToTable, table, code}, true
	case match != "":
		return Destination{ToMatch, match, code}, true
	}
	return Destination{}, false
}

// Resolve returns d, or the private table or match if its ID is a code.
func (c *Visit) Resolve(d Destination) Destination {
	if found, ok := c.FindCode(d.ID); ok && d.Code == "" {
		return found
	}
	return d
}
