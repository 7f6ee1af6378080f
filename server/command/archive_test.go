package command_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/record"
	"ayumu/lobby/table"
	"ayumu/server/command"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// harness is a lobby with some people in it.
type harness struct {
	t *testing.T
	l *lobby.Lobby
}

func open(t *testing.T) harness {
	t.Helper()
	return harness{t, lobbytest.Open(t)}
}

// key returns the public key of somebody, the same each time.
func key(t *testing.T, name string) ssh.PublicKey {
	t.Helper()
	seed := make([]byte, ed25519.SeedSize)
	copy(seed, name)
	k, err := ssh.NewPublicKey(ed25519.NewKeyFromSeed(seed).Public())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (h harness) member(name string) *lobby.Session {
	h.t.Helper()
	a, err := h.l.Accounts.Register(h.t.Context(), name, key(h.t, name).Marshal(), netip.Addr{})
	if err != nil {
		h.t.Fatal(err)
	}
	s, err := h.l.Enter(a, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// begin starts a match between two, in which each makes a turn.
func (h harness) begin(a, b *lobby.Session, p table.Proposal) string {
	h.t.Helper()
	ctx := h.t.Context()
	p.Game, p.Options = "ayu", []byte(`{"size":5}`)
	table, err := a.OpenTable(ctx, p)
	if err != nil {
		h.t.Fatal(err)
	}
	id, err := b.JoinTable(ctx, table.ID, table.Code(a.Account().ID))
	if err != nil {
		h.t.Fatal(err)
	}
	h.act(a, b, id, "b1-b2", "swap")
	return id
}

// act plays turns of a match between two; "" is the first legal one.
func (h harness) act(a, b *lobby.Session, id string, turns ...string) {
	h.t.Helper()
	seats := make([]*lobby.Player, 2)
	for _, s := range []*lobby.Session{a, b} {
		p, err := s.AsPlayer(id)
		if err != nil {
			h.t.Fatal(err)
		}
		seats[p.Seat()] = p
	}
	for _, turn := range turns {
		at := seats[0].Snapshot()
		if turn == "" {
			turn = at.Position.Legal()[0]
		}
		if _, err := seats[at.Position.Turn()].Act(h.t.Context(), at.Version, []string{turn}); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h harness) resign(s *lobby.Session, id string) {
	h.t.Helper()
	p, err := s.AsPlayer(id)
	if err == nil {
		err = p.Resign(h.t.Context())
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// run runs a command for somebody; nil is a guest.
func (h harness) run(s *lobby.Session, line string) (out, errs string, status int) {
	h.t.Helper()
	var o, e bytes.Buffer
	env := op.Config{Games: gametest.Games, Lobby: h.l, SSHTarget: "play.example.org"}
	if s != nil {
		a := s.Account()
		env.Account, env.Key = &a, key(h.t, a.Name).Marshal()
	}
	status = command.Run(h.t.Context(), &env, &o, &e, strings.Fields(line))
	return o.String(), e.String(), status
}

// must is run for what cannot fail.
func (h harness) must(s *lobby.Session, line string) string {
	h.t.Helper()
	out, errs, status := h.run(s, line)
	if status != 0 || errs != "" {
		h.t.Fatalf("%s: exit %d, %s", line, status, errs)
	}
	return out
}

// refused runs what must fail and say why.
func (h harness) refused(s *lobby.Session, line, why string) {
	h.t.Helper()
	if out, errs, status := h.run(s, line); status != 1 || out != "" || !strings.Contains(errs, why) {
		h.t.Errorf("%s: exit %d, %q, %q", line, status, out, errs)
	}
}

// rows reads a field of the answer to a command with --json.
func (h harness) rows(s *lobby.Session, line, field string) []map[string]any {
	h.t.Helper()
	var answer map[string]json.RawMessage
	var rows []map[string]any
	err := json.Unmarshal([]byte(h.must(s, line+" --json")), &answer)
	if err == nil {
		err = json.Unmarshal(answer[field], &rows)
	}
	if err != nil || rows == nil {
		h.t.Fatalf("%s: %v, %v", line, rows, err)
	}
	return rows
}

func TestRecordOfAMatch(t *testing.T) {
	h := open(t)
	ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
	public, private := h.begin(ana, bob, table.Proposal{}), h.begin(ana, bob, table.Proposal{Private: true})
	read := func(who *lobby.Session, id, result string) {
		t.Helper()
		text := h.must(who, "record "+id)
		r, err := record.Read(strings.NewReader(text), enginetest.Games)
		if err == nil {
			err = r.Check()
		}
		if err != nil || r.Match != id || r.Site != "play.example.org" || r.Turns() != 2 || !strings.Contains(text, "[Result \""+result) {
			t.Errorf("%v\n%s", err, text)
		}
	}
	read(ana, public, "*")
	read(nil, public, "*")
	read(bob, private, "*")
	for _, who := range []*lobby.Session{eve, nil} {
		h.refused(who, "record "+private, "private")
	}
	h.resign(ana, private)
	read(ana, private, "")
	h.refused(eve, "record "+private, "private")
	h.refused(eve, "record nosuch", `no game "nosuch"`)
	h.refused(eve, "record", "usage: record MATCH")
}

func TestGamesThatAreOver(t *testing.T) {
	h := open(t)
	ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
	if out := h.must(nil, "games"); !strings.Contains(out, "No finished games.") {
		t.Errorf("at first: %s", out)
	}
	if rows := h.rows(nil, "games", "games"); len(rows) != 0 {
		t.Errorf("at first: %v", rows)
	}
	first, second, hidden := h.begin(ana, bob, table.Proposal{}), h.begin(ana, eve, table.Proposal{}), h.begin(ana, eve, table.Proposal{Private: true})
	h.resign(ana, first)
	h.resign(eve, second)
	h.resign(eve, hidden)
	out := h.must(bob, "games")
	if i, j := strings.Index(out, second), strings.Index(out, first); i < 0 || j < i || strings.Contains(out, hidden) ||
		!strings.Contains(out, "bob won by resignation") || !strings.Contains(out, "Ayu 5×5, pie") {
		t.Errorf("games:\n%s", out)
	}
	if rows := h.rows(eve, "games eve", "games"); len(rows) != 2 || rows[0]["match"] != hidden || rows[1]["match"] != second || rows[1]["turns"] != 2.0 {
		t.Errorf("games of eve: %v", rows)
	}
	h.refused(nil, "games nobody", `there is no player "nobody"`)
}

func TestTopHasSettledRatings(t *testing.T) {
	db := lobbytest.Store(t)
	h := harness{t, lobbytest.New(t, lobby.Config{Store: db})}
	ana, bob := h.member("ana"), h.member("bob")
	if out := h.must(nil, "top"); !strings.Contains(out, "Nobody has a place yet. A place requires a deviation (±) of at most 110, and rated games against 5 established opponents (no bots) on 3 days within 90 days.") {
		t.Errorf("at first: %s", out)
	}
	if err := db.SetOpen(t.Context(), false); err != nil { // a club whose players know each other
		t.Fatal(err)
	}
	if out := h.must(nil, "top"); !strings.Contains(out, "against 3 opponents within 90 days.") {
		t.Errorf("where access is closed: %s", out)
	}
	all, rated := []*lobby.Session{ana, bob}, true
	for _, name := range []string{"carl", "dora", "eve", "fay", "gil", "hal"} {
		all = append(all, h.member(name))
	}
	for i, a := range all { // everybody plays everybody three times; who is listed before wins twice
		for _, b := range all[:i] {
			for _, loser := range []*lobby.Session{a, b, a} {
				id := h.begin(a, b, table.Proposal{Rated: &rated})
				h.act(a, b, id, "", "")
				h.resign(loser, id)
			}
		}
	}
	for _, line := range []string{"top", "top ayu"} {
		out := h.must(nil, line)
		if !strings.HasPrefix(out, "Leaderboard of Ayu:\n1  ana") || !strings.Contains(out, "\n2  bob") || !strings.Contains(out, "21 games") {
			t.Errorf("%s:\n%s", line, out)
		}
	}
	rows := h.rows(nil, "top ayu", "top")
	if len(rows) < 2 || rows[0]["name"] != "ana" || rows[1]["place"] != 2.0 || rows[0]["rating"].(float64) <= rows[1]["rating"].(float64) {
		t.Errorf("top: %v", rows)
	}
	h.refused(nil, "top chess", `there is no game "chess"`)
}

func TestKeysOfAnAccount(t *testing.T) {
	h := open(t)
	ana := h.member("ana")
	code, err := ana.LinkCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.l.Accounts.Link(t.Context(), code, key(t, "laptop").Marshal(), netip.Addr{}); err != nil {
		t.Fatal(err)
	}
	out := h.must(ana, "keys")
	for _, name := range []string{"ana", "laptop"} {
		if f := ssh.FingerprintSHA256(key(t, name)); !strings.Contains(out, "ssh-ed25519  "+f) {
			t.Errorf("%s is missing in\n%s", f, out)
		}
	}
	if strings.Count(out, "in use") != 1 {
		t.Errorf("keys:\n%s", out)
	}
	if rows := h.rows(ana, "keys", "keys"); len(rows) != 2 || rows[0]["current"] != true || rows[1]["current"] != false {
		t.Errorf("keys: %v", rows)
	}
	h.refused(nil, "keys", "no account")
}

// TestOneTurnIsNotTurns has a finished game of one turn.
func TestOneTurnIsNotTurns(t *testing.T) {
	h := open(t)
	ana, bob := h.member("ana"), h.member("bob")
	table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
	if err != nil {
		t.Fatal(err)
	}
	id, err := bob.JoinTable(t.Context(), table.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	h.act(ana, bob, id, "")
	h.resign(bob, id)
	if out := h.must(nil, "games"); !strings.HasSuffix(out, " 1 turn\n") {
		t.Errorf("games says %q", out)
	}
}

// TestWatchAndGamesUseTheWordingOfTheScreens has a game of three that two players leave.
func TestWatchAndGamesUseTheWordingOfTheScreens(t *testing.T) {
	h := open(t)
	ana, bob, cho := h.member("ana"), h.member("bob"), h.member("cho")
	table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":2}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bob.JoinTable(t.Context(), table.ID, ""); err != nil {
		t.Fatal(err)
	}
	id, err := cho.JoinTable(t.Context(), table.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	h.resign(ana, id)
	h.resign(bob, id)
	out := h.must(nil, "watch "+id)
	for _, want := range []string{"  ana resigned and left the game.\n", "  bob resigned and left the game.\n", "cho wins: everyone else left (", "ana resigned"} {
		if !strings.Contains(out, want) {
			t.Errorf("watch lacks %q:\n%s", want, out)
		}
	}
	if out := h.must(nil, "games"); !strings.Contains(out, "cho won, everyone else left (") || !strings.Contains(out, "bob resigned") {
		t.Errorf("games:\n%s", out)
	}
}

// TestWatchSaysThatAMatchHasEnded asks after a restart, when finished matches are in the archive only.
func TestWatchSaysThatAMatchHasEnded(t *testing.T) {
	store := lobbytest.Store(t)
	h := harness{t, lobbytest.New(t, lobby.Config{Store: store})}
	ana, bob := h.member("ana"), h.member("bob")
	id, hidden := h.begin(ana, bob, table.Proposal{}), h.begin(ana, bob, table.Proposal{Private: true})
	h.resign(bob, id)
	h.resign(bob, hidden)
	h.l.Close()
	h.l = lobbytest.New(t, lobby.Config{Store: store})
	if _, errs, status := h.run(nil, "watch "+id); status != 1 || !strings.Contains(errs, "the game "+id+" has ended; record "+id) {
		t.Errorf("%d, %q", status, errs)
	}
	for _, unknown := range []string{hidden, "nosuch"} {
		if _, errs, status := h.run(nil, "watch "+unknown); status != 1 || !strings.Contains(errs, `there is no game "`+unknown) {
			t.Errorf("%s: %d, %q", unknown, status, errs)
		}
	}
}
