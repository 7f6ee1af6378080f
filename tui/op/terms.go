package op

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// Clock is the clock of a game.
type Clock clock.Control

// Kind implements Kind.
func (*Clock) Kind() string { return "clock" }

// ParseWord implements Kind.
func (c *Clock) ParseWord(_ *Visit, word string) error {
	control, err := clock.Parse(word)
	*c = Clock(control)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Clock) UnmarshalJSON(raw []byte) error {
	var known struct {
		Initial   json.RawMessage `json:"initial"`
		Increment json.RawMessage `json:"increment"`
		Days      json.RawMessage `json:"days"`
	}
	if err := refusedField("clock", raw, &known); err != nil {
		return err
	}
	return (*clock.Control)(c).UnmarshalJSON(raw)
}

// refusedField returns the error about the first field of a JSON object that a struct does not have; nil if there is none.
func refusedField(name string, raw []byte, in any) error {
	if e, ok := errors.AsType[*errcode.Error](UnmarshalStrict(name, raw, in)); ok {
		return e
	}
	return nil
}

// checkOptions returns the error about the first of some options that the game does not have; nil if there is none.
func (v *Visit) checkOptions(name string, options json.RawMessage) error {
	g, err := v.Lobby.Game(name)
	if err != nil || len(options) == 0 {
		return nil // the lobby says that there is no such game
	}
	o, err := g.ParseOptions(nil)
	if t := reflect.TypeOf(o); err == nil && t.Kind() == reflect.Struct {
		return refusedField("options", options, reflect.New(t).Interface())
	}
	return nil
}

// QuickArgs are the arguments of Quick. What is nil or "" may be anything.
type QuickArgs struct {
	Game    string          `json:"game" arg:"[GAME|any]" help:"by default the first game, if anything else is typed"`
	Options json.RawMessage `json:"options" arg:"[SIZE]" help:"for example 9x9 or 4x2"`
	Clock   *Clock          `json:"clock" arg:"[CLOCK]" help:"minutes and seconds such as 10+5, days such as 3d, or none"`
	Rated   *bool           `json:"rated" arg:"[rated|casual]"`
	// Remember makes it the user's last quick match.
	Remember bool `json:"-"`
}

// OpenResult is a table that was opened.
type OpenResult struct {
	Table string `json:"table"`
	Code  string `json:"code,omitempty"` // of a private table
	// View is its state.
	View *table.View `json:"-"`
}

// openTable opens a table, or requests a quick match.
func (v *Visit) openTable(ctx context.Context, p table.Proposal) (OpenResult, error) {
	if err := v.checkOptions(p.Game, p.Options); err != nil {
		return OpenResult{}, err
	}
	t, err := v.Session.OpenTable(ctx, p)
	if err != nil {
		return OpenResult{}, err
	}
	return OpenResult{t.ID, t.Code(v.User().ID), t}, nil
}

// Quick requests a quick match.
var Quick = New(Spec[QuickArgs, OpenResult]{
	Info: Info{Name: "quick", Help: "find an opponent, or cancel the search; what you leave out matches anything; quick alone repeats your last search", Group: GroupFind, Effect: Changes,
		On: On{SSH: Not(needsASession), Screen: As("lobby p")}},
	Confirm: func(v *Visit, _ QuickArgs) (string, error) {
		if v.QuickRequest(v.Lobby.View()) != nil {
			return "", &errcode.Error{Code: errcode.NotAllowed, Message: "you are already looking for an opponent; quick alone cancels the search"}
		}
		return "", nil
	},
	Run: func(ctx context.Context, v *Visit, in QuickArgs) (OpenResult, error) {
		r, err := v.openTable(ctx, table.Proposal{Game: in.Game, Options: in.Options, Clock: (*clock.Control)(in.Clock), Rated: in.Rated, Quick: true})
		if err == nil && in.Remember {
			w := in.wanted()
			v.changeLastChoices(ctx, func(last *lastChoices) { last.Quick = &w })
		}
		return r, err
	},
	Text: func(_ *Visit, _ QuickArgs, r OpenResult) Text {
		return Say("Looking for an opponent. You accept: %s. The game starts as soon as one is found; quick again cancels the search.", words.QuickMatch(r.View))
	},
})

