package plain

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/lobby/club"
	"ayumu/tui/op"
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
	onBoard        // in a match or a review
	inMatch
	seated // in a match in which the user has a seat
)

// commands has all commands in the order of the help. init sets it, because the help command refers to it.
var commands []command

func init() {
	commands = []command{
		{"help ?", "", "list the commands", anywhere, (*session).printHelp},
		{"rules", "[GAME]", "read the rules", anywhere, (*session).printRules},
		{"learn", "[GAME, next, back, coach on, or coach off]", "learn a game in short lessons; next and back go to another lesson; coach: advice in your first games against a bot", anywhere, with(lessonCommands.learn)},
		{"who", "", "list who is online", anywhere, with(lobbyCommands.printWho)},
		{"tables", "", "list open tables and challenges", anywhere, with(tableCommands.printTables)},
		{"games matches", "[all]", "list your games and the games to watch; all: also those whose players are away", anywhere, with(lobbyCommands.printMatches)},
		{"quick", "[GAME or any] [SIZE] [CLOCK] [rated or casual]", "find an opponent, or cancel the search; what you leave out can be anything, and quick alone repeats the last search", anywhere, with(tableCommands.quickMatch)},
		{"new", "[GAME] [SIZE] [CLOCK] [rated] [private] [here] [delay=TURNS] [first=me] [to NAME]", "open a table or challenge a player, for example: new 9x9 10+5, new 9x9 handicap=2 first=other, or new GAME 4x2 for four players with two segments each; here: the game begins with the position that is shown", anywhere, with(tableCommands.newTable)},
		{"bot", "[LEVEL] [GAME] [SIZE] [CLOCK] [here] [first=me]", "play a bot; levels are 1 to 5, for example: bot 2 7x7; bot 3 here plays from the position that is shown; bot alone repeats the last game", anywhere, with(tableCommands.playBot)},
		{"fill", "[LEVEL] [SEATS]", "give free seats at your table to bots, without a number all of them", anywhere, with(tableCommands.fill)},
		{"join", "NUMBER or CODE", "join a table", anywhere, with(tableCommands.join)},
		{"ready", "[NUMBER]", "agree to start your table with fewer players; it starts when all there are ready", anywhere, with(tableCommands.ready)},
		{"cancel decline", "[NUMBER]", "close your table, or decline a challenge", anywhere, with(tableCommands.cancel)},
		{"watch", "NUMBER, CODE or NAME", "watch a game, or the game of a player", anywhere, with(lobbyCommands.watch)},
		{"follow", "[NAME]", "watch every next game of a player, without a name the featured games", anywhere, with(lobbyCommands.follow)},
		{"unfollow", "", "stop following", anywhere, with(lobbyCommands.unfollow)},
		{"play", "[NUMBER]", "go to one of your games", anywhere, with(lobbyCommands.play)},
		{"next", "", "go to the next game in which it is your turn", anywhere, with(lobbyCommands.openNextWaiting)},
		{"finished", "[NAME]", "list finished games, of one player or of all", anywhere, with(archiveCommands.printFinished)},
		{"more", "", "list older finished games", anywhere, with(archiveCommands.printMore)},
		{"replay", "NUMBER", "go through a finished game, turn by turn", anywhere, with(reviewCommands.replay)},
		{"top", "[GAME]", "show the leaderboard", anywhere, with(archiveCommands.printLeaderboard)},
		{"profile", "[NAME]", "show a player's ratings and results", anywhere, with(archiveCommands.printProfile)},
		{"board", "", "describe the position. A point alone, such as d5 or 0,0, describes what is there", onBoard, with(reviewCommands.printBoard)},
		{"record", "", "list all turns so far", onBoard, with(reviewCommands.printRecord)},
		{"turn", "[NUMBER]", "go to the position after a turn, without a number to the next one", onBoard, with(reviewCommands.turn)},
		{"back", "", "go back one turn, or take back what you tried", onBoard, with(reviewCommands.back)},
		{"try", "MOVE", "try a move of either side from this position; only you see it", onBoard, with(reviewCommands.try)},
		{"live", "", "return from earlier positions to the present one", onBoard, with(reviewCommands.live)},
		{"hint", "", "ask the engine who is ahead and for the best moves, in a finished game or a casual game with bots; in your turn the number of one, typed alone, plays it", onBoard, with(reviewCommands.hint)},
		{"analysis", "[next, your move, solution, or chances]", "when the game is over, have the engine find the turns that cost you most; next: look for a better turn than one of them; chances: the chances after each turn", onBoard, with(analysisCommands.analysis)},
		{"status", "", "describe whose turn it is, the clocks, and open offers", inMatch, with(matchCommands.printStatus)},
		{"move", "MOVE", "play a move, for example b1b2 or 0,0 1 e; end. You can also type the move alone", seated, with(seatCommands.move)},
		{"legal", "[POINT]", "list your legal moves, or those from one point", seated, with(seatCommands.printLegal)},
		{"if", "MOVE then MOVE", "in a correspondence game, add a conditional move, which answers your opponent's move at once: if b1-b2 then d5-d4; several are possible, and one can go on: if b1-b2 then d5-d4, if a1-a2 then c3-c4; if clear NUMBER or if clear all deletes them. Only you see them", seated, with(seatCommands.changeConditions)},
		{"ifs", "", "list your conditional moves in this game", seated, func(t *session, _ string) { seatCommands{t}.changeConditions("") }},
		{"draw", "", "offer a draw, or accept one", seated, with(seatCommands.offerDraw)},
		{"undo", "", "ask for a takeback of your last turn, or accept one", seated, with(seatCommands.offerUndo)},
		{"rematch", "", "offer a rematch, or accept one", seated, with(seatCommands.offerRematch)},
		{"refuse", "", "decline an offer, or withdraw yours", seated, with(seatCommands.refuse)},
		{"claim", "win or draw", "end the game if your opponent has left", seated, with(seatCommands.claim)},
		{"vote", "[NAME]", "vote an absent player out, in a game of three or more", seated, with(seatCommands.vote)},
		{"resign", "", "resign the game", seated, with(seatCommands.resign)},
		{"abort", "", "end a game of two without a winner, before both players have made a move", seated, with(seatCommands.abort)},
		{"puzzle", "[next, themes, train [GAME] [THEME], streak [GAME], hint, solution, report TEXT, day, or your answer]", "read the puzzle of the day, or answer the puzzle that you read last; next: the next puzzle; themes: your ratings, and what can be trained; streak: until the first wrong answer; solution: how it is solved, and why; report: say what is wrong with it; day: that of the day again", anywhere, with(puzzleCommands.puzzle)},
		{"account", "[name NAME, key, remove NUMBER, or delete NAME]", "show your name and keys; rename, add or remove a key, delete the account", anywhere, with(accountCommands.account)},
		{"notifications", op.NotificationArgs, "be notified of your turns in correspondence games, challenges and more outside of Ayumu, by a webhook or by mail; test sends a test", anywhere, with(accountCommands.notifications)},
		{"vacation", "[DAYS or off]", "stop your clocks in correspondence games for some days, or end that; alone: how many days you have left", anywhere, with(accountCommands.vacation)},
		{"ignore", "[NAME]", "block or unblock a player; without a name, list blocked players", anywhere, with(accountCommands.toggleBlock)},
		{"announcements", "[more]", "read the announcements of the club, newest first; more: older ones", anywhere, func(t *session, args string) { t.bulletin.List(args) }},
		{"report", "NAME TEXT", "report a player to the moderators", anywhere, with(moderationCommands.report)},
		{"say", "TEXT", "chat: with the players or spectators of your game, otherwise with the lobby. Messages have the time in UTC", anywhere, with(lobbyCommands.chat)},
		{"lobby leave", "", "go to the lobby; the game continues", onBoard, with(lobbyCommands.toLobby)},
		{"quit exit bye", "", "quit Ayumu", anywhere, (*session).quit},
	}
}

