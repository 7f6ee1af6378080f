package home

import (
	"bytes"
	"encoding/json"
	"slices"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// terms are what the fields edit that choose what is played. In a quick match each can be any, which is the first answer of
// its field. newTerms is the constructor.
type terms struct {
	sh     *screen.Shell
	anyOf  bool // each answer may be any: a quick match
	bot    bool // against bots, without whom the minimum of players means nothing
	forTwo bool // of the numbers of seats only two is possible
	// isOfTournament reports that the terms are those of all games of a tournament.
	isOfTournament bool
	local          bool           // at one keyboard, where nobody waits for further players
	game           int            // index into Config.Games; game.Any
	position       engine.Options // of a game from a position; nil: the answers decide
	choices        []game.Choice
	answers        []int // index of the answer to each of choices; game.Any
	clock          int   // index into Config.Clocks, their number for a custom clock; game.Any
	custom         *widget.TextField
	mode           int // casual, rated; game.Any
	first          table.First
}

// Answers of the field Mode.
const (
	casual = iota
	rated
)

// newTerms returns the default answers of the first game for t, whose sh, anyOf, bot, forTwo, local and position are set.
func newTerms(t terms) terms {
	t.custom = widget.NewTextField(12, "15+10")
	t.setClock(&clock.Default)
	t.setGame(slices.Index(t.sh.Config.Games, t.sh.Visit.MainGame()))
	if t.position != nil {
		t.game, t.choices, t.answers = slices.IndexFunc(t.sh.Config.Games, func(g game.Game) bool { return g.Engine() == t.position.Game() }), nil, nil
	}
	return t
}

// options returns the options of the selected game.
func (t *terms) options() engine.Options {
	if t.position != nil {
		return t.position
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
	if t.position == nil {
		return t.sh.Config.Games[t.game].Options(t.answers)
	}
	raw, err := json.Marshal(t.position)
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

// clocks returns the clocks that the form offers: in a tournament no untimed games.
func (t *terms) clocks() []clock.Control {
	all := t.sh.Config.Clocks()
	if t.isOfTournament {
		all = slices.DeleteFunc(slices.Clone(all), clock.Control.IsUntimed)
	}
	return all
}

// setClock selects a clock; nil: any.
func (t *terms) setClock(c *clock.Control) {
	switch {
	case c == nil:
		t.clock = game.Any
	default:
		if t.clock = slices.Index(t.clocks(), *c); t.clock < 0 {
			t.clock = len(t.clocks())
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

// control returns the selected clock; nil: any, or a text that is none.
func (t *terms) control() *op.Clock {
	switch {
	case t.clock == game.Any:
		return nil
	case t.clock < len(t.clocks()):
		return (*op.Clock)(&t.clocks()[t.clock])
	}
	c, err := clock.Parse(t.custom.Text())
	if err != nil {
		return nil
	}
	return (*op.Clock)(&c)
}

// proposal returns what is selected, for a table.
func (t *terms) proposal() op.OpenArgs {
	g, isRated := t.sh.Config.Games[t.game], t.mode == rated
	p := op.OpenArgs{Game: g.Name(), Options: t.rawOptions(), Clock: t.control(), Rated: &isRated}
	if t.canChooseFirst() {
		p.First = t.first
	}
	return p
}

// wanted returns what is selected, for a quick match.
func (t *terms) wanted() op.QuickArgs {
	w := op.QuickArgs{Clock: t.control(), Remember: true}
	if t.game != game.Any {
		g := t.sh.Config.Games[t.game]
		w.Game = g.Name()
		if t.anyOf {
			w.Options = game.SomeOptions(g, t.answers)
		} else {
			w.Options = g.Options(t.answers)
		}
	}
	if t.mode != game.Any {
		isRated := t.mode == rated
		w.Rated = &isRated
	}
	return w
}

// anyField returns a field whose first answer is any if the form allows that.
func (t *terms) anyField(f screen.Field) screen.Field {
	if !t.anyOf {
		return f
	}
	set := f.Set
	f.Answers, f.Index, f.Set = append([]string{"any"}, f.Answers...), f.Index+1, func(n int) { set(n - 1) }
	return f
}

// rememberedFields are the fields of the game, the clock and the mode with the answers of the session's last table or
// challenge.
func (t *terms) rememberedFields() []screen.Field {
	fields := append(append(t.gameFields(), t.clockField()), t.modeFields()...)
	for i := range fields {
		fields[i].Remember = fields[i].Label + " of a table"
	}
	return fields
}

// anyHelp says what is played if a field is any: fallback, where the opponent accepts anything too.
func anyHelp(fallback string) string {
	return "What your opponent chose; if they accept any too, " + fallback + "."
}

// gameFields returns the fields of the game and its choices.
func (t *terms) gameFields() (fields []screen.Field) {
	if games := t.sh.Config.Games; len(games) > 1 {
		f := screen.Field{Label: "Game", Index: t.game, Set: t.setGame, Help: "What you want to play. ? has the rules."}
		if t.game == game.Any {
			f.Help = anyHelp(games[0].Engine().Title())
		}
		for _, g := range games {
			f.Answers = append(f.Answers, g.Engine().Title())
		}
		fields = append(fields, t.anyField(f))
	}
	for i, c := range t.choices {
		if !t.shows(i, c) {
			continue
		}
		help := c.Help
		if t.answers[i] == game.Any {
			help = anyHelp(c.Answers[t.pairedAnswers()[i]])
		}
		fields = append(fields, t.anyField(screen.Choice(c.Label, t.answersTo(i, c), &t.answers[i], help)))
	}
	return fields
}

// pairedAnswers returns the answers that a quick match plays where both players accept any: the defaults of the rules, which
// need not be those of a form.
func (t *terms) pairedAnswers() []int {
	g := t.sh.Config.Games[t.game]
	o, err := g.Engine().ParseOptions(nil)
	if err != nil {
		panic(err) // cannot happen: a game accepts its defaults
	}
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err) // cannot happen: options have a JSON form
	}
	return game.AnswersFor(g, raw, game.DefaultAnswers(t.choices, false))
}

// answersTo returns the answers that a choice has beside the other answers. How few players a game may start with has no
// numbers that mean all of them; an answer that was one of those is all.
func (t *terms) answersTo(i int, c game.Choice) []string {
	if !c.ForMany {
		return c.Answers
	}
	g, answers := t.sh.Config.Games[t.game], slices.Clone(t.answers)
	options := func(n int) json.RawMessage {
		answers[i] = n
		return g.Options(answers)
	}
	for n := 1; n < len(c.Answers); n++ {
		if bytes.Equal(options(n), options(0)) {
			if t.answers[i] >= n {
				t.answers[i] = 0
			}
			return c.Answers[:n]
		}
	}
	return c.Answers
}

// shows reports whether a choice means something in the form.
func (t *terms) shows(i int, c game.Choice) bool {
	switch {
	case t.isOfTournament:
		return t.isShownInTournaments(i)
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

// clockField returns the field of the clock.
func (t *terms) clockField() screen.Field {
	var answers []string
	for _, p := range t.clocks() {
		answers = append(answers, p.String())
	}
	f := screen.Choice("Clock", append(answers, "custom"), &t.clock, "")
	switch {
	case t.clock == game.Any:
		f.Help = anyHelp(clock.Default.String()) + " Never days."
	case t.clock == len(t.clocks()):
		f.Text, f.Help = t.custom, "Type minutes+seconds, such as 15+10, or days, such as 2d."
		_, f.Refused = clock.Parse(t.custom.Text())
	default:
		f.Help = clockHelp(t.clocks()[t.clock])
	}
	return t.anyField(f)
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

// modeFields returns the field of the mode; none for guests, who play casual games only.
func (t *terms) modeFields() []screen.Field {
	if t.isGuest() {
		return nil
	}
	help := "Rated games change all players' ratings."
	if t.mode == game.Any {
		help = "Rated if your opponent asks for it, otherwise casual."
	}
	return []screen.Field{t.anyField(screen.Choice("Mode", []string{"casual", "rated"}, &t.mode, help))}
}

// canChooseFirst reports whether the form can state who moves first: not in rated games, for fairness.
func (t *terms) canChooseFirst() bool { return t.mode == casual && t.seats() == 2 }

// firstFields returns the field of who moves first, the user or the opponent; none if it cannot be chosen.
func (t *terms) firstFields(opponent string) []screen.Field {
	if !t.canChooseFirst() {
		return nil
	}
	order := []table.First{table.FirstRandom, table.FirstOwner, table.FirstOpponent}
	return []screen.Field{{Label: "First move", Answers: []string{"random", "you", opponent},
		Index: slices.Index(order, t.first), Set: func(n int) { t.first = order[n] }, Help: t.firstHelp()}}
}

// firstHelp describes what it means to move first: which side that is, if the game names its sides.
func (t *terms) firstHelp() string {
	o := t.options()
	p := o.Game().New(o)
	return "Who moves first, and so plays " + t.sh.Config.Games[t.game].Side(p, p.Turn()) + "."
}

// shownGames returns the games whose rules the help page has.
func (t *terms) shownGames() []game.Game {
	if t.game == game.Any {
		return t.sh.Config.Games
	}
	return t.sh.Config.Games[t.game : t.game+1]
}

// beside returns what is shown beside the form: the board on which the game begins, where all answers to that are given,
// and what the game is about.
func (t *terms) beside() screen.Beside {
	games := t.shownGames()
	if len(games) != 1 {
		return screen.Beside{Title: "The games", Draw: func(c paint.Canvas) { drawGames(c, t.sh) }}
	}
	return screen.Beside{Title: t.title(), Draw: func(c paint.Canvas) {
		w, h := c.Size()
		y := t.drawBoard(c)
		for _, l := range widget.Wrap(games[0].Rules()[0], min(w-4, maxRuleColumns)) {
			if y < h {
				c.Text(2, y, t.sh.Style.Theme.Dim, l)
			}
			y++
		}
	}}
}

// title returns the name of what is played, as far as it is chosen.
func (t *terms) title() string {
	if slices.Contains(t.answers, game.Any) {
		return t.sh.Config.Games[t.game].Engine().Title()
	}
	title, _ := words.ListTitle(t.options())
	return title
}

// minRuleRows is the number of rows that are kept below a board for what the game is about.
const minRuleRows = 5

// drawBoard draws the board with which the game begins, and returns the row below it.
func (t *terms) drawBoard(c paint.Canvas) (y int) {
	if slices.Contains(t.answers, game.Any) {
		return 1
	}
	w, h := c.Size()
	b, o := t.sh.Config.Games[t.game].New(), t.options()
	b.Show(game.State{Position: o.Game().New(o), Seat: -1, Static: true})
	bw, bh, ok := b.Fit(w-2, h-minRuleRows)
	if !ok {
		return 1
	}
	b.Draw(c.Sub((w-bw)/2, 1, bw, bh), t.sh.Style)
	return bh + 2
}
