package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"ayumu/engine"
	"ayumu/engine/bot"
)

// maxLine is how many bytes of a line are read, its end included. A longer one is refused unless
// the rest of it is a comment.
const maxLine = 64 << 10

// Config is what a session begins with.
type Config struct {
	Version  string // what the command of that name answers
	Level    int    // of genmove, from bot.MinLevel to bot.MaxLevel
	Playouts int    // at most so many for each turn of genmove; 0 for no such bound
	// Seed is of the first game; each later one of the session has the next.
	Seed uint64
}

// session is one conversation: the game and how well the built-in player plays.
type session struct {
	Config
	ctx            context.Context
	dialect        *dialect
	game           []engine.Position // all positions since the first, the current one last; never empty
	player         *bot.Player       // of this game
	plannedActions []string          // how the built-in player means to go on with its turn
	plannedFrom    engine.Position   // where the plan begins
	hasQuit        bool              // after quit
}

func newSession(ctx context.Context, c Config) *session {
	s := &session{Config: c, ctx: ctx}
	s.Seed-- // the first game is begun here
	if _, err := s.newGame([]string{"ayu", "11"}); err != nil {
		panic(err)
	}
	return s
}

// Run answers the commands that in holds until quit or its end, each before the next is read.
// A session begins with a game of Ayu on 11×11. The end of ctx ends what the built-in player thinks,
// not the session. The error is one of reading or writing.
func Run(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	s := newSession(ctx, c)
	r := bufio.NewReaderSize(in, maxLine)
	for !s.hasQuit {
		line, long, err := readLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading commands: %w", err)
		}
		if answer := s.answer(line, long); answer != "" {
			if _, err := io.WriteString(out, answer); err != nil {
				return fmt.Errorf("writing an answer: %w", err)
			}
		}
		if err != nil {
			return nil
		}
	}
	return nil
}

// readLine returns the next line, or the beginning of one that is too long. The error is that of
// the reader; a last line without an end comes with io.EOF.
func readLine(r *bufio.Reader) (line string, long bool, err error) {
	begin, err := r.ReadSlice('\n')
	line = string(begin)
	for errors.Is(err, bufio.ErrBufferFull) {
		long = true
		_, err = r.ReadSlice('\n')
	}
	return line, long, err
}

// answer takes one line and returns the whole answer to it with the empty line at its end; it is
// empty if the line has no command.
func (s *session) answer(line string, long bool) string {
	line, _, comment := strings.Cut(line, "#")
	long = long && !comment
	words := strings.Fields(clean(line))
	if len(words) == 0 && !long {
		return ""
	}
	id := ""
	if len(words) > 0 && isNumber(words[0]) {
		id, words = words[0], words[1:]
	}
	var text string
	var err error
	switch {
	case long:
		err = fmt.Errorf("the line is longer than %d bytes", maxLine)
	case len(words) == 0:
		err = errors.New("there is no command after the number")
	default:
		text, err = s.runCommand(words[0], words[1:])
	}
	if err != nil {
		return fmt.Sprintf("?%s %v\n\n", id, err)
	}
	return fmt.Sprintf("=%s %s\n\n", id, text)
}

// clean makes spaces of tabs and drops all other control characters, the line's end among them.
func clean(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, line)
}

func isNumber(word string) bool {
	return strings.Trim(word, "0123456789") == ""
}

// runCommand runs one command.
func (s *session) runCommand(name string, args []string) (string, error) {
	c, known := commands[name]
	switch {
	case !known:
		return "", fmt.Errorf("unknown command %q", name)
	case len(args) < c.min || len(args) > c.max:
		return "", fmt.Errorf("usage: %s", strings.TrimSpace(name+" "+c.usage))
	}
	return c.run(s, args)
}

// position returns the current position.
func (s *session) position() engine.Position { return s.game[len(s.game)-1] }

// reset starts over from a position, with a player who remembers nothing.
func (s *session) reset(d *dialect, p engine.Position) {
	s.dialect, s.game = d, []engine.Position{p}
	s.player, s.plannedActions, s.plannedFrom = new(bot.Player), nil, nil
	s.Seed++
}
