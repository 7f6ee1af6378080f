// Package program runs the Bubble Tea models of many sessions in one process.
//
// A stock tea.Program has for each session a renderer with a ticker, several goroutines and tables of keys. A [Program]
// has none of them: its model's frames are those of tui/paint, which many sessions share, and it works on the
// goroutines of those who send messages. This is its contract:
//
//   - Init, Update and Picture are never called at the same time, nor after Run has returned.
//   - Send has returned when its message has been processed, and its frame written unless the terminal is slow or
//     another goroutine writes. Send may be called from any goroutine, but not from Update.
//   - Commands run on goroutines of their own, at the same time as others and as Update, at most [MaxCommands] of a
//     program; more wait in their order, at most [MaxWaiting], and one too many ends the program with
//     ErrTooManyCommands. The message that a command returns is sent on its goroutine; nil sends nothing. A command
//     that runs when the program ends is not waited for, and its message is dropped.
//   - The commands of tea.Batch run at the same time; those of tea.Sequence one after the other, each after the
//     messages of the one before have been processed. They may be nested. A sequence with all that is in it counts as
//     one command.
//   - tea.Quit ends the program; Run returns nil. So does the end of the context. No later message is processed.
//   - A panic in Init, Update, Picture or a command ends the program; Run returns it as an error.
//   - The screen is written, and of View the title and whether mouse, paste and focus are reported; the bell for
//     tea.Raw("\a"); a text into the clipboard for tea.SetClipboard; the whole frame again after tea.ClearScreen and a tea.WindowSizeMsg. Other texts of tea.Raw,
//     tea.Suspend, tea.Interrupt, tea.Exec, tea.Println and requests of what a terminal is do nothing.
//   - Between two messages there is no goroutine, timer or buffer of a program, but for the one that has called Run.
package program

import (
	"context"
	"errors"
	"reflect"
	"sync"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/guard"
	"ayumu/tui/paint"
)

// Model is a Bubble Tea model whose view is a frame of package paint.
type Model interface {
	tea.Model
	// Picture returns the view. Two pictures with the same Frame show the same cells.
	Picture() Picture
}

// Picture is a view with a frame in place of its text.
type Picture struct {
	Frame   *paint.Frame // with the cursor; nil: nothing is shown yet
	Profile paint.Profile
	View    tea.View // without Content and Cursor
}

// Program runs a Model on a paint.Screen. New is the constructor.
type Program struct {
	ctx    context.Context
	screen *paint.Screen

	mu     sync.Mutex // is held while Init, Update and Picture run
	model  Model
	shown  settings
	closed bool // Run has returned

	commands commands

	ending sync.Once
	done   chan struct{} // closed when the program is to end
	err    error         // valid once done is closed
}

// New returns the program of a model on a screen, which must not have shown a frame. The caller closes the screen after
// Run has returned.
func New(ctx context.Context, m Model, s *paint.Screen) *Program {
	return &Program{ctx: ctx, model: m, screen: s, done: make(chan struct{})}
}

// Run calls Init, writes the first frame and waits until the program or its context has ended. It is called once.
func (p *Program) Run() error {
	p.start()
	select {
	case <-p.done:
	case <-p.ctx.Done():
	}
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.end(nil)
	return p.err
}

// start calls Init and writes the first frame.
func (p *Program) start() {
	p.screen.WriteAfter(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.process(func() tea.Cmd { return p.model.Init() })
	})
}

// Send processes a message.
func (p *Program) Send(msg tea.Msg) {
	if msg == nil {
		return
	}
	p.screen.WriteAfter(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.hasEnded() {
			p.handle(msg)
		}
	})
}

// end ends the program; nil: without an error. It never blocks, and may be called from any goroutine.
func (p *Program) end(err error) {
	p.ending.Do(func() {
		p.err = err
		close(p.done)
	})
}

// hasEnded reports whether no message is processed any more. p.mu must be held.
func (p *Program) hasEnded() bool {
	select {
	case <-p.done:
		return true
	case <-p.ctx.Done():
		return true
	default:
		return p.closed
	}
}

// Types of messages that Bubble Tea does not export.
var (
	sequenceType    = reflect.TypeOf(tea.Sequence(tea.Quit, tea.Quit)())
	clearScreenType = reflect.TypeOf(tea.ClearScreen())
	clipboardType   = reflect.TypeOf(tea.SetClipboard("")())
)

// sequence returns the commands of a tea.Sequence.
func sequence(msg tea.Msg) (cmds []tea.Cmd, ok bool) {
	if reflect.TypeOf(msg) != sequenceType {
		return nil, false
	}
	return reflect.ValueOf(msg).Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd), true
}

