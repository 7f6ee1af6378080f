package home

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// openSelected opens the selected row or user.
func (v *lobbyScreen) openSelected() tea.Cmd {
	sh := v.Shell
	if p, ok := v.selectedUser(); ok {
		if p.Match != "" {
			return sh.Open(dest.Match{ID: p.Match})
		}
		return v.challenge()
	}
	r, ok := v.selected()
	switch {
	case v.boardFocused && v.shown != nil && v.shown.Match() == "":
		return sh.Open(dest.Puzzle{})
	case v.boardFocused && v.shown != nil:
		return sh.Open(dest.Match{ID: v.shown.Match()})
	case !ok:
		sh.Notify("Nothing selected. Press p to find an opponent.")
	case r.Action != nil && r.Action.Key == keyQuick:
		return v.quickMatch()
	case r.Action != nil && r.Action.Key == keyChallenge:
		return v.challenge()
	case r.Action != nil:
		return sh.Open(r.Action.To)
	case r.Tournament != nil:
		return sh.Open(dest.Tournament{ID: r.Tournament.ID})
	case r.OwnMatch != nil:
		return sh.Open(dest.Match{ID: r.OwnMatch.Info.ID})
	case r.Listing != nil:
		return sh.Open(dest.Match{ID: r.Listing.ID})
	case slices.Contains(r.Table.Seated, v.me().Name):
		sh.Notify("%s", ownTableText(r.Table, v.me()))
	case v.challenges.isTooEarly(r.Table, v.me()):
		sh.Notify("This challenge has just arrived. Press Enter again to accept it.")
	default:
		return sh.Open(dest.Table{ID: r.Table.ID})
	}
	return nil
}

// ownTableText describes to a user who sits at a table when its match starts, and how to leave it.
func ownTableText(t *table.View, me account.Account) string {
	if t.To != "" {
		return "You challenged " + t.To + ". The game starts when " + t.To + " accepts. x: withdraw the challenge."
	}
	text := words.Sentence(words.StartCondition(t.Options, "y"))
	if t.Owner == me.Name {
		return "This is your table. " + text + " x: close it."
	}
	return "You have joined. " + text + " x: leave."
}

func (v *lobbyScreen) watchUser() tea.Cmd {
	p, ok := v.selectedUser()
	switch {
	case !ok:
		v.Shell.Notify("Select a player first (Tab).")
	case p.Match == "":
		v.Shell.Notify("%s is not playing. Press f to follow; their next game opens automatically.", p.Name)
	default:
		return v.Shell.Open(dest.Match{ID: p.Match})
	}
	return nil
}

// quickMatch opens the form of a quick match, or cancels the search for an opponent.
func (v *lobbyScreen) quickMatch() tea.Cmd {
	sh := v.Shell
	if t := sh.Visit.QuickRequest(v.view); t != nil {
		return v.close(t)
	}
	return sh.Open(dest.QuickMatch{})
}

// challenge opens the form of a challenge to the selected user, or of a game against a bot, or asks for a name first.
func (v *lobbyScreen) challenge() tea.Cmd {
	sh := v.Shell
	if p, ok := v.selectedUser(); ok && p.ID != sh.Session.Account().ID {
		if level := sh.Config.Bots.Level(p.ID); level != bots.NoLevel {
			return sh.Open(dest.BotGame{Level: &level})
		}
		return sh.Open(dest.Challenge{Name: p.Name})
	}
	return sh.OpenPrompt(sh.NewNamePrompt("Challenge which player", "continue", func(name string) tea.Cmd {
		return sh.Open(dest.Challenge{Name: name})
	}))
}

// askCode prompts for the code of a private table or match, or for the id of a match, and opens it.
func (v *lobbyScreen) askCode() tea.Cmd {
	sh := v.Shell
	return sh.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: 200}, Label: "Code of a table or game", EnterHelp: "open",
		Enter: func(text string) tea.Cmd {
			code := lastWord(text)
			d, ok := sh.Visit.FindCode(code)
			switch {
			case !ok:
				return openID(sh, code)
			case d.Kind == op.ToTable:
				return sh.Open(dest.Table{ID: d.ID, Code: code})
			}
			return sh.Open(dest.Match{ID: d.ID, Code: code})
		},
	})
}

// lastWord returns the last word of a text, or the part of it after a slash: the id of a match in the command that
// replays it, and in the address of its web page.
func lastWord(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '/' })
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// openID replays a finished match by its id, or opens a running one.
func openID(sh *screen.Shell, id string) tea.Cmd {
	return screen.Try(sh, func(ctx context.Context) (*match.Snapshot, error) {
		return sh.Visit.Archive().Snapshot(ctx, id)
	}, func(s *match.Snapshot, err error) tea.Cmd {
		switch code, _ := lobby.PublicError(err); {
		case err != nil && code == errcode.UnknownMatch:
			sh.NotifyError("no table or game has the code %q; check it with the player who sent it", id)
			return nil
		case err != nil:
			sh.NotifyFailure(err)
			return nil
		case !s.IsOver():
			return sh.Open(dest.Match{ID: id, Returns: true})
		}
		return sh.Open(dest.Replay{ID: id, Snapshot: s})
	})
}

