package palette

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

// action does an operation that opens a screen or asks for more; ok is false for words that the operation itself is for.
type action func(sh *screen.Shell, args string) (cmd tea.Cmd, ok bool)

// actions are what the screens do for operations, by their names, where the screen that is shown does nothing else. The
// others run as they are declared.
var actions = map[string]action{
	"quick": withoutWords(func(sh *screen.Shell) tea.Cmd {
		if t := sh.Visit.QuickRequest(sh.Session.Lobby().View()); t != nil {
			return screen.Run(sh, op.Cancel, op.CancelArgs{Table: op.TableID(t.ID)}, func(op.ClosedResult) tea.Cmd {
				sh.Notify("Search cancelled.")
				return sh.Refresh()
			})
		}
		return sh.Open(dest.QuickMatch{})
	}),
	"open": withoutWords(opens(dest.NewTable{})),
	"bot": withoutWords(func(sh *screen.Shell) tea.Cmd {
		if sh.Config.Bots == nil {
			sh.NotifyError("this server has no bots")
			return nil
		}
		return sh.Open(dest.BotGame{})
	}),
	"local":          withoutWords(opens(dest.LocalGame{})),
	"join":           join,
	"watch":          watch,
	"unwatch":        withoutWords(opens(dest.Lobby{})), // from any screen
	"follow":         follow,
	"play":           play,
	"next":           withoutWords(opens(dest.NextWaiting{})),
	"say":            withoutWords(func(sh *screen.Shell) tea.Cmd { return sh.OpenChat("Message to all", sh.Session.Say) }),
	"finished":       withoutWords(opens(dest.Archive{})),
	"replay":         replay,
	"top":            withoutWords(opens(dest.Leaderboard{})),
	"profile":        profile,
	"learn":          learn,
	"puzzle":         puzzleOfDay,
	"account":        withoutWords(opens(dest.Account{})),
	"account_key":    onAccount("account_key"),
	"account_remove": onAccount("account_remove"),
	"account_delete": onAccount("account_delete"),
	"notifications":  withoutWords(opens(dest.Notifications{})),
	"announcements":  withoutWords(opens(dest.Announcements{})),
	"tournaments":    withoutWords(opens(dest.Tournaments{})),
	"tournament":     openTournament,
	"tournament_new": withoutWords(opens(dest.NewTournament{})),
	"settings":       withoutWords(opens(dest.Settings{})),
	"help":           withoutWords((*screen.Shell).OpenHelp),
	"quit":           withoutWords((*screen.Shell).AskQuit),
	"messages":       withoutWords(messages),
}

// takesNoWords has the operations that the screens do without the words that they need elsewhere.
var takesNoWords = []string{"tournament_new", "say", "replay", "try", "account_remove", "account_delete"}

// withoutWords returns an action for when nothing follows the name.
func withoutWords(do func(*screen.Shell) tea.Cmd) action {
	return func(sh *screen.Shell, args string) (tea.Cmd, bool) {
		if args != "" {
			return nil, false
		}
		return do(sh), true
	}
}

// opens returns a function that opens a screen.
func opens(d dest.Destination) func(*screen.Shell) tea.Cmd {
	return func(sh *screen.Shell) tea.Cmd { return sh.Open(d) }
}

// act does an operation as the screens do it; ok is false if it runs as it is declared.
func act(sh *screen.Shell, i *op.Info, args string) (cmd tea.Cmd, ok bool) {
	panel := sh.Panel()
	sh.ClosePanel()
	if o, isOperator := sh.Visible().(screen.OperationHandler); isOperator {
		if cmd, ok = o.Operate(i.Name, args); ok {
			return cmd, true
		}
	}
	if o, isOperator := sh.Current().(screen.OperationHandler); isOperator && sh.HasOverlay() {
		if i.Where != op.Anywhere {
			sh.CloseOverlays()
		}
		if cmd, ok = o.Operate(i.Name, args); ok {
			return cmd, true
		}
	}
	if do := actions[i.Name]; do != nil {
		if cmd, ok = do(sh, args); ok {
			return cmd, true
		}
	}
	sh.OpenPanel(panel)
	return nil, false
}

// join joins a table, by its id or the code of a private one.
func join(sh *screen.Shell, args string) (tea.Cmd, bool) {
	id, code, _ := strings.Cut(args, " ")
	d := sh.Visit.Resolve(op.StartPoint{Kind: op.ToTable, ID: id, Code: code})
	if d.Kind == op.ToMatch {
		return sh.Open(dest.Match{ID: d.ID, Code: d.Code}), true
	}
	return sh.Open(dest.Table{ID: d.ID, Code: d.Code}), true
}

