package notify

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/text"
	"ayumu/lobby/tournament"
)

// Message is what is sent to a receiver at once: one notification, or several that were held back.
type Message struct {
	ID            string // of its only notification, or "digest/" and that of the first; the same in all attempts
	Site          string // the server's name
	Target        string // arguments of ssh that connect to the server
	Zone          *time.Location
	Notifications []Notification // at least one
}

// Title returns one line that says what the message is about.
func (m *Message) Title() string {
	if len(m.Notifications) > 1 {
		return fmt.Sprintf("%s: %d notifications", m.Site, len(m.Notifications))
	}
	return m.Site + ": " + m.Notifications[0].title()
}

// title returns a few words about a notification.
func (n *Notification) title() string {
	f := &n.Facts
	switch n.Event {
	case EventTurn:
		return "your turn against " + names(f.Opponents)
	case EventCondition:
		return "your conditional move against " + names(f.Opponents) + " was played"
	case EventTime:
		return "little time left against " + names(f.Opponents)
	case EventChallenge:
		return names(f.Opponents) + " challenges you"
	case EventOver:
		return "your game against " + names(f.Opponents) + " is over"
	case EventAnnouncement:
		return f.Title
	case EventReport:
		return f.By + " reports " + f.About
	case EventTournament:
		if f.Match != "" {
			return f.Title + ", round " + strconv.Itoa(f.Round) + ", against " + names(f.Opponents)
		}
		return f.Title
	}
	return "a test of your notifications"
}

// names returns names as in "bob, cleo and dora".
func names(all []string) string {
	if len(all) == 0 {
		return "nobody"
	}
	return text.List(all)
}

// Text returns the message as plain text, a paragraph for each notification.
func (m *Message) Text() string {
	var all []string
	for i := range m.Notifications {
		all = append(all, m.text(&m.Notifications[i]))
	}
	return strings.Join(all, "\n\n")
}

// text returns a notification as plain text: what has happened, and what to type.
func (m *Message) text(n *Notification) string {
	f := &n.Facts
	kind := f.Game
	if f.Clock != "" {
		kind += ", " + f.Clock + " per turn"
	}
	open := "ssh -t " + m.Target + " watch " + f.Match
	switch n.Event {
	case EventTurn:
		text := fmt.Sprintf("It is your turn against %s (%s).", names(f.Opponents), kind)
		if !f.Deadline.IsZero() {
			text += " You have until " + m.time(f.Deadline) + "."
		}
		return text + "\n" + open
	case EventCondition:
		move := strings.Join(f.Move, ", ")
		if len(f.Answers) > 0 {
			move += ", in answer to " + strings.Join(f.Answers, ", ")
		}
		return fmt.Sprintf("Your conditional move was played against %s (%s): %s.\n%s", names(f.Opponents), kind, move, open)
	case EventTime:
		return fmt.Sprintf("A quarter of your time or less is left against %s (%s): you have until %s.\n%s", names(f.Opponents), kind, m.time(f.Deadline), open)
	case EventChallenge:
		rated := "casual"
		if f.Rated {
			rated = "rated"
		}
		if f.Clock != "" && !strings.HasSuffix(f.Clock, "days") && !strings.HasSuffix(f.Clock, "day") {
			kind = f.Game + ", " + f.Clock
		}
		return fmt.Sprintf("%s challenges you: %s, %s.\nssh -t %s join %s", names(f.Opponents), kind, rated, m.Target, f.Table)
	case EventOver:
		outcome := map[string]string{"won": "You have won", "lost": "You have lost", "draw": "You have drawn", "aborted": "No winner in your game"}[f.Result]
		return fmt.Sprintf("%s against %s (%s; %s).\nssh -t %s replay %s", outcome, names(f.Opponents), kind, reasonText(f.Reason), m.Target, f.Match)
	case EventAnnouncement:
		return f.Title + "\n" + f.Text
	case EventTournament:
		return m.tournamentText(f)
	case EventReport:
		return fmt.Sprintf("%s reports %s: %s\nssh -t %s admin reports", f.By, f.About, f.Text, m.Target)
	}
	return "This is a test of your notifications. They work."
}

// tournamentText returns a notice of a tournament as plain text.
func (m *Message) tournamentText(f *Facts) string {
	text, command := f.Title+": "+f.Text+".", "tournament "+f.Tournament
	switch tournament.NoticeKind(f.Kind) {
	case tournament.NoticeGame:
		text = fmt.Sprintf("%s: round %d begins. You play %s (%s, %s).", f.Title, f.Round, names(f.Opponents), f.Game, f.Clock)
		if f.Round == 1 {
			text = fmt.Sprintf("%s begins. You play %s in round 1 (%s, %s).", f.Title, names(f.Opponents), f.Game, f.Clock)
		}
	case tournament.NoticeDeadline:
		text = fmt.Sprintf("%s: your game of round %d against %s is drawn if it has not ended at %s.", f.Title, f.Round, names(f.Opponents), m.time(f.Deadline))
	case tournament.NoticeCheckIn:
		text = fmt.Sprintf("%s: the check-in is open until %s. Who does not check in is not paired.", f.Title, m.time(f.Deadline))
		command = "tournament check-in " + f.Tournament
	}
	if f.Match != "" {
		return text + "\nssh -t " + m.Target + " watch " + f.Match
	}
	return text + "\nssh " + m.Target + " " + command
}

func reasonText(reason string) string {
	switch reason {
	case "resign":
		return "by resignation"
	case "time":
		return "on time"
	case "draw":
		return "by agreement"
	case "abort":
		return "aborted"
	case "left":
		return "the others have left"
	case "score":
		return "by score"
	case "repetition":
		return "by repetition"
	}
	return "no moves left"
}

// time returns a time in the player's time zone.
func (m *Message) time(t time.Time) string {
	return t.In(m.Zone).Format("Mon 2 Jan, 15:04 MST")
}
