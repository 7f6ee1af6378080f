// Package exec answers `ssh HOST COMMAND`: plain lines for people and scripts, and JSON where
// a list is asked for with --json (docs/protocol.md, section 3). It imports the lobby, the engine, and
// the wording of the screens, and knows a session only as two writers.
package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/lobby/limit"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/sanitize"
	"ayumu/tui/game"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// Env is the environment of a command.
type Env struct {
	Lobby     *lobby.Lobby
	Games     game.List      // those of the Lobby
	Account   *lobby.Account // the user's; nil for a guest and for a key without an account
	Key       []byte         // the user's key in SSH wire format; nil for none
	Addr      netip.Addr     // the client's address
	Bots      *bots.Bots     // nil: there are none
	SSHTarget string         // the server's address as typed after ssh: "-p 2222 play.example.org"
	Version   string
	Puzzles   *puzzles.Collection
	// PuzzleStore keeps what accounts do with puzzles; nil: nothing is kept.
	PuzzleStore puzzles.ProgressStore
	Notify      *notify.Service // nil: there are no notifications
	Moderator   club.Moderator  // acts for the user; nil: there is no moderation
	Manager     club.Manager    // manages members for the user; nil like Moderator
	Out         io.Writer
	Err         io.Writer
	Bulletin    *club.Bulletin // what the club shows; nil: nothing
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

type command struct {
	name, args, help string
	hasJSON          bool // has --json
	maxArgs          int  // more are an error
	run              func(ctx context.Context, e Env, args []string, asJSON bool) error
}

var commands []command

func init() { // help refers to the table
	commands = []command{
		{"help", "", "list the commands", false, 0, help},
		{"who", "", "list who is online", true, 0, who},
		{"tables", "", "list open tables", true, 0, tables},
		{"matches", "", "list running matches", true, 0, matches},
		{"watch", "MATCH", "print each turn of a match (ssh -t: on the screen)", false, 1, watch},
		{"record", "MATCH", "print a match as a record (docs/records.md)", false, 1, writeRecord},
		{"games", "[PLAYER]", "list finished games, newest first", true, 1, listGames},
		{"top", "[GAME]", "print the leaderboard", true, 1, leaderboardCommand},
		{"puzzle", "[ANSWER or hint]", "print or answer the puzzle of the day", true, maxWords, puzzleOfDay},
		{"announcements", "", "list the announcements, newest first", true, 0, announcements},
		{"waiting", "", "list the games in which it is your turn", true, maxWords, waiting},
		{"vacation", "[DAYS or off]", "stop your clocks in correspondence games", true, 1, ownVacation},
		{"conditions", "MATCH [CHANGE]", "list or change conditional moves", true, maxWords, conditionalMoves},
		{"notifications", "[COMMAND]", "where you are notified of your turns", true, maxWords, notifications},
		{"keys", "", "list your account's keys", true, 0, keys},
		{"link", "CODE", "add this key to the account that showed the code", false, 1, link},
		{"version", "", "print the server's version", false, 0, version},
	}
}

// onScreen has the commands that open a screen and their argument. The server runs them with a terminal;
// here they are an error.
var onScreen = map[string]string{"join": "TABLE", "replay": "MATCH", "line": ""}

// Run runs the command with these words and returns its exit status, 0 or 1. Output goes to e.Out, errors to
// e.Err.
func Run(ctx context.Context, e Env, words []string) int {
	if len(words) == 0 {
		words = []string{"help"}
	}
	if do := moderationCommands[words[0]]; do != nil && e.Moderator != nil {
		return e.status(do(ctx, e, words[1:]))
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == words[0] })
	if i < 0 {
		if arg, ok := onScreen[words[0]]; ok {
			if len(words) > 1 {
				arg = sanitize.Line(words[1], 40)
			}
			fmt.Fprintf(e.Err, "%s needs a terminal: ssh -t %s %s\n", words[0], e.SSHTarget, strings.TrimSpace(words[0]+" "+arg))
			return 1
		}
		fmt.Fprintf(e.Err, "unknown command %q; `ssh %s help` lists the commands\n", sanitize.Line(words[0], 30), e.SSHTarget)
		return 1
	}
	c, args := commands[i], words[1:]
	asJSON := c.hasJSON && slices.Contains(args, "--json")
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return c.hasJSON && a == "--json" })
	if len(args) > c.maxArgs {
		fmt.Fprintf(e.Err, "usage: %s\n", strings.TrimSpace(c.name+" "+c.args))
		return 1
	}
	return e.status(c.run(ctx, e, args, asJSON))
}

// status writes the public part of an error, unless it is nil, and returns the exit status: 1, or that of a statusErr.
func (e Env) status(err error) int {
	if err == nil {
		return 0
	}
	status := 1
	if s, ok := errors.AsType[*statusErr](err); ok {
		if status, err = s.status, s.err; err == nil {
			return status
		}
	}
	_, message := lobby.PublicError(err)
	fmt.Fprintln(e.Err, message)
	return status
}

// help lists the commands, so that they fit into a terminal of 80×24 above the shell's prompt.
func help(_ context.Context, e Env, _ []string, _ bool) error {
	fmt.Fprintf(e.Out, "ssh -t %[1]s opens the lobby.\nssh %[1]s COMMAND runs one command (--json: for programs):\n", e.SSHTarget)
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		text := c.help
		if c.hasJSON {
			text += " (--json)"
		}
		fmt.Fprintf(w, "  %s\t%s\n", strings.TrimSpace(c.name+" "+c.args), text)
	}
	fmt.Fprintf(w, "  join TABLE, replay MATCH\tjoin a table, or step through a game (ssh -t)\n")
	fmt.Fprintf(w, "  line\tplay in lines of text, for screen readers (ssh -t)\n")
	fmt.Fprintf(w, "  report NAME TEXT, admin\treport a player; the commands of moderators\n")
	fmt.Fprintf(w, "  api\tJSON lines, for programs\n")
	return w.Flush()
}

