package admin_test

import (
	"encoding/json"
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
//	wait 24h                           time passes, after the second after each step
//
// olga is an owner and mona a moderator; ana, bob and a bot are members, and gus is a guest. ana and bob are connected
// and have played. The codes of invitations are replaced by CODE. -update writes the results anew.
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
				time.Sleep(time.Second)
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
	accounts := make(map[string]lobby.Account)
	for _, name := range []string{"olga", "mona", "ana", "bob", "bot"} {
		accounts[name] = storetest.Must[lobby.Account](t)(db.CreateAccount(t.Context(), name, lobbytest.Key(name), time.Now()))
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
		if account, ok := accounts[name]; ok {
			a.Account = func() lobby.Account { return account }
		}
		visits[name] = (&op.Config{Operations: operations, Moderator: c.Moderator(a), Manager: c.Manager(a), Bulletin: &c.Bulletin, SSHTarget: "play.example.org"}).Command()
	}
	visits["nobody"] = (&op.Config{Operations: operations, Bulletin: &c.Bulletin}).Command()
	code := ""
	return func(who, line string) string {
		v := visits[who]
		words := strings.Fields(line)
		var call op.Call
		var err error
		if name, object, ok := strings.Cut(line, " {"); ok {
			call, err = operations.Named(name).ParseJSON(v, []byte("{"+object))
		} else {
			o, name, rest := operations.OfWords(words)
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
