package server_test

import (
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/access"
	"ayumu/server/servertest"
)

func TestProgramBlocksSomebody(t *testing.T) {
	h := open(t)
	ana, bob := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t))
	ana.must("block", object{"name": "bob"})
	if o := ana.ask("block", object{"name": "bob"}); o.code() != "bad_request" {
		t.Errorf("blocked twice: %v", o)
	}
	if names, _ := ana.must("blocks", nil)["names"].([]any); len(names) != 1 || names[0] != "bob" {
		t.Errorf("ana blocks %v", names)
	}
	if o := bob.ask("open", object{"game": "ayu", "to": "ana"}); o.code() != "not_allowed" {
		t.Errorf("bob challenges ana: %v", o)
	}
	bob.must("say", object{"text": "first"})
	if got := bob.event("chat").text("text"); got != "first" {
		t.Errorf("bob hears their own line %q", got)
	}
	ana.must("unblock", object{"name": "bob"})
	bob.must("say", object{"text": "second"})
	bob.event("chat")
	// Lines from before the end of the block may be sent now, as on the screens, or not; later lines are sent.
	for got := ""; got != "second"; {
		got = ana.event("chat").text("text")
	}
}

func TestModeratorActsFromTheScreens(t *testing.T) {
	mod, ana := servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(mod, `role="moderator"`, "mod"))
	player := c.program("ana", ana)
	c.program("mod", mod)
	if _, errs, status := c.asked("x", ana, "report mod looks grim", false); status != 0 {
		t.Fatal(errs)
	}
	p := c.terminal("x", mod, "xterm-256color", "")
	p.waitFor("2 online")
	p.waitFor("1 open report. Type :moderation.")
	p.keys(":moderation\r")
	p.waitFor("ana about mod: looks grim")
	p.keys("xy")
	p.waitFor("No open reports.")
	p.keys("\t")
	p.waitFor("No active sanctions.")
	p.keys(":lobby chat\r")
	p.waitFor("Close lobby chat")
	p.keys("y")
	p.waitFor("1 sanction]")
	if o := player.ask("say", object{"text": "hello"}); o.code() != "not_allowed" {
		t.Errorf("talk goes on: %v", o)
	}
	p.keys(":lobby chat\r")
	p.waitFor("Lobby chat is open again.")
	player.must("say", object{"text": "hello"})
	p.keys(":invite\r\r")
	p.waitFor("ssh -t -l ")
	p.keys("q")
	p.waitFor("open report")
	p.keys(":moderate\rana\r")
	p.waitFor("Moderate ana")
	p.keys("\x1b[C\x1b[C") // a ban
	p.waitFor(ssh.FingerprintSHA256(ana.PublicKey())[:17])
	p.waitFor("127.0.0.1/32")
	p.keys("\x1b[B\x1b[B\x1b[Bbye\r")
	p.waitFor("Ban ana for 1 day?")
	p.keys("y")
	player.ends()
	p.waitFor("1 session ended")
	if _, errs, status := c.asked("x", ana, "who", false); status != 1 || !strings.Contains(errs, "reason: bye") {
		t.Errorf("who is banned: %d %s", status, errs)
	}
	for _, action := range []string{"resolves report 1", "closes lobby permanently", "reopens lobby", "creates an invitation", "bans ana until"} {
		if !strings.Contains(c.order("audit"), "mod "+action) {
			t.Errorf("the audit log lacks %q:\n%s", action, c.order("audit"))
		}
	}
}

func TestPlayerSeesNothingOfModeration(t *testing.T) {
	mod, ana := servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(mod, `role="moderator"`, "mod"))
	c.program("ana", ana)
	c.program("mod", mod)
	p := c.terminal("x", ana, "xterm-256color", "")
	p.waitFor("2 online")
	p.keys("m\t\x1b[B")
	p.waitFor(": block …")
	if strings.Contains(p.text(), "oderat") {
		t.Errorf("a player is shown:\n%s", p.text())
	}
	p.keys(":report\rtoo slow\r")
	p.waitFor("Thank you")
	if got := c.order("reports"); !strings.Contains(got, "ana about mod: too slow") {
		t.Errorf("reported: %s", got)
	}
	// Whoever reports too much waits until somebody has read it.
	for range 4 {
		c.asked("x", ana, "report mod again", false)
	}
	if _, errs, status := c.asked("x", ana, "report mod again", false); status != 1 || !strings.Contains(errs, "have not read") {
		t.Errorf("a sixth report: %d %s", status, errs)
	}
	c.order("done", "1")
	if _, errs, status := c.asked("x", ana, "report mod again", false); status != 0 {
		t.Errorf("after one is done with: %s", errs)
	}
}

func TestModeratorBansNoHalfOfTheWorld(t *testing.T) {
	mod, owner := servertest.NewKey(t), servertest.NewKey(t)
	c := openClub(t, access.PublicPolicy(), authorized(mod, `role="moderator"`, "mod")+authorized(owner, `role="owner"`, "owner"))
	if _, errs, status := c.asked("x", mod, "admin ban 127.0.0.0/8 1h", false); status != 1 || !strings.Contains(errs, "only owners may ban an address range wider than /16\n") {
		t.Errorf("%d %s", status, errs)
	}
	if _, errs, status := c.asked("x", owner, "admin ban 127.0.0.0/8 1h", false); status != 0 {
		t.Errorf("an owner: %d %s", status, errs)
	}
	if _, _, status := c.asked("x", servertest.NewKey(t), "who", false); status != 1 {
		t.Error("the ban does not hold")
	}
	for _, key := range []ssh.Signer{mod, owner} {
		if _, errs, status := c.asked("x", key, "admin bans", false); status != 0 {
			t.Errorf("a ban of an address holds against a moderator: %s", errs)
		}
	}
}
