package tournament

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
)

// Effects are what has to be done after a step. Once the entries are appended, and after a log was folded, the caller makes
// what Want lists for the state.
type Effects struct {
	Err     error     // of the input, an *errcode.Error; nil: it is done
	Entries []Entry   // to append; must not be changed
	After   int       // the version of the log that they follow
	Timer   time.Time // when the next InputCheck is due; zero: never
}

// Wanted is what a state wants of the world, whether it is there already or not.
type Wanted struct {
	Games   []WantedGame // to exist; the results of all are wanted as InputGameEnded
	Ends    []WantedEnd  // of matches to abort, because their games were decided otherwise. They change no ratings
	Notices []Notice     // to be sent once for each key
	Active  []account.ID // users for whom the tournament counts in Entrant.Running
}

// WantedEnd is a match that should not run any more.
type WantedEnd struct {
	ID     string // MatchID
	Winner int    // the seat that alone has won by the ruling, or -1
}

// WantedGame is a match that should exist, or have existed.
type WantedGame struct {
	ID           string // MatchID
	Round, Table int
	Seats        []account.ID // in the order of seats
	Options      engine.Options
	FirstTurn    time.Duration // for the first turn of each seat; 0: no limit but the clock
	Deadline     time.Time     // when the game is ruled as drawn
}

// Notice is a message to one user. It follows from the state, so that it is the same whenever it is wanted.
type Notice struct {
	Key  string // identifies it among all notices; at most 60 characters
	User account.ID
	Kind NoticeKind
	// Text is a clause without a capital letter and a full stop, without the name of the tournament.
	Text      string
	At        time.Time    // when it became true, or a little earlier
	Until     time.Time    // when the check-in ends, the tournament is cancelled, or the game is ruled; zero: the notice has no such time
	Round     int          // 0: of the whole tournament
	Match     string       // the id of its match; "": none
	Opponents []account.ID // in this match
}

// NoticeKind is the kind of a notice, as programs get it.
type NoticeKind string

// The kinds of notices.
const (
	NoticeCheckIn   NoticeKind = "check_in"
	NoticeFew       NoticeKind = "few_players"
	NoticeGame      NoticeKind = "game"
	NoticeBye       NoticeKind = "bye"
	NoticeAbsent    NoticeKind = "absent"
	NoticePaused    NoticeKind = "paused"
	NoticeDeadline  NoticeKind = "deadline"
	NoticeRuled     NoticeKind = "ruled"
	NoticeEdited    NoticeKind = "edited"
	NoticeRemoved   NoticeKind = "removed"
	NoticeLetIn     NoticeKind = "let_in"
	NoticeClosed    NoticeKind = "closed"
	NoticeCancelled NoticeKind = "cancelled"
)

// effects returns the effects of the step with an error or nil.
func (x *step) effects(err error) Effects {
	e := Effects{Err: err, Entries: x.entries, After: x.Version - len(x.entries), Timer: Next(&x.State)}
	if !e.Timer.IsZero() && !e.Timer.After(x.now.Time) {
		e.Timer = x.now.Time.Add(checkPause)
	}
	return e
}

// Want returns what a state wants. For the same state it is the same on every node.
func Want(s *State) (w Wanted) {
	if s.Version == 0 {
		return w
	}
	if !s.IsOver() {
		for i := range s.Players {
			if s.Players[i].IsIn() {
				w.Active = append(w.Active, s.Players[i].User)
			}
		}
	}
	s.wantPhase(&w)
	s.wantEdits(&w)
	s.wantRemovals(&w)
	for i := range s.Rounds {
		// Of ended rounds only the latest can have a match that still has to be aborted.
		if r := &s.Rounds[i]; r.Ended.IsZero() || i == len(s.Rounds)-1 {
			s.wantRound(&w, r)
		}
	}
	return w
}

// wantPhase adds what follows from the phase.
func (s *State) wantPhase(w *Wanted) {
	all := func(n Notice, version string, wants func(*Player) bool, text func(i int) string) {
		for i := range s.Players {
			if p := &s.Players[i]; wants(p) {
				n.Text = text(i)
				w.add(s, p, n, version)
			}
		}
	}
	constant := func(text string) func(int) string { return func(int) string { return text } }
	switch {
	case s.Phase == PhaseClosed:
		all(Notice{Kind: NoticeClosed, At: s.LastAt}, "", (*Player).IsIn, func(i int) string {
			return "the tournament is over, and your place is " + strconv.Itoa(s.Final[i])
		})
	case s.Phase == PhaseCancelled:
		text := "the tournament was cancelled"
		if reason := reasonOf(s.Cause, s.Note); reason != "" {
			text += ": " + reason
		}
		all(Notice{Kind: NoticeCancelled, At: s.LastAt}, "", (*Player).IsIn, constant(text))
	case s.Phase == PhaseCheckIn:
		all(Notice{Kind: NoticeCheckIn, At: s.CheckInTo.Add(-s.Terms.CheckIn), Until: s.CheckInTo}, "", func(p *Player) bool { return p.IsIn() && !p.IsCheckedIn },
			constant("the check-in is open until "+clockTime(s.CheckInTo)+"; check in to play"))
	}
	if !s.CancelAt.IsZero() && !s.IsOver() {
		all(Notice{Kind: NoticeFew, At: s.CancelAt.Add(-cancelNotice), Until: s.CancelAt}, strconv.FormatInt(s.CancelAt.Unix(), 10), (*Player).IsIn,
			constant(fmt.Sprintf("fewer than %d players are there; the tournament is cancelled at %s unless more come", s.Terms.Min, clockTime(s.CancelAt))))
	}
}

