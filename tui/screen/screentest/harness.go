package screentest

import (
	"context"
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
	"ayumu/tui/screen"
)

// Harness is a lobby in a synctest bubble, which lasts as long as the test.
type Harness struct {
	*lobby.Lobby
	T        *testing.T
	Store    *sqlite.Store
	Shared   screen.Shared // of all sessions
	sessions map[string]*lobby.Session
}

func With(t *testing.T, f func(h *Harness)) {
	t.Helper()
	with(t, lobby.Config{}, f)
}

// WithLocal calls f with a local lobby.
func WithLocal(t *testing.T, f func(h *Harness)) {
	t.Helper()
	with(t, lobby.Config{Local: true}, f)
}

func with(t *testing.T, c lobby.Config, f func(h *Harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := sqlite.OpenMemory(enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		c.Games, c.Store, c.Report = enginetest.Games, s, func(msg string, kv ...any) { t.Error(msg, kv) }
		l, err := lobby.New(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f(New(t, l, s))
	})
}

// New returns a harness for a lobby and its store, both of a bubble of t.
func New(t *testing.T, l *lobby.Lobby, s *sqlite.Store) *Harness {
	return &Harness{Lobby: l, T: t, Store: s, sessions: make(map[string]*lobby.Session)}
}

// Advance sleeps; in a harness the time is synctest's.
func Advance(d time.Duration) { <-time.After(d) }

func KeyOf(name string) []byte { return []byte("key of " + name) }

// Member returns the session of a user without a terminal, registering the account if needed.
func (h *Harness) Member(name string) *lobby.Session {
	h.T.Helper()
	if s := h.sessions[name]; s != nil {
		return s
	}
	a := h.Account(name)
	s, err := h.Enter(a, nil)
	if err != nil {
		h.T.Fatal(err)
	}
	s.LookAtAll() // others see the user at every match
	h.sessions[name] = s
	return s
}

// Account returns the account of a user, which it registers if needed.
func (h *Harness) Account(name string) account.Account {
	h.T.Helper()
	a, known, err := h.Accounts.ByKey(h.T.Context(), KeyOf(name))
	if err == nil && !known {
		a, err = h.Accounts.Register(h.T.Context(), name, KeyOf(name), netip.Addr{})
	}
	if err != nil {
		h.T.Fatal(err)
	}
	return a
}

// StartMatch starts a match in which black has seat 0, and plays turns.
func (h *Harness) StartMatch(black, white, options string, control clock.Control, turns ...string) *lobby.Match {
	h.T.Helper()
	casual := false
	p := table.Proposal{Game: "ayu", Options: json.RawMessage(options), Clock: &control, Rated: &casual}
	for {
		table, err := h.Member(black).OpenTable(h.T.Context(), p)
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member(white).JoinTable(h.T.Context(), table.ID, "")
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		if m.Info.Seats[0].Name == black {
			h.Play(m, turns...)
			return m
		}
		// Seats are drawn at random: resign and draw again.
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
	}
}

// Player returns the player of a seat.
func (h *Harness) Player(m *lobby.Match, seat int) *lobby.Player {
	h.T.Helper()
	p, err := h.Member(m.Info.Seats[seat].Name).AsPlayer(m.Info.ID)
	if err != nil {
		h.T.Fatal(err)
	}
	return p
}

// Play plays turns, each by the seat to move.
func (h *Harness) Play(m *lobby.Match, turns ...string) {
	h.T.Helper()
	for _, turn := range turns {
		s := m.Snapshot()
		if _, err := h.Player(m, s.Position.Turn()).Act(h.T.Context(), s.Version, []string{turn}); err != nil {
			h.T.Fatalf("%s: %v", turn, err)
		}
	}
}

// Finished plays some turns of a match, after which the second seat resigns.
func (h *Harness) Finished(black, white, options string, turns ...string) *lobby.Match {
	h.T.Helper()
	m := h.StartMatch(black, white, options, clock.Default, turns...)
	if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
		h.T.Fatal(err)
	}
	return m
}

