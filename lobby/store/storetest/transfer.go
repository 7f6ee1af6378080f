package storetest

import (
	"fmt"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/store"
)

// Dump returns all rows of a store as text.
func Dump(t *testing.T, s store.Store) (rows []string) {
	t.Helper()
	for row, err := range s.Export(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("%s %#v", row.Table.Name, row.Values))
	}
	return rows
}

// Populate stores something in every table of an empty store: a finished rated match, one of three players, a
// private one that goes on, and what clubs keep. It returns the running match, with its log.
func Populate(t testing.TB, s store.Store) (*match.Info, []match.Entry) {
	t.Helper()
	ctx := t.Context()
	ana, bob, cleo, dora := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo"), Account(t, s, "dora")
	Want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte("{\"bell\":true}\x00\xff")), nil)
	Want(t, "bot", s.SetBot(ctx, cleo.ID, true), nil)
	Must[account.Account](t)(s.Rename(ctx, bob.ID, "Bob", Start.Add(time.Second)))
	Want(t, "key", s.AddKey(ctx, ana.ID, []byte{0, 1, 0xff}, Start), nil)
	Finish(t, s, Match(t, "finished", "", ana, bob), 4, End(time.Minute, engine.ReasonResign, 0))
	Finish(t, s, Match(t, "aborted", "", ana, dora), 0, End(2*time.Minute, engine.ReasonAbort))
	info := Match(t, "running", "", ana, Guest)
	info.Private, info.Code, info.Seats[1].ReturnDigest = true, "code", "digest"
	Want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
	info.Seats[1].Account = 0
	log := Log(t, info, 4, NewChance())
	for v := range log {
		log[v].AppendID = match.AppendID{1, byte(v)}
		Want(t, "append", s.Append(ctx, info.ID, match.NewLogEnd(log[:v]), log[v]), nil)
	}
	Want(t, "conditions", s.SaveConditions(ctx, info.ID, match.NewLogEnd(log), 1, match.ConditionsRow{Seat: 1, Version: 1, Data: []byte("conditions")}), nil)
	Want(t, "block", s.AddBlock(ctx, ana.ID, bob.ID, Start), nil)
	Want(t, "invite", s.CreateInvitation(ctx, []byte("hash"), 3, Start.Add(time.Hour), "mod", Start), nil)
	Want(t, "redeem", s.RedeemInvitation(ctx, []byte("hash"), []byte("key of ana"), "ana", Start), nil)
	for i, until := range []time.Time{{}, Start.Add(time.Hour)} {
		Must[int64](t)(s.AddSanction(ctx, club.Sanction{Kind: club.KindBan, Subject: fmt.Sprint("account ", i), Account: dora.ID,
			SubjectName: "dora", Reason: "noise", Issuer: "mod", Created: Start, Until: until}, "bans dora"))
	}
	Want(t, "delete", s.DeleteAccount(ctx, dora.ID, Start), nil)
	Must[int64](t)(s.AddAnnouncement(ctx, club.Announcement{Created: Start, Author: "mod", Title: "Ä title", Text: "text", From: Start}, "announces"))
	Want(t, "read", s.SetReadUntil(ctx, ana.ID, Start), nil)
	Want(t, "role", s.SetRole(ctx, ana.ID, club.RoleModerator, false, "mod", "makes ana a moderator", Start), nil)
	Want(t, "visit", s.RecordVisits(ctx, map[account.ID]time.Time{ana.ID: Start}), nil)
	Want(t, "text", s.SetText(ctx, club.TextMessage, "Hello", "mod", "sets the message", Start), nil)
	for i := range int64(2) {
		Must[bool](t)(s.AddReport(ctx, club.Report{At: Start, Reporter: fmt.Sprint("reporter ", i), About: "dora", Text: "Ä text",
			Evidence: club.Evidence{Match: "finished", Room: lobby.PlayerRoom, Chat: []club.EvidenceLine{{At: Start, From: "dora", Text: "Ä"}}}}, "192.0.2.1", club.ReportLimits{Reporter: 3, Origin: 3}))
	}
	Must[int](t)(s.AddPuzzles(ctx, []puzzle.Puzzle{*testPuzzle("aaaa0001")}, Start))
	for i, id := range []string{"aaaa0001", "aaaa0002"} {
		Must[puzzles.Result](t)(s.RecordTry(ctx, ana.ID, try(testPuzzle(id), i == 0), Start))
	}
	for i, data := range []string{"kept", "lost"} {
		w := rows.Write{Key: rows.Key{Kind: "test", ID: data}, Data: []byte(data), Durable: i == 0}
		Must[[]rows.Row](t)(s.Shared().Write(ctx, w))
	}
	receiver(t, s, ana, notify.EventTurn)
	Must[int](t)(s.Enqueue(ctx, []notify.Notification{notified(ana, "turn/running/4", Start.Add(time.Minute))}))
	Tournament(t, s, ana.ID)
	Want(t, "close", s.CloseReport(ctx, 1, "mod", "is done", Start), nil)
	return info, log
}

// testTransfer: an export has every row of every table once, and an import needs an empty store.
func testTransfer(t *testing.T, open func() store.Store) {
	s := open()
	for i, n := range Must[[]int](t)(s.CountRows(t.Context())) {
		if n != 0 {
			t.Errorf("an empty store has %d rows of %s", n, store.Tables[i].Name)
		}
	}
	Populate(t, s)
	exported := make(map[*store.Table]int)
	for row, err := range s.Export(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		exported[row.Table]++
	}
	for i, n := range Must[[]int](t)(s.CountRows(t.Context())) {
		if table := store.Tables[i]; n == 0 || n != exported[table] {
			t.Errorf("of %d rows of %s, %d were exported", n, table.Name, exported[table])
		}
	}
	for range s.Export(t.Context()) {
		break // an export can be left
	}
	Want(t, "import", s.Import(t.Context(), s.Export(t.Context())), store.ErrNotEmpty)
}
