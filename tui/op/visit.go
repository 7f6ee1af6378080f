package op

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/puzzles"
	"ayumu/tui/picture/matchpicture"
	"ayumu/tui/words"
)

// Visit is one session of a user who has signed in.
type Visit struct {
	*Config
	follow
	Experience Experience
	Session    *lobby.Session // nil for a command over SSH that needs none
	Notices    Notices

	// Listed has what the numbers of the rows that were listed last stand for. Only line mode has numbers.
	Listed map[RowKind][]string
	// Current is the match that is open in line mode, also a finished one of the archive; nil: none, and on other front
	// ends. It is read while words are parsed, while a confirmation is asked for, and for a text, but not by Run.
	Current *Match
	// Here returns the options of a game that begins with the position that is shown, while words are parsed; nil: nothing is
	// shown.
	Here func() (engine.Options, error)

	// Premoves has the turns that the user has entered in advance, by match. Only the screens have them.
	Premoves map[string]Premove

	runs sync.Mutex // held while an operation runs, and for nothing else
	// Only operations use these, while they run.
	olderThan int64            // the id of the last announcement that was listed
	readUntil time.Time        // up to when announcements were marked as read
	trainer   *puzzles.Trainer // nil until puzzleTrainer is called

	puzzleTry atomic.Pointer[puzzles.Try] // that of the last operation about puzzles; nil: none has run

	shownConditional time.Time    // what ShownConditions has returned last
	listedConditions atomic.Int64 // the revision of the conditional moves that Conditions has returned last

	news                words.Tracker              // events of the user's tables and of matches that are not shown
	knownMatches        map[string]bool            // own matches that were reported
	knownChallenges     map[string]bool            // challenges that were reported
	tablesRevision      uint64                     // TableList.TablesRevision at the last call of NewChallenges
	tournaments         map[string]knownTournament // by id, as TournamentNews has seen them
	tournamentsRevision uint64                     // lobby.Tournaments.Revision at its last call
	lastNotice          uint64                     // Seq of the last notice of a tournament that News has returned
	lastChat            uint64                     // Seq of the last line of the lobby's chat that ReadChat has visited
	lastHint            time.Time
	lessonGame          string        // the match that follows the lessons; "": none
	idle                time.Duration // the last value given to SetIdleLimit; -1: none yet
}

// Premove is a turn that a user has entered while the opponent is to move. It is sent when the turn comes if it is legal then;
// where the server can answer there are conditional moves instead. The zero value is none.
type Premove struct {
	Text    string   // as it was typed, or in the short notation; "": none
	Actions []string // to mark on the board; nil if Text means nothing in the position of the opponent
	Version int      // of the match when it was entered
}

// IsNewGuest reports whether the visitor shows no key and has not returned with a return code.
func (c *Config) IsNewGuest() bool { return c.Account == nil && c.Key == nil }

// Identify returns the account with which the visitor signs in: Account, the one of Key, or a new guest. known
// is false if Key has no account; Register creates one. It may be called from any goroutine.
func (c *Config) Identify(ctx context.Context) (a account.Account, known bool, err error) {
	switch {
	case c.Account != nil:
		return *c.Account, true, nil
	case c.Key == nil:
		return c.Lobby.Accounts.NewGuest(), true, nil
	}
	return c.Lobby.Accounts.ByKey(ctx, c.Key)
}

// Register creates an account with a name for Key. It may be called from any goroutine.
func (c *Config) Register(ctx context.Context, name string) (account.Account, error) {
	return c.Lobby.Accounts.Register(ctx, name, c.Key, c.Addr)
}

// RegisterLike creates an account for Key whose name is NameHint if that is free and allowed, otherwise a free
// one like it. It may be called from any goroutine.
func (c *Config) RegisterLike(ctx context.Context) (account.Account, error) {
	return c.Lobby.Accounts.RegisterLike(ctx, c.NameHint, c.Key, c.Addr)
}

// systemLogins are login names that machines have, and that say nothing about a person.
var systemLogins = []string{"root", "user", "ubuntu", "debian", "fedora", "centos", "opc", "pi", "ec2-user", "git", "test", "nobody"}

// SuggestedName returns the name that is proposed at a first visit: NameHint, or "" if that cannot be a name or is the
// login of many machines.
func (c *Config) SuggestedName() string {
	if account.CheckName(c.NameHint) != nil || slices.Contains(systemLogins, strings.ToLower(c.NameHint)) {
		return ""
	}
	return c.NameHint
}

// Enter enters the lobby with an account. The caller must close the Session.
func (c *Config) Enter(a account.Account) (*Visit, error) {
	s, err := c.Lobby.Enter(a, c.Lag)
	if err != nil {
		return nil, err
	}
	if c.OnEnter != nil {
		c.OnEnter(s)
	}
	return c.Attach(s), nil
}

// Command returns the visit of a user who asks for one operation over SSH, without a session.
func (c *Config) Command() *Visit {
	c.SetDefaults()
	return &Visit{Config: c}
}

// SetDefaults sets what the first visit would set.
func (c *Config) SetDefaults() {
	if c.Operations == nil {
		if c.Operations = NewOperations(All()...); c.IsOffline() {
			c.Operations = c.Operations.Offline()
		}
	}
	if c.Answers == nil {
		c.Answers = NewAnswers()
	}
	if c.Pictures == nil {
		c.Pictures = matchpicture.NewPictures(c.Games)
	}
}

// User returns the user's account; the zero value if they have none and are not in the lobby.
func (v *Visit) User() account.Account {
	switch {
	case v.Session != nil:
		return v.Session.Account()
	case v.Account != nil:
		return *v.Account
	}
	return account.Account{}
}

// Attach returns the visit of a session of the lobby. The matches that the user already plays are not reported
// as new.
func (c *Config) Attach(s *lobby.Session) *Visit {
	c.SetDefaults()
	v := &Visit{
		Config:       c,
		Session:      s,
		Listed:       make(map[RowKind][]string),
		Premoves:     make(map[string]Premove),
		news:         words.Tracker{Games: c.Games},
		knownMatches: make(map[string]bool),
		Experience:   Experience{make(map[string]int), s.Account().IsGuest()},
		idle:         -1,
	}
	v.SkipChat()
	v.lastNotice = c.Lobby.Tournaments.LastNotice()
	v.tournaments = make(map[string]knownTournament)
	for _, t := range c.Lobby.Tournaments.Entered(v.User().ID) {
		if room := c.Lobby.Tournaments.Chat(t.ID); room != nil {
			v.tournaments[t.ID] = knownTournament{chat: room.Last()}
		}
	}
	v.Notices = newNotices(c, s)
	v.news.Begin(s)
	for _, m := range s.SeatedMatches() {
		v.knownMatches[m.Info.ID] = true
	}
	return v
}

// SetIdle passes a changed idle limit to SetIdleLimit. isWatching reports whether the session shows a match.
func (v *Visit) SetIdle(isWatching bool) {
	if v.SetIdleLimit == nil {
		return
	}
	if limit := idleLimit(v.Session, isWatching); limit != v.idle {
		v.idle = limit
		v.SetIdleLimit(limit)
	}
}
