package plain

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// command is one thing that can be typed.
type command struct {
	names string // the first is the one that the help shows
	args  string
	help  string
	scope scope
	do    func(t *session, args string)
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
		{"help ?", "", "says what can be typed", anywhere, (*session).printHelp},
		{"rules", "[GAME]", "says the rules", anywhere, (*session).printRules},
		{"who", "", "says who is here", anywhere, (*session).printWho},
		{"tables", "", "lists open tables", anywhere, (*session).printTables},
		{"games matches", "", "lists your games and those that can be watched", anywhere, (*session).printMatches},
		{"quick", "[GAME]", "finds an opponent, or stops looking", anywhere, (*session).quickMatch},
		{"new", "[GAME] [SIZE] [CLOCK] [rated] [private] [delay=TURNS] [to NAME]", "opens a table, such as: new 9x9 10+5", anywhere, (*session).newTable},
		{"bot", "[LEVEL] [GAME] [SIZE] [CLOCK]", "plays a bot at once; levels are 1 to 5", anywhere, (*session).playBot},
		{"join", "NUMBER or CODE", "sits down at a table", anywhere, (*session).join},
		{"ready", "[NUMBER]", "starts a table at which you sit without more players, once all there are ready", anywhere, (*session).readyCommand},
		{"cancel decline", "[NUMBER]", "closes your table, or declines a challenge", anywhere, (*session).cancel},
		{"watch", "NUMBER or CODE", "watches a game", anywhere, (*session).watch},
		{"play", "[NUMBER]", "goes to a game of yours", anywhere, (*session).play},
		{"next", "", "goes to the next game in which it is your turn", anywhere, (*session).openNextWaiting},
		{"finished", "[NAME]", "lists finished games, of one player or of all", anywhere, (*session).printFinished},
		{"top", "[GAME]", "lists the best ratings", anywhere, (*session).printLeaderboard},
		{"profile", "[NAME]", "says a player's ratings and results", anywhere, (*session).printProfile},
		{"board", "", "says the position", inMatch, (*session).printBoard},
		{"status", "", "says whose turn it is, the clocks, and what is offered", inMatch, (*session).printStatus},
		{"record", "", "says all turns so far", inMatch, (*session).printRecord},
		{"move", "MOVE", "plays a move, such as b1b2 or 0,0 1 e; end. The move alone does too", seated, (*session).move},
		{"legal", "[POINT]", "lists the moves that you have, or those from one point", seated, (*session).printLegal},
		{"hint", "", "asks the engine who is ahead and what is best, in a casual game with bots", seated, (*session).hint},
		{"draw", "", "offers a draw, or accepts one", seated, (*session).offerDraw},
		{"undo", "", "asks to take your last turn back, or allows it", seated, (*session).offerUndo},
		{"rematch", "", "offers a rematch, or accepts one", seated, (*session).offerRematch},
		{"refuse", "", "refuses what is offered", seated, (*session).refuse},
		{"claim", "win or draw", "ends the game when your opponent stays away", seated, (*session).claim},
		{"vote", "[NAME]", "votes an absent player out, in a game of three and more", seated, (*session).voteCommand},
		{"resign", "", "gives the game up", seated, (*session).resign},
		{"ignore", "[NAME]", "blocks somebody, or lifts that again; alone it says whom you block", anywhere, (*session).toggleBlock},
		{"report", "NAME WHAT", "tells the moderators what somebody did", anywhere, (*session).report},
		{"say", "TEXT", "talks: in a game to those at it, otherwise to all", anywhere, (*session).chatCommand},
		{"lobby leave", "", "leaves the game's room; the game goes on", inMatch, (*session).toLobby},
		{"quit exit bye", "", "leaves Ayumu", anywhere, (*session).quit},
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

// runCommand does what a line asks for.
func (t *session) runCommand(line string) {
	line = strings.TrimSpace(line)
	switch {
	case line == interrupt || line == endOfText:
		t.exit()
		return
	case line == overlong:
		t.onConfirm = nil
		t.printf("Sorry: a line has at most %d characters; nothing was done with that one.", maxLine)
		return
	case line == "":
		return
	case t.session == nil:
		t.register(line)
		return
	}
	name, args, _ := strings.Cut(line, " ")
	name, args = strings.ToLower(name), strings.TrimSpace(args)
	sure := t.onConfirm
	t.onConfirm = nil
	if sure != nil && (name == "yes" || name == "y") {
		sure()
		return
	}
	c, ok := find(name)
	switch {
	case name == "admin" && t.canUse("bans"):
		t.moderate(args)
	case ok && c.scope >= inMatch && t.current == nil:
		t.printf("That works only in a game. Type games, then play or watch with a number.")
	case ok && c.scope == seated && t.current.player == nil:
		t.printf("That is for the players; you watch.")
	case ok:
		c.do(t, args)
	case t.current != nil && t.current.player != nil && t.looksLikeMove(line):
		t.move(line)
	default:
		t.printf("%q is no command here. Type help.", line)
	}
}

func (t *session) printHelp(string) {
	t.printf("What can be typed; the first letters of a command are enough:")
	for _, c := range commands {
		if c.scope == anywhere || t.current != nil && (c.scope == inMatch || t.current.player != nil) {
			name, _, _ := strings.Cut(c.names, " ")
			t.printf("%s", strings.TrimSpace(name+" "+c.args)+": "+c.help+".")
		}
	}
	if t.canUse("bans") {
		t.printf("admin WORDS: moderates; admin help lists how.")
	}
	if t.current == nil {
		t.printf("In a game there are more commands; type help there.")
	}
}

func (t *session) printRules(args string) {
	game := t.config.Games.Default()
	if t.current != nil {
		game = t.current.game
	}
	if g, ok := t.config.Games.ByName(strings.ToLower(args)); ok {
		game = g
	}
	for _, p := range game.Rules() {
		t.printf("%s", withoutKeys(p))
	}
}

// withoutKeys leaves out the sentences of a paragraph that name a key of the screens.
func withoutKeys(paragraph string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(paragraph, ". "), func(s string) bool { return strings.HasPrefix(s, "Press ") })
	return strings.TrimSpace(strings.Join(sentences, ""))
}

func (t *session) chatCommand(args string) {
	if args == "" {
		t.printf("Say what? Type it after the word say.")
		return
	}
	t.call(func(context.Context) error {
		switch {
		case t.current == nil:
			return t.session.Say(args)
		case t.current.player != nil:
			return t.current.player.Say(args)
		}
		return t.current.spectator.Say(args)
	})
	t.printEvents()
}

func (t *session) quit(string) {
	if t.current != nil && t.current.isLive() {
		t.askConfirm("Your game goes on and your clock runs.", t.exit)
		return
	}
	t.exit()
}

func (t *session) exit() {
	t.leaving = true
	if t.session == nil {
		t.printf("Goodbye.")
		return
	}
	t.printf("Goodbye, %s.", t.session.Account().Name)
}

// askConfirm asks before it does what cannot be undone. do runs if the next line is "yes"; it is bound to
// what was asked about, since another match may be open by then.
func (t *session) askConfirm(warning string, do func()) {
	t.onConfirm = do
	t.printf("%s Type yes if you mean it.", warning)
}

// listedID reads the number of a listed thing.
func listedID(args string, ids []string) (string, bool) {
	var n int
	if _, err := fmt.Sscanf(args, "%d", &n); err != nil || fmt.Sprint(n) != args || n < 1 || n > len(ids) {
		return "", false
	}
	return ids[n-1], true
}
