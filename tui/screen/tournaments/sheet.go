package tournaments

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ayumu/lobby/match"
	"ayumu/lobby/tournament"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// sheet is what the screens show of a state of a tournament, apart from what depends on the user. It is immutable, and the sessions
// that show the same state share it.
type sheet struct {
	op.TournamentResult
	*tournament.State
	view      tournament.View // without its players
	standings []tournament.Standing
	possible  []tournament.PlaceRange // by player; nil: it would say nothing
	place     []int                   // by player
	sides     [2]string               // the letters of those who move first and second; "": the game does not name them
}

// sheets has the sheets of all sessions.
type sheets struct {
	all    game.Cache[sheetKey, *sheet]
	counts game.Cache[countsKey, []string]
}

// countsKey is a running game at a version as spectators see it.
type countsKey struct {
	match   string
	version int
}

type sheetKey struct {
	id      string
	version int
}

// sheetOf returns the sheet of a state. It may be called from any goroutine.
func sheetOf(sh *screen.Shell, r op.TournamentResult) *sheet {
	key := sheetKey{r.State.ID, r.State.Version}
	return screen.SharedPart[sheets](sh.Shared).all.Get(key, func() *sheet { return newSheet(r, sh.Config.Games) })
}

func newSheet(r op.TournamentResult, games game.List) *sheet {
	s := &sheet{TournamentResult: r, State: r.State}
	s.view = s.View(r.Names, tournament.Page{Round: max(len(s.Rounds), 1), Limit: 1})
	s.standings, s.possible = s.Standings(), s.PossiblePlaces()
	if !s.HasStarted() { // nobody has points yet
		slices.SortFunc(s.standings, func(a, b tournament.Standing) int {
			return cmp.Or(s.Players[b.Player].Rating-s.Players[a.Player].Rating, a.Player-b.Player)
		})
		for i := range s.standings {
			s.standings[i].Place = i + 1
		}
	}
	s.place = make([]int, len(s.Players))
	for _, at := range s.standings {
		s.place[at.Player] = at.Place
	}
	if g, ok := games.ByName(s.Terms.Options.Game().Name()); ok && s.Terms.Format != tournament.FormatTables {
		o := s.Terms.OptionsFor(2)
		p := o.Game().New(o)
		first, second := letterOf(g.Side(p, p.Turn())), letterOf(g.Side(p, 1-p.Turn()))
		if first != second {
			s.sides = [2]string{first, second}
		}
	}
	return s
}

// letterOf returns the first letter of the name of a side, in lower case.
func letterOf(side string) string {
	r, _ := utf8.DecodeRuneInString(side)
	if !unicode.IsLetter(r) {
		return ""
	}
	return string(unicode.ToLower(r))
}

// name returns the name of a player by index.
func (s *sheet) name(player int) string { return s.Names(s.Players[player].User) }

// isAtTables reports whether games have three and more seats.
func (s *sheet) isAtTables() bool { return s.Terms.Format == tournament.FormatTables }

// gameOf returns the game of a player in a round, or that they have none; nil: they were not in the tournament.
func (s *sheet) gameOf(player, round int) (g *tournament.Game, seat int) {
	for _, g := range s.Rounds[round-1].Games {
		if seat := slices.Index(g.Seats, player); seat >= 0 {
			return g, seat
		}
	}
	return nil, -1
}

// pointsBefore returns the points of a player before a round, at tables.
func (s *sheet) pointsBefore(player, round int) (points int) {
	for n := 1; n < round; n++ {
		if g, seat := s.gameOf(player, n); g != nil && g.IsOver() {
			points += g.Points[seat]
		}
	}
	return points
}

// marks of results. With a letter or a number behind them they are those of a game.
const (
	markWon     = "+"
	markLost    = "-"
	markDrawn   = "="
	markRunning = "▸"
	markSelf    = "×"
	markToCome  = "·"
)

// markOf returns the mark of the result of a seat.
func markOf(g *tournament.Game, seat int) string {
	switch {
	case !g.IsOver():
		return markRunning
	case g.Places == nil:
		return markLost // nobody came
	case g.Places[seat] > 1:
		return markLost
	}
	for other, place := range g.Places {
		if other != seat && place == 1 {
			return markDrawn
		}
	}
	return markWon
}

