package op

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/tournament"
	"ayumu/tui/game"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// inPalette is where the screens have operations of tournaments without a key; onTournament has a key on the screen of one too.
var inPalette = As("palette")

func onTournament(key string) Availability { return As("palette", "tournament "+key) }

// TournamentID is the id of a tournament.
type TournamentID string

// Kind implements Kind.
func (*TournamentID) Kind() string { return "tournament" }

// ParseWord implements Kind.
func (id *TournamentID) ParseWord(v *Visit, word string) error {
	named, err := v.idOf(RowTournament, word)
	*id = TournamentID(named)
	return err
}

// TournamentsArgs are the arguments of Tournaments.
type TournamentsArgs struct {
	State  string `json:"state" arg:"[open|running|closed|all]" help:"by default all"`
	Before string `json:"before" arg:"before=TOURNAMENT" help:"only those that were created before it"`
	Limit  *int   `json:"limit"`
}

// TournamentList is a list of tournaments with the names of the users in it.
type TournamentList struct {
	All   []lobby.TournamentListing
	Names tournament.Names
}

// phasesOf returns the phases of a word of TournamentsArgs.
func phasesOf(state string) ([]tournament.Phase, error) {
	open, running := []tournament.Phase{tournament.PhaseOpen, tournament.PhaseCheckIn}, []tournament.Phase{tournament.PhaseRunning, tournament.PhasePause}
	switch state {
	case "", "all":
		return nil, nil
	case "open":
		return open, nil
	case "running":
		return running, nil
	case "closed":
		return []tournament.Phase{tournament.PhaseClosed, tournament.PhaseCancelled}, nil
	}
	return nil, badRequest("state is open, running, closed or all")
}

// listedTournaments is the number of tournaments in a list unless more are asked for.
const listedTournaments = 20

// Tournaments lists tournaments.
var Tournaments = New(Spec[TournamentsArgs, TournamentList]{
	Info: Info{Name: "tournaments", Help: "list tournaments, the newest first", Group: GroupTournaments, On: On{Screen: As("palette", "lobby")}},
	Run: func(ctx context.Context, v *Visit, in TournamentsArgs) (l TournamentList, err error) {
		q := lobby.TournamentQuery{Before: in.Before, Limit: listedTournaments}
		if in.Limit != nil {
			q.Limit = *in.Limit
		}
		if q.Phases, err = phasesOf(in.State); err != nil {
			return l, err
		}
		if err := v.Archive().spend(limit.WorkArchive); err != nil {
			return l, err
		}
		ts := &v.Lobby.Tournaments
		if l.All, err = ts.List(ctx, q); err != nil {
			return l, err
		}
		var ids []account.ID
		for i := range l.All {
			ids = append(append(ids, l.All[i].Organizer), l.All[i].Winners...)
		}
		l.Names, err = ts.Names(ctx, ids)
		return l, err
	},
	Text: func(_ *Visit, in TournamentsArgs, l TournamentList) Text {
		rows := &Rows{Kind: RowTournament, Columns: []Column{{TableOnly: true}, {Phrase: "%s:"}, {}, {}, {}, {}}, Empty: "No tournaments."}
		for i := range l.All {
			t := &l.All[i]
			rows.Rows = append(rows.Rows, Row{ID: t.ID, Values: []string{
				t.ID, t.Name, GamesTitle(t.Game, t.Format) + ", " + t.Clock, FormatTitle(t.Format), ListingState(t, l.Names), words.Plural(t.Entered, "player"),
			}})
		}
		if n := len(l.All); n == listedTournaments {
			rows.Next = strings.Join(strings.Fields("tournaments "+in.State+" before="+l.All[n-1].ID), " ")
		}
		return Text{Rows: rows}
	},
	JSON: func(_ *Visit, l TournamentList) any {
		type listing struct {
			lobby.TournamentListing
			Tournament string           `json:"tournament"`
			Host       string           `json:"host"`
			State      tournament.Phase `json:"state"`
			ID         string           `json:"id,omitempty"`
			Organizer  string           `json:"organizer,omitempty"`
			Phase      string           `json:"phase,omitempty"`
			Winners    []string         `json:"winners,omitempty"`
		}
		all := []listing{}
		for _, t := range l.All {
			t.Created, t.Start = t.Created.UTC().Truncate(time.Second), t.Start.UTC().Truncate(time.Second)
			row := listing{TournamentListing: t, Tournament: t.ID, Host: l.Names(t.Organizer), State: t.Phase}
			for _, id := range t.Winners {
				row.Winners = append(row.Winners, l.Names(id))
			}
			all = append(all, row)
		}
		return struct {
			Tournaments []listing `json:"tournaments"`
		}{all}
	},
})

// FormatTitle returns the name of a format in words.
func FormatTitle(format string) string {
	if isAtTables(format) {
		return "tables"
	}
	return strings.ReplaceAll(format, "_", " ")
}

// ListingState returns what a tournament is doing, as a clause.
func ListingState(t *lobby.TournamentListing, names tournament.Names) string {
	switch t.Phase {
	case tournament.PhaseOpen:
		if !t.Start.IsZero() {
			return "open until " + jsonform.Time(t.Start)
		}
		return "open"
	case tournament.PhaseCheckIn:
		return "check-in"
	case tournament.PhaseRunning, tournament.PhasePause:
		return fmt.Sprintf("round %d of %d", max(t.Round, 1), t.Rounds)
	case tournament.PhaseCancelled:
		return "cancelled"
	}
	var won []string
	for _, id := range t.Winners {
		won = append(won, names(id))
	}
	if len(won) == 0 {
		return "over"
	}
	return "won by " + strings.Join(won, " and ")
}

