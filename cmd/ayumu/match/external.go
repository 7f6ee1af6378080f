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
	startTimeout   = 20 * time.Second // to begin a game
	writeTimeout   = 5 * time.Second  // to take in what others did
	maxLineBytes   = 64 << 10         // bytes of a line
	maxAnswerLines = 4096             // lines of an answer
	maxStderrBytes = 200              // bytes kept of the last that it says on standard error
)

// externalPlayer is a player outside: a process with its own process group, which it loses whole.
type externalPlayer struct {
	cmd        *exec.Cmd
	in         *os.File
	out        *os.File
	read       *bufio.Reader
	stderrTail tail
	end        sync.Once
	turnsSent  int // turns that it knows of
	// askTurn asks for a turn in the program's protocol.
	askTurn func(ctx context.Context, h *history, b budget) (answer, error)
}

// openExternal starts a side's program for a game.
func openExternal(ctx context.Context, s Side, g *gameSetup) (_ player, err error) {
	p := &externalPlayer{cmd: exec.Command(s.command[0], s.command[1:]...)}
	var stdin, stdout *os.File
	if stdin, p.in, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.out, stdout, err = os.Pipe(); err != nil {
		stdin.Close()
		p.in.Close()
		return nil, err
	}
	p.read = bufio.NewReaderSize(p.out, maxLineBytes)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, &p.stderrTail
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
	p.askTurn = p.codeCup
	if s.kind == "gtp" {
		p.askTurn = p.gtp
		if _, err := p.command(ctx, startTimeout, g.newGame()); err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

func (p *externalPlayer) turn(ctx context.Context, h *history, b budget) (answer, error) {
	return p.askTurn(ctx, h, b)
}

// close kills the program and whatever it started in its group.
func (p *externalPlayer) close() {
	p.wait()
	p.in.Close()
	p.out.Close()
}

// wait kills the program, if that is still needed, and waits for all that it has said.
func (p *externalPlayer) wait() {
	p.end.Do(func() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		_ = p.cmd.Wait()
	})
}

// gtp tells the program what it does not know yet and has it make its actions one by one.
func (p *externalPlayer) gtp(ctx context.Context, h *history, b budget) (answer, error) {
	for ; p.turnsSent < len(h.turns); p.turnsSent++ {
		for _, action := range h.turns[p.turnsSent] {
			if _, err := p.command(ctx, writeTimeout, "play "+action); err != nil {
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
		action, err := p.command(ctx, max(b.limit-time.Since(began), 0), command)
		if err != nil {
			return a, err
		}
		if len(a.actions) >= maxAnswerLines {
			return a, faultf("a turn of more than %d actions", maxAnswerLines)
		}
		a.actions = append(a.actions, action)
		if pos, err = pos.Play(action); err != nil {
			return a, faultf("illegal: %v", err)
		}
		if !pos.MidTurn() {
			p.turnsSent++ // it has played that itself
			return a, nil
		}
	}
}

// codeCup gives the program the opponent's move, or Start, and takes its own.
func (p *externalPlayer) codeCup(ctx context.Context, h *history, b budget) (answer, error) {
	line := "Start"
	if n := len(h.turns); n > 0 {
		line = strings.ToUpper(strings.Join(h.turns[n-1], " "))
	}
	deadline := time.Now().Add(b.limit)
	if err := p.write(ctx, deadline, line); err != nil {
		return answer{}, err
	}
	move, err := p.readLine(ctx, deadline)
	return answer{actions: []string{strings.ToLower(move)}}, err
}

// command gives a command of the Go Text Protocol and returns the text of the answer.
func (p *externalPlayer) command(ctx context.Context, limit time.Duration, command string) (string, error) {
	deadline := time.Now().Add(limit)
	if err := p.write(ctx, deadline, command); err != nil {
		return "", err
	}
	var text []string
	for len(text) < maxAnswerLines {
		line, err := p.readLine(ctx, deadline)
		switch {
		case err != nil:
			return "", err
		case line == "" && len(text) > 0:
			answer := strings.Join(text, "\n")
			if rest, ok := strings.CutPrefix(answer, "="); ok {
				return strings.TrimSpace(rest), nil
			}
			return "", faultf("%q is answered with %.80q", command, answer)
		case line != "":
			text = append(text, line)
		}
	}
	return "", faultf("%q is answered with more than %d lines", command, maxAnswerLines)
}

// write writes a line to the program.
func (p *externalPlayer) write(ctx context.Context, deadline time.Time, line string) error {
	_ = p.in.SetWriteDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = p.in.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	_, err := io.WriteString(p.in, line+"\n")
	return p.asFault(ctx, err)
}

// readLine reads a line of the program's, without its end and control characters.
func (p *externalPlayer) readLine(ctx context.Context, deadline time.Time) (string, error) {
	_ = p.out.SetReadDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = p.out.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := p.read.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", faultf("a line of more than %d bytes", maxLineBytes)
	}
	if err := p.asFault(ctx, err); err != nil {
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

// asFault makes a fault of the program of what went wrong with its pipes.
func (p *externalPlayer) asFault(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return faultf("out of time")
	}
	p.wait()
	if said := p.stderrTail.text(); said != "" {
		return faultf("the program has ended, saying %q", said)
	}
	return faultf("the program has ended")
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b[max(0, len(b)-maxStderrBytes):]...)
	t.kept = t.kept[max(0, len(t.kept)-maxStderrBytes):]
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
func (g *gameSetup) newGame() string {
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