// openTournament opens a tournament by its id; with other words the operation shows it as text.
func openTournament(sh *screen.Shell, args string) (tea.Cmd, bool) {
	var id op.TournamentID
	if args == "" || strings.Contains(args, " ") || id.ParseWord(sh.Visit, args) != nil {
		return nil, false
	}
	return sh.Open(dest.Tournament{ID: string(id)}), true
}

// watch opens a match: by its id, by the code of a private one, or the one that a user plays.
func watch(sh *screen.Shell, args string) (tea.Cmd, bool) {
	to, err := sh.Visit.Watched(args)
	if err != nil {
		sh.NotifyFailure(err)
		return nil, true
	}
	d := sh.Visit.Resolve(to)
	sh.Visit.Unfollow()
	if d.Kind == op.ToTable {
		return sh.Open(dest.Table{ID: d.ID, Code: d.Code}), true
	}
	return sh.Open(dest.Match{ID: d.ID, Code: d.Code}), true
}

// follow follows a user, or the featured matches.
func follow(sh *screen.Shell, args string) (tea.Cmd, bool) {
	if args == "" {
		return player.FollowFeatured(sh), true
	}
	u := sh.Session.Lobby().View().Users.Named(args)
	if u == nil {
		sh.NotifyError("no player named %s is online", args)
		return nil, true
	}
	return player.Follow(sh, u.ID, u.Name), true
}

// play opens one of the user's matches, or lists them.
func play(sh *screen.Shell, args string) (tea.Cmd, bool) {
	own := sh.Visit.OwnMatches()
	switch {
	case args != "":
		return sh.Open(dest.Match{ID: args}), true
	case len(own.Rows) == 1:
		return sh.Open(dest.Match{ID: own.Rows[0].ID}), true
	}
	show(sh, "Your games", op.Text{Rows: own})
	return nil, true
}

// replay opens a finished match, or the list of them.
func replay(sh *screen.Shell, args string) (tea.Cmd, bool) {
	if args == "" {
		return sh.Open(dest.Archive{}), true
	}
	return sh.Open(dest.Replay{ID: args}), true
}

// profile opens the profile of a user.
func profile(sh *screen.Shell, args string) (tea.Cmd, bool) {
	if args == "" {
		return sh.Open(dest.Profile{ID: sh.Session.Account().ID}), true
	}
	return sh.Open(dest.Profile{Name: args}), true
}

// learn opens the lessons of a game, or switches the coach on or off.
func learn(sh *screen.Shell, args string) (tea.Cmd, bool) {
	switch args = strings.ToLower(args); args {
	case "coach on", "coach off":
		sh.Settings.Coach = args == "coach on"
		s := sh.Settings
		sh.Notify("%s", words.Sentence(args))
		if sh.Session.Account().IsGuest() {
			return nil, true
		}
		return sh.Call(func(ctx context.Context) error { return op.SaveSettings(ctx, sh.Session, s) }, nil), true
	}
	return sh.Open(dest.Lessons{Game: args}), true
}

// puzzleOfDay opens the puzzle of the day, of a game if that is named. Other puzzles are chosen on its screen.
func puzzleOfDay(sh *screen.Shell, args string) (tea.Cmd, bool) {
	word, game, _ := strings.Cut(strings.ToLower(args), " ")
	if args != "" && word != "day" {
		return nil, false
	}
	return sh.Open(dest.Puzzle{Game: strings.TrimSpace(game)}), true
}

// onAccount returns an action that the screen of the account does.
func onAccount(name string) action {
	return func(sh *screen.Shell, _ string) (tea.Cmd, bool) {
		cmd := sh.Open(dest.Account{})
		if o, ok := sh.Overlay().(screen.OperationHandler); ok {
			next, ok := o.Operate(name, "")
			if !ok { // the keys are being loaded
				sh.Notify("Select the key to remove, and press x.")
			}
			cmd = tea.Batch(cmd, next)
		}
		return cmd, true
	}
}

// messages lists the last messages, the newest first.
func messages(sh *screen.Shell) tea.Cmd {
	all := slices.Clone(sh.Messages())
	slices.Reverse(all)
	rows := &op.Rows{Columns: []op.Column{{Phrase: "%s:"}, {}}, Empty: "No messages yet."}
	for _, m := range all {
		rows.Rows = append(rows.Rows, op.Row{Values: []string{words.TimeOfDay(m.At), m.Text}})
	}
	show(sh, "Messages · UTC", op.Text{Rows: rows})
	return nil
}

// offers reports whether the palette can do an operation on the screen that is shown.
func offers(o op.Operation) bool {
	i := o.Info()
	isTyped := i.On.Line.Reason == "" || i.On.SSH.Reason == ""
	return i.On.Screen.Reason == "" && (isTyped && !op.IsByHand(o) || actions[i.Name] != nil || i.Where != op.Anywhere)
}
