package plain

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// tableCommands are the commands for finding an opponent.
type tableCommands struct{ *session }

// startCondition returns a sentence about when the game of a table starts.
func startCondition(o engine.Options) string {
	return words.Sentence(words.StartCondition(o, "type ready"))
}

// ready marks the user as ready at a table: the one with the number args, or the first that may
// start with fewer players.
func (t tableCommands) ready(args string) {
	me := t.visit.Session.Account()
	id, numbered := listedID(args, t.visit.Listed[op.RowTable])
	for _, table := range t.visit.Session.Lobby().OpenTables().Tables {
		minimum, limit := table.Options.Seats()
		if !slices.Contains(table.Seated, me.Name) || !table.Concerns(me.ID) || numbered && table.ID != id || !numbered && minimum == limit {
			continue
		}
		if minimum == limit {
			t.printf("The game at that table starts when all %d seats are taken.", limit)
			return
		}
		t.markReady(table)
		return
	}
	t.printf("You have not joined a table that may start with fewer players.")
}

func (t tableCommands) markReady(table *lobby.Table) {
	var match string
	if !t.call(func(ctx context.Context) (err error) {
		match, err = t.visit.Session.Tables().Ready(ctx, table.ID)
		return err
	}) {
		return
	}
	if match == "" {
		t.printf("You are ready. %s", startCondition(table.Options))
		return
	}
	t.printEvents() // opens the match
}

// quickMatch requests a quick match, without words the one that was wanted last, or cancels the open request.
func (t tableCommands) quickMatch(args string) {
	if table := t.visit.QuickRequest(t.visit.Session.Lobby().View()); table != nil {
		if t.call(func(context.Context) error { return t.visit.LeaveTable(table) }) {
			t.printf("Search cancelled.")
		}
		return
	}
	wanted := t.visit.Preferences().Quick()
	if args != "" {
		typed, err := parseTerms(t.config.Games, args)
		if err != nil {
			t.printf("Error: %v.", err)
			return
		}
		if typed.here {
			t.printf("A quick match cannot begin with a position. Type new here to open a table.")
			return
		}
		wanted = typed.quickMatch(t.config.Games)
	}
	if t.call(func(ctx context.Context) error { return t.visit.QuickMatch(ctx, wanted) }) {
		accepts := ""
		if table := t.visit.QuickRequest(t.visit.Session.Lobby().View()); table != nil {
			accepts = " You accept: " + words.QuickMatch(table) + "."
		}
		t.printf("Looking for an opponent.%s The game starts as soon as one is found. Type quick again to cancel.", accepts)
	}
}

func (t tableCommands) newTable(args string) {
	typed, err := parseTerms(t.config.Games, args)
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	p := typed.proposal(t.config.Games)
	if typed.here && !t.fromHere(&p) {
		return
	}
	if p.To != "" && !t.call(func(ctx context.Context) (err error) {
		p.To, err = t.visit.Session.Tables().CheckChallenge(ctx, p.To)
		return err
	}) {
		return
	}
	var table *lobby.Table
	if t.call(func(ctx context.Context) (err error) {
		table, err = t.visit.Session.Tables().Open(ctx, p)
		return err
	}) {
		t.printf("Open: %s. %s", t.visit.DescribeTable(table), startCondition(table.Options))
	}
}

func (t tableCommands) join(args string) {
	if args == "" {
		t.list(op.Tables)
		return
	}
	id, ok := listedID(args, t.visit.Listed[op.RowTable])
	code := ""
	if !ok {
		id, code, _ = strings.Cut(args, " ")
	}
	t.open(op.Destination{Kind: op.ToTable, ID: id, Code: code})
}

// joinTable joins a table and opens its match if that starts it.
func (t tableCommands) joinTable(d op.Destination) {
	wait := ""
	for _, table := range t.visit.Session.Lobby().OpenTables().Tables {
		if table.ID == d.ID {
			wait = " " + startCondition(table.Options)
		}
	}
	var match string
	if !t.call(func(ctx context.Context) (err error) {
		match, err = t.visit.Session.Tables().Join(ctx, d.ID, d.Code)
		return err
	}) {
		return
	}
	if match == "" {
		t.printf("You joined the table.%s", wait)
		return
	}
	t.visit.Expect(match)
	t.openMatch(match, "")
}

// cancel closes or leaves the user's table, or declines a challenge.
func (t tableCommands) cancel(args string) {
	me := t.visit.Session.Account()
	id, _ := listedID(args, t.visit.Listed[op.RowTable])
	for _, table := range t.visit.Session.Lobby().OpenTables().Tables {
		if !table.Concerns(me.ID) || id != "" && table.ID != id {
			continue
		}
		if t.call(func(context.Context) error { return t.visit.LeaveTable(table) }) {
			t.printf("%s", words.DescribeClosed(table, me.Name))
		}
		return
	}
	t.printf("You have no open table or challenge to close.")
}

