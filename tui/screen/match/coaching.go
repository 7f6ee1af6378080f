package match

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/tui/op"
	"ayumu/tui/screen"
)

// coaching is the coach of a match on the screen of a player.
type coaching struct {
	playing   *playing
	coach     op.Coach
	isCoached bool   // coach is that of the match; it is not until it is known how many games the user has finished
	commented string // the comment on the user's last turn; "": none
}

// comment shows what the engine thinks of the user's turn, if it is one of the first mistakes in the match that follows
// the lessons. isHinted reports whether a hint has recommended it.
func (o *coaching) comment(p engine.Position, turn []string, isHinted bool) tea.Cmd {
	c := o.coach.Comments()
	if !c.Begin(isHinted) {
		return nil
	}
	return screen.Try(o.playing.Shell, func(ctx context.Context) (string, error) {
		return c.Judge(ctx, p, turn)
	}, func(text string, _ error) tea.Cmd { // the engine reports its failure, and the game goes on without
		if c.End(text); text != "" && o.playing.Shell.Current() == screen.Screen(o.playing) {
			o.commented = text
			o.notify()
		}
		return nil
	})
}

// notify shows the comment on the user's last turn, and what the opponent's answer did, if there are any.
func (o *coaching) notify() {
	var texts []string
	if o.commented != "" {
		texts = append(texts, o.commented)
	}
	if last := o.coach.DescribeLast(o.playing.Snapshot, o.playing.Seat); last != "" {
		texts = append(texts, last)
	}
	if len(texts) > 0 {
		o.playing.Shell.NotifyEvents(texts...)
	}
}

// isOn reports whether the user is advised, if the coach has advice.
func (o *coaching) isOn() bool {
	sh := o.playing.Shell
	if !sh.Settings.Coach || !sh.Visit.Experience.Knows(o.playing.Game.Name()) {
		return false
	}
	if !o.isCoached {
		o.coach, o.isCoached = sh.Visit.Coach(o.playing.Match), true
	}
	return true
}
