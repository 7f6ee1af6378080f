package home

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/tournament"
	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// tournamentForm are the answers of the form of a tournament. newTournamentForm is the constructor.
type tournamentForm struct {
	terms
	edited      *tournament.State // whose terms are changed, which keep their format; nil: a new tournament
	shownStart  string            // the text of its start
	choices     tournamentChoices
	name, start *widget.TextField
	format      int // index into formats
	rounds      int // 0: by the number of players
	twice       bool
	divisions   int // less one
	tableMax    int // index into tableSizes
	hasMore     bool
	checkIn     int // indices into choices
	pause       int
	firstTurn   int
	limit       int
	late        int
	min, max    *widget.TextField
	members     bool
	bots        bool
	ratings     [2]*widget.TextField // at least and at most
	games       *widget.TextField
	noVacation  bool
	absent      bool
	delay       int
}

// tournamentChoices are the answers of fields with numbers. Terms that are changed have their own ones among them.
type tournamentChoices struct {
	checkIns, pauses, firstTurns []int // seconds; of firstTurns zero is the default
	limits                       []int // hours; zero is the default
	lateRounds                   []int // -1 is the default
	delays                       []int // turns
	rounds, divisions            int   // the largest ones
}

// newTournamentChoices returns the answers of a new tournament.
func newTournamentChoices() tournamentChoices {
	const minute = 60
	return tournamentChoices{
		checkIns:   []int{0, 5 * minute, 10 * minute, 15 * minute, 30 * minute},
		pauses:     []int{0, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute},
		firstTurns: []int{0, 30, 60, 90, 120, 180, 300}, limits: []int{0, 1, 2, 3, 6, 24, 72, 168, 336, 720},
		lateRounds: []int{-1, 0, 1, 2, 3, 4, 5}, delays: slices.Clone(delayChoices), rounds: 12, divisions: 8,
	}
}

// choose returns the index of a number among the answers, to which it is added if it is not there.
func choose(answers *[]int, n int) int {
	i, ok := slices.BinarySearch(*answers, n)
	if !ok {
		*answers = slices.Insert(*answers, i, n)
	}
	return i
}

var tableSizes = []int{4, 5, 6}

// newTournamentForm returns the answers that suit an evening of a club.
func newTournamentForm(sh *screen.Shell) *tournamentForm {
	f := &tournamentForm{
		choices: newTournamentChoices(),
		name:    widget.NewTextField(tournament.MaxName, ""), start: widget.NewTextField(16, ""), pause: 1,
		min: widget.NewTextField(4, ""), max: widget.NewTextField(4, ""), games: widget.NewTextField(5, ""),
		ratings: [2]*widget.TextField{widget.NewTextField(5, ""), widget.NewTextField(5, "")},
	}
	f.terms = newTerms(terms{sh: sh, forTwo: true, isOfTournament: true})
	f.mode = rated
	return f
}

// OpenNewTournament shows the form of a new tournament. It says why a user may not make one.
func OpenNewTournament(sh *screen.Shell, _ dest.NewTournament) tea.Cmd {
	if err := sh.Visit.May(op.NewTournament.Info()); err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	f := newTournamentForm(sh)
	return screen.OpenForm(sh, func() screen.Form {
		return screen.Form{
			Title: "New tournament", Returns: true, Games: f.shownGames(), Beside: f.beside(),
			About:  "A tournament is open to players until it starts: when you start it, or at a time. Then it runs by itself: rounds are paired, games begin, and results count. You can give a round more time, decide a game that cannot be finished, or cancel it.",
			Fields: f.fields(),
			Send: screen.Action{Label: "create", Help: "create the tournament", Do: func(v *screen.FormScreen) tea.Cmd {
				return screen.Send(v, op.NewTournament, f.args(), func(r op.TournamentCreated) tea.Cmd {
					cmd := tea.Batch(v.Leave(), sh.Open(dest.Tournament{ID: r.Tournament}))
					text := "The tournament is open, and stands in everyone's lobby. Press : to start it, and y to play yourself."
					if f.startTime(time.Now()).IsZero() {
						sh.Notify("%s", text)
					} else {
						sh.Notify("The tournament is open, and stands in everyone's lobby. It starts by itself; press y to play yourself.")
					}
					return cmd
				})
			}},
		}
	})
}

