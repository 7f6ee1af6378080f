package jsonform

import (
	"strconv"

	"ayumu/lobby"
	"ayumu/lobby/club"
)

// Report is a report of a user about another one.
type Report struct {
	ID    string       `json:"id"`
	Time  string       `json:"time"`
	By    string       `json:"by"`
	About string       `json:"about"`
	Text  string       `json:"text"`
	Match string       `json:"match,omitempty"` // in which the two met
	Room  string       `json:"room,omitempty"`  // of the lines of chat
	Chat  []ReportLine `json:"chat,omitempty"`  // that both could see
}

// ReportLine is a line of chat.
type ReportLine struct {
	From string `json:"from"`
	Text string `json:"text"`
	Time string `json:"time"`
}

// NewReport returns the JSON form of a report.
func NewReport(r club.Report) Report {
	w := Report{ID: strconv.FormatInt(r.ID, 10), Time: Time(r.At), By: r.Reporter, About: r.About, Text: r.Text, Match: r.Evidence.Match}
	for _, l := range r.Evidence.Chat {
		w.Room = RoomName(r.Evidence.Room)
		w.Chat = append(w.Chat, ReportLine{l.From, l.Text, Time(l.At)})
	}
	return w
}

// RoomName returns the name of a chat room.
func RoomName(r lobby.Room) string {
	switch r {
	case lobby.PlayerRoom:
		return "players"
	case lobby.SpectatorRoom:
		return "watchers"
	}
	return "lobby"
}
