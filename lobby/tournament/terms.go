package tournament

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

// Elsewhere says what a round does with a player who is in another live game when it is paired.
type Elsewhere string

// The values of Elsewhere.
const (
	ElsewherePair   Elsewhere = "pair"
	ElsewhereAbsent Elsewhere = "absent"
)

// Bounds of terms.
const (
	MaxName     = 40   // characters of a name
	MaxPlayers  = 1000 // of a tournament
	MaxDivision = 32   // players of a division, each of whom meets each other one
	MaxDivs     = 50   // divisions
	MaxCap      = 2160 // hours
	MaxRounds   = 99

	maxTable    = 6    // seats of a table
	minAtTables = 5    // players, who sit at one table
	maxPause    = 3600 // seconds, also of the check-in
	minFirst    = 15   // seconds for the first turn
	maxFirst    = 600
	maxRating   = 10_000
	maxMinGames = 10_000
)

// Request is the terms as someone asks for them, and as programs see them. Zero values and nil stand for the default. Times are
// in seconds where nothing else is said.
type Request struct {
	Game      string          `json:"game,omitempty"`
	Options   json.RawMessage `json:"options,omitempty"`
	Clock     *clock.Control  `json:"clock,omitempty"`
	Rated     *bool           `json:"rated,omitempty"` // default true
	Delay     int             `json:"delay,omitempty"` // turns by which spectators see the games late
	Rounds    int             `json:"rounds,omitempty"`
	Legs      int             `json:"legs,omitempty"`
	Min       int             `json:"min,omitempty"`
	Max       int             `json:"max,omitempty"`
	Start     time.Time       `json:"start,omitzero"`
	CheckIn   *int            `json:"check_in,omitempty"`
	Pause     *int            `json:"pause,omitempty"`
	FirstTurn int             `json:"first_turn,omitempty"`
	Cap       int             `json:"cap,omitempty"` // hours
	Late      *int            `json:"late,omitempty"`
	Divisions int             `json:"divisions,omitempty"`
	TableMax  int             `json:"table_max,omitempty"`
	Vacation  *bool           `json:"vacation,omitempty"` // default true
	Elsewhere Elsewhere       `json:"elsewhere,omitempty"`
	Bots      bool            `json:"bots,omitempty"`
	Members   bool            `json:"members,omitempty"` // only members may enter
	MinRating int             `json:"min_rating,omitempty"`
	MaxRating int             `json:"max_rating,omitempty"`
	MinGames  int             `json:"min_games,omitempty"`
}

// Terms describe a tournament and its games. NewTerms is the constructor.
type Terms struct {
	Name    string
	Format  Format
	Options engine.Options // of its games; at tables, with any number of seats
	Control clock.Control
	Rated   bool
	Delay   int // turns by which spectators see the games late

	Rounds    int           // 0: by the number of players at the start
	Legs      int           // games of each two players of a round robin
	Min, Max  int           // players
	Start     time.Time     // zero: the organizer starts it
	CheckIn   time.Duration // before the start
	Pause     time.Duration // between rounds
	FirstTurn time.Duration // for the first turn of a live game
	Cap       time.Duration // of a round; of a round robin without live games, of all of it
	Late      int           // the last round in which one may enter; -1: half of the rounds
	Divisions int
	TableMax  int  // seats of a table
	Vacation  bool // vacations count in its games
	Elsewhere Elsewhere
	Bots      bool // may enter
	Members   bool // only members may enter
	MinRating int  // 0: none
	MaxRating int  // 0: none; the highest rating of 90 days counts
	MinGames  int  // rated games in the pool
}

func badRequest(format string, args ...any) error {
	return errcode.Errorf(errcode.BadRequest, format, args...)
}

func notAllowed(format string, args ...any) error {
	return errcode.Errorf(errcode.NotAllowed, format, args...)
}

// NewTerms returns the terms that someone asks for, or a BadRequest error with the bounds. game is the request's.
func NewTerms(name string, format Format, r Request, game engine.Game) (Terms, error) {
	// The games have the bounds of those of a table. Those that are never rated are refused by check.
	played, err := table.New(table.Proposal{Game: game.Name(), Options: r.Options, Clock: r.Clock, Delay: r.Delay}, game, table.User{}, "", time.Time{})
	if err != nil {
		return Terms{}, err
	}
	played.Rated = r.Rated == nil || *r.Rated
	t := r.terms(strings.TrimSpace(name), format, &played.Terms)
	return t, t.check()
}