func link(ctx context.Context, e Env, args []string, _ bool) error {
	switch {
	case len(args) != 1:
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: link CODE; the account's settings show a code when signed in with its other key"}
	case e.Key == nil:
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "you connected without a key; connect with the key that you want to add"}
	}
	a, err := e.Lobby.Accounts.Link(ctx, args[0], e.Key, e.Addr)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Out, "this key now signs in to the account %s\n", a.Name)
	return err
}

func version(_ context.Context, e Env, _ []string, _ bool) error {
	_, err := fmt.Fprintf(e.Out, "ayumu %s\n", e.Version)
	return err
}

func who(_ context.Context, e Env, _ []string, asJSON bool) error {
	v := e.Lobby.View()
	if asJSON {
		return json.NewEncoder(e.Out).Encode(wire.Users(v, e.Bots))
	}
	if v.Users.Len() == 0 {
		fmt.Fprintln(e.Out, "nobody is online")
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for p := range v.Users.All() {
		doing := "in the lobby"
		if p.Match != "" {
			doing = "playing " + p.Match
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, doing, builtInText(e, p))
	}
	return w.Flush()
}

// builtInText returns the level and the ratings of a built-in player; "" for others.
func builtInText(e Env, u *lobby.UserListing) string {
	level := e.Bots.Level(u.ID)
	if level == 0 {
		return ""
	}
	text := fmt.Sprintf("built-in player, level %d", level)
	for _, pool := range words.RatingPools(e.Games) {
		if r, ok := u.Ratings[pool.Key]; ok {
			text += ", " + pool.Key + " " + words.Rating(r)
		}
	}
	return text
}

func tables(_ context.Context, e Env, _ []string, asJSON bool) error {
	open := e.Lobby.OpenTables().TablesFor(e.accountID())
	if asJSON {
		type row struct {
			Table   string   `json:"table"`
			Game    string   `json:"game"`
			Options any      `json:"options"`
			Clock   any      `json:"clock"`
			Rated   bool     `json:"rated"`
			Owner   string   `json:"owner"`
			Seated  []string `json:"seated"`
			To      string   `json:"to,omitempty"`
		}
		all := []row{}
		for _, t := range open {
			all = append(all, row{t.ID, t.Game, t.Options, t.Control, t.Rated, t.Owner, t.Seated, t.To})
		}
		return json.NewEncoder(e.Out).Encode(all)
	}
	return WriteTables(e.Out, open)
}

// WriteTables writes a list of open tables as aligned text.
func WriteTables(out io.Writer, open []*lobby.Table) error {
	if len(open) == 0 {
		_, err := fmt.Fprintln(out, "no open tables")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, t := range open {
		kind := "casual"
		if t.Rated {
			kind = "rated"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.ID, t.Owner, lobby.Title(t.Options), t.Control, kind)
	}
	return w.Flush()
}

func matches(_ context.Context, e Env, _ []string, asJSON bool) error {
	list := e.Lobby.View().Matches
	if asJSON {
		type row struct {
			Match      string   `json:"match"`
			Game       string   `json:"game"`
			Options    any      `json:"options"`
			Clock      any      `json:"clock"`
			Rated      bool     `json:"rated"`
			Seats      []string `json:"seats"`
			Turns      int      `json:"turns"`
			Spectators int      `json:"watchers"`
		}
		all := []row{}
		for _, m := range list {
			all = append(all, row{m.ID, m.Info.Game, m.Info.Options, m.Info.Control, m.Info.Rated, names(m.Info), m.Turns, m.Spectators})
		}
		return json.NewEncoder(e.Out).Encode(all)
	}
	if len(list) == 0 {
		fmt.Fprintln(e.Out, "no running matches")
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for _, m := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\tturn %d\t%s\n", m.ID, strings.Join(names(m.Info), " – "),
			m.Info.Title(), m.Info.Control, m.Turns+1, lobby.Plural(m.Spectators, "spectator"))
	}
	return w.Flush()
}

func names(info *lobby.MatchInfo) []string {
	var all []string
	for _, s := range info.Seats {
		all = append(all, s.Name)
	}
	return all
}

// watch writes the turns of a match from its first, until the match is over or ctx ends.
func watch(ctx context.Context, e Env, args []string, _ bool) error {
	if len(args) != 1 {
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: watch MATCH; `matches` lists them"}
	}
	a := e.Lobby.Accounts.NewGuest()
	if e.Account != nil {
		a = *e.Account
	}
	s, err := e.Lobby.EnterForCommand(a, e.Addr)
	if err != nil {
		return err
	}
	defer s.Close(false)
	w, err := s.Matches().Watch(args[0], "")
	if err != nil {
		return e.archive().ExplainUnknown(ctx, args[0], err)
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
func payHistory(s *lobby.Session, from *lobby.Snapshot) error {
	if err := s.Budget().Spend(limit.WorkHistory); err != nil {
		return err
	}
	return s.Budget().SpendMore(limit.WorkHistory, from.Version)
}

// writeEntries writes the entries that came after a version and returns the version it has come to.
func writeEntries(out io.Writer, s *lobby.Snapshot, board game.Game, from int) (int, error) {
	const spectator = -1
	for i := range s.Log[from:] {
		entry := &s.Log[from+i]
		text := words.DescribeItem(lobby.FeedItem{Entry: entry}, s, board, spectator)
		switch entry.Kind {
		case lobby.EntryTurn:
			text = s.Info.Seats[entry.Seat].Name + "  " + strings.Join(entry.Actions, ", ")
		case lobby.EntryEnd:
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
