package notify

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// timeShare is the part of the time for a turn, one of this many, at which a player is reminded.
const timeShare = 4

// turnNotifications returns what is notified to the seat to move of a running correspondence match: that it is its turn and,
// if a quarter of the time or less is left at now, that as well. ok is false if nothing is.
func turnNotifications(s *match.Snapshot, now time.Time) (turn Notification, reminder *Notification, ok bool) {
	if s.IsOver() || s.Frozen {
		return Notification{}, nil, false
	}
	seat := s.Position.Turn()
	account := s.Info.Seats[seat].Account
	if account <= 0 || s.Info.Seats[seat].Bot {
		return Notification{}, nil, false
	}
	version, at := turnStart(s)
	facts := matchFacts(s.Info, seat)
	facts.Version = version
	left, timed := s.Remaining(seat, now)
	if timed {
		facts.Deadline = now.Add(left).UTC().Truncate(time.Second)
	}
	id := s.Info.ID + "/" + strconv.Itoa(version)
	turn = Notification{Account: account, ID: "turn/" + id, Event: EventTurn, At: at, Facts: facts}
	if total := time.Duration(s.Info.Control.Days) * 24 * time.Hour; timed && total > 0 && left <= total/timeShare {
		// It is an event of now: the turn may be older than the receiver.
		reminder = &Notification{Account: account, ID: "time/" + id, Event: EventTime, At: now, Facts: facts}
	}
	return turn, reminder, true
}

// conditionWindow is for how long a conditional move is notified after it was played. It is shorter than keepDone, after
// which it would be notified again.
const conditionWindow = 30 * 24 * time.Hour

// conditionNotifications returns what is notified of the conditional moves that were played in a match, to the players
// who had stored them.
func conditionNotifications(s *match.Snapshot, now time.Time) (all []Notification) {
	if !s.Info.HasConditions() {
		return nil
	}
	for i, e := range slices.Backward(s.Log) {
		if now.Sub(e.At) > conditionWindow {
			break
		}
		if e.Kind != match.EntryTurn || e.Reason != match.TurnByCondition {
			continue
		}
		f := matchFacts(s.Info, e.Seat)
		f.Version, f.Move = i+1, e.Actions
		if i > 0 && s.Log[i-1].Kind == match.EntryTurn {
			f.Answers = s.Log[i-1].Actions
		}
		id := "condition/" + s.Info.ID + "/" + strconv.Itoa(i+1)
		all = append(all, Notification{Account: s.Info.Seats[e.Seat].Account, ID: id, Event: EventCondition, At: e.At, Facts: f})
	}
	return all
}

// turnStart returns the version of a match at which its seat to move began to be the one, and when that was. Credits,
// and departures of other seats, begin no turn.
func turnStart(s *match.Snapshot) (version int, at time.Time) {
	seat := s.Position.Turn()
	for version = len(s.Log); version > 0; version-- {
		e := &s.Log[version-1]
		switch {
		case e.Kind == match.EntryCredit:
			continue
		case e.Kind == match.EntryTurn && e.Seat == seat:
			continue // it goes on moving
		case e.Kind == match.EntryLeave:
			if p, err := s.PositionAt(version - 1); err == nil && p.Turn() == seat {
				continue
			}
		}
		return version, e.At
	}
	return 0, s.Info.Started
}

// matchFacts returns what all messages to a seat say of its match.
func matchFacts(info *match.Info, seat int) Facts {
	f := Facts{Match: info.ID, Game: info.Title(), Clock: info.Control.String(), Rated: info.Rated}
	for i, other := range info.Seats {
		if i != seat {
			f.Opponents = append(f.Opponents, other.Name)
		}
	}
	return f
}

// endNotifications returns what is notified of the end of a correspondence match, to each of its accounts: nothing if its
// tournament has decided the game otherwise, which has a notice of its own with the winner.
func endNotifications(info *match.Info, result engine.Result, at time.Time) (all []Notification) {
	if info.IsOfTournament() && result.Reason == engine.ReasonAbort {
		return nil
	}
	for seat, s := range info.Seats {
		if s.Account <= 0 || s.Bot {
			continue
		}
		f := matchFacts(info, seat)
		f.Reason = result.Reason
		switch won := slices.Contains(result.Winners, seat); {
		case result.Reason == engine.ReasonAbort:
			f.Result = "aborted"
		case won && len(result.Winners) > 1:
			f.Result = "draw"
		case won:
			f.Result = "won"
		default:
			f.Result = "lost"
		}
		all = append(all, Notification{Account: s.Account, ID: "over/" + info.ID, Event: EventOver, At: at, Facts: f})
	}
	return all
}

// challengeNotification returns what is notified of an open table to the user that it challenges; ok is false if there
// is none or the user has accepted.
func challengeNotification(t *table.View) (n Notification, ok bool) {
	to, ok := t.Challenged()
	if !ok || to <= 0 {
		return Notification{}, false
	}
	return Notification{
		Account: to, ID: "challenge/" + t.ID, Event: EventChallenge, At: t.Opened,
		Facts: Facts{Table: t.ID, Game: match.Title(t.Options), Clock: t.Control.String(), Rated: t.Rated, Opponents: slices.Clone(t.Seated)},
	}, true
}

// Announcement is a text by the moderators for all members.
type Announcement struct {
	ID          string // 1 to 40 characters, unique for ever
	Title, Text string
	At          time.Time
}

// Report is what a player has reported to the moderators.
type Report struct {
	ID    int64
	At    time.Time
	By    string // who reports
	About string // whom, or what
	Text  string
}

// maxReportText is the number of characters of a report that are sent.
const maxReportText = 300

// notification returns what is notified of a report, without the account.
func (r Report) notification() Notification {
	if strings.HasPrefix(r.By, "guest ") {
		r.By = "a guest" // without the address, which stays on the server
	}
	return Notification{ID: "report/" + strconv.FormatInt(r.ID, 10), Event: EventReport, At: r.At, Facts: Facts{By: r.By, About: r.About, Text: cut(r.Text, maxReportText)}}
}

// tournamentNotification returns what is notified of a notice of a tournament.
func tournamentNotification(n *lobby.TournamentNotice) Notification {
	f := Facts{
		Tournament: n.Tournament, Title: n.Name, Kind: string(n.Kind), Round: n.Round, Match: n.Match, Opponents: n.Against, Text: n.Text,
		Game: n.Game, Clock: n.Clock, Rated: n.Rated, Deadline: n.Until.UTC().Truncate(time.Second),
	}
	return Notification{Account: n.User, ID: "tournament/" + n.Key, Event: EventTournament, At: n.At, Facts: f}
}

// notification returns what is notified of an announcement, without the account.
func (a Announcement) notification() Notification {
	return Notification{ID: "announcement/" + a.ID, Event: EventAnnouncement, At: a.At, Facts: Facts{Title: a.Title, Text: a.Text}}
}
