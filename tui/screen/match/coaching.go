package match

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/screen"
)

// coaching is the coach of a match on the screen of a player.
type coaching struct {
	playing   *playing
	coach     op.Coach
	isCoached bool       // coach is that of the match; it is not until it is known how many games the user has finished
	comment   op.Comment // on the user's last turn; the zero value: none
	turnAt    int        // the version of the match in which the user has made the last turn
	ply       int        // the number of entries before that turn
}

// judge shows what the coach says of the turn that the user has made after s, if it is one of the first mistakes in a first game,
// until the user's next one, and marks the better turn in the position of that turn. isHinted reports whether a hint has
// recommended it.
func (o *coaching) judge(s *match.Snapshot, turn []string, isHinted bool) tea.Cmd {
	c := o.coach.Comments()
	if !c.Begin(s, isHinted) {
		return nil
	}
	return screen.Try(o.playing.Shell, func(ctx context.Context) (op.Comment, error) {
		return c.Judge(ctx, s.Position, turn)
	}, func(comment op.Comment, _ error) tea.Cmd { // the engine reports its failure, and the game goes on without
		if o.turnAt != s.Version {
			comment = op.Comment{} // the user has made another turn meanwhile
		}
		if c.End(comment); comment.Text == "" {
			return nil
		}
		o.comment = comment
		if o.playing.show(); o.playing.Shell.Current() == screen.Screen(o.playing) {
			o.notify()
		}
		return nil
	})
}

// isAtTurn reports whether the position before the turn that has a comment is reviewed.
func (o *coaching) isAtTurn() bool {
	return o.comment.Text != "" && o.playing.isReviewing && o.playing.ply == o.ply
}

// shownComment returns the comment on the user's last turn, as sentences; "" while it would be read as about the turn that is being
// entered, and in positions that it is not about.
func (o *coaching) shownComment() string {
	switch v := o.playing; {
	case o.comment.Text == "" || v.Snapshot.IsOver() || v.variation != nil || !o.isOn():
		return ""
	case o.isAtTurn():
		return o.comment.Text
	case v.isReviewing || len(v.shownDraft()) > 0:
		return ""
	}
	switch n := len(o.playing.turns.Entries) - o.ply; n {
	case 1:
		return o.comment.Text + " Press [ to see it."
	case 2:
		return o.comment.Text + " Press [ twice to see it."
	default:
		return fmt.Sprintf("%s Press [ %d times to see it.", o.comment.Text, n)
	}
}

// isInPanel reports whether the panel has comments.
func (o *coaching) isInPanel() bool {
	sh := o.playing.Shell
	return sh.Width >= minCommentWidth && sh.Height >= minCommentHeight
}

// The size of windows whose panel has space for comments.
const minCommentWidth, minCommentHeight = 80, 24

// notify shows the comment on the user's last turn, and what the opponent's answer did, if there are any. Where the panel has the
// comment only the answer is shown, since two rows would hide the letters of the columns.
func (o *coaching) notify() {
	var texts []string
	if o.comment.Text != "" && !o.isInPanel() {
		texts = append(texts, o.comment.Text)
	}
	if last := o.coach.DescribeLast(o.playing.Snapshot, o.playing.Seat); last != "" {
		texts = append(texts, last)
	}
	if len(texts) > 0 {
		o.playing.Shell.NotifyEvents(texts...)
	}
}

// isOn reports whether the user is advised here.
func (o *coaching) isOn() bool {
	sh := o.playing.Shell
	if !sh.Settings.Coach || !sh.Visit.Experience.Knows(o.playing.Game.Name()) {
		return false
	}
	if !o.isCoached {
		o.coach, o.isCoached = sh.Visit.Coach(o.playing.Match), true
	}
	return o.coach.IsActive()
}
