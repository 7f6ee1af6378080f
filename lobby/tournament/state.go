package tournament

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"ayumu/lobby/account"
)

// Phase is what a tournament is doing, as programs get it.
type Phase string

// The phases.
const (
	PhaseOpen      Phase = "open"
	PhaseCheckIn   Phase = "check_in"
	PhaseRunning   Phase = "running"
	PhasePause     Phase = "pause" // between two rounds
	PhaseClosed    Phase = "closed"
	PhaseCancelled Phase = "cancelled"
)

// Status is whether a player takes part, as programs get it.
type Status string

// The values of Status.
const (
	StatusIn        Status = "in"
	StatusPaused    Status = "paused" // is not paired until they resume
	StatusWithdrawn Status = "withdrawn"
	StatusRemoved   Status = "removed" // withdrawn because the organizer took the player out; only State.StatusOf returns it
	StatusBanned    Status = "banned"  // withdrawn because the account was banned
)

// Player is a player of a tournament. It is immutable, also what it refers to.
type Player struct {
	User        account.ID
	Rating      int // when they entered
	Bot         bool
	Lot         uint64 // decides last, and follows from the seed; the smaller one is higher
	Status      Status // never StatusRemoved: see State.StatusOf
	IsCheckedIn bool
	Entered     int   // version of the tournament after it
	NoShow      bool  // is paused because they did not come to a game
	Annulled    bool  // their games do not count, because they withdrew from a round robin before half of them were played
	Division    int   // from 1; 0: it is no round robin, or the player was not there when it started, see hasSchedule
	Byes        []int // rounds for which they have asked for a bye
}

// IsIn reports whether the player has not withdrawn.
func (p *Player) IsIn() bool { return p.Status == StatusIn || p.Status == StatusPaused }

// Removal is that the organizer has taken a user out.
type Removal struct {
	User    account.ID
	At      time.Time // of the latest change
	Note    string    // why; free text
	Version int       // of the tournament after the latest change
	LetIn   bool      // they have let the user take part again since
}

// Edits is what the organizer has changed last in the terms. The zero value is nothing.
type Edits struct {
	At      time.Time
	Changes string // the new terms as clauses
	Version int    // of the tournament after it
}

// Round is a round that was paired. It is immutable, also what it refers to.
type Round struct {
	Number   int
	Paired   time.Time
	Deadline time.Time // when its games are ruled
	Warned   time.Time // when its players were warned of that; zero: they were not
	Ended    time.Time // zero: it is running
	Games    []*Game   // by table, then players without an opponent
}

// hasRunning reports whether a game of the round is running.
func (r *Round) hasRunning() bool {
	return slices.ContainsFunc(r.Games, func(g *Game) bool { return !g.IsOver() })
}

// State is the state of a tournament: what follows from its log. It is immutable, also what it refers to. Fold is the
// constructor, and Step returns the next one.
type State struct {
	ID        string
	Terms     Terms
	Organizer account.ID
	Seed      uint64
	Version   int // number of entries
	Phase     Phase
	Created   time.Time
	LastAt    time.Time // of the last entry
	Edits     Edits     // before the start
	CheckInTo time.Time // when the check-in ends, in PhaseCheckIn
	CancelAt  time.Time // when it is cancelled unless more players enter; zero: nobody was warned
	Planned   int       // rounds; 0 before the start
	Players   []Player  // in the order in which they entered. Those who left before the start are not among them
	Removed   []Removal // one for each user whom the organizer has taken out, the first ones first; see IsRemoved and StatusOf
	Rounds    []Round   // that were paired
	Final     []int     // by player: the places, once it is closed
	Cause     Cause     // why the server cancelled it
	Note      string    // what the person wrote who cancelled it; free text
}

// IsOver reports whether the tournament is closed or cancelled.
func (s *State) IsOver() bool { return s.Phase == PhaseClosed || s.Phase == PhaseCancelled }

// HasStarted reports whether it is or was running.
func (s *State) HasStarted() bool { return s.Planned > 0 }

// PlayerIndex returns the index of a user's player, or -1.
func (s *State) PlayerIndex(user account.ID) int {
	return slices.IndexFunc(s.Players, func(p Player) bool { return p.User == user })
}

// Game returns the game at a table of a round.
func (s *State) Game(round, table int) (g *Game, ok bool) {
	if round < 1 || round > len(s.Rounds) || table < 1 {
		return nil, false
	}
	games := s.Rounds[round-1].Games
	if table > len(games) || games[table-1].Table != table {
		return nil, false
	}
	return games[table-1], true
}

// LastEntryRound returns the last round in which one may enter; 0 before the start and without late entries.
func (s *State) LastEntryRound() int {
	switch {
	case s.Terms.Format.hasSchedule():
		return 0
	case s.Terms.Late >= 0:
		return min(s.Terms.Late, s.Planned)
	}
	return (s.Planned + 1) / 2
}

