// Package command answers `ssh HOST COMMAND`: with lines of text for people and scripts, or with JSON if the command has the
// flag --json (docs/protocol.md, section 3). It writes to two streams, for output and for errors, and reads no input.
package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/picture/matchpicture"
	"ayumu/tui/words"
)

// Env is the environment of a command that is implemented by hand.
type Env struct {
	*op.Visit
	Out io.Writer
	Err io.Writer
}

// maxWords is the maximum number of words of a command line; its bytes are limited by the SSH server. The
// longest command lines end with a report or a reason.
const maxWords = 100

// SplitLine splits a command line at spaces. There is no quoting, because no argument needs any.
func SplitLine(line string) ([]string, error) {
	if sanitize.HasControl(line) {
		return nil, fmt.Errorf("the command has characters that are not text")
	}
	words := strings.Fields(line)
	if len(words) > maxWords {
		return nil, fmt.Errorf("the command has more than %d words", maxWords)
	}
	return words, nil
}

// command is an operation that is implemented by hand.
type command struct {
	hasJSON bool // has --json
	maxArgs int  // more are an error
	run     func(ctx context.Context, e Env, args []string, asJSON bool) error
}

// byHand has the operations that commands implement for themselves, by their names.
var byHand = map[string]command{
	"help":   {true, 2, help},
	"watch":  {false, 1, watch},
	"replay": {false, maxWords, onScreen("replay", "MATCH")},
	"svg":    {false, maxWords, writePicture(matchpicture.SVG)},
	"gif":    {false, maxWords, writePicture(matchpicture.GIF)},
	"cast":   {false, maxWords, writePicture(matchpicture.Cast)},
	"line":   {false, maxWords, onScreen("line", "")},
	"api":    {false, maxWords, apiTakesNoWords},
}

// onScreen refuses a command that opens a screen: the server does it where there is a terminal.
func onScreen(name, arg string) func(context.Context, Env, []string, bool) error {
	return func(_ context.Context, e Env, args []string, _ bool) error {
		what := name + " " + arg
		if len(args) > 0 {
			what = name + " " + sanitize.Line(args[0], 40)
		}
		return &errcode.Error{Code: errcode.NotAllowed, Message: fmt.Sprintf("%s needs a terminal: ssh -t %s %s", name, e.SSHTarget, strings.TrimSpace(what))}
	}
}

// apiTakesNoWords refuses the command api with words; without any the server opens the API.
func apiTakesNoWords(context.Context, Env, []string, bool) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: "usage: api"}
}

// Run runs the command with these words for a user and returns its exit status. Output goes to out, errors to errs.
func Run(ctx context.Context, c *op.Config, out, errs io.Writer, words []string) int {
	e := Env{c.Command(), out, errs}
	if len(words) == 0 {
		words = []string{"help"}
	}
	o, name, words := e.Operations.ForSSHWords(words)
	if o == nil {
		fmt.Fprintf(errs, "unknown command %q%s; `ssh %s help` lists the commands\n", sanitize.Line(name, 30), e.Operations.Suggest(name, true), e.SSHTarget)
		return 1
	}
	if by, ok := byHand[o.Info().Name]; ok {
		return e.status(e.runByHand(ctx, o, by, name, words), 1)
	}
	status, err := e.run(ctx, o, name, words)
	if err != nil {
		return e.status(err, errorStatus(o))
	}
	return status
}

// ErrorStatus returns the exit status of an error of the command that is named name.
func ErrorStatus(all *op.Operations, name string) int {
	if o := all.ForSSH(name); o != nil {
		return errorStatus(o)
	}
	return 1
}

func errorStatus(o op.Operation) int { return cmp.Or(o.Info().ErrorStatus, 1) }

