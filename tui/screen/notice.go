package screen

import (
	"fmt"
	"strings"
	"time"

	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// notice is a message above the status bar. Its text goes with the next one, with what the user does next, or after a
// time.
type notice struct {
	failure string    // the last error, which stays until something that the user does succeeds; "": none
	text    string    // paragraphs, separated by line breaks; "": none
	expires time.Time // text is removed at that time; zero: there is none
	isNew   bool      // a result of the message that is being processed
	isEvent bool      // text is from NotifyEvents
}

// The time that a message stays: noticeDuration for each noticeLength characters that it begins, so that it can be read.
const (
	noticeDuration = 5 * time.Second
	noticeLength   = 100
)

// Message is a notice that was shown.
type Message struct {
	At   time.Time
	Text string
}

// maxMessages is the number of messages that a session keeps.
const maxMessages = 20

// notices is the part of a Shell that shows notices.
type notices struct {
	messages []Message // the last maxMessages, the newest last
	notice   notice

	isInput   bool // input is being processed
	isRefused bool // the message that is being processed has shown an error
	isIgnored bool // the input that is being processed does nothing
}

// show shows a text in place of the one so far. Events of one message are shown together, and with what else that
// message shows.
func (s *notices) show(text string, isEvent bool) {
	s.keep(text)
	n := notice{failure: s.notice.failure, text: text, isNew: true, isEvent: isEvent}
	if !isEvent {
		s.succeed()
		n.failure = s.notice.failure
	}
	if old := s.notice; old.isNew && old.text != "" && (old.isEvent || isEvent) {
		n.text, n.isEvent = old.text+" "+text, true
	}
	s.notice = n
	s.setExpiry()
}

// setExpiry begins the time that the text stays.
func (s *notices) setExpiry() {
	s.notice.expires = time.Now().Add(noticeDuration * time.Duration(1+paint.Width(s.notice.text)/noticeLength))
}

// keep adds a message to those that Messages returns.
func (s *notices) keep(text string) {
	if len(s.messages) == maxMessages {
		s.messages = append(s.messages[:0], s.messages[1:]...)
	}
	s.messages = append(s.messages, Message{time.Now(), text})
}

// Messages returns the last messages, the newest last.
func (s *notices) Messages() []Message { return s.messages }

// expireNotice removes a text whose time is up.
func (s *notices) expireNotice(now time.Time) {
	if at := s.notice.expires; !at.IsZero() && !now.Before(at) {
		s.notice.text, s.notice.expires = "", time.Time{}
	}
}

// Notify shows complete sentences above the status bar.
func (s *notices) Notify(format string, args ...any) {
	s.show(fmt.Sprintf(format, args...), false)
}

// NotifyMore adds a paragraph to the notice; "" adds nothing.
func (s *notices) NotifyMore(text string) {
	switch {
	case text == "":
	case s.notice.text == "":
		s.Notify("%s", text)
	default:
		s.keep(text)
		s.notice.text += "\n" + text
		s.setExpiry()
	}
}

// NotifyError shows as an error why something was refused; the text is a clause.
func (s *notices) NotifyError(format string, args ...any) {
	text := words.Sentence(fmt.Sprintf(format, args...))
	s.keep(text)
	s.isRefused = true
	n := notice{failure: text, isNew: true}
	if old := s.notice; old.isNew && old.isEvent {
		n.text, n.expires, n.isEvent = old.text, old.expires, true
	}
	s.notice = n
}

// NotifyEvents shows what others did.
func (s *notices) NotifyEvents(texts ...string) {
	if len(texts) > 0 {
		s.show(strings.Join(texts, " "), true)
	}
}

// ClearNotice removes the notice.
func (s *notices) ClearNotice() { s.notice = notice{} }

// ClearFailure removes the error of an earlier message, after a change because of which it may no longer be true.
func (s *notices) ClearFailure() {
	if !s.notice.isNew {
		s.notice.failure = ""
	}
}

// ClearOldNotice removes the notice unless it is a result of the message that is being processed.
func (s *notices) ClearOldNotice() {
	if !s.notice.isNew {
		s.ClearNotice()
	}
}

// BeginMessage prepares for the next message: the notice so far is no longer new.
func (s *notices) BeginMessage() {
	s.notice.isNew, s.isInput, s.isRefused, s.isIgnored = false, false, false, false
}

// Ignore reports that the input that is being processed does nothing, so that an error stays.
func (s *notices) Ignore() { s.isIgnored = true }

// succeed removes the error of something earlier: what the user has done since has succeeded.
func (s *notices) succeed() {
	if !s.isRefused {
		s.notice.failure = ""
	}
}

// isEmpty reports whether nothing is shown.
func (n *notice) isEmpty() bool { return n.failure == "" && n.text == "" }

// shown returns the failure and the text.
func (n *notice) shown() string { return strings.TrimSpace(n.failure + " " + n.text) }

// NotifyFailure shows an error of the lobby as the user may see it.
func (s *Shell) NotifyFailure(err error) { s.NotifyError("%s", s.Config.Explain(err)) }