// IsRemoved reports whether the organizer has taken a user out and not let them in again.
func (s *State) IsRemoved(user account.ID) bool {
	return slices.ContainsFunc(s.Removed, func(r Removal) bool { return r.User == user && !r.LetIn })
}

// StatusOf returns whether a player takes part, by index. Removed decides whether the organizer has taken out one who does not.
func (s *State) StatusOf(player int) Status {
	p := &s.Players[player]
	if p.Status == StatusWithdrawn && s.IsRemoved(p.User) {
		return StatusRemoved
	}
	return p.Status
}

// IsOpenTo reports whether a user may still enter, as far as it does not depend on who they are.
func (s *State) IsOpenTo(user account.ID) bool {
	if s.IsOver() || s.PlayerIndex(user) >= 0 || s.IsRemoved(user) || s.countIn() >= s.Terms.Max {
		return false
	}
	return !s.HasStarted() || !s.Terms.Format.hasSchedule() && len(s.Rounds) <= s.LastEntryRound()
}

// Running returns a running game of a player, of the latest round in which they have one; nil: they have none.
func (s *State) Running(player int) *Game {
	for i := len(s.Rounds) - 1; i >= 0; i-- {
		for _, g := range s.Rounds[i].Games {
			if !g.IsOver() && g.seatOf(player) >= 0 {
				return g
			}
		}
		if !s.Rounds[i].Ended.IsZero() {
			break
		}
	}
	return nil
}

// Fold returns the state of a tournament after a log, or an error if it cannot be one.
func Fold(id string, log []Entry) (State, error) { return State{ID: id}.With(log) }

// With returns the state after further entries of the log, which another node has recorded.
func (s State) With(entries []Entry) (State, error) {
	for i := range entries {
		next, err := s.apply(&entries[i])
		if err != nil {
			return State{}, fmt.Errorf("tournament %s: entry %d: %w", s.ID, s.Version+1, err)
		}
		s = next
	}
	return s, nil
}

// apply returns the state after an entry. An entry that Step has made for the state is accepted.
func (s State) apply(e *Entry) (State, error) {
	if !s.canFollow(e.Kind) {
		return s, fmt.Errorf("%q cannot follow in the phase %q", e.Kind, s.Phase)
	}
	s.Version++
	s.LastAt = later(s.LastAt, e.At)
	var err error
	switch e.Kind {
	case EntryCreated, EntryEdited:
		err = s.applyTerms(e)
	case EntryEntered:
		err = s.applyEntered(e)
	case EntryLeft, EntryCheckedIn, EntryWithdrew, EntryPaused, EntryResumed, EntryByeAsked:
		err = s.applyPlayer(e)
	case EntryLetIn:
		err = s.applyLetIn(e)
	case EntryOpened:
		s.Phase, s.CheckInTo = PhaseCheckIn, e.Deadline
	case EntryWarned:
		if s.CancelAt = e.Deadline; e.Round > 0 {
			s.CancelAt = time.Time{}
			err = s.changeRound(e.Round, func(r *Round) { r.Warned = e.At })
		}
	case EntryStarted:
		err = s.applyStarted(e)
	case EntryPaired:
		err = s.applyPaired(e)
	case EntryGameEnded, EntryRuled:
		err = s.applyResult(e)
	case EntryExtended:
		err = s.changeRound(e.Round, func(r *Round) { r.Deadline, r.Warned = e.Deadline, time.Time{} })
	case EntryRoundOver:
		if s.Phase = PhasePause; e.Round != len(s.Rounds) {
			err = fmt.Errorf("round %d of %d is over", e.Round, len(s.Rounds))
		}
		for n := 1; n <= e.Round && err == nil; n++ {
			err = s.changeRound(n, func(r *Round) {
				if r.Ended.IsZero() {
					r.Ended = e.At
				}
			})
		}
	case EntryClosed:
		if s.Phase, s.Final = PhaseClosed, e.Places; len(e.Places) != len(s.Players) {
			err = errors.New("not every player has a place")
		}
	case EntryCancelled:
		s.Phase, s.Cause, s.Note = PhaseCancelled, e.Cause, e.Note
	default:
		err = fmt.Errorf("unknown kind %q", e.Kind)
	}
	return s, err
}

// canFollow reports whether an entry of a kind can follow in the phase.
func (s *State) canFollow(kind EntryKind) bool {
	switch kind {
	case EntryCreated:
		return s.Version == 0
	case EntryEdited, EntryOpened:
		return s.Phase == PhaseOpen
	case EntryStarted:
		return s.Phase == PhaseOpen || s.Phase == PhaseCheckIn
	case EntryPaired, EntryClosed: // those of a round robin can be paired together
		return s.Phase == PhasePause || s.Phase == PhaseRunning
	case EntryGameEnded, EntryRuled, EntryExtended, EntryRoundOver:
		return s.Phase == PhaseRunning
	}
	return s.Version > 0 && !s.IsOver()
}

