package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/servertest"
	"ayumu/server/sshd"
	"ayumu/tui/game/gametest"
)

// The promises of docs/security.md that need the whole server.

// dialWithoutKeys connects as somebody who offers the keys of others, and then is a guest.
func (h harness) dialWithoutKeys(user string, shown ...ssh.Signer) *ssh.Client {
	h.t.Helper()
	own := servertest.NewKey(h.t)
	var stolen []ssh.Signer
	for _, key := range shown {
		stolen = append(stolen, keyThief{shown: key, own: own}, unsignedKey{key})
	}
	guest := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	var last *ssh.Client
	for _, key := range stolen {
		c, err := ssh.Dial("tcp", h.addr, &ssh.ClientConfig{User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(key)},
			HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: servertest.WaitTimeout})
		if err == nil {
			c.Close()
			h.t.Error("a key that was only shown opens the door")
		}
		if last, err = ssh.Dial("tcp", h.addr, &ssh.ClientConfig{User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(key), guest},
			HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: servertest.WaitTimeout}); err != nil {
			continue // thrown out for the lie
		}
		h.t.Cleanup(func() { last.Close() })
	}
	if last == nil {
		h.t.Fatal("a client that cannot sign does not come in as a guest")
	}
	return last
}

// unsignedKey shows a key and signs nothing with it.
type unsignedKey struct{ key ssh.Signer }

func (u unsignedKey) PublicKey() ssh.PublicKey { return u.key.PublicKey() }
func (u unsignedKey) Sign(io.Reader, []byte) (*ssh.Signature, error) {
	return nil, errors.New("the key is not here")
}

// runOn runs a command on a connection.
func runOn(t *testing.T, c *ssh.Client, line string) (says string, status int) {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.CombinedOutput(line)
	var exit *ssh.ExitError
	if errors.As(err, &exit) {
		status = exit.ExitStatus()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out), status
}

func TestWhoOffersAKeyWithoutOwningItGetsNothing(t *testing.T) {
	mod, ana := servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(mod, `role="owner"`, "mod"))
	c.program("mod", mod)
	player, other := c.program("ana", ana), c.program("bob", servertest.NewKey(t))
	table := player.must("open", object{"game": "ayu", "options": object{"size": 5}, "private": true})
	other.must("join", object{"table": table["table"], "code": table["code"]})
	player.event("match")
	thief := c.dialWithoutKeys("ana", ana, mod)
	for line, says := range map[string]string{"admin audit": "only owners may", "keys": "no account", "link " + strings.Repeat("0", 10): "without a key"} {
		if got, status := runOn(t, thief, line); status != 1 || !strings.Contains(got, says) {
			t.Errorf("%s: %d %q, want %q", line, status, got, says)
		}
	}
	runOn(t, thief, "report bob x")
	if out, _, _ := c.command(mod, "admin reports"); !strings.Contains(out, "guest 127.0.0.1/32 about bob: x") {
		t.Errorf("the thief's report is %q", out)
	}
	if got, _ := runOn(t, thief, "api"); !strings.Contains(got, `"guest":true`) || strings.Contains(got, `"event":"match"`) || strings.Contains(got, `"ana"`) {
		t.Errorf("the thief is told %s", got)
	}
	p := access.PublicPolicy()
	p.Open = false
	private := openClub(t, p, authorized(ana, "", "ana"))
	if got, status := runOn(t, private.dialWithoutKeys("ana", ana), "who"); status != 1 || !strings.Contains(got, "private club") {
		t.Errorf("in a private club: %d %q", status, got)
	}
}

