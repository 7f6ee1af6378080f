package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// Bounds of what a program may do.
const (
	startTime  = 20 * time.Second // to begin a game
	sayTime    = 5 * time.Second  // to take in what others did
	mostLine   = 64 << 10         // bytes of a line
	mostAnswer = 4096             // lines of an answer
	mostLast   = 200              // bytes kept of the last that it says on standard error
)

// program is a player outside: a process with its own process group, which it loses whole.
type program struct {
	cmd  *exec.Cmd
	in   *os.File
	out  *os.File
	read *bufio.Reader
	last tail
	end  sync.Once
	told int // turns that it knows of
	// speak asks for a turn in the program's protocol.
	speak func(ctx context.Context, h *history, b budget) (answer, error)
}

// openProgram starts a side's program for a game.
func openProgram(ctx context.Context, s Side, g *setup) (_ player, err error) {
	p := &program{cmd: exec.Command(s.command[0], s.command[1:]...)}
	var stdin, stdout *os.File
	if stdin, p.in, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.out, stdout, err = os.Pipe(); err != nil {
		stdin.Close()
		p.in.Close()
		return nil, err
	}
	p.read = bufio.NewReaderSize(p.out, mostLine)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, &p.last
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second // a grandchild may hold standard error open
	err = p.cmd.Start()
	// The program's ends are closed here at once, so that its exit is seen as the end of its output.
	stdin.Close()
	stdout.Close()
	if err != nil {
		p.in.Close()
		p.out.Close()
		return nil, fmt.Errorf("%s does not start: %w", s.Name, err)
	}
	p.speak = p.codeCup
	if s.kind == "gtp" {
		p.speak = p.gtp
		if _, err := p.ask(ctx, startTime, g.newGame()); err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

func (p *program) turn(ctx context.Context, h *history, b budget) (answer, error) {
	return p.speak(ctx, h, b)
}

// close kills the program and whatever it started in its group.
func (p *program) close() {
	p.reap()
	p.in.Close()
	p.out.Close()
}

// reap kills the program, if that is still needed, and waits for all that it has said.
func (p *program) reap() {
	p.end.Do(func() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		_ = p.cmd.Wait()
	})
}

// gtp tells the program what it does not know yet and has it make its actions one by one.
func (p *program) gtp(ctx context.Context, h *history, b budget) (answer, error) {
	for ; p.told < len(h.turns); p.told++ {
		for _, action := range h.turns[p.told] {
			if _, err := p.ask(ctx, sayTime, "play "+action); err != nil {
				return answer{}, err
			}
		}
	}
	began := time.Now()
	var a answer
	for pos := h.last(); ; {
		command := "genmove"
		if b.time > 0 {
			command = fmt.Sprintf("genmove %.3f", max(b.time-time.Since(began), 50*time.Millisecond).Seconds())
		}
		action, err := p.ask(ctx, max(b.limit-time.Since(began), 0), command)
		if err != nil {
			return a, err
		}
		if len(a.actions) >= mostAnswer {
			return a, faulty("a turn of more than %d actions", mostAnswer)
		}
		a.actions = append(a.actions, action)
		if pos, err = pos.Play(action); err != nil {
			return a, faulty("illegal: %v", err)
		}
		if !pos.MidTurn() {
			p.told++ // it has played that itself
			return a, nil
		}
	}
}

// codeCup gives the program the opponent's move, or Start, and takes its own.
func (p *program) codeCup(ctx context.Context, h *history, b budget) (answer, error) {
	line := "Start"
	if n := len(h.turns); n > 0 {
		line = strings.ToUpper(strings.Join(h.turns[n-1], " "))
	}
	deadline := time.Now().Add(b.limit)
	if err := p.say(ctx, deadline, line); err != nil {
		return answer{}, err
	}
	move, err := p.line(ctx, deadline)
	return answer{actions: []string{strings.ToLower(move)}}, err
}

// ask gives a command of the Go Text Protocol and returns the text of the answer.
func (p *program) ask(ctx context.Context, limit time.Duration, command string) (string, error) {
	deadline := time.Now().Add(limit)
	if err := p.say(ctx, deadline, command); err != nil {
		return "", err
	}
	var text []string
	for len(text) < mostAnswer {
		line, err := p.line(ctx, deadline)
		switch {
		case err != nil:
			return "", err
		case line == "" && len(text) > 0:
			answer := strings.Join(text, "\n")
			if rest, ok := strings.CutPrefix(answer, "="); ok {
				return strings.TrimSpace(rest), nil
			}
			return "", faulty("%q is answered with %.80q", command, answer)
		case line != "":
			text = append(text, line)
		}
	}
	return "", faulty("%q is answered with more than %d lines", command, mostAnswer)
}

// say writes a line to the program.
func (p *program) say(ctx context.Context, deadline time.Time, line string) error {
	_ = p.in.SetWriteDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = p.in.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	_, err := io.WriteString(p.in, line+"\n")
	return p.failure(ctx, err)
}

// line reads a line of the program's, without its end and control characters.
func (p *program) line(ctx context.Context, deadline time.Time) (string, error) {
	_ = p.out.SetReadDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = p.out.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := p.read.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", faulty("a line of more than %d bytes", mostLine)
	}
	if err := p.failure(ctx, err); err != nil {
		return "", err
	}
	return strings.TrimSpace(printable(string(line))), nil
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// failure makes a fault of the program of what went wrong with its pipes.
func (p *program) failure(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return faulty("out of time")
	}
	p.reap()
	if said := p.last.text(); said != "" {
		return faulty("the program has ended, saying %q", said)
	}
	return faulty("the program has ended")
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b[max(0, len(b)-mostLast):]...)
	t.kept = t.kept[max(0, len(t.kept)-mostLast):]
	return len(b), nil
}

// text returns the last line of what was kept.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return printable(strings.ToValidUTF8(lines[len(lines)-1], "?"))
}

// newGame returns the command that begins the game on the Go Text Protocol.
func (g *setup) newGame() string {
	switch o := g.options.(type) {
	case ayu.Options:
		if o.Pie {
			return fmt.Sprintf("newgame ayu %d", o.Size)
		}
		return fmt.Sprintf("newgame ayu %d nopie", o.Size)
	case mu.Options:
		return fmt.Sprintf("newgame mu %d %d", o.Players, o.Segments)
	}
	return "newgame " + g.game.Name()
}
