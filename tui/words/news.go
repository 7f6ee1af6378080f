package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
	"ayumu/tui/game"
)

// TableEvent describes to a player why a table that concerned them is no longer open to them.
func TableEvent(e lobby.TableEvent) string {
	t := e.Table
	switch byOwner := e.By == t.Owner; {
	case e.Kind == table.EventDeclined:
		return e.By + " declined your challenge."
	case e.Kind == table.EventExpired && !byOwner:
		return e.By + " has left. Your challenge has expired."
	case e.Kind == table.EventExpired && t.To != "":
		return e.By + " has left. The challenge has expired."
	case e.Kind == table.EventExpired:
		return e.By + " has left. The table is closed."
	case t.To != "":
		return e.By + " withdrew the challenge."
	}
	return e.By + " closed the table."
}

// DescribeClosed describes to the player me the effect of declining, closing or leaving a table.
func DescribeClosed(t *table.View, me string) string {
	switch {
	case !slices.Contains(t.Seated, me):
		return "Challenge declined."
	case t.Owner != me:
		return "You left the table."
	case t.To != "":
		return "Challenge withdrawn."
	case t.Quick:
		return "Search cancelled."
	}
	return "Table closed."
}

// DescribeItem describes to a seat (-1: a spectator) what another seat did in a match. It returns ""
// for what the board shows: turns, open offers, the end, and actions of the seat itself.
func DescribeItem(n match.FeedItem, s *match.Snapshot, game game.Game, seat int) string {
	switch {
	case n.Event != nil:
		return offerChange(n.Event, s, seat)
	case n.Lost:
		return "The server's database has failed and lost the last turns; the game continues from an earlier position."
	case n.Entry.Kind == match.EntryLeave:
		return departure(n.Entry, s, seat)
	case isConditional(n.Entry, seat):
		return "Your conditional move was played: " + game.ShortTurn(n.Entry.Actions) + "."
	case n.Entry.Kind == match.EntryUndo && n.Entry.Seat == seat:
		return "Your last move was taken back."
	case n.Entry.Kind == match.EntryUndo:
		return s.Info.Seats[n.Entry.Seat].Name + "'s last move was taken back."
	case n.Swapped:
		return swapped(n, s, game, seat)
	}
	return ""
}

// departure describes that a seat left, and why.
func departure(e *match.Entry, s *match.Snapshot, seat int) string {
	name := s.Info.Seats[e.Seat].Name
	if e.Seat == seat {
		name = "You"
	}
	switch {
	case e.Reason == match.LeftTime:
		return name + " ran out of time and left the game."
	case e.Reason == match.LeftAbsent && e.Seat == seat:
		return "You were voted out of the game."
	case e.Reason == match.LeftAbsent:
		return name + " was voted out of the game."
	case e.Seat == seat:
		return "You resigned and left the game."
	}
	return name + " resigned and left the game."
}

// Leave describes how a seat has left a match of three or more players before its end: "voted out".
func Leave(s *match.Snapshot, seat int) string {
	for _, e := range s.Log {
		if e.Kind == match.EntryLeave && e.Seat == seat {
			switch e.Reason {
			case match.LeftTime:
				return "timed out"
			case match.LeftAbsent:
				return "voted out"
			}
			return "resigned"
		}
	}
	return "left"
}

// departed lists to a seat (-1: to anyone) the seats that left a match and why: "ana resigned, ben ran out of time".
func departed(info *match.Info, reasons []string, reader int) string {
	var all []string
	for seat, reason := range reasons {
		switch text := departures[reason]; {
		case text == "":
		case seat == reader && reason == match.LeftAbsent:
			all = append(all, "you were voted out")
		default:
			all = append(all, nameTo(info, seat, reader)+" "+text)
		}
	}
	return strings.Join(all, ", ")
}

var departures = map[string]string{
	match.LeftResigned: "resigned", match.LeftTime: "ran out of time", match.LeftAbsent: "was voted out",
}

// swapped describes which side a seat has after an exchange of sides.
func swapped(n match.FeedItem, s *match.Snapshot, game game.Game, seat int) string {
	by := s.Info.Seats[n.Entry.Seat].Name
	switch {
	case n.Entry.Seat == seat:
		return ""
	case seat >= 0:
		return by + " swapped: you are " + game.Side(n.Position, seat) + " now."
	}
	return by + " swapped and is " + game.Side(n.Position, n.Entry.Seat) + " now."
}