// with returns a method of one of the session's types of commands as a function of the session.
func with[T ~struct{ *session }](do func(T, string)) func(*session, string) {
	return func(t *session, args string) { do(T{t}, args) }
}

// find returns the command of a list with a name, or the only one with that prefix.
func find(list []command, name string) (command, bool) {
	var found []command
	for _, c := range list {
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
		if t.lessons != nil && t.lessons.IsSolved {
			lessonCommands{t}.next()
		}
		return
	case t.visit == nil:
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
	if confirmed != nil && (name == "no" || name == "n") {
		t.printf("Nothing was done.")
		return
	}
	c, ok := find(commands, name)
	if t.lessons != nil {
		if inLesson, found := find(lessonTable, name); found {
			inLesson.do(t, args)
			return
		} else if !ok || strings.ContainsAny(name, "0123456789") {
			lessonCommands{t}.try(line)
			return
		}
	}
	switch {
	case name == "admin" && t.config.Can(club.PermissionSanctions):
		moderationCommands{t}.moderate(args)
	case ok && t.allows(c.scope):
		c.do(t, args)
	case ok && c.scope == seated && t.current != nil:
		t.printf("Only the players can do that; you are a spectator.")
	case ok && c.names == "hint" && t.puzzles != nil:
		puzzleCommands{t}.hint()
	case ok:
		t.printf("That works only in a game. Type games, then play or watch and a number.")
	case t.allows(seated) && reviewCommands{t}.playHint(line):
	case t.allows(seated) && seatCommands{t}.looksLikeMove(line):
		seatCommands{t}.move(line)
	case t.allows(onBoard) && reviewCommands{t}.printPoint(line):
	default:
		t.printf("Unknown command %q. Type help for a list.", line)
	}
}

// allows reports whether commands of a scope are available now.
func (t *session) allows(s scope) bool {
	switch s {
	case onBoard:
		return t.current != nil || t.review != nil
	case inMatch:
		return t.current != nil
	case seated:
		return t.current != nil && t.current.Player != nil
	}
	return true
}

func (t *session) printHelp(string) {
	t.printf("Commands; you can abbreviate them to their first letters:")
	list := commands
	if t.lessons != nil {
		list = append(slices.Clip(commands), lessonTable...)
	}
	for _, c := range list {
		if t.allows(c.scope) {
			name, _, _ := strings.Cut(c.names, " ")
			t.printf("%s", strings.TrimSpace(name+" "+c.args)+": "+c.help+".")
		}
	}
	if t.config.Can(club.PermissionSanctions) {
		t.printf("admin COMMAND: moderate; admin help lists the commands.")
	}
	if t.current == nil {
		t.printf("There are more commands in a game; type help there.")
	}
}

func (t *session) printRules(args string) {
	game := t.config.Games.Default()
	if t.allows(onBoard) {
		_, game, _ = reviewCommands{t}.shown()
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

func (t *session) quit(args string) {
	if args != "" { // "quit learn", for example, is meant to leave the lessons only
		t.printf("Type quit alone to leave Ayumu, or lobby to go to the lobby.")
		return
	}
	if t.current != nil && t.current.ClockRuns() {
		t.askConfirm("Your game continues and your clock keeps running.", t.exit)
		return
	}
	t.exit()
}

// listedID returns the id with the number args in the last list; ok is false if it is no such number.
func listedID(args string, ids []string) (id string, ok bool) {
	var n int
	if _, err := fmt.Sscanf(args, "%d", &n); err != nil || fmt.Sprint(n) != args || n < 1 || n > len(ids) {
		return "", false
	}
	return ids[n-1], true
}