// roundCell returns what the table shows of a player in a round: the result, the opponent's place and the side, such as
// "+12b"; at tables the place among the players, "1/4".
func (s *sheet) roundCell(player, round int) string {
	g, seat := s.gameOf(player, round)
	switch {
	case g == nil:
		return ""
	case g.Kind == tournament.GameBye:
		return tournament.FormatPoints(g.Points[0]) + "bye"
	case g.Kind == tournament.GameAbsent:
		return "away"
	case len(g.Seats) > 2 && !g.IsOver():
		return markRunning + strconv.Itoa(g.Table)
	case len(g.Seats) > 2 && g.Places == nil:
		return "-/" + strconv.Itoa(len(g.Seats))
	case len(g.Seats) > 2:
		return strconv.Itoa(g.Places[seat]) + "/" + strconv.Itoa(len(g.Seats))
	}
	opponent := strconv.Itoa(s.place[g.Seats[1-seat]])
	if len(s.Players) > 9 {
		opponent = strings.Repeat(" ", max(2-len(opponent), 0)) + opponent
	}
	side := s.sides[seat]
	if g.Kind == tournament.GameNoShow || g.Kind == tournament.GameRuled {
		side = "!"
	}
	return markOf(g, seat) + opponent + side
}

// crossCell returns what the table of a round robin shows of a player against another one: a mark for each game.
func (s *sheet) crossCell(player, other int) string {
	if player == other {
		return markSelf
	}
	text := ""
	for r := range s.Rounds {
		if g, seat := s.gameOf(player, r+1); g != nil && slices.Contains(g.Seats, other) {
			text += markOf(g, seat)
		}
	}
	if text == "" {
		return markToCome
	}
	return text
}

// division returns the players of a division in the order of their places.
func (s *sheet) division(n int) (players []int) {
	for _, at := range s.standings {
		if s.Players[at.Player].Division == n {
			players = append(players, at.Player)
		}
	}
	return players
}

// statusOf returns whether a player takes part, in a word; "": they do.
func (s *sheet) statusOf(player int) string {
	p := &s.Players[player]
	switch {
	case !p.IsIn():
		return "out"
	case p.Status == tournament.StatusPaused:
		return "paused"
	case s.Phase == tournament.PhaseCheckIn && p.IsCheckedIn:
		return "here"
	case s.Phase == tournament.PhaseCheckIn:
		return "not yet"
	}
	return ""
}

// counts describes how many players there are: "13 in, 1 away".
func (s *sheet) counts() string {
	in, paused, here := 0, 0, 0
	for i := range s.Players {
		switch p := &s.Players[i]; {
		case p.Status == tournament.StatusPaused:
			paused++
		case p.Status == tournament.StatusIn:
			in++
			if p.IsCheckedIn {
				here++
			}
		}
	}
	switch {
	case s.IsOver():
		return words.Plural(len(s.Players), "player")
	case s.Phase == tournament.PhaseCheckIn:
		return strconv.Itoa(here) + " of " + words.Plural(in, "player") + " here"
	case paused > 0:
		return strconv.Itoa(in) + " in, " + strconv.Itoa(paused) + " paused"
	}
	return words.Plural(in, "player")
}

// ready returns the number of players who can be paired: after the check-in has opened, of those who have checked in.
func (s *sheet) ready() (n int) {
	for i := range s.Players {
		if p := &s.Players[i]; p.Status == tournament.StatusIn && (s.Phase != tournament.PhaseCheckIn || p.IsCheckedIn) {
			n++
		}
	}
	return n
}

// terms describes the games in one line.
func (s *sheet) terms() string {
	t := &s.Terms
	return titleOf(op.FormatTitle(t.FormatName())) + " · " + s.games()
}

// games describes what is played.
func (s *sheet) games() string {
	t := &s.Terms
	return op.GamesTitle(match.Title(t.Options), t.FormatName()) + ", " + t.Control.String() + ", " + words.Mode(t.Rated)
}