// playBot starts a game against bots: "3 10+5", "pebble 7x7"; without words the last one again. The defaults are those
// of the form for bots, without a clock.
func (t tableCommands) playBot(args string) {
	builtin := t.config.Bots
	if builtin == nil {
		t.printf("This server has no bots.")
		return
	}
	g := t.visit.Preferences().Bot()
	level := g.Level
	first, rest, _ := strings.Cut(args, " ")
	if n := levelOf(builtin, first); n > 0 {
		level, args = n, rest
	} else if _, err := strconv.Atoi(first); err == nil {
		t.printf("There is no level %s. The bots are %s.", first, botList(builtin))
		return
	}
	typed, err := parseTerms(t.config.Games, args)
	if err != nil {
		t.printf("Error: %v. The bots are %s.", err, botList(builtin))
		return
	}
	if g.Level = level; args != "" {
		g = typed.botGame(t.config.Games, level)
	}
	play := func(ctx context.Context) (string, error) { return t.visit.PlayBotGame(ctx, g, typed.delay) }
	if typed.here {
		p := typed.proposal(t.config.Games)
		if p.First == lobby.FirstRandom {
			p.First = lobby.FirstOwner
		}
		if p.Clock = typed.control; !t.fromHere(&p) {
			return
		}
		play = func(ctx context.Context) (string, error) { return t.visit.PlayBot(ctx, level, p) }
	}
	var match string
	if t.call(func(ctx context.Context) (err error) {
		match, err = play(ctx)
		return err
	}) {
		t.visit.Expect(match)
		t.openMatch(match, "")
	}
}

// fromHere makes the game of a proposal begin with the position that is shown, and reports whether it can.
func (t tableCommands) fromHere(p *lobby.Proposal) bool {
	return t.call(func(context.Context) error {
		o, err := t.optionsHere()
		if err != nil {
			return err
		}
		p.Game = o.Game().Name()
		p.Options, err = json.Marshal(o)
		return err
	})
}

// optionsHere returns the options of a game that begins with the position that is shown: of the lesson or game that
// is open, otherwise of the last puzzle.
func (t tableCommands) optionsHere() (engine.Options, error) {
	switch {
	case t.lessons != nil:
		return op.StartFrom(t.lessons.Game.Engine(), t.lessons.Position())
	case t.allows(op.OnBoard):
		s, _, seat := reviewCommands(t).shown()
		return op.StartAt(s, seat, reviewCommands(t).position())
	case t.visit.Training() != nil:
		return op.StartAtPuzzle(t.visit)
	}
	return nil, &lobby.Error{Code: lobby.CodeNotAllowed, Message: "no position is shown; open a game first, with finished, then replay and a number, a lesson, with learn, or a puzzle"}
}

// fill gives free seats at the user's table to bots: "fill 1", "fill pebble 2".
func (t tableCommands) fill(args string) {
	builtin := t.config.Bots
	if builtin == nil {
		t.printf("This server has no bots.")
		return
	}
	level, seats := op.FirstBotLevel, 0
	for i, word := range strings.Fields(args) {
		n, err := strconv.Atoi(word)
		switch {
		case i == 0 && levelOf(builtin, word) > 0:
			level = levelOf(builtin, word)
		case i == 1 && err == nil && n > 0:
			seats = n
		default:
			t.printf("Usage: fill [LEVEL] [SEATS]. The bots are %s.", botList(builtin))
			return
		}
	}
	me := t.visit.Session.Account()
	all := t.visit.Session.Lobby().OpenTables().Tables
	i := slices.IndexFunc(all, func(table *lobby.Table) bool { return op.CanFill(table, me) })
	if i < 0 {
		t.printf("You have no casual table with free seats. Type new to open one.")
		return
	}
	var match string
	if !t.call(func(ctx context.Context) (err error) {
		match, err = t.visit.FillTable(ctx, all[i].ID, level, seats)
		return err
	}) {
		return
	}
	if match == "" {
		t.printf("The bots have joined. %s", startCondition(all[i].Options))
		return
	}
	t.visit.Expect(match)
	t.openMatch(match, "")
}

// levelOf returns the level that a word names by its number or a bot's name; 0 for none.
func levelOf(builtin *bots.Bots, word string) int {
	for level := 1; level <= bots.Levels; level++ {
		if word == strconv.Itoa(level) || strings.EqualFold(word, builtin.Name(level)) {
			return level
		}
	}
	return 0
}

// botList lists the levels and names of the bots.
func botList(builtin *bots.Bots) string {
	var list []string
	for level := 1; level <= bots.Levels; level++ {
		list = append(list, fmt.Sprintf("%d %s", level, builtin.Name(level)))
	}
	return strings.Join(list, ", ")
}