// DescribeRatings describes how a finished rated match changed ratings: its own to a seat, all to a
// spectator (-1). arrow separates old and new value. The result is "" for a casual match.
func DescribeRatings(s *match.Snapshot, seat int, arrow string) string {
	if s.Unrated == match.UnratedUnknown {
		return Sentence(s.Unrated.String())
	}
	if why, _, _ := s.Aborted(); s.Unrated != "" && why == match.AbortRuled {
		return "Not rated: the game was not played to its end."
	}
	if s.Unrated != "" {
		return "Not rated: " + s.Unrated.String() + "."
	}
	if seat >= 0 && seat < len(s.Ratings) {
		return "Your rating: " + ratingChange(s.Ratings[seat], arrow) + "."
	}
	var all []string
	for i, c := range s.Ratings {
		all = append(all, s.Info.Seats[i].Name+" "+ratingChange(c, arrow))
	}
	if len(all) == 0 {
		return ""
	}
	return "Ratings: " + strings.Join(all, "; ") + "."
}

// ratingChange formats a change of a rating: "1500 → 1662, +162".
func ratingChange(c rating.Change, arrow string) string {
	before, after := int(math.Round(c.Before.Value)), int(math.Round(c.After.Value))
	return fmt.Sprintf("%s, %+d", RatingPair(c, arrow), after-before)
}

// NewRating formats a rating after a match and its change: "1662 +162".
func NewRating(c rating.Change) string {
	before, after := int(math.Round(c.Before.Value)), int(math.Round(c.After.Value))
	return fmt.Sprintf("%d %+d", after, after-before)
}

// RatingPair formats a rating before and after a match: "1500 → 1662".
func RatingPair(c rating.Change, arrow string) string {
	return fmt.Sprintf("%.0f %s %.0f", math.Round(c.Before.Value), arrow, math.Round(c.After.Value))
}

// aborted describes to a seat why a match was aborted, and what follows if that is the seat's fault.
func aborted(s *match.Snapshot, seat int) string {
	text := whyAborted(s, seat)
	if seat >= 0 && match.Faults(len(s.Info.Seats), s.Log)[seat] {
		text += " After several such games in a day, you have to wait before you can play people live."
	}
	return text
}

func whyAborted(s *match.Snapshot, seat int) string {
	why, by, _ := s.Aborted()
	name := "you"
	if by >= 0 && by != seat {
		name = s.Info.Seats[by].Name
	}
	switch why {
	case match.AbortFirstTurn:
		return "Game aborted: " + name + " did not make the first move in time."
	case match.AbortIdle:
		return "Game aborted: " + name + " made no move for too long."
	case match.AbortPlayer:
		if by == seat {
			return "You aborted the game."
		}
		return name + " aborted the game."
	case match.AbortNobody:
		return "Game aborted: nobody came to it."
	case match.AbortRuled:
		switch {
		case by < 0:
			return "Game stopped: the tournament has decided it."
		case by == seat:
			return "You win: the tournament has decided the game."
		case seat >= 0 && len(s.Info.Seats) == 2:
			return "You lose: the tournament has decided the game."
		}
		return name + " wins: the tournament has decided the game."
	case match.AbortEvicted:
		return "Game aborted: all players had left."
	case match.AbortUnfinished:
		return "The game goes on after this record."
	}
	return "Game aborted."
}

// Tracker collects for one session what other users do to the user's tables, and in matches that are
// not displayed. The zero value is ready to use. It is not safe for concurrent use.
type Tracker struct {
	Games game.List // the games of the server
	Arrow string    // separates old and new rating; "" means "→"
	Next  string    // the sentence that tells how to go to the next match in which it is the user's turn
	// Conditional is the time of the newest conditional move of the user that Read has seen; zero: none.
	Conditional time.Time

	table   uint64 // the sequence number of the last table event read
	matches map[string]*tracked
}

type tracked struct {
	feed match.Feed
	snap *match.Snapshot
}

// Begin has Read report what happens in the user's matches from now on. Otherwise the first Read reports nothing of them.
func (t *Tracker) Begin(s *lobby.Session) {
	for _, m := range s.SeatedMatches() {
		if at := track(s.Snapshot(m)); at != nil {
			if t.matches == nil {
				t.matches = make(map[string]*tracked)
			}
			t.matches[m.Info.ID] = at
		}
	}
}

// track begins to follow a match; it returns nil if its events cannot be read.
func track(s *match.Snapshot) *tracked {
	feed, err := match.NewFeed(s, s.Version)
	if err != nil {
		return nil
	}
	return &tracked{feed, s}
}

