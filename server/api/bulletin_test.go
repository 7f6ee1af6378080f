package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/tui/admin"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// TestAnnouncementsOfPrograms: unread ones come after welcome until they are marked as read, and only moderators see
// reports.
func TestAnnouncementsOfPrograms(t *testing.T) {
	db := lobbytest.Store(t)
	l := lobbytest.New(t, lobby.Config{Store: db})
	c, err := club.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	c.SetPolicy(club.PublicPolicy(), nil)
	ana := lobbytest.Member(t, l, "ana")
	mod := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
	for _, title := range []string{"first", "second"} {
		if _, err := mod.Post(t.Context(), club.Announcement{Title: title, Text: "text", Until: time.Now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Moderator(club.Actor{Role: club.RolePlayer, Name: "bob"}).Report(t.Context(), "ana", "insults"); err != nil {
		t.Fatal(err)
	}
	// talk returns the events and answers of a session with these lines.
	talk := func(role club.Role, lines ...string) (all []map[string]any) {
		t.Helper()
		config := &op.Config{Operations: op.NewOperations(append(op.All(), admin.All()...)...), Lobby: l, Games: gametest.Games, Bulletin: &c.Bulletin, Moderator: c.Moderator(club.Actor{Role: role, Name: "ana"})}
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, config.Attach(ana)); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			var o map[string]any
			if err := json.Unmarshal(line, &o); err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
		return all
	}
	// unread returns the ids of the announcements that come as events.
	unread := func(all []map[string]any) (ids []string) {
		for _, o := range all {
			if a, ok := o["announcement"].(map[string]any); ok && o["event"] == "announcement" {
				ids = append(ids, a["id"].(string))
			}
		}
		return ids
	}
	got := talk(club.RolePlayer, `{"id":1,"op":"announcements","limit":1}`, `{"id":2,"op":"reports"}`, `{"id":3,"op":"read","announcement":"99"}`, `{"id":4,"op":"read","announcement":"1"}`)
	list, _ := got[3]["announcements"].([]any)
	if ids := unread(got); strings.Join(ids, " ") != "1 2" || len(list) != 1 || list[0].(map[string]any)["title"] != "second" || got[0]["reports"] != nil {
		t.Errorf("a player reads %v", got)
	}
	if errorCode(got[4]) != "not_allowed" || errorCode(got[5]) != "bad_request" || got[6]["ok"] != true {
		t.Errorf("answers %v", got[4:])
	}
	got = talk(club.RoleModerator, `{"id":1,"op":"announcements","before":"2"}`, `{"id":2,"op":"reports","after":"0"}`, `{"id":3,"op":"reports","after":"1"}`, `{"id":4,"op":"announcements","before":"x"}`)
	if ids := unread(got); strings.Join(ids, " ") != "2" || got[0]["reports"] != 1.0 {
		t.Errorf("a moderator reads %v", got)
	}
	older, _ := got[2]["announcements"].([]any)
	reports, _ := got[3]["reports"].([]any)
	if len(older) != 1 || len(reports) != 1 || reports[0].(map[string]any)["about"] != "ana" || got[3]["open"] != 1.0 || errorCode(got[5]) != "bad_request" {
		t.Errorf("answers %v", got[2:])
	}
	if none, _ := got[4]["reports"].([]any); len(none) != 0 {
		t.Errorf("after the last report: %v", got[4])
	}
}
