package words

import (
	"fmt"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/match"
)

// DescribePresence describes to a seat (-1: a spectator) that the player of another seat has left, lost the
// connection or come back between two snapshots of an unfinished match; "" if nothing of that happened.
func DescribePresence(before, after *match.Snapshot, other, seat int, now time.Time) string {
	was, is := before.Away[other], after.Away[other]
	switch {
	case other == seat || after.IsOver() || after.Position.HasLeft(other):
	case !was.Since.IsZero() && is.Since.IsZero():
		return after.Info.Seats[other].Name + " is back."
	case !is.Since.IsZero() && (was.Since.IsZero() || was.Dropped != is.Dropped):
		return Absence(after, other, seat, now)
	}
	return ""
}

// DescribeElsewhere describes to a seat (-1: a spectator) that the player of another seat has turned to something else,
// or back to the match, between two snapshots of an unfinished match; "" if neither happened.
func DescribeElsewhere(before, after *match.Snapshot, other, seat int) string {
	was, is := before.IsElsewhere(other), after.IsElsewhere(other)
	switch name := after.Info.Seats[other].Name; {
	case other == seat || after.IsOver() || was == is || !after.Away[other].Since.IsZero() || after.Position.HasLeft(other):
		return ""
	case is:
		return name + " is looking at something else."
	default:
		return name + " is back."
	}
}

// Absence describes to a seat (-1: a spectator) that the player of another seat is away, and when the absence
// can be claimed or voted on: "Bob has left. You can claim the game in 0:42."
func Absence(s *match.Snapshot, away, seat int, now time.Time) string {
	text := s.Info.Seats[away].Name + " has left."
	if s.Away[away].Dropped {
		text = s.Info.Seats[away].Name + " has lost the connection."
	}
	left, ok := s.ClaimRemaining(away, now)
	switch {
	case !ok || left == 0 || seat < 0 || s.Position.HasLeft(seat):
		return text
	case len(s.Info.Seats) > 2:
		return text + " You can vote them out in " + Clock(left) + "."
	}
	return text + " You can claim the game in " + Clock(left) + "."
}

// Votes counts the votes to remove a seat where one is not enough: "1 of 2 votes"; "" otherwise.
func Votes(s *match.Snapshot, seat int) string {
	needed := s.VotesNeeded(seat)
	if needed < 2 {
		return ""
	}
	return fmt.Sprintf("%d of %d votes", s.Votes[seat], needed)
}

// FirstTurnLimit describes to the seat to move what happens unless it makes its first turn in the time left.
func FirstTurnLimit(s *match.Snapshot, left time.Duration) string {
	what := "the game is aborted"
	switch {
	case len(s.Info.Seats) > 2:
		what = "you leave the game"
	case s.Info.IsOfTournament():
		what = "you lose it unrated"
	}
	return "Make your first move within " + Clock(left) + " or " + what + "."
}

// Online counts the users who are online: "4 online, 2 bots", where the bots are not among the 4.
func Online(users lobby.UserList) string {
	n := users.Bots()
	text := fmt.Sprintf("%d online", users.Len()-n)
	if n > 0 {
		text += ", " + Plural(n, "bot")
	}
	return text
}
