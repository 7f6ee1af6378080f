package tournaments

import (
	"context"
	"image"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/tournament"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/preview"
	"ayumu/tui/widget"
)

// part is a part of the screen of a tournament.
type part int

// The parts, in their order.
const (
	partTable part = iota
	partRound
	partRounds
	partRules
	partCount
)

// tournamentScreen is the screen of a tournament.
type tournamentScreen struct {
	screen.Base
	sheet    *sheet
	loading  int // version that is being read; 0: none
	part     part
	cursors  [partCount]widget.ListCursor
	round    int // of partRound; 0: the latest
	top      int // the first line of partRound that is shown
	last     int // the index after the last row that was drawn
	rules    widget.Scroll
	chat     screen.ShownChat
	boards   *preview.Boards
	tabs     [partCount]image.Rectangle // where they were drawn
	list     image.Rectangle            // where the rows were drawn
	rowLines []int                      // of partRound: the row of each line of list, -1 for none
}

// OpenTournament shows a tournament.
func OpenTournament(sh *screen.Shell, d dest.Tournament) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (*sheet, error) {
		r, err := op.Tournament.Run(ctx, sh.Visit, op.TournamentArgs{Tournament: op.TournamentID(d.ID), Limit: new(1)})
		if err != nil {
			return nil, err
		}
		return sheetOf(sh, r), nil
	}, func(s *sheet) tea.Cmd {
		v := &tournamentScreen{Base: screen.Base{Shell: sh}, sheet: s, boards: preview.BoardsOf(sh.Shared)}
		if me := s.PlayerIndex(v.me().ID); me >= 0 {
			v.cursors[partTable].Index = slices.IndexFunc(s.standings, func(at tournament.Standing) bool { return at.Player == me })
		}
		return sh.Push(v)
	})
}

// The ranks of the keys in the status bar.
const (
	rankNow = iota * 10
	rankOften
	rankRest
)

var bindings = screen.Bindings[*tournamentScreen]{
	{Key: screen.Keys("y", "y", "enter the tournament"), Rank: rankNow, When: (*tournamentScreen).mayEnter, Label: "enter", Do: (*tournamentScreen).enter},
	{Key: screen.Keys("y", "y", "check in before the start, or resume after a pause"), Rank: rankNow, When: func(v *tournamentScreen) bool { return v.isAwaited() }, LabelOf: func(v *tournamentScreen) string {
		if v.sheet.Phase == tournament.PhaseCheckIn {
			return "I am here"
		}
		return "resume"
	}, Do: (*tournamentScreen).comeBack},
	{Key: screen.Keys("enter space", "Enter", "open the game of the selected player, or the selected game or round: play, watch or replay it"), Rank: rankNow + 1, When: func(v *tournamentScreen) bool { return v.openLabel() != "" }, LabelOf: (*tournamentScreen).openLabel, Do: (*tournamentScreen).open},
	{Key: screen.Keys("right tab", "← →", "another part: the table, the games of a round, all rounds, the rules"), Label: "part", Rank: rankOften, Do: func(v *tournamentScreen) tea.Cmd { return v.show((v.part + 1) % partCount) }},
	{Key: screen.Keys("left shift+tab", "", ""), Do: func(v *tournamentScreen) tea.Cmd { return v.show((v.part + partCount - 1) % partCount) }},
	{Key: screen.Keys("w", "w", "watch the game of the selected player, or the selected game"), Rank: rankOften, When: func(v *tournamentScreen) bool { g := v.selectedGame(); return g != nil && !g.IsOver() }, Label: "watch", Do: func(v *tournamentScreen) tea.Cmd { return v.openGame(v.selectedGame()) }},
	{Key: screen.NoKey("see why the selected player has that place and that opponent"), Operation: op.TournamentWhy.Info().Name, Rank: rankOften + 1, When: func(v *tournamentScreen) bool { return v.selectedPlayer() >= 0 && len(v.sheet.Rounds) > 0 }, Label: "why", Do: (*tournamentScreen).why},
	{Key: screen.Keys("t", "t", "write to the players of the tournament and those who follow it"), Label: "chat", Rank: rankOften + 2, When: (*tournamentScreen).hasChat, Do: func(v *tournamentScreen) tea.Cmd {
		return v.Shell.OpenChat("Message to "+v.sheet.Terms.Name, func(text string) error { return v.Shell.Session.SayInTournament(v.sheet.ID, text) })
	}},
	{Key: screen.Keys("x", "x", "withdraw from the tournament, or pause"), Label: "withdraw", Rank: rankRest, When: (*tournamentScreen).mayWithdraw, Do: (*tournamentScreen).withdraw},
	{Key: screen.Keys("i", "i", "profile of the selected player"), When: func(v *tournamentScreen) bool { return v.selectedPlayer() >= 0 }, Do: func(v *tournamentScreen) tea.Cmd {
		return v.Shell.Open(dest.Profile{ID: v.sheet.Players[v.selectedPlayer()].User})
	}},
	{Key: screen.NoKey("for the organizer and moderators: start or cancel the tournament, change its terms, give a round more time, decide a game, take a player out"), Command: "organize", Rank: rankNow + 2, When: (*tournamentScreen).mayDirect, Listed: (*tournamentScreen).isDirector, Label: "organize", Do: (*tournamentScreen).direct},
	{Key: screen.Keys(screen.CursorNames, "↑ ↓", "select a row"), DoKey: (*tournamentScreen).move},
	screen.BackKey[*tournamentScreen](),
	screen.HelpKey[*tournamentScreen](),
}