// wantEdits adds that the terms have changed, for those who entered before and until the first round is paired.
func (s *State) wantEdits(w *Wanted) {
	e := &s.Edits
	if e.Version == 0 || s.IsOver() || len(s.Rounds) > 0 {
		return
	}
	for i := range s.Players {
		if p := &s.Players[i]; p.Entered < e.Version && p.IsIn() {
			w.add(s, p, Notice{Kind: NoticeEdited, At: e.At, Text: "the organizer has changed the terms: " + e.Changes}, strconv.Itoa(e.Version))
		}
	}
}

// wantRemovals adds that the organizer has taken users out, and has let them in again.
func (s *State) wantRemovals(w *Wanted) {
	for i := range s.Removed {
		r := &s.Removed[i]
		n := Notice{Kind: NoticeRemoved, At: r.At, Text: "the organizer has taken you out"}
		switch player := s.PlayerIndex(r.User); {
		case r.LetIn && player >= 0 && s.HasStarted():
			n.Kind, n.Text = NoticeLetIn, "the organizer has let you in again; resume to play on"
		case r.LetIn:
			n.Kind, n.Text = NoticeLetIn, "the organizer lets you enter again"
		case r.Note != "":
			n.Text += ": " + r.Note
		}
		w.addFor(s, r.User, n, strconv.Itoa(r.Version))
	}
}

// clockTime returns a time in words.
func clockTime(at time.Time) string { return at.UTC().Format("15:04:05") + " UTC" }

// add adds a notice to a player. version distinguishes it from others of its kind to the same one.
func (w *Wanted) add(s *State, p *Player, n Notice, version string) { w.addFor(s, p.User, n, version) }

// addFor adds a notice to a user, who may be no player.
func (w *Wanted) addFor(s *State, user account.ID, n Notice, version string) {
	n.Key, n.User = s.ID+"/"+string(n.Kind)+"/"+version+"/"+user.String(), user
	w.Notices = append(w.Notices, n)
}

// wantRound adds what follows from a round.
func (s *State) wantRound(w *Wanted, r *Round) {
	version := strconv.Itoa(r.Number)
	for _, g := range r.Games {
		if g.Table == 0 {
			p := &s.Players[g.Seats[0]]
			switch {
			case s.Phase != PhaseRunning:
			case g.Kind == GameBye:
				w.add(s, p, Notice{Kind: NoticeBye, At: r.Paired, Round: r.Number, Text: "you have no opponent in round " + version}, version)
			default:
				w.add(s, p, Notice{Kind: NoticeAbsent, At: r.Paired, Round: r.Number, Text: "round " + version + " began without you; be here for the next one, and resume if you are paused"}, version)
			}
			continue
		}
		switch {
		case s.Phase == PhaseCancelled:
		case g.Kind == GamePlaying:
			s.wantGame(w, r, g)
		case g.Kind == GameRuled && g.Version == 0:
			w.Ends = append(w.Ends, WantedEnd{MatchID(s.ID, g.Round, g.Table), g.winner()})
		}
		if g.Kind == GameRuled && g.Places != nil && s.Phase != PhaseCancelled {
			s.wantRuling(w, g)
		}
		for _, seat := range g.NoShows {
			if p := &s.Players[g.Seats[seat]]; p.NoShow {
				w.add(s, p, Notice{Kind: NoticePaused, At: r.Paired, Round: r.Number, Text: "you did not come to your game of round " + version + " and are paused; resume to play on"}, version)
			}
		}
	}
}

// wantRuling adds that a game was decided, for its players.
func (s *State) wantRuling(w *Wanted, g *Game) {
	for seat, i := range g.Seats {
		p, result := &s.Players[i], ""
		switch {
		case !p.IsIn():
			continue
		case g.won(seat):
			result = "you win"
		case len(g.Seats) > 2:
			result = fmt.Sprintf("your place is %d of %d", g.Places[seat], len(g.Seats))
		case g.winner() < 0:
			result = "it is drawn"
		default:
			result = "you lose"
		}
		n := Notice{Kind: NoticeRuled, At: g.Ended, Round: g.Round, Text: fmt.Sprintf("your game of round %d is decided: %s", g.Round, result)}
		if reason := g.Reason(); reason != "" {
			n.Text += " (" + strings.TrimSuffix(reason, ".") + ")"
		}
		w.add(s, p, n, strconv.Itoa(g.Round))
	}
}

func (s *State) wantGame(w *Wanted, r *Round, g *Game) {
	want := WantedGame{
		ID: MatchID(s.ID, g.Round, g.Table), Round: g.Round, Table: g.Table, Options: s.Terms.OptionsFor(len(g.Seats)), Deadline: r.Deadline,
	}
	if s.Terms.Control.IsLive() {
		want.FirstTurn = s.Terms.FirstTurn
	}
	for _, i := range g.Seats {
		want.Seats = append(want.Seats, s.Players[i].User)
	}
	w.Games = append(w.Games, want)
	round := strconv.Itoa(g.Round)
	for seat, i := range g.Seats {
		p := &s.Players[i]
		n := Notice{Kind: NoticeGame, At: r.Paired, Round: g.Round, Match: want.ID, Opponents: slices.Delete(slices.Clone(want.Seats), seat, seat+1)}
		n.Text = "your game of round " + round + " begins"
		w.add(s, p, n, round)
		if !r.Warned.IsZero() {
			n.Kind, n.At, n.Until = NoticeDeadline, r.Warned, r.Deadline
			n.Text = "your game of round " + round + " is drawn if it has not ended at " + r.Deadline.UTC().Format("2006-01-02 15:04") + " UTC"
			w.add(s, p, n, round+"-"+strconv.FormatInt(r.Deadline.Unix(), 10))
		}
	}
}