// runByHand runs a command that is implemented by hand.
func (e Env) runByHand(ctx context.Context, o op.Operation, c command, name string, words []string) error {
	asJSON := c.hasJSON && slices.Contains(words, "--json")
	words = slices.DeleteFunc(slices.Clone(words), func(a string) bool { return c.hasJSON && a == "--json" })
	if len(words) > c.maxArgs {
		return &errcode.Error{Code: errcode.BadRequest, Message: "usage: " + o.Info().Usage(name)}
	}
	if o.Info().Permission != "" { // what else they need, such as an account, they say in words of their own
		if err := e.May(o.Info()); err != nil {
			return err
		}
	}
	return c.run(ctx, e, words, asJSON)
}

// run runs an operation and writes its result.
func (e Env) run(ctx context.Context, o op.Operation, name string, words []string) (status int, err error) {
	words, asJSON := takeFlag(words, "--json")
	words, confirmed := takeFlag(words, "--yes")
	if o == op.Operation(op.Tournament) {
		if rest, asTRF := takeFlag(words, "--trf"); asTRF {
			words = append(rest, "trf")
		}
	}
	call, err := o.ParseWords(e.Visit, name, words)
	if err == nil {
		err = e.May(o.Info())
	}
	if err != nil {
		return 0, err
	}
	if o.Info().Session {
		if e.Account == nil && o.Info().Effect != op.Reads { // a guest is gone after the command, with what they changed
			return 0, &errcode.Error{Code: errcode.NotAllowed, Message: e.Visit.NoAccount()}
		}
		s, err := e.enter()
		if err != nil {
			return 0, err
		}
		defer s.Close(false)
		e.Visit = e.Attach(s)
	}
	question, err := call.Confirmation(e.Visit)
	if err == nil && question != "" && !confirmed {
		err = &errcode.Error{Code: errcode.BadRequest, Message: question + " Add --yes to confirm."}
	}
	var r op.Result
	if err == nil {
		r, err = call.Run(ctx, e.Visit)
	}
	switch {
	case err != nil:
		return 0, err
	case asJSON:
		err = json.NewEncoder(e.Out).Encode(r.JSON())
	default:
		err = op.WriteText(e.Out, r.Text())
	}
	return r.Status, err
}

// takeFlag takes a flag out of words, up to --, and reports whether it was there.
func takeFlag(words []string, flag string) (rest []string, found bool) {
	for i, w := range words {
		switch w {
		case "--":
			return append(rest, words[i:]...), found
		case flag:
			found = true
		default:
			rest = append(rest, w)
		}
	}
	return rest, found
}

// enter enters the lobby for one command, as a guest without an account. The caller must close the session.
func (e Env) enter() (*lobby.Session, error) {
	a := e.User()
	if e.Account == nil {
		a = e.Lobby.Accounts.NewGuest()
	}
	return e.Lobby.EnterForCommand(a, e.Addr)
}

// status writes the public part of an error and returns the exit status failed; 0 if err is nil.
func (e Env) status(err error, failed int) int {
	if err == nil {
		return 0
	}
	_, message := lobby.PublicError(err)
	fmt.Fprintln(e.Err, message)
	return failed
}

