package palette

import (
	"slices"
	"strings"
	"testing"

	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/op"
)

// commandsOf returns all operations as commands of a match.
func commandsOf() (all []command) {
	for _, o := range append(op.All(), admin.All()...) {
		all = append(all, newCommand(o, "match"))
	}
	return all
}

func TestFind(t *testing.T) {
	for _, test := range []struct{ typed, first string }{
		{"res", "resign"}, {"resign", "resign"}, {"rsgn", "resign"}, {"decline", "decline"}, {"mute", "admin mute"}, {"admin mute", "admin mute"}, {"ADMIN KICK", "admin kick"},
		{"takeback", "undo"}, {"leaderboard", "top"}, {"who", "who"}, {"users", "who"}, {"vac", "vacation"}, {"chat", "say"}, {"games", "games"}, {"level", "bot"},
	} {
		if found := find(commandsOf(), test.typed, nil); len(found) == 0 || found[0].name != test.first {
			var names []string
			for _, c := range found {
				names = append(names, c.name)
			}
			t.Errorf("%q finds %s, not first %s", test.typed, strings.Join(names, ", "), test.first)
		}
	}
	if found := find(commandsOf(), "zzqx", nil); len(found) != 0 {
		t.Errorf("letters of nothing find %s", found[0].name)
	}
	if found := find(commandsOf(), "", []string{"vacation", "top"}); found[0].name != "vacation" || found[1].name != "top" || len(found) != len(commandsOf()) {
		t.Errorf("those that were used last are %s and %s", found[0].name, found[1].name)
	}
}

// TestWordsOfTheScreen types the labels of the status bar, which are not the names of the operations. Two operations with one
// key keep their own help.
func TestWordsOfTheScreen(t *testing.T) {
	var all []command
	for _, o := range op.All() {
		all = append(all, newCommand(o, "lobby"))
	}
	addWordsOf(all, []game.Key{{Key: "n", Help: "new table"}, {Key: "a", Help: "archive"}, {Key: "x", Help: "decline"}},
		[]game.Key{{Key: "a", Help: "archive: replay finished games"}, {Key: "x", Help: "close your table"}})
	for typed, first := range map[string]string{"new table": "new", "archive": "finished", "arch": "finished", "replay": "replay", "decline": "decline"} {
		if found := find(all, typed, nil); len(found) == 0 || found[0].name != first {
			t.Errorf("%q does not find %s", typed, first)
		}
	}
	for _, c := range all {
		if want := map[string]string{"finished": "archive: replay finished games"}[c.name]; c.about != want {
			t.Errorf("%s is described as %q", c.name, c.about)
		}
	}
	if c, rest, ok := named(all, "archive bob"); !ok || c.name != "finished" || rest != "bob" {
		t.Errorf("archive bob is %s %q, %t", c.name, rest, ok)
	}
}

// TestEveryOperationIsOffered checks that the palette can do all operations that the screens have, but those that are done on
// the board (answer), by opening a list (read), or as words of another one (notify_test).
func TestEveryOperationIsOffered(t *testing.T) {
	for _, o := range append(op.All(), admin.All()...) {
		if i := o.Info(); i.On.Screen.Reason == "" && !offers(o) && !slices.Contains([]string{"answer", "read", "notify_test"}, i.Name) {
			t.Errorf("%s cannot be run", i.Name)
		}
	}
	for name := range actions {
		if op.NewOperations(append(op.All(), admin.All()...)...).Named(name) == nil {
			t.Errorf("there is no operation for the action %s", name)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, test := range []struct{ line, name, rest string }{
		{"block bob", "block", "bob"}, {"Block  bob", "block", "bob"}, {"admin mute bob 1h", "admin mute", "bob 1h"}, {"record ", "record", ""}, {"admin ba", "", ""}, {"admin bans", "", ""}, {"admin help", "", ""}, {"admin xyz", "admin", "xyz"}, {"block", "", ""}, {"blocker bob", "", ""},
	} {
		c, rest, ok := named(commandsOf(), test.line)
		if ok != (test.name != "") || ok && (c.name != test.name || rest != test.rest) {
			t.Errorf("%q is %s with %q", test.line, c.name, rest)
		}
	}
}
