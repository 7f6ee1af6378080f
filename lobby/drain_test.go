package lobby_test

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
)

func TestDrainingLobbyBeginsNoGames(t *testing.T) {
	db, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	closed := false
	l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: db, CheckChat: func(_ account.Account, room lobby.Room) error {
		if closed && room == lobby.LobbyRoom {
			return &errcode.Error{Code: errcode.NotAllowed, Message: "closed"}
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a, _ := l.Enter(l.Accounts.NewGuest(), nil)
	b, _ := l.Enter(l.Accounts.NewGuest(), nil)
	opened, err := a.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
	if err != nil {
		t.Fatal(err)
	}
	l.Drain()
	if _, err := b.JoinTable(t.Context(), opened.ID, ""); err == nil {
		t.Error("a game begins")
	}
	if _, err := a.OpenTable(t.Context(), table.Proposal{Game: "ayu"}); err == nil {
		t.Error("a table is opened")
	}
	l.Announce("good night\x1b")
	if said := l.Chat.Since(0); len(said) != 1 || said[0].Author != "*" || said[0].Text != "good night" {
		t.Errorf("announced %+v", said)
	}
	closed = true
	if a.Say("hello") == nil {
		t.Error("closed talk is open")
	}
}
