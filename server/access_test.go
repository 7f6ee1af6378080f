package server_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/command"
	"ayumu/server/servertest"
	"ayumu/tui/admin"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// clubHarness is a whole server with an authorizer.
type clubHarness struct {
	harness
	authorizer *access.Authorizer
	club       *club.Club
	store      *sqlite.Store
	keys       string // file
}

func openClub(t *testing.T, p access.Policy, listed string) clubHarness {
	t.Helper()
	db := lobbytest.Store(t)
	p.KeyFile = filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(p.KeyFile, []byte(listed), 0o600); err != nil {
		t.Fatal(err)
	}
	authorizer := authorizerOf(t, db, p)
	c := authorizer.Club
	l := lobbytest.New(t, lobby.Config{Store: db, CheckChat: c.CheckChat, Deleted: c.AccountDeleted})
	c.Users = &l.Accounts
	handler := &server.Handler{Games: gametest.Games, Lobby: l, SSHTarget: "club", Version: "test", Log: log.New(io.Discard), Authorizer: authorizer}
	return clubHarness{serve(t, handler), authorizer, c, db, p.KeyFile}
}

// authorizerOf returns an authorizer for the club in a store.
func authorizerOf(t *testing.T, db club.Store, p access.Policy) *access.Authorizer {
	t.Helper()
	c, err := club.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	authorizer, err := access.NewAuthorizer(c, p)
	if err != nil {
		t.Fatal(err)
	}
	return authorizer
}

// run runs the words of an admin command as the operator.
func run(ctx context.Context, c *club.Club, out io.Writer, words ...string) error {
	operator := c.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "the host"})
	config := &op.Config{Moderator: operator, SSHTarget: "club", Operations: op.NewOperations(admin.All()...)}
	var errs bytes.Buffer
	if command.Run(ctx, config, out, &errs, append([]string{"admin"}, words...)) != 0 {
		return errors.New(errs.String())
	}
	return nil
}

// invitation creates an invitation for an hour and returns its code.
func invitation(t *testing.T, db club.Store, uses int) string {
	t.Helper()
	i, err := club.NewInvite(t.Context(), db, uses, time.Hour, "test")
	if err != nil {
		t.Fatal(err)
	}
	return i.Code
}

// asked runs a command as somebody with a user name.
func (h harness) asked(user string, key ssh.Signer, line string, terminal bool) (out, errs string, status int) {
	h.t.Helper()
	s, err := h.dial(user, key).NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	var o, e servertest.Buffer
	s.Stdout, s.Stderr = &o, &e
	if terminal {
		if err := s.RequestPty("xterm", 24, 80, nil); err != nil {
			h.t.Fatal(err)
		}
		err = s.Shell()
		if err == nil {
			err = s.Wait()
		}
	} else {
		err = s.Run(line)
	}
	if exit, ok := err.(*ssh.ExitError); ok {
		status = exit.ExitStatus()
	} else if err != nil {
		h.t.Fatal(err)
	}
	return o.String(), e.String(), status
}

func authorized(key ssh.Signer, options, name string) string {
	return strings.TrimSpace(options+" "+strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))+" "+name) + "\n"
}

// order gives a command of moderation as the host, on the machine.
func (c clubHarness) order(words ...string) string {
	c.t.Helper()
	var b bytes.Buffer
	if err := run(c.t.Context(), c.club, &b, words...); err != nil {
		c.t.Fatalf("%v: %v", words, err)
	}
	return b.String()
}

