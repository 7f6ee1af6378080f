package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

func testAccounts(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	get := Must[account.Account](t)
	ana := Account(t, s, "ana")
	if ana.ID < 1 || ana.Name != "ana" || !ana.CreatedAt.Equal(Start) || !ana.RenamedAt.IsZero() || ana.Settings != nil {
		t.Errorf("made %+v", ana)
	}
	for what, a := range map[string]account.Account{
		"by key":  get(s.AccountByKey(ctx, []byte("key of ana"))),
		"by name": get(s.AccountByName(ctx, "ANA")),
		"by id":   get(s.Account(ctx, ana.ID)),
	} {
		if !reflect.DeepEqual(a, ana) {
			t.Errorf("%s: %+v, want %+v", what, a, ana)
		}
	}
	Want(t, "a bot", s.SetBot(ctx, ana.ID, true), nil)
	if a := get(s.Account(ctx, ana.ID)); !a.Bot {
		t.Errorf("a bot is %+v", a)
	}
	Want(t, "no bot", s.SetBot(ctx, ana.ID, false), nil)
	Want(t, "nobody's bot", s.SetBot(ctx, 99, true), errcode.ErrNotFound)
	_, err := s.CreateAccount(ctx, "A-na", []byte("another key"), Start)
	Want(t, "a name that looks the same", err, errcode.ErrTaken)
	_, err = s.CreateAccount(ctx, "bob", []byte("key of ana"), Start)
	Want(t, "a key that is bound", err, errcode.ErrTaken)
	_, err = s.AccountByName(ctx, "bob")
	Want(t, "what was refused left nothing", err, errcode.ErrNotFound)
	_, err = s.AccountByName(ctx, "a-na")
	Want(t, "a look-alike's name", err, errcode.ErrNotFound)
	_, err = s.AccountByKey(ctx, []byte("no key"))
	Want(t, "unknown key", err, errcode.ErrNotFound)
	_, err = s.Account(ctx, 99)
	Want(t, "unknown id", err, errcode.ErrNotFound)

	Account(t, s, "bob")
	_, err = s.Rename(ctx, ana.ID, "B0B", Start)
	Want(t, "to a name that looks like another's", err, errcode.ErrTaken)
	_, err = s.Rename(ctx, 99, "cleo", Start)
	Want(t, "rename nobody", err, errcode.ErrNotFound)
	renamed := get(s.Rename(ctx, ana.ID, "Ana", Start.Add(time.Hour)))
	if renamed.Name != "Ana" || !renamed.RenamedAt.Equal(Start.Add(time.Hour)) {
		t.Errorf("renamed to %+v", renamed)
	}
	Want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte(`{"bell":true}`)), nil)
	Want(t, "settings of nobody", s.SaveSettings(ctx, 99, nil), errcode.ErrNotFound)
	if a := get(s.AccountByKey(ctx, []byte("key of ana"))); string(a.Settings) != `{"bell":true}` || a.Name != "Ana" {
		t.Errorf("kept %+v", a)
	}
}

func testKeys(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	Want(t, "add", s.AddKey(ctx, ana.ID, []byte("second"), Start.Add(time.Hour)), nil)
	Want(t, "add again", s.AddKey(ctx, ana.ID, []byte("second"), Start), errcode.ErrTaken)
	Want(t, "add another's", s.AddKey(ctx, ana.ID, []byte("key of bob"), Start), errcode.ErrTaken)
	Want(t, "add to nobody", s.AddKey(ctx, 99, []byte("third"), Start), errcode.ErrNotFound)
	keys := Must[[]account.Key](t)(s.Keys(ctx, ana.ID))
	if len(keys) != 2 || string(keys[0].Wire) != "key of ana" || string(keys[1].Wire) != "second" || !keys[1].Added.Equal(Start.Add(time.Hour)) {
		t.Errorf("ana has the keys %v", keys)
	}
	if a := Must[account.Account](t)(s.AccountByKey(ctx, []byte("second"))); a.ID != ana.ID {
		t.Errorf("the second key is %+v", a)
	}
	Want(t, "remove another's", s.RemoveKey(ctx, ana.ID, []byte("key of bob"), Start), errcode.ErrNotFound)
	Want(t, "remove", s.RemoveKey(ctx, ana.ID, []byte("key of ana"), Start), nil)
	Want(t, "remove the last", s.RemoveKey(ctx, ana.ID, []byte("second"), Start), errcode.ErrLastKey)
	if keys := Must[[]account.Key](t)(s.Keys(ctx, ana.ID)); len(keys) != 1 {
		t.Errorf("ana has the keys %v", keys)
	}
	if keys := Must[[]account.Key](t)(s.Keys(ctx, bob.ID)); len(keys) != 1 {
		t.Errorf("bob has the keys %v", keys)
	}
}

