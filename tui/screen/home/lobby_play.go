package home

import (
	"strconv"
	"strings"

	"ayumu/lobby/club"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/lists"
	"ayumu/tui/words"
)

// The keys of the rows of the section Play that do more than to open a screen.
const (
	keyQuick     = "p"
	keyChallenge = "c"
)

// newPlay returns what the section Play offers the user: the lessons first to someone who is new, and to whom the server
// belongs what a club needs.
func newPlay(sh *screen.Shell) (p lists.Play) {
	isNew := isNew(sh)
	if isNew {
		p.First = true
		addClub(sh, &p, club.PermissionMembers)
		p.Add(lists.Action{Key: "l", Name: "learn " + titles(sh.Config.Games), About: "on the board", To: dest.Lessons{}})
		if sh.Config.Bots != nil {
			p.Add(lists.Action{Key: "b", Name: "first game", About: firstGame(sh), To: dest.BotGame{}})
		}
	}
	p.Add(lists.Action{Key: keyQuick, Name: "quick match", About: lastQuick(sh)})
	if sh.Config.Bots != nil && !isNew {
		p.Add(lists.Action{Key: "b", Name: "bot", About: lastBot(sh), To: dest.BotGame{}})
	}
	p.Add(lists.Action{Key: "n", Name: "new table", About: "choose size and clock", To: dest.NewTable{}})
	if !isNew {
		p.Add(lists.Action{Key: keyChallenge, Name: "challenge", About: "a player by name"})
	}
	if sh.Config.Puzzles.Len() > 0 {
		p.Add(lists.Action{Key: "z", Name: "puzzles", About: "one for each day", To: dest.Puzzle{}})
	}
	if !isNew {
		addClub(sh, &p, club.PermissionSanctions)
	}
	return p
}

// addClub adds what a club needs, for those who have a permission.
func addClub(sh *screen.Shell, p *lists.Play, may club.Permission) {
	if sh.Config.Can(may) {
		p.Add(lists.Action{Name: "your club", About: "members, invitations, reports", To: dest.Moderation{}})
	}
}

// titles returns the titles of games: "A or B".
func titles(games game.List) string {
	var all []string
	for _, g := range games {
		all = append(all, g.Engine().Title())
	}
	return strings.Join(all, " or ")
}

// firstGame describes the game against a bot that a new user is offered.
func firstGame(sh *screen.Shell) string {
	return titles(sh.Config.Games)
}

// lastQuick describes the quick match that the user wanted last.
func lastQuick(sh *screen.Shell) string {
	w := sh.Visit.LastQuick()
	if text := wantedText(sh.Config.Games, w); text != "" && (w.Options != nil || w.Clock != "") {
		return "last: " + text
	}
	return "next free opponent"
}

// lastBot describes the bot against which the user played last.
func lastBot(sh *screen.Shell) string {
	last := sh.Visit.LastBotGame()
	text := sh.Config.Bots.Name(last.Level) + ", level " + strconv.Itoa(last.Level)
	if game := wantedText(sh.Config.Games, last.Wanted); game != "" {
		text += ", " + game
	}
	return text
}

// wantedText describes a game that a user wants: "GAME 9×9, 10+10"; "" if it can be any.
func wantedText(games game.List, w op.Wanted) string {
	g, ok := games.ByName(w.Game)
	if !ok {
		return ""
	}
	text := g.Engine().Title()
	if o, err := g.Engine().ParseOptions(w.Options); err == nil && w.Options != nil {
		text, _ = words.ListTitle(o)
	}
	if w.Clock != "" {
		if c := w.Control(); c != nil {
			text += ", " + c.String()
		}
	}
	return text
}
