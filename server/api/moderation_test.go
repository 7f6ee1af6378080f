package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/tui/admin"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// TestModeratorsOperationsOfPrograms asks for every operation of moderators as each role: it is refused exactly to those who lack its
// permission, and nothing that is refused is done.
func TestModeratorsOperationsOfPrograms(t *testing.T) {
	arguments := `"name":"bob","new":"bo","target":"bob","duration":"1h","reason":"loud","room":"lobby","report":"1","text":"b","title":"A","announcement":"1","invitation":"1","role":"player"`
	for _, role := range []club.Role{club.RoleGuest, club.RolePlayer, club.RoleModerator, club.RoleServerOwner} {
		db := lobbytest.Store(t)
		l := lobbytest.New(t, lobby.Config{Store: db})
		c, err := club.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		c.Users = &l.Accounts
		ana := lobbytest.Member(t, l, "ana")
		lobbytest.Member(t, l, "bob")
		actor := club.Actor{Role: role, Name: "ana"}
		config := &op.Config{Lobby: l, Games: gametest.Games, Bulletin: &c.Bulletin, Moderator: c.Moderator(actor), Manager: c.Manager(actor),
			Operations: op.NewOperations(append(op.All(), admin.All()...)...)}
		var lines []string
		var asked []*op.Info
		for _, o := range admin.All() {
			for _, name := range o.Info().On.API.All(o.Info().Name) {
				asked = append(asked, o.Info())
				lines = append(lines, fmt.Sprintf(`{"id":%d,"op":%q,%s}`, len(lines), name, arguments))
			}
		}
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, config.Attach(ana)); err != nil {
			t.Fatal(err)
		}
		answered := 0
		for line := range bytes.Lines(out.Bytes()) {
			var answer map[string]any
			if err := json.Unmarshal(line, &answer); err != nil {
				t.Fatal(err)
			}
			id, isAnswer := answer["re"].(float64)
			if !isAnswer {
				continue
			}
			answered++
			i := asked[int(id)]
			if mayUse := role.Has(i.Permission); (errorCode(answer) == "not_allowed") == mayUse {
				t.Errorf("a %s asks for %s: %s", role, i.Name, line)
			}
		}
		if answered != len(asked) || len(asked) < 24 {
			t.Errorf("%d of %d requests were answered", answered, len(asked))
		}
		log, err := c.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "olga"}).AuditLog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if hasActed := slices.ContainsFunc(log, func(e club.AuditEntry) bool { return e.Actor == "ana" }); hasActed != role.Has(club.PermissionMute) {
			t.Errorf("a %s has done: %v", role, log)
		}
	}
}

// TestAProgramMutesNobodyForeverByOmission: a sanction without a duration is refused, and not one without an end.
func TestAProgramMutesNobodyForeverByOmission(t *testing.T) {
	l := lobbytest.Open(t)
	c, err := club.New(t.Context(), lobbytest.Store(t))
	if err != nil {
		t.Fatal(err)
	}
	c.Users = &l.Accounts
	ana := lobbytest.Member(t, l, "ana")
	mod := c.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "ana"})
	v := (&op.Config{Lobby: l, Games: gametest.Games, Moderator: mod, Operations: op.NewOperations(admin.All()...)}).Attach(ana)
	for _, line := range []string{`{"id":1,"op":"admin_ban","target":"192.0.2.1"}`, `{"id":1,"op":"admin_ban","target":"192.0.2.1","duration":null}`,
		`{"id":1,"op":"admin_ban","target":"192.0.2.1","duration":0}`, `{"id":1,"op":"admin_mute","name":"ana"}`, `{"id":1,"op":"admin_close","room":"lobby","duration":""}`} {
		if got := askVisit(t, v, line)[0]; errorCode(got) != "bad_request" {
			t.Errorf("%s: %v", line, got)
		}
	}
	if all, err := mod.Sanctions(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("sanctions %v, %v", all, err)
	}
}
