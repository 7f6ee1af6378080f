package op

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// Tables lists the open tables that the user may see.
var Tables = New(Spec[None, []*table.View]{
	Info: Info{Name: "tables", Help: "list open tables and challenges", Group: GroupFind, On: On{Screen: As("lobby")}},
	Run: func(_ context.Context, v *Visit, _ None) ([]*table.View, error) {
		return v.Lobby.TableList().TablesFor(v.User().ID), nil
	},
	Text: func(v *Visit, _ None, all []*table.View) Text {
		rows := &Rows{Kind: RowTable, Columns: tableColumns, Empty: "No open tables."}
		for _, t := range all {
			rows.Rows = append(rows.Rows, v.tableRow(t))
		}
		return Text{Rows: rows}
	},
	JSON: func(v *Visit, all []*table.View) any {
		tables := make([]jsonform.Table, len(all))
		for i, t := range all {
			tables[i] = jsonform.NewTable(t, v.User().ID)
		}
		return struct {
			Tables []jsonform.Table `json:"tables"`
		}{tables}
	},
})

// The columns of tables.
const (
	tableID    = iota
	tableOwner // and whom they wait for
	tableGame  // and its options
	tableClock
	tableMode
	tableFirst // who moves first
	tableSeats
	tableCode
)

var tableColumns = []Column{tableID: {TableOnly: true}, tableOwner: {Phrase: "%s:"}, tableCode: {}}

// tableRow is the row of a table.
func (v *Visit) tableRow(t *table.View) Row {
	me := v.User()
	row := []string{
		tableID: t.ID, tableGame: match.Title(t.Options), tableClock: t.Control.String(), tableMode: words.Mode(t.Rated),
		tableSeats: seatsText(t), tableCode: "",
	}
	switch t.First {
	case table.FirstOwner:
		row[tableFirst] = t.Owner + " moves first"
	case table.FirstOpponent:
		row[tableFirst] = t.Owner + "'s opponent moves first"
	}
	switch own := t.Owner == me.Name; {
	case own && t.Quick:
		row = []string{tableID: t.ID, tableOwner: "you are looking for an opponent", tableGame: words.QuickMatch(t), tableCode: ""}
	case own && t.Private:
		row[tableOwner], row[tableCode] = "your private table", "code "+t.Code(me.ID)
	case own && t.To != "":
		row[tableOwner] = "your challenge to " + t.To
	case own:
		row[tableOwner] = "your table"
	case t.To != "":
		row[tableOwner] = t.Owner + " challenges you"
	default:
		row[tableOwner] = words.NameAndRating(t.Owner, t.Rating)
	}
	return Row{ID: t.ID, Values: row}
}

// DescribeTable describes a table without its id, in the words of a list.
func (v *Visit) DescribeTable(t *table.View) string {
	return (&Rows{Columns: tableColumns}).Sentence(v.tableRow(t))
}

// DescribeTerms describes a table without its id and its owner.
func (v *Visit) DescribeTerms(t *table.View) string {
	row := v.tableRow(t)
	row.Values[tableOwner] = ""
	return (&Rows{Columns: tableColumns}).Sentence(row)
}

