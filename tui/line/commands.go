package line

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ayumu/tui/boards"
)

// command is one thing that can be typed.
type command struct {
	names string // the first is the one that the help shows
	args  string
	help  string
	where scope
	do    func(t *talk, args string)
}

// scope is where a command works.
type scope int

const (
	anywhere scope = iota
	inMatch
	seated // in a match of one's own
)

// commands are all commands, in the order of the help. It is set by init because help lists it.
var commands []command

func init() {
	commands = []command{
		{"help ?", "", "says what can be typed", anywhere, (*talk).help},
		{"rules", "[GAME]", "says the rules", anywhere, (*talk).rules},
		{"who", "", "says who is here", anywhere, (*talk).who},
		{"tables", "", "lists open tables", anywhere, (*talk).listTables},
		{"games matches", "", "lists your games and those that can be watched", anywhere, (*talk).listGames},
		{"quick", "[GAME]", "finds an opponent, or stops looking", anywhere, (*talk).quick},
		{"new", "[GAME] [SIZE] [CLOCK] [rated] [private] [delay=TURNS] [to NAME]", "opens a table, such as: new 9x9 10+5", anywhere, (*talk).newTable},
		{"bot", "[LEVEL] [GAME] [SIZE] [CLOCK]", "plays a bot at once; levels are 1 to 5", anywhere, (*talk).playBot},
		{"join", "NUMBER or CODE", "sits down at a table", anywhere, (*talk).join},
		{"ready", "[NUMBER]", "starts a table at which you sit without more players, once all there are ready", anywhere, (*talk).ready},
		{"cancel decline", "[NUMBER]", "closes your table, or declines a challenge", anywhere, (*talk).cancel},
		{"watch", "NUMBER or CODE", "watches a game", anywhere, (*talk).watch},
		{"play", "[NUMBER]", "goes to a game of yours", anywhere, (*talk).play},
		{"next", "", "goes to the next game in which it is your turn", anywhere, (*talk).next},
		{"finished", "[NAME]", "lists finished games, of one player or of all", anywhere, (*talk).finished},
		{"top", "[GAME]", "lists the best ratings", anywhere, (*talk).top},
		{"profile", "[NAME]", "says a player's ratings and results", anywhere, (*talk).profile},
		{"board", "", "says the position", inMatch, (*talk).board},
		{"status", "", "says whose turn it is, the clocks, and what is offered", inMatch, (*talk).status},
		{"record", "", "says all turns so far", inMatch, (*talk).record},
		{"move", "MOVE", "plays a move, such as b1b2 or 0,0 1 e; end. The move alone does too", seated, (*talk).move},
		{"legal", "[POINT]", "lists the moves that you have, or those from one point", seated, (*talk).legal},
		{"hint", "", "asks the engine who is ahead and what is best, in a casual game with bots", seated, (*talk).hint},
		{"draw", "", "offers a draw, or accepts one", seated, (*talk).draw},
		{"undo", "", "asks to take your last turn back, or allows it", seated, (*talk).undo},
		{"rematch", "", "offers a rematch, or accepts one", seated, (*talk).rematch},
		{"refuse", "", "refuses what is offered", seated, (*talk).refuse},
		{"claim", "win or draw", "ends the game when your opponent stays away", seated, (*talk).claim},
		{"vote", "[NAME]", "votes an absent player out, in a game of three and more", seated, (*talk).vote},
		{"resign", "", "gives the game up", seated, (*talk).resign},
		{"ignore", "[NAME]", "blocks somebody, or lifts that again; alone it says whom you block", anywhere, (*talk).ignore},
		{"report", "NAME WHAT", "tells the moderators what somebody did", anywhere, (*talk).report},
		{"say", "TEXT", "talks: in a game to those at it, otherwise to all", anywhere, (*talk).speak},
		{"lobby leave", "", "leaves the game's room; the game goes on", inMatch, (*talk).toLobby},
		{"quit exit bye", "", "leaves Ayumu", anywhere, (*talk).quit},
	}
}

