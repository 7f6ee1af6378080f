// Package words describes the lobby's events, results, times and ratings to players, for the screens, the line mode and
// the commands alike.
package words

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
	"ayumu/tui/game"
)

// Sentence turns a clause into a sentence: it adds a capital letter and a full stop. A clause that
// begins with a point of a board, such as "b1", keeps its lower-case letter.
func Sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	if len(s) == n || !unicode.IsDigit(rune(s[n])) {
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "!") {
		s += "."
	}
	return s
}

// AgoText formats a duration roughly: "now", "5 min", "3 h", "2 d".
func AgoText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// Date formats a date, in UTC so that no time zone is needed: "2 Jan 2006".
func Date(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// TimeOfDay formats a time of day, in UTC like Date: "15:04".
func TimeOfDay(t time.Time) string { return t.UTC().Format("15:04") }

// Seconds formats a duration like AgoText, and to the second below a minute: "12 s", "2 min".
func Seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return AgoText(d)
}

// Clock formats the time left on a clock: "9:58", "1:02:03", "2 d 4 h".
func Clock(left time.Duration) string {
	// A started second still counts, so that 0:00 is shown only when the time is up.
	s := int((left + time.Second - 1) / time.Second)
	switch {
	case s >= 24*3600:
		return fmt.Sprintf("%d d %d h", s/86400, s/3600%24)
	case s >= 3600:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// NextClockChange returns the time after which Clock formats a running clock differently.
func NextClockChange(left time.Duration) time.Duration {
	if left >= 24*time.Hour {
		return left%time.Hour + time.Second // only complete hours are shown
	}
	if d := left % time.Second; d > 0 {
		return d
	}
	return time.Second
}

// NameAndRating formats a name with its rating, "ana 1512"; r is nil for a guest.
func NameAndRating(name string, r *rating.Rating) string {
	if r == nil {
		return name
	}
	return fmt.Sprintf("%s %s", name, Rating(*r))
}

// BotName formats the name of a built-in player with its level, "Pebble (level 1)"; the name alone for bots.NoLevel.
func BotName(name string, level int) string {
	switch level {
	case bots.NoLevel:
		return name
	case bots.Adaptive:
		return name + " (adapts to you)"
	}
	return fmt.Sprintf("%s (level %d)", name, level)
}

// ShortBotName formats the name of a built-in player like BotName, for lists: "Pebble L1".
func ShortBotName(name string, level int) string {
	if level == bots.NoLevel || level == bots.Adaptive {
		return name
	}
	return fmt.Sprintf("%s L%d", name, level)
}

// QuickMatch describes what the owner of a quick match wants: the game or "any game", the clock and the mode.
func QuickMatch(t *table.View) string {
	what, control, mode := match.Title(t.Options), t.Control.String(), "casual"
	switch {
	case t.Any.Game:
		what = "any game"
	case t.Any.Options:
		what = t.Options.Game().Title()
	}
	if t.Any.Clock {
		control = "any clock"
	}
	switch {
	case t.Any.Rated:
		mode = "casual or rated"
	case t.Rated:
		mode = "rated"
	}
	return what + ", " + control + ", " + mode
}

// Rating formats a rating, with a question mark if it is provisional.
func Rating(r rating.Rating) string {
	text := fmt.Sprintf("%.0f", r.Value)
	if !r.IsEstablished() {
		text += "?"
	}
	return text
}

// SeatRating formats the rating of a seat; "" for nil.
func SeatRating(r *rating.Rating) string {
	if r == nil {
		return ""
	}
	return Rating(*r)
}

// RatingPool is a rating pool: a game with two players, or with three and more.
type RatingPool struct {
	Key       string // in Account.Ratings
	Title     string // for screens: "GAME, 3 and more"
	LongTitle string // for lines: "GAME, three or more players"
	Game      game.Game
}

// RatingPools returns all rating pools: for each game two players, and three and more if the game
// allows that.
func RatingPools(games game.List) []RatingPool {
	var all []RatingPool
	for _, g := range games {
		title := g.Engine().Title()
		all = append(all, RatingPool{account.Pool(g.Name(), 2), title, title, g})
		if engine.SeatLimit(g.Engine()) > 2 {
			all = append(all, RatingPool{account.Pool(g.Name(), 3), title + ", 3 and more", title + ", three or more players", g})
		}
	}
	return all
}

// PlaceRequirements describes what the leaderboard requires, as a sentence.
func PlaceRequirements(r lobby.Requirements) string {
	opponents := Plural(r.Opponents, "opponent")
	if r.Established {
		opponents = fmt.Sprintf("%d established opponents (no bots)", r.Opponents)
	}
	if r.Days > 1 {
		opponents += " on " + Plural(r.Days, "day")
	}
	return fmt.Sprintf("A place requires a deviation (±) of at most %d, and rated games against %s within %d days.",
		rating.EstablishedDeviation, opponents, lobby.LeaderboardWindow/(24*time.Hour))
}

// SideTally is the part of a tally that belongs to a named side.
type SideTally struct {
	Side  string // as Game.Side
	Tally lobby.Tally
}

// SideTallies returns the parts of a tally of a game that belong to its named sides, in the order of the seats.
func SideTallies(g game.Game, t lobby.Tally) (parts []SideTally) {
	rules := g.Engine()
	o, err := rules.ParseOptions(nil)
	if err != nil {
		panic(err) // default options are valid
	}
	p := rules.New(o)
	for seat := range p.Seats() {
		if s, ok := t.BySide[p.Side(seat)]; ok && p.Side(seat) != "" {
			parts = append(parts, SideTally{g.Side(p, seat), s})
		}
	}
	return parts
}

// RatingWithDeviation formats a rating with its deviation, "1512 ±60", and a question mark if it is
// provisional.
func RatingWithDeviation(r rating.Rating) string {
	text := fmt.Sprintf("%.0f ±%.0f", r.Value, r.Deviation)
	if !r.IsEstablished() {
		text += " ?"
	}
	return text
}

// Delayed describes the spectator delay of a match as a clause: "delayed by 2 turns".
func Delayed(turns int) string { return "delayed by " + Plural(turns, "turn") }

// Opponents lists the names of all seats but that of account me: "bob, carol and dan".
func Opponents(info *match.Info, me account.ID) string {
	var others []string
	for _, s := range info.Seats {
		if s.Account != me {
			others = append(others, s.Name)
		}
	}
	return text.List(others)
}

// WithOpponents names a match by the opponents of account me: "with bob".
func WithOpponents(info *match.Info, me account.ID) string {
	return "with " + Opponents(info, me)
}

// Author names who has written a line of a chat.
func Author(l lobby.ChatLine) string {
	if l.AuthorID == 0 {
		return "Server"
	}
	return l.Author
}

// StartCondition describes as a clause when the match of a table starts. ready is what a player does to be
// ready, such as a key or "type ready".
func StartCondition(o engine.Options, ready string) string {
	switch minimum, limit := o.Seats(); {
	case limit == 2:
		return "the game starts as soon as someone joins"
	case minimum < limit:
		return fmt.Sprintf("the game starts when all %d seats are taken, or when at least %d are and everyone there is ready (%s)", limit, minimum, ready)
	default:
		return fmt.Sprintf("the game starts when all %d seats are taken", limit)
	}
}

// ListTitle formats a game with its options for two columns of a list: "GAME 11×11" and "pie".
func ListTitle(o engine.Options) (title, more string) {
	size, more, _ := strings.Cut(o.Short(), " ")
	return o.Game().Title() + " " + size, more
}

// Mode names whether a match or table is rated: "rated" or "casual".
func Mode(rated bool) string {
	if rated {
		return "rated"
	}
	return "casual"
}

// Terms formats a time control and the mode: "10+10, rated".
func Terms(c clock.Control, rated bool) string { return c.String() + ", " + Mode(rated) }

// Percent formats a share of 0 to 1: "43%", without a space at which a line could break.
func Percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// Plural formats a count: "1 turn", "3 turns".
func Plural(n int, what string) string { return text.Plural(n, what) }

// Result describes who won a finished match and why, to a seat (-1: a spectator).
func Result(s *match.Snapshot, game game.Game, seat int) string {
	r := s.Result
	var names []string
	for _, w := range r.Winners {
		names = append(names, s.Info.Seats[w].Name)
	}
	winner := strings.Join(names, " and ")
	switch {
	case len(r.Winners) == 0:
		return aborted(s, seat)
	case len(r.Winners) > 1 && r.Reason == engine.ReasonDraw:
		return "Draw by agreement."
	case len(r.Winners) > 1:
		return "Draw" + scoreOfTwo(r, 0) + ": " + game.DescribeEnding(s.Position, *r) + "."
	}
	if len(s.Info.Seats) != 2 {
		if r.Winners[0] == seat {
			winner = "You win"
		} else {
			winner += " wins"
		}
		if r.Reason == engine.ReasonLeft {
			return winner + ": " + allLeft(s, seat) + "."
		}
		return winner + ": " + game.DescribeEnding(s.Position, *r) + "."
	}
	first := r.Winners[0] // whose score is named first
	outcome, loser := winner+" wins", s.Info.Seats[1-first].Name
	switch {
	case seat == first:
		outcome = "You win"
	case seat == 1-first && r.Reason == engine.ReasonResign:
		return "You resigned: " + winner + " wins."
	case seat == 1-first:
		outcome, loser, first = "You lose", "you", seat
	}
	switch r.Reason {
	case engine.ReasonResign:
		return outcome + ": " + loser + " resigned."
	case engine.ReasonTime:
		return outcome + ": " + loser + " ran out of time."
	case engine.ReasonLeft:
		return outcome + ": " + loser + " left."
	}
	return outcome + scoreOfTwo(r, first) + ": " + game.DescribeEnding(s.Position, *r) + "."
}