func TestBannedClientsGetNothingButTheReason(t *testing.T) {
	owner, ana, second := servertest.NewKey(t), servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(owner, `role="owner"`, "owner"))
	player := c.program("ana", ana)
	a, _, err := c.l.Accounts.ByKey(t.Context(), ana.PublicKey().Marshal())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.store.AddKey(t.Context(), a.ID, second.PublicKey().Marshal(), time.Now()); err != nil {
		t.Fatal(err)
	}
	refused := func(who string, key ssh.Signer) {
		t.Helper()
		for _, line := range []string{"who", "api", "watch x", "link x", "report bob x", "admin help"} {
			if out, errs, status := c.asked("x", key, line, false); status != 1 || out != "" || !strings.Contains(errs, "you are banned until") || !strings.Contains(errs, "reason: bye") {
				t.Errorf("%s, %s: %d %q %q", who, line, status, out, errs)
			}
		}
		if out, errs, status := c.asked("x", key, "", true); status != 1 || !strings.Contains(out+errs, "reason: bye") {
			t.Errorf("%s at a screen: %d %q", who, status, out+errs)
		}
	}
	welcome := func(who string, key ssh.Signer) {
		t.Helper()
		if out, errs, status := c.asked("x", key, "who", false); status != 0 {
			t.Errorf("%s is not let in: %q %q", who, out, errs)
		}
	}
	c.order("ban", "ana", "1h", "bye")
	player.ends()
	refused("the account", ana)
	refused("the account's other key", second)
	welcome("a guest", nil)
	c.order("unban", "ana")
	c.order("ban", ssh.FingerprintSHA256(second.PublicKey()), "1h", "bye")
	refused("the key", second)
	welcome("the account's other key", ana)
	c.order("unban", ssh.FingerprintSHA256(second.PublicKey()))
	c.order("ban", "127.0.0.0/24", "1h", "bye")
	refused("a guest of the address", nil)
	refused("a key of the address", servertest.NewKey(t))
	welcome("the owner", owner)
}

// exhaustGuesses tries wrong codes without pause, so that no try of theirs is left to anybody else.
func exhaustGuesses(t *testing.T, once func()) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	many := make(chan struct{})
	go func() {
		defer close(done)
		for tries := 0; ctx.Err() == nil; tries++ {
			if once(); tries == 100 {
				close(many)
			}
		}
	}()
	t.Cleanup(func() { stop(); <-done })
	<-many
}

func TestLinkCodesCannotBeGuessed(t *testing.T) {
	h := open(t)
	ana, second := servertest.NewKey(t), servertest.NewKey(t)
	s := h.enter("ana", ana)
	code, err := s.LinkCode(t.Context())
	if err != nil || len(code)*5 < 50 {
		t.Fatal(code, err)
	}
	exhaustGuesses(t, func() { _, _ = h.l.Accounts.Link(t.Context(), strings.Repeat("0", len(code)), []byte("key"), loopback) })
	if out, errs, status := h.command(second, "link "+code); status != 1 {
		t.Errorf("while somebody guesses, a code is tried: %q %q", out, errs)
	}
	if _, known, _ := h.l.Accounts.ByKey(t.Context(), second.PublicKey().Marshal()); known {
		t.Error("the key is linked")
	}
}

func TestInvitationCodesCannotBeGuessed(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	c := openClub(t, p, "")
	key := servertest.NewKey(t)
	code := invitation(t, c.store, 1)
	exhaustGuesses(t, func() {
		_, _ = c.authorizer.Admit(t.Context(), key.PublicKey(), loopback, strings.Repeat("0", len(code)))
	})
	if _, errs, status := c.asked(code, key, "who", false); status != 1 || !strings.Contains(errs, "too many codes") {
		t.Errorf("while somebody guesses, a code is tried: %d %q", status, errs)
	}
}

func TestReturnCodesCannotBeGuessed(t *testing.T) {
	h := open(t)
	ana, guest := h.program("ana", servertest.NewKey(t)), h.program("x", nil)
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5}})
	guest.must("join", object{"table": table["table"]})
	code := guest.you.text("code")
	exhaustGuesses(t, func() { h.l.Accounts.GuestByCode(strings.Repeat("0", len(code)), loopback) })
	if other := h.program(code, nil); other.you.text("name") == guest.you.text("name") {
		t.Error("while somebody guesses, a code is tried")
	}
}

// TestNobodyIsKeptOutByHisName has people come whose names are as long as a code.
func TestNobodyIsKeptOutByHisName(t *testing.T) {
	h := open(t)
	limits := limit.Default()
	limits.CodeRate, limits.CodeBurst = 0.01, 1
	h.l.SetLimits(limits)
	key := servertest.NewKey(t)
	crab := h.program("crab-20000", key)
	table := crab.must("open", object{"game": "ayu"})
	guest := h.program("sebastbard", nil)
	guest.must("join", object{"table": table["table"]})
	for range 3 {
		h.program("sebastbard", nil)
	}
	if n := h.l.LimitHits.All()[limit.HitCodes]; n > 0 {
		t.Errorf("%d words were taken for codes", n)
	}
	if again := h.program(guest.you.text("code"), nil); again.you.text("name") != guest.you.text("name") {
		t.Errorf("a guest comes back as %v", again.you)
	}
	for range 3 { // there is no try left
		if again := h.program("crab200000", key); again.you.text("name") != "crab-20000" {
			t.Errorf("the guest comes back as %v", again.you)
		}
	}
	if n := h.l.LimitHits.All()[limit.HitCodes]; n != 3 {
		t.Errorf("%d codes were refused, want 3", n)
	}
}