// handle processes a message that a runtime understands, or gives it to the model. p.mu must be held.
func (p *Program) handle(msg tea.Msg) {
	switch m := msg.(type) {
	case tea.QuitMsg:
		p.end(nil)
		return
	case tea.RawMsg:
		if m.Msg == "\a" {
			p.screen.Bell()
		}
		return
	case tea.SuspendMsg, tea.InterruptMsg:
		return
	case tea.BatchMsg:
		for _, cmd := range m {
			p.run(cmd)
		}
		return
	case tea.WindowSizeMsg:
		p.screen.Resize(m.Width, m.Height)
	}
	switch reflect.TypeOf(msg) {
	case sequenceType:
		p.run(func() tea.Msg { return msg })
		return
	case clearScreenType:
		p.screen.Redraw()
		return
	case clipboardType:
		p.screen.SetClipboard(reflect.ValueOf(msg).String())
		return
	}
	p.process(func() tea.Cmd {
		m, cmd := p.model.Update(msg)
		p.model = m.(Model)
		return cmd
	})
}

// process calls the model, shows its picture and runs its command. p.mu must be held.
func (p *Program) process(call func() tea.Cmd) {
	var cmd tea.Cmd
	if err := guard.Call(func() {
		cmd = call()
		p.show(p.model.Picture())
	}); err != nil {
		p.end(err)
		return
	}
	p.run(cmd)
}

// settings are what a terminal is told beside frames.
type settings struct {
	profile paint.Profile
	title   string
	modes   paint.Modes
}

// show has the screen show a picture. p.mu must be held.
func (p *Program) show(pic Picture) {
	if pic.Frame == nil {
		return
	}
	want := settings{profile: pic.Profile, title: pic.View.WindowTitle}
	if pic.View.MouseMode != tea.MouseModeNone {
		want.modes |= paint.Mouse
	}
	if !pic.View.DisableBracketedPasteMode {
		want.modes |= paint.Paste
	}
	if pic.View.ReportFocus {
		want.modes |= paint.Focus
	}
	if p.shown != want {
		p.screen.SetModes(want.modes)
		p.screen.SetTitle(want.title)
		p.screen.SetProfile(want.profile)
		p.shown = want
	}
	p.screen.Show(pic.Frame)
}

// ErrTooManyCommands ends a program whose model has returned commands faster than they end.
var ErrTooManyCommands = errors.New("program: too many commands")

// Limits of the commands of a program.
const (
	MaxCommands = 16
	MaxWaiting  = 256
)

// commands are the commands of a program that run, and those that wait until fewer do.
type commands struct {
	mu      sync.Mutex
	running int
	waiting []tea.Cmd
}

// run runs a command on a goroutine of its own, now or later. It never blocks.
func (p *Program) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	c := &p.commands
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.running < MaxCommands:
		c.running++
		guard.Go(p.end, func() { p.work(cmd) })
	case len(c.waiting) < MaxWaiting:
		c.waiting = append(c.waiting, cmd)
	default:
		p.end(ErrTooManyCommands)
	}
}

// work runs a command, and then those that wait. A panic ends the program, so that it need not count the goroutine.
func (p *Program) work(cmd tea.Cmd) {
	for ; cmd != nil; cmd = p.next() {
		p.result(cmd())
	}
}

// next returns the command that has waited longest; nil: none waits, or the program has ended.
func (p *Program) next() tea.Cmd {
	c := &p.commands
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-p.done:
		c.waiting = nil
	default:
	}
	if len(c.waiting) == 0 {
		c.running--
		return nil
	}
	cmd := c.waiting[0]
	c.waiting = c.waiting[1:]
	return cmd
}

// result processes what a command has returned.
func (p *Program) result(msg tea.Msg) {
	if _, ok := sequence(msg); ok {
		p.await(msg)
		return
	}
	p.Send(msg)
}

// await processes what a command of a sequence, or the command that is one, has returned, and returns when the commands
// in it have ended. Those of a batch run on goroutines beside that of the sequence.
func (p *Program) await(msg tea.Msg) {
	if cmds, ok := sequence(msg); ok {
		for _, cmd := range cmds {
			if cmd != nil {
				p.await(cmd())
			}
		}
		return
	}
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		p.Send(msg)
		return
	}
	var ended sync.WaitGroup
	for _, cmd := range batch {
		if cmd == nil {
			continue
		}
		ended.Add(1)
		guard.Go(p.end, func() {
			defer ended.Done() // after a panic has ended the program
			if err := guard.Call(func() { p.await(cmd()) }); err != nil {
				p.end(err)
			}
		})
	}
	ended.Wait()
}