// terms returns the terms with the defaults. They are not checked.
func (r *Request) terms(name string, format Format, played *table.Terms) Terms {
	t := Terms{
		Name: name, Format: format, Options: played.Options, Control: played.Control, Rated: played.Rated, Delay: played.Delay,
		Rounds: r.Rounds, Legs: orDefault(r.Legs, 1), Min: orDefault(r.Min, max(3, format.minPlayers())), Max: orDefault(r.Max, 256), Start: r.Start,
		Pause: time.Minute, Late: -1, Divisions: orDefault(r.Divisions, 1), TableMax: orDefault(r.TableMax, 4), Vacation: true,
		Elsewhere: orDefault(r.Elsewhere, ElsewherePair), Bots: r.Bots, Members: r.Members,
		MinRating: r.MinRating, MaxRating: r.MaxRating, MinGames: r.MinGames,
	}
	if format.hasSchedule() {
		t.Max = orDefault(r.Max, min(256, t.Divisions*MaxDivision))
	}
	if !r.Start.IsZero() {
		t.CheckIn = 10 * time.Minute
	}
	if r.CheckIn != nil {
		t.CheckIn = time.Duration(*r.CheckIn) * time.Second
	}
	if r.Pause != nil {
		t.Pause = time.Duration(*r.Pause) * time.Second
	}
	t.FirstTurn = time.Duration(r.FirstTurn) * time.Second
	if r.FirstTurn == 0 {
		t.FirstTurn = max(min(90*time.Second, t.Control.Initial/4), minFirst*time.Second).Truncate(time.Second)
	}
	t.Cap = time.Duration(r.Cap) * time.Hour
	if r.Cap == 0 {
		t.Cap = t.defaultCap()
	}
	if r.Late != nil {
		t.Late = *r.Late
	}
	if r.Vacation != nil {
		t.Vacation = *r.Vacation
	}
	return t
}

func orDefault[T comparable](value, standard T) T {
	var zero T
	if value == zero {
		return standard
	}
	return value
}

// defaultCap is the time of a round if the terms name none: ten times the days for a turn, or thirty times if all games begin at
// once; for live games twice the most that the clocks of all seats can have.
func (t *Terms) defaultCap() time.Duration {
	hours := t.Control.Days * 24 * 10
	if t.IsAllAtOnce() {
		hours *= 3
	}
	if t.Control.IsLive() {
		hours = int((time.Duration(2*t.maxSeats())*t.Control.Cap() + time.Hour - 1) / time.Hour)
	}
	return time.Duration(min(max(hours, 1), MaxCap)) * time.Hour
}

// Request returns the terms as programs see them. NewTerms returns the same terms for it.
func (t *Terms) Request() Request {
	options, err := json.Marshal(t.Options)
	if err != nil {
		panic(fmt.Errorf("options of a tournament: %w", err)) // no options of a game can fail
	}
	seconds := func(d time.Duration) *int { return new(int(d / time.Second)) }
	r := Request{
		Game: t.Options.Game().Name(), Options: options, Clock: &t.Control, Rated: &t.Rated, Delay: t.Delay, Rounds: t.Rounds,
		Legs: t.Legs, Min: t.Min, Max: t.Max, Start: t.Start, CheckIn: seconds(t.CheckIn), Pause: seconds(t.Pause),
		FirstTurn: *seconds(t.FirstTurn), Cap: int(t.Cap / time.Hour), Divisions: t.Divisions, TableMax: t.TableMax, Vacation: &t.Vacation,
		Elsewhere: t.Elsewhere, Bots: t.Bots, Members: t.Members, MinRating: t.MinRating, MaxRating: t.MaxRating, MinGames: t.MinGames,
	}
	if t.Late >= 0 {
		r.Late = &t.Late
	}
	return r
}