// TournamentArgs are the arguments of Tournament.
type TournamentArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT" help:"its id; the command tournaments lists them"`
	Round      int          `json:"round" arg:"round=NUMBER" help:"the games of this round; by default the latest"`
	TRF        bool         `json:"trf" arg:"trf" help:"as a TRF16 file, for programs of chess; over SSH also --trf"`
	After      string       `json:"after"`
	Limit      *int         `json:"limit"`
}

// TournamentResult is a tournament as the user sees it.
type TournamentResult struct {
	State *tournament.State
	Names tournament.Names
	page  tournament.Page
	trf   []byte // that was asked for
}

// The numbers of players in one answer.
const (
	listedPlayers = 100
	maxPlayers    = 500
)

// Tournament returns the state of a tournament.
var Tournament = New(Spec[TournamentArgs, TournamentResult]{
	Info: Info{Name: "tournament", Help: "show a tournament: what is on, the standings and the games", Group: GroupTournaments, On: On{Screen: As("palette", "tournaments enter")}},
	Run: func(ctx context.Context, v *Visit, in TournamentArgs) (r TournamentResult, err error) {
		if r, err = v.tournament(ctx, in.Tournament); err != nil {
			return r, err
		}
		if in.Round < 0 || in.Round > len(r.State.Rounds) {
			return r, badRequest("round must be 1 to %d, the rounds that were paired", len(r.State.Rounds))
		}
		r.page = tournament.Page{Round: in.Round, Limit: listedPlayers}
		if in.Limit != nil {
			r.page.Limit = min(max(*in.Limit, 1), maxPlayers)
		}
		if in.After != "" {
			if i := r.player(in.After); i >= 0 {
				r.page.After = r.State.Players[i].User
			}
		}
		if in.TRF {
			if r.trf, err = r.State.TRF(r.Names); err != nil {
				return r, badRequest("%s", err.Error())
			}
		}
		if v.Session != nil {
			v.Session.FollowTournament(r.State.ID)
		}
		return r, nil
	},
	Text: func(v *Visit, in TournamentArgs, r TournamentResult) Text {
		if in.TRF {
			return Text{Lines: strings.Split(strings.TrimSuffix(string(r.trf), "\n"), "\n")}
		}
		return v.describeTournament(&r)
	},
	JSON: func(_ *Visit, r TournamentResult) any {
		if r.trf != nil {
			return struct {
				Tournament string `json:"tournament"`
				TRF        string `json:"trf"`
			}{r.State.ID, string(r.trf)}
		}
		return r.State.View(r.Names, r.page)
	},
})

// tournament returns a tournament with the names of all who appear in it.
func (v *Visit) tournament(ctx context.Context, id TournamentID) (r TournamentResult, err error) {
	ts := &v.Lobby.Tournaments
	if err := v.Archive().spend(limit.WorkTournament); err != nil {
		return r, err
	}
	if r.State, err = ts.State(ctx, string(id)); err == nil {
		r.Names, err = ts.NamesIn(ctx, r.State)
	}
	return r, err
}

// player returns the index of the player with a name; -1: there is none.
func (r *TournamentResult) player(name string) int {
	return slices.IndexFunc(r.State.Players, func(p tournament.Player) bool { return strings.EqualFold(r.Names(p.User), name) })
}

// TournamentTitle describes the terms of a tournament in one line.
func TournamentTitle(s *tournament.State) string {
	t := &s.Terms
	return fmt.Sprintf("%s, %s, %s, %s", GamesTitle(match.Title(t.Options), t.FormatName()), t.Control, words.Mode(t.Rated), FormatTitle(t.FormatName()))
}

// GamesTitle returns the title of the games of a tournament by that of one, without a number of players where that of each table
// differs.
func GamesTitle(title, format string) string {
	if !isAtTables(format) {
		return title
	}
	before, options, ok := strings.Cut(title, " players, ")
	if i := strings.LastIndex(before, " "); ok && i > 0 {
		return before[:i] + " " + options
	}
	return title
}

// isAtTables reports whether the games of a format are of three and more.
func isAtTables(format string) bool {
	return strings.HasSuffix(format, "_"+string(tournament.FormatTables))
}

