package screen

import (
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// notice is a message in the line above the status bar, shown until the next key.
type notice struct {
	text    string // paragraphs, separated by line breaks
	isError bool
	expires time.Time // removed at that time; zero: only by a key
}

// noticeDuration is how long a notice stays on a screen on which the user may press no key for hours.
const noticeDuration = time.Minute

// setNotice shows a notice, which expires if the user may be watching.
func (s *Shell) setNotice(text string, isError bool) {
	s.notice = notice{text: text, isError: isError}
	if s.current != nil && s.current.Traits().IsWatching {
		s.notice.expires = time.Now().Add(noticeDuration)
	}
}

// Notify shows complete sentences as a notice above the status bar.
func (s *Shell) Notify(format string, args ...any) { s.setNotice(fmt.Sprintf(format, args...), false) }

// NotifyMore adds a paragraph to the notice; "" adds nothing.
func (s *Shell) NotifyMore(text string) {
	switch {
	case text == "":
	case s.notice.text == "":
		s.Notify("%s", text)
	default:
		s.notice.text += "\n" + text
	}
}

// NotifyError shows as an error why something was refused; the text is a clause.
func (s *Shell) NotifyError(format string, args ...any) {
	s.setNotice(words.Sentence(fmt.Sprintf(format, args...)), true)
}

// NotifyFailure shows an error of the lobby as the user may see it.
func (s *Shell) NotifyFailure(err error) {
	_, text := lobby.PublicError(err)
	s.NotifyError("%s", text)
}

// NotifyEvents shows what others did. The notice has no expiry.
func (s *Shell) NotifyEvents(texts ...string) {
	if len(texts) > 0 {
		s.notice = notice{text: strings.Join(texts, " ")}
	}
}

// ClearNotice removes the notice.
func (s *Shell) ClearNotice() { s.notice = notice{} }