func (v *tournamentScreen) me() account.Account { return v.Shell.Session.Account() }

// own returns the index of the user's player, or -1.
func (v *tournamentScreen) own() int { return v.sheet.PlayerIndex(v.me().ID) }

// ownGame returns a running game of the user; nil: there is none.
func (v *tournamentScreen) ownGame() *tournament.Game {
	if me := v.own(); me >= 0 {
		return v.sheet.Running(me)
	}
	return nil
}

// match returns the match of a game in which the user has a seat, if it is in memory; nil otherwise.
func (v *tournamentScreen) match(g *tournament.Game) *lobby.Match {
	id := tournament.MatchID(v.sheet.ID, g.Round, g.Table)
	for _, m := range v.Shell.Session.SeatedMatches() {
		if m.Info.ID == id {
			return m
		}
	}
	return nil
}

// rows returns the number of rows of the part that is shown.
func (v *tournamentScreen) rows() int {
	switch v.part {
	case partTable:
		return len(v.sheet.standings)
	case partRound:
		return len(v.games())
	case partRounds:
		return len(v.sheet.Rounds)
	}
	return 0
}

// shownRound returns the number of the round of partRound; 0: none has been paired.
func (v *tournamentScreen) shownRound() int {
	if v.round == 0 {
		return len(v.sheet.Rounds)
	}
	return min(v.round, len(v.sheet.Rounds))
}

// games returns the games of partRound.
func (v *tournamentScreen) games() []*tournament.Game {
	if n := v.shownRound(); n > 0 {
		return v.sheet.Rounds[n-1].Games
	}
	return nil
}

// selectedPlayer returns the index of the selected player of the table, or -1.
func (v *tournamentScreen) selectedPlayer() int {
	if i := v.cursors[partTable].Index; v.part == partTable && i < len(v.sheet.standings) {
		return v.sheet.standings[i].Player
	}
	return -1
}

// selectedGame returns the selected game, in the table the running or else the latest one of the selected player; nil: there is none.
func (v *tournamentScreen) selectedGame() *tournament.Game {
	switch v.part {
	case partTable:
		p := v.selectedPlayer()
		if p < 0 {
			return nil
		}
		if g := v.sheet.Running(p); g != nil {
			return g
		}
		for n := len(v.sheet.Rounds); n > 0; n-- {
			if g, _ := v.sheet.gameOf(p, n); g != nil && g.Table > 0 {
				return g
			}
		}
	case partRound:
		if games := v.games(); v.cursors[partRound].Index < len(games) {
			if g := games[v.cursors[partRound].Index]; g.Table > 0 {
				return g
			}
		}
	}
	return nil
}

