package server_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/server/servertest"
)

// position plays the turns of a game of Ayu that a program has seen, to know what is legal.
func position(t *testing.T, options string, actions ...string) engine.Position {
	t.Helper()
	o, err := ayu.Game{}.ParseOptions([]byte(options))
	if err != nil {
		t.Fatal(err)
	}
	p := ayu.Game{}.New(o)
	for _, a := range actions {
		if p, err = p.Play(a); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestProgramsPlayAWholeGameAndAThirdWatches(t *testing.T) {
	h := open(t)
	ana, bob, eve := h.program("ana", servertest.NewKey(t)), h.program("bob", nil), h.program("eve", servertest.NewKey(t))
	options := object{"size": 5, "pie": true}
	table := ana.must("open", object{"game": "ayu", "options": options, "clock": object{"initial": 600, "increment": 10}})
	if got := bob.event("table"); got.text("table") != table.text("table") || got.text("owner") != "ana" {
		t.Errorf("bob is told of %v", got)
	}
	bob.must("join", object{"table": table["table"]})
	starts := map[int]*apiClient{}
	var match string
	for _, p := range []*apiClient{ana, bob} {
		m := p.event("match")
		match = m.text("match")
		starts[m.number("you")] = p
		if m.number("version") != 0 || m["over"] != false || m.text("game") != "ayu" || m["clocks"] == nil {
			t.Errorf("starts with %v", m)
		}
	}
	seen := eve.must("watch", object{"match": match, "from": 0})
	if _, seated := seen["you"]; seated {
		t.Error("a watcher has a seat")
	}
	if o := eve.ask("act", object{"match": match, "version": 0, "actions": []string{"b1-b2"}}); o.code() != "not_allowed" {
		t.Errorf("a watcher acts: %v", o)
	}
	p := position(t, `{"size":5}`)
	var swapped bool
	for version := 0; ; version++ {
		if _, over := p.Result(); over {
			break
		}
		action := p.Legal()[0]
		if version == 1 {
			action, swapped = "swap", true
		}
		mover := starts[p.Turn()]
		answer := mover.must("act", object{"match": match, "version": version, "actions": []string{action}})
		if answer.number("version") != version+1 {
			t.Fatalf("act answered %v", answer)
		}
		var err error
		if p, err = p.Play(action); err != nil {
			t.Fatal(err)
		}
		for _, who := range []*apiClient{ana, bob, eve} {
			e := who.event("turn")
			if e.number("version") != version+1 || e.text("position") != p.String() || e.number("turn") != p.Turn() {
				t.Fatalf("told %v, want version %d, %s", e, version+1, p)
			}
			if _, sent := e["seats"]; sent != (action == "swap") {
				t.Errorf("seats in %v", e)
			}
		}
	}
	if !swapped {
		t.Error("the game had no swap")
	}
	result, _ := p.Result()
	for _, who := range []*apiClient{ana, bob, eve} {
		r, _ := who.event("over")["result"].(map[string]any)
		if object(r).text("reason") != "immobile" || fmt.Sprint(r["winners"]) != fmt.Sprint(result.Winners) {
			t.Errorf("over with %v, want %v", r, result)
		}
	}
	if o := ana.ask("act", object{"match": match, "version": 99, "actions": []string{"b1-b2"}}); o.code() != "game_over" {
		t.Errorf("after the end: %v", o)
	}
}

func TestRubbishGetsAnErrorAndTheConnectionGoesOn(t *testing.T) {
	h := open(t)
	p := h.program("ana", nil)
	for _, line := range []string{
		"rubbish", "{", "[]", "1", "null", `"id"`, `{"op":"ping"}`, `{"id":{},"op":"ping"}`, `{"id":1`, "\xff\xfe",
		strings.Repeat("x", 70<<10), `{"id":1,"op":"ping","text":"` + strings.Repeat("y", 64<<10) + `"}`,
	} {
		p.send(line)
		if o := p.next(); o["re"] != nil || o["ok"] != false || o.code() != "bad_request" {
			t.Errorf("%.40q: %v", line, o)
		}
	}
	for line, id := range map[string]any{
		`{"id":7,"op":"nosuch"}`: 7.0, `{"id":"a","op":5}`: "a", `{"id":8,"op":"act"}`: 8.0,
		`{"id":9,"op":"open","game":"ayu","clock":{"initial":-1}}`:           9.0,
		`{"id":10,"op":"open","game":"ayu","clock":{"days":1,"initial":60}}`: 10.0,
		`{"id":11,"op":"open","game":"ayu","options":[]}`:                    11.0,
	} {
		p.send(line)
		if o := p.next(); o["re"] != id || o.code() != "bad_request" {
			t.Errorf("%s: %v", line, o)
		}
	}
	p.send("  \r")
	if o := p.ask("ping", nil); o["ok"] != true {
		t.Errorf("ping: %v", o)
	}
	for op, code := range map[string]string{"join": "unknown_table", "watch": "unknown_match", "act": "unknown_match", "resign": "unknown_match"} {
		if o := p.ask(op, object{"table": "zzz", "match": "zzz", "version": 0}); o.code() != code {
			t.Errorf("%s: %v", op, o)
		}
	}
}

func TestFloodOfRequestsIsLimitedAndThePromisedRatePasses(t *testing.T) {
	h := open(t)
	p := h.program("ana", nil)
	var flood strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&flood, `{"id":%d,"op":"ping"}`+"\n", i)
	}
	go io.WriteString(p.in, flood.String())
	limited := 0
	for i := range 2000 {
		o := p.next()
		if o.code() == "rate_limited" {
			limited++
		}
		if i < 400 && o["ok"] != true {
			t.Fatalf("request %d of the burst that is always allowed: %v", i, o)
		}
		if o["re"] != float64(i) {
			t.Fatalf("answer %v to request %d", o, i)
		}
	}
	if limited == 0 {
		t.Error("nothing was limited")
	}
}

