package notify

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// The maximum sizes of texts that services accept, in characters.
const (
	maxDiscord = 2000
	maxSlack   = 3500
	maxNtfy    = 3500 // bytes; ntfy makes longer messages an attachment
)

// payload is the JSON form of a Message (docs/notifications.md).
type payload struct {
	ID     string         `json:"id"`
	Event  Event          `json:"event"` // of its only event, or digest
	Server string         `json:"server"`
	Text   string         `json:"text"`
	Events []payloadEvent `json:"events"`
}

// payloadEvent is the JSON form of a notification.
type payloadEvent struct {
	ID    string    `json:"id"`
	Event Event     `json:"event"`
	At    time.Time `json:"at"`
	Text  string    `json:"text"`
	Facts
	AnnouncementText string `json:"message,omitempty"` // of an announcement or a report
}

// body returns the body of a request in the form of a preset, and its content type.
func (m *Message) body(p Preset) (content []byte, contentType string) {
	var v any
	switch p {
	case PresetDiscord:
		text := "**" + escape(m.Title(), "*_~`|>\\") + "**\n" + escape(m.Text(), "*_~`|>\\")
		v = map[string]any{"content": cut(text, maxDiscord), "allowed_mentions": map[string]any{"parse": []string{}}}
	case PresetSlack:
		replacer := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
		v = map[string]any{"text": cut(replacer.Replace(m.Title()+"\n"+m.Text()), maxSlack)}
	case PresetNtfy:
		text := m.Text()
		for len(text) > maxNtfy {
			text = cut(text, utf8.RuneCountInString(text)*3/4)
		}
		return []byte(text), "text/plain; charset=utf-8"
	default:
		v = m.payload()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // cannot happen: texts, numbers and times
	}
	return bytes.TrimRight(b.Bytes(), "\n"), "application/json"
}

func (m *Message) payload() payload {
	p := payload{ID: m.ID, Event: "digest", Server: m.Site, Text: m.Text()}
	for i := range m.Notifications {
		n := &m.Notifications[i]
		// Text stands for Facts.Text, which has the same name in JSON.
		p.Events = append(p.Events, payloadEvent{ID: n.ID, Event: n.Event, At: n.At.UTC(), Text: m.text(n), Facts: n.Facts, AnnouncementText: n.Facts.Text})
	}
	if len(p.Events) == 1 {
		p.Event = p.Events[0].Event
	}
	return p
}

// escape puts a backslash before each of the characters.
func escape(text, characters string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(characters, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cut returns the first limit characters of a text, with an ellipsis if that is not all of it.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}
