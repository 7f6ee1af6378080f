package notify

import (
	"context"
	"fmt"
	"time"

	"ayumu/lobby"
)

// Sender sends messages to receivers of one kind. Any goroutine may use it.
type Sender interface {
	// Send sends a message and returns nil once the receiver has acknowledged it. The text of an error is for the
	// owner of the receiver; it has no part of the address. to is Receiver.Destination from now on, "" if it stays.
	Send(ctx context.Context, s *Settings, m *Message) (to string, err error)
	// Check returns an error for the user if messages can not be sent to an address here. It does not connect.
	Check(s *Settings) error
}

// CodeSender is a Sender for addresses that have to be confirmed with a code.
type CodeSender interface {
	// SendCode sends a code to the address.
	SendCode(ctx context.Context, s *Settings, site, code string) error
}

// SendError is the error of a message that was not acknowledged.
type SendError struct {
	Text       string
	RetryAfter time.Duration // what the receiver has asked for; 0: nothing
}

func (e *SendError) Error() string { return e.Text }

func sendError(format string, args ...any) error {
	return &SendError{Text: fmt.Sprintf(format, args...)}
}

// publicText returns the message of an error for the user.
func publicText(err error) string {
	_, text := lobby.PublicError(err)
	return text
}