// help lists the commands by groups, so that they fit into a terminal of 80×24, or describes one.
func help(_ context.Context, e Env, args []string, asJSON bool) error {
	if name := strings.Join(args, " "); name != "" {
		o := e.Operations.ForSSH(name)
		if o == nil {
			return &errcode.Error{Code: errcode.BadRequest, Message: fmt.Sprintf("unknown command %q%s", sanitize.Line(name, 30), e.Operations.Suggest(name, true))}
		}
		if asJSON {
			return json.NewEncoder(e.Out).Encode(o.Info().Description())
		}
		_, err := fmt.Fprintln(e.Out, strings.Join(o.Info().Describe(name), "\n"))
		return err
	}
	if asJSON {
		return json.NewEncoder(e.Out).Encode(e.Operations.Describe())
	}
	fmt.Fprintf(e.Out, "ssh -t %[1]s opens the lobby, and ssh %[1]s COMMAND runs one command:\n\n", e.SSHTarget)
	for _, g := range op.Groups {
		var names []string
		for _, o := range e.Operations.All() {
			i := o.Info()
			name := i.On.SSH.Name(i.Name)
			if i.Group != g || name == "" || i.Permission != "" && e.May(i) != nil {
				continue // what only others may do would hide what this user can
			}
			if len(names) > 0 {
				name = strings.TrimPrefix(name, "admin ")
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			writeGroup(e.Out, string(g), names)
		}
	}
	_, err := fmt.Fprintf(e.Out, "\nssh %s help COMMAND describes one.\n--json: for programs. --yes: confirms. --: what follows is text.\n", e.SSHTarget)
	return err
}

// writeGroup writes the names of a group of commands in lines of at most 79 columns.
func writeGroup(out io.Writer, title string, names []string) {
	const indent, columns = 20, 79
	line := fmt.Sprintf("%-*s", indent, title)
	for i, n := range names {
		if i < len(names)-1 {
			n += ","
		}
		if len(line)+len(n) > columns {
			fmt.Fprintln(out, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", indent)
		}
		line += n + " "
	}
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}

func names(info *match.Info) []string {
	var all []string
	for _, s := range info.Seats {
		all = append(all, s.Name)
	}
	return all
}

// watch writes the turns of a match from its first, until the match is over or ctx ends.
func watch(ctx context.Context, e Env, args []string, _ bool) error {
	if len(args) != 1 {
		return &errcode.Error{Code: errcode.BadRequest, Message: "usage: watch MATCH; `matches` lists them"}
	}
	s, err := e.enter()
	if err != nil {
		return err
	}
	defer s.Close(false)
	w, err := s.Watch(args[0], "")
	if err != nil {
		return e.Archive().ExplainUnknown(ctx, args[0], err)
	}
	info := w.Match().Info
	board, ok := e.Games.ByName(info.Game)
	if !ok {
		return e.Lobby.InternalError("match not shown", fmt.Errorf("there is no board for %q", info.Game), "match", info.ID)
	}
	if err := payHistory(s, w.Snapshot()); err != nil {
		return err
	}
	fmt.Fprintf(e.Out, "%s · %s · %s\n", strings.Join(names(info), " – "), info.Title(), info.Control)
	for seen := 0; ; {
		snap := w.Snapshot()
		if seen, err = writeEntries(e.Out, snap, board, seen); err != nil || snap.IsOver() {
			return err
		}
		select {
		case <-s.Wakeups():
		case <-ctx.Done():
			return nil
		}
	}
}

// payHistory charges the turns of a match that is written from its first.
func payHistory(s *lobby.Session, from *match.Snapshot) error {
	if err := s.Spend(limit.WorkHistory); err != nil {
		return err
	}
	return s.SpendMore(limit.WorkHistory, from.Version)
}

// writeEntries writes the entries that came after a version and returns the version it has come to.
func writeEntries(out io.Writer, s *match.Snapshot, board game.Game, from int) (int, error) {
	const spectator = -1
	for i := range s.Log[from:] {
		entry := &s.Log[from+i]
		text := words.DescribeItem(match.FeedItem{Entry: entry}, s, board, spectator)
		switch entry.Kind {
		case match.EntryTurn:
			text = s.Info.Seats[entry.Seat].Name + "  " + strings.Join(entry.Actions, ", ")
		case match.EntryEnd:
			text = words.ResultAndPlaces(s, board, spectator)
			if ratings := words.DescribeRatings(s, spectator, "to"); ratings != "" {
				text += "\n" + ratings
			}
			if _, err := fmt.Fprintln(out, text); err != nil {
				return from, err
			}
			continue
		}
		if _, err := fmt.Fprintf(out, "%s  %s\n", entry.At.UTC().Format(time.TimeOnly), text); err != nil {
			return from, err
		}
	}
	return s.Version, nil
}