func TestAKeysFirstVisitGetsANameLikeTheUser(t *testing.T) {
	h := open(t)
	key := servertest.NewKey(t)
	first := h.program("Zoe", key)
	if got := first.must("name", nil); got.text("name") != "Zoe" {
		t.Errorf("named %v", got)
	}
	if got := h.program("zoe", servertest.NewKey(t)).must("name", nil).text("name"); !strings.HasPrefix(got, "zoe-") {
		t.Errorf("the second is named %q", got)
	}
	if got := h.program("root\x1b[2J", servertest.NewKey(t)).must("name", nil).text("name"); got != "root2J" {
		t.Errorf("named %q", got)
	}
	if got := first.must("name", object{"name": "Zoe_2"}); got.text("name") != "Zoe_2" {
		t.Errorf("renamed %v", got)
	}
	if got := h.program("x", key).must("name", nil); got.text("name") != "Zoe_2" {
		t.Errorf("the same key is %v", got)
	}
	if o := h.program("g", nil).ask("name", object{"name": "gus"}); o.code() != "not_allowed" {
		t.Errorf("a guest changes their name: %v", o)
	}
}

func TestAnOfferedKeyGivesNoIdentity(t *testing.T) {
	h := open(t)
	owner := servertest.NewKey(t)
	h.program("ana", owner).must("name", nil)
	// The thief offers ana's key, cannot sign for it, and comes in as a guest.
	thief := ssh.PublicKeys(keyThief{shown: owner, own: servertest.NewKey(t)})
	guest := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	dial := func(methods ...ssh.AuthMethod) (*ssh.Client, error) {
		return ssh.Dial("tcp", h.addr, &ssh.ClientConfig{User: "ana", Auth: methods, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: servertest.WaitTimeout})
	}
	isGuest := func(who string, c *ssh.Client) {
		t.Helper()
		defer c.Close()
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Output("api")
		if err != nil || !strings.Contains(string(out), `"guest":true`) {
			t.Errorf("%s is %s, %v", who, out, err)
		}
	}
	// A key that cannot sign ends the handshake or counts as none. What else could fail, does not before and after it.
	for _, who := range []string{"a guest before", "the thief", "a guest after"} {
		methods := []ssh.AuthMethod{guest}
		if who == "the thief" {
			methods = []ssh.AuthMethod{thief, guest}
		}
		c, err := dial(methods...)
		switch {
		case err == nil:
			isGuest(who, c)
		case who != "the thief" || !strings.Contains(err.Error(), "ssh: handshake failed"):
			t.Errorf("%s: %v", who, err)
		default:
			t.Log(err)
		}
	}
}

// keyThief shows one key and signs with another.
type keyThief struct{ shown, own ssh.Signer }

func (p keyThief) PublicKey() ssh.PublicKey { return p.shown.PublicKey() }
func (p keyThief) Sign(r io.Reader, data []byte) (*ssh.Signature, error) {
	return p.own.Sign(r, data)
}

func TestReconnectedProgramFindsItsMatch(t *testing.T) {
	h := open(t)
	key := servertest.NewKey(t)
	ana, bob := h.program("ana", key), h.program("bob", servertest.NewKey(t))
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5}})
	bob.must("join", object{"table": table["table"]})
	before := ana.event("match")
	ana.client.Close()
	again := h.program("ana", key).event("match")
	if again["match"] != before["match"] || again["you"] != before["you"] {
		t.Errorf("came back to %v, left %v", again, before)
	}
}

func TestGuestTakesHisSeatBackWithHisCode(t *testing.T) {
	h := open(t)
	ana, guest := h.program("ana", servertest.NewKey(t)), h.program("somebody", nil)
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5}})
	guest.must("join", object{"table": table["table"]})
	before := guest.event("match")
	guest.client.Close()
	if other := h.program("aaaaaaaaaa", nil); other.you.text("name") == guest.you.text("name") {
		t.Error("a wrong code is the guest")
	}
	back := h.program(guest.you.text("code"), nil)
	if back.you.text("name") != guest.you.text("name") {
		t.Fatalf("came back as %v, left as %v", back.you, guest.you)
	}
	if again := back.event("match"); again["match"] != before["match"] || again["you"] != before["you"] {
		t.Errorf("came back to %v, left %v", again, before)
	}
}

