package api

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify/notifytest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// TestStoppedNotificationsAreInWelcome: after a week of failures every welcome says so, until a test works.
func TestStoppedNotificationsAreInWelcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		l := lobbytest.New(t, lobby.Config{Store: db})
		ana := lobbytest.Member(t, l, "ana")
		service := notifytest.Service(db, new(notifytest.Sender))
		welcome := func(request string) string {
			t.Helper()
			c := &op.Config{Lobby: l, Games: gametest.Games, Notify: service}
			var out bytes.Buffer
			if err := Serve(t.Context(), strings.NewReader(request), &out, c.Attach(ana)); err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(out.String(), "\n")
			return first
		}
		const field = `"notifications_off":true`
		if first := welcome(""); strings.Contains(first, field) {
			t.Errorf("before it was switched off: %s", first)
		}
		notifytest.Stop(t, db, service, ana.Account().ID)
		for range 2 {
			if first := welcome(`{"id":1,"op":"ping"}` + "\n"); !strings.Contains(first, field) {
				t.Errorf("after it was switched off: %s", first)
			}
		}
		welcome(`{"id":1,"op":"notify_test"}` + "\n")
		if first := welcome(""); strings.Contains(first, field) {
			t.Errorf("after a test: %s", first)
		}
	})
}
