package op

// DestinationKind is a kind of place that a connection can open first.
type DestinationKind int

// The kinds of destinations.
const (
	ToLobby  DestinationKind = iota // the running game of the user, otherwise the lobby
	ToMatch                         // a match, at the user's seat or as a spectator
	ToTable                         // a table, to join it
	ToReplay                        // a finished match; a running one is watched
)

// Destination is what a front end opens first, as the words after `ssh HOST` or a code name it.
type Destination struct {
	Kind DestinationKind
	ID   string // of the match or table
	Code string // of a private match or table; "" for others
}

// destinationKinds maps the commands that name a destination to its kind.
var destinationKinds = map[string]DestinationKind{"watch": ToMatch, "join": ToTable, "replay": ToReplay}

// ParseDestination parses "watch MATCH", "join TABLE", either followed by a code if it is private, and
// "replay MATCH". No words are the lobby. ok is false for other words.
func ParseDestination(words []string) (d Destination, ok bool) {
	if len(words) == 0 {
		return Destination{}, true
	}
	kind, known := destinationKinds[words[0]]
	switch {
	case !known || len(words) < 2 || len(words) > 3:
		return Destination{}, false
	case len(words) == 3 && kind == ToReplay:
		return Destination{}, false
	case len(words) == 3:
		return Destination{kind, words[1], words[2]}, true
	}
	return Destination{Kind: kind, ID: words[1]}, true
}