// PhaseSentence says what a tournament is doing.
func PhaseSentence(s *tournament.State, names tournament.Names, now time.Time) string {
	view := s.View(names, tournament.Page{Round: max(len(s.Rounds), 1), Limit: 1})
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + " UTC" }
	switch s.Phase {
	case tournament.PhaseOpen:
		text := fmt.Sprintf("It is open: %s of at most %d entered.", words.Plural(view.Entered, "player"), s.Terms.Max)
		if view.Next.IsZero() {
			return text + " The organizer starts it."
		}
		return text + " It starts at " + at(view.Next) + "."
	case tournament.PhaseCheckIn:
		return "The check-in is open until " + at(s.CheckInTo) + "."
	case tournament.PhaseRunning:
		games, running := 0, 0
		for _, g := range view.Games {
			if g.Table > 0 {
				games++
			}
			if g.Kind == tournament.GamePlaying {
				running++
			}
		}
		return fmt.Sprintf("Round %d of %d: %d of %s running, until %s at most.", len(s.Rounds), s.Planned, running, words.Plural(games, "game"), at(view.Deadline))
	case tournament.PhasePause:
		if !view.Next.After(now) {
			return fmt.Sprintf("Round %d of %d waits for players who are here.", len(s.Rounds)+1, s.Planned)
		}
		return fmt.Sprintf("Round %d of %d is over. The next one begins at %s.", len(s.Rounds), s.Planned, at(view.Next))
	case tournament.PhaseCancelled:
		return strings.TrimSuffix("It was cancelled: "+view.Reason, ": ") + "."
	}
	var won []string
	for i, place := range s.Final {
		if place == 1 {
			won = append(won, names(s.Players[i].User))
		}
	}
	return "It is over. Won by " + strings.Join(won, " and ") + "."
}

// YourSentence says how the user stands in a tournament; "" if they have not entered it.
func (v *Visit) YourSentence(r *TournamentResult) string {
	s, me := r.State, r.State.PlayerIndex(v.User().ID)
	if me < 0 {
		if s.IsRemoved(v.User().ID) {
			return "The organizer has taken you out."
		}
		return ""
	}
	standings := s.Standings()
	place := make([]int, len(s.Players))
	points := ""
	for _, at := range standings {
		place[at.Player] = at.Place
		if at.Player == me {
			points = tournament.PointsText(at.Points)
		}
	}
	switch s.StatusOf(me) {
	case tournament.StatusWithdrawn:
		return "You have withdrawn."
	case tournament.StatusRemoved:
		return "The organizer has taken you out."
	case tournament.StatusBanned:
		return "You were taken out."
	case tournament.StatusPaused:
		if !s.IsOver() {
			return "You are paused, and not paired until you resume."
		}
	case tournament.StatusIn:
	}
	if len(s.Rounds) == 0 {
		return "You have entered."
	}
	text := fmt.Sprintf("You are %s of %d with %s.", tournament.Ordinal(place[me]), len(s.Players), points)
	for _, g := range s.Rounds[len(s.Rounds)-1].Games {
		seat := slices.Index(g.Seats, me)
		if seat < 0 || g.IsOver() {
			continue
		}
		var others []string
		for _, p := range g.Seats {
			if p != me {
				others = append(others, fmt.Sprintf("%s, who is %s", r.Names(s.Players[p].User), tournament.Ordinal(place[p])))
			}
		}
		text += " You play " + strings.Join(others, "; ") + ". Type games, then play and its number."
	}
	return text
}

// GameText describes a game of a round, or a player without one.
func (r *TournamentResult) GameText(g *tournament.Game) string {
	var names []string
	for _, p := range g.Seats {
		names = append(names, r.Names(r.State.Players[p].User))
	}
	switch {
	case g.Kind == tournament.GameBye:
		return names[0] + " has no opponent: " + tournament.PointsText(g.Points[0])
	case g.Kind == tournament.GameAbsent:
		return names[0] + " was not there"
	case !g.IsOver():
		return strings.Join(names, " against ") + ": running"
	}
	var results []string
	for seat, name := range names {
		results = append(results, name+" "+tournament.FormatPoints(g.Points[seat]))
	}
	text := strings.Join(results, ", ")
	switch {
	case g.Kind == tournament.GameNoShow:
		text += " (someone did not come)"
	case g.Kind == tournament.GameRuled:
		text += " (" + cmp.Or(g.Reason(), "ruled") + ")"
	}
	return text
}

// describeTournament describes a tournament in sentences, with the standings.
func (v *Visit) describeTournament(r *TournamentResult) Text {
	s := r.State
	t := Text{Lines: []string{fmt.Sprintf("%s: %s, organized by %s.", s.Terms.Name, TournamentTitle(s), r.Names(s.Organizer)), PhaseSentence(s, r.Names, time.Now())}}
	if yours := v.YourSentence(r); yours != "" {
		t.Lines = append(t.Lines, yours)
	}
	round := cmp.Or(r.page.Round, len(s.Rounds))
	if round > 0 {
		t.Lines = append(t.Lines, "", fmt.Sprintf("Round %d:", round))
		for _, g := range s.Rounds[round-1].Games {
			line := r.GameText(g) + "."
			if g.Table > 0 {
				line = fmt.Sprintf("Table %d, %s: %s", g.Table, tournament.MatchID(s.ID, g.Round, g.Table), line)
			}
			t.Lines = append(t.Lines, line)
		}
		t.Lines = append(t.Lines, "")
	}
	rows := &Rows{Columns: []Column{{}, {}, {}, {}, {}}, Empty: "Nobody has entered."}
	view := s.View(r.Names, r.page)
	for _, p := range view.Players {
		state, possible := "", ""
		if p.State != tournament.StatusIn {
			state = StatusText(p.State)
		}
		if p.Places != nil && !s.IsOver() && p.Places[0] != p.Places[1] {
			possible = fmt.Sprintf("can become %s to %s", tournament.Ordinal(p.Places[0]), tournament.Ordinal(p.Places[1]))
		}
		place, points := tournament.Ordinal(p.Place), tournament.PointsText(int(math.Round(p.Points*tournament.Point)))
		if !s.HasStarted() { // nobody has played yet
			place, points = "", ""
		}
		rows.Rows = append(rows.Rows, Row{Values: []string{place, p.Name + " " + strconv.Itoa(p.Rating), points, possible, state}})
	}
	for _, o := range view.Removed {
		t.Lines = append(t.Lines, RemovedSentence(o))
	}
	t.Rows = rows
	return t
}