func (in *QuickArgs) wanted() Wanted {
	return Wanted{in.Game, in.Options, WantedClock((*clock.Control)(in.Clock)), in.Rated}
}

// parseWords implements wordParser. Without words it is the quick match that was wanted last.
func (in *QuickArgs) parseWords(v *Visit, words []string) error {
	if len(words) == 0 {
		w := v.LastQuick()
		*in = QuickArgs{w.Game, w.Options, (*Clock)(w.Control()), w.Rated, true}
		return nil
	}
	t, err := parseTerms(v.Games, words, quickWords, ratedOptions)
	if err != nil {
		return err
	}
	*in = QuickArgs{Clock: t.clock, Rated: t.rated, Remember: true}
	if !t.anyGame || t.game != nil {
		g := t.orDefault(v.Games)
		in.Game, in.Options = g.Name(), game.SomeOptions(g, t.answers)
	}
	return nil
}

// OpenArgs are the arguments of Open.
type OpenArgs struct {
	Game    string          `json:"game" arg:"[GAME]" api:"required"`
	Options json.RawMessage `json:"options" arg:"[SIZE] [here]" help:"for example 9x9, or after GAME 4x2 for four players with two segments each; also options such as pie=off or handicap=2; here: start from the position that is shown"`
	Clock   *Clock          `json:"clock" arg:"[CLOCK]" help:"minutes and seconds such as 10+5, days such as 3d, or none"`
	Rated   *bool           `json:"rated" arg:"[rated|casual]"`
	Private bool            `json:"private" arg:"private" help:"open only to those who have its code"`
	Delay   int             `json:"delay" arg:"delay=TURNS" help:"how many turns late the game is shown to spectators"`
	First   table.First     `json:"first" arg:"first=me|other|random" help:"who moves first in a casual game of two"`
	To      string          `json:"to" arg:"[to NAME]" help:"challenge this player"`
}

// Open opens a table or challenges a user.
var Open = New(Spec[OpenArgs, OpenResult]{
	Info: Info{Name: "open", Help: "open a table or challenge a player, for example with 9x9 10+5, or with 9x9 handicap=2 first=other", Group: GroupFind, Effect: Changes, Session: true,
		On: On{Line: As("new"), Screen: As("lobby n", "lobby c", "profile c")}},
	Run: func(ctx context.Context, v *Visit, in OpenArgs) (OpenResult, error) {
		p := table.Proposal{Game: in.Game, Options: in.Options, Clock: (*clock.Control)(in.Clock), Rated: in.Rated, Private: in.Private, To: in.To, Delay: in.Delay, First: in.First}
		if v.Session.IsCommand() && (p.Clock == nil || !p.Clock.IsCorrespondence()) {
			return OpenResult{}, &errcode.Error{Code: errcode.NotAllowed, Message: "the table would close when this command ends; choose a clock with days, such as 3d, or use a terminal: ssh -t " + v.SSHTarget}
		}
		return v.openTable(ctx, p)
	},
	Text: func(v *Visit, _ OpenArgs, r OpenResult) Text {
		id := ""
		if v.Session.IsCommand() { // what follows is typed with the id; a session has numbers
			id = r.View.ID + ", "
		}
		return Say("Open: %s%s. %s", id, v.DescribeTable(r.View), startCondition(r.View))
	},
})

// parseWords implements wordParser. What is not named has the default of the form.
func (in *OpenArgs) parseWords(v *Visit, words []string) (err error) {
	t, err := parseTerms(v.Games, words, tableWords, allOptions)
	if err != nil {
		return err
	}
	g, control := t.orDefault(v.Games), Clock(clock.Default)
	*in = OpenArgs{g.Name(), t.options(g, game.DefaultAnswers(g.Choices(), false)), cmp.Or(t.clock, &control), t.rated, t.private, t.delay, t.first, t.to}
	if t.here {
		in.Game, in.Options, err = v.optionsHere()
	}
	return err
}

// BotLevel is a level of the built-in players, bots.MinLevel to bots.Adaptive. In words it is also the name of a bot, which
// is the only way to name the adaptive one there.
type BotLevel int

// orDefault returns the level, or DefaultBotLevel for nil.
func (l *BotLevel) orDefault() int {
	if l == nil {
		return DefaultBotLevel
	}
	return int(*l)
}

