package lobby

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"ayumu/lobby/errcode"
)

// TestPublicErrorIsCleanAndBounded: a message can repeat what a client has sent.
func TestPublicErrorIsCleanAndBounded(t *testing.T) {
	err := fmt.Errorf("acting: %w", &errcode.Error{Code: errcode.BadRequest, Message: "a\x1b[2J\u202eb\n" + strings.Repeat("é", 60_000)})
	code, message := PublicError(err)
	if code != errcode.BadRequest || !strings.HasPrefix(message, "a[2Jb é") || utf8.RuneCountInString(message) != maxMessage {
		t.Errorf("%s %.40q of %d characters", code, message, utf8.RuneCountInString(message))
	}
	if code, message := PublicError(errors.New("secret")); code != errcode.Unavailable || strings.Contains(message, "secret") {
		t.Errorf("%s %q", code, message)
	}
}
