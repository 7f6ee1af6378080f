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
	"ayumu/tui/client"
	"ayumu/tui/words"
)

// Run runs line mode for one session until the user quits, ctx ends or in returns an error. It blocks while
// out does. It starts a goroutine that reads in and ends with the next error of in, so the owner of in must
// close it after Run returns. A panic is returned in Exit.Err.
func Run(ctx context.Context, in io.Reader, out io.Writer, v *client.Config) (d client.Exit) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &session{ctx: ctx, out: out, config: v, idleLimit: -1, news: words.Tracker{Games: v.Games, Arrow: "to"}, knownMatches: make(map[string]bool), knownChallenges: make(map[string]bool)}
	defer func() {
		if r := recover(); r != nil {
			d = client.Exit{Err: fmt.Errorf("line: %v\n%s", r, debug.Stack())}
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
		read(ctx, in, chunks, client.InputPace(v.Lobby))
	}()
	t.signIn()
	for !t.leaving {
		select {
		case <-ctx.Done():
			select {
			case err := <-faults:
				return client.Exit{Dropped: true, Err: err}
			default:
				return client.Exit{Dropped: true}
			}
		case chunk := <-chunks:
			t.handleInput(chunk)
		case <-t.wakeups():
			t.printEvents()
		}
		t.setIdleLimit()
	}
	return client.Exit{}
}

// read sends chunks of at most 256 bytes until in returns an error or ctx ends. After each chunk it pauses
// for wait(n).
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

// session is one session of line mode. Only Run's goroutine uses it.
type session struct {
	ctx       context.Context
	out       io.Writer
	config    *client.Config
	session   *lobby.Session // nil until the user has signed in
	editor    editor
	leaving   bool
	idleLimit time.Duration

	current         *openMatch      // nil in the lobby
	tables          []string        // ids of the last printed list, for "join 2"
	games           []string        // likewise, for "watch 2" and "play 2"
	knownMatches    map[string]bool // own matches that were announced
	knownChallenges map[string]bool // challenges that were announced
	usersRevision   uint64          // Lobby.UsersRevision at the last look for challenges
	lastChat        uint64          // the last printed line of the lobby's chat
	news            words.Tracker   // events of the user's tables and of matches that are not open
	onConfirm       func()          // runs after "yes"; nil without a question
	lastHint        time.Time       // when the engine was asked last
}

// wakeups returns the session's wakeups, or nil before sign-in.
func (t *session) wakeups() <-chan struct{} {
	if t.session == nil {
		return nil
	}
	return t.session.Wakeups()
}

// printf writes one line without unprintable characters, and then the unfinished input line again.
func (t *session) printf(format string, args ...any) {
	text := strings.Map(printable, fmt.Sprintf(format, args...))
	if typed := t.editor.text(); typed != "" {
		fmt.Fprintf(t.out, "\r\n%s\r\n%s", text, typed)
		return
	}
	fmt.Fprintf(t.out, "%s\r\n", text)
}

// printable drops unprintable characters and replaces those that screen readers mispronounce.
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

// printError prints the public part of an error.
func (t *session) printError(err error) {
	_, text := lobby.PublicError(err)
	t.printf("Error: %s.", strings.TrimSuffix(text, "."))
}

// handleInput echoes input and runs its complete lines.
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

// setIdleLimit updates the session's idle limit after sign-in, if it has changed.
func (t *session) setIdleLimit() {
	if t.config.SetIdleLimit == nil || t.session == nil {
		return
	}
	if limit := client.IdleLimit(t.session, t.current != nil); limit != t.idleLimit {
		t.idleLimit = limit
		t.config.SetIdleLimit(limit)
	}
}

// callTimeout is the time limit of a call into the lobby; a match answers within milliseconds.
const callTimeout = 15 * time.Second

// call runs f with callTimeout and prints its error. It reports whether there was none.
func (t *session) call(f func(ctx context.Context) error) bool {
	ctx, cancel := context.WithTimeout(t.ctx, callTimeout)
	defer cancel()
	if err := f(ctx); err != nil {
		t.printError(err)
		return false
	}
	return true
}
