package plain

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

func (t *session) printWho(string) {
	v := t.session.Lobby().View()
	t.printf("%d online:", len(v.Users))
	for _, p := range v.Users {
		text := p.Name
		if p.Bot {
			text += ", a bot"
		}
		for _, g := range t.config.Games {
			if r, ok := p.Ratings[g.Name()]; ok {
				text += ", " + g.Name() + " " + words.Rating(r)
			}
		}
		if p.Match != "" {
			text += ", playing"
		}
		t.printf("%s.", text)
	}
}

func (t *session) printTables(string) {
	me := t.session.Account()
	tables := t.session.Lobby().View().TablesFor(me.ID)
	t.tables = nil
	if len(tables) == 0 {
		t.printf("No open tables. Type quick to find an opponent, or new to open a table.")
		if t.config.Bots != nil {
			t.printf("Type bot to play a bot.")
		}
		return
	}
	for i, table := range tables {
		t.tables = append(t.tables, table.ID)
		t.printf("%d: %s", i+1, t.tableText(table))
	}
	t.printf("Type join and a number to join.")
}

func (t *session) tableText(table *lobby.Table) string {
	me := t.session.Account()
	what := lobby.Title(table.Options) + ", " + table.Control.String() + ", casual"
	if table.Rated {
		what = lobby.Title(table.Options) + ", " + table.Control.String() + ", rated"
	}
	what += seatsText(table)
	switch own := table.Owner == me.Name; {
	case own && table.Quick:
		return "you are looking for an opponent: " + what + "."
	case own && table.Private:
		return "your private table: " + what + ". Its code is " + table.Code(me.ID) + "."
	case own && table.To != "":
		return "your challenge to " + table.To + ": " + what + "."
	case own:
		return "your table: " + what + "."
	case table.To != "":
		return table.Owner + " challenges you: " + what + "."
	}
	return words.NameAndRating(table.Owner, table.Rating) + ": " + what + "."
}

// seatsText describes the taken seats of a table for three or more; "" for two.
func seatsText(table *lobby.Table) string {
	minimum, limit := table.Options.Seats()
	if limit == 2 {
		return ""
	}
	text := fmt.Sprintf(", %d of %d seats taken", len(table.Seated), limit)
	if minimum < limit {
		text += fmt.Sprintf(", may start with %d", minimum)
	}
	if n := len(table.Ready); n > 0 {
		text += fmt.Sprintf(", %d ready", n)
	}
	return text
}

// startCondition returns a sentence about when the game of a table starts.
func startCondition(options engine.Options) string {
	switch minimum, limit := options.Seats(); {
	case limit == 2:
		return "The game starts as soon as someone joins."
	case minimum < limit:
		return fmt.Sprintf("The game starts when all %d seats are taken, or when at least %d players have joined and all have typed ready.", limit, minimum)
	default:
		return fmt.Sprintf("The game starts when all %d seats are taken.", limit)
	}
}

