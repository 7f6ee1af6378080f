package program_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/paint"
	"ayumu/tui/program"
)

// output is a terminal that keeps what it has received.
type output struct {
	mu    sync.Mutex
	bytes []byte
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes = append(o.bytes, b...)
	return len(b), nil
}

// take returns what was written since the last call.
func (o *output) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := string(o.bytes)
	o.bytes = nil
	return text
}

// model is a model that shows a text, and lets a test do what it likes with a message.
type model struct {
	busy   atomic.Bool // Init, Update or Picture runs
	fault  atomic.Bool // two of them have run at once
	got    []tea.Msg
	text   string
	view   tea.View
	init   func() tea.Cmd
	update func(tea.Msg) tea.Cmd
	onDraw func()
	frame  *paint.Frame
}

func (m *model) enter() func() {
	if !m.busy.CompareAndSwap(false, true) {
		m.fault.Store(true)
	}
	return func() { m.busy.Store(false) }
}

func (m *model) Init() tea.Cmd {
	defer m.enter()()
	if m.init != nil {
		return m.init()
	}
	return nil
}

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	defer m.enter()()
	m.got = append(m.got, msg)
	runtime.Gosched()
	if m.update != nil {
		return m, m.update(msg)
	}
	return m, nil
}

func (m *model) View() tea.View { return m.view }

func (m *model) Picture() program.Picture {
	defer m.enter()()
	if m.onDraw != nil {
		m.onDraw()
	}
	m.frame = paint.Draw(m.frame, 20, 2, func(c paint.Canvas) { c.Text(0, 0, paint.Style{}, m.text) })
	return program.Picture{Frame: m.frame, Profile: paint.Profile{Term: "xterm"}, View: m.view}
}

// running is a program that runs.
type running struct {
	*program.Program
	out    output
	cancel context.CancelFunc
	ended  chan error
}

// with runs a program in a bubble. It ends with do.
func with(t *testing.T, m *model, do func(*running)) {
	synctest.Test(t, func(t *testing.T) {
		r := &running{ended: make(chan error, 1)}
		ctx, cancel := context.WithCancel(t.Context())
		r.cancel = cancel
		s := paint.NewScreen(&r.out, 20, 2, paint.Options{})
		r.Program = program.New(ctx, m, s)
		go func() {
			err := r.Run()
			s.Close()
			r.ended <- err
		}()
		synctest.Wait()
		do(r)
		cancel()
		if len(r.ended) == 0 {
			synctest.Wait()
		}
		if m.fault.Load() {
			t.Error("Init, Update or Picture ran at the same time")
		}
	})
}

// end waits for the end of Run and returns its error.
func (r *running) end(t *testing.T) error {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-r.ended:
		return err
	default:
		t.Fatal("the program goes on")
		return nil
	}
}

func TestMessagesAreProcessedOneAtATime(t *testing.T) {
	m := new(model)
	with(t, m, func(r *running) {
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { r.Send(1) })
		}
		all.Wait()
		if len(m.got) != 50 {
			t.Errorf("%d of 50 messages were processed", len(m.got))
		}
	})
}

func TestSendReturnsWhenTheFrameIsWritten(t *testing.T) {
	m := &model{text: "first", init: func() tea.Cmd { return nil }}
	m.update = func(msg tea.Msg) tea.Cmd { m.text = msg.(string); return nil }
	with(t, m, func(r *running) {
		if got := r.out.take(); !strings.Contains(got, "first") {
			t.Errorf("Run has written %q", got)
		}
		r.Send("second")
		if got := r.out.take(); !strings.Contains(got, "second") {
			t.Errorf("Send has written %q", got)
		}
		r.Send("second")
		if got := r.out.take(); got != "" {
			t.Errorf("for an equal frame it has written %q", got)
		}
	})
}

func TestCommandsRunBesideEachOtherAndAreBounded(t *testing.T) {
	m := new(model)
	var release chan struct{}
	var runs, most atomic.Int64
	slow := func() tea.Msg {
		if n := runs.Add(1); n > most.Load() {
			most.Store(n)
		}
		<-release
		runs.Add(-1)
		return "done"
	}
	m.update = func(msg tea.Msg) tea.Cmd {
		if msg == "slow" {
			return slow
		}
		return nil
	}
	with(t, m, func(r *running) {
		release = make(chan struct{})
		const waiting = 20
		for range program.MaxCommands + waiting {
			r.Send("slow")
		}
		synctest.Wait()
		if n := runs.Load(); n != program.MaxCommands {
			t.Errorf("%d commands run, not %d", n, program.MaxCommands)
		}
		r.Send("another message") // is processed beside them
		close(release)
		synctest.Wait()
		done := 0
		for _, msg := range m.got {
			if msg == "done" {
				done++
			}
		}
		if done != program.MaxCommands+waiting || most.Load() > program.MaxCommands {
			t.Errorf("%d commands have ended, at most %d at once", done, most.Load())
		}
	})
}