// TestAWatcherHasNoWayToAct holds it by type: whoever gets further methods here decides that they
// are nothing that a player does.
func TestAWatcherHasNoWayToAct(t *testing.T) {
	for of, want := range map[reflect.Type][]string{
		reflect.TypeFor[*lobby.Spectator](): {"Close", "Match", "Say", "Snapshot"},
		reflect.TypeFor[*lobby.Match]():     {"IsForgotten", "Snapshot", "SpectatorCount"},
	} {
		var has []string
		for i := range of.NumMethod() {
			has = append(has, of.Method(i).Name)
		}
		if !slices.Equal(has, want) {
			t.Errorf("%v has %v, want %v", of, has, want)
		}
	}
	h := open(t)
	match, next := h.playOn()
	eve := h.program("eve", servertest.NewKey(t))
	eve.must("watch", object{"match": match})
	for _, op := range []string{"act", "resign", "abort", "draw", "undo", "rematch", "refuse", "claim", "vote"} {
		args := object{"match": match, "version": 0, "actions": []string{"b1-b2"}, "kind": "draw", "seat": 0}
		if o := eve.ask(op, args); o.code() != "not_allowed" {
			t.Errorf("a watcher's %s: %v", op, o)
		}
	}
	next()
	if e := eve.event("turn"); e.number("version") != 1 {
		t.Errorf("after all that comes %v", e)
	}
}

func TestKeysAreTheirOwnersToListAndDelete(t *testing.T) {
	h := open(t)
	first, second, bob := servertest.NewKey(t), servertest.NewKey(t), servertest.NewKey(t)
	s := h.enter("ana", first)
	h.program("bob", bob)
	code, err := s.LinkCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out, errs, status := h.command(second, "link "+code); status != 0 {
		t.Fatal(out, errs)
	}
	print := func(k ssh.Signer) string { return ssh.FingerprintSHA256(k.PublicKey()) }
	for _, key := range []ssh.Signer{first, second} {
		if out, _, status := h.command(key, "keys"); status != 0 || !strings.Contains(out, print(first)) || !strings.Contains(out, print(second)) || strings.Contains(out, print(bob)) {
			t.Errorf("keys: %d\n%s", status, out)
		}
	}
	if out, errs, status := h.command(nil, "keys"); status != 1 || out != "" {
		t.Errorf("a guest's keys: %d %s%s", status, out, errs)
	}
	if err := s.RemoveKey(t.Context(), bob.PublicKey().Marshal()); err == nil {
		t.Error("somebody else's key was deleted")
	}
	if err := s.RemoveKey(t.Context(), second.PublicKey().Marshal()); err != nil {
		t.Fatal(err)
	}
	if p := h.program("zoe", second); p.you.text("name") != "zoe" {
		t.Errorf("who was deleted is %v", p.you)
	}
	if err := s.RemoveKey(t.Context(), first.PublicKey().Marshal()); err == nil {
		t.Error("the last key was deleted")
	}
}

func TestNamesThatLookAlikeAreOneName(t *testing.T) {
	h := open(t)
	h.program("moira", servertest.NewKey(t))
	p := h.program("zed", servertest.NewKey(t))
	for _, name := range []string{"MOIRA", "mo1ra", "m0ira", "mo-ira", "rnoira", "molra", "a", strings.Repeat("a", 17), "m\u043eira", "mo ira", "x\x1b[2J", "x\u202ey",
		"zero\u200bwidth", "9lives", "guest-7", "Adm1n", "server", "*"} {
		if o := p.ask("name", object{"name": name}); o["ok"] == true {
			t.Errorf("%q is taken for a name: %v", name, o)
		}
	}
	p.must("name", object{"name": "zed_2"})
}