// check returns a BadRequest error with the bounds if the terms are outside of them.
func (t *Terms) check() error {
	if err := t.checkName(); err != nil {
		return err
	}
	if err := t.checkGame(); err != nil {
		return err
	}
	minPlayers, maxPlayers := t.Format.minPlayers(), MaxPlayers
	if t.Format.hasSchedule() {
		maxPlayers = min(maxPlayers, MaxDivision*t.Divisions)
	}
	for _, b := range []struct {
		what             string
		value, low, high int
	}{
		{"divisions", t.Divisions, 1, MaxDivs},
		{"min, the players without whom it does not start,", t.Min, minPlayers, maxPlayers},
		{"max, the players who can enter,", t.Max, max(t.Min, minPlayers), maxPlayers},
		{"rounds", orDefault(t.Rounds, 1), 1, min(t.Max-1, MaxRounds)},
		{"legs", t.Legs, 1, 2},
		{"check_in, in seconds,", int(t.CheckIn / time.Second), 0, maxPause},
		{"pause, in seconds,", int(t.Pause / time.Second), 0, maxPause},
		{"first_turn, in seconds,", int(t.FirstTurn / time.Second), minFirst, maxFirst},
		{"cap, in hours,", int(t.Cap / time.Hour), 1, MaxCap},
		{"late, a round,", t.Late, -1, MaxRounds},
		{"table_max", t.TableMax, 4, maxTable},
		{"min_rating", t.MinRating, 0, maxRating},
		{"max_rating", t.MaxRating, 0, maxRating},
		{"min_games", t.MinGames, 0, maxMinGames},
	} {
		if b.value < b.low || b.value > b.high {
			return badRequest("%s must be %d to %d", b.what, max(b.low, 0), b.high)
		}
	}
	switch {
	case t.MaxRating != 0 && t.MaxRating < t.MinRating:
		return badRequest("max_rating must be at least min_rating, %d", t.MinRating)
	case t.Elsewhere != ElsewherePair && t.Elsewhere != ElsewhereAbsent:
		return badRequest("elsewhere must be %q or %q", ElsewherePair, ElsewhereAbsent)
	case t.Format.hasSchedule() && t.Rounds != 0:
		return badRequest("the rounds of a round robin follow from its players; leave rounds out")
	case !t.Format.hasSchedule() && (t.Legs != 1 || t.Divisions != 1):
		return badRequest("only a round robin has legs and divisions; leave them out")
	}
	return nil
}

func (t *Terms) checkName() error {
	if n := utf8.RuneCountInString(t.Name); n < 1 || n > MaxName {
		return badRequest("name must have 1 to %d characters", MaxName)
	}
	for _, r := range t.Name {
		if r == utf8.RuneError || !unicode.IsPrint(r) || unicode.IsMark(r) {
			return badRequest("name must have only letters, digits, punctuation and spaces")
		}
	}
	return nil
}

// checkGame returns why the games of the terms cannot be those of a tournament.
func (t *Terms) checkGame() error {
	low, high := t.Options.Seats()
	title := t.Options.Game().Title()
	switch {
	case engine.NeverRated(t.Options):
		return badRequest("a tournament has neither a start position nor a handicap; leave them out")
	case t.Control.IsUntimed():
		return badRequest("a tournament needs a clock, such as 10+10 or 2 days")
	case !t.Format.isKnown():
		return badRequest("unknown format %q", engine.Excerpt(string(t.Format)))
	case t.Format.isAtTables() && engine.SeatLimit(t.Options.Game()) < max(t.TableMax, minAtTables):
		return badRequest("%s is not for tables of %d players", title, max(t.TableMax, minAtTables))
	case !t.Format.isAtTables() && (low > 2 || high < 2):
		return badRequest("a %s needs a game of two players", strings.ReplaceAll(string(t.Format), "_", " "))
	}
	return nil
}

// Pool returns the rating pool of the games.
func (t *Terms) Pool() string {
	return account.Pool(t.Options.Game().Name(), t.maxSeats())
}

// maxSeats returns the largest number of seats of a game.
func (t *Terms) maxSeats() int {
	if t.Format.isAtTables() {
		return t.TableMax
	}
	return 2
}

// OptionsFor returns the options of a game with so many seats.
func (t *Terms) OptionsFor(seats int) engine.Options { return t.Options.WithSeats(seats) }

// IsAllAtOnce reports whether all games begin at the start: those of a round robin with days for a turn.
func (t *Terms) IsAllAtOnce() bool { return t.Format.hasSchedule() && !t.Control.IsLive() }

// roundsFor returns the number of rounds of a tournament with so many players, of a round robin those of its largest division.
func (t *Terms) roundsFor(players int) int {
	switch {
	case players < 2:
		return 1
	case t.Format.hasSchedule():
		return t.Legs * (players - 1 + players%2)
	case t.Rounds != 0:
		return min(t.Rounds, max(players-1, 1))
	case t.Format.isAtTables() && players <= 9:
		return min(3, players-1)
	case t.Format.isAtTables() && players <= 32:
		return 4
	case t.Format.isAtTables():
		return 5
	}
	return min(bits.Len(uint(players-1))+1, max(players-1, 1)) // the logarithm, rounded up, and one
}