// StatusText returns in words that a player does not take part.
func StatusText(s tournament.Status) string {
	switch s {
	case tournament.StatusRemoved:
		return "taken out by the organizer"
	case tournament.StatusBanned:
		return "taken out"
	case tournament.StatusIn, tournament.StatusPaused, tournament.StatusWithdrawn:
	}
	return string(s)
}

// RemovedSentence says that the organizer has taken a user out, and why.
func RemovedSentence(o tournament.Removed) string {
	if o.Reason == "" {
		return "The organizer has taken " + o.Name + " out."
	}
	return "The organizer has taken " + o.Name + " out: " + strings.TrimSuffix(o.Reason, ".") + "."
}

// WhyArgs are the arguments of TournamentWhy.
type WhyArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Player     string       `json:"player" arg:"[PLAYER]" help:"by default you"`
}

// TournamentWhy says why a player has their place and their opponent.
var TournamentWhy = New(Spec[WhyArgs, []string]{
	Info: Info{Name: "tournament_why", Help: "say why a player has their place, and why they play whom in the latest round", Group: GroupTournaments,
		On: On{Line: Whole("tournament why"), SSH: As("tournament why"), API: Not("the operation tournament has the numbers"), Screen: inPalette}},
	Run: func(ctx context.Context, v *Visit, in WhyArgs) ([]string, error) {
		r, err := v.tournament(ctx, in.Tournament)
		if err != nil {
			return nil, err
		}
		i := r.State.PlayerIndex(v.User().ID)
		if in.Player != "" {
			i = r.player(in.Player)
		}
		if i < 0 {
			return nil, badRequest("that player is not in the tournament; name one who is")
		}
		all := []string{r.State.WhyPlace(i, r.Names)}
		if n := len(r.State.Rounds); n > 0 {
			all = append(all, r.State.WhyPaired(n, i, r.Names))
		}
		return all, nil
	},
	Text: func(_ *Visit, _ WhyArgs, all []string) Text { return Text{Lines: all} },
})

// TournamentRemark is a game at which the organizer may want to look.
type TournamentRemark struct {
	Round      int      `json:"round"`
	Table      int      `json:"table"`
	Match      string   `json:"match"`
	Seats      []string `json:"seats"`
	OneAddress bool     `json:"one_address,omitempty"`
	Upset      int      `json:"upset,omitempty"` // points of rating
}

// TournamentRemarks lists the games of a tournament at which its organizer may want to look.
var TournamentRemarks = New(Spec[OneTournament, []TournamentRemark]{
	Info: Info{Name: "tournament_remarks", Help: "list the games of your tournament at which you may want to look: players who are connected from one address, and wins against a rating that is higher by 300", Group: GroupTournaments, Account: true,
		On: On{Line: Whole("tournament remarks"), SSH: As("tournament remarks"), Screen: inPalette}},
	Run: func(ctx context.Context, v *Visit, in OneTournament) (all []TournamentRemark, err error) {
		r, err := v.tournament(ctx, in.Tournament)
		if err != nil {
			return nil, err
		}
		if v.User().ID != r.State.Organizer && !v.Can(club.PermissionDirect) {
			return nil, errcode.Errorf(errcode.NotAllowed, "only the organizer of the tournament and moderators can do that")
		}
		for _, m := range r.State.Remarks(v.Lobby.Tournaments.ShareAddress) {
			remark := TournamentRemark{
				Round: m.Game.Round, Table: m.Game.Table, Match: tournament.MatchID(r.State.ID, m.Game.Round, m.Game.Table),
				OneAddress: m.IsOneAddress, Upset: m.Upset,
			}
			for _, p := range m.Game.Seats {
				remark.Seats = append(remark.Seats, r.Names(r.State.Players[p].User))
			}
			all = append(all, remark)
		}
		return all, nil
	},
	Text: func(_ *Visit, _ OneTournament, all []TournamentRemark) Text {
		t := Text{Lines: []string{"Nothing follows from these by itself: families and clubs share an address, and upsets happen."}}
		for i := range all {
			m := &all[i]
			var what []string
			if m.OneAddress {
				what = append(what, "players who are connected from one address now")
			}
			if m.Upset > 0 {
				what = append(what, fmt.Sprintf("a win against a rating higher by %d", m.Upset))
			}
			t.Lines = append(t.Lines, fmt.Sprintf("Round %d, table %d, %s: %s: %s.", m.Round, m.Table, m.Match, strings.Join(m.Seats, " against "), strings.Join(what, ", and ")))
		}
		if len(all) == 0 {
			return Say("No game stands out.")
		}
		return t
	},
	JSON: func(_ *Visit, all []TournamentRemark) any {
		return struct {
			Remarks []TournamentRemark `json:"remarks"`
		}{append([]TournamentRemark{}, all...)}
	},
})

// TournamentTerms are the terms of a tournament as someone asks for them.
type TournamentTerms tournament.Request