// edit sets the answers to the terms of a tournament.
func (f *tournamentForm) edit(s *tournament.State) {
	t, c := &s.Terms, &f.choices
	f.edited, f.forTwo = s, t.Format != tournament.FormatTables
	for i, g := range f.sh.Config.Games {
		if g.Name() == t.Options.Game().Name() {
			f.setGame(i)
			f.answers = game.AnswersFor(g, t.Request().Options, f.answers)
		}
	}
	if !bytes.Equal(asJSON(f.options()), asJSON(t.Options)) { // which no answers lead to
		f.position = t.Options
	}
	names, _ := f.formats()
	f.format = slices.Index(names, t.Format)
	f.setClock(&t.Control)
	if f.mode = casual; t.Rated {
		f.mode = rated
	}
	f.name.Set(t.Name)
	if !t.Start.IsZero() {
		f.shownStart = t.Start.UTC().Format("2006-01-02 15:04")
		f.start.Set(f.shownStart)
	}
	f.rounds, c.rounds = t.Rounds, max(c.rounds, t.Rounds)
	f.twice, f.divisions, c.divisions = t.Legs == 2, t.Divisions-1, max(c.divisions, t.Divisions)
	f.tableMax = max(slices.Index(tableSizes, t.TableMax), 0)
	f.hasMore = true
	f.checkIn, f.pause = choose(&c.checkIns, int(t.CheckIn/time.Second)), choose(&c.pauses, int(t.Pause/time.Second))
	f.firstTurn, f.limit = choose(&c.firstTurns, int(t.FirstTurn/time.Second)), choose(&c.limits, int(t.Cap/time.Hour))
	f.late, f.delay = choose(&c.lateRounds, max(t.Late, -1)), choose(&c.delays, t.Delay)
	for _, n := range []struct {
		text *widget.TextField
		to   int
	}{{f.min, t.Min}, {f.max, t.Max}, {f.ratings[0], t.MinRating}, {f.ratings[1], t.MaxRating}, {f.games, t.MinGames}} {
		if n.to > 0 {
			n.text.Set(strconv.Itoa(n.to))
		}
	}
	f.members, f.bots, f.noVacation, f.absent = t.Members, t.Bots, !t.Vacation, t.Elsewhere == tournament.ElsewhereAbsent
}

func asJSON(o engine.Options) []byte {
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err) // cannot happen: options have a JSON form
	}
	return raw
}

// OpenEditTournament shows the form of the terms of a tournament, as they are.
func OpenEditTournament(sh *screen.Shell, d dest.EditTournament) tea.Cmd {
	s := sh.Session.Lobby().Tournaments.Known(d.ID)
	if s == nil || s.Phase != tournament.PhaseOpen {
		sh.NotifyFailure(&errcode.Error{Code: errcode.Closed, Message: "the terms can be changed until the check-in or the start"})
		return nil
	}
	f := newTournamentForm(sh)
	f.edit(s)
	return screen.OpenForm(sh, func() screen.Form {
		return screen.Form{
			Title: "Terms of " + s.Terms.Name, Returns: true, Games: f.shownGames(), Beside: f.beside(),
			About:  "The terms can be changed until the check-in or the start; the game and the format stay. Who has entered stays in the tournament and is told what has changed.",
			Fields: f.fields(),
			Send: screen.Action{Label: "change", Help: "change the terms", Do: func(v *screen.FormScreen) tea.Cmd {
				args := f.args()
				in := op.EditArgs{Tournament: op.TournamentID(s.ID), Terms: args.Terms, Name: args.Name}
				return screen.Send(v, op.EditTournament, in, func(done op.Done) tea.Cmd {
					cmd := v.Leave()
					sh.Notify("%s", string(done))
					return cmd
				})
			}},
		}
	})
}