func TestLinkBindsAKeyThatWasProved(t *testing.T) {
	h := open(t)
	first, second := servertest.NewKey(t), servertest.NewKey(t)
	s := h.enter("ana", first)
	code, err := s.LinkCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, status := h.command(nil, "link "+code); status != 1 || !strings.Contains(errs, "without a key") {
		t.Errorf("a guest links: exit %d, %s", status, errs)
	}
	if out, errs, status := h.command(second, "link "+code); status != 0 || !strings.Contains(out, "ana") {
		t.Errorf("exit %d, %s%s", status, out, errs)
	}
	if p := h.program("x", second); p.you.text("name") != "ana" {
		t.Errorf("the second key is %v", p.you)
	}
	if _, _, status := h.command(servertest.NewKey(t), "link "+code); status != 1 {
		t.Error("the code works twice")
	}
}

func TestOffersAndChatReachTheRightPeople(t *testing.T) {
	h := open(t)
	ana, bob, eve := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t)), h.program("eve", nil)
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5}})
	bob.must("join", object{"table": table["table"]})
	match := ana.event("match").text("match")
	bob.event("match")
	eve.must("watch", object{"match": match})
	in := object{"match": match}
	ana.must("say", object{"match": match, "text": "good\x07 luck\u202e"})
	if e := bob.event("chat"); e.text("text") != "good luck" || e.text("from") != "ana" || e.text("match") != match {
		t.Errorf("bob hears %v", e)
	}
	eve.must("say", object{"match": match, "text": "psst"})
	eve.must("say", object{"text": "hello all"})
	if e := ana.event("chat"); e.text("room") == "watchers" {
		t.Errorf("a player hears the watchers: %v", e)
	}
	ana.must("draw", in)
	if e := bob.event("offer"); e.text("kind") != "draw" {
		t.Errorf("offer %v", e)
	}
	bob.must("refuse", object{"match": match, "kind": "draw"})
	if o := bob.ask("refuse", object{"match": match, "kind": "draw"}); o.code() != "not_allowed" {
		t.Errorf("refused twice: %v", o)
	}
	bob.must("resign", in)
	for _, who := range []*apiClient{ana, bob, eve} {
		r, _ := who.event("over")["result"].(map[string]any)
		if object(r).text("reason") != "resign" {
			t.Errorf("over with %v", r)
		}
	}
	// The rooms are merged at the end.
	if e := ana.event("chat"); e.text("text") != "psst" {
		t.Errorf("after the end ana hears %v", e)
	}
	ana.must("rematch", in)
	bob.must("rematch", in)
	if again := bob.event("match"); again.text("match") == match || again.number("version") != 0 {
		t.Errorf("rematch %v", again)
	}
}

func TestFourProgramsDoEverythingAtOnce(t *testing.T) {
	h := open(t)
	var wg sync.WaitGroup
	for i := range 4 {
		p := h.program(fmt.Sprintf("player%c", 'a'+i), servertest.NewKey(t))
		wg.Go(func() { p.everything(rand.New(rand.NewPCG(1, uint64(i)))) })
	}
	wg.Wait()
}

// everything asks for anything, and checks that nothing but the promised codes comes back.
func (p *apiClient) everything(r *rand.Rand) {
	ops := []string{"ping", "tables", "matches", "open", "quick", "join", "decline", "cancel", "ready", "watch", "unwatch",
		"act", "act", "act", "act", "resign", "draw", "undo", "rematch", "refuse", "claim", "vote", "say", "name"}
	codes := map[string]bool{"": true, "bad_request": true, "unknown_table": true, "unknown_match": true, "not_allowed": true,
		"game_over": true, "stale_version": true, "not_your_turn": true, "illegal_action": true, "rate_limited": true, "full": true}
	tables, matches := []any{"x"}, []any{"x"}
	versions := map[any]int{}
	pick := func(from []any) any { return from[max(0, len(from)-1-r.IntN(4))] }
	for range 300 {
		match := pick(matches)
		args := object{"table": pick(tables), "match": match, "version": versions[match], "kind": "draw", "seat": r.IntN(3), "text": "hi",
			"actions": []string{fmt.Sprintf("%c%d-%c%d", 'a'+r.IntN(5), 1+r.IntN(5), 'a'+r.IntN(5), 1+r.IntN(5))}}
		op := ops[r.IntN(len(ops))]
		if op == "open" || op == "quick" {
			args["game"], args["options"] = "ayu", object{"size": 5}
		}
		answer := p.ask(op, args)
		if !codes[answer.code()] {
			p.t.Errorf("%s %v: %v", op, args, answer)
		}
		for _, e := range p.waiting {
			switch e.text("event") {
			case "table":
				tables = append(tables, e["table"])
			case "match":
				matches = append(matches, e["match"])
			}
			if v, ok := e["version"].(float64); ok {
				if e.text("event") != "match" && int(v) != versions[e["match"]]+1 && versions[e["match"]] != 0 {
					p.t.Errorf("version %v after %d", e, versions[e["match"]])
				}
				versions[e["match"]] = int(v)
			}
		}
		p.waiting = nil
	}
}
