package op

import (
	"testing"
	"testing/synctest"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
	"ayumu/tui/game/gametest"
)

// harness is a lobby whose time is synctest's.
type harness struct {
	*lobby.Lobby
	t *testing.T
}

func withHarness(t *testing.T, f func(h *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db, err := sqlite.OpenMemory(enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: db})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f(&harness{Lobby: l, t: t})
	})
}

// guest returns the visit of a new guest.
func (h *harness) guest() *Visit {
	h.t.Helper()
	config := &Config{Lobby: h.Lobby, Games: gametest.Games}
	a, known, err := config.Identify(h.t.Context())
	if err != nil || !known || !a.IsGuest() {
		h.t.Fatalf("a visitor without a key is %+v, %v, %v", a, known, err)
	}
	c, err := config.Enter(a)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// match starts a match and returns its id.
func (h *harness) match(owner *Visit, others ...*Visit) (id string) {
	h.t.Helper()
	control := clock.Default
	p := table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`), Clock: &control}
	if len(others) > 1 {
		p.Game, p.Options = "mu", []byte(`{"players":3,"segments":1}`)
	}
	table, err := owner.Session.OpenTable(h.t.Context(), p)
	for _, c := range others {
		if err == nil {
			id, err = c.Session.JoinTable(h.t.Context(), table.ID, "")
		}
	}
	if err != nil || id == "" {
		h.t.Fatalf("no match: %v", err)
	}
	return id
}

// open opens a match for a visit.
func (h *harness) open(c *Visit, id string) *Match {
	h.t.Helper()
	m, err := c.OpenMatch(id, "")
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// seats opens a match for each player, in the order of the seats.
func (h *harness) seats(id string, players ...*Visit) []*Match {
	h.t.Helper()
	all := make([]*Match, len(players))
	for _, c := range players {
		m := h.open(c, id)
		all[m.Seat] = m
	}
	return all
}