// readyCommand marks the user as ready at a table: the one with the number args, or the first that may
// start with fewer players.
func (t *session) readyCommand(args string) {
	me := t.session.Account()
	id, numbered := listedID(args, t.tables)
	for _, table := range t.session.Lobby().View().Tables {
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

// waitText returns startCondition of the table with an id; "" if it is gone.
func (t *session) waitText(id string) string {
	all := t.session.Lobby().View().Tables
	i := slices.IndexFunc(all, func(table *lobby.Table) bool { return table.ID == id })
	if i < 0 {
		return ""
	}
	return startCondition(all[i].Options)
}

func (t *session) markReady(table *lobby.Table) {
	var match string
	if !t.call(func(ctx context.Context) (err error) {
		match, err = t.session.Ready(ctx, table.ID)
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

func (t *session) printMatches(string) {
	t.games = nil
	t.printOwnMatches(true)
	v := t.session.Lobby().View()
	now := time.Now()
	for _, m := range v.Matches {
		if slices.Contains(t.games, m.ID) {
			continue
		}
		t.games = append(t.games, m.ID)
		var names []string
		for _, s := range m.Info.Seats {
			names = append(names, words.NameAndRating(s.Name, s.Rating))
		}
		text := fmt.Sprintf("%d: %s, %s, %s, turn %d, last turn %s", len(t.games), strings.Join(names, " and "),
			m.Info.Title(), m.Info.Control, m.Turns+1, agoText(now.Sub(m.LastAt)))
		if m.Spectators > 0 {
			text += ", " + words.Plural(m.Spectators, "spectator")
		}
		if m.ID == v.Featured {
			text += ", the featured game"
		}
		t.printf("%s.", text)
	}
	if len(t.games) == 0 {
		t.printf("No games in progress.")
		return
	}
	t.printf("Type watch or play and a number to go to a game.")
}

func agoText(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return words.AgoText(d) + " ago"
}

// printOwnMatches lists the user's unfinished games, those first in which it is their turn. The list is the
// beginning of a longer one if withOthers is true.
func (t *session) printOwnMatches(withOthers bool) {
	me := t.session.Account().ID
	t.games = nil
	for _, mine := range []bool{true, false} {
		for _, m := range t.session.SeatedMatches() {
			s := t.session.Snapshot(m)
			seat := slices.IndexFunc(m.Info.Seats, func(s lobby.Seat) bool { return s.Account == me })
			if s.IsOver() || (s.Position.Turn() == seat) != mine {
				continue
			}
			t.games = append(t.games, m.Info.ID)
			turn := "waiting for your opponent"
			if len(m.Info.Seats) > 2 {
				turn = "waiting for your opponents"
			}
			if mine {
				turn = "your turn"
			}
			t.printf("%d: your game %s, %s, %s: %s.", len(t.games), words.WithOpponents(m.Info, me), m.Info.Title(), m.Info.Control, turn)
		}
	}
	if len(t.games) > 0 && !withOthers {
		t.printf("Type play and a number to go to a game.")
	}
}

// quickMatch requests a quick match, or cancels the open request.
func (t *session) quickMatch(args string) {
	me := t.session.Account().ID
	for _, table := range t.session.Lobby().View().Tables {
		if table.Quick && table.Concerns(me) {
			if t.call(func(context.Context) error { return t.session.Cancel(table.ID) }) {
				t.printf("Search cancelled.")
			}
			return
		}
	}
	game := t.config.Games.Default()
	if g, ok := t.config.Games.ByName(strings.ToLower(args)); ok {
		game = g
	}
	if t.call(func(ctx context.Context) error {
		_, err := t.session.Open(ctx, lobby.Proposal{Game: game.Name(), Quick: true})
		return err
	}) {
		t.printf("Looking for an opponent. The game starts as soon as one is found. Type quick again to cancel.")
	}
}

func (t *session) newTable(args string) {
	p, err := parseTable(t.config.Games, args, false)
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	var table *lobby.Table
	if t.call(func(ctx context.Context) (err error) {
		table, err = t.session.Open(ctx, p)
		return err
	}) {
		t.printf("Open: %s %s", t.tableText(table), startCondition(table.Options))
	}
}

// parseTable reads what is wanted of a new table: "9x9 10+5 rated to bob". What is not said is as
// usual, or as against a bot.
func parseTable(games game.List, args string, bot bool) (lobby.Proposal, error) {
	control, rated := clock.Default, false
	if bot {
		control = clock.Control{}
	}
	p := lobby.Proposal{Clock: &control, Rated: &rated}
	list := strings.Fields(strings.ToLower(args))
	game := games.Default()
	if len(list) > 0 {
		if g, ok := games.ByName(list[0]); ok {
			game, list = g, list[1:]
		}
	}
	choices := game.Choices()
	answers := make([]int, len(choices))
	for i, c := range choices {
		answers[i] = c.Default
		if bot {
			answers[i] = c.BotDefault
		}
	}
	for i := 0; i < len(list); i++ {
		switch word := list[i]; {
		case word == "rated":
			rated = true
		case word == "casual":
			rated = false
		case word == "private":
			p.Private = true
		case word == "to" && i+1 < len(list):
			i++
			p.To = list[i]
		case strings.HasPrefix(word, "delay="):
			turns, err := strconv.Atoi(word[len("delay="):])
			if err != nil || turns < 0 || turns > lobby.MaxDelay {
				return p, fmt.Errorf("the delay for spectators is 0 to %d turns", lobby.MaxDelay)
			}
			p.Delay = turns
		case setAnswer(choices, answers, word):
		default:
			c, err := clock.Parse(word)
			if err != nil {
				return p, fmt.Errorf("%q is neither a clock such as 10+5 nor one of %s", word, possibleAnswers(choices))
			}
			control = c
		}
	}
	p.Game, p.Options = game.Name(), json.RawMessage(game.Options(answers))
	return p, nil
}

// setAnswer sets the answer that a word names, alone ("9x9") or with the question ("pie=off"). It reports
// whether there is such an answer.
func setAnswer(choices []game.Choice, answers []int, word string) bool {
	label, value, named := strings.Cut(word, "=")
	for i, c := range choices {
		if named && !strings.HasPrefix(strings.ToLower(c.Label), label) {
			continue
		}
		for j, a := range c.Answers {
			if a = typedAnswer(a); named && a == value || !named && a == word {
				answers[i] = j
				return true
			}
		}
	}
	return false
}

// typedAnswer returns an answer as it is typed.
func typedAnswer(answer string) string {
	return strings.ToLower(strings.NewReplacer("×", "x", " ", "").Replace(answer))
}

// possibleAnswers lists all words that a table accepts beside its clock.
func possibleAnswers(choices []game.Choice) string {
	var list []string
	for i, c := range choices {
		for _, a := range c.Answers {
			if i > 0 {
				label, _, _ := strings.Cut(strings.ToLower(c.Label), " ")
				a = label + "=" + a
			}
			list = append(list, typedAnswer(a))
		}
	}
	return strings.Join(append(list, "rated", "private", "delay=TURNS", "to NAME"), ", ")
}

func (t *session) join(args string) {
	id, ok := listedID(args, t.tables)
	code := ""
	if !ok {
		id, code, _ = strings.Cut(args, " ")
		if table, match := t.session.FindByCode(id); table != "" {
			id, code = table, id
		} else if match != "" {
			t.openMatch(match, id)
			return
		}
	}
	if id == "" {
		t.printTables("")
		return
	}
	var match string
	if !t.call(func(ctx context.Context) (err error) {
		match, err = t.session.Join(ctx, id, code)
		return err
	}) {
		return
	}
	if match == "" {
		t.printf("You joined the table. %s", t.waitText(id))
		return
	}
	t.knownMatches[match] = true
	t.openMatch(match, "")
}

// cancel closes or leaves the user's table, or declines a challenge.
func (t *session) cancel(args string) {
	me := t.session.Account()
	id, _ := listedID(args, t.tables)
	for _, table := range t.session.Lobby().View().Tables {
		if !table.Concerns(me.ID) || id != "" && table.ID != id {
			continue
		}
		if t.call(func(context.Context) error {
			if slices.Contains(table.Seated, me.Name) {
				return t.session.Cancel(table.ID)
			}
			return t.session.Decline(table.ID)
		}) {
			t.printf("%s", words.DescribeClosed(table, me.Name))
		}
		return
	}
	t.printf("You have no open table or challenge to close.")
}

func (t *session) watch(args string) {
	id, ok := listedID(args, t.games)
	code := ""
	if !ok {
		id, code, _ = strings.Cut(args, " ")
		if _, match := t.session.FindByCode(id); match != "" {
			id, code = match, id
		}
	}
	if id == "" {
		t.printMatches("")
		return
	}
	t.openMatch(id, code)
}

// play opens one of the user's games: the one with the number args, or the only one.
func (t *session) play(args string) {
	if id, ok := listedID(args, t.games); ok {
		t.openMatch(id, "")
		return
	}
	t.printOwnMatches(true)
	if len(t.games) == 0 {
		t.printf("You have no games in progress.")
		return
	}
	if len(t.games) == 1 {
		t.openMatch(t.games[0], "")
	}
}