// UnmarshalJSON implements json.Unmarshaler. Programs have the field adapts for the adaptive bot.
func (l *BotLevel) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, (*int)(l)); err != nil {
		return err
	}
	if *l < bots.MinLevel || *l > bots.MaxLevel {
		return badRequest("a level is %d to %d", bots.MinLevel, bots.MaxLevel)
	}
	return nil
}

// Kind implements Kind.
func (*BotLevel) Kind() string { return "level" }

// ParseWord implements Kind.
func (l *BotLevel) ParseWord(v *Visit, word string) error {
	if v.Bots == nil {
		return errNoBots
	}
	for level := bots.MinLevel; level <= bots.Adaptive; level++ {
		if level < bots.Adaptive && word == strconv.Itoa(level) || strings.EqualFold(word, v.Bots.Name(level)) {
			*l = BotLevel(level)
			return nil
		}
	}
	var names []string
	for level := bots.MinLevel; level <= bots.Adaptive; level++ {
		names = append(names, strings.ToLower(v.Bots.Name(level)))
	}
	return badRequest("there is no bot %s%s; %s", sanitize.Line(word, 20), didYouMean(strings.ToLower(word), names), v.botList())
}

// botList lists the levels and names of the bots.
func (v *Visit) botList() string {
	var list []string
	for level := bots.MinLevel; level <= bots.MaxLevel; level++ {
		list = append(list, fmt.Sprintf("%d %s", level, v.Bots.Name(level)))
	}
	return "the bots are " + strings.Join(list, ", ") + " and " + v.Bots.Name(bots.Adaptive) + ", which adapts to you"
}

// BotArgs are the arguments of Bot.
type BotArgs struct {
	Level   *BotLevel       `json:"level" arg:"[LEVEL]" help:"0 to 5, or the name of a bot; by default that of your last game"`
	Adapts  bool            `json:"adapts"` // instead of a level
	Game    string          `json:"game" arg:"[GAME]" api:"required"`
	Options json.RawMessage `json:"options" arg:"[SIZE] [here]" help:"as for a table"`
	Clock   *Clock          `json:"clock" arg:"[CLOCK]" help:"minutes and seconds such as 10+5, days such as 3d, or none"`
	Rated   *bool           `json:"rated" arg:"[rated|casual]"`
	Private bool            `json:"private" arg:"private" help:"only those who have its code can watch"`
	Delay   int             `json:"delay" arg:"delay=TURNS" help:"how many turns late the game is shown to spectators"`
	First   table.First     `json:"first" arg:"first=me|other|random" help:"who moves first in a casual game of two"`
	// Remember makes it the user's last game against a bot. Then First is random where it cannot be chosen.
	Remember bool `json:"-"`
}

// Bot starts a match against built-in players, as many as there are other seats.
var Bot = New(Spec[BotArgs, StartResult]{
	Info: Info{
		Name:    "bot",
		Help:    "play a bot; levels are 0 to 5, of which 0 is casual only, for example: bot 2 7x7; bot 3 here starts from the position that is shown; bot alone starts another game like your last",
		Group:   GroupFind,
		Effect:  Changes,
		Offline: true,
		On:      On{SSH: Not(opensAGame), Screen: As("lobby b")},
	},
	Run: func(ctx context.Context, v *Visit, in BotArgs) (r StartResult, err error) {
		if v.Bots == nil {
			return r, errNoBots
		}
		if err := v.checkOptions(in.Game, in.Options); err != nil {
			return r, err
		}
		p := table.Proposal{Game: in.Game, Options: in.Options, Clock: (*clock.Control)(in.Clock), Rated: in.Rated, Private: in.Private, Delay: in.Delay, First: in.First}
		if in.Remember {
			rules, err := v.Lobby.Game(p.Game)
			if err != nil {
				return r, err
			}
			if n, err := p.Seats(rules); err == nil && n != 2 || p.Rated != nil && *p.Rated {
				p.First = table.FirstRandom
			}
			g := BotGame{Wanted{in.Game, in.Options, WantedClock(cmp.Or(p.Clock, &clock.Control{})), in.Rated}, in.level(), in.First}
			v.changeLastChoices(ctx, func(last *lastChoices) { last.Bot = &g })
		}
		r.Match, err = v.Bots.Play(ctx, v.Session, in.level(), p)
		return r, err
	},
	Text:  func(v *Visit, _ BotArgs, r StartResult) Text { return r.text(v) },
	Opens: StartResult.opens,
})

