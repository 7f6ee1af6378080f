package words

import (
	"strconv"
	"time"

	"ayumu/lobby/club"
)

// AnnouncementHeading returns the number, the title, the author and the times of an announcement in one line.
func AnnouncementHeading(a club.Announcement) string {
	title := a.Title
	if a.IsNotice() {
		title = "Notice"
	}
	return strconv.FormatInt(a.ID, 10) + "  " + title + " · " + AnnouncementTimes(a)
}

// AnnouncementTimes returns who made an announcement, and when it is shown.
func AnnouncementTimes(a club.Announcement) string {
	text := a.Author + ", " + minute(a.Created) + " UTC"
	switch {
	case a.IsNotice():
		return text
	case a.From.After(a.Created):
		text += ", from " + minute(a.From)
	}
	if !a.Until.IsZero() {
		text += ", until " + minute(a.Until)
	}
	return text
}

func minute(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04") }

// AnnouncementNews describes an announcement to a user who is connected. how is what they do to read it, as a sentence;
// a notice is read at once.
func AnnouncementNews(a club.Announcement, how string) string {
	if a.IsNotice() {
		return "Announcement: " + Sentence(a.Text)
	}
	return "New announcement: " + Sentence(a.Title) + " " + how
}