// formats returns the formats of the selected game, and their titles.
func (f *tournamentForm) formats() (names []tournament.Format, titles []string) {
	names, titles = []tournament.Format{tournament.FormatSwiss, tournament.FormatRoundRobin}, []string{"swiss", "round robin"}
	if engine.SeatLimit(f.engine()) > 4 {
		names, titles = append(names, tournament.FormatTables), append(titles, "tables")
	}
	return names, titles
}

func (f *tournamentForm) engine() engine.Game { return f.sh.Config.Games[f.game].Engine() }

// selectedFormat returns the selected format.
func (f *tournamentForm) selectedFormat() tournament.Format {
	names, _ := f.formats()
	f.format = min(f.format, len(names)-1)
	return names[f.format]
}

// fields returns the fields: the usual ones, and the others once they are asked for.
func (f *tournamentForm) fields() []screen.Field {
	fields := []screen.Field{{Label: "Name", Text: f.name, TypesAll: true, Help: "At most 40 characters, such as Friday cup.", Refused: f.badName(), Arg: "name"}}
	gameFields := f.gameFields()
	_, titles := f.formats()
	format := screen.Choice("Format", titles, &f.format, formatHelp(f.selectedFormat()))
	format.Set = func(n int) {
		f.format = n
		if forTwo := f.selectedFormat() != tournament.FormatTables; f.forTwo != forTwo {
			f.forTwo = forTwo
			f.setGame(f.game)
		}
	}
	switch {
	case f.position != nil: // there are no answers to choose
	case f.edited != nil && len(f.sh.Config.Games) > 1:
		gameFields = gameFields[1:]
	case f.edited != nil:
	case len(f.sh.Config.Games) > 1:
		set := gameFields[0].Set
		gameFields[0].Set = func(n int) {
			set(n)
			names, _ := f.formats()
			format.Set(min(f.format, len(names)-1))
		}
		fields = append(fields, gameFields[0], format)
		gameFields = gameFields[1:]
	default:
		fields = append(fields, format)
	}
	fields = append(append(fields, gameFields...), f.timeField())
	fields = append(fields, f.modeFields()...)
	switch f.selectedFormat() {
	case tournament.FormatRoundRobin:
		fields = append(fields,
			screen.Toggle("Games", "one against each", "two against each", &f.twice, "Two: each has the first move once."),
			screen.Choice("Divisions", numbers(1, f.choices.divisions), &f.divisions, "Players are divided by rating, and play those of their division."))
	case tournament.FormatTables:
		fields = append(fields, f.roundsField(), screen.Choice("At a table", []string{"3 or 4", "3 to 5", "3 to 6"}, &f.tableMax, "Players at a table. Games of more take longer; five players sit at one table in any case."))
	default:
		fields = append(fields, f.roundsField())
	}
	fields = append(fields,
		screen.Field{Label: "Start", Text: f.start, Help: "Empty: you start it. Or a time in UTC: 20:00, 2026-12-24 18:00, or 2h from now.", Refused: f.badStart()})
	if f.edited == nil {
		fields = append(fields, screen.Toggle("Further terms", "usual", "choose", &f.hasMore, "Check-in, pauses, time limits, who may enter."))
	}
	if f.hasMore {
		fields = append(fields, f.moreFields()...)
	}
	return fields
}

// formatHelp describes a format in one line.
func formatHelp(f tournament.Format) string {
	switch f {
	case tournament.FormatRoundRobin:
		return "Everyone plays everyone: best for up to 8 players, or more in divisions."
	case tournament.FormatTables:
		return "In each round all sit at tables of three and more; from 5 players on."
	}
	return "Each round against someone with about the same points; any number of players."
}