func TestPrivateClubLetsInOnlyItsKeysAndSaysWhy(t *testing.T) {
	member, visitor := servertest.NewKey(t), servertest.NewKey(t)
	p := access.PublicPolicy()
	p.Open = false
	c := openClub(t, p, authorized(member, "", "ana"))
	if _, errs, status := c.asked("x", member, "who", false); status != 0 {
		t.Errorf("a member: %d %s", status, errs)
	}
	if p := c.program("some-login", member); p.you.text("name") != "ana" {
		t.Errorf("the list's name is not taken: %v", p.you)
	}
	for _, terminal := range []bool{false, true} {
		out, errs, status := c.asked("x", visitor, "who", terminal)
		if says := out + errs; status != 1 || !strings.Contains(says, "private club") || !strings.Contains(says, ssh.FingerprintSHA256(visitor.PublicKey())) {
			t.Errorf("a stranger, terminal %v: %d %q %q", terminal, status, out, errs)
		}
		if _, errs, status := c.asked("x", nil, "who", terminal); status != 1 || !strings.Contains(errs, "with the SSH key of a member") {
			t.Errorf("a guest, terminal %v: %d %q", terminal, status, errs)
		}
	}
	if _, errs, status := c.asked("x", visitor, "waiting", false); status != 2 || !strings.Contains(errs, "private club") {
		t.Errorf("a stranger asks what waits for them: %d %q", status, errs)
	}
	// A changed list holds from the next visit on; a broken one changes nothing.
	if err := os.WriteFile(c.keys, []byte(authorized(visitor, "", "bob")), 0o600); err != nil {
		t.Fatal(err)
	}
	policy := c.authorizer.Policy()
	if err := c.authorizer.SetPolicy(policy); err != nil {
		t.Fatal(err)
	}
	if _, _, status := c.asked("x", visitor, "who", false); status != 0 {
		t.Error("the changed list does not hold")
	}
	if _, _, status := c.asked("x", member, "who", false); status != 1 {
		t.Error("who was struck off the list comes in")
	}
	if err := os.WriteFile(c.keys, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.authorizer.SetPolicy(policy); err == nil {
		t.Error("a broken list is taken")
	}
	if _, _, status := c.asked("x", visitor, "who", false); status != 0 {
		t.Error("a broken list has changed something")
	}
}

// unusableKey is a key of a kind that the server does not take.
type unusableKey struct{ ssh.Signer }

func (k unusableKey) PublicKey() ssh.PublicKey { return unusablePublicKey{k.Signer.PublicKey()} }

type unusablePublicKey struct{ ssh.PublicKey }

func (unusablePublicKey) Type() string { return "ssh-old" }

// TestManyKeysGetTheReasonToo: a stranger with many keys in an agent learns why a private club does not admit it. The
// server takes the first key that it can use, after up to 60 others.
func TestManyKeysGetTheReasonToo(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	c := openClub(t, p, "")
	for _, count := range []struct{ unusable, usable int }{{0, 200}, {60, 1}, {60, 20}} {
		var keys []ssh.Signer
		for range count.unusable {
			keys = append(keys, unusableKey{servertest.NewKey(t)})
		}
		for range count.usable {
			keys = append(keys, servertest.NewKey(t))
		}
		first := keys[count.unusable]
		conn, err := ssh.Dial("tcp", c.addr, &ssh.ClientConfig{User: "x", Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)},
			HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: servertest.WaitTimeout})
		if err != nil {
			t.Errorf("%+v keys: %v", count, err)
			continue
		}
		says, status := runOn(t, conn, "who")
		if status != 1 || !strings.Contains(says, "private club") || !strings.Contains(says, ssh.FingerprintSHA256(first.PublicKey())) {
			t.Errorf("%+v keys: %d %q", count, status, says)
		}
		conn.Close()
	}
}

func TestGuestsCanBeTurnedAway(t *testing.T) {
	p := access.PublicPolicy()
	p.AllowGuests = false
	c := openClub(t, p, "")
	if _, errs, status := c.asked("x", nil, "who", false); status != 1 || !strings.Contains(errs, "does not accept guests") {
		t.Errorf("%d %q", status, errs)
	}
	if _, _, status := c.asked("x", servertest.NewKey(t), "who", false); status != 0 {
		t.Error("a key is turned away")
	}
}

