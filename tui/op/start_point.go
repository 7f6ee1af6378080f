package op

import (
	"strings"

	"ayumu/lobby/errcode"
)

// StartPointKind is a kind of place that a connection can open first.
type StartPointKind int

// The kinds of start points.
const (
	ToLobby  StartPointKind = iota // the running game of the user, otherwise the lobby
	ToMatch                        // a match, at the user's seat or as a spectator
	ToTable                        // a table, to join it
	ToReplay                       // a finished match; a running one is watched
)

// StartPoint is what a front end opens first, as the words after `ssh HOST` or a code name it.
type StartPoint struct {
	Kind StartPointKind
	ID   string // of the match or table
	Code string // of a private match or table; "" for others
}

// startPointKinds maps the commands that name a start point to its kind.
var startPointKinds = map[string]StartPointKind{"watch": ToMatch, "join": ToTable, "replay": ToReplay}

// ParseStartPoint parses "watch MATCH", "join TABLE", either followed by a code if it is private, and
// "replay MATCH". No words are the lobby. ok is false for other words.
func ParseStartPoint(words []string) (d StartPoint, ok bool) {
	if len(words) == 0 {
		return StartPoint{}, true
	}
	kind, known := startPointKinds[words[0]]
	switch {
	case !known || len(words) < 2 || len(words) > 3:
		return StartPoint{}, false
	case len(words) == 3 && kind == ToReplay:
		return StartPoint{}, false
	case len(words) == 3:
		return StartPoint{kind, words[1], words[2]}, true
	}
	return StartPoint{Kind: kind, ID: words[1]}, true
}

// Watched returns what somebody opens who wants to watch what args name: the id of a match, with the code of a private one
// after it, or a user who plays. The error says that a user does not play.
func (v *Visit) Watched(args string) (StartPoint, error) {
	id, code, _ := strings.Cut(args, " ")
	if u := v.Lobby.View().Users.Named(id); u != nil {
		if u.Match == "" {
			return StartPoint{}, errcode.Errorf(errcode.UnknownMatch, "%s is not playing; follow %s to watch the next game", u.Name, u.Name)
		}
		id = u.Match
	}
	return StartPoint{Kind: ToMatch, ID: id, Code: code}, nil
}
