package op

import (
	"cmp"
	"context"
	"net/netip"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/lobby/match"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
	"ayumu/tui/picture/matchpicture"
	"ayumu/tui/words"
)

// Config describes the visitor and the server to a front end. It must not be changed while a session uses it.
type Config struct {
	Lobby    *lobby.Lobby
	Games    game.List  // the games of Lobby, in the same order
	Key      []byte     // in SSH wire format; nil for a guest
	NameHint string     // a name that SuggestedName may propose; it grants nothing
	Addr     netip.Addr // the visitor's address, for the limits by address
	// Account is the account of Key if it is already known, or a guest who returned with a return code;
	// nil: Identify looks Key up.
	Account *account.Account
	// Operations are what users can do; nil: All, offline those that work there, which the first visit sets.
	Operations *Operations
	// Answers caches answers for all visits; nil: the first visit makes one.
	Answers *Answers
	// Pictures makes pictures for all visits; nil: the first visit makes one.
	Pictures *matchpicture.Pictures
	// IsTerminal reports that a terminal shows the output of a command, which must then be text.
	IsTerminal bool
	// Bots are the built-in players; nil: none.
	Bots *bots.Bots
	// Puzzles are those of the server; nil: none.
	Puzzles *puzzles.Collection
	// PuzzleStore keeps what the user does with puzzles; nil: the session does.
	PuzzleStore puzzles.ProgressStore
	// Notify has the notifications outside of SSH; nil: none.
	Notify *notify.Service
	// OnEnter is called with the lobby's session once the user has signed in. May be nil.
	OnEnter func(*lobby.Session)
	// Moderator reports and moderates on behalf of the user; nil: not available.
	Moderator club.Moderator
	// Manager manages members on behalf of the user; nil like Moderator.
	Manager club.Manager
	// Bulletin is what the club shows to its users; nil: nothing.
	Bulletin *club.Bulletin
	// IsMember reports whether the user is a member of the club; nil: every account is one's.
	IsMember func(ctx context.Context) (bool, error)
	// LastVisit returns when the user was online before this session entered the lobby; zero: unknown. nil: nobody knows.
	LastVisit func(ctx context.Context) (time.Time, error)
	// SetIdleLimit is called whenever the time changes for which the session may stay without input; 0:
	// unlimited. It is not called before the sign-in. May be nil.
	SetIdleLimit func(time.Duration)
	// Lag returns the connection's round-trip time; nil: unknown.
	Lag func() time.Duration
	// StartPoint is what the front end opens first. The zero value is the lobby.
	StartPoint StartPoint
	// SiteName is the server's name: clean text of at most 30 characters; "": Ayumu. Message is shown to every
	// user at sign-in: clean text of one line; "": none.
	SiteName, Message string

	// WebURL is the public address of the web pages without a slash at the end; "": there are none.
	WebURL string

	Version   string // the server's; "": unknown
	SSHTarget string // arguments for ssh to connect here: "play.example.org", "-p 2222 localhost"
}

// Site returns the server's name.
func (c *Config) Site() string { return cmp.Or(c.SiteName, "Ayumu") }

// MatchURL returns the address of the web page of a match; "" without web pages, and for a private match, which is shown
// there only with its code.
func (c *Config) MatchURL(info *match.Info) string {
	if c.WebURL == "" || info.Private || info.ID == "" {
		return ""
	}
	return c.WebURL + "/m/" + info.ID
}

// ShortName returns the name of the player of a seat, with the level of a built-in player: "NAME L1".
func (c *Config) ShortName(s match.Seat) string {
	return words.ShortBotName(s.Name, c.Bots.Level(s.Account))
}

// LongName returns the name of the player of a seat, with the level of a built-in player: "NAME (level 1)".
func (c *Config) LongName(s match.Seat) string { return words.BotName(s.Name, c.Bots.Level(s.Account)) }

// LongNames returns the names of the players of a match as LongName does: "ana and bob".
func (c *Config) LongNames(info *match.Info) string {
	var all []string
	for _, s := range info.Seats {
		all = append(all, c.LongName(s))
	}
	return strings.Join(all, " and ")
}

// RowNames returns the players of a match and their ratings for a row of a list: of two each, of more all names in the first text.
func (c *Config) RowNames(info *match.Info) (names, ratings [2]string) {
	if len(info.Seats) == 2 {
		for i, s := range info.Seats {
			names[i], ratings[i] = c.ShortName(s), words.SeatRating(s.Rating)
		}
		return names, ratings
	}
	names[0] = strings.Join(c.PeopleFirst(info.Seats), " – ")
	return names, ratings
}

// PeopleFirst returns the players of some seats where there may be no space for all: the people, and then the bots, of which
// several beside people are only counted.
func (c *Config) PeopleFirst(seats []match.Seat) []string {
	var people, bots []string
	for _, s := range seats {
		if s.Bot {
			bots = append(bots, c.ShortName(s))
		} else {
			people = append(people, s.Name)
		}
	}
	if len(people) > 0 && len(bots) > 1 {
		bots = []string{words.Plural(len(bots), "bot")}
	}
	return append(people, bots...)
}

// IsOffline reports whether the user plays without a server and without people elsewhere: operations that need either are
// absent, and no text is about them.
func (c *Config) IsOffline() bool { return c.Lobby != nil && c.Lobby.IsLocal() }

// Explain returns the message of an error for the user, a clause (lobby.PublicError).
func (c *Config) Explain(err error) string {
	_, text := lobby.PublicError(err)
	if c.IsOffline() {
		text = offlineText.Replace(text)
	}
	return text
}

// offlineText replaces what messages of the lobby say of a server.
var offlineText = strings.NewReplacer(
	"tell the operator if it fails again", "the log in the data folder says why",
	"tell the operator, whose log says why", "the log in the data folder says why",
	"this server", "Ayumu",
	"the server's", "Ayumu's",
	"the server", "Ayumu",
)

// Can reports whether there is moderation and the user has a permission.
func (c *Config) Can(p club.Permission) bool {
	return c.Moderator != nil && c.Moderator.Permit(p) == nil
}

// Exit describes how a session ended.
type Exit struct {
	// Dropped reports that the connection broke or the context ended; otherwise the user quit.
	Dropped bool
	// Err is an internal error, such as a panic, that the caller should log; nil: none.
	Err error
}