func TestOneCommandTooManyEndsTheProgram(t *testing.T) {
	m := new(model)
	var release chan struct{}
	m.update = func(tea.Msg) tea.Cmd { return func() tea.Msg { <-release; return nil } }
	with(t, m, func(r *running) {
		release = make(chan struct{})
		for range program.MaxCommands + program.MaxWaiting {
			r.Send(1)
		}
		synctest.Wait()
		if len(r.ended) > 0 {
			t.Fatal("the program has ended too early")
		}
		r.Send(1)
		if err := r.end(t); !errors.Is(err, program.ErrTooManyCommands) {
			t.Errorf("it ended with %v", err)
		}
		close(release)
	})
}

func TestCommandsReturnMessagesInTurn(t *testing.T) {
	say := func(s string) tea.Cmd { return func() tea.Msg { return s } }
	m := &model{}
	m.init = func() tea.Cmd {
		return tea.Sequence(say("a"), tea.Batch(say("b"), tea.Sequence(say("c"), say("d"))), nil, say("e"), func() tea.Msg { return nil })
	}
	with(t, m, func(r *running) {
		at := func(s string) int { return slices.Index(m.got, any(s)) }
		if len(m.got) != 5 || at("a") != 0 || at("e") != 4 || at("c") > at("d") {
			t.Errorf("the messages came as %v", m.got)
		}
		m.got = nil
		r.Send(tea.Sequence(say("x"), say("y"))())
		r.Send(tea.Batch(say("z"), nil, say("z"))())
		synctest.Wait()
		if len(m.got) != 4 || at("x") > at("y") {
			t.Errorf("sent ones came as %v", m.got)
		}
	})
}

// TestCommandsOfABatchWaitForEachOther: two commands of a batch that need each other both end, also in a sequence.
func TestCommandsOfABatchWaitForEachOther(t *testing.T) {
	for name, wrap := range map[string]func(tea.Cmd) tea.Cmd{
		"alone":         func(c tea.Cmd) tea.Cmd { return c },
		"in a sequence": func(c tea.Cmd) tea.Cmd { return tea.Sequence(c, func() tea.Msg { return "after" }) },
	} {
		m := &model{init: func() tea.Cmd {
			meet := make(chan struct{})
			return wrap(tea.Batch(func() tea.Msg { meet <- struct{}{}; return "one" }, func() tea.Msg { <-meet; return "two" }))
		}}
		with(t, m, func(*running) {
			if !slices.Contains(m.got, any("one")) || !slices.Contains(m.got, any("two")) {
				t.Errorf("%s: only %v", name, m.got)
			}
			if i := slices.Index(m.got, any("after")); i >= 0 && i != 2 {
				t.Errorf("%s: the next of the sequence did not wait: %v", name, m.got)
			}
		})
	}
}

func TestQuitAndTheContextEndTheProgram(t *testing.T) {
	for name, stop := range map[string]func(*running){
		"Quit":        func(r *running) { r.Send("quit") },
		"a QuitMsg":   func(r *running) { r.Send(tea.QuitMsg{}) },
		"the context": func(r *running) { r.cancel() },
	} {
		m := new(model)
		m.update = func(msg tea.Msg) tea.Cmd {
			if msg == "quit" {
				return tea.Quit
			}
			return nil
		}
		with(t, m, func(r *running) {
			stop(r)
			if err := r.end(t); err != nil {
				t.Errorf("%s: it ended with %v", name, err)
			}
			n := len(m.got)
			r.Send("late")
			if len(m.got) != n {
				t.Errorf("%s: a message was processed after the end", name)
			}
		})
	}
}