func testBlocks(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	for range 2 {
		Want(t, "block", s.AddBlock(ctx, ana.ID, bob.ID, Start), nil)
	}
	Want(t, "block another", s.AddBlock(ctx, ana.ID, cleo.ID, Start.Add(time.Hour)), nil)
	Want(t, "block the same", s.AddBlock(ctx, bob.ID, cleo.ID, Start), nil)
	Want(t, "block each other", s.AddBlock(ctx, cleo.ID, bob.ID, Start), nil)
	Must[account.Account](t)(s.Rename(ctx, cleo.ID, "dora", Start))
	want := []account.Block{{ID: bob.ID, Name: "bob", At: Start}, {ID: cleo.ID, Name: "dora", At: Start.Add(time.Hour)}}
	if got := Must[account.Account](t)(s.AccountByKey(ctx, []byte("key of ana"))).Blocks; !reflect.DeepEqual(got, want) {
		t.Errorf("ana blocks %+v, want %+v", got, want)
	}
	for range 2 {
		Want(t, "unblock", s.RemoveBlock(ctx, ana.ID, bob.ID), nil)
	}
	for _, who := range []account.Account{ana, bob, cleo} {
		if got := Must[account.Account](t)(s.Account(ctx, who.ID)).Blocks; len(got) != 1 {
			t.Errorf("after ana has unblocked bob, %s blocks %+v", who.Name, got)
		}
	}
	Want(t, "delete the blocked", s.DeleteAccount(ctx, cleo.ID, Start), nil)
	for _, id := range []account.ID{ana.ID, bob.ID} {
		if got := Must[account.Account](t)(s.Account(ctx, id)).Blocks; got != nil {
			t.Errorf("account %d blocks %+v", id, got)
		}
	}
}

func testDeletion(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	Finish(t, s, Match(t, "m", "", ana, bob), 4, End(time.Minute, engine.ReasonResign, 0))
	Want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte("x")), nil)
	Want(t, "delete", s.DeleteAccount(ctx, ana.ID, Start), nil)
	Want(t, "delete again", s.DeleteAccount(ctx, ana.ID, Start), errcode.ErrNotFound)
	Want(t, "delete nobody", s.DeleteAccount(ctx, 99, Start), errcode.ErrNotFound)

	neutral := fmt.Sprintf("deleted-%d", ana.ID)
	a := Must[account.Account](t)(s.Account(ctx, ana.ID))
	if a.Name != neutral || len(a.Ratings) != 0 || a.Settings != nil {
		t.Errorf("left is %+v", a)
	}
	_, err := s.AccountByKey(ctx, []byte("key of ana"))
	Want(t, "key", err, errcode.ErrNotFound)
	for _, name := range []string{"ana", neutral} {
		_, err = s.AccountByName(ctx, name)
		Want(t, "name "+name, err, errcode.ErrNotFound)
	}
	if h := Must[[]lobby.RatingPoint](t)(s.RatingHistory(ctx, ana.ID, "ayu", 9)); len(h) != 0 {
		t.Errorf("history %v", h)
	}
	info, _, err := s.Match(ctx, "m")
	if err != nil || info.Seats[0].Name != neutral || info.Seats[1].Name != "bob" {
		t.Errorf("the match is %+v, %v", info, err)
	}
	if f := Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 9, Player: bob.ID})); len(f) != 1 || f[0].Info.Seats[0].Name != neutral {
		t.Errorf("the archive has %+v", f)
	}
	// A session that is still open restores nothing.
	_, err = s.Rename(ctx, ana.ID, "anna", Start)
	Want(t, "rename", err, errcode.ErrNotFound)
	Want(t, "key", s.AddKey(ctx, ana.ID, []byte("second"), Start), errcode.ErrNotFound)
	Want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte("x")), errcode.ErrNotFound)
	Want(t, "bot", s.SetBot(ctx, ana.ID, true), errcode.ErrNotFound)
	_ = s.SetReadUntil(ctx, ana.ID, Start)
	if read := Must[time.Time](t)(s.ReadUntil(ctx, ana.ID)); !read.IsZero() {
		t.Errorf("the announcements are read until %v", read)
	}
	// The name and similar ones are not free for 30 days.
	late := Start.Add(30 * 24 * time.Hour)
	for _, name := range []string{"ana", "ANA", "a-n_a"} {
		_, err := s.CreateAccount(ctx, name, []byte("new key"), late.Add(-1))
		Want(t, "create "+name, err, errcode.ErrTaken)
		_, err = s.Rename(ctx, bob.ID, name, late.Add(-1))
		Want(t, "rename to "+name, err, errcode.ErrTaken)
	}
	again, err := s.CreateAccount(ctx, "ana", []byte("key of ana"), late)
	if err != nil || again.ID == ana.ID {
		t.Errorf("after 30 days: %+v, %v", again, err)
	}
}