// openLabel returns what opening the selection does; "": nothing.
func (v *tournamentScreen) openLabel() string {
	if v.part == partRounds {
		if len(v.sheet.Rounds) > 0 {
			return "games"
		}
		return ""
	}
	switch g := v.selectedGame(); {
	case g == nil:
		return ""
	case g.IsOver():
		return "replay"
	case slices.Contains(g.Seats, v.own()):
		return "play"
	}
	return "watch"
}

// open opens the selection.
func (v *tournamentScreen) open() tea.Cmd {
	if v.part == partRounds {
		v.round = len(v.sheet.Rounds) - v.cursors[partRounds].Index
		v.cursors[partRound] = widget.ListCursor{}
		return v.show(partRound)
	}
	return v.openGame(v.selectedGame())
}

// openGame opens a game: it is played, watched or replayed.
func (v *tournamentScreen) openGame(g *tournament.Game) tea.Cmd {
	if g == nil {
		return nil
	}
	id := tournament.MatchID(v.sheet.ID, g.Round, g.Table)
	if g.IsOver() {
		return v.Shell.Open(dest.Replay{ID: id})
	}
	return v.Shell.Open(dest.Match{ID: id, Returns: true})
}

// show shows a part.
func (v *tournamentScreen) show(p part) tea.Cmd {
	if v.part == partRound && p != partRound {
		v.round = 0
	}
	v.part = p
	return nil
}

// move moves the cursor, or scrolls the rules.
func (v *tournamentScreen) move(key string) tea.Cmd {
	if v.part == partRules {
		v.rules.Key(key)
		return nil
	}
	v.cursors[v.part].Key(key, v.rows())
	return nil
}

// why explains the place of the selected player.
func (v *tournamentScreen) why() tea.Cmd {
	p := v.selectedPlayer()
	if p < 0 || len(v.sheet.Rounds) == 0 {
		return nil
	}
	return v.Shell.Open(dest.Text{Title: "Why " + v.sheet.name(p) + " is " + tournament.Ordinal(v.sheet.place[p]), Body: v.sheet.whyText(p)})
}

// hasChat reports whether the tournament has a chat room now.
func (v *tournamentScreen) hasChat() bool {
	return v.Shell.Session.Lobby().Tournaments.Chat(v.sheet.ID) != nil
}

// isDirector reports whether the user may direct the tournament.
func (v *tournamentScreen) isDirector() bool {
	return v.sheet.Organizer == v.me().ID || v.Shell.Config.Can(club.PermissionDirect)
}

func (v *tournamentScreen) mayDirect() bool { return v.isDirector() && !v.sheet.IsOver() }

// Handle implements screen.Screen.
func (v *tournamentScreen) Handle(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok && click.Button == tea.MouseLeft {
		at := image.Pt(click.X, click.Y)
		for p, area := range v.tabs {
			if at.In(area) {
				return v.show(part(p))
			}
		}
		if !at.In(v.list) {
			return nil
		}
		if v.part == partRound {
			if line := click.Y - v.list.Min.Y; line < len(v.rowLines) && v.rowLines[line] >= 0 {
				again := v.cursors[partRound].Index == v.rowLines[line]
				v.cursors[partRound].Index = v.rowLines[line]
				if again {
					return v.open()
				}
			}
			return nil
		}
	}
	name := ""
	switch {
	case v.part == partRules:
		name = v.rules.Input(msg)
	default:
		name = v.cursors[v.part].Input(msg, v.rows())
	}
	if name == "" {
		return nil
	}
	return bindings.HandleLast(v, name)
}

// Refresh shows the newest state. The names of those who have entered since are read in a goroutine of their own.
func (v *tournamentScreen) Refresh() tea.Cmd {
	sh, shown := v.Shell, v.sheet
	sh.Session.FollowTournament(shown.ID)
	ts := &sh.Session.Lobby().Tournaments
	now := ts.Known(shown.ID)
	if now == nil || now.Version <= max(shown.Version, v.loading) {
		return nil
	}
	v.loading = now.Version
	return screen.Try(sh, func(ctx context.Context) (*sheet, error) {
		names, err := ts.NamesIn(ctx, now)
		if err != nil {
			return nil, err
		}
		return sheetOf(sh, op.TournamentResult{State: now, Names: names}), nil
	}, func(s *sheet, err error) tea.Cmd {
		v.loading = 0
		if err != nil {
			sh.NotifyFailure(err)
			return nil
		}
		v.use(s)
		return v.Refresh() // it may have changed meanwhile
	})
}

