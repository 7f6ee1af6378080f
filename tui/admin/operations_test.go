package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/store/storetest"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// maxObject is the number of characters of an object in testdata/operations.txt.
const maxObject = 600

var update = flag.Bool("update", false, "write testdata/operations.txt anew")

// TestOperations runs the operations of testdata/operations.txt, a script with its results:
//
//	olga$ admin mute ana 7d loud       words as a person types them
//	olga$ admin_mute {"name":"ana"}    an operation with a JSON object
//	< Mute: ana until …                a line of the result as people read it
//	= {"kind":"mute", …}               the result as programs read it, up to maxObject characters
//	! bad_request …                    a refusal
//	dora$ redeem                       dora comes in with the last invitation
//	wait 24h                           time passes; the other steps take none
//
// olga is an owner and mona a moderator; ana, bob, dora and a bot are members, and gus is a guest. ana and bob
// are connected and have played; ana and mona share a chat. The codes of invitations are replaced by CODE. -update writes the results anew.
func TestOperations(t *testing.T) {
	const path = "testdata/operations.txt"
	script := storetest.Must[[]byte](t)(os.ReadFile(path))
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		run := openClub(t)
		for line := range strings.Lines(string(script)) {
			if line[0] == '<' || line[0] == '=' || line[0] == '!' {
				continue
			}
			out.WriteString(line)
			line = strings.TrimSpace(line)
			if who, words, ok := strings.Cut(line, "$ "); ok {
				out.WriteString(run(who, words))
			} else if d, ok := strings.CutPrefix(line, "wait "); ok {
				time.Sleep(storetest.Must[time.Duration](t)(time.ParseDuration(d)))
			}
		}
		if *update {
			storetest.Want(t, "write the results", os.WriteFile(path, []byte(out.String()), 0o644), nil)
			return
		}
		got, want := strings.Split(out.String(), "\n"), strings.Split(string(script), "\n")
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%s:%d: the results differ from here on:\n%s", path, i+1, strings.Join(got[max(i-1, 0):min(i+9, len(got))], "\n"))
			}
		}
	})
}

// openClub returns a function that runs an operation for a user of a club and returns its result.
func openClub(t *testing.T) (run func(who, words string) string) {
	db := lobbytest.Store(t)
	c := storetest.Must[*club.Club](t)(club.New(t.Context(), db))
	c.SetPolicy(club.PublicPolicy(), club.KeyList{"key of olga": {Name: "olga", Role: club.RoleServerOwner}, "key of cleo": {Name: "cleo", Role: club.RoleModerator}, "key of nobody": {}})
	accounts := make(map[string]account.Account)
	for _, name := range []string{"olga", "mona", "ana", "bob", "dora", "bot"} {
		accounts[name] = storetest.Must[account.Account](t)(db.CreateAccount(t.Context(), name, lobbytest.Key(name), time.Now()))
	}
	c.SharedChat = func(reader, author account.ID) (string, lobby.Room, []lobby.ChatLine) {
		if reader != accounts["ana"].ID || author != accounts["mona"].ID {
			return "", "", nil
		}
		return "running", lobby.LobbyRoom, []lobby.ChatLine{{Author: "mona", Text: "lost already?", At: time.Now()}}
	}
	storetest.Want(t, "a bot", db.SetBot(t.Context(), accounts["bot"].ID, true), nil)
	for i, winner := range []int{1, 1, 0} {
		info := storetest.Match(t, fmt.Sprint("m", i), "", accounts["ana"], accounts["bob"])
		end := storetest.End(0, engine.ReasonResign, winner)
		info.Started, end.At = time.Now(), time.Now().Add(time.Minute)
		storetest.Finish(t, db, info, 4, end)
	}
	info := storetest.Match(t, "running", "", accounts["ana"], accounts["mona"])
	storetest.Want(t, "a match", db.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	time.Sleep(time.Hour)
	for _, name := range []string{"ana", "bob"} {
		s := &club.Session{Key: lobbytest.Key(name), From: netip.MustParseAddr("192.0.2.1"), Role: club.RolePlayer}
		remove := c.Sessions.Add(s)
		s.End = func(string) { remove() }
		c.Sessions.SetAccount(s, accounts[name])
	}

	operations := op.NewOperations(append(op.All(), admin.All()...)...)
	roles := map[string]club.Role{"olga": club.RoleServerOwner, "mona": club.RoleModerator, "ana": club.RolePlayer, "bob": club.RolePlayer}
	visits := make(map[string]*op.Visit)
	for _, name := range []string{"olga", "mona", "ana", "bob", "gus"} {
		a := club.Actor{Role: max(roles[name], club.RoleGuest), Name: name}
		if acc, ok := accounts[name]; ok {
			a.Account = func() account.Account { return acc }
		}
		visits[name] = (&op.Config{Operations: operations, Moderator: c.Moderator(a), Manager: c.Manager(a), Bulletin: &c.Bulletin, SSHTarget: "play.example.org"}).Command()
	}
	visits["nobody"] = (&op.Config{Operations: operations, Bulletin: &c.Bulletin}).Command()
	code := ""
	return func(who, line string) string {
		if line == "redeem" {
			storetest.Want(t, who+" redeems "+code, c.Redeem(t.Context(), code, lobbytest.Key(who), netip.Addr{}), nil)
			return ""
		}
		v := visits[who]
		words := strings.Fields(line)
		var call op.Call
		var err error
		if name, object, ok := strings.Cut(line, " {"); ok {
			call, err = operations.Named(name).ParseJSON(v, []byte("{"+object))
		} else {
			o, name, rest := operations.ForSSHWords(words)
			call, err = o.ParseWords(v, name, rest)
		}
		var r op.Result
		if err == nil {
			r, err = call.Run(t.Context(), v)
		}
		if err != nil {
			code, message := lobby.PublicError(err)
			return fmt.Sprintf("! %s %s\n", code, message)
		}
		var text strings.Builder
		storetest.Want(t, "write the text", op.WriteText(&text, r.Text()), nil)
		object := string(storetest.Must[[]byte](t)(json.Marshal(r.JSON())))
		if i, ok := r.JSON().(struct {
			Code  string `json:"code"`
			Keys  int    `json:"keys"`
			Until string `json:"until"`
		}); ok {
			code = i.Code
		}
		all := "< " + strings.Join(strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), "\n< ") + "\n= " + sanitize.Line(object, maxObject) + "\n"
		if code != "" {
			all = strings.ReplaceAll(all, code, "CODE")
		}
		return strings.ReplaceAll(all, "< \n", "<\n")
	}
}

