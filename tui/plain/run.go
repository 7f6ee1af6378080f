package plain

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"ayumu/lobby"
	"ayumu/lobby/guard"
	"ayumu/tui"
	"ayumu/tui/words"
)

// Run talks with one person until he leaves or the connection drops. It blocks while out does. The
// goroutine that reads in ends with the next error of in, so whoever owns in closes it afterwards.
func Run(ctx context.Context, in io.Reader, out io.Writer, v *tui.Config) (d tui.Exit) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &session{ctx: ctx, out: out, config: v, idleLimit: -1, news: words.Tracker{Games: v.Games, Arrow: "to"}, knownMatches: make(map[string]bool), knownChallenges: make(map[string]bool)}
	defer func() {
		if r := recover(); r != nil {
			d = tui.Exit{Err: fmt.Errorf("line: %v\n%s", r, debug.Stack())}
		}
		if t.session != nil {
			t.session.Close(d.Dropped)
		}
	}()
	chunks := make(chan []byte)
	faults := make(chan error, 1)
	go func() {
		defer cancel()
		defer guard.Recover(func(err error) { faults <- err })
		read(ctx, in, chunks, tui.InputPace(v.Lobby))
	}()
	t.signIn()
	for !t.leaving {
		select {
		case <-ctx.Done():
			select {
			case err := <-faults:
				return tui.Exit{Dropped: true, Err: err}
			default:
				return tui.Exit{Dropped: true}
			}
		case chunk := <-chunks:
			t.handleInput(chunk)
		case <-t.wakeups():
			t.printEvents()
		}
		t.setIdleLimit()
	}
	return tui.Exit{}
}

// read passes input on in small pieces until there is an error, no faster than wait says.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte, wait func(n int) time.Duration) {
	for {
		buf := make([]byte, 256)
		n, err := in.Read(buf)
		if n > 0 {
			select {
			case chunks <- buf[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
		if rest := wait(n); rest > 0 {
			select {
			case <-time.After(rest):
			case <-ctx.Done():
				return
			}
		}
	}
}

// session is one session.
type session struct {
	ctx       context.Context
	out       io.Writer
	config    *tui.Config
	session   *lobby.Session // nil until there is a name
	editor    editor
	leaving   bool
	idleLimit time.Duration

	current         *openMatch // the match that is open; nil in the lobby
	tables          []string   // ids as they were last listed, for "join 2"
	games           []string
	knownMatches    map[string]bool // own matches that were announced
	knownChallenges map[string]bool // challenges that were announced
	usersRevision   uint64          // the lobby's Crowd when its challenges were last looked for
	lastChat        uint64          // the last line of the lobby's talk that was said
	news            words.Tracker   // what others do to the person's tables and in games that are not open
	onConfirm       func()          // what "yes" does; nil: nothing was asked
	lastHint        time.Time       // when the engine was asked last
}

// wakeups returns the lobby's wake, or nil before there is a session.
func (t *session) wakeups() <-chan struct{} {
	if t.session == nil {
		return nil
	}
	return t.session.Wakeups()
}

// printf writes one line. What was being typed is written again after it.
func (t *session) printf(format string, args ...any) {
	text := strings.Map(printable, fmt.Sprintf(format, args...))
	if typed := t.editor.text(); typed != "" {
		fmt.Fprintf(t.out, "\r\n%s\r\n%s", text, typed)
		return
	}
	fmt.Fprintf(t.out, "%s\r\n", text)
}

// printable leaves out everything that is no plain character, and replaces those that a screen
// reader stumbles over.
func printable(r rune) rune {
	switch r {
	case '×':
		return 'x'
	case '–':
		return '-'
	}
	if r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) {
		return r
	}
	return -1
}

// printError says why something was refused.
func (t *session) printError(err error) {
	_, text := lobby.PublicError(err)
	t.printf("Error: %s.", strings.TrimSuffix(text, "."))
}

// handleInput takes what was typed.
func (t *session) handleInput(chunk []byte) {
	for len(chunk) > 0 && !t.leaving {
		n, echo, line, done := t.editor.feed(chunk)
		chunk = chunk[n:]
		if echo != "" {
			io.WriteString(t.out, echo)
		}
		if done {
			t.runCommand(line)
		}
	}
}

// setIdleLimit tells how long the person may be quiet, once he is in the lobby.
func (t *session) setIdleLimit() {
	if t.config.SetIdleLimit == nil || t.session == nil {
		return
	}
	if limit := tui.IdleLimit(t.config.Lobby.Limits(), t.session, t.current != nil); limit != t.idleLimit {
		t.idleLimit = limit
		t.config.SetIdleLimit(limit)
	}
}

// callTimeout bounds a call into the lobby; a match answers within milliseconds.
const callTimeout = 15 * time.Second

// call makes one call into the lobby and says its error. It reports whether there was none.
func (t *session) call(f func(ctx context.Context) error) bool {
	ctx, cancel := context.WithTimeout(t.ctx, callTimeout)
	defer cancel()
	if err := f(ctx); err != nil {
		t.printError(err)
		return false
	}
	return true
}