// Rated plays n rated matches of two turns between two users; winner wins all of them.
func (h *Harness) Rated(n int, winner, loser string) {
	h.T.Helper()
	yes := true
	for range n {
		Advance(9 * time.Hour) // so that each counts fully for ratings
		table, err := h.Member(winner).OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5}`), Clock: &clock.Default, Rated: &yes})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member(loser).JoinTable(h.T.Context(), table.ID, "")
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		h.Play(m, "b1-b2", "a2-a3")
		h.Play(m, m.Snapshot().Position.Legal()[0])
		h.Play(m, m.Snapshot().Position.Legal()[0])
		p, err := h.Member(loser).AsPlayer(id)
		if err == nil {
			err = p.Resign(h.T.Context())
		}
		if err != nil {
			h.T.Fatal(err)
		}
	}
}

// SignIn opens the screens of a player who has an account; destination is Config.StartPoint.
func (h *Harness) SignIn(name, destination string) *Session {
	h.T.Helper()
	h.Account(name)
	return h.Visit(Setting{Name: name, Open: destination})
}

// FillLobby adds users, tables, matches and chat lines to the lobby.
func (h *Harness) FillLobby() {
	h.T.Helper()
	h.StartMatch("carol", "dave", `{"size":11}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
	Advance(3 * time.Minute)
	m := h.StartMatch("erika-with-a-nam", "frederic-der-gro", `{"size":15,"pie":false}`, clock.Control{Initial: time.Hour, Increment: 30 * time.Second}, "b1-b2", "a2-a3")
	h.Watch("gil", m)
	Advance(time.Minute)
	h.StartMatch("bob", "ana", `{"size":9}`, clock.Control{Days: 3}, "b1-b2")
	h.OpenTable("gil", table.Proposal{Game: "ayu"})
	Advance(time.Minute)
	h.OpenTable("dave", table.Proposal{Game: "ayu", To: "ana", Clock: &clock.Control{Days: 1}})
	h.OpenTable("ana", table.Proposal{Game: "ayu", Clock: &clock.Default})
	h.Say("gil", "hello all, who is up for a game on 11×11?")
	h.Say("carol", "after this one, gladly; watch us meanwhile, it is going to be close and rather long")
	Advance(20 * time.Second)
}

// OpenTable opens a table of a user.
func (h *Harness) OpenTable(name string, p table.Proposal) {
	h.T.Helper()
	if _, err := h.Member(name).OpenTable(h.T.Context(), p); err != nil {
		h.T.Fatal(err)
	}
}

// Say sends a line to the lobby's chat.
func (h *Harness) Say(name, text string) {
	h.T.Helper()
	if err := h.Member(name).Say(text); err != nil {
		h.T.Fatal(err)
	}
}

// Watch makes a user a spectator of a match.
func (h *Harness) Watch(name string, m *lobby.Match) *lobby.Spectator {
	h.T.Helper()
	w, err := h.Member(name).Watch(m.Info.ID, "")
	if err != nil {
		h.T.Fatal(err)
	}
	return w
}

// Delayed starts a match with a spectator delay of that many turns.
func (h *Harness) Delayed(black, white string, delay int, turns ...string) *lobby.Match {
	h.T.Helper()
	casual := false
	for {
		table, err := h.Member(black).OpenTable(h.T.Context(), table.Proposal{
			Game: "ayu", Options: json.RawMessage(`{"size":7,"pie":false}`), Clock: &clock.Default, Rated: &casual, Delay: delay})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member(white).JoinTable(h.T.Context(), table.ID, "")
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		if m.Info.Seats[0].Name != black {
			if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
				h.T.Fatal(err)
			}
			continue
		}
		for _, turn := range turns {
			s := h.Player(m, 0).Snapshot()
			if _, err := h.Player(m, s.Position.Turn()).Act(h.T.Context(), s.Version, []string{turn}); err != nil {
				h.T.Fatal(err)
			}
		}
		return m
	}
}

// NewBots opens bots of which each search is a call of f.
func (h *Harness) NewBots(f func(context.Context, engine.Position, search.Options) (search.Advice, error)) *bots.Bots {
	h.T.Helper()
	builtin, err := bots.Open(h.T.Context(), bots.Config{Lobby: h.Lobby, Store: h.Store, Engines: searchtest.Engines(enginetest.Games, f)})
	if err != nil {
		h.T.Fatal(err)
	}
	return builtin
}

// Resign makes the player with that name resign.
func (h *Harness) Resign(m *lobby.Match, name string) {
	h.T.Helper()
	p, err := h.Member(name).AsPlayer(m.Info.ID)
	if err == nil {
		err = p.Resign(h.T.Context())
	}
	if err != nil {
		h.T.Fatal(err)
	}
}

// Running returns the only public match.
func (h *Harness) Running() *lobby.Match {
	h.T.Helper()
	v := h.View()
	if len(v.Matches) != 1 {
		h.T.Fatalf("%d matches are running", len(v.Matches))
	}
	m, err := h.Match(v.Matches[0].ID)
	if err != nil {
		h.T.Fatal(err)
	}
	return m
}

// Opening is a beginning of Ayu with groups on both sides.
var Opening = strings.Fields("b1-b2 a2-a3 d1-d2 c2-c3 f3-f4 e4-e5 h1-g1 g4-g3")
