package tournaments

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/tournament"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// operation is an operation that the screen does without words, for its tournament.
type operation struct {
	key   string // "": it has none
	works func(*tournamentScreen) bool
	do    func(*tournamentScreen) tea.Cmd
}

// operations has those operations by their names.
var operations = map[string]operation{
	op.EnterTournament.Info().Name:      {"y", (*tournamentScreen).mayEnter, (*tournamentScreen).enter},
	op.CheckInTournament.Info().Name:    {"y", func(v *tournamentScreen) bool { return v.isAwaited() && v.sheet.Phase == tournament.PhaseCheckIn }, (*tournamentScreen).comeBack},
	op.ResumeTournament.Info().Name:     {"y", func(v *tournamentScreen) bool { return v.isAwaited() && v.sheet.Phase != tournament.PhaseCheckIn }, (*tournamentScreen).comeBack},
	op.WithdrawTournament.Info().Name:   {"x", (*tournamentScreen).mayWithdraw, (*tournamentScreen).withdraw},
	op.PauseTournament.Info().Name:      {"", (*tournamentScreen).mayPause, (*tournamentScreen).pause},
	op.ByeTournament.Info().Name:        {"", (*tournamentScreen).mayAskBye, (*tournamentScreen).askBye},
	op.TournamentWhy.Info().Name:        {"", func(v *tournamentScreen) bool { return v.selectedPlayer() >= 0 && len(v.sheet.Rounds) > 0 }, (*tournamentScreen).why},
	op.StartTournament.Info().Name:      {"", (*tournamentScreen).mayStart, (*tournamentScreen).start},
	op.EditTournament.Info().Name:       {"", (*tournamentScreen).mayStart, func(v *tournamentScreen) tea.Cmd { return v.Shell.Open(dest.EditTournament{ID: v.sheet.ID}) }},
	op.ExtendTournament.Info().Name:     {"", func(v *tournamentScreen) bool { return v.mayDirect() && v.sheet.Phase == tournament.PhaseRunning }, (*tournamentScreen).extend},
	op.RuleTournament.Info().Name:       {"", func(v *tournamentScreen) bool { return v.mayDirect() && v.sheet.Phase == tournament.PhaseRunning }, (*tournamentScreen).rule},
	op.RemoveFromTournament.Info().Name: {"", (*tournamentScreen).mayRemove, (*tournamentScreen).remove},
	op.LetIntoTournament.Info().Name:    {"", (*tournamentScreen).mayLetIn, (*tournamentScreen).letIn},
	op.CancelTournament.Info().Name:     {"", (*tournamentScreen).mayDirect, (*tournamentScreen).cancel},
}

// change runs an operation and shows what it says.
func change[A any](sh *screen.Shell, o *op.Op[A, op.Done], in A) tea.Cmd {
	return screen.Run(sh, o, in, func(done op.Done) tea.Cmd {
		cmd := sh.Refresh() // first, so that the text stays
		sh.Notify("%s", string(done))
		return cmd
	})
}

func (v *tournamentScreen) one() op.OneTournament {
	return op.OneTournament{Tournament: op.TournamentID(v.sheet.ID)}
}

// enter asks whether the user wants to enter a tournament, with its terms.
func enter(sh *screen.Shell, s *tournament.State) tea.Cmd {
	text := fmt.Sprintf("Enter %s? %s, %s.", s.Terms.Name, op.TournamentTitle(s), lengthOf(s))
	if s.Terms.Control.IsLive() {
		text += " Your games begin by themselves: be here then."
	} else {
		text += " Your games begin by themselves."
	}
	return sh.Ask(screen.YesNo(text, "enter", "cancel", func() tea.Cmd {
		return change(sh, op.EnterTournament, op.OneTournament{Tournament: op.TournamentID(s.ID)})
	}))
}

// lengthOf says how many rounds a tournament has.
func lengthOf(s *tournament.State) string {
	t := &s.Terms
	switch {
	case s.Planned > 0:
		return words.Plural(s.Planned, "round")
	case t.Format == tournament.FormatRoundRobin && t.Legs > 1:
		return "everyone plays everyone twice"
	case t.Format == tournament.FormatRoundRobin:
		return "everyone plays everyone"
	case t.Rounds > 0:
		return words.Plural(t.Rounds, "round")
	}
	return "as many rounds as the players need"
}

func (v *tournamentScreen) mayEnter() bool {
	return !v.me().IsGuest() && v.sheet.IsOpenTo(v.me().ID)
}

func (v *tournamentScreen) enter() tea.Cmd { return enter(v.Shell, v.sheet.State) }

// isAwaited reports whether the user has to check in or to resume.
func (v *tournamentScreen) isAwaited() bool {
	me := v.own()
	if me < 0 || v.sheet.IsOver() {
		return false
	}
	p := &v.sheet.Players[me]
	return p.Status == tournament.StatusPaused || p.Status == tournament.StatusIn && v.sheet.Phase == tournament.PhaseCheckIn && !p.IsCheckedIn
}