// timeField is the field of the clock, without untimed games.
func (f *tournamentForm) timeField() screen.Field {
	field := f.clockField()
	if c := f.control(); c != nil && (*clock.Control)(c).IsUntimed() {
		field.Refused = refused("a tournament needs a clock, such as 10+10 or 2 days")
	}
	return field
}

func (f *tournamentForm) roundsField() screen.Field {
	return screen.Choice("Rounds", append([]string{"by players"}, numbers(1, f.choices.rounds)...), &f.rounds, "By players: enough for a clear winner, such as 3 for 4 players, 4 for 8, and 5 for 16.")
}

// moreFields are the fields with the terms that most tournaments leave alone.
func (f *tournamentForm) moreFields() []screen.Field {
	format, isLive := f.selectedFormat(), f.control() == nil || (*clock.Control)(f.control()).IsLive()
	all := []screen.Field{
		screen.Choice("Check-in", times(f.choices.checkIns, "none", true), &f.checkIn, "Players say before the start that they are here. Whoever does not is left out."),
		screen.Choice("Pause", times(f.choices.pauses, "none", true), &f.pause, "The time between two rounds."),
		screen.Choice("Round limit", hours(f.choices.limits), &f.limit, "Games that still run then are drawn. You can give a round more time."),
	}
	if isLive {
		all = append(all,
			screen.Choice("First turn", times(f.choices.firstTurns, "usual", false), &f.firstTurn, "Whoever makes no first turn in this time loses, unrated. Usual: 90 s at most."),
			screen.Toggle("In another game", "paired", "left out", &f.absent, "What a round does with a player who is in another live game when it begins."))
	} else {
		all = append(all, screen.Toggle("Vacations", "count", "do not count", &f.noVacation, "Whether vacations stop the clocks, at most until the end of the round."))
	}
	if format != tournament.FormatRoundRobin {
		answers := []string{"half of the rounds", "none"}
		for _, n := range f.choices.lateRounds[2:] {
			answers = append(answers, "until round "+strconv.Itoa(n))
		}
		all = append(all, screen.Choice("Late entry", answers, &f.late, "Who enters late gets half a point for each missed round, at most for two."))
	}
	number := func(label, help string, text *widget.TextField, arg string) screen.Field {
		return screen.Field{Label: label, Text: text, Help: help, Refused: badNumber(text), Arg: arg}
	}
	return append(all,
		number("Min players", "Without them it does not start. Empty: 3, at tables 5.", f.min, "min"),
		number("Max players", "Empty: 256.", f.max, "max"),
		screen.Toggle("Who", "everyone", "members of the club", &f.members, "Who may enter."),
		screen.Toggle("Bots", "no", "may enter", &f.bots, "Whether accounts played by programs may enter."),
		number("Rating from", "Empty: any.", f.ratings[0], "min_rating"),
		number("Rating up to", "The highest rating of 90 days counts. Empty: any.", f.ratings[1], "max_rating"),
		number("Rated games", "How many a player must have finished. Empty: none.", f.games, "min_games"),
		delayFieldOf(f.choices.delays, &f.delay))
}

