package api

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
	"ayumu/tui/op"
)

// legalFor asks for the legal actions and returns them with their version; the code, if refused.
func legalFor(t *testing.T, s *lobby.Session, match, more string) (version int, legal []string, code any) {
	t.Helper()
	got := askAll(t, s, `{"id":1,"op":"legal","match":"`+match+`"`+more+`}`)[0]
	if code := errorCode(got); code != nil {
		return 0, nil, code
	}
	for _, a := range got["legal"].([]any) {
		legal = append(legal, a.(string))
	}
	return int(got["version"].(float64)), legal, nil
}

func TestLegal(t *testing.T) {
	l := lobbytest.Open(t)
	people := lobbytest.Guests(t, l, 3)
	ana, bob, eve := people[0], people[1], people[2]
	id := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu", Options: []byte(`{"size":5}`), Delay: 1})
	m, err := l.Match(id)
	if err != nil {
		t.Fatal(err)
	}
	seats := make([]*lobby.Player, 2)
	for _, s := range []*lobby.Session{ana, bob} {
		p, err := s.AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		seats[p.Seat()] = p
	}
	opening := m.Snapshot().Position.Legal()
	for _, s := range people {
		if version, legal, code := legalFor(t, s, id, ""); code != nil || version != 0 || !slices.Equal(legal, opening) || !slices.IsSorted(legal) {
			t.Errorf("%d %v %v, want %v", version, legal, code, opening)
		}
	}
	if _, err := seats[0].Act(t.Context(), 0, []string{"b1-b2"}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*lobby.Session{ana, bob} {
		if version, legal, _ := legalFor(t, s, id, ""); version != 1 || !slices.Contains(legal, "swap") {
			t.Errorf("after a turn a player gets %d %v", version, legal)
		}
	}
	if version, legal, code := legalFor(t, eve, id, ""); code != nil || version != 0 || !slices.Equal(legal, opening) {
		t.Errorf("who watches with a delay gets %d %v %v", version, legal, code)
	}
	if err := seats[0].Resign(t.Context()); err != nil {
		t.Fatal(err)
	}
	if version, legal, code := legalFor(t, eve, id, ""); code != nil || version != 2 || len(legal) != 0 {
		t.Errorf("after the end %d %v %v", version, legal, code)
	}
	if _, _, code := legalFor(t, eve, "nosuch", ""); code != "unknown_match" {
		t.Errorf("of no match: %v", code)
	}

	hidden := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu", Private: true})
	p, err := ana.AsPlayer(hidden)
	if err != nil {
		t.Fatal(err)
	}
	if _, legal, code := legalFor(t, ana, hidden, ""); code != nil || len(legal) == 0 {
		t.Errorf("a player of a private match gets %v %v", legal, code)
	}
	if _, _, code := legalFor(t, eve, hidden, ""); code != "not_allowed" {
		t.Errorf("a stranger to a private match: %v", code)
	}
	if _, legal, code := legalFor(t, eve, hidden, `,"code":"`+p.Snapshot().Code+`"`); code != nil || len(legal) == 0 {
		t.Errorf("with its code %v %v", legal, code)
	}
}

// TestLegalActionsOfABegunTurn plays a game of Mu with nothing but what the server lists.
func TestLegalActionsOfABegunTurn(t *testing.T) {
	l := lobbytest.Open(t)
	people := lobbytest.Guests(t, l, 2)
	id := lobbytest.Start(t, people[0], people[1], table.Proposal{Game: "mu", Options: []byte(`{"players":2,"segments":2}`)})
	m, err := l.Match(id)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	longest := 0
	for turns := 0; turns < 150 && !m.Snapshot().IsOver(); turns++ {
		s := m.Snapshot()
		p := s.Position
		var turn []string
		for len(turn) == 0 || p.MidTurn() {
			quoted := strings.ReplaceAll(fmt.Sprintf("%q", turn), `" "`, `","`)
			version, legal, code := legalFor(t, people[1], id, `,"actions":`+quoted)
			if code != nil || version != s.Version || !slices.Equal(legal, p.Legal()) {
				t.Fatalf("after %v: %d %v %v, want %v", turn, version, legal, code, p.Legal())
			}
			a := legal[chance.IntN(len(legal))]
			turn = append(turn, a)
			if p, err = p.Play(a); err != nil {
				t.Fatal(err)
			}
		}
		if longest < 2 && len(turn) >= 2 { // the board is laid out
			for more, want := range map[string]string{
				`,"actions":["dance"]`:     "illegal_action",
				`,"actions":["end","end"]`: "illegal_action",
				`,"actions":["` + strings.Repeat(`end","`, op.MaxActions) + `end"]`: "bad_request",
			} {
				if _, legal, code := legalFor(t, people[0], id, more); code != want {
					t.Errorf("%.40s: %v %v, want %s", more, legal, code, want)
				}
			}
		}
		longest = max(longest, len(turn))
		if _, legal, code := legalFor(t, people[0], id, fmt.Sprintf(`,"actions":[%q]`, strings.Join(turn[:1], ""))); len(turn) == 1 && (code != nil || len(legal) != 0) {
			t.Errorf("after a whole turn %v %v", legal, code)
		}
		seat := s.Position.Turn()
		for _, who := range people {
			if player, err := who.AsPlayer(id); err == nil && player.Seat() == seat {
				if _, err := player.Act(t.Context(), s.Version, turn); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if longest < 2 {
		t.Errorf("no turn had more than %d actions", longest)
	}
}