// UnmarshalJSON implements json.Unmarshaler.
func (t *TournamentTerms) UnmarshalJSON(raw []byte) error {
	return UnmarshalStrict("terms", raw, (*tournament.Request)(t))
}

// NewTournamentArgs are the arguments of NewTournament.
type NewTournamentArgs struct {
	Format string          `json:"format" arg:"FORMAT" api:"required" help:"swiss, round_robin, or that of a game, such as GAME_tables"`
	Terms  TournamentTerms `json:"terms" arg:"[TERMS]" help:"as for a table, such as 9x9 10+5 casual, and words such as rounds=5 and start=2027-03-01T19:00Z: rounds, legs, min, max, start, check_in, pause, first_turn, cap, late, divisions, table_max, min_rating, max_rating, min_games, elsewhere, and bots, members, no-vacation"`
	Name   string          `json:"name" arg:"name NAME..." api:"required" help:"1 to 40 characters"`
}

// termNumbers returns where the words such as rounds=5 belong.
func (t *TournamentTerms) termNumbers() map[string]**int {
	return map[string]**int{"check_in": &t.CheckIn, "pause": &t.Pause, "late": &t.Late}
}

func (t *TournamentTerms) termInts() map[string]*int {
	return map[string]*int{
		"rounds": &t.Rounds, "legs": &t.Legs, "min": &t.Min, "max": &t.Max, "first_turn": &t.FirstTurn, "cap": &t.Cap, "divisions": &t.Divisions,
		"table_max": &t.TableMax, "min_rating": &t.MinRating, "max_rating": &t.MaxRating, "min_games": &t.MinGames, "delay": &t.Delay,
	}
}

// parseWords implements wordParser.
func (in *NewTournamentArgs) parseWords(v *Visit, list []string) error {
	const usage = "usage: tournament new FORMAT [TERMS] name NAME, for example tournament new swiss 9x9 10+5 rounds=5 name Friday cup"
	at := slices.Index(list, "name")
	if at < 1 || at == len(list)-1 {
		return badRequest(usage)
	}
	in.Format, in.Name = list[0], strings.Join(list[at+1:], " ")
	game, err := in.Terms.parseWords(v, list[1:at])
	if err == nil && in.Terms.Game == "" {
		in.Terms.Game = game
	}
	if format, isTables := strings.CutSuffix(in.Format, "_"+string(tournament.FormatTables)); isTables {
		in.Terms.Game = format
	}
	return err
}

// parseWords sets the terms that words name, and returns the game of a table with the same words.
func (t *TournamentTerms) parseWords(v *Visit, list []string) (gameName string, err error) {
	var rest []string
	ints, numbers := t.termInts(), t.termNumbers()
	for _, word := range list {
		key, value, isKeyed := strings.Cut(strings.ToLower(word), "=")
		number, err := strconv.Atoi(value)
		switch {
		case key == "bots" && !isKeyed:
			t.Bots = true
		case key == "members" && !isKeyed:
			t.Members = true
		case key == "no-vacation" && !isKeyed:
			t.Vacation = new(false)
		case key == "elsewhere" && isKeyed:
			t.Elsewhere = tournament.Elsewhere(value)
		case key == "start" && isKeyed:
			if t.Start, err = time.Parse(time.RFC3339, strings.ToUpper(value)); err != nil {
				if t.Start, err = time.Parse("2006-01-02T15:04Z", strings.ToUpper(value)); err != nil {
					return "", badRequest("start is a time in UTC, such as start=2027-03-01T19:00Z")
				}
			}
		case isKeyed && (ints[key] != nil || numbers[key] != nil):
			if err != nil {
				return "", badRequest("%s must be a number, not %q", key, sanitize.Line(value, 20))
			}
			if to := ints[key]; to != nil {
				*to = number
			} else {
				*numbers[key] = &number
			}
		default:
			rest = append(rest, word)
		}
	}
	typed, err := parseTerms(v.Games, rest, []string{"rated", "casual"}, ratedOptions)
	if err != nil {
		return "", err
	}
	g := typed.orDefault(v.Games)
	answers := game.DefaultAnswers(g.Choices(), false)
	isNamed := slices.ContainsFunc(typed.answers, func(n int) bool { return n != game.Any })
	switch {
	case g.Name() != t.Game:
		t.Options = typed.options(g, answers)
	case isNamed:
		t.Options = typed.options(g, game.AnswersFor(g, t.Options, answers))
	}
	t.Rated = cmp.Or(typed.rated, t.Rated)
	if typed.clock != nil {
		t.Clock = (*clock.Control)(typed.clock)
	}
	return g.Name(), nil
}

// TournamentCreated is a tournament that was created.
type TournamentCreated struct {
	Tournament string `json:"tournament"`
}

// terms returns the terms of a request.
func (v *Visit) tournamentTerms(name, format string, r TournamentTerms) (t tournament.Terms, err error) {
	if err := v.checkOptions(r.Game, r.Options); err != nil {
		return t, err
	}
	game, err := v.Lobby.Game(r.Game)
	if err != nil {
		return t, err
	}
	parsed, err := tournament.ParseFormat(format, game)
	if err != nil {
		return t, err
	}
	return tournament.NewTerms(sanitize.Line(name, tournament.MaxName+1), parsed, tournament.Request(r), game)
}