// find returns the command with a name, or the only one whose name begins so.
func find(name string) (command, bool) {
	var found []command
	for _, c := range commands {
		hit := false
		for _, n := range strings.Fields(c.names) {
			if n == name {
				return c, true
			}
			hit = hit || strings.HasPrefix(n, name)
		}
		if hit {
			found = append(found, c)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return command{}, false
}

// obey does what a line asks for.
func (t *talk) obey(line string) {
	line = strings.TrimSpace(line)
	switch {
	case line == interrupt || line == endOfText:
		t.goodbye()
		return
	case line == overlong:
		t.sure = nil
		t.say("Sorry: a line has at most %d characters; nothing was done with that one.", maxLine)
		return
	case line == "":
		return
	case t.session == nil:
		t.register(line)
		return
	}
	name, args, _ := strings.Cut(line, " ")
	name, args = strings.ToLower(name), strings.TrimSpace(args)
	sure := t.sure
	t.sure = nil
	if sure != nil && (name == "yes" || name == "y") {
		sure()
		return
	}
	c, ok := find(name)
	switch {
	case name == "admin" && t.may("bans"):
		t.admin(args)
	case ok && c.where >= inMatch && t.at == nil:
		t.say("That works only in a game. Type games, then play or watch with a number.")
	case ok && c.where == seated && t.at.player == nil:
		t.say("That is for the players; you watch.")
	case ok:
		c.do(t, args)
	case t.at != nil && t.at.player != nil && t.looksLikeMove(line):
		t.move(line)
	default:
		t.say("%q is no command here. Type help.", line)
	}
}

func (t *talk) help(string) {
	t.say("What can be typed; the first letters of a command are enough:")
	for _, c := range commands {
		if c.where == anywhere || t.at != nil && (c.where == inMatch || t.at.player != nil) {
			name, _, _ := strings.Cut(c.names, " ")
			t.say("%s", strings.TrimSpace(name+" "+c.args)+": "+c.help+".")
		}
	}
	if t.may("bans") {
		t.say("admin WORDS: moderates; admin help lists how.")
	}
	if t.at == nil {
		t.say("In a game there are more commands; type help there.")
	}
}

func (t *talk) rules(args string) {
	game := boards.All[0]
	if t.at != nil {
		game = t.at.game
	}
	if g, ok := boards.ByName(strings.ToLower(args)); ok {
		game = g
	}
	for _, p := range game.Rules() {
		t.say("%s", withoutKeys(p))
	}
}

// withoutKeys leaves out the sentences of a paragraph that name a key of the screens.
func withoutKeys(paragraph string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(paragraph, ". "), func(s string) bool { return strings.HasPrefix(s, "Press ") })
	return strings.TrimSpace(strings.Join(sentences, ""))
}

func (t *talk) speak(args string) {
	if args == "" {
		t.say("Say what? Type it after the word say.")
		return
	}
	t.call(func(context.Context) error {
		switch {
		case t.at == nil:
			return t.session.Say(args)
		case t.at.player != nil:
			return t.at.player.Say(args)
		}
		return t.at.watcher.Say(args)
	})
	t.events()
}

func (t *talk) quit(string) {
	if t.at != nil && t.at.live() {
		t.ask("Your game goes on and your clock runs.", t.goodbye)
		return
	}
	t.goodbye()
}

func (t *talk) goodbye() {
	t.left = true
	if t.session == nil {
		t.say("Goodbye.")
		return
	}
	t.say("Goodbye, %s.", t.session.Account().Name)
}

// ask asks before it does what cannot be undone. do runs if the next line is "yes"; it is bound to
// what was asked about, since another match may be open by then.
func (t *talk) ask(warning string, do func()) {
	t.sure = do
	t.say("%s Type yes if you mean it.", warning)
}

// number reads the number of a listed thing.
func number(args string, ids []string) (string, bool) {
	var n int
	if _, err := fmt.Sscanf(args, "%d", &n); err != nil || fmt.Sprint(n) != args || n < 1 || n > len(ids) {
		return "", false
	}
	return ids[n-1], true
}