func TestInvitationWorksOnceForEachUseAndNotLongerThanItLasts(t *testing.T) {
	p := access.PublicPolicy()
	p.Open = false
	c := openClub(t, p, "")
	code := func(uses int) string {
		code := invitation(t, c.store, uses)
		if len(code)*5 < 80 {
			t.Fatal(code)
		}
		return code
	}
	one, first, second := code(1), servertest.NewKey(t), servertest.NewKey(t)
	for range 2 { // the second time with the code used up, and by another name
		if _, errs, status := c.asked(one, first, "who", false); status != 0 {
			t.Errorf("with the code: %d %s", status, errs)
		}
	}
	if p := c.program(one, first); strings.HasPrefix(one, p.you.text("name")) {
		t.Errorf("the code became the name %v", p.you)
	}
	if _, _, status := c.asked("ana", first, "who", false); status != 0 {
		t.Error("a member needs the code again")
	}
	if _, errs, status := c.asked(one, second, "who", false); status != 1 || !strings.Contains(errs, "wrong, used or expired") {
		t.Errorf("a used code: %d %s", status, errs)
	}
	// Guessing is limited, for a right code as well.
	for range 30 {
		c.authorizer.Admit(t.Context(), second.PublicKey(), loopback, strings.Repeat("0", len(one)))
	}
	if _, errs, _ := c.asked(code(1), second, "who", false); !strings.Contains(errs, "too many codes") {
		t.Errorf("after many guesses: %s", errs)
	}
}

func TestModeratorsMuteKickAndBan(t *testing.T) {
	mod, owner, ana := servertest.NewKey(t), servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(mod, `role="moderator"`, "mod")+authorized(owner, `role="owner"`, "owner"))
	player := c.program("ana", ana)
	c.program("owner", owner)
	c.program("mod", mod)
	player.must("say", object{"text": "hello"})
	admin := func(key ssh.Signer, line string, want int, says string) {
		t.Helper()
		if out, errs, status := c.asked("x", key, line, false); status != want || !strings.Contains(out+errs, says) {
			t.Errorf("%s: %d %q %q", line, status, out, errs)
		}
	}
	admin(ana, "admin", 1, "you are not a moderator\n")
	admin(ana, "admin kick mod", 1, "only moderators may kick players\n")
	admin(nil, "admin bans", 1, "only moderators may list bans\n")
	admin(mod, "admin kick owner", 1, "you cannot kick an owner: your role is not higher than theirs\n")
	admin(mod, "admin audit", 1, "only owners may read the audit log\n")
	admin(mod, "admin mute ana", 1, "usage: admin mute NAME DURATION [REASON]\n")
	admin(mod, "admin ban SHA256:x 1h", 1, `"SHA256:x" is not the fingerprint of a key, which is`)
	admin(mod, "admin mute ana 10m too loud", 0, "Mute: ana until")
	if e := player.event("muted"); e.text("reason") != "too loud" || e.text("until") == "" {
		t.Errorf("who was muted is told %v", e)
	}
	if o := player.ask("say", object{"text": "hello"}); o.code() != "not_allowed" {
		t.Errorf("a muted player says: %v", o)
	}
	admin(mod, "admin mute ana forever", 0, "Mute: ana permanently")
	if e := player.event("muted"); e.text("reason") != "" || e["until"] != nil {
		t.Errorf("the longest mute counts: %v", e)
	}
	admin(mod, "admin unmute ana", 0, "no longer muted")
	player.event("unmuted")
	player.must("say", object{"text": "hello again"})
	admin(mod, "admin kick ana enough", 0, "1 session ended")
	player.ends()
	player = c.program("ana", ana)
	admin(mod, "admin kick ana "+strings.Repeat("x", 201), 1, "a reason or a notice has at most 200 characters")
	admin(ana, "report mod "+strings.Repeat("kicks me ", 34), 1, "a report has at most 300 characters")
	admin(ana, "report mod kicks people", 0, "Thank you")
	admin(mod, "admin reports", 0, "ana about mod: kicks people")
	admin(mod, "admin ban ana 1h bye", 0, "1 session ended")
	player.ends()
	admin(ana, "who", 1, "reason: bye")
	admin(mod, "admin unban ana", 0, "no longer banned")
	admin(ana, "who", 0, "")
	admin(mod, "admin ban "+ssh.FingerprintSHA256(ana.PublicKey())+" forever", 0, "Ban:")
	admin(ana, "who", 1, "banned permanently")
	// An address: everybody who comes from there but the owner.
	c.order("ban", "127.0.0.0/8", "1h", "flood")
	admin(servertest.NewKey(t), "who", 1, "flood")
	admin(nil, "who", 1, "flood")
	admin(owner, "admin unban 127.0.0.0/8", 0, "no longer banned")
	admin(owner, "admin audit", 0, "mod kicks ana: enough")
	admin(owner, "admin audit", 0, " permanently\n") // where no reason was given
}