// NewTournament creates a tournament.
var NewTournament = New(Spec[NewTournamentArgs, TournamentCreated]{
	Info: Info{Name: "tournament_new", Help: "create a tournament, which others can enter until you start it", Group: GroupTournaments, Account: true, Permission: club.PermissionOrganize, Effect: Changes, Session: true,
		On: On{Line: Whole("tournament new"), SSH: As("tournament new"), Screen: As("palette", "tournaments n")}},
	Run: func(ctx context.Context, v *Visit, in NewTournamentArgs) (r TournamentCreated, err error) {
		terms, err := v.tournamentTerms(in.Name, in.Format, in.Terms)
		if err != nil {
			return r, err
		}
		r.Tournament, err = v.Session.CreateTournament(ctx, terms, v.Can(club.PermissionDirect))
		if err == nil {
			v.Session.FollowTournament(r.Tournament)
		}
		return r, err
	},
	Text: func(_ *Visit, in NewTournamentArgs, r TournamentCreated) Text {
		return Say("%s is open: %s. To enter: tournament enter %[2]s. To start it: tournament start %[2]s.", sanitize.Line(in.Name, tournament.MaxName), r.Tournament)
	},
})

// Done is a sentence about what has been done.
type Done string

// tournamentChange declares an operation that changes a tournament. word names it behind "tournament" in line mode and over SSH.
func tournamentChange[A any](word, api, help string, e Effect, screen Availability, id func(A) TournamentID, input func(ctx context.Context, v *Visit, in A) (tournament.Input, error), done func(*Visit, A) string) *Op[A, Done] {
	place := Availability{}
	if api != "" {
		place = As(api)
	}
	return New(Spec[A, Done]{
		Info: Info{Name: "tournament_" + word, Help: help, Group: GroupTournaments, Account: true, Effect: e, Session: true,
			On: On{Line: Whole("tournament " + strings.ReplaceAll(word, "_", "-")), SSH: As("tournament " + strings.ReplaceAll(word, "_", "-")), API: place, Screen: screen}},
		Confirm: func(*Visit, A) (string, error) {
			if e == Final {
				return "All players are told, and it cannot be undone.", nil
			}
			return "", nil
		},
		Run: func(ctx context.Context, v *Visit, in A) (Done, error) {
			change, err := input(ctx, v, in)
			if err == nil {
				err = v.changeTournament(ctx, id(in), change)
			}
			return Done(done(v, in)), err
		},
		Text: func(_ *Visit, _ A, r Done) Text { return Say("%s", string(r)) },
		JSON: func(*Visit, Done) any { return None{} },
	})
}

// changeTournament applies what the user asks for. What organizers and moderators do is in the audit log.
func (v *Visit) changeTournament(ctx context.Context, id TournamentID, in tournament.Input) error {
	if err := v.Archive().spend(limit.WorkTournamentChange); err != nil {
		return err
	}
	in.Moderator = v.Can(club.PermissionDirect)
	in.Note = sanitize.Line(in.Note, tournament.MaxNote+1)
	if in.Kind == tournament.InputEnter {
		in.Entrant.Member = !v.User().IsGuest()
		if v.IsMember != nil && in.Entrant.Member {
			var err error
			if in.Entrant.Member, err = v.IsMember(ctx); err != nil {
				return err
			}
		}
	}
	if err := v.Session.ChangeTournament(ctx, string(id), in); err != nil {
		return err
	}
	v.Session.FollowTournament(string(id))
	who := ""
	if in.Kind == tournament.InputRemove || in.Kind == tournament.InputLetIn {
		names, err := v.Lobby.Tournaments.Names(ctx, []account.ID{in.User})
		if err != nil {
			return err
		}
		who = names(in.User)
	}
	action := map[tournament.InputKind]string{
		tournament.InputStart: "starts", tournament.InputEdit: "changes the terms of", tournament.InputCancel: "cancels", tournament.InputExtend: "extends the round of",
		tournament.InputRule: fmt.Sprintf("rules round %d, table %d of", in.Round, in.Table), tournament.InputRemove: "takes " + who + " out of", tournament.InputLetIn: "lets " + who + " again into",
	}[in.Kind]
	if action == "" || v.Moderator == nil {
		return nil
	}
	return v.Moderator.RecordRuling(ctx, strings.TrimSuffix(action+" the tournament "+string(id)+": "+in.Note, ": "))
}

// OneTournament is the argument of operations of one tournament.
type OneTournament struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT" help:"its id; the command tournaments lists them"`
}

func (in OneTournament) id() TournamentID { return in.Tournament }

// simple returns an input of a kind without fields.
func simple(kind tournament.InputKind) func(context.Context, *Visit, OneTournament) (tournament.Input, error) {
	return func(context.Context, *Visit, OneTournament) (tournament.Input, error) {
		return tournament.Input{Kind: kind}, nil
	}
}

func constantly(sentence string) func(*Visit, OneTournament) string {
	return func(*Visit, OneTournament) string { return sentence }
}

