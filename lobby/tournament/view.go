package tournament

import (
	"encoding/json"
	"slices"
	"time"

	"ayumu/lobby/account"
)

// View is a tournament as programs see it. Its JSON is that of the API and of exports.
type View struct {
	Tournament string       `json:"tournament"`
	Name       string       `json:"name"`
	Format     string       `json:"format"`
	Terms      Request      `json:"terms"`
	Host       string       `json:"host"` // the organizer
	State      Phase        `json:"state"`
	Version    int          `json:"version"`
	Round      int          `json:"round,omitempty"`  // the latest that was paired
	Rounds     int          `json:"rounds,omitempty"` // absent before the start
	Start      time.Time    `json:"start,omitzero"`
	Deadline   time.Time    `json:"deadline,omitzero"` // of the round
	Next       time.Time    `json:"next,omitzero"`     // when the next round begins, or the tournament starts
	Cause      Cause        `json:"cause,omitempty"`   // why the server cancelled it
	Reason     string       `json:"reason,omitempty"`  // why it was cancelled, in words: of Cause, or of the person who did
	Entered    int          `json:"entered"`
	Players    []PlayerView `json:"players"`
	Removed    []Removed    `json:"removed,omitempty"` // whom the organizer has taken out
	Games      []GameView   `json:"games"`
}

// MarshalJSON implements json.Marshaler. Times are in whole seconds, as programs get all times.
func (v View) MarshalJSON() ([]byte, error) {
	type plain View
	for _, t := range []*time.Time{&v.Start, &v.Deadline, &v.Next, &v.Terms.Start} {
		*t = t.UTC().Truncate(time.Second)
	}
	return json.Marshal(plain(v))
}

// Removed is a user in a View whom the organizer has taken out and not let in again.
type Removed struct {
	Name   string `json:"name"`
	Reason string `json:"reason,omitempty"`
}

// PlayerView is a player in a View.
type PlayerView struct {
	Name      string               `json:"name"`
	Rating    int                  `json:"rating"`
	State     Status               `json:"state"`
	CheckedIn bool                 `json:"checked_in,omitempty"`
	Division  int                  `json:"division,omitempty"`
	Points    float64              `json:"points"`
	Place     int                  `json:"place"`
	Places    *[2]int              `json:"places,omitempty"` // the first and the last that are possible
	TieBreaks map[TieBreak]float64 `json:"tie_breaks"`
}

// GameView is a game in a View.
type GameView struct {
	Round   int       `json:"round"`
	Table   int       `json:"table,omitempty"`
	Match   string    `json:"match,omitempty"`
	Seats   []string  `json:"seats"` // in the order in which they move
	Kind    GameKind  `json:"kind"`
	Winners []int     `json:"winners,omitempty"` // seats; of a drawn game those who share it
	Places  []int     `json:"places,omitempty"`  // of three and more
	Points  []float64 `json:"points,omitempty"`
	Scores  []int     `json:"scores,omitempty"` // of the seats, as the game counts them
	Cause   Cause     `json:"cause,omitempty"`  // why the server ruled it
	Reason  string    `json:"reason,omitempty"` // why it was ruled, in words: of Cause, or of the person who did
}

// Page says which part of a tournament a View has. The zero value has all.
type Page struct {
	Round int        // only the games of this round; 0: all, the first MaxGames of them
	After account.ID // only players after this one in the standings; 0: from the first
	Limit int        // players; 0: all
}

// MaxGames is the largest number of games of a View that is not of one round.
const MaxGames = 1000

// View returns a part of the tournament as programs see it.
func (s *State) View(names Names, page Page) View {
	v := View{
		Tournament: s.ID, Name: s.Terms.Name, Format: s.Terms.FormatName(), Terms: s.Terms.Request(), Host: names(s.Organizer),
		State: s.Phase, Version: s.Version, Round: len(s.Rounds), Rounds: s.Planned, Start: s.Terms.Start, Cause: s.Cause, Reason: reasonOf(s.Cause, s.Note),
		Entered: s.countIn(), Players: []PlayerView{}, Games: []GameView{},
	}
	switch {
	case s.Phase == PhaseRunning:
		v.Deadline = s.Rounds[len(s.Rounds)-1].Deadline
	case s.Phase == PhasePause:
		v.Next = s.pairAt()
	case !s.IsOver():
		v.Next = s.startsAt()
	}
	s.viewPlayers(&v, names, page)
	for i := range s.Removed {
		if r := &s.Removed[i]; !r.LetIn {
			v.Removed = append(v.Removed, Removed{names(r.User), r.Note})
		}
	}
	for i := range s.Rounds {
		if page.Round != 0 && page.Round != i+1 {
			continue
		}
		for _, g := range s.Rounds[i].Games {
			if page.Round != 0 || len(v.Games) < MaxGames {
				v.Games = append(v.Games, s.viewGame(g, names))
			}
		}
	}
	return v
}

func (s *State) viewPlayers(v *View, names Names, page Page) {
	standings, possible := s.Standings(), s.PossiblePlaces()
	if page.After != 0 {
		after := slices.IndexFunc(standings, func(x Standing) bool { return s.Players[x.Player].User == page.After })
		standings = standings[after+1:]
	}
	if page.Limit > 0 {
		standings = standings[:min(page.Limit, len(standings))]
	}
	breaks := s.Terms.TieBreaks()
	for _, at := range standings {
		p := &s.Players[at.Player]
		view := PlayerView{
			Name: names(p.User), Rating: p.Rating, State: s.StatusOf(at.Player), CheckedIn: p.IsCheckedIn, Division: p.Division,
			Points: float64(at.Points) / Point, Place: at.Place, TieBreaks: make(map[TieBreak]float64, len(breaks)),
		}
		for i, b := range breaks {
			n := float64(at.TieBreaks[i])
			if b.IsPoints() {
				n /= Point
			}
			view.TieBreaks[b] = n
		}
		if possible != nil {
			r := possible[at.Player]
			view.Places = &[2]int{r.Best, r.Worst}
		}
		v.Players = append(v.Players, view)
	}
}

func (s *State) viewGame(g *Game, names Names) GameView {
	v := GameView{Round: g.Round, Table: g.Table, Kind: g.Kind, Cause: g.Cause, Reason: reasonOf(g.Cause, g.Note), Seats: make([]string, len(g.Seats)), Scores: g.Scores}
	if g.Table > 0 {
		v.Match = MatchID(s.ID, g.Round, g.Table)
	}
	for seat, p := range g.Seats {
		v.Seats[seat] = names(s.Players[p].User)
	}
	for _, points := range g.Points {
		v.Points = append(v.Points, float64(points)/Point)
	}
	for seat, place := range g.Places {
		if place == 1 {
			v.Winners = append(v.Winners, seat)
		}
	}
	if len(g.Seats) > 2 {
		v.Places = g.Places
	}
	return v
}