// args returns the arguments of Bot for a game.
func (g *BotGame) args() BotArgs {
	level := BotLevel(g.Level)
	return BotArgs{Level: &level, Game: g.Game, Options: g.Options, Clock: (*Clock)(g.Control()), Rated: g.Rated, First: g.First, Remember: true}
}

// level returns the level that the arguments name.
func (in *BotArgs) level() int {
	if in.Adapts {
		return bots.Adaptive
	}
	return in.Level.orDefault()
}

// parseWords implements wordParser. Without words but the level it is the last game against a bot; otherwise what is
// not named has the default of the form, without a clock.
func (in *BotArgs) parseWords(v *Visit, words []string) error {
	if v.Bots == nil {
		return errNoBots
	}
	last := v.LastBotGame()
	level := BotLevel(last.Level)
	if len(words) > 0 {
		if err := level.ParseWord(v, words[0]); err == nil {
			words = words[1:]
		} else if _, notNumber := strconv.Atoi(words[0]); notNumber == nil {
			return err
		}
	}
	if len(words) == 0 {
		*in = last.args()
		in.Level = &level
		return nil
	}
	t, err := parseTerms(v.Games, words, botWords, allOptions)
	if err != nil {
		return badRequest("%v; %s", err, v.botList())
	}
	g := t.orDefault(v.Games)
	*in = BotArgs{&level, false, g.Name(), t.options(g, game.DefaultAnswers(g.Choices(), true)), t.clock, t.rated, t.private, t.delay, t.first, !t.here}
	if t.here {
		in.First = cmp.Or(in.First, table.FirstOwner)
		in.Game, in.Options, err = v.optionsHere()
	}
	return err
}

// optionsHere returns the game that begins with the position that is shown.
func (v *Visit) optionsHere() (name string, options json.RawMessage, err error) {
	if v.Here == nil {
		return "", nil, &errcode.Error{Code: errcode.NotAllowed, Message: "no position is shown"}
	}
	o, err := v.Here()
	if err != nil {
		return "", nil, err
	}
	options, err = json.Marshal(o)
	return o.Game().Name(), options, err
}

// Words of the operations for a game, as people are told of them, beside the game, its options and the clock.
var (
	quickWords = []string{"any", "rated", "casual"}
	botWords   = []string{"rated", "casual", "private", "here", "delay=TURNS", "first=me", "first=other"}
	tableWords = append(slices.Clip(botWords), "to NAME")
)

// proposed is which options of a game errors propose.
type proposed int

const (
	allOptions   proposed = iota
	ratedOptions          // all but those with which games are never rated, which whoever takes the terms refuses with the reason
)

// termKey returns the beginning of a word for a game by which it is known: "delay=", "to".
func termKey(word string) string {
	word, _, _ = strings.Cut(word, " ")
	if key, _, hasValue := strings.Cut(word, "="); hasValue {
		return key + "="
	}
	return word
}

// typedTerms are the words for a game: "9x9 10+5 rated to bob". What they do not name is nil, 0 or game.Any.
type typedTerms struct {
	game    game.Game
	answers []int // to the choices of game, or of the default game
	clock   *Clock
	rated   *bool
	private bool
	to      string
	delay   int
	first   table.First
	anyGame bool // the word any instead of a game
	here    bool // from the position that is shown
}