// The operations of players.
var (
	EnterTournament = tournamentChange("enter", "enter", "enter a tournament", Changes, onTournament("y"), OneTournament.id,
		simple(tournament.InputEnter), func(v *Visit, _ OneTournament) string {
			text := "You have entered. Your games begin by themselves."
			if len(v.Session.Blocks()) > 0 {
				text += " You can be paired with players whom you block; you do not read each other there."
			}
			return text
		})
	WithdrawTournament = tournamentChange("withdraw", "withdraw", "leave a tournament; a running game goes on, and you cannot enter again after the start", Changes, onTournament("x"), OneTournament.id,
		simple(tournament.InputWithdraw), constantly("You are out of the tournament."))
	CheckInTournament = tournamentChange("check_in", "check_in", "say before the start of a tournament that you are here", Changes, onTournament("y"), OneTournament.id,
		simple(tournament.InputCheckIn), constantly("You are checked in."))
	PauseTournament = tournamentChange("pause", "pause", "be left out of the next rounds of a tournament until you resume", Changes, inPalette, OneTournament.id,
		simple(tournament.InputPause), constantly("You are not paired until you resume."))
	ResumeTournament = tournamentChange("resume", "resume", "be paired again in a tournament", Changes, onTournament("y"), OneTournament.id,
		simple(tournament.InputResume), constantly("You are paired again from the next round on."))
	ByeTournament = tournamentChange("bye", "bye", "ask for half a point instead of a game in a round of a swiss tournament", Changes, inPalette, func(in ByeArgs) TournamentID { return in.Tournament },
		func(_ context.Context, _ *Visit, in ByeArgs) (tournament.Input, error) {
			return tournament.Input{Kind: tournament.InputAskBye, Round: in.Round}, nil
		}, func(_ *Visit, in ByeArgs) string {
			return fmt.Sprintf("You have no game in round %d, and half a point.", in.Round)
		})
)

// ByeArgs are the arguments of ByeTournament.
type ByeArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Round      int          `json:"round" arg:"ROUND"`
}

// ReasonArgs are the arguments of operations with a reason.
type ReasonArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Reason     string       `json:"reason" arg:"[REASON...]" help:"everyone reads it"`
}

// ExtendArgs are the arguments of ExtendTournament.
type ExtendArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Hours      int          `json:"hours" arg:"HOURS"`
}

// RemoveArgs are the arguments of RemoveFromTournament.
type RemoveArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Player     string       `json:"player" arg:"PLAYER"`
	Reason     string       `json:"reason" arg:"[REASON...]" help:"everyone reads it"`
}

// LetInArgs are the arguments of LetIntoTournament.
type LetInArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Player     string       `json:"player" arg:"PLAYER"`
}

// aboutPlayer returns an input about a player with a name, or about a user who was taken out.
func aboutPlayer(ctx context.Context, v *Visit, in tournament.Input, id TournamentID, name string) (tournament.Input, error) {
	r, err := v.tournament(ctx, id)
	if err != nil {
		return in, err
	}
	if i := r.player(name); i >= 0 {
		in.User = r.State.Players[i].User
	} else if i := slices.IndexFunc(r.State.Removed, func(o tournament.Removal) bool { return strings.EqualFold(r.Names(o.User), name) }); i >= 0 {
		in.User = r.State.Removed[i].User
	}
	return in, nil // Step says that there is none
}

// RuleArgs are the arguments of RuleTournament. Without a winner, winners and places the game is drawn.
type RuleArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Match      string       `json:"match" arg:"MATCH" help:"its id"`
	Winner     string       `json:"winner" arg:"WINNER|draw" help:"the name of the player who wins"`
	Reason     string       `json:"reason" arg:"[REASON...]" help:"everyone reads it"`
	Winners    []int        `json:"winners"`
	Places     []int        `json:"places"`
}

// EditArgs are the arguments of EditTournament.
type EditArgs struct {
	Tournament TournamentID    `json:"tournament" arg:"TOURNAMENT"`
	Terms      TournamentTerms `json:"terms" arg:"[TERMS]" help:"those that change, as for tournament new"`
	Name       string          `json:"name" arg:"[name NAME...]" help:"another name"`
}

// parseWords implements wordParser.
func (in *EditArgs) parseWords(v *Visit, list []string) error {
	if len(list) == 0 {
		return badRequest("usage: tournament edit TOURNAMENT [TERMS] [name NAME]")
	}
	if err := in.Tournament.ParseWord(v, list[0]); err != nil {
		return err
	}
	s := v.Lobby.Tournaments.Known(string(in.Tournament))
	if s == nil {
		return nil // Run says that there is none
	}
	in.Terms = TournamentTerms(s.Terms.Request())
	if at := slices.Index(list, "name"); at > 0 {
		if at == len(list)-1 {
			return badRequest("usage: tournament edit TOURNAMENT [TERMS] [name NAME]")
		}
		in.Name, list = strings.Join(list[at+1:], " "), list[:at]
	}
	_, err := in.Terms.parseWords(v, append([]string{in.Terms.Game}, list[1:]...))
	return err
}

