package screen

import (
	"fmt"
	"strings"
	"time"

	"ayumu/tui/words"
)

// notice is a message in the line above the status bar, shown until the next key or click.
type notice struct {
	text    string // paragraphs, separated by line breaks
	isError bool
	expires time.Time // removed at that time; zero: only by a key or click
	isNew   bool      // a result of the message that is being processed
	isEvent bool      // set by NotifyEvents
}

// noticeDuration is how long a notice stays on a screen on which the user may press no key for hours.
const noticeDuration = time.Minute

// Message is a notice that was shown.
type Message struct {
	At      time.Time
	Text    string
	IsError bool
}

// maxMessages is the number of messages that a session keeps.
const maxMessages = 20

// notices is the part of a Shell that shows notices.
type notices struct {
	messages []Message // the last maxMessages, the newest last
	notice   notice
	expires  bool // the current screen is one on which notices expire
}

// setNotice shows a notice, which expires if the user may be watching.
func (s *notices) setNotice(text string, isError bool) {
	n := notice{text: text, isError: isError}
	if s.expires {
		n.expires = time.Now().Add(noticeDuration)
	}
	s.replaceNotice(n)
}

// replaceNotice shows a notice in place of the one so far. Events of one message are shown
// together, and with what else that message shows.
func (s *notices) replaceNotice(n notice) {
	s.keep(n.text, n.isError)
	if old := s.notice; old.isNew && old.text != "" && (old.isEvent || n.isEvent) {
		n = notice{text: old.text + " " + n.text, isError: old.isError || n.isError, isEvent: true}
	}
	n.isNew = true
	s.notice = n
}

// keep adds a message to those that Messages returns.
func (s *notices) keep(text string, isError bool) {
	if len(s.messages) == maxMessages {
		s.messages = append(s.messages[:0], s.messages[1:]...)
	}
	s.messages = append(s.messages, Message{time.Now(), text, isError})
}

// Messages returns the last messages, the newest last.
func (s *notices) Messages() []Message { return s.messages }

// expireNotice removes a notice whose time is up.
func (s *notices) expireNotice(now time.Time) {
	if at := s.notice.expires; !at.IsZero() && !now.Before(at) {
		s.ClearNotice()
	}
}

// Notify shows complete sentences as a notice above the status bar.
func (s *notices) Notify(format string, args ...any) {
	s.setNotice(fmt.Sprintf(format, args...), false)
}

// NotifyMore adds a paragraph to the notice; "" adds nothing.
func (s *notices) NotifyMore(text string) {
	switch {
	case text == "":
	case s.notice.text == "":
		s.Notify("%s", text)
	default:
		s.keep(text, false)
		s.notice.text += "\n" + text
	}
}

// NotifyError shows as an error why something was refused; the text is a clause.
func (s *notices) NotifyError(format string, args ...any) {
	s.setNotice(words.Sentence(fmt.Sprintf(format, args...)), true)
}

// NotifyEvents shows what others did. The notice has no expiry: it stays until the user acts or something newer
// replaces it.
func (s *notices) NotifyEvents(texts ...string) {
	if len(texts) > 0 {
		s.replaceNotice(notice{text: strings.Join(texts, " "), isEvent: true})
	}
}

// ClearNotice removes the notice.
func (s *notices) ClearNotice() { s.notice = notice{} }

// ClearOldNotice removes the notice unless it is a result of the message that is being processed.
func (s *notices) ClearOldNotice() {
	if !s.notice.isNew {
		s.ClearNotice()
	}
}

// BeginMessage prepares for the next message: the notice so far is no longer new.
func (s *notices) BeginMessage() { s.notice.isNew = false }

// NotifyFailure shows an error of the lobby as the user may see it.
func (s *Shell) NotifyFailure(err error) { s.NotifyError("%s", s.Config.Explain(err)) }