func (v *tournamentScreen) comeBack() tea.Cmd {
	if v.sheet.Phase == tournament.PhaseCheckIn {
		return change(v.Shell, op.CheckInTournament, v.one())
	}
	return change(v.Shell, op.ResumeTournament, v.one())
}

func (v *tournamentScreen) mayWithdraw() bool {
	me := v.own()
	return me >= 0 && v.sheet.Players[me].IsIn() && !v.sheet.IsOver()
}

// withdraw asks whether the user wants to withdraw, or only to pause.
func (v *tournamentScreen) withdraw() tea.Cmd {
	q := screen.YesNo("Withdraw from "+v.sheet.Terms.Name+"? You can enter again until it starts.", "withdraw", "stay", func() tea.Cmd {
		return change(v.Shell, op.WithdrawTournament, v.one())
	})
	if v.sheet.HasStarted() {
		q.Text = "Withdraw from " + v.sheet.Terms.Name + "? You play no further round and cannot enter again; a running game goes on."
		if v.sheet.Terms.Format == tournament.FormatRoundRobin {
			q.Text += " If fewer than half of your games were played, none of them counts."
		}
	}
	if v.mayPause() {
		q.Answers = append(q.Answers, screen.Answer{Key: game.Key{Key: "p", Help: "only pause"}, Do: v.pause})
	}
	return v.Shell.Ask(q)
}

func (v *tournamentScreen) mayPause() bool {
	me := v.own()
	return me >= 0 && v.sheet.Players[me].Status == tournament.StatusIn && v.sheet.HasStarted() && !v.sheet.IsOver()
}

func (v *tournamentScreen) pause() tea.Cmd { return change(v.Shell, op.PauseTournament, v.one()) }

func (v *tournamentScreen) mayAskBye() bool {
	return v.mayPause() && v.sheet.Terms.Format == tournament.FormatSwiss && len(v.sheet.Rounds) < v.sheet.Planned
}

// askBye asks whether the user wants half a point instead of a game in the next round.
func (v *tournamentScreen) askBye() tea.Cmd {
	round := len(v.sheet.Rounds) + 1
	return v.Shell.Ask(screen.YesNo(fmt.Sprintf("Half a point instead of a game in round %d? It cannot be taken back.", round), "ask for it", "cancel", func() tea.Cmd {
		return change(v.Shell, op.ByeTournament, op.ByeArgs{Tournament: op.TournamentID(v.sheet.ID), Round: round})
	}))
}

func (v *tournamentScreen) mayStart() bool {
	return v.mayDirect() && v.sheet.Phase == tournament.PhaseOpen
}

// start asks whether the tournament is to start.
func (v *tournamentScreen) start() tea.Cmd {
	text := "Start " + v.sheet.Terms.Name + " with " + words.Plural(v.sheet.view.Entered, "player") + "?"
	if v.sheet.Terms.CheckIn > 0 {
		text = "Open the check-in of " + v.sheet.Terms.Name + "? It takes " + words.Seconds(v.sheet.Terms.CheckIn) + ", and then the first round begins."
	}
	return v.Shell.Ask(screen.YesNo(text, "start", "wait", func() tea.Cmd { return change(v.Shell, op.StartTournament, v.one()) }))
}

// direct asks what the organizer wants to do.
func (v *tournamentScreen) direct() tea.Cmd {
	q := &screen.Question{Text: "You organize this tournament. What do you want to do?", Dismiss: "nothing"}
	add := func(key, help string, o interface{ Info() *op.Info }) {
		if does := operations[o.Info().Name]; does.works(v) {
			q.Answers = append(q.Answers, screen.Answer{Key: game.Key{Key: key, Help: help}, Do: func() tea.Cmd { return does.do(v) }})
		}
	}
	add("s", "start", op.StartTournament)
	add("e", "change the terms", op.EditTournament)
	add("r", "decide a game", op.RuleTournament)
	add("t", "more time", op.ExtendTournament)
	add("o", "take a player out", op.RemoveFromTournament)
	add("l", "let a player in", op.LetIntoTournament)
	add("c", "cancel it", op.CancelTournament)
	return v.Shell.Ask(q)
}

// extend asks for the time by which the round may take longer.
func (v *tournamentScreen) extend() tea.Cmd {
	p := &screen.Prompt{TextField: widget.TextField{Limit: 4}, Label: "By how many hours may the round take longer", EnterHelp: "extend"}
	p.Enter = func(text string) tea.Cmd {
		hours, err := strconv.Atoi(text)
		if err != nil || hours < 1 {
			p.Set(text)
			p.Failure = "Type a number of hours, such as 2."
			return v.Shell.OpenPrompt(p)
		}
		return change(v.Shell, op.ExtendTournament, op.ExtendArgs{Tournament: op.TournamentID(v.sheet.ID), Hours: hours})
	}
	return v.Shell.OpenPrompt(p)
}