// TestMembersNamesListedKeysThatHaveNotCome has two listed keys, one of which connects.
func TestMembersNamesListedKeysThatHaveNotCome(t *testing.T) {
	owner, bob, nameless := servertest.NewKey(t), servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(owner, `role="owner"`, "owner")+authorized(bob, "", "bob")+authorized(nameless, "", ""))
	c.program("owner", owner)
	out, _, _ := c.command(owner, "admin members")
	for name, key := range map[string]ssh.Signer{"bob": bob, "a key without a name": nameless} {
		if want := name + " (player) is in the list of keys but has not signed in yet: " + ssh.FingerprintSHA256(key.PublicKey()) + "\n"; !strings.Contains(out, want) {
			t.Errorf("the list lacks %q:\n%s", want, out)
		}
	}
	c.program("bob", bob)
	if out, _, _ := c.command(owner, "admin members"); strings.Count(out, "has not signed in yet") != 1 || strings.Count(out, "bob") != 1 {
		t.Errorf("when one has come:\n%s", out)
	}
}

// TestAnybodyReportsAndNobodyWithoutEnd has guests report, whose names are soon others, and so are
// known by their address.
func TestAnybodyReportsAndNobodyWithoutEnd(t *testing.T) {
	p := access.PublicPolicy()
	p.ReportsPerUser = 2
	mod := servertest.NewKey(t)
	c := openClub(t, p, authorized(mod, `role="moderator"`, "mod"))
	c.program("mod", mod)
	ana, first, second := c.program("ana", servertest.NewKey(t)), c.program("x", nil), c.program("x", nil)
	complaint := object{"name": "mod", "text": "shouting"}
	first.must("report", complaint)
	if out, errs, status := c.command(nil, "report mod shouting again"+strings.Repeat(" and again", 20)); status != 0 {
		t.Errorf("a guest's command: %q %q", out, errs)
	}
	if o := second.ask("report", complaint); o.code() != "rate_limited" {
		t.Errorf("one report too many: %v", o)
	}
	ana.must("report", complaint)
	if o := ana.ask("report", object{"name": "mod"}); o.code() != "bad_request" {
		t.Errorf("a report of nothing: %v", o)
	}
	out, _, _ := c.command(mod, "admin reports")
	for _, want := range []string{"guest 127.0.0.1/32 about mod: shouting\n", "guest 127.0.0.1/32 about mod: shouting again and again", "ana about mod: shouting\n"} {
		if strings.Count(out, want) != 1 {
			t.Errorf("reports lack %q:\n%s", want, out)
		}
	}
	if o := open(t).program("bob", nil).ask("report", complaint); o.code() != "not_allowed" {
		t.Errorf("where nobody moderates: %v", o)
	}
}

func TestTalkCanBeClosed(t *testing.T) {
	p := access.PublicPolicy()
	p.LobbyChat = false
	c := openClub(t, p, "")
	if o := c.program("ana", servertest.NewKey(t)).ask("say", object{"text": "hello"}); o.code() != "not_allowed" {
		t.Errorf("%v", o)
	}
}

// ends waits for the end of a program's connection or session.
func (p *apiClient) ends() {
	p.t.Helper()
	for {
		select {
		case _, ok := <-p.objects:
			if !ok {
				return
			}
		case <-time.After(servertest.WaitTimeout):
			p.t.Fatal("it goes on")
		}
	}
}

// TestAReportIsSignedWithTheKeyOfWhoHasNoName has a member report before their key has a name.
func TestAReportIsSignedWithTheKeyOfWhoHasNoName(t *testing.T) {
	mod, key := servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(mod, `role="moderator"`, "mod"))
	c.program("mod", mod)
	if out, errs, status := c.asked("x", key, "report mod too loud", false); status != 0 {
		t.Fatal(out, errs)
	}
	out, errs, _ := c.asked("x", mod, "admin reports", false)
	if want := ssh.FingerprintSHA256(key.PublicKey()) + " about mod: too loud"; !strings.Contains(out, want) {
		t.Errorf("reports lacks %q:\n%s%s", want, out, errs)
	}
}