func TestTalkIsHarmlessAndBounded(t *testing.T) {
	h := open(t)
	ana, bob := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t))
	for text, want := range map[string]string{
		"\x1b]0;owned\x07hi\r\n\x1b[2J\x7f":         "]0;ownedhi [2J",
		"\u009b31mred\u0085x":                       "31mred x",
		"\u202eevil\u2066\u200b\u200d\ufeff.":       "evil.",
		"z\u0301\u0302\u0303\u0304\u0305":           "z\u0301\u0302",
		"\U000e0041tagged \ue000private \U0010ffff": "tagged private",
	} {
		ana.must("say", object{"text": text})
		if e := bob.event("chat"); e.text("text") != want || e.text("from") != "ana" {
			t.Errorf("%q is heard as %q, want %q", text, e.text("text"), want)
		}
	}
	for _, text := range []string{"", " ", "\x1b\u202e\u200b", strings.Repeat("long ", 100)} {
		if o := ana.ask("say", object{"text": text}); o.code() != "bad_request" {
			t.Errorf("%q: %v", text, o)
		}
	}
	limited := 0
	for range 40 {
		if o := ana.ask("say", object{"text": "spam"}); o.code() == "rate_limited" {
			limited++
		}
	}
	if limited == 0 {
		t.Error("nobody is stopped from talking without end")
	}
	bob.must("say", object{"text": "and others still can"})
}

func TestTerminalsGetOnlyWhatTheyUnderstand(t *testing.T) {
	h := open(t)
	for term, wrong := range map[string][]string{
		"dumb":                    {"\x1b"},
		"nobody-knows-this-one":   {"38;5;", "48;5;", "38;2;", "48;2;"},
		"\x1b]0;evil\a":           {"38;5;", "48;5;", "38;2;", "48;2;", "evil"},
		strings.Repeat("x", 5000): {"38;5;", "48;5;", "38;2;", "48;2;", "xxxx"},
	} {
		s, err := h.dial("x", nil).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		out := commandOutput{t, new(servertest.Buffer)}
		s.Stdout = out.buf
		in, err := s.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.RequestPty(term, 24, 80, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		out.waitFor("guest")
		_, _ = io.WriteString(in, "\r")
		for _, w := range wrong {
			if strings.Contains(out.shown(), w) {
				t.Errorf("%.20q is sent %q in\n%.300q", term, w, out.shown())
			}
		}
		s.Close()
	}
}

// faultyStore is a store in which the log of one match is a bug.
type faultyStore struct {
	*sqlite.Store
	match atomic.Value // its id
}

func (f *faultyStore) Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error {
	if id, _ := f.match.Load().(string); id == match {
		panic("a bug in this match")
	}
	return f.Store.Append(ctx, match, after, entries...)
}

func TestAPanicFreezesOnlyItsMatch(t *testing.T) {
	db := lobbytest.Store(t)
	bad, sent := &faultyStore{Store: db}, make(chan string, 10)
	l := lobbytest.New(t, lobby.Config{Store: bad, Report: func(msg string, kv ...any) { sent <- fmt.Sprint(msg, kv) }})
	quiet := log.New(io.Discard)
	srv, err := sshd.Listen(sshd.Config{Listen: []string{"127.0.0.1:0"}, HostKeys: []string{filepath.Join(t.TempDir(), "key")}, Logger: quiet,
		Handler: &server.Handler{Games: gametest.Games, Lobby: l, SSHTarget: "club", Version: "test", Log: quiet}})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	defer func() { _ = srv.Shutdown(t.Context(), ""); <-served; l.Close() }()
	h := harness{t, srv.Addrs()[0].String(), l}

	ana, bob := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t))
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5, "pie": false}, "clock": object{"initial": 60}})
	bob.must("join", object{"table": table["table"]})
	m := ana.event("match")
	mover := map[int]*apiClient{m.number("you"): ana, 1 - m.number("you"): bob}[0]
	_, other := h.playOn()
	bad.match.Store(m.text("match"))
	for range 3 {
		action := position(t, `{"size":5,"pie":false}`).Legal()[0]
		if o := mover.ask("act", object{"match": m["match"], "version": 0, "actions": []string{action}}); o.code() != "unavailable" {
			t.Errorf("the turn is answered %v", o)
		}
	}
	select {
	case msg := <-sent:
		if !strings.Contains(msg, "a bug in this match") || !strings.Contains(msg, m.text("match")) {
			t.Errorf("the host is told %s", msg)
		}
	case <-time.After(servertest.WaitTimeout):
		t.Error("the host is not told")
	}
	frozen, err := l.Match(m.text("match"))
	if err != nil {
		t.Fatal(err)
	}
	if s := frozen.Snapshot(); !s.Frozen || s.IsOver() || s.RunningSeat >= 0 || s.Version != 0 {
		t.Errorf("the match is %+v", s)
	}
	for range 5 { // others play on
		other()
	}
	ana.must("ping", nil)
}
