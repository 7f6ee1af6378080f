package plain

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// command is one command of line mode.
type command struct {
	names string // separated by spaces; the help shows the first
	args  string
	help  string
	scope scope
	do    func(t *session, args string)
}

// scope states where a command is available.
type scope int

const (
	anywhere scope = iota
	inMatch
	seated // in a match in which the user has a seat
)

// commands has all commands in the order of the help. init sets it, because the help command refers to it.
var commands []command

func init() {
	commands = []command{
		{"help ?", "", "list the commands", anywhere, (*session).printHelp},
		{"rules", "[GAME]", "read the rules", anywhere, (*session).printRules},
		{"who", "", "list who is online", anywhere, (*session).printWho},
		{"tables", "", "list open tables and challenges", anywhere, (*session).printTables},
		{"games matches", "", "list your games and the games you can watch", anywhere, (*session).printMatches},
		{"quick", "[GAME]", "find an opponent, or cancel the search", anywhere, (*session).quickMatch},
		{"new", "[GAME] [SIZE] [CLOCK] [rated] [private] [delay=TURNS] [to NAME]", "open a table or challenge a player, for example: new 9x9 10+5", anywhere, (*session).newTable},
		{"bot", "[LEVEL] [GAME] [SIZE] [CLOCK]", "play a bot; levels are 1 to 5", anywhere, (*session).playBot},
		{"join", "NUMBER or CODE", "join a table", anywhere, (*session).join},
		{"ready", "[NUMBER]", "agree to start your table with fewer players; it starts when all there are ready", anywhere, (*session).readyCommand},
		{"cancel decline", "[NUMBER]", "close your table, or decline a challenge", anywhere, (*session).cancel},
		{"watch", "NUMBER or CODE", "watch a game", anywhere, (*session).watch},
		{"play", "[NUMBER]", "go to one of your games", anywhere, (*session).play},
		{"next", "", "go to the next game in which it is your turn", anywhere, (*session).openNextWaiting},
		{"finished", "[NAME]", "list finished games, of one player or of all", anywhere, (*session).printFinished},
		{"top", "[GAME]", "show the leaderboard", anywhere, (*session).printLeaderboard},
		{"profile", "[NAME]", "show a player's ratings and results", anywhere, (*session).printProfile},
		{"board", "", "describe the position", inMatch, (*session).printBoard},
		{"status", "", "tell whose turn it is, the clocks, and open offers", inMatch, (*session).printStatus},
		{"record", "", "list all turns so far", inMatch, (*session).printRecord},
		{"move", "MOVE", "play a move, for example b1b2 or 0,0 1 e; end. You can also type the move alone", seated, (*session).move},
		{"legal", "[POINT]", "list your legal moves, or those from one point", seated, (*session).printLegal},
		{"hint", "", "ask the engine who is ahead and for the best moves, in a casual game with bots", seated, (*session).hint},
		{"draw", "", "offer a draw, or accept one", seated, (*session).offerDraw},
		{"undo", "", "ask for a takeback of your last turn, or accept one", seated, (*session).offerUndo},
		{"rematch", "", "offer a rematch, or accept one", seated, (*session).offerRematch},
		{"refuse", "", "decline an offer, or withdraw yours", seated, (*session).refuse},
		{"claim", "win or draw", "end the game if your opponent has left", seated, (*session).claim},
		{"vote", "[NAME]", "vote an absent player out, in a game of three or more", seated, (*session).voteCommand},
		{"resign", "", "resign the game", seated, (*session).resign},
		{"ignore", "[NAME]", "block or unblock a player; without a name, list blocked players", anywhere, (*session).toggleBlock},
		{"report", "NAME TEXT", "report a player to the moderators", anywhere, (*session).report},
		{"say", "TEXT", "chat: with the players or spectators of your game, otherwise with the lobby", anywhere, (*session).chatCommand},
		{"lobby leave", "", "go to the lobby; the game continues", inMatch, (*session).toLobby},
		{"quit exit bye", "", "leave Ayumu", anywhere, (*session).quit},
	}
}

// find returns the command with a name, or the only one with that prefix.
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

// runCommand runs one input line.
func (t *session) runCommand(line string) {
	line = strings.TrimSpace(line)
	switch {
	case line == interrupt || line == endOfText:
		t.exit()
		return
	case line == overlong:
		t.onConfirm = nil
		t.printf("Error: a line can have at most %d characters; that one was ignored.", maxLine)
		return
	case line == "":
		return
	case t.session == nil:
		t.register(line)
		return
	}
	name, args, _ := strings.Cut(line, " ")
	name, args = strings.ToLower(name), strings.TrimSpace(args)
	confirmed := t.onConfirm
	t.onConfirm = nil
	if confirmed != nil && (name == "yes" || name == "y") {
		confirmed()
		return
	}
	c, ok := find(name)
	switch {
	case name == "admin" && t.canUse("bans"):
		t.moderate(args)
	case ok && c.scope >= inMatch && t.current == nil:
		t.printf("That works only in a game. Type games, then play or watch and a number.")
	case ok && c.scope == seated && t.current.player == nil:
		t.printf("Only the players can do that; you are a spectator.")
	case ok:
		c.do(t, args)
	case t.current != nil && t.current.player != nil && t.looksLikeMove(line):
		t.move(line)
	default:
		t.printf("Unknown command %q. Type help for a list.", line)
	}
}

func (t *session) printHelp(string) {
	t.printf("Commands; you can abbreviate them to their first letters:")
	for _, c := range commands {
		if c.scope == anywhere || t.current != nil && (c.scope == inMatch || t.current.player != nil) {
			name, _, _ := strings.Cut(c.names, " ")
			t.printf("%s", strings.TrimSpace(name+" "+c.args)+": "+c.help+".")
		}
	}
	if t.canUse("bans") {
		t.printf("admin COMMAND: moderate; admin help lists the commands.")
	}
	if t.current == nil {
		t.printf("There are more commands in a game; type help there.")
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

// withoutKeys returns a paragraph of rules without its sentences about keys of the screens.
func withoutKeys(paragraph string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(paragraph, ". "), func(s string) bool { return strings.HasPrefix(s, "Press ") })
	return strings.TrimSpace(strings.Join(sentences, ""))
}

func (t *session) chatCommand(args string) {
	if args == "" {
		t.printf("Usage: say TEXT.")
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
		t.askConfirm("Your game continues and your clock keeps running.", t.exit)
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

// askConfirm prints a warning and runs do if the next line is "yes". do must be bound to the match of the
// question, because another match may be open by then.
func (t *session) askConfirm(warning string, do func()) {
	t.onConfirm = do
	t.printf("%s Type yes to confirm.", warning)
}

// listedID returns the id with the number args in the last list; ok is false if it is no such number.
func listedID(args string, ids []string) (id string, ok bool) {
	var n int
	if _, err := fmt.Sscanf(args, "%d", &n); err != nil || fmt.Sprint(n) != args || n < 1 || n > len(ids) {
		return "", false
	}
	return ids[n-1], true
}
