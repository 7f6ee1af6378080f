package server_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"charm.land/log/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/servertest"
	"ayumu/tui/game/gametest"
)

// TestADeletedAccountEndsEverywhere: every session of the account ends with the notice, nobody acts
// under its name any more, and nobody can take the name.
func TestADeletedAccountEndsEverywhere(t *testing.T) {
	c := openClub(t, access.PublicPolicy(), "")
	champ, ana := servertest.NewKey(t), servertest.NewKey(t)
	first, second, other := c.program("Champ", champ), c.program("", champ), c.program("ana", ana)
	screen, lines := c.terminal("", champ, "xterm", ""), c.terminal("", champ, "dumb", "")
	screen.waitFor("Champ")
	lines.waitFor("You are Champ.")
	account, _, err := c.l.Accounts.ByKey(t.Context(), champ.PublicKey().Marshal())
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.l.Enter(account, nil)
	if err != nil {
		t.Fatal(err)
	}
	opened := first.must("open", object{"game": "ayu", "clock": object{"days": 3}})
	if err := s.DeleteAccount(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*apiClient{first, second} {
		if o := p.event("closed"); o.text("message") != "The account was deleted." {
			t.Errorf("the program is told %v", o)
		}
		p.ends()
	}
	for _, p := range []*terminal{screen, lines} {
		p.waitFor("The account was deleted.")
	}
	if err := s.Say("I am Champ"); err == nil || err.Error() != lobby.AccountDeleted {
		t.Errorf("a session that has not ended yet says something: %v", err)
	}
	if _, err := s.OpenTable(t.Context(), table.Proposal{Game: "ayu"}); err == nil {
		t.Error("it opens a table")
	}
	if _, err := s.LinkCode(t.Context()); err == nil {
		t.Error("it has a code for a further key")
	}
	if _, err := c.l.Enter(account, nil); err == nil {
		t.Error("an account that was read before enters")
	}
	if o := other.ask("join", object{"table": opened["table"]}); o.code() != "unknown_table" {
		t.Errorf("its table: %v", o)
	}
	for _, name := range []string{"Champ", "cha-mp", "charnp"} {
		if o := other.ask("name", object{"name": name}); o.code() != "not_allowed" {
			t.Errorf("%s takes the name %s: %v", "ana", name, o)
		}
	}
	s.Close(false)
	if out, _, _ := c.command(nil, "who"); strings.Contains(out, "Champ") || !strings.Contains(out, "ana") {
		t.Errorf("who: %s", out)
	}
	if again := c.program("Champ", champ); again.you.text("name") == "Champ" {
		t.Error("the key has its old name at once")
	}
}

// TestASanctionOutlivesTheAccount: who deletes a muted account and comes again with the same key is
// muted, who was banned stays out, and both until it is lifted.
func TestASanctionOutlivesTheAccount(t *testing.T) {
	c := openClub(t, access.PublicPolicy(), "")
	remove := func(name string) {
		t.Helper()
		a, err := c.store.AccountByName(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.l.Enter(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Close(false)
	}
	loud := servertest.NewKey(t)
	c.program("loud", loud)
	c.order("mute", "loud", "1h", "noise")
	remove("loud")
	p := c.program("quiet", loud)
	if o := p.ask("say", object{"text": "again"}); o.code() != "not_allowed" || !strings.Contains(o["error"].(map[string]any)["message"].(string), "reason: noise") {
		t.Errorf("a muted key with a new account says: %v", o)
	}
	if out := c.order("bans"); strings.Count(out, "mute") != 1 || !strings.Contains(out, "quiet") {
		t.Errorf("bans: %s", out)
	}
	c.order("unmute", "quiet")
	p.must("say", object{"text": "again"})

	bad := servertest.NewKey(t)
	c.program("bad", bad)
	c.order("ban", "bad", "1h", "cheating")
	remove("bad")
	if _, errs, status := c.command(bad, "who"); status != 1 || !strings.Contains(errs, "reason: cheating") {
		t.Errorf("a banned key without an account: %q", errs)
	}
	c.order("unban", "bad")
	if _, errs, status := c.command(bad, "who"); status != 0 {
		t.Errorf("after the ban: %q", errs)
	}
}

// TestASanctionIsFoundByTheCurrentName: after a rename a mute is listed and lifted by the new name,
// and not by the old one, which may be somebody else's.
func TestASanctionIsFoundByTheCurrentName(t *testing.T) {
	c := openClub(t, access.PublicPolicy(), "")
	ana := c.program("ana", servertest.NewKey(t))
	c.order("mute", "ana", "1h")
	ana.must("name", object{"name": "eva"})
	if out := c.order("bans"); !strings.Contains(out, "eva (was ana)") {
		t.Errorf("bans: %s", out)
	}
	var out strings.Builder
	if err := run(t.Context(), c.club, &out, "unmute", "ana"); err == nil {
		t.Errorf("lifted by the old name: %s", out.String())
	}
	c.order("unmute", "eva")
	ana.must("say", object{"text": "thanks"})
}

// TestAReportNamesAPlayer on each way to report.
func TestAReportNamesAPlayer(t *testing.T) {
	c := openClub(t, access.PublicPolicy(), "")
	key := servertest.NewKey(t)
	ana, guest := c.program("ana", key), c.program("", nil)
	const why = "there is no player \"nobody-here\""
	if o := ana.ask("report", object{"name": "nobody-here", "text": "x"}); o.code() != "bad_request" || o["error"].(map[string]any)["message"] != why {
		t.Errorf("report: %v", o)
	}
	if _, errs, status := c.command(key, "report nobody-here x"); status != 1 || errs != why+"\n" {
		t.Errorf("report: %d %q", status, errs)
	}
	lines := c.terminal("", key, "dumb", "")
	lines.waitFor("You are ana.")
	lines.keys("report nobody-here x\r")
	lines.waitFor("there is no player \"nobody-here\".")
	lines.keys("report ANA talks without end\r")
	lines.waitFor("The moderators can now see your report.")
	ana.must("report", object{"name": guest.you.text("name"), "text": "y"})
	if out := c.order("reports"); !strings.Contains(out, "ana about ana: talks without end") || !strings.Contains(out, "about "+guest.you.text("name")+": y") || strings.Contains(out, "nobody") {
		t.Errorf("reports: %s", out)
	}
}

// TestReportsOfOneAddressAreBounded, however many accounts and guests they are by, and moderators read
// all of them.
func TestReportsOfOneAddressAreBounded(t *testing.T) {
	p := access.PublicPolicy()
	p.ReportsPerAddress, p.ReportBurst = 3, 100
	c := openClub(t, p, "")
	c.program("bully", servertest.NewKey(t))
	taken := 0
	for range 6 {
		if o := c.program("puppet", servertest.NewKey(t)).ask("report", object{"name": "bully", "text": "x"}); o["ok"] == true {
			taken++
		} else if o.code() != "rate_limited" {
			t.Errorf("refused with %v", o)
		}
	}
	if taken != 3 {
		t.Errorf("%d reports of one address", taken)
	}
	for range 450 {
		if _, err := c.store.AddReport(t.Context(), club.Report{At: time.Now(), Reporter: "many", About: "bully", Text: "y"}, "", club.ReportLimits{Reporter: 1000, Origin: 1000}); err != nil {
			t.Fatal(err)
		}
	}
	moderator := c.club.Moderator(club.Actor{Role: club.RoleModerator})
	all, err := club.AllReports(t.Context(), moderator)
	if n, _ := moderator.CountReports(t.Context()); err != nil || len(all) != 453 || n != 453 {
		t.Errorf("%d reports are listed, %d counted, %v", len(all), n, err)
	}
	page, read := c.order("reports"), 0
	for {
		lines := strings.Split(strings.TrimSpace(page), "\n")
		last := lines[len(lines)-1]
		next, more := strings.CutPrefix(last, "There are more. Next: admin reports ")
		if read += len(lines); !more {
			break
		}
		read--
		page = c.order("reports", next)
	}
	if read != 453 {
		t.Errorf("%d reports are read page by page", read)
	}
}

// TestProgramsAreGreetedWithTheMessageOfTheClub, where there is one.
func TestProgramsAreGreetedWithTheMessageOfTheClub(t *testing.T) {
	for _, message := range []string{"Club night is on Friday.", ""} {
		l := lobbytest.Open(t)
		h := serve(t, &server.Handler{Games: gametest.Games, Lobby: l, Log: log.New(io.Discard), Branding: func() server.Branding { return server.Branding{Message: message} }})
		out, _, _ := h.command(servertest.NewKey(t), "api")
		if got := strings.Contains(out, `"message":"`+message+`"`); got != (message != "") || strings.Contains(out, `"message":""`) {
			t.Errorf("welcomed with %s", out)
		}
	}
}
