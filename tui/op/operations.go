package op

// Reasons that several operations share.
const (
	forPeople       = "a matter of displays for people"
	atATerminal     = "only a person at a terminal may change how an account is signed in to"
	fromTheRules    = "a program has the turns, and `ayumu engine` has the rules"
	opensAGame      = "it opens a game; ssh -t opens one"
	needsASession   = "someone else answers later, and the session has ended by then"
	withoutPosition = "a turn needs the position before your eyes; use the screens, line mode or the API"
	noOpenGame      = "no game is open there"
)

// typed returns the only argument of an operation that front ends implement by hand, as it is typed; help is "" where kind
// and usage say all.
func typed(usage, kind, help string) Arg {
	return Arg{Name: kind, Usage: usage, Kind: kind, Optional: usage[0] == '[', Repeated: true, Help: help}
}

// picture declares an operation that writes a picture of a match.
func picture(name, help, usage, more string) Operation {
	return ByHand(Info{Name: name, Help: help, Group: GroupLook, On: On{
		Line: Not("line mode has only text"), API: Not("a command and the web pages write it to a file"), Screen: Not("a screen shows the board itself, and a picture is written to a file"),
	}}, typed(usage, "match", "the id of a game; the commands matches and games list them. light: for light backgrounds"+more))
}

