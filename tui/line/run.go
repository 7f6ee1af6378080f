package line

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
func Run(ctx context.Context, in io.Reader, out io.Writer, v *tui.Visit) (d tui.Departure) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &talk{ctx: ctx, out: out, visit: v, idle: -1, news: words.Tracker{Arrow: "to"}, known: make(map[string]bool), invited: make(map[string]bool)}
	defer func() {
		if r := recover(); r != nil {
			d = tui.Departure{Err: fmt.Errorf("line: %v\n%s", r, debug.Stack())}
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
		read(ctx, in, chunks, tui.Keys(v.Lobby))
	}()
	t.begin()
	for !t.left {
		select {
		case <-ctx.Done():
			select {
			case err := <-faults:
				return tui.Departure{Dropped: true, Err: err}
			default:
				return tui.Departure{Dropped: true}
			}
		case chunk := <-chunks:
			t.hear(chunk)
		case <-t.wake():
			t.events()
		}
		t.setPatience()
	}
	return tui.Departure{}
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

// talk is one session.
type talk struct {
	ctx     context.Context
	out     io.Writer
	visit   *tui.Visit
	session *lobby.Session // nil until there is a name
	editor  editor
	left    bool
	idle    time.Duration

	at      *place   // the match that is open; nil in the lobby
	tables  []string // ids as they were last listed, for "join 2"
	games   []string
	known   map[string]bool // own matches that were announced
	invited map[string]bool // challenges that were announced
	crowd   uint64          // the lobby's Crowd when its challenges were last looked for
	heard   uint64          // the last line of the lobby's talk that was said
	news    words.Tracker   // what others do to the person's tables and in games that are not open
	sure    func()          // what "yes" does; nil: nothing was asked
	hinted  time.Time       // when the engine was asked last
}

// wake returns the lobby's wake, or nil before there is a session.
func (t *talk) wake() <-chan struct{} {
	if t.session == nil {
		return nil
	}
	return t.session.Wake()
}

// say writes one line. What was being typed is written again after it.
func (t *talk) say(format string, args ...any) {
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

// sorry says why something was refused.
func (t *talk) sorry(err error) {
	_, text := lobby.Explain(err)
	t.say("Sorry: %s.", strings.TrimSuffix(text, "."))
}

// hear takes what was typed.
func (t *talk) hear(chunk []byte) {
	for len(chunk) > 0 && !t.left {
		n, echo, line, done := t.editor.feed(chunk)
		chunk = chunk[n:]
		if echo != "" {
			io.WriteString(t.out, echo)
		}
		if done {
			t.obey(line)
		}
	}
}

// setPatience tells how long the person may be quiet, once he is in the lobby.
func (t *talk) setPatience() {
	if t.visit.Idle == nil || t.session == nil {
		return
	}
	if limit := tui.Patience(t.visit.Lobby.Limits(), t.session, t.at != nil); limit != t.idle {
		t.idle = limit
		t.visit.Idle(limit)
	}
}

// callTimeout bounds a call into the lobby; a match answers within milliseconds.
const callTimeout = 15 * time.Second

// call makes one call into the lobby and says its error. It reports whether there was none.
func (t *talk) call(f func(ctx context.Context) error) bool {
	ctx, cancel := context.WithTimeout(t.ctx, callTimeout)
	defer cancel()
	if err := f(ctx); err != nil {
		t.sorry(err)
		return false
	}
	return true
}