func (v *tournamentScreen) mayRemove() bool { return v.mayDirect() && v.sheet.view.Entered > 0 }

// remove asks why the selected player is taken out, and then whether it is meant.
func (v *tournamentScreen) remove() tea.Cmd {
	i := v.selectedPlayer()
	if i < 0 || !v.sheet.Players[i].IsIn() {
		v.Shell.Notify("Select a player of the table first who is in.")
		return nil
	}
	name := v.sheet.name(i)
	p := &screen.Prompt{TextField: widget.TextField{Limit: tournament.MaxNote}, Label: "Why is " + name + " taken out (everyone reads it)", EnterHelp: "continue"}
	p.Enter = func(reason string) tea.Cmd {
		text := "Take " + name + " out of " + v.sheet.Terms.Name + "? They are told, and cannot enter again unless you let them in."
		if v.sheet.HasStarted() {
			text += " A running game goes on."
			if v.sheet.Terms.Format == tournament.FormatRoundRobin {
				text = "Take " + name + " out of " + v.sheet.Terms.Name + "? They are told. A running game goes on; if fewer than half of their games were played, none of them counts. It cannot be undone."
			}
		}
		return v.Shell.Ask(screen.YesNo(text, "take out", "cancel", func() tea.Cmd {
			return change(v.Shell, op.RemoveFromTournament, op.RemoveArgs{Tournament: op.TournamentID(v.sheet.ID), Player: name, Reason: reason})
		}))
	}
	return v.Shell.OpenPrompt(p)
}

func (v *tournamentScreen) mayLetIn() bool {
	return v.mayDirect() && len(v.sheet.view.Removed) > 0 && !(v.sheet.HasStarted() && v.sheet.Terms.Format == tournament.FormatRoundRobin)
}

// letIn asks which of the players who were taken out may take part again.
func (v *tournamentScreen) letIn() tea.Cmd {
	do := func(name string) tea.Cmd {
		return change(v.Shell, op.LetIntoTournament, op.LetInArgs{Tournament: op.TournamentID(v.sheet.ID), Player: name})
	}
	removed := v.sheet.view.Removed
	if len(removed) == 1 {
		return v.Shell.Ask(screen.YesNo("Let "+removed[0].Name+" take part again?", "let in", "cancel", func() tea.Cmd { return do(removed[0].Name) }))
	}
	p := &screen.Prompt{TextField: widget.TextField{Limit: 16}, Label: "Who may take part again", EnterHelp: "let in"}
	p.Set(removed[len(removed)-1].Name)
	p.Enter = do
	return v.Shell.OpenPrompt(p)
}

// rule asks how the selected game is decided, and why.
func (v *tournamentScreen) rule() tea.Cmd {
	g := v.selectedGame()
	if g == nil || g.IsOver() {
		v.Shell.Notify("Select a running game first, or a player of one.")
		return nil
	}
	q := &screen.Question{Text: "Decide the game of table " + strconv.Itoa(g.Table) + ": who wins?", Dismiss: "nobody decides"}
	ask := func(key, help, winner string) {
		q.Answers = append(q.Answers, screen.Answer{Key: game.Key{Key: key, Help: help}, Do: func() tea.Cmd { return v.ruleFor(g, winner) }})
	}
	for seat, p := range g.Seats {
		ask(strconv.Itoa(seat+1), v.sheet.name(p), v.sheet.name(p))
	}
	ask("d", "drawn", "draw")
	return v.Shell.Ask(q)
}

// ruleFor asks for the reason of a ruling, and then whether it is meant.
func (v *tournamentScreen) ruleFor(g *tournament.Game, winner string) tea.Cmd {
	p := &screen.Prompt{TextField: widget.TextField{Limit: tournament.MaxNote}, Label: "Why (everyone reads it)", EnterHelp: "continue"}
	p.Enter = func(reason string) tea.Cmd {
		text := "Decide the game of table " + strconv.Itoa(g.Table) + ": " + winner + " wins"
		if winner == "draw" {
			text = "Decide the game of table " + strconv.Itoa(g.Table) + " as drawn"
		}
		return v.Shell.Ask(screen.YesNo(text+"? All players are told, and it cannot be undone.", "decide", "cancel", func() tea.Cmd {
			return change(v.Shell, op.RuleTournament, op.RuleArgs{
				Tournament: op.TournamentID(v.sheet.ID), Match: tournament.MatchID(v.sheet.ID, g.Round, g.Table), Winner: winner, Reason: reason,
			})
		}))
	}
	return v.Shell.OpenPrompt(p)
}