// seatsText describes the taken seats of a table for three or more; "" for two.
func seatsText(t *table.View) string {
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

// TableID is the id of an open table. In words it is also a number of the list that was printed last.
type TableID string

// Kind implements Kind.
func (*TableID) Kind() string { return "table" }

// ParseWord implements Kind.
func (id *TableID) ParseWord(v *Visit, word string) error {
	named, err := v.idOf(RowTable, word)
	*id = TableID(named)
	return err
}

// firstTable returns the id of the first open table for which f is true; "": there is none.
func (v *Visit) firstTable(f func(t *table.View, me account.Account) bool) TableID {
	for _, t := range v.Lobby.TableList().Tables {
		if f(t, v.User()) {
			return TableID(t.ID)
		}
	}
	return ""
}

// tableNamed returns the open table with an id; nil if there is none.
func (v *Visit) tableNamed(id string) *table.View {
	for _, t := range v.Lobby.TableList().Tables {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// startCondition returns a sentence about when the game of a table starts; "" for nil.
func startCondition(t *table.View) string {
	switch {
	case t == nil:
		return ""
	case t.To != "":
		return "The game starts when " + t.To + " accepts."
	}
	return words.Sentence(words.StartCondition(t.Options, "command ready"))
}

// StartResult is what has come of an operation that can start a match.
type StartResult struct {
	Match string `json:"match,omitempty"` // "": none has started
	done  string // what has happened otherwise, in sentences
}

func (r StartResult) opens() string { return r.Match }

// text returns the result as people read it.
func (r StartResult) text(v *Visit) Text {
	if r.Match == "" {
		return Say("%s", strings.TrimSpace(r.done))
	}
	with := ""
	if player, err := v.asPlayer(MatchID(r.Match)); err == nil {
		with = " " + words.WithOpponents(player.Match().Info, v.User().ID)
	}
	return Say("Your game%s has started: %s.", with, r.Match)
}

// checkLive returns why a command over SSH cannot take part in the game of a table: whoever plays a live game must be there.
func (v *Visit) checkLive(t *table.View, command string) error {
	if t == nil || !v.Session.IsCommand() || t.Control.IsCorrespondence() {
		return nil
	}
	return &errcode.Error{Code: errcode.NotAllowed, Message: "that game is live, so you have to stay connected; use a terminal: " + strings.TrimSpace("ssh -t "+v.SSHTarget+" "+command)}
}

// JoinArgs are the arguments of Join. The code alone is enough, also in the place of the table.
type JoinArgs struct {
	Table TableID `json:"table" arg:"TABLE" help:"its id, or the code of a private table; the command tables lists them"`
	Code  string  `json:"code" arg:"[CODE]" help:"of a private table"`
}

// Join takes a seat at a table, or accepts a challenge.
var Join = New(Spec[JoinArgs, StartResult]{
	Info: Info{Name: "join", Help: "join a table, or accept a challenge", Group: GroupFind, Effect: Changes, Session: true, On: On{Screen: As("lobby enter")}},
	Run: func(ctx context.Context, v *Visit, in JoinArgs) (r StartResult, err error) {
		id := string(in.Table)
		if id == "" || in.Code == "" {
			d, ok := v.FindCode(cmp.Or(in.Code, id))
			if ok && d.Kind == ToMatch {
				return r, &errcode.Error{Code: errcode.UnknownTable, Message: "that is the code of a game that has already started; watch it with this code"}
			} else if ok {
				id, in.Code = d.ID, d.Code
			}
		}
		t := v.tableNamed(id)
		if err := v.checkLive(t, strings.TrimSpace("join "+id+" "+in.Code)); err != nil {
			return r, err
		}
		r.done = "You joined the table. " + startCondition(t)
		r.Match, err = v.Session.JoinTable(ctx, id, in.Code)
		return r, err
	},
	Text:  func(v *Visit, _ JoinArgs, r StartResult) Text { return r.text(v) },
	Opens: StartResult.opens,
})

// ReadyArgs are the arguments of Ready.
type ReadyArgs struct {
	Table TableID `json:"table" arg:"[TABLE]" api:"required" help:"by default your first table that may start with fewer players"`
}

// preset implements presetter.
func (in *ReadyArgs) preset(v *Visit) {
	in.Table = v.firstTable(func(t *table.View, me account.Account) bool {
		minimum, limit := t.Options.Seats()
		return minimum < limit && slices.Contains(t.Seated, me.Name)
	})
}

// Ready agrees to start the match of a table with fewer players than there are seats.
var Ready = New(Spec[ReadyArgs, StartResult]{
	Info: Info{
		Name:    "ready",
		Help:    "agree to start with fewer players; the game starts when everyone at the table is ready",
		Group:   GroupFind,
		Effect:  Changes,
		Session: true,
		On:      On{Screen: As("lobby y")},
	},
	Confirm: func(_ *Visit, in ReadyArgs) (string, error) {
		return "", noTable(in.Table, "you have not joined a table that may start with fewer players")
	},
	Run: func(ctx context.Context, v *Visit, in ReadyArgs) (r StartResult, err error) {
		t := v.tableNamed(string(in.Table))
		if err := v.checkLive(t, ""); err != nil {
			return r, err
		}
		r.done = "You are ready. " + startCondition(t)
		r.Match, err = v.Session.MarkReady(ctx, string(in.Table))
		return r, err
	},
	Text:  func(v *Visit, _ ReadyArgs, r StartResult) Text { return r.text(v) },
	Opens: StartResult.opens,
})

// noTable returns an error with a message if people have named no table and there is none of theirs.
func noTable(id TableID, message string) error {
	if id != "" {
		return nil
	}
	return &errcode.Error{Code: errcode.UnknownTable, Message: message}
}

// FillArgs are the arguments of Fill.
type FillArgs struct {
	Level *BotLevel `json:"level" arg:"[LEVEL]" help:"0 to 5, by default 2, or the name of a bot"`
	Seats int       `json:"seats" arg:"[SEATS]" help:"how many of the free seats; by default all"`
	Table TableID   `json:"table" arg:"table=TABLE" api:"required" help:"by default your first casual table with free seats"`
}

// preset implements presetter.
func (in *FillArgs) preset(v *Visit) { in.Table = v.firstTable(CanFill) }

// Fill gives free seats at a table of the user to built-in players.
var Fill = New(Spec[FillArgs, StartResult]{
	Info: Info{Name: "fill", Help: "fill free seats at your table with bots; all of them unless you give a number", Group: GroupFind, Effect: Changes, Session: true, On: On{Screen: As("lobby +")}},
	Confirm: func(v *Visit, in FillArgs) (string, error) {
		if v.Bots == nil {
			return "", errNoBots
		}
		return "", noTable(in.Table, "you have no casual table with free seats")
	},
	Run: func(ctx context.Context, v *Visit, in FillArgs) (r StartResult, err error) {
		if v.Bots == nil {
			return r, errNoBots
		}
		t := v.tableNamed(string(in.Table))
		if err := v.checkLive(t, ""); err != nil {
			return r, err
		}
		r.done = "The bots have joined. " + startCondition(t)
		r.Match, err = v.Bots.Fill(ctx, v.Session, string(in.Table), in.Level.orDefault(), in.Seats)
		return r, err
	},
	Text:  func(v *Visit, _ FillArgs, r StartResult) Text { return r.text(v) },
	Opens: StartResult.opens,
})

// CancelArgs are the arguments of Cancel.
type CancelArgs struct {
	Table TableID `json:"table" arg:"[TABLE]" api:"required" help:"by default your first table, or else the first challenge to you"`
}

// preset implements presetter.
func (in *CancelArgs) preset(v *Visit) {
	in.Table = v.firstTable(func(t *table.View, me account.Account) bool { return t.Concerns(me.ID) })
}

// ClosedResult is a sentence about a table that the user has closed or left.
type ClosedResult string

func (r ClosedResult) text() Text { return Say("%s", string(r)) }

// Cancel closes the user's own table, leaves another's, or declines a challenge.
var Cancel = New(Spec[CancelArgs, ClosedResult]{
	Info: Info{Name: "cancel", Help: "close or leave a table, or decline a challenge", Group: GroupFind, Effect: Changes, Session: true, On: On{Screen: As("lobby x")}},
	Confirm: func(_ *Visit, in CancelArgs) (string, error) {
		return "", noTable(in.Table, "you have no open table or challenge to close")
	},
	Run: func(ctx context.Context, v *Visit, in CancelArgs) (ClosedResult, error) {
		me, s, t := v.User(), v.Session, v.tableNamed(string(in.Table))
		switch {
		case t == nil:
			return "", s.CancelTable(ctx, string(in.Table))
		case t.Concerns(me.ID) && !slices.Contains(t.Seated, me.Name):
			return ClosedResult(words.DescribeClosed(t, me.Name)), s.DeclineChallenge(ctx, t.ID)
		}
		return ClosedResult(words.DescribeClosed(t, me.Name)), s.CancelTable(ctx, t.ID)
	},
	Text: func(_ *Visit, _ CancelArgs, r ClosedResult) Text { return r.text() },
	JSON: func(*Visit, ClosedResult) any { return None{} },
})

// DeclineArgs are the arguments of Decline.
type DeclineArgs struct {
	Table TableID `json:"table" arg:"[TABLE]" api:"required" help:"by default the first challenge to you"`
}

// preset implements presetter.
func (in *DeclineArgs) preset(v *Visit) {
	in.Table = v.firstTable(func(t *table.View, me account.Account) bool {
		id, ok := t.Challenged()
		return ok && id == me.ID
	})
}

// Decline declines a challenge, which closes its table.
var Decline = New(Spec[DeclineArgs, ClosedResult]{
	Info: Info{Name: "decline", Help: "decline a challenge", Group: GroupFind, Effect: Changes, Session: true, On: On{Screen: As("lobby x")}},
	Confirm: func(_ *Visit, in DeclineArgs) (string, error) {
		return "", noTable(in.Table, "nobody challenges you")
	},
	Run: func(ctx context.Context, v *Visit, in DeclineArgs) (ClosedResult, error) {
		return "Challenge declined.", v.Session.DeclineChallenge(ctx, string(in.Table))
	},
	Text: func(_ *Visit, _ DeclineArgs, r ClosedResult) Text { return r.text() },
	JSON: func(*Visit, ClosedResult) any { return None{} },
})

// QuickRequest returns the user's open quick match in a view; nil: none.
func (v *Visit) QuickRequest(view *lobby.View) *table.View {
	me := v.Session.Account().ID
	for _, t := range view.Tables {
		if t.Quick && t.Concerns(me) {
			return t
		}
	}
	return nil
}

// CanBeReady reports whether account me is seated at a table that may start with fewer players and has not
// marked itself as ready. Such a table starts once all seated users are ready.
func CanBeReady(t *table.View, me account.Account) bool {
	minimum, limit := t.Options.Seats()
	return minimum < limit && slices.Contains(t.Seated, me.Name) && !slices.Contains(t.Ready, me.Name)
}

// CanFill reports whether account me can give free seats at a table to bots, if the server has some: it owns the table,
// which is casual.
func CanFill(t *table.View, me account.Account) bool {
	return t.Owner == me.Name && !t.Quick && !t.Rated && t.FreeSeats() > 0
}

var errNoBots = &errcode.Error{Code: errcode.NotAllowed, Message: "this server has no bots"}

// FindCode returns the private table or running private match with a code; ok is false if there is none.
func (v *Visit) FindCode(code string) (d StartPoint, ok bool) {
	table, match := v.Session.FindByCode(code)
	switch {
	case table != "":
		return StartPoint{ToTable, table, code}, true
	case match != "":
		return StartPoint{ToMatch, match, code}, true
	}
	return StartPoint{}, false
}

// Resolve returns d, or the private table or match if its ID is a code.
func (v *Visit) Resolve(d StartPoint) StartPoint {
	if found, ok := v.FindCode(d.ID); ok && d.Code == "" {
		return found
	}
	return d
}
