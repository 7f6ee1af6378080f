package linemode

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/tui/op"
)

// Terminal is the terminal of a session, or what stands in its place.
type Terminal struct {
	In    io.Reader // it may be a limit.InputDeferrer
	Out   io.Writer
	Width int // in columns; 0: there is no terminal, and lines are not broken
	// Resize delivers the newest size after a change; nil: it is fixed. The type is that of tui.Terminal.
	Resize <-chan struct{ Width, Height int }
}

// Run runs line mode for one session until the user quits, ctx ends or term.In returns an error. It blocks while
// term.Out does. It starts a goroutine that reads term.In and ends with its next error, so the owner of term.In must
// close it after Run returns. A panic is returned in Exit.Err.
func Run(ctx context.Context, term *Terminal, c *op.Config) (d op.Exit) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.SetDefaults()
	t := &session{ctx: ctx, printer: printer{out: term.Out, width: term.Width}, config: c}
	defer func() {
		if r := recover(); r != nil {
			d = op.Exit{Err: fmt.Errorf("line: %v\n%s", r, debug.Stack())}
		}
		if t.visit != nil {
			t.visit.Session.Close(d.Dropped)
		}
	}()
	chunks := make(chan []byte)
	faults := make(chan error, 1)
	go func() {
		defer cancel()
		defer guard.Recover(func(err error) { faults <- err })
		read(ctx, term.In, chunks, op.InputPace(c.Lobby))
	}()
	deferInput := limit.DeferInput(term.In)
	urgent := make(chan struct{}, 1)
	alarm := lobby.NewAlarm(func() {
		select {
		case urgent <- struct{}{}:
		default:
		}
	})
	defer c.Lobby.Alarms.Set(alarm, time.Time{})
	t.signIn()
	for !t.hasEnded {
		c.Lobby.Alarms.Set(alarm, t.nextWarning())
		select {
		case <-ctx.Done():
			select {
			case err := <-faults:
				return op.Exit{Dropped: true, Err: err}
			default:
				return op.Exit{Dropped: true}
			}
		case chunk := <-chunks:
			if t.await(chunk, deferInput) == nil {
				t.handleInput(chunk)
			}
		case <-t.wakeups():
			t.printEvents()
		case size := <-term.Resize:
			t.width = size.Width
		case <-urgent:
			t.printWarning()
		}
		if t.visit != nil {
			t.visit.SetIdle(t.current() != nil || t.review != nil)
		}
	}
	return op.Exit{}
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

// await charges the lines in a chunk of input, or one for less than a line, which is echoed, and waits until
// the user's budget of requests allows it. It returns an error if the session ends before.
func (t *session) await(chunk []byte, onWait func()) error {
	payer := lobby.NewPayer(0, t.config.Addr)
	if t.visit != nil {
		payer = t.visit.Session.Payer()
	}
	lines := max(bytes.Count(chunk, []byte("\r")), bytes.Count(chunk, []byte("\n")))
	return t.config.Lobby.Budgets.Await(t.ctx, payer, limit.WorkRequest, lines, onWait)
}

// session is one session of line mode. Only Run's goroutine uses it.
type session struct {
	printer
	ctx      context.Context
	config   *op.Config
	visit    *op.Visit // nil until the user has signed in
	hasEnded bool      // Run returns

	coach     op.Coach        // of the open match
	lessons   *op.Lessons     // nil: none are open
	analysis  *openAnalysis   // of the match that is open or reviewed; nil: none
	review    *review         // an earlier position that is shown; nil: none
	next      string          // what continues the last list, for more; "": it is complete
	hinted    []search.Choice // the turns of the last hint
	hintedAt  engine.Position // of the hint; nil: none
	onConfirm func()          // runs after "yes"; nil without a question
}

// wakeups returns the session's wakeups, or nil before sign-in.
func (t *session) wakeups() <-chan struct{} {
	if t.visit == nil {
		return nil
	}
	return t.visit.Session.Wakeups()
}

// handleInput echoes input and runs its complete lines.
func (t *session) handleInput(chunk []byte) {
	for len(chunk) > 0 && !t.hasEnded {
		if chunk[0] == '\t' && t.visit != nil {
			t.complete()
			chunk = chunk[1:]
			continue
		}
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

// call runs f with op.CallTimeout and prints its error. It reports whether there was none.
func (t *session) call(f func(ctx context.Context) error) bool {
	ctx, cancel := context.WithTimeout(t.ctx, op.CallTimeout)
	defer cancel()
	if err := f(ctx); err != nil {
		t.printError(err)
		return false
	}
	return true
}

// askConfirm prints a warning and runs do if the next line is "yes". do must be bound to the match of the
// question, because another match may be open by then.
func (t *session) askConfirm(warning string, do func()) {
	t.onConfirm = do
	t.printf("%s Type yes to confirm.", warning)
}

// exit ends the session.
func (t *session) exit() {
	t.hasEnded = true
	if t.visit == nil {
		t.printf("Goodbye.")
		return
	}
	for _, line := range t.visit.Goodbye() {
		t.printf("%s", line)
	}
}

// openMatch opens a match, as a player if the user has a seat, else as a spectator. code opens a private
// one.
func (t *session) openMatch(id, code string) {
	var m *op.Match
	if !t.call(func(ctx context.Context) (err error) {
		m, err = t.visit.OpenMatch(id, code)
		return t.visit.Archive().ExplainUnknown(ctx, id, err)
	}) {
		return
	}
	t.closeMatch()
	t.visit.Current = m
	t.visit.Session.LookAt(m.InLobby.Info.ID)
	t.printMatch()
}

// closeMatch closes the open match, the review, the analysis and the lessons.
func (t *session) closeMatch() {
	t.closeAnalysis()
	if m := t.current(); m != nil {
		m.Close()
		t.visit.Session.LookAt("")
	}
	t.visit.Current = nil
	t.review, t.lessons, t.coach = nil, nil, op.Coach{}
}

// current returns the match that is open; nil in the lobby and in a replay from the archive.
func (t *session) current() *op.Match {
	if t.visit == nil || t.visit.Current == nil || t.visit.Current.IsArchived() {
		return nil
	}
	return t.visit.Current
}
