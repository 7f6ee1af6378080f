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
	"time"

	"ayumu/engine"
	"ayumu/lobby/sanitize"
)

// Limits of a program.
const (
	startTimeout   = 20 * time.Second // time to start a game
	writeTimeout   = 5 * time.Second  // time to accept the turns of others
	maxLineBytes   = 64 << 10         // maximum length of a line
	maxAnswerLines = 4096             // maximum lines of an answer
	maxStderrBytes = 200              // bytes kept from the end of standard error
)

// externalPlayer is a player in a separate process, on Unix with its own process group.
type externalPlayer struct {
	cmd        *exec.Cmd
	in         *os.File
	out        *os.File
	read       *bufio.Reader
	stderrTail tail
	end        sync.Once
	turnsSent  int // number of turns that the program has received
	// askTurn requests a turn in the program's protocol.
	askTurn func(ctx context.Context, h *history, b budget) (answer, error)
}

// openExternal starts the program of a side for a game.
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
	separate(p.cmd)
	p.cmd.WaitDelay = time.Second // a grandchild can keep standard error open
	err = p.cmd.Start()
	// Close the program's ends here, so that its exit closes the output.
	stdin.Close()
	stdout.Close()
	if err != nil {
		p.in.Close()
		p.out.Close()
		return nil, fmt.Errorf("cannot start %s: %w", s.Name, err)
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

// close kills the program, on Unix with all processes of its group.
func (p *externalPlayer) close() {
	p.wait()
	p.in.Close()
	p.out.Close()
}

// wait kills the program unless it has exited, and waits for the rest of its output.
func (p *externalPlayer) wait() {
	p.end.Do(func() {
		kill(p.cmd.Process)
		_ = p.cmd.Wait()
	})
}

// gtp sends the turns that the program does not know yet and requests its actions one by one.
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
			p.turnsSent++ // its own turn
			return a, nil
		}
	}
}

// codeCup sends the opponent's move, or Start, and reads the program's move.
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

// command sends a command of the Go Text Protocol and returns the text of the answer.
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
			return "", faultf("the answer to %q is %.80q", command, answer)
		case line != "":
			text = append(text, line)
		}
	}
	return "", faultf("the answer to %q has more than %d lines", command, maxAnswerLines)
}

// write sends a line to the program.
func (p *externalPlayer) write(ctx context.Context, deadline time.Time, line string) error {
	defer p.limit(ctx, deadline, p.in.SetWriteDeadline)()
	_, err := io.WriteString(p.in, line+"\n")
	return p.asFault(ctx, err)
}

// limit ends what is read or written at a deadline, and when the context ends, until release is called. set sets the
// deadline of the pipe. Where pipes have none, as on Windows, the program is killed, which ends them.
func (p *externalPlayer) limit(ctx context.Context, deadline time.Time, set func(time.Time) error) (release func()) {
	if set(deadline) == nil {
		stop := context.AfterFunc(ctx, func() { _ = set(time.Unix(1, 0)) })
		return func() { stop() }
	}
	timer, stop := time.AfterFunc(time.Until(deadline), p.wait), context.AfterFunc(ctx, p.wait)
	return func() {
		timer.Stop()
		stop()
	}
}

// readLine reads a line from the program and removes control characters.
func (p *externalPlayer) readLine(ctx context.Context, deadline time.Time) (string, error) {
	defer p.limit(ctx, deadline, p.out.SetReadDeadline)()
	line, err := p.read.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", faultf("a line of more than %d bytes", maxLineBytes)
	}
	if err := p.asFault(ctx, err); err != nil {
		return "", err
	}
	return strings.TrimSpace(sanitize.WithoutControls(string(line))), nil
}

// asFault converts an error of the pipes into a fault of the program.
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
	if message := p.stderrTail.text(); message != "" {
		return faultf("the program exited with the message %q", message)
	}
	return faultf("the program exited")
}

// tail keeps the last bytes written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b[max(0, len(b)-maxStderrBytes):]...)
	t.data = t.data[max(0, len(t.data)-maxStderrBytes):]
	return len(b), nil
}

// text returns the last line.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.data)), "\n")
	return sanitize.WithoutControls(strings.ToValidUTF8(lines[len(lines)-1], "?"))
}

// newGame returns the command of the Go Text Protocol that starts the game.
func (g *gameSetup) newGame() string {
	words := []string{"newgame", g.game.Name()}
	if o, ok := g.options.(engine.ArgumentFormatter); ok {
		words = append(words, o.Arguments()...)
	}
	return strings.Join(words, " ")
}
