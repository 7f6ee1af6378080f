package gtp

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
)

// command is a command of a session.
type command struct {
	usage    string // the arguments, for the usage message
	min, max int    // number of arguments
	run      func(s *session, args []string) (string, error)
}

// unlimitedArgs is the maximum for commands with any number of arguments.
const unlimitedArgs = maxLine

var commands map[string]command

// The map is filled here because some commands read it.
func init() {
	commands = map[string]command{
		"protocol_version": {"", 0, 0, constantAnswer("2")},
		"name":             {"", 0, 0, constantAnswer("Ayumu")},
		"version":          {"", 0, 0, func(s *session, _ []string) (string, error) { return s.Version, nil }},
		"list_commands":    {"", 0, 0, (*session).listCommands},
		"known_command":    {"COMMAND", 1, 1, (*session).knownCommand},
		"quit":             {"", 0, 0, (*session).quit},
		"newgame":          {"GAME OPTIONS", 1, unlimitedArgs, (*session).newGame},
		"turn":             {"", 0, 0, (*session).turn},
		"legal":            {"", 0, 0, (*session).legal},
		"play":             {"ACTION", 1, unlimitedArgs, (*session).play},
		"undo":             {"", 0, 0, (*session).undo},
		"position":         {"", 0, 0, (*session).positionLine},
		"setposition":      {"LINE", 1, unlimitedArgs, (*session).setPosition},
		"digest":           {"", 0, 0, (*session).digest},
		"result":           {"", 0, 0, (*session).result},
		"perft":            {"DEPTH", 1, 1, (*session).perft},
		"genmove":          {"[SECONDS]", 0, 1, (*session).genMove},
		"level":            {"N", 1, 1, (*session).setLevel},
		"showboard":        {"", 0, 0, (*session).showBoard},
	}
}

// constantAnswer returns the function of a command with a constant answer.
func constantAnswer(text string) func(*session, []string) (string, error) {
	return func(*session, []string) (string, error) { return text, nil }
}

func (s *session) listCommands([]string) (string, error) {
	return strings.Join(slices.Sorted(maps.Keys(commands)), "\n"), nil
}

func (s *session) knownCommand(args []string) (string, error) {
	_, known := commands[args[0]]
	return strconv.FormatBool(known), nil
}

func (s *session) quit([]string) (string, error) {
	s.hasQuit = true
	return "", nil
}

func (s *session) newGame(args []string) (string, error) {
	game, ok := s.Games.ByName(args[0])
	if !ok {
		return "", fmt.Errorf("unknown game %q", args[0])
	}
	o, err := parseArguments(game, args[1:])
	if err != nil {
		return "", err
	}
	s.reset(game, game.New(o))
	return "", nil
}

// parseArguments returns the options of a game for the words that follow its name.
func parseArguments(game engine.Game, args []string) (engine.Options, error) {
	if p, ok := game.(engine.ArgumentParser); ok {
		return p.ParseArguments(args)
	}
	if len(args) > 0 {
		return nil, fmt.Errorf("usage: newgame %s", game.Name())
	}
	return game.ParseOptions(nil)
}

// setPosition tries the current game first and then the others.
func (s *session) setPosition(args []string) (string, error) {
	p, failure := parsePosition(s.rules, args)
	if failure == nil {
		s.reset(s.rules, p)
		return "", nil
	}
	for _, game := range s.Games {
		if p, err := parsePosition(game, args); err == nil {
			s.reset(game, p)
			return "", nil
		}
	}
	return "", failure
}

func parsePosition(game engine.Game, args []string) (engine.Position, error) {
	if p, ok := game.(engine.PositionParser); ok {
		return p.ParsePosition(args)
	}
	return nil, fmt.Errorf("positions of %s cannot be set", game.Name())
}

// digest returns the digest of the current position.
func (s *session) digest([]string) (string, error) {
	p, ok := s.position().(engine.Digester)
	if !ok {
		return "", errors.New("positions of this game have no digest")
	}
	return p.Digest(), nil
}

