package newtable

import (
	"encoding/json"
	"slices"
	"strconv"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// terms are the rows that choose what is played. In a quick match each can be any, which is the first answer of
// its row. newTerms is the constructor.
type terms struct {
	sh      *screen.Shell
	anyOf   bool           // each answer may be any: a quick match
	bot     bool           // against bots, without whom the minimum of players means nothing
	forTwo  bool           // of the numbers of seats only two is possible
	local   bool           // at one keyboard, where nobody waits for further players
	game    int            // index into Config.Games; game.Any
	start   engine.Options // of a game from a position; nil: the answers decide
	choices []game.Choice
	answers []int // index of the answer to each of choices; game.Any
	clock   int   // index into Config.Clocks, their number for a custom clock; game.Any
	custom  widget.TextField
	mode    int // casual, rated; game.Any
	first   table.First
}

// Answers of the row Mode.
const (
	casual = iota
	rated
)

// newTerms returns the default answers of the first game for t, whose sh, anyOf, bot, forTwo, local and start are set.
func newTerms(t terms) terms {
	t.custom = widget.TextField{Limit: 12}
	t.custom.Set("15+10")
	t.setClock(&clock.Default)
	t.setGame(0)
	if t.start != nil {
		t.game, t.choices, t.answers = slices.IndexFunc(t.sh.Config.Games, func(g game.Game) bool { return g.Engine() == t.start.Game() }), nil, nil
	}
	return t
}

// options returns the options of the selected game.
func (t *terms) options() engine.Options {
	if t.start != nil {
		return t.start
	}
	g := t.sh.Config.Games[t.game]
	o, err := g.Engine().ParseOptions(g.Options(t.answers))
	if err != nil {
		panic(err) // cannot happen: a game accepts its own options
	}
	return o
}

// rawOptions returns the options of the selected game in their JSON form.
func (t *terms) rawOptions() json.RawMessage {
	if t.start == nil {
		return t.sh.Config.Games[t.game].Options(t.answers)
	}
	raw, err := json.Marshal(t.start)
	if err != nil {
		panic(err) // cannot happen: options have a JSON form
	}
	return raw
}

// setGame selects a game with its default answers.
func (t *terms) setGame(n int) {
	t.game, t.choices, t.answers = n, nil, nil
	if n == game.Any {
		return
	}
	t.choices = t.sh.Config.Games[n].Choices()
	t.answers = game.DefaultAnswers(t.choices, t.bot)
	for i, c := range t.choices {
		switch {
		case t.anyOf:
			t.answers[i] = game.Any
		case t.forTwo:
			t.answers[i] = t.answerForTwo(i, c)
		}
	}
}

// answerForTwo returns the answer to a choice: its default, unless another one makes a game for two.
func (t *terms) answerForTwo(i int, c game.Choice) int {
	if t.seatsWith(i, t.answers[i]) == 2 {
		return t.answers[i]
	}
	for n := range c.Answers {
		if t.seatsWith(i, n) == 2 {
			return n
		}
	}
	return t.answers[i]
}

// seatsWith returns the number of seats with answer n to choice i.
func (t *terms) seatsWith(i, n int) int {
	answers := slices.Clone(t.answers)
	answers[i] = n
	g := t.sh.Config.Games[t.game]
	o, err := g.Engine().ParseOptions(g.Options(answers))
	if err != nil {
		return 0
	}
	_, limit := o.Seats()
	return limit
}

// seats returns the number of seats; 0 if it may be any.
func (t *terms) seats() int {
	if t.game == game.Any || slices.Contains(t.answers, game.Any) {
		return 0
	}
	_, limit := t.options().Seats()
	return limit
}

// setClock selects a clock; nil: any.
func (t *terms) setClock(c *clock.Control) {
	switch {
	case c == nil:
		t.clock = game.Any
	default:
		if t.clock = slices.Index(t.sh.Config.Clocks(), *c); t.clock < 0 {
			t.clock = len(t.sh.Config.Clocks())
			t.custom.Set(c.String())
		}
	}
}

// use selects what a user wanted earlier, as far as it is still possible.
func (t *terms) use(w op.Wanted) {
	t.setGame(0)
	if t.anyOf && w.Game == "" {
		t.setGame(game.Any)
	}
	for i, g := range t.sh.Config.Games {
		if g.Name() == w.Game {
			t.setGame(i)
			t.answers = game.AnswersFor(g, w.Options, t.answers)
		}
	}
	if c := w.Control(); c != nil || t.anyOf {
		t.setClock(c)
	}
	switch {
	case w.Rated != nil && *w.Rated && !t.isGuest():
		t.mode = rated
	case w.Rated != nil || !t.anyOf || t.isGuest():
		t.mode = casual
	default:
		t.mode = game.Any
	}
}

func (t *terms) isGuest() bool { return t.sh.Session.Account().IsGuest() }

// control returns the selected clock; nil: any.
func (t *terms) control() (*op.Clock, error) {
	switch {
	case t.clock == game.Any:
		return nil, nil
	case t.clock < len(t.sh.Config.Clocks()):
		return (*op.Clock)(&t.sh.Config.Clocks()[t.clock]), nil
	}
	c, err := clock.Parse(t.custom.Text())
	return (*op.Clock)(&c), err
}

// proposal returns what is selected, for a table.
func (t *terms) proposal() (op.OpenArgs, error) {
	control, err := t.control()
	g, isRated := t.sh.Config.Games[t.game], t.mode == rated
	p := op.OpenArgs{Game: g.Name(), Options: t.rawOptions(), Clock: control, Rated: &isRated}
	if t.canChooseFirst() {
		p.First = t.first
	}
	return p, err
}

// wanted returns what is selected, for a quick match.
func (t *terms) wanted() (w op.QuickArgs, err error) {
	w.Remember = true
	if t.game != game.Any {
		g := t.sh.Config.Games[t.game]
		w.Game = g.Name()
		if w.Options = json.RawMessage(nil); t.anyOf {
			w.Options = game.SomeOptions(g, t.answers)
		} else {
			w.Options = g.Options(t.answers)
		}
	}
	if t.mode != game.Any {
		isRated := t.mode == rated
		w.Rated = &isRated
	}
	w.Clock, err = t.control()
	return w, err
}

// anyRow returns a row whose first answer is any if the form allows that.
func (t *terms) anyRow(r widget.FormRow) widget.FormRow {
	if !t.anyOf {
		return r
	}
	set := r.Set
	r.Answers, r.Index, r.Set = append([]string{"any"}, r.Answers...), r.Index+1, func(n int) { set(n - 1) }
	return r
}

// gameRows returns the rows of the game and its choices.
func (t *terms) gameRows() (rows []widget.FormRow) {
	if games := t.sh.Config.Games; len(games) > 1 {
		r := widget.FormRow{Label: "Game", Index: t.game, Set: t.setGame, Help: "What you want to play. ? has the rules."}
		for _, g := range games {
			r.Answers = append(r.Answers, g.Engine().Title())
		}
		rows = append(rows, t.anyRow(r))
	}
	for i, c := range t.choices {
		if t.shows(i, c) {
			r := widget.FormRow{Label: c.Label, Answers: c.Answers, Index: t.answers[i], Set: func(n int) { t.answers[i] = n }, Help: c.Help}
			rows = append(rows, t.anyRow(r))
		}
	}
	return rows
}

// shows reports whether a choice means something in the form.
func (t *terms) shows(i int, c game.Choice) bool {
	switch {
	case t.anyOf:
		return c.Option != "" && !c.ForMany && !c.NeverRated
	case c.ForMany:
		return !t.bot && !t.forTwo && !t.local && t.seats() > 2
	}
	return !t.forTwo || !t.setsSeats(i, c)
}

// setsSeats reports whether a choice decides the number of seats.
func (t *terms) setsSeats(i int, c game.Choice) bool {
	return t.seatsWith(i, 0) != t.seatsWith(i, len(c.Answers)-1)
}

// clockRow returns the row of the clock.
func (t *terms) clockRow() widget.FormRow {
	r := widget.FormRow{Label: "Clock", Index: t.clock, Set: func(n int) { t.clock = n }}
	for _, p := range t.sh.Config.Clocks() {
		r.Answers = append(r.Answers, p.String())
	}
	r.Answers = append(r.Answers, "custom")
	switch {
	case t.clock == game.Any:
		r.Help = "Any clock but days."
	case t.clock == len(t.sh.Config.Clocks()):
		r.Field = &t.custom
		r.Help = "Type minutes+seconds, such as 15+10, or days, such as 2d."
	default:
		r.Help = clockHelp(t.sh.Config.Clocks()[t.clock])
	}
	return t.anyRow(r)
}

// clockHelp describes a clock in one line.
func clockHelp(c clock.Control) string {
	switch {
	case c.IsUntimed():
		return "Every player may think as long as they like."
	case c.Days > 0:
		return c.String() + " for each turn. The game goes on while you are away."
	}
	return c.String() + ": " + words.Plural(int(c.Initial.Minutes()), "minute") + " for each player, plus " +
		words.Plural(int(c.Increment.Seconds()), "second") + " per turn."
}

// modeRows returns the row of the mode; none for guests, who play casual games only.
func (t *terms) modeRows() []widget.FormRow {
	if t.isGuest() {
		return nil
	}
	r := widget.FormRow{Label: "Mode", Answers: []string{"casual", "rated"}, Index: t.mode, Set: func(n int) { t.mode = n },
		Help: "Rated games change all players' ratings."}
	if t.mode == game.Any {
		r.Help = "Rated if your opponent asks for it, otherwise casual."
	}
	return []widget.FormRow{t.anyRow(r)}
}

// canChooseFirst reports whether the form can state who moves first: not in rated games, for fairness.
func (t *terms) canChooseFirst() bool { return t.mode == casual && t.seats() == 2 }

// firstRows returns the row of who moves first, the user or the opponent; none if it cannot be chosen.
func (t *terms) firstRows(opponent string) []widget.FormRow {
	if !t.canChooseFirst() {
		return nil
	}
	order := []table.First{table.FirstRandom, table.FirstOwner, table.FirstOpponent}
	return []widget.FormRow{{Label: "First move", Answers: []string{"random", "you", opponent},
		Index: slices.Index(order, t.first), Set: func(n int) { t.first = order[n] }, Help: t.firstHelp()}}
}

// firstHelp describes what it means to move first: which side that is, if the game names its sides.
func (t *terms) firstHelp() string {
	o := t.options()
	p := o.Game().New(o)
	return "Who moves first, and so plays " + t.sh.Config.Games[t.game].Side(p, p.Turn()) + "."
}

// shownGames implements content.
func (t *terms) shownGames() []game.Game {
	if t.game == game.Any {
		return t.sh.Config.Games
	}
	return t.sh.Config.Games[t.game : t.game+1]
}

// delayChoices are the offered spectator delays, in turns.
var delayChoices = []int{0, 1, 2, 3, 5, 10, table.MaxDelay}

// delayRow returns the row of the spectator delay; delay is an index into delayChoices.
func delayRow(delay *int) widget.FormRow {
	r := widget.FormRow{Label: "Spectator delay", Index: *delay, Set: func(n int) { *delay = n },
		Help: "Spectators see the game this many turns late, so that they cannot help a player."}
	for _, n := range delayChoices {
		text := words.Plural(n, "turn")
		switch {
		case n == 0:
			text = "none"
		case n > 1:
			text = strconv.Itoa(n)
		}
		r.Answers = append(r.Answers, text)
	}
	return r
}