func TestPanicsEndTheProgram(t *testing.T) {
	fail := func() { panic("a fault in the model") }
	for name, m := range map[string]*model{
		"Init":      {init: func() tea.Cmd { fail(); return nil }},
		"Picture":   {onDraw: fail},
		"Update":    {update: func(tea.Msg) tea.Cmd { fail(); return nil }},
		"a command": {update: func(tea.Msg) tea.Cmd { return func() tea.Msg { fail(); return nil } }},
		"a command of a batch": {update: func(tea.Msg) tea.Cmd {
			return tea.Batch(func() tea.Msg { fail(); return nil }, func() tea.Msg { return nil })
		}},
		"a batch in a sequence": {update: func(tea.Msg) tea.Cmd {
			return tea.Sequence(tea.Batch(func() tea.Msg { fail(); return nil }, func() tea.Msg { return nil }), tea.Quit)
		}},
		"a command of a command": {update: func(msg tea.Msg) tea.Cmd {
			return tea.Sequence(func() tea.Msg { return nil }, func() tea.Msg { fail(); return nil })
		}},
	} {
		with(t, m, func(r *running) {
			r.Send(1)
			if err := r.end(t); err == nil || !strings.Contains(err.Error(), "a fault in the model") {
				t.Errorf("%s: it ended with %v", name, err)
			}
		})
	}
}

func TestWhatIsWrittenBesideFrames(t *testing.T) {
	m := &model{text: "text"}
	m.view.WindowTitle, m.view.MouseMode = "a title", tea.MouseModeCellMotion
	m.update = func(msg tea.Msg) tea.Cmd {
		if cmd, ok := msg.(tea.Cmd); ok {
			return cmd
		}
		return nil
	}
	with(t, m, func(r *running) {
		if got := r.out.take(); !strings.Contains(got, "\x1b]2;a title") || !strings.Contains(got, "\x1b[?1000;1006;2004h") {
			t.Errorf("the terminal was set up with %q", got)
		}
		for _, c := range []struct {
			what string
			cmd  tea.Cmd
			want string
		}{
			{"the bell", tea.Raw("\a"), "\a"},
			{"another text", tea.Raw("\x1b]0;forged\a"), ""},
			{"a line", tea.Println("a line"), ""},
			{"suspend", tea.Suspend, ""},
			{"interrupt", tea.Interrupt, ""},
			{"a request", tea.RequestBackgroundColor, ""},
			{"the clipboard", tea.SetClipboard("ssh -t host replay 1"), "\x1b]52;c;c3NoIC10IGhvc3QgcmVwbGF5IDE=\a"},
			{"the primary clipboard", tea.SetPrimaryClipboard("x"), ""},
			{"a program", tea.ExecProcess(nil, nil), ""},
		} {
			r.Send(c.cmd)
			synctest.Wait()
			if got := r.out.take(); got != c.want {
				t.Errorf("for %s it wrote %q, not %q", c.what, got, c.want)
			}
		}
		r.Send(tea.Cmd(tea.ClearScreen))
		synctest.Wait()
		if got := r.out.take(); !strings.Contains(got, "\x1b[2J") || !strings.Contains(got, "text") {
			t.Errorf("ClearScreen wrote %q", got)
		}
		r.Send(tea.WindowSizeMsg{Width: 20, Height: 2})
		if got := r.out.take(); !strings.Contains(got, "\x1b[2J") || !strings.Contains(got, "text") {
			t.Errorf("a window's size wrote %q", got)
		}
		m.view = tea.View{DisableBracketedPasteMode: true, ReportFocus: true}
		r.Send(1)
		if got := r.out.take(); !strings.Contains(got, "\x1b[?1004h") || !strings.Contains(got, "\x1b[?1000;1006;2004l") {
			t.Errorf("other modes wrote %q", got)
		}
	})
}

// TestProgramHasNothingBetweenMessages: the goroutines of many programs that wait are those that have called Run.
func TestProgramHasNothingBetweenMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const programs = 100
		ctx, cancel := context.WithCancel(t.Context())
		before := runtime.NumGoroutine()
		var all sync.WaitGroup
		for range programs {
			m := new(model)
			p := program.New(ctx, m, paint.NewScreen(io.Discard, 20, 2, paint.Options{}))
			all.Go(func() {
				if err := p.Run(); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			m.update = func(msg tea.Msg) tea.Cmd {
				if msg == "command" {
					return func() tea.Msg { return "result" }
				}
				return nil
			}
			p.Send("command")
		}
		synctest.Wait()
		if n := runtime.NumGoroutine() - before; n > programs+programs/10 { // some are not of the bubble
			t.Errorf("%d programs have %d goroutines", programs, n)
		}
		cancel()
		all.Wait()
	})
}
