package jsonform

import (
	"strconv"

	"ayumu/lobby/club"
)

// Announcement is an announcement of the club.
type Announcement struct {
	ID      string `json:"id"`
	Title   string `json:"title,omitempty"` // a notice has none
	Text    string `json:"text"`
	By      string `json:"by"`
	Created string `json:"created"`
	From    string `json:"from"`
	Until   string `json:"until,omitempty"` // absent: without an end
}

// NewAnnouncement returns an announcement.
func NewAnnouncement(a club.Announcement) Announcement {
	w := Announcement{ID: strconv.FormatInt(a.ID, 10), Title: a.Title, Text: a.Text, By: a.Author, Created: Time(a.Created), From: Time(a.From)}
	if !a.Until.IsZero() {
		w.Until = Time(a.Until)
	}
	return w
}