// cancel asks for the reason why the tournament is cancelled, and then whether it is meant.
func (v *tournamentScreen) cancel() tea.Cmd {
	p := &screen.Prompt{TextField: widget.TextField{Limit: tournament.MaxNote}, Label: "Why is it cancelled (everyone reads it)", EnterHelp: "continue"}
	p.Enter = func(reason string) tea.Cmd {
		return v.Shell.Ask(screen.YesNo("Cancel "+v.sheet.Terms.Name+"? All players are told, running games end without a result, and it cannot be undone.", "cancel it", "keep it", func() tea.Cmd {
			return change(v.Shell, op.CancelTournament, op.ReasonArgs{Tournament: op.TournamentID(v.sheet.ID), Reason: reason})
		}))
	}
	return v.Shell.OpenPrompt(p)
}

// ownLine says what the user can or should do now, whether it waits for them, and when time alone changes the text; zero: never.
func (v *tournamentScreen) ownLine(now time.Time) (text string, isDue bool, until time.Time) {
	s, me := v.sheet, v.own()
	switch {
	case s.Phase == tournament.PhaseCancelled:
		return "", false, until
	case me < 0 && v.me().IsGuest() && !s.IsOver():
		return "You watch as a guest. To enter a tournament, connect with an SSH key.", false, until
	case me < 0 && s.IsRemoved(v.me().ID) && !s.IsOver():
		return "The organizer has taken you out.", false, until
	case me < 0 && v.mayEnter() && s.HasStarted():
		return "Late entry is possible: press y. You get half a point for each missed round, at most for two.", false, until
	case me < 0 && v.mayEnter():
		return "You can enter: press y.", false, until
	case me < 0:
		return "", false, until
	}
	p := &s.Players[me]
	switch {
	case s.IsRemoved(p.User):
		return "The organizer has taken you out.", false, until
	case p.Status == tournament.StatusWithdrawn && !s.IsOver():
		return "You have withdrawn.", false, until
	case p.Status == tournament.StatusBanned:
		return "You were taken out.", false, until
	case s.Phase == tournament.PhaseOpen:
		return "You have entered. Your games begin by themselves.", false, until
	case s.Phase == tournament.PhaseCheckIn && !p.IsCheckedIn:
		return "▸ Are you here? Press y, or the tournament starts without you.", true, until
	case s.Phase == tournament.PhaseCheckIn:
		return "You are checked in. Your first game begins by itself.", false, until
	}
	if g := v.ownGame(); g != nil {
		return v.ownGameLine(g, me, now)
	}
	if p.Status == tournament.StatusPaused && !s.IsOver() {
		return "▸ You are paused and are not paired. Press y to resume.", true, until
	}
	at := s.standings[slices.IndexFunc(s.standings, func(at tournament.Standing) bool { return at.Player == me })]
	text = fmt.Sprintf("You are %s of %d with %s.", tournament.Ordinal(at.Place), len(s.Players), v.pointsText(at.Points))
	if s.possible != nil && !s.IsOver() && s.possible[me].Best != s.possible[me].Worst {
		text += fmt.Sprintf(" You can become %s to %s.", tournament.Ordinal(s.possible[me].Best), tournament.Ordinal(s.possible[me].Worst))
	}
	if n := len(s.Rounds); n > 0 && !s.IsOver() {
		if g, _ := s.gameOf(me, n); g != nil && g.Kind == tournament.GameBye && s.Phase == tournament.PhaseRunning {
			text += " You have no opponent in this round."
		}
	}
	return text, false, until
}

// ownGameLine says how a running game of the user stands.
func (v *tournamentScreen) ownGameLine(g *tournament.Game, me int, now time.Time) (text string, isDue bool, until time.Time) {
	s := v.sheet
	text = "▸ Your game"
	if len(g.Seats) == 2 {
		text += " with " + s.name(g.Seats[1-slices.Index(g.Seats, me)])
	} else {
		text += " at table " + strconv.Itoa(g.Table)
	}
	m := v.match(g)
	if m == nil {
		return text + " begins.", false, until
	}
	snap := v.Shell.Session.Snapshot(m)
	seat, _ := snap.ActingSeat(v.me().ID)
	isDue = !snap.IsOver() && snap.Position.Turn() == seat
	text += fmt.Sprintf(": turn %d", snap.Turns)
	if isDue {
		text += ", your turn"
	}
	if left, ok := snap.Remaining(seat, now); ok && isDue {
		text += ", " + words.Clock(left) + " left"
		until = now.Add(words.NextClockChange(left))
	}
	if n := s.runningGames(me); n > 1 {
		text += fmt.Sprintf(". You have %d running games; press > in the lobby for the next one that waits for you.", n)
		return text, isDue, until
	}
	return text + ". Enter opens it.", isDue, until
}