// Read returns a text for each event since the last call. It leaves out the match whose id is open,
// since its screen shows its own events.
func (t *Tracker) Read(s *lobby.Session, open string) []string {
	var texts []string
	for _, e := range s.TableEvents(t.table) {
		t.table = e.Seq
		texts = append(texts, TableEvent(e))
	}
	seated := s.SeatedMatches()
	if len(seated) == 0 { // as of most spectators
		t.matches = nil
		return texts
	}
	me := s.Account().ID
	matches := make(map[string]*tracked)
	for _, m := range seated {
		id, snap := m.Info.ID, s.Snapshot(m)
		at := t.matches[id]
		if at == nil {
			if at = track(snap); at == nil {
				continue
			}
		}
		matches[id] = at
		if snap == at.snap {
			continue
		}
		before := at.snap
		at.snap = snap
		if latest := LastConditional(snap, me); latest.After(t.Conditional) {
			t.Conditional = latest
		}
		for _, text := range t.describe(at, before, snap, me) {
			if id != open {
				texts = append(texts, text)
			}
		}
	}
	t.matches = matches
	return texts
}

// describe returns the texts for new items of a match that is not displayed, for the user's turn there if it has come, and for
// players who came and went since the snapshot before.
func (t *Tracker) describe(at *tracked, before, s *match.Snapshot, me account.ID) (texts []string) {
	game, ok := t.Games.ByName(s.Info.Game)
	seat, seated := s.Info.SeatOf(me)
	if !ok || !seated || s.Info.Local { // in a local match nobody else does anything
		return nil
	}
	with := "Game " + WithOpponents(s.Info, me)
	isMoved := false
	err := at.feed.Read(s, func(n match.FeedItem) error {
		if e := n.Entry; e != nil && (e.Kind == match.EntryTurn || e.Kind == match.EntryLeave) {
			isMoved = e.Seat != seat
		}
		name, text := with+": ", DescribeItem(n, s, game, seat)
		switch {
		case n.Event != nil && n.Event.Kind == match.EventOffered && n.Event.Seat != seat:
			text = DescribeOffer(n.Event.Offer, n.Event.Seat, s, seat) + "."
		case n.Entry != nil && n.Entry.Kind == match.EntryEnd:
			name, text = with+" is over. ", strings.TrimSpace(ResultAndPlaces(s, game, seat)+" "+DescribeRatings(s, seat, cmp.Or(t.Arrow, "→")))
		}
		if text != "" {
			texts = append(texts, name+text)
		}
		return nil
	})
	if err != nil {
		return nil // the match's screen reports the damaged log
	}
	if isMoved && !s.IsOver() && !s.Frozen && s.Position.Turn() == seat {
		texts = append(texts, strings.TrimSpace(with+": it is your turn. "+t.Next))
	}
	if !s.Info.Control.IsCorrespondence() { // players of correspondence games come and go
		for other := range s.Away {
			if text := DescribePresence(before, s, other, seat, time.Now()); text != "" {
				texts = append(texts, with+": "+text)
			}
		}
	}
	return texts
}

// LastConditional returns when a conditional move of a user was last played in a match; the zero time: never.
func LastConditional(s *match.Snapshot, user account.ID) time.Time {
	if seat, seated := s.Info.SeatOf(user); seated && s.Info.HasConditions() {
		for _, e := range slices.Backward(s.Log) {
			if isConditional(&e, seat) {
				return e.At
			}
		}
	}
	return time.Time{}
}

// isConditional reports whether an entry is a conditional move of a seat.
func isConditional(e *match.Entry, seat int) bool {
	return e.Kind == match.EntryTurn && e.Reason == match.TurnByCondition && e.Seat == seat
}

// ConditionalMoves describes the conditional moves of a user that were played in a match after a time; "": none were.
func ConditionalMoves(s *match.Snapshot, game game.Game, user account.ID, after time.Time) string {
	seat, _ := s.Info.SeatOf(user)
	var all []string
	for i := range s.Log {
		if e := &s.Log[i]; isConditional(e, seat) && e.At.After(after) {
			all = append(all, game.ShortTurn(e.Actions))
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return "Game " + WithOpponents(s.Info, user) + ": your conditional move was played: " + all[0] + "."
	}
	return "Game " + WithOpponents(s.Info, user) + ": your conditional moves were played: " + strings.Join(all, ", ") + "."
}

// allLeft describes as a clause to a seat the end of a match of three or more that all seats but one have left.
func allLeft(s *match.Snapshot, seat int) string {
	if all := departed(s.Info, match.Departures(len(s.Info.Seats), s.Log), seat); all != "" {
		return "everyone else left (" + all + ")"
	}
	return "everyone else left"
}