// failing is a store of which one method fails.
type failing struct {
	club.Store
	method string
}

var errStore = errors.New("the disk is full")

func (f *failing) err(method string) error {
	if f.method == method {
		return errStore
	}
	return nil
}

func (f *failing) AccountByKey(ctx context.Context, key []byte) (account.Account, error) {
	if err := f.err("AccountByKey"); err != nil {
		return account.Account{}, err
	}
	return f.Store.AccountByKey(ctx, key)
}

func (f *failing) CountReports(ctx context.Context) (int, error) {
	n, err := f.Store.CountReports(ctx)
	return n, errors.Join(err, f.err("CountReports"))
}

func (f *failing) Members(ctx context.Context, after string, limit int) ([]club.Member, error) {
	all, err := f.Store.Members(ctx, after, limit)
	return all, errors.Join(err, f.err("Members"))
}

func (f *failing) OpenReports(ctx context.Context, after int64, limit int) ([]club.Report, error) {
	all, err := f.Store.OpenReports(ctx, after, limit)
	return all, errors.Join(err, f.err("OpenReports"))
}

func (f *failing) SetText(ctx context.Context, name club.TextName, text, actor, action string, at time.Time) error {
	return errors.Join(f.err("SetText"), f.Store.SetText(ctx, name, text, actor, action, at))
}

// TestListsAreNeverShortBecauseOfAFailure: a list or a change whose store fails is an error, and never a part of the list.
func TestListsAreNeverShortBecauseOfAFailure(t *testing.T) {
	f := &failing{Store: lobbytest.Store(t)}
	c := storetest.Must[*club.Club](t)(club.New(t.Context(), f))
	c.SetPolicy(club.PublicPolicy(), club.KeyList{"key of cleo": {Name: "cleo"}})
	a := club.Actor{Role: club.RoleServerOwner, Name: "olga"}
	operations := op.NewOperations(append(op.All(), admin.All()...)...)
	v := (&op.Config{Operations: operations, Moderator: c.Moderator(a), Manager: c.Manager(a), Bulletin: &c.Bulletin}).Command()
	for _, step := range [][2]string{{"Members", "admin_members"}, {"AccountByKey", "admin_members"}, {"OpenReports", "admin_reports"}, {"CountReports", "admin_reports"}, {"SetText", "admin_message"}} {
		for _, method := range []string{"", step[0]} {
			f.method = method
			call, err := operations.Named(step[1]).ParseJSON(v, []byte(`{"text":"hello"}`))
			if err == nil {
				_, err = call.Run(t.Context(), v)
			}
			if (method != "") != errors.Is(err, errStore) {
				t.Errorf("%s while %q fails: %v", step[1], method, err)
			}
		}
	}
}

// TestMembersAreListedInParts: with the name after which the next ones are listed, and with the keys that nobody has used
// only after the last member.
func TestMembersAreListedInParts(t *testing.T) {
	db := lobbytest.Store(t)
	c := storetest.Must[*club.Club](t)(club.New(t.Context(), db))
	c.SetPolicy(club.PublicPolicy(), club.KeyList{"key of cleo": {Name: "cleo"}})
	a := club.Actor{Role: club.RoleServerOwner, Name: "olga"}
	operations := op.NewOperations(append(op.All(), admin.All()...)...)
	v := (&op.Config{Operations: operations, Moderator: c.Moderator(a), Manager: c.Manager(a)}).Command()
	name := func(i int) string { return "p" + string([]byte{'a' + byte(i/36), 'a' + byte(i/6%6), 'a' + byte(i%6)}) }
	for i := range 201 {
		storetest.Account(t, db, name(i))
	}
	for after, want := range map[string]string{"": "admin members " + name(199), name(199): "", name(0): "admin members " + name(200), name(1): ""} {
		call := storetest.Must[op.Call](t)(admin.Members.ParseWords(v, "admin members", strings.Fields(after)))
		text := storetest.Must[op.Result](t)(call.Run(t.Context(), v)).Text()
		if text.Rows.Next != want || len(text.Lines) != 0 != (want == "") {
			t.Errorf("after %q: next %q, %q", after, text.Rows.Next, text.Lines)
		}
	}
}

// TestInvitationsAsWords: one key and a week unless other ones are typed, and never another number than was typed.
func TestInvitationsAsWords(t *testing.T) {
	for words, want := range map[string]string{
		"": "1 168h0m0s true", "3": "3 168h0m0s true", "3 12h": "3 12h0m0s true", "1 forever": "1 0s true", "many": "0 0s false", "3 soon": "3 0s false",
	} {
		uses, validity, err := admin.ParseInvitation(strings.Fields(words))
		if got := fmt.Sprint(uses, validity, err == nil); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
