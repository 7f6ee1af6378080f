package match

import (
	"strings"
	"time"

	"ayumu/lobby/match"
	"ayumu/tui/words"
)

// presenceText describes a seat that left, is away, has won or has a new rating; bad selects the colour.
func (v seatDrawing) presenceText(seat int) (text string, bad bool) {
	s := v.Snapshot
	if why := v.leaveReason(seat); why != "" {
		return why, true
	}
	if s.IsOver() {
		if w := s.Result.Winners; len(w) == 1 && w[0] == seat && !v.IsMultiplayer() {
			text = "winner"
		}
		if seat < len(s.Ratings) {
			c := s.Ratings[seat]
			text = strings.TrimSpace(text + " " + words.NewRating(c))
			bad = c.After.Value < c.Before.Value
		}
		return text, bad
	}
	return v.clocks.seats[seat].absence, v.clocks.seats[seat].isAway
}

// absenceLines describes to a player the absence of others until they can claim or vote.
func (v *live) absenceLines(now time.Time) (lines []styledText) {
	for seat := range v.Snapshot.Away {
		if left, ok := v.Snapshot.ClaimRemaining(seat, now); ok && left > 0 && seat != v.Seat && !v.IsOut() {
			lines = append(lines, styledText{words.Absence(v.Snapshot, seat, v.Seat, now), v.Shell.Style.Theme.Notice})
		}
	}
	return lines
}

// notifyPresence shows to a player which others have come back since the snapshot before, and who has left if the
// countdown beside the board is hidden. The bell rings when an absence can be claimed.
func (v *live) notifyPresence(before *match.Snapshot) {
	s, now := v.Snapshot, time.Now()
	if v.Player == nil {
		return
	}
	if s.Info.Control.IsCorrespondence() { // players of correspondence games come and go
		for seat := range s.Info.Seats {
			if text := words.DescribeVacation(before, s, seat, v.Seat); text != "" {
				v.Shell.NotifyEvents(text)
			}
		}
		return
	}
	for seat := range s.Away {
		if text := words.DescribePresence(before, s, seat, v.Seat, now); text != "" && (s.Away[seat].Since.IsZero() || v.hidesPanel()) {
			v.Shell.NotifyEvents(text)
			v.Shell.Bell()
		}
		if text := words.DescribeElsewhere(before, s, seat, v.Seat); text != "" && v.hidesPanel() {
			v.Shell.NotifyEvents(text)
		}
	}
	for seat, a := range s.Away {
		if a.Claimable && !before.Away[seat].Claimable && seat != v.Seat {
			v.Shell.Bell()
		}
	}
}

// warn rings the bell once when the player's turn becomes urgent, and shows the warning where the countdown is
// hidden.
func (v *live) warn(now time.Time) {
	text := v.Warn(now)
	if text == "" {
		return
	}
	if v.hidesPanel() {
		v.Shell.NotifyEvents(text)
	}
	v.Shell.Bell()
}

// seatDetails returns the place of a seat at the end of a match of three or more, and its presence or the rating
// of its player.
func (v seatDrawing) seatDetails(seat int) (details []styledText) {
	t := v.Style.Theme
	player := v.Snapshot.Info.Seats[seat]
	place := words.Place(v.Snapshot, seat)
	if place != "" {
		details = append(details, styledText{place, t.Good})
	}
	switch extra, bad := v.presenceText(seat); {
	case extra != "" && bad:
		details = append(details, styledText{extra, t.Bad})
	case extra != "" && v.clocks.seats[seat].absence != "": // a vacation, which the lines below describe too
		details = append(details, styledText{extra, t.Dim})
	case extra != "":
		details = append(details, styledText{extra, t.Good})
	case player.Rating != nil && place == "":
		rating := words.Rating(*player.Rating)
		if player.Bot {
			rating += " bot"
		}
		details = append(details, styledText{rating, t.Dim})
	}
	return details
}