// titleOf returns a text with a capital letter.
func titleOf(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// countdownFrom is the time before something happens from which on the screen counts down.
const countdownFrom = 10 * time.Minute

// phase says what the tournament is doing and when the next thing happens, and when the text changes by time alone; zero: never.
func (s *sheet) phase(now time.Time) (text string, until time.Time) {
	countdown := func(at time.Time) string {
		left := at.Sub(now)
		if left >= countdownFrom {
			until = at.Add(-countdownFrom)
			return "at " + nearTime(at, now) + " UTC"
		}
		left = max(left, 0)
		if left > 0 {
			until = now.Add(words.NextClockChange(left))
		}
		return "in " + words.Clock(left)
	}
	in := s.view.Entered
	switch {
	case s.Phase == tournament.PhaseOpen && !s.CancelAt.IsZero() && s.ready() < s.Terms.Min:
		return words.Plural(in, "player") + " of at least " + strconv.Itoa(s.Terms.Min) + ": it is cancelled " + countdown(s.CancelAt) + " unless more enter.", until
	case s.Phase == tournament.PhaseOpen && s.view.Next.IsZero():
		text = "Open: " + words.Plural(in, "player") + " entered"
		if in < s.Terms.Min {
			text += ", " + strconv.Itoa(s.Terms.Min) + " needed"
		}
		return text + ". " + s.Names(s.Organizer) + " starts it.", until
	case s.Phase == tournament.PhaseOpen:
		text = "Open: " + words.Plural(in, "player") + " entered. It starts " + countdown(s.view.Next)
		if s.Terms.CheckIn > 0 {
			text += ", with a check-in from " + nearTime(s.Terms.Start.Add(-s.Terms.CheckIn), now)
		}
		return text + ".", until
	case s.Phase == tournament.PhaseCheckIn && !s.CancelAt.IsZero() && s.ready() < s.Terms.Min:
		return "Too few players are here: it is cancelled " + countdown(s.CancelAt) + " unless " + strconv.Itoa(s.Terms.Min) + " have checked in.", until
	case s.Phase == tournament.PhaseCheckIn:
		return "The check-in is open. The tournament starts " + countdown(s.CheckInTo) + ".", until
	case s.Phase == tournament.PhaseRunning:
		return s.running(now), until
	case s.Phase == tournament.PhasePause && s.view.Next.After(now) && len(s.Rounds) == 0:
		return "It has started. Round 1 begins " + countdown(s.view.Next) + ".", until
	case s.Phase == tournament.PhasePause && s.view.Next.After(now):
		return "Round " + strconv.Itoa(len(s.Rounds)) + " is over. Round " + strconv.Itoa(len(s.Rounds)+1) + " begins " + countdown(s.view.Next) + ".", until
	case s.Phase == tournament.PhasePause:
		return "Round " + strconv.Itoa(len(s.Rounds)+1) + " of " + strconv.Itoa(s.Planned) + " waits for players who are here.", until
	}
	return op.PhaseSentence(s.State, s.Names, now), until
}

// running says how the games stand.
func (s *sheet) running(now time.Time) string {
	games, running := 0, 0
	var deadline time.Time
	for i := range s.Rounds {
		r := &s.Rounds[i]
		if !r.Ended.IsZero() {
			continue
		}
		for _, g := range r.Games {
			if g.Table > 0 {
				games++
			}
			if !g.IsOver() {
				running++
			}
		}
		if r.Deadline.After(deadline) {
			deadline = r.Deadline
		}
	}
	text := "Round " + strconv.Itoa(len(s.Rounds)) + " of " + strconv.Itoa(s.Planned) + ": "
	if s.Terms.IsAllAtOnce() {
		text = ""
	}
	text += strconv.Itoa(running) + " of " + words.Plural(games, "game") + " running, until " + nearTime(deadline, now) + " at most"
	if len(s.Rounds) < s.Planned && s.Terms.Pause > 0 {
		text += ", then " + words.Seconds(s.Terms.Pause) + " of pause"
	}
	return text + "."
}