// numbers returns the numbers from one to another as answers.
func numbers(from, to int) (all []string) {
	for n := from; n <= to; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// times returns answers in seconds, or in minutes where they are complete; zero is none.
func times(values []int, none string, inMinutes bool) (all []string) {
	for _, n := range values {
		switch {
		case n == 0:
			all = append(all, none)
		case inMinutes && n%60 == 0:
			all = append(all, fmt.Sprintf("%d min", n/60))
		default:
			all = append(all, fmt.Sprintf("%d s", n))
		}
	}
	return all
}

// hours returns hours as answers, and days where they are complete.
func hours(values []int) (all []string) {
	for _, n := range values {
		switch {
		case n == 0:
			all = append(all, "usual")
		case n%24 == 0:
			all = append(all, words.Plural(n/24, "day"))
		default:
			all = append(all, fmt.Sprintf("%d h", n))
		}
	}
	return all
}

func refused(text string) error { return &errcode.Error{Code: errcode.BadRequest, Message: text} }

func (f *tournamentForm) badName() error {
	if strings.TrimSpace(f.name.Text()) == "" {
		return refused("a tournament needs a name; type one")
	}
	return nil
}

// badNumber returns why a text is not a number; empty is the default.
func badNumber(text *widget.TextField) error {
	if _, err := strconv.Atoi(text.Text()); err != nil && text.Text() != "" {
		return refused("type a number, or leave it empty")
	}
	return nil
}

func numberOf(text *widget.TextField) int {
	n, _ := strconv.Atoi(text.Text()) // badNumber refuses others
	return n
}

// parseStart parses the time of the start: the zero time for none, a time of day, or what admin.ParseTime takes.
func parseStart(text string, now time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse("15:04", text); err == nil {
		now = now.UTC()
		start := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
		if !start.After(now) {
			start = start.AddDate(0, 0, 1)
		}
		return start, nil
	}
	at, err := admin.ParseTime(text, now)
	if err != nil || !at.After(now) {
		return time.Time{}, refused("type a time to come, such as 20:00, 2026-12-24 18:00 or 2h, or nothing")
	}
	return at.Truncate(time.Second), nil
}

func (f *tournamentForm) badStart() error {
	_, err := parseStart(f.start.Text(), time.Now())
	return err
}

func (f *tournamentForm) startTime(now time.Time) time.Time {
	if f.edited != nil && f.start.Text() == f.shownStart { // which may have seconds
		return f.edited.Terms.Start
	}
	at, _ := parseStart(f.start.Text(), now) // badStart refuses others
	return at
}

// args returns what is sent.
func (f *tournamentForm) args() op.NewTournamentArgs {
	format := f.selectedFormat()
	c := &f.choices
	isRated, pause, checkIn := f.mode == rated, c.pauses[f.pause], c.checkIns[f.checkIn]
	t := op.TournamentTerms{
		Game: f.engine().Name(), Options: f.rawOptions(), Clock: (*clock.Control)(f.control()), Rated: &isRated, Delay: c.delays[f.delay],
		Start: f.startTime(time.Now()), Pause: &pause, FirstTurn: c.firstTurns[f.firstTurn], Cap: c.limits[f.limit],
		Min: numberOf(f.min), Max: numberOf(f.max), Members: f.members, Bots: f.bots,
		MinRating: numberOf(f.ratings[0]), MaxRating: numberOf(f.ratings[1]), MinGames: numberOf(f.games),
	}
	if f.checkIn > 0 || f.hasMore {
		t.CheckIn = &checkIn
	}
	if format != tournament.FormatRoundRobin {
		t.Rounds = f.rounds
		if late := c.lateRounds[f.late]; late >= 0 {
			t.Late = &late
		}
	} else {
		t.Divisions = f.divisions + 1
		if t.Legs = 1; f.twice {
			t.Legs = 2
		}
	}
	name := string(format)
	if format == tournament.FormatTables {
		t.TableMax, name = tableSizes[f.tableMax], f.engine().Name()+"_"+name
	}
	if f.noVacation {
		t.Vacation = new(false)
	}
	if f.absent {
		t.Elsewhere = tournament.ElsewhereAbsent
	}
	return op.NewTournamentArgs{Format: name, Name: strings.TrimSpace(f.name.Text()), Terms: t}
}

// isShownInTournaments reports whether a choice means something in a tournament: neither a handicap or a start position, nor the
// number of seats.
func (t *terms) isShownInTournaments(i int) bool {
	c := t.choices[i]
	return !c.NeverRated && !c.ForMany && !t.setsSeats(i, c)
}