// All returns all operations but those of moderators (package admin).
func All() []Operation {
	return []Operation{
		Users, Tables, Matches,
		Quick, Open, Bot, Local, Fill, Join, Ready, Cancel, Decline,
		// By hand: it opens a match, and in the API and over SSH a stream.
		ByHand(Info{
			Name:  "watch",
			Help:  "watch a game, or the game of a player",
			Group: GroupFind,
			On:    On{Screen: As("lobby enter", "lobby w", "lobby g")},
		}, typed("GAME", "match", "its number in the last list, its id, its code, or the name of one of its players")),
		FollowGames, UnfollowGames,
		// By hand: they open a match.
		ByHand(Info{
			Name:    "play",
			Help:    "go to one of your games",
			Group:   GroupFind,
			Offline: true,
			On:      On{SSH: Not(opensAGame), API: Not("the event match announces each of them"), Screen: As("lobby enter")},
		}, typed("[GAME]", "match", "its number in the last list, or its id")),
		ByHand(Info{Name: "next", Help: "go to the next game in which it is your turn", Group: GroupFind, Offline: true,
			On: On{SSH: Not(opensAGame), API: Not("the event turn is sent for all your matches"), Screen: As("lobby >", "match >")}}),
		Waiting,
		Tournaments, Tournament, TournamentWhy, TournamentRemarks, EnterTournament, WithdrawTournament, CheckInTournament, PauseTournament, ResumeTournament, ByeTournament, TournamentSay,
		NewTournament, StartTournament, EditTournament, RuleTournament, ExtendTournament, RemoveFromTournament, LetIntoTournament, CancelTournament,

		// By hand: they show or change the position that is shown, which may be an earlier one, a draft, or one that
		// was tried; status has the advice of the coach too.
		ByHand(Info{Name: "board", Help: "describe the position. A point alone, such as d5 or 0,0, describes what is there", Group: GroupPlay, Where: OnBoard, Offline: true,
			On: On{SSH: Not(noOpenGame), API: Not("the operation watch answers with it"), Screen: As("match")}}),
		ByHand(Info{Name: "status", Help: "describe whose turn it is, the clocks, and open offers", Group: GroupPlay, Where: InMatch, Offline: true,
			On: On{SSH: Not(noOpenGame), API: Not("the operation watch answers with it"), Screen: As("match")}}),
		ByHand(Info{Name: "act", Help: "play a move, for example b1b2 or 0,0 1 e; end. You can also type the move alone", Group: GroupPlay, Where: AtSeat, Effect: Changes, Offline: true,
			On: On{Line: As("move"), SSH: Not(withoutPosition), Screen: As("match")}}, typed("MOVE", "actions", "")),
		Legal,
		Conditions, Condition,
		Draw, Undo, Rematch, Refuse, Claim, Vote, Resign, Abort,
		Chat,
		// By hand: it closes what is open.
		ByHand(Info{
			Name:    "unwatch",
			Help:    "go to the lobby; the game continues",
			Group:   GroupPlay,
			Where:   OnBoard,
			Offline: true,
			On:      On{Line: As("lobby", "leave"), SSH: Not(noOpenGame), Screen: As("match q")},
		}),

		Record,
		// By hand: bytes for a file, no text.
		picture("svg", "write the position of a game as an SVG picture", "MATCH [turn=N] [size=PIXELS] [light]", ""),
		picture("gif", "write a finished game as an animated GIF", "MATCH [size=PIXELS] [light]", ""),
		picture("cast", "write a game as a recording of a terminal (asciicast)", "MATCH [light] [v=2]", "; v=2: for players that do not know version 3"),
		// By hand: it takes the turns from what is shown, without asking the store for a match of the archive again.
		ByHand(Info{Name: "turns", Help: "print all turns of a game", Group: GroupLook, Where: OnBoard, Offline: true,
			On: On{Line: As("record"), SSH: Not("record prints the game record"), API: Not("the operation record has all turns"), Screen: As("match")}}),
		ByHand(Info{Name: "turn", Help: "go to the position after a turn; without a number, after the next one", Group: GroupLook, Where: OnBoard, Offline: true,
			On: On{SSH: Not(noOpenGame), API: Not(fromTheRules), Screen: As("match [", "match ]", "match #", "match home", "match end")}}, typed("[NUMBER]", "number", "")),
		ByHand(Info{
			Name:    "back",
			Help:    "go back one turn, or take back what you tried",
			Group:   GroupLook,
			Where:   OnBoard,
			Offline: true,
			On:      On{SSH: Not(noOpenGame), API: Not(fromTheRules), Screen: As("match [")},
		}),
		ByHand(Info{
			Name:    "try",
			Help:    "try a move of either side from this position; only you see it",
			Group:   GroupLook,
			Where:   OnBoard,
			Offline: true,
			On:      On{SSH: Not(noOpenGame), API: Not(fromTheRules), Screen: As("match tab")},
		}, typed("MOVE", "actions", "")),
		ByHand(Info{
			Name:    "live",
			Help:    "return from an earlier position to the current one",
			Group:   GroupLook,
			Where:   OnBoard,
			Offline: true,
			On:      On{SSH: Not(noOpenGame), API: Not(fromTheRules), Screen: As("match end")},
		}),
		// By hand: it asks about the position that is shown, and its numbers can be played.
		ByHand(Info{
			Name:    "hint",
			Help:    "ask the engine who is ahead and what the best moves are, in a finished game or your own casual game with bots; on your turn, type the number of a move to play it",
			Group:   GroupLook,
			Where:   OnBoard,
			Offline: true,
			On:      On{SSH: Not(noOpenGame), Screen: As("match h")},
		}),
		// By hand: it answers when the engine is done, with exercises that are answered in turn.
		ByHand(Info{
			Name:    "analysis",
			Help:    "when the game is over, have the engine find your costliest moves; next: look for a better move than one of them; chances: the chances after each turn",
			Group:   GroupLook,
			Where:   OnBoard,
			Offline: true,
			On:      On{SSH: Not("it takes longer than a command"), Screen: As("match enter", "archive")},
		}, typed("[next, your move, solution, or chances]", "text", "")),
		Finished,
		// By hand: more runs another operation, and replay opens a match of the archive.
		ByHand(Info{
			Name:    "more",
			Help:    "continue the last list",
			Group:   GroupLook,
			Offline: true,
			On:      On{SSH: Not("the end of a list says what to type"), API: Not("lists have the field before or after"), Screen: Not("the last row of a list continues it")},
		}),
		ByHand(Info{
			Name:    "replay",
			Help:    "go through a finished game, turn by turn",
			Group:   GroupLook,
			Offline: true,
			On:      On{API: Not("the operation record has all turns"), Screen: As("archive enter")},
		}, typed("GAME", "match", "its number in the last list, or its id")),
		Top,
		Profile,

		Rules,
		// By hand: a lesson takes the lines that follow.
		ByHand(Info{
			Name:    "learn",
			Help:    "learn a game in short lessons; next and back change the lesson; coach: advice in your first games against bots",
			Group:   GroupLearn,
			Offline: true,
			On:      On{SSH: Not("lessons need a session"), API: Not("lessons and the coach are for people; a program has docs/rules, `ayumu engine` and the operation hint"), Screen: As("lobby l", "lobby o")},
		}, typed("[GAME, next, back, coach on, or coach off]", "text", "")),
		Puzzle, Daily, AnswerPuzzle, PuzzleHint, PuzzleSolution, Puzzles, PuzzleReport,

		Account, Name, LinkCode, RemoveKey, DeleteAccount, Keys, Link,
		Notifications, NotifyTest,
		Vacation,
		Block, Unblock, Blocks, Ignore,
		Announcements, Read,
		Report,
		// By hand: it is a screen.
		ByHand(Info{
			Name:    "settings",
			Help:    "change colours, characters and sounds",
			Group:   GroupPeople,
			Effect:  Changes,
			Offline: true,
			On:      On{Line: Not("line mode has no colours, bell or animations to set"), SSH: Not(forPeople), API: Not(forPeople), Screen: As("lobby o", "match o")},
		}),

		// By hand: what the front ends are, and what ends them.
		ByHand(Info{Name: "help", Help: "list the commands", Group: GroupProgram, Offline: true, On: On{Line: As("help", "?"), Screen: As("lobby ?", "match ?")}}),
		ByHand(Info{
			Name:    "messages",
			Help:    "list the last messages",
			Group:   GroupProgram,
			Offline: true,
			On:      On{Line: Not("line mode prints them"), SSH: Not(forPeople), API: Not("each message is an event of its own"), Screen: As("palette")},
		}),
		Version,
		ByHand(Info{
			Name:  "line",
			Help:  "play in lines of text, for screen readers",
			Group: GroupProgram,
			On:    On{Line: Not("this is line mode"), API: Not(forPeople), Screen: Not("it is chosen before the screens open")},
		}),
		ByHand(Info{
			Name:  "api",
			Help:  "JSON lines, for programs (docs/protocol.md)",
			Group: GroupProgram,
			On:    On{Line: Not("it is for programs"), API: Not("this is the API"), Screen: Not("it is for programs")},
		}),
		ByHand(Info{
			Name:  "ping",
			Help:  "test the connection",
			Group: GroupProgram,
			On:    On{Line: Not("the terminal shows it"), SSH: Not("the answer to any command shows it"), Screen: Not("the terminal shows it")},
		}),
		ByHand(Info{
			Name:    "quit",
			Help:    "quit Ayumu",
			Group:   GroupProgram,
			Offline: true,
			On:      On{Line: As("quit", "exit", "bye"), SSH: Not("a command ends by itself"), API: Not("the end of the input ends the session"), Screen: As("lobby q")},
		}),
	}
}