// The operations of organizers.
var (
	StartTournament = tournamentChange("start", "", "start your tournament, or its check-in", Changes, inPalette, OneTournament.id, simple(tournament.InputStart), func(v *Visit, in OneTournament) string {
		if s := v.Lobby.Tournaments.Known(string(in.Tournament)); s != nil && s.Phase == tournament.PhaseCheckIn {
			return "The check-in is open. The first round begins after it."
		}
		return "The tournament starts."
	})
	CancelTournament = tournamentChange("cancel", "", "cancel your tournament", Final, inPalette, func(in ReasonArgs) TournamentID { return in.Tournament },
		func(_ context.Context, _ *Visit, in ReasonArgs) (tournament.Input, error) {
			return tournament.Input{Kind: tournament.InputCancel, Note: in.Reason}, nil
		}, func(*Visit, ReasonArgs) string { return "The tournament is cancelled." })
	ExtendTournament = tournamentChange("extend", "", "give the running round of your tournament more time", Changes, inPalette, func(in ExtendArgs) TournamentID { return in.Tournament },
		func(_ context.Context, _ *Visit, in ExtendArgs) (tournament.Input, error) {
			return tournament.Input{Kind: tournament.InputExtend, Hours: in.Hours}, nil
		}, func(_ *Visit, in ExtendArgs) string {
			return "The round may take " + words.Plural(in.Hours, "hour") + " longer."
		})
	RemoveFromTournament = tournamentChange("remove", "", "take a player out of your tournament, who cannot enter again unless you let them in; a running game goes on", Changes, inPalette, func(in RemoveArgs) TournamentID { return in.Tournament },
		func(ctx context.Context, v *Visit, in RemoveArgs) (tournament.Input, error) {
			return aboutPlayer(ctx, v, tournament.Input{Kind: tournament.InputRemove, Note: in.Reason}, in.Tournament, in.Player)
		}, func(_ *Visit, in RemoveArgs) string {
			return sanitize.Line(in.Player, 20) + " is out of the tournament."
		})
	LetIntoTournament = tournamentChange("let_in", "", "let a player take part again whom you have taken out of your tournament", Changes, inPalette, func(in LetInArgs) TournamentID { return in.Tournament },
		func(ctx context.Context, v *Visit, in LetInArgs) (tournament.Input, error) {
			return aboutPlayer(ctx, v, tournament.Input{Kind: tournament.InputLetIn}, in.Tournament, in.Player)
		}, func(_ *Visit, in LetInArgs) string { return sanitize.Line(in.Player, 20) + " can take part again." })
	RuleTournament = tournamentChange("rule", "", "decide a game of your tournament that cannot be finished", Final, inPalette, func(in RuleArgs) TournamentID { return in.Tournament },
		ruling, func(*Visit, RuleArgs) string { return "The game is decided." })
	EditTournament = tournamentChange("edit", "", "change the terms of your tournament before it starts", Changes, inPalette, func(in EditArgs) TournamentID { return in.Tournament },
		func(ctx context.Context, v *Visit, in EditArgs) (tournament.Input, error) {
			r, err := v.tournament(ctx, in.Tournament)
			if err != nil {
				return tournament.Input{}, err
			}
			before := &r.State.Terms
			if reflect.ValueOf(in.Terms).IsZero() { // only another name
				in.Terms = TournamentTerms(before.Request())
			}
			in.Terms.Game = cmp.Or(in.Terms.Game, before.Options.Game().Name())
			terms, err := v.tournamentTerms(cmp.Or(in.Name, before.Name), before.FormatName(), in.Terms)
			return tournament.Input{Kind: tournament.InputEdit, Terms: terms}, err
		}, func(*Visit, EditArgs) string { return "The terms are changed." })
)

// ruling returns the input of a ruling.
func ruling(ctx context.Context, v *Visit, in RuleArgs) (tournament.Input, error) {
	r, err := v.tournament(ctx, in.Tournament)
	if err != nil {
		return tournament.Input{}, err
	}
	for _, round := range r.State.Rounds {
		for _, g := range round.Games {
			if g.Table == 0 || tournament.MatchID(r.State.ID, g.Round, g.Table) != in.Match {
				continue
			}
			change := tournament.Input{Kind: tournament.InputRule, Round: g.Round, Table: g.Table, Places: in.Places, Note: in.Reason}
			winners := in.Winners
			if in.Winner != "" && in.Winner != "draw" {
				seat := slices.Index(g.Seats, r.player(in.Winner))
				if seat < 0 {
					return change, badRequest("%s does not play in that game", sanitize.Line(in.Winner, 20))
				}
				winners = []int{seat}
			}
			if len(winners) > 0 {
				change.Places = make([]int, len(g.Seats))
				for seat := range change.Places {
					if change.Places[seat] = 1; !slices.Contains(winners, seat) {
						change.Places[seat] = len(winners) + 1
					}
				}
			}
			return change, nil
		}
	}
	return tournament.Input{}, &errcode.Error{Code: errcode.UnknownMatch, Message: "the tournament has no such game; its games have their ids in the command tournament"}
}

// TournamentSayArgs are the arguments of TournamentSay.
type TournamentSayArgs struct {
	Tournament TournamentID `json:"tournament" arg:"TOURNAMENT"`
	Text       ChatText     `json:"text" arg:"TEXT..."`
}

// TournamentSay posts a line in the room of a tournament.
var TournamentSay = New(Spec[TournamentSayArgs, None]{
	Info: Info{Name: "tournament_say", Help: "write to the players of a tournament and those who follow it", Group: GroupTournaments, Effect: Changes, Session: true,
		On: On{Line: Whole("tournament say"), SSH: As("tournament say"), API: Not("the operation say with tournament"), Screen: onTournament("t")}},
	Run: func(_ context.Context, v *Visit, in TournamentSayArgs) (None, error) {
		return None{}, v.Session.SayInTournament(string(in.Tournament), string(in.Text))
	},
	Text: func(*Visit, TournamentSayArgs, None) Text { return Text{} }, // line mode prints the line itself
})