// follow follows the selected user, or asks for a player of the selected match.
func (v *lobbyScreen) follow() tea.Cmd {
	sh := v.Shell
	if p, ok := v.selectedUser(); ok {
		return player.Follow(sh, p.ID, p.Name)
	}
	r, ok := v.selected()
	if !ok || r.Listing == nil {
		sh.Notify("Select a game or a player to follow.")
		return nil
	}
	return player.AskFollow(sh, r.Listing.Info)
}

// cancel closes the user's own table, leaves another one, or declines a challenge.
func (v *lobbyScreen) cancel() tea.Cmd {
	sh := v.Shell
	me := v.me()
	t := sh.Visit.QuickRequest(v.view)
	if r, ok := v.selected(); ok && r.Table != nil {
		t = r.Table
	}
	if t == nil || !t.Concerns(me.ID) {
		sh.Notify("Select a table that you joined, or a challenge to you.")
		return nil
	}
	if v.challenges.isTooEarly(t, me) {
		sh.Notify("This challenge has just arrived. Press x again to decline it.")
		return nil
	}
	return v.close(t)
}

// close closes or leaves a table, or declines a challenge.
func (v *lobbyScreen) close(t *table.View) tea.Cmd {
	sh := v.Shell
	return sh.Call(func(ctx context.Context) error {
		_, err := op.Cancel.Run(ctx, sh.Visit, op.CancelArgs{Table: op.TableID(t.ID)})
		return err
	}, func() tea.Cmd {
		sh.Notify("%s", words.DescribeClosed(t, v.me().Name))
		return sh.Refresh()
	})
}

// markReady marks the user as ready at the selected table.
func (v *lobbyScreen) markReady() tea.Cmd {
	sh := v.Shell
	r, ok := v.selected()
	if !ok || r.Table == nil || !op.CanBeReady(r.Table, v.me()) {
		sh.Notify("Select a table that you joined and that may start with fewer players.")
		return nil
	}
	return sh.Call(func(ctx context.Context) error {
		_, err := op.Ready.Run(ctx, sh.Visit, op.ReadyArgs{Table: op.TableID(r.Table.ID)})
		return err
	}, func() tea.Cmd {
		sh.Notify("You are ready. The game starts when enough players have joined and all are ready.")
		return sh.Refresh()
	})
}

// addBots gives the free seats at the selected table to bots of a level, for which it asks.
func (v *lobbyScreen) addBots() tea.Cmd {
	sh := v.Shell
	r, ok := v.selected()
	if !ok || r.Table == nil || !v.hasBots() || !op.CanFill(r.Table, v.me()) {
		sh.Notify("Select a casual table of your own that has free seats.")
		return nil
	}
	q := &screen.Question{Text: "Fill " + words.Plural(r.Table.FreeSeats(), "free seat") + " with bots of which level?", Dismiss: "cancel"}
	for level := bots.MinLevel; level <= bots.MaxLevel; level++ {
		q.Answers = append(q.Answers, screen.Answer{Key: game.Key{Key: strconv.Itoa(level), Help: sh.Config.Bots.Name(level)}, Do: func() tea.Cmd {
			return v.fill(r.Table.ID, level)
		}})
	}
	return sh.Ask(q)
}

// fill gives the free seats at a table to bots of a level, and opens the match if that starts it.
func (v *lobbyScreen) fill(table string, level int) tea.Cmd {
	sh := v.Shell
	var r op.StartResult
	return sh.Call(func(ctx context.Context) (err error) {
		r, err = op.Fill.Run(ctx, sh.Visit, op.FillArgs{Table: op.TableID(table), Level: new(op.BotLevel(level))})
		return err
	}, func() tea.Cmd {
		if r.Match == "" {
			sh.Notify("The bots have joined. The game starts when all seats are taken.")
			return sh.Refresh()
		}
		return sh.Open(dest.Match{ID: r.Match, IsExpected: true})
	})
}

// openProfile opens the profile of the selected user or of a player in the selected row, otherwise the
// user's own.
func (v *lobbyScreen) openProfile() tea.Cmd {
	sh := v.Shell
	if p, ok := v.selectedUser(); ok {
		return sh.Open(dest.Profile{ID: p.ID})
	}
	r, _ := v.selected()
	switch {
	case r.Listing != nil:
		return player.AskProfile(sh, r.Listing.Info)
	case r.OwnMatch != nil:
		return player.AskProfile(sh, r.OwnMatch.Info)
	case r.Table != nil:
		return sh.Open(dest.Profile{Name: r.Table.Owner})
	}
	return sh.Open(dest.Profile{ID: v.me().ID})
}
