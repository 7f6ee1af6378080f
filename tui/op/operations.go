package op

// Operation is something that a user can do, and how each front end offers it. Tests of the front ends hold the list
// against their keys, commands and operations in both directions.
type Operation struct {
	Name   string
	Screen Access // keys, each as "SCREEN KEY"; the name of a screen alone if it shows without a key
	Line   Access // commands of line mode
	API    Access // operations of the API
}

// Access is how a front end offers an operation, or the reason why it deliberately does not.
type Access struct {
	By     []string
	Reason string // only if By is empty
}

func by(names ...string) Access { return Access{By: names} }

func without(reason string) Access { return Access{Reason: reason} }

// Reasons that several operations share.
const (
	forPeople    = "a matter of displays for people"
	atATerminal  = "only a person at a terminal changes how an account is signed in to"
	fromTheRules = "a program has the turns, and `ayumu engine` has the rules"
)

// Operations has all operations.
var Operations = []Operation{
	// Finding a game.
	{"list users", by("lobby"), by("who"), by("users")},
	{"list tables", by("lobby"), by("tables"), by("tables")},
	{"list matches", by("lobby"), by("games"), by("matches")},
	{"quick match", by("lobby p"), by("quick"), by("quick")},
	{"open a table", by("lobby n"), by("new"), by("open")},
	{"challenge", by("lobby c"), by("new"), by("open")},
	{"play a bot", by("lobby b"), by("bot"), by("bot")},
	{"play from a position", by("match G"), by("new", "bot"), by("open", "bot")},
	{"fill a table with bots", by("lobby +"), by("fill"), by("fill")},
	{"join", by("lobby enter"), by("join"), by("join")},
	{"use a code", by("lobby e"), by("join", "watch"), by("join", "watch")},
	{"be ready", by("lobby y"), by("ready"), by("ready")},
	{"cancel or decline", by("lobby x"), by("cancel"), by("cancel", "decline")},
	{"go to an own match", by("lobby enter"), by("play"), without("the event match comes for each of them")},
	{"go to the next own turn", by("lobby N", "match N"), by("next"), without("the event turn comes for all own matches")},

	// Watching.
	{"watch", by("lobby enter", "lobby w"), by("watch"), by("watch")},
	{"stop watching", by("match q"), by("lobby"), by("unwatch")},
	{"follow", by("lobby f", "lobby F", "match F"), by("follow", "unfollow"), without("a program watches what it chooses from the operation matches")},
	{"watch several matches", by("lobby g"), without("one game at a time can be read aloud"), by("watch")},

	// Playing.
	{"play a turn", by("match"), by("move"), by("act")},
	{"list legal moves", by("match"), by("legal"), by("legal")},
	{"see the position", by("match"), by("board"), by("watch")},
	{"see clocks and offers", by("match"), by("status"), by("watch")},
	{"resign", by("match r"), by("resign"), by("resign")},
	{"abort", by("match r"), by("abort"), by("abort")},
	{"add conditional moves", by("match K"), by("if"), by("condition")},
	{"list and delete conditional moves", by("match C"), by("ifs"), by("conditions")},
	{"offer a draw", by("match ="), by("draw"), by("draw")},
	{"ask for a takeback", by("match U"), by("undo"), by("undo")},
	{"offer a rematch", by("match m"), by("rematch"), by("rematch")},
	{"decline or withdraw an offer", by("match x"), by("refuse"), by("refuse")},
	{"claim", by("match w", "match ="), by("claim"), by("claim")},
	{"vote out", by("match w"), by("vote"), by("vote")},
	{"hint", by("match h", "match H"), by("hint"), by("hint")},
	{"explain the signs on the board", by("match L"), without("line mode describes the position in words"), without(forPeople)},
	{"chat", by("lobby t", "match t"), by("say"), by("say")},

	// Looking back.
	{"see all turns", by("match"), by("record"), by("record")},
	{"go to an earlier position", by("match [", "match ]", "match #", "match home", "match end"), by("turn", "back", "live"), without(fromTheRules)},
	{"try moves", by("match V"), by("try", "back", "live"), without(fromTheRules)},
	{"analyze a finished game", by("match A", "archive A"), by("analysis"), by("analysis")},
	{"autoplay", by("match P"), without("record lists all turns at once"), without(forPeople)},
	{"list finished games", by("lobby a"), by("finished", "more"), by("games")},
	{"replay a finished game", by("archive enter"), by("replay"), by("record")},
	{"see the leaderboard", by("lobby r"), by("top"), by("top")},
	{"see a profile", by("lobby i", "match I"), by("profile"), by("profile")},

	// Account.
	{"rename", by("account n"), by("account"), by("name")},
	{"list, add and remove keys", by("account", "account l", "account x"), by("account"), without(atATerminal)},
	{"delete the account", by("account D"), by("account"), without(atATerminal)},
	{"go on vacation", by("account v", "match D"), by("vacation"), by("vacation")},
	{"block", by("lobby B"), by("ignore"), by("block", "unblock", "blocks")},
	{"report", by("lobby R"), by("report"), by("report")},
	{"read announcements", by("lobby A"), by("announcements"), by("announcements", "read")},
	{"announce", by("announcements n", "announcements x", "announcements e"), by("admin"), without("the command admin has it")},
	{"see open reports", by("lobby M"), by("admin"), by("reports")},
	{"moderate", by("lobby M"), by("admin"), without("the command admin has it")},
	{"be notified outside of SSH", by("settings n"), by("notifications"), by("notifications", "notify_test")},
	{"change settings", by("lobby o"), without("line mode has no colours, bell or animations to set"), without(forPeople)},

	// The rest.
	{"solve a puzzle", by("lobby z"), by("puzzle"), by("puzzle", "answer")},
	{"train with puzzles", by("puzzle T"), by("puzzle"), by("puzzle", "puzzles")},
	{"get a hint at a puzzle", by("puzzle H"), by("puzzle"), by("puzzle_hint")},
	{"report a puzzle", by("puzzle R"), by("puzzle"), by("puzzle_report")},
	{"learn a game in lessons", by("lobby L"), by("learn"), without("lessons are for people; a program has docs/rules and `ayumu engine`")},
	{"be advised in the first games", by("lobby o"), by("learn"), without("a program has the operation hint")},
	{"read the rules", by("lobby ?"), by("rules"), without("docs/rules has them")},
	{"help", by("lobby ?", "match ?"), by("help"), without("docs/protocol.md describes the operations")},
	{"quit", by("lobby q"), by("quit"), without("the end of the input ends the session")},
	{"test the connection", without("the terminal shows it"), without("the terminal shows it"), by("ping")},
}

// Accesses returns the names of a column of Operations, each once, with the operation that is first to have it.
func Accesses(column func(Operation) Access) map[string]string {
	all := make(map[string]string)
	for _, o := range Operations {
		for _, name := range column(o).By {
			if all[name] == "" {
				all[name] = o.Name
			}
		}
	}
	return all
}