func (s *session) turn([]string) (string, error) {
	p := s.position()
	return side(p, p.Turn()), nil
}

// side returns the colour of a seat, or its number in games without colours.
func side(p engine.Position, seat int) string {
	if color := p.Side(seat); color != "" {
		return color
	}
	return strconv.Itoa(seat)
}

func (s *session) legal([]string) (string, error) {
	return strings.Join(s.position().Legal(), "\n"), nil
}

func (s *session) play(args []string) (string, error) {
	p := s.position()
	var next engine.Position
	var err error
	if args[0] == "leave" && len(args) == 2 {
		seat, wrong := strconv.Atoi(args[1])
		if wrong != nil {
			return "", fmt.Errorf("%q is not the number of a seat", args[1])
		}
		next, err = p.Leave(seat)
	} else {
		next, err = p.Play(strings.Join(args, " "))
	}
	if err != nil {
		return "", err
	}
	s.game = append(s.game, next)
	return "", nil
}

func (s *session) undo([]string) (string, error) {
	if len(s.game) == 1 {
		return "", errors.New("there is no action to take back")
	}
	s.game = s.game[:len(s.game)-1]
	return "", nil
}

func (s *session) positionLine([]string) (string, error) { return s.position().String(), nil }

func (s *session) result([]string) (string, error) {
	p := s.position()
	r, over := p.Result()
	switch {
	case !over:
		return "none", nil
	case p.Side(0) == "":
		return "winners" + numbers(r.Winners) + " scores" + numbers(r.Scores), nil
	case len(r.Winners) == 1:
		return p.Side(r.Winners[0]), nil
	}
	return "draw", nil
}

// numbers returns the numbers, each preceded by a space.
func numbers(list []int) string {
	var b strings.Builder
	for _, n := range list {
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}

func (s *session) perft(args []string) (string, error) {
	depth, err := strconv.Atoi(args[0])
	if err != nil || depth < 0 {
		return "", fmt.Errorf("the depth is %q, must be a number from 0", args[0])
	}
	return strconv.FormatUint(engine.Perft(s.position(), depth), 10), nil
}

// maxMoveTime is the longest time for one turn.
const maxMoveTime = 1000 * time.Hour

// genMove continues the planned turn if the game has followed it, and plans a new one otherwise.
func (s *session) genMove(args []string) (string, error) {
	o := search.Options{Level: s.Level, Playouts: s.Playouts, Seed: s.Seed, Threads: s.Threads}
	if len(args) == 1 {
		seconds, err := strconv.ParseFloat(args[0], 64)
		if err != nil || !(seconds >= 0) || math.IsInf(seconds, 0) {
			return "", fmt.Errorf("the time is %q, must be a number of seconds", args[0])
		}
		// Zero would mean no limit.
		o.Time = time.Duration(max(1e6, min(seconds*float64(time.Second), float64(maxMoveTime))))
	}
	p := s.position()
	if _, over := p.Result(); over {
		return "", engine.ErrGameOver
	}
	if len(s.plannedActions) == 0 || s.plannedFrom != p {
		advice, err := s.searcher.Search(s.ctx, p, o)
		if err != nil {
			return "", err
		}
		s.plannedActions = advice.Choices[0].Actions
	}
	action := s.plannedActions[0]
	if _, err := s.play(strings.Fields(action)); err != nil {
		return "", err
	}
	s.plannedActions, s.plannedFrom = s.plannedActions[1:], s.position()
	return action, nil
}

func (s *session) setLevel(args []string) (string, error) {
	level, err := strconv.Atoi(args[0])
	if err != nil || level < search.MinLevel || level > search.MaxLevel {
		return "", fmt.Errorf("the level is %q, must be a number from %d to %d", args[0], search.MinLevel, search.MaxLevel)
	}
	s.Level, s.plannedActions = level, nil
	return "", nil
}

func (s *session) showBoard([]string) (string, error) {
	if p, ok := s.position().(engine.Drawer); ok {
		return p.Diagram(), nil
	}
	return s.position().String(), nil
}