// use shows another state. The cursor of the table stays on its player.
func (v *tournamentScreen) use(s *sheet) {
	if s.Version <= v.sheet.Version {
		return
	}
	selected, before := -1, v.sheet
	if i := v.cursors[partTable].Index; i < len(before.standings) {
		selected = before.standings[i].Player
	}
	v.sheet = s
	if selected >= 0 {
		user := before.Players[selected].User
		if i := slices.IndexFunc(s.standings, func(at tournament.Standing) bool { return s.Players[at.Player].User == user }); i >= 0 {
			v.cursors[partTable].Index = i
		}
	}
	for p := range v.cursors {
		v.cursors[p].Index = max(min(v.cursors[p].Index, v.count(part(p))-1), 0)
	}
}

// count returns the number of rows of a part.
func (v *tournamentScreen) count(p part) int {
	shown := v.part
	v.part = p
	n := v.rows()
	v.part = shown
	return n
}

// Close stops following the tournament, unless the user has entered it.
func (v *tournamentScreen) Close() { v.Shell.Session.FollowTournament("") }

// NextChange returns when a countdown or a clock that is shown changes.
func (v *tournamentScreen) NextChange(now time.Time) time.Time {
	_, next := v.sheet.phase(now)
	if _, _, until := v.ownLine(now); !until.IsZero() && (next.IsZero() || until.Before(next)) {
		next = until
	}
	return next
}

// Traits implements screen.Screen.
func (v *tournamentScreen) Traits() screen.Traits {
	t := screen.Traits{Name: "tournament", ShowsLists: true, IsWatching: true, Operates: make(map[string]string)}
	for name, o := range operations {
		if o.works(v) {
			t.Operates[name] = o.key
		}
	}
	return t
}

// Operate implements screen.OperationHandler: without words an operation is about this tournament.
func (v *tournamentScreen) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	o, ok := operations[name]
	if !ok || args != "" || !o.works(v) {
		return nil, false
	}
	return o.do(v), true
}

// Commands implements screen.Commander.
func (v *tournamentScreen) Commands() []screen.Command { return bindings.Commands(v) }

// StatusKeys implements screen.Screen.
func (v *tournamentScreen) StatusKeys() []game.Key { return bindings.Status(v) }

// StatusLine explains the signs of the table.
func (v *tournamentScreen) StatusLine() (string, paint.Style) {
	return v.legend(v.Shell.Width - 2), v.Shell.Style.Theme.Dim
}

// Help implements screen.Screen.
func (v *tournamentScreen) Help() screen.Help {
	about := "The table has the places of all players. In each round stands the result with the opponent's place: + won, - lost, = drawn, ▸ running, and b or w for who had black or white at the start; ! is a game that was decided without being played."
	switch {
	case v.sheet.isAtTables():
		about = "The standing has the places of all players. In each round stands the place at the table, such as 1/4, and ▸ with the number of a table that still plays. A table of k brings (k − place)/(k − 1) points, and one more for the win."
	case v.sheet.Terms.Format == tournament.FormatRoundRobin:
		about = "The table has the places of all players, and for each opponent, by their place, the result: + won, - lost, = drawn, ▸ running, · still to come."
	}
	return screen.Help{Title: v.sheet.Terms.Name, About: about + " A wide window has the board of the selected game beside it, or else that of the first table. Tie-breaks decide between equal points; s explains them for the selected player. What has no key here is in the palette: pause, ask for a bye, withdraw. Times are UTC.", Keys: bindings.Help(v)}
}

// partTitle returns the title of a part.
func (v *tournamentScreen) partTitle(p part) string {
	switch p {
	case partTable:
		if v.sheet.isAtTables() {
			return "Standing"
		}
		return "Table"
	case partRound:
		if n := v.shownRound(); n > 0 && !v.sheet.isAtTables() {
			return "Round " + strconv.Itoa(n)
		}
		if v.sheet.isAtTables() {
			return "Tables"
		}
		return "Round"
	case partRounds:
		return "Rounds"
	}
	return "Rules"
}
