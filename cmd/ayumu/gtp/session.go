package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby/sanitize"
)

// maxLine is the maximum length of a line in bytes, including its end. Longer lines are errors unless the
// excess is a comment.
const maxLine = 64 << 10

// Config has the initial settings of a session.
type Config struct {
	Games    engine.Games // the games that can be played; a session starts with the default one
	Engines  search.Engines
	Version  string // answer of the command version
	Level    int    // level of genmove, search.MinLevel to search.MaxLevel
	Threads  int    // search.Options.Threads
	Playouts int    // maximum number of playouts for each turn of genmove; 0: no limit
	// Seed is the random seed of the first game. Each later game of the session has the next number.
	Seed uint64
}

// session is the state of one run of the protocol.
type session struct {
	Config
	ctx            context.Context
	rules          engine.Game       // rules of this game
	game           []engine.Position // all positions, the current one last; never empty
	searcher       search.Searcher   // searcher of this game
	plannedActions []string          // rest of the turn planned by genmove
	plannedFrom    engine.Position   // position of the plan
	hasQuit        bool              // after quit
}

func newSession(ctx context.Context, c Config) *session {
	s := &session{Config: c, ctx: ctx}
	s.Seed-- // reset increments it
	game := c.Games.Default()
	o, err := game.ParseOptions(nil)
	if err != nil {
		panic(err) // Games.Check allows no such game
	}
	s.reset(game, game.New(o))
	return s
}

// Run answers the commands from in until quit or the end of in. It reads each command after answering the
// one before. A session starts with the default game. The end of ctx ends a search, not the session.
// The error is one of reading or writing.
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

// readLine returns the next line, or the beginning of a line that is too long. A last line without an end
// comes with io.EOF.
func readLine(r *bufio.Reader) (line string, long bool, err error) {
	begin, err := r.ReadSlice('\n')
	line = string(begin)
	for errors.Is(err, bufio.ErrBufferFull) {
		long = true
		_, err = r.ReadSlice('\n')
	}
	return line, long, err
}

// answer returns the complete answer to a line, including the empty line at its end, or nothing if the
// line has no command.
func (s *session) answer(line string, long bool) string {
	line, _, comment := strings.Cut(line, "#")
	long = long && !comment
	words := strings.Fields(sanitize.WithoutControls(line))
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
		err = errors.New("no command after the number")
	default:
		text, err = s.runCommand(words[0], words[1:])
	}
	if err != nil {
		return fmt.Sprintf("?%s %v\n\n", id, err)
	}
	return fmt.Sprintf("=%s %s\n\n", id, text)
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

// reset starts a new game from a position, with a new searcher.
func (s *session) reset(rules engine.Game, p engine.Position) {
	s.rules, s.game = rules, []engine.Position{p}
	s.searcher, s.plannedActions, s.plannedFrom = s.Engines.NewSearcher(rules), nil, nil
	s.Seed++
}