func (s *State) applyTerms(e *Entry) error {
	if e.Terms == nil {
		return errors.New("it has no terms")
	}
	if e.Kind == EntryCreated {
		s.Phase, s.Organizer, s.Seed, s.Created = PhaseOpen, e.By, e.Seed, e.At
	}
	if changes := e.Terms.changesTo(&s.Terms); e.Kind == EntryEdited && changes != "" {
		s.Edits = Edits{s.LastAt, changes, s.Version}
	}
	s.Terms, s.CancelAt = *e.Terms, time.Time{}
	return nil
}

// applyEntered adds a player. One who enters after the start gets half a point for each of the last two rounds.
func (s *State) applyEntered(e *Entry) error {
	if s.PlayerIndex(e.User) >= 0 || len(s.Players) >= MaxPlayers {
		return errors.New("a player entered twice, or too many")
	}
	player := len(s.Players)
	s.Players = append(slices.Clip(s.Players), Player{User: e.User, Rating: e.Rating, Bot: e.Bot, Lot: lot(s.Seed, e.User), Status: StatusIn, Entered: s.Version})
	const missed = 2
	for n := max(len(s.Rounds)-missed, 0); n < len(s.Rounds); n++ {
		err := s.changeRound(n+1, func(r *Round) {
			r.Games = append(r.Games, &Game{Round: r.Number, Seats: []int{player}, Kind: GameBye, Points: []int{Point / 2}})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *State) applyPlayer(e *Entry) error {
	i := s.PlayerIndex(e.User)
	if i < 0 {
		return errors.New("the player is unknown")
	}
	s.Players = slices.Clone(s.Players)
	p := &s.Players[i]
	switch e.Kind {
	case EntryLeft:
		if s.HasStarted() {
			return errors.New("a player leaves after the start")
		}
		s.Players = slices.Delete(s.Players, i, i+1)
		if e.By != 0 {
			s.setRemoval(e, false)
		}
	case EntryCheckedIn:
		p.IsCheckedIn, p.Status = true, StatusIn
	case EntryPaused:
		p.Status = StatusPaused
	case EntryResumed:
		p.Status, p.NoShow = StatusIn, false
	case EntryByeAsked:
		p.Byes = append(slices.Clip(p.Byes), e.Round)
	case EntryWithdrew:
		p.Annulled = s.fewPlayed()[i]
		switch p.Status = StatusWithdrawn; {
		case e.Cause == CauseBanned:
			p.Status = StatusBanned
		case e.By != 0:
			s.setRemoval(e, false)
		}
	}
	return nil
}

// setRemoval records that the organizer has taken a user out, or has let them in again.
func (s *State) setRemoval(e *Entry, letIn bool) {
	r := Removal{User: e.User, At: s.LastAt, Note: e.Note, Version: s.Version, LetIn: letIn}
	i := slices.IndexFunc(s.Removed, func(o Removal) bool { return o.User == e.User })
	if i < 0 {
		s.Removed = append(slices.Clip(s.Removed), r)
		return
	}
	s.Removed = slices.Clone(s.Removed)
	s.Removed[i] = r
}

// applyLetIn lets a user take part again. One who was a player after the start is paused until they resume.
func (s *State) applyLetIn(e *Entry) error {
	if !s.IsRemoved(e.User) {
		return errors.New("a player is let in who was not taken out")
	}
	if i := s.PlayerIndex(e.User); i >= 0 && s.StatusOf(i) == StatusRemoved {
		s.Players = slices.Clone(s.Players)
		s.Players[i].Status = StatusPaused
	}
	s.setRemoval(e, true)
	return nil
}

// applyStarted begins the tournament. Players who have not checked in are paused. Those without a division of a round robin
// do not take part.
func (s *State) applyStarted(e *Entry) error {
	if e.Rounds < 1 || e.Rounds > 2*MaxPlayers || len(e.Divisions) > MaxDivs {
		return fmt.Errorf("it starts with %d rounds and %d divisions", e.Rounds, len(e.Divisions))
	}
	checkIn := s.Phase == PhaseCheckIn
	s.Phase, s.Planned, s.CheckInTo, s.CancelAt = PhasePause, e.Rounds, time.Time{}, time.Time{}
	s.Players = slices.Clone(s.Players)
	for i := range s.Players {
		if p := &s.Players[i]; checkIn && !p.IsCheckedIn {
			p.Status = StatusPaused
		}
	}
	for n, users := range e.Divisions {
		for _, user := range users {
			i := s.PlayerIndex(user)
			if i < 0 {
				return errors.New("a player of a division is unknown")
			}
			s.Players[i].Division = n + 1
		}
	}
	for i := range s.Players {
		if p := &s.Players[i]; s.Terms.Format.hasSchedule() && p.Division == 0 {
			p.Status = StatusWithdrawn
		}
	}
	return nil
}

func (s *State) applyPaired(e *Entry) error {
	if e.Round != len(s.Rounds)+1 || e.Round > s.Planned {
		return fmt.Errorf("round %d follows %d of %d", e.Round, len(s.Rounds), s.Planned)
	}
	index := make(map[account.ID]int, len(s.Players))
	for i := range s.Players {
		index[s.Players[i].User] = i
	}
	r := Round{Number: e.Round, Paired: e.At, Deadline: e.Deadline, Games: make([]*Game, len(e.Games))}
	for n := range e.Games {
		g, err := s.pairedGame(&e.Games[n], n+1, index)
		if err != nil {
			return fmt.Errorf("game %d: %w", n+1, err)
		}
		g.Round, r.Games[n] = e.Round, g
	}
	s.Phase = PhaseRunning
	s.Rounds = append(slices.Clip(s.Rounds), r)
	return nil
}

// pairedGame returns a game of a round that is paired, the n-th one. index has the players who have none yet.
func (s *State) pairedGame(paired *PairedGame, n int, index map[account.ID]int) (*Game, error) {
	g := &Game{Table: paired.Table, Kind: paired.Kind}
	for _, user := range paired.Seats {
		i, ok := index[user]
		if !ok {
			return nil, errors.New("a player is unknown, or has two games")
		}
		delete(index, user)
		g.Seats = append(g.Seats, i)
	}
	atTables := s.Terms.Format.isAtTables()
	switch seats := len(g.Seats); {
	case g.Table == 0 && seats == 1 && (g.Kind == GameBye || g.Kind == GameAbsent) && paired.Points >= 0 && paired.Points <= Point:
		g.Points = []int{paired.Points}
	case g.Table != n || seats < 2 || seats > maxTable || seats != 2 && !atTables:
		return nil, fmt.Errorf("it has table %d, %d seats and the kind %q", g.Table, seats, g.Kind)
	case g.Kind == "":
		g.Kind = GamePlaying
	case g.Kind == GameNoShow:
		return g, g.end(GameNoShow, paired.Places, atTables)
	default:
		return nil, fmt.Errorf("it has the kind %q", g.Kind)
	}
	return g, nil
}

// end sets the result of a game.
func (g *Game) end(kind GameKind, places []int, atTables bool) error {
	if places != nil {
		if err := checkPlaces(places, len(g.Seats)); err != nil {
			return err
		}
	}
	g.Kind, g.Places, g.Points = kind, places, pointsOf(places, len(g.Seats), atTables)
	return nil
}

// applyResult ends a game. Players who did not come are paused.
func (s *State) applyResult(e *Entry) error {
	before, ok := s.Game(e.Round, e.Table)
	if !ok || before.IsOver() {
		return fmt.Errorf("round %d has no running game at table %d", e.Round, e.Table)
	}
	kind := e.Outcome
	switch {
	case e.Kind == EntryRuled:
		kind = GameRuled
	case kind != GamePlayed && kind != GameNoShow:
		return fmt.Errorf("a game ended as %q", e.Outcome)
	}
	g := *before
	g.NoShows, g.Scores, g.Version, g.Cause, g.Note, g.Ended = e.NoShows, e.Scores, e.Version, e.Cause, e.Note, e.At
	if g.Scores != nil && len(g.Scores) != len(g.Seats) {
		return fmt.Errorf("%d scores for %d seats", len(g.Scores), len(g.Seats))
	}
	if err := g.end(kind, e.Places, s.Terms.Format.isAtTables()); err != nil {
		return err
	}
	if len(e.NoShows) > 0 {
		s.Players = slices.Clone(s.Players)
	}
	for _, seat := range e.NoShows {
		if seat < 0 || seat >= len(g.Seats) {
			return fmt.Errorf("seat %d did not come", seat)
		}
		if p := &s.Players[g.Seats[seat]]; p.Status == StatusIn {
			p.Status, p.NoShow = StatusPaused, true
		}
	}
	return s.changeRound(e.Round, func(r *Round) { r.Games[e.Table-1] = &g })
}

// changeRound replaces a round by a changed copy.
func (s *State) changeRound(number int, change func(*Round)) error {
	if number < 1 || number > len(s.Rounds) {
		return fmt.Errorf("there is no round %d", number)
	}
	s.Rounds = slices.Clone(s.Rounds)
	r := &s.Rounds[number-1]
	r.Games = slices.Clone(r.Games)
	change(r)
	return nil
}

// lot returns the lot of a user: one number for each seed, evenly distributed.
func lot(seed uint64, user account.ID) uint64 {
	z := seed + uint64(user)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
