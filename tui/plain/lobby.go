package plain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// lobbyCommands are the commands for the lists, for going to games and for chat.
type lobbyCommands struct{ *session }

func (t lobbyCommands) printWho(string) {
	v := t.visit.Session.Lobby().View()
	t.printf("%s:", words.Online(v.Users))
	for p := range v.Users.All() {
		text := words.BotName(p.Name, t.config.Bots.Level(p.ID))
		if p.Bot {
			text += ", a bot"
		}
		for _, g := range t.config.Games {
			if r, ok := p.Ratings[g.Name()]; ok {
				text += ", " + g.Name() + " " + words.Rating(r)
			}
		}
		if p.Match != "" {
			text += ", playing"
		}
		t.printf("%s.", text)
	}
}

// printMatches lists the user's matches and those to watch; with the argument all also those whose players are away.
func (t lobbyCommands) printMatches(args string) {
	t.games = nil
	t.printOwnMatches(true)
	v := t.visit.Session.Lobby().View()
	now := time.Now()
	listed := v.WatchableBy(t.visit.Session.Account().ID)
	var abandoned []*lobby.MatchListing
	for _, m := range v.Matches {
		if m.Interest == lobby.InterestNone && !slices.Contains(t.games, m.ID) {
			abandoned = append(abandoned, m)
		}
	}
	if args == "all" {
		listed, abandoned = append(listed, abandoned...), nil
	}
	for _, m := range listed {
		t.games = append(t.games, m.ID)
		var names []string
		for _, s := range m.Info.Seats {
			names = append(names, words.NameAndRating(t.config.LongName(s), s.Rating))
		}
		text := fmt.Sprintf("%d: %s, %s, %s, %s, last turn %s", len(t.games), strings.Join(names, " and "),
			m.Info.Title(), words.Terms(m.Info.Control, m.Info.Rated), words.Plural(m.Turns, "turn"), agoText(now.Sub(m.LastAt)))
		if m.Spectators > 0 {
			text += ", " + words.Plural(m.Spectators, "spectator")
		}
		if m.ID == v.Featured {
			text += ", the featured game"
		}
		if m.Interest == lobby.InterestNone {
			text += ", its players are away"
		}
		t.printf("%s.", text)
	}
	if len(t.games) == 0 {
		t.printf("No games in progress.")
	} else {
		t.printf("Type watch or play and a number to go to a game.")
	}
	switch n := len(abandoned); n {
	case 0:
	case 1:
		t.printf("1 game is not listed because its players are away. Type games all to list it.")
	default:
		t.printf("%d games are not listed because their players are away. Type games all to list them.", n)
	}
}

func agoText(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return words.AgoText(d) + " ago"
}

// printOwnMatches lists the user's unfinished games, those first in which it is their turn. The list is the
// beginning of a longer one if withOthers is true.
func (t lobbyCommands) printOwnMatches(withOthers bool) {
	me := t.visit.Session.Account().ID
	t.games = nil
	for _, mine := range []bool{true, false} {
		for _, m := range t.visit.Session.Matches().Seated() {
			s := t.visit.Session.Matches().Snapshot(m)
			seat := slices.IndexFunc(m.Info.Seats, func(s lobby.Seat) bool { return s.Account == me })
			if s.IsOver() || (s.Position.Turn() == seat) != mine {
				continue
			}
			t.games = append(t.games, m.Info.ID)
			turn := "waiting for your opponent"
			if len(m.Info.Seats) > 2 {
				turn = "waiting for your opponents"
			}
			switch {
			case mine:
				turn = "your turn"
			case !t.visit.Session.Matches().IsPlaying(m):
				turn = "you left it"
			default:
				if until, ok := s.OnVacation(s.Position.Turn()); ok {
					turn += ", who is " + words.OnVacation(until)
				}
			}
			t.printf("%d: your game %s, %s, %s: %s.", len(t.games), words.WithOpponents(m.Info, me), m.Info.Title(), words.Terms(m.Info.Control, m.Info.Rated), turn)
		}
	}
	if len(t.games) > 0 && !withOthers {
		t.printf("Type play and a number to go to a game.")
	}
}

// watch opens a match: of the last list, by its id or code, or the one that a user plays.
func (t lobbyCommands) watch(args string) {
	if args == "" {
		t.printMatches("")
		return
	}
	id, ok := listedID(args, t.games)
	code := ""
	if !ok {
		id, code, _ = strings.Cut(args, " ")
		if u := t.visit.Session.Lobby().View().Users.Named(id); u != nil {
			if u.Match == "" {
				t.printf("%s is not playing. Type follow %s to watch the next game.", u.Name, u.Name)
				return
			}
			id = u.Match
		}
	}
	t.visit.Unfollow()
	t.open(op.Destination{Kind: op.ToMatch, ID: id, Code: code})
}

// follow makes the games of a user, or the featured ones, open by themselves.
func (t lobbyCommands) follow(name string) {
	if name == "" {
		t.visit.FollowFeatured()
	} else {
		u := t.visit.Session.Lobby().View().Users.Named(name)
		switch {
		case u == nil:
			t.printf("No player named %s is online.", name)
			return
		case u.ID == t.visit.Session.Account().ID:
			t.printf("This is you; your own games open by themselves.")
			return
		}
		t.visit.Follow(u.ID, u.Name)
	}
	t.printf("Following %s. Every next game opens by itself. Type unfollow to stop.", t.visit.Followed())
	t.openFollowed()
}

func (t lobbyCommands) unfollow(string) {
	if !t.visit.IsFollowing() {
		t.printf("You are not following anyone.")
		return
	}
	t.visit.Unfollow()
	t.printf("No more games open by themselves.")
}

// play opens one of the user's games: the one with the number args, or the only one.
func (t lobbyCommands) play(args string) {
	if id, ok := listedID(args, t.games); ok {
		t.openMatch(id, "")
		return
	}
	t.printOwnMatches(true)
	if len(t.games) == 0 {
		t.printf("You have no games in progress.")
		return
	}
	if len(t.games) == 1 {
		t.openMatch(t.games[0], "")
	}
}

// openNextWaiting opens the next game in which it is the user's turn, after the open one.
func (t lobbyCommands) openNextWaiting(string) {
	shown := ""
	if t.current != nil {
		shown = t.current.Live.Info.ID
	}
	list := t.visit.Waiting(shown)
	if len(list) == 0 {
		t.printf("It is not your turn in any other game.")
		return
	}
	if t.current != nil && t.current.ClockRuns() {
		t.printf("The game you are leaving continues and your clock keeps running.")
	}
	t.openMatch(list[0].Info.ID, "")
}

func (t lobbyCommands) chat(args string) {
	if args == "" {
		t.printf("Usage: say TEXT.")
		return
	}
	t.call(func(context.Context) error {
		if t.current == nil {
			return t.visit.Session.Say(args)
		}
		return t.current.Say(args)
	})
	t.printEvents()
}

// toLobby closes the match or the review.
func (t lobbyCommands) toLobby(string) {
	live := t.current != nil && t.current.ClockRuns()
	t.closeMatch()
	t.visit.Unfollow()
	t.visit.SkipChat()
	if live {
		t.printf("You are in the lobby. Your game continues and your clock keeps running. Type play to return.")
		return
	}
	t.printf("You are in the lobby.")
}
