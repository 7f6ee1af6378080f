package op

import (
	"context"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/tui/words"
)

// maxEndedAway is how many games that ended are told one by one.
const maxEndedAway = 3

// Away describes in a sentence or two what has happened since the user was online before; "": nothing, or nobody knows when
// that was. It reads the archive, and is asked for once a visit.
func (v *Visit) Away(ctx context.Context) (string, error) {
	me := v.Session.Account()
	if v.LastVisit == nil || me.IsGuest() {
		return "", nil
	}
	since, err := v.LastVisit(ctx)
	if err != nil || since.IsZero() {
		return "", err
	}
	var news []string
	if me.HasPlayed {
		ended, err := v.Archive().Finished(ctx, me.Name, "", maxEndedAway+1)
		if err != nil {
			return "", err
		}
		news = v.endedSince(ended, since)
	}
	if n := v.movedSince(since); n > 0 {
		news = append(news, "moves in "+words.Plural(n, "game"))
	}
	if n := v.challengedSince(since); n > 0 {
		news = append(news, words.Plural(n, "challenge"))
	}
	news = append(news, v.roundsSince(since)...)
	if len(news) == 0 {
		return "", nil
	}
	return "While you were away: " + strings.Join(news, "; ") + ".", nil
}

// endedSince describes those of some finished matches of the user, newest first, that ended after a time.
func (v *Visit) endedSince(ended []lobby.FinishedMatch, since time.Time) (news []string) {
	me := v.Session.Account().ID
	for i := range ended {
		f := &ended[i]
		switch {
		case !f.Ended.After(since):
		case len(news) == maxEndedAway:
			return append(news, "further games ended")
		default:
			news = append(news, "your game "+words.WithOpponents(f.Info, me)+" ended ("+words.DescribeOutcomeTo(f, me)+")")
		}
	}
	return news
}

// movedSince returns in how many running correspondence matches of the user others have moved after a time.
func (v *Visit) movedSince(since time.Time) (n int) {
	for _, m := range v.Session.SeatedMatches() {
		s := v.Session.Snapshot(m)
		seat, ok := s.Info.SeatOf(v.Session.Account().ID)
		if !ok || s.IsOver() || s.Info.Control.IsLive() {
			continue
		}
		for i := len(s.Log) - 1; i >= 0 && s.Log[i].At.After(since); i-- {
			if e := s.Log[i]; e.Kind == match.EntryTurn && e.Seat != seat {
				n++
				break
			}
		}
	}
	return n
}

// challengedSince returns the number of open challenges to the user from after a time.
func (v *Visit) challengedSince(since time.Time) (n int) {
	me := v.Session.Account()
	for _, t := range v.Session.Lobby().TableList().Tables {
		if t.To == me.Name && t.Concerns(me.ID) && t.Opened.After(since) {
			n++
		}
	}
	return n
}

// roundsSince describes the rounds of the user's tournaments that were paired after a time, the last of each.
func (v *Visit) roundsSince(since time.Time) (news []string) {
	for _, s := range v.Session.Lobby().Tournaments.Entered(v.Session.Account().ID) {
		if n := len(s.Rounds); n > 0 && s.Rounds[n-1].Paired.After(since) {
			news = append(news, "round "+strconv.Itoa(n)+" of "+s.Terms.Name+" began")
		}
	}
	return news
}