// parseTerms parses the words for a game, of which known are possible.
func parseTerms(games game.List, list, known []string, options proposed) (typedTerms, error) {
	var t typedTerms
	for i := range list {
		list[i] = strings.ToLower(list[i])
	}
	if len(list) > 0 {
		if g, ok := games.ByName(list[0]); ok {
			t.game, list = g, list[1:]
		} else if list[0] == "any" && slices.Contains(known, "any") {
			t.anyGame, list = true, list[1:]
		}
	}
	choices := t.orDefault(games).Choices()
	t.answers = make([]int, len(choices))
	for i := range t.answers {
		t.answers[i] = game.Any
	}
	answers := typedAnswers{choices, t.answers}
	for i := 0; i < len(list); i++ {
		word := list[i]
		key := termKey(word)
		value := strings.TrimPrefix(word, key)
		if !slices.ContainsFunc(known, func(k string) bool { return termKey(k) == key }) {
			key = "" // an option or a clock
		}
		switch {
		case key == "rated" || key == "casual":
			rated := key == "rated"
			t.rated = &rated
		case key == "here":
			t.here = true
		case key == "private":
			t.private = true
		case key == "to" && i+1 < len(list):
			i++
			t.to = list[i]
		case key == "delay=":
			turns, err := strconv.Atoi(value)
			if err != nil || turns < 0 || turns > table.MaxDelay {
				return t, badRequest("the spectator delay is 0 to %d turns", table.MaxDelay)
			}
			t.delay = turns
		case key == "first=":
			first, ok := map[string]table.First{"me": table.FirstOwner, "other": table.FirstOpponent, "random": table.FirstRandom}[value]
			if !ok {
				return t, badRequest("who moves first is first=me, first=other or first=random")
			}
			t.first = first
		case answers.set(word):
			t.game = t.orDefault(games)
		default:
			c := new(Clock)
			if c.ParseWord(nil, word) != nil {
				return t, unknownTerm(word, games, append(possibleAnswers(choices, options), known...))
			}
			t.clock = c
		}
	}
	return t, nil
}

// unknownTerm returns the error about a word for a game that is none of those that are possible.
func unknownTerm(word string, games game.List, possible []string) error {
	var names, keys []string
	for _, g := range games {
		names = append(names, g.Name())
	}
	for _, p := range possible {
		keys = append(keys, termKey(p))
	}
	near := cmp.Or(didYouMean(word, append(names, possible...)), didYouMean(termKey(word), keys))
	return badRequest("unexpected %q%s; use a clock such as 10+5, or any of %s", sanitize.Line(word, 40), near, strings.Join(possible, ", "))
}

// orDefault returns the game that was named, otherwise the default one.
func (t *typedTerms) orDefault(games game.List) game.Game {
	if t.game != nil {
		return t.game
	}
	return games.Default()
}

// options returns the options of a game, with the answers of others where none was named.
func (t *typedTerms) options(g game.Game, others []int) json.RawMessage {
	answers := slices.Clone(others)
	for i, n := range t.answers {
		if n != game.Any {
			answers[i] = n
		}
	}
	return g.Options(answers)
}

// typedAnswers collects answers to the questions of a game.
type typedAnswers struct {
	choices []game.Choice
	index   []int // the answer to each question; game.Any if there is none
}

// set sets the answer that a word names, alone ("9x9"), with the question ("pie=off"), or the answers to several
// questions ("4x2": four players, two segments). It reports whether there is such an answer.
func (a *typedAnswers) set(word string) bool {
	label, value, named := strings.Cut(word, "=")
	for i, c := range a.choices {
		switch {
		case named && strings.HasPrefix(strings.ToLower(c.Label), label) && a.setChoice(i, value):
			return true
		case !named && !c.NeverRated && a.index[i] == game.Any && a.setChoice(i, word): // of two numbers the second answers the next question
			return true
		}
	}
	values := strings.Split(word, "x")
	if len(values) < 2 || len(values) > len(a.choices) {
		return false
	}
	for i, v := range values {
		if !a.setChoice(i, v) {
			return false
		}
	}
	return true
}

// setChoice sets the answer to a question; ok is false if it has no such answer.
func (a *typedAnswers) setChoice(i int, value string) (ok bool) {
	for j, answer := range a.choices[i].Answers {
		if typedAnswer(answer) == value {
			a.index[i] = j
			return true
		}
	}
	return false
}

// possibleAnswers lists the words that choose the options of a game; those that are proposed.
func possibleAnswers(choices []game.Choice, options proposed) (list []string) {
	for i, c := range choices {
		if c.NeverRated && options == ratedOptions {
			continue
		}
		for _, a := range c.Answers {
			if i > 0 {
				label, _, _ := strings.Cut(strings.ToLower(c.Label), " ")
				a = label + "=" + a
			}
			list = append(list, typedAnswer(a))
		}
	}
	return list
}
