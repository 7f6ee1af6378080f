package lobby_test

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

// TestSharedChat: the evidence of a report is what the reporter could read, and little of it.
func TestSharedChat(t *testing.T) {
	l := lobbytest.Open(t)
	ana, bob, cleo := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob"), lobbytest.Member(t, l, "cleo")
	id := func(s *lobby.Session) account.ID { return s.Account().ID }
	at := time.Now()
	write := func(room *lobby.Chat, author *lobby.Session, n int) {
		for i := range n {
			at = at.Add(time.Second)
			room.Add(lobby.ChatLine{At: at, Author: author.Account().Name, AuthorID: id(author), Text: fmt.Sprint("line ", i)})
		}
	}
	check := func(when string, reader *lobby.Session, wantMatch string, wantRoom lobby.Room, wantLines, wantByBob int) {
		t.Helper()
		match, room, lines := l.SharedChat(id(reader), id(bob))
		byBob := 0
		for _, line := range lines {
			if line.AuthorID == id(bob) {
				byBob++
			}
		}
		if match != wantMatch || room != wantRoom || len(lines) != wantLines || byBob != wantByBob {
			t.Errorf("%s: match %q, room %q, %d lines, %d by bob", when, match, room, len(lines), byBob)
		}
	}
	check("nothing has happened", ana, "", "", 0, 0)
	write(&l.Chat, ana, 30)
	check("bob has said nothing", ana, "", "", 0, 0)
	write(&l.Chat, bob, 30)
	write(&l.Chat, ana, 30)
	check("the lobby", ana, "", lobby.LobbyRoom, 20, 15)

	theirs := lobbytest.Start(t, bob, cleo, table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
	m, err := l.Match(theirs)
	if err != nil {
		t.Fatal(err)
	}
	write(&m.PlayerChat, bob, 3)
	check("others play", ana, "", lobby.LobbyRoom, 20, 15)
	check("the players", cleo, theirs, lobby.PlayerRoom, 3, 3)
	write(&m.SpectatorChat, bob, 2)
	check("not a spectator", ana, "", lobby.LobbyRoom, 20, 15)
	w, err := ana.Watch(theirs, "")
	if err != nil {
		t.Fatal(err)
	}
	check("a spectator", ana, theirs, lobby.SpectatorRoom, 2, 2)
	write(&l.Chat, bob, 1)
	check("the lobby again", ana, theirs, lobby.LobbyRoom, 20, 1)
	w.Close()
	check("spectator no more", ana, "", lobby.LobbyRoom, 20, 1)
}

// TestMatchOfAReport checks which match is named where there are no lines, or those of the lobby: the newest in which the
// reported user plays, of those that the reporter plays or watches.
func TestMatchOfAReport(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, cleo := h.member("ana"), h.member("bob"), h.member("cleo")
		check := func(when string, reader *lobby.Session, want string) {
			t.Helper()
			if match, room, lines := h.SharedChat(reader.Account().ID, bob.Account().ID); match != want || room != "" || lines != nil {
				t.Errorf("%s: match %q, room %q, %d lines; want match %q and none", when, match, room, len(lines), want)
			}
		}
		var ids []string
		for _, other := range []*lobby.Session{cleo, ana, ana, cleo} {
			advance(time.Minute)
			ids = append(ids, h.pair(bob, other, table.Proposal{Options: smallOptions})[0].Match().Info.ID)
		}
		for range 200 { // the matches are in an order that varies little
			check("the newest of two matches with ana", ana, ids[2])
		}
		if _, err := ana.Watch(ids[0], ""); err != nil {
			t.Fatal(err)
		}
		check("an older match that ana watches", ana, ids[2])
		if _, err := ana.Watch(ids[3], ""); err != nil {
			t.Fatal(err)
		}
		check("a newer match that ana watches", ana, ids[3])
		check("a user who neither plays nor watches", h.member("dora"), "")
		advance(time.Minute)
		h.pair(ana, cleo, table.Proposal{Options: smallOptions})
		check("a newer match without bob", ana, ids[3])
	})
}
