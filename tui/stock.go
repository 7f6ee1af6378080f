package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"ayumu/lobby/guard"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// stockModel is a Model for a stock tea.Program, whose own way with a panic writes to the process's standard error.
type stockModel struct{ *Model }

// Init implements tea.Model. It asks for the background as paint.Screen does.
func (s stockModel) Init() tea.Cmd {
	return tea.Batch(guarded(s.Model.Init()), tea.RequestBackgroundColor)
}

// Update implements tea.Model.
func (s stockModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := s.Model.Update(msg)
	return s, guarded(cmd)
}

// guarded returns a command in which a panic becomes a screen.ErrorMsg, also in the commands of a batch.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer guard.Recover(func(err error) { msg = screen.ErrorMsg{Err: err} })
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, cmd := range batch {
				batch[i] = guarded(cmd)
			}
		}
		return msg
	}
}

// filterMsg drops messages of a stock tea.Program: a report that terminals count columns by graphemes, which package
// paint does not, and what paint has detected itself. It gives a window without a size, as that of a serial line, one.
func filterMsg(_ tea.Model, msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case tea.ModeReportMsg:
		if m.Mode == ansi.ModeUnicodeCore {
			return nil
		}
	case tea.ColorProfileMsg, tea.EnvMsg, tea.CapabilityMsg:
		return nil
	case tea.WindowSizeMsg:
		return tea.WindowSizeMsg(knownSize(Size(m)))
	}
	return msg
}

// knownSize returns the size of a window, or 80×24 for one that has none.
func knownSize(s Size) Size {
	if s.Width <= 0 || s.Height <= 0 {
		return Size{Width: 80, Height: 24}
	}
	return s
}

// stockOptions are those of every tea.Program here. Frames have the colours of the terminal already.
func (m *Model) stockOptions(more ...tea.ProgramOption) []tea.ProgramOption {
	return append(more, tea.WithContext(m.Context), tea.WithColorProfile(colorprofile.TrueColor), tea.WithFilter(filterMsg))
}

// maxStock is the largest window that a stock tea.Program of a connection draws, because it has several copies of every
// cell: 22 MB for 500×200.
var maxStock = Size{Width: 250, Height: 80}

// clip returns the part of a window that a stock tea.Program draws.
func clip(s Size) Size {
	return Size{Width: min(s.Width, maxStock.Width), Height: min(s.Height, maxStock.Height)}
}

// runStock runs the model in a tea.Program for a terminal behind a connection. cancel ends the session's context.
func (m *Model) runStock(t *Terminal, cancel func()) op.Exit {
	out := &lineWriter{w: t.Out, onStall: func() {
		cancel()
		if t.OnStall != nil {
			t.OnStall()
		}
	}, report: m.fault}
	size := clip(Size{Width: t.Width, Height: t.Height})
	m.Width, m.Height = size.Width, size.Height
	m.cells.Store(int64(size.Width * size.Height))
	p := tea.NewProgram(stockModel{m}, m.stockOptions(
		tea.WithInput(nil), tea.WithOutput(out), tea.WithWindowSize(size.Width, size.Height),
		tea.WithEnvironment([]string{"TERM=" + t.Profile.Term}), tea.WithoutSignalHandler(),
	)...)
	m.connect(func(msg tea.Msg) {
		if s, ok := msg.(tea.WindowSizeMsg); ok {
			msg = tea.WindowSizeMsg(clip(Size(s)))
		}
		p.Send(msg)
	})
	m.attach(t, cancel)
	return m.end(t, nil, m.runProgram(p))
}

// runProgram runs a tea.Program and returns its internal error; nil: none.
func (m *Model) runProgram(p *tea.Program) (err error) {
	defer guard.Recover(func(p error) { err = p })
	if _, err = p.Run(); errors.Is(err, tea.ErrProgramPanic) {
		return err
	}
	return nil
}

// lineWriter writes to a terminal behind a connection what a tea.Program means for one whose driver turns line feeds
// into the beginning of the next line. It may be used by one goroutine at a time.
type lineWriter struct {
	w       io.Writer
	onStall func()      // is called, on another goroutine, when a write has lasted stallTime
	report  func(error) // a panic of onStall
}

// stallTime is how long a terminal may read nothing while there is output.
const stallTime = 30 * time.Second

// Write implements io.Writer.
func (l *lineWriter) Write(b []byte) (int, error) {
	timer := guard.AfterFunc(stallTime, l.report, l.onStall)
	defer timer.Stop()
	if _, err := l.w.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// ErrNoTerminal is the error of Play without a terminal.
var ErrNoTerminal = errors.New("standard input and output are not a terminal")

// Play shows the screens in the terminal of the process, in a stock tea.Program with its own input and signals: Ctrl+Z
// suspends the process, except where the board takes a stone back. It returns when the user has quit or the context has
// ended, and has restored the terminal. c must not be changed while it runs.
func Play(ctx context.Context, c *Config) (op.Exit, error) {
	if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) {
		return op.Exit{}, ErrNoTerminal
	}
	width, height, err := term.GetSize(os.Stdout.Fd())
	if err != nil {
		return op.Exit{}, fmt.Errorf("the size of the terminal: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	size := knownSize(Size{Width: width, Height: height})
	m := NewModel(ctx, size.Width, size.Height, paint.Detect(os.Getenv("TERM"), os.Getenv), c)
	m.canSuspend = true
	p := tea.NewProgram(stockModel{m}, m.stockOptions()...)
	m.connect(p.Send)
	return m.end(&Terminal{Out: os.Stdout}, nil, m.runProgram(p)), nil
}
