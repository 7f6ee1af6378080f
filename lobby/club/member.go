package club

import (
	"context"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
)

// Member is an account as the owners of a server see it.
type Member struct {
	Account    account.Account // without its settings and blocks
	Role       Role            // the higher of those of the store and of the list of keys
	Keys       int             // number of keys
	IsInvited  bool            // a key of the account became a member with an invitation
	LastSeen   time.Time       // to within some minutes; zero: not since the server records it
	Games      int             // finished games
	Unfinished int             // games that go on
	LastGame   time.Time       // the end of the last finished game; zero: none
}

// The refusals that protect owners.
var (
	// ErrLastOwner: the change would leave the server without an owner.
	ErrLastOwner = refusal("this is the only owner; give another account the role owner first")
	// ErrIsOwner: the account has the stored role owner, and cannot be deleted.
	ErrIsOwner = refusal("an owner's account cannot be deleted; give it the role player first")
)

// MemberStore keeps the roles and visits of accounts, and lists accounts, invitations and what was played.
type MemberStore interface {
	// Members lists accounts that are neither deleted nor those of built-in players, in the order of account.Skeleton of
	// their names, after that of a name, or from the first one on for "", at most limit. Their roles are those of the
	// store.
	Members(ctx context.Context, after string, limit int) ([]Member, error)
	// Member returns the account with a name, ignoring case, or errcode.ErrNotFound.
	Member(ctx context.Context, name string) (Member, error)
	// Roles returns the roles of accounts that are stored, all above RolePlayer.
	Roles(ctx context.Context) (map[account.ID]Role, error)
	// SetRole stores the role of an account, or removes it for RolePlayer. If needsOther is set and no other account
	// has the role owner, it returns ErrLastOwner instead. It returns errcode.ErrNotFound if there is no such account.
	SetRole(ctx context.Context, id account.ID, role Role, needsOther bool, actor, action string, at time.Time) error
	// EndMembership removes the keys of an account from those that became members with an invitation.
	EndMembership(ctx context.Context, id account.ID, actor, action string, at time.Time) error
	// RecordVisits stores when accounts were online. Later times that are stored, and accounts that do not exist, stay
	// as they are.
	RecordVisits(ctx context.Context, visits map[account.ID]time.Time) error
	// LastVisit returns the time that RecordVisits stored last for an account; zero if there is none. Each connection that
	// opens the home asks for it, so that it reads no more than that.
	LastVisit(ctx context.Context, id account.ID) (time.Time, error)
	// SetOpen stores whether access is open (Policy.Open), which decides how newcomers are rated and who is on the
	// leaderboard. It is open in a store in which nobody has called this.
	SetOpen(ctx context.Context, open bool) error
	// Invitations lists the invitations that can be used at a time, oldest first, at most limit.
	Invitations(ctx context.Context, at time.Time, limit int) ([]ListedInvitation, error)
	// RevokeInvitation removes an invitation, or returns errcode.ErrNotFound.
	RevokeInvitation(ctx context.Context, id int64, actor, action string, at time.Time) error
	// Played returns what was played since a time.
	Played(ctx context.Context, since time.Time) (Played, error)
	// ActivePlayers returns the number of accounts that have finished a game since a time. Accounts that are bots, or were
	// when the game began, do not count.
	ActivePlayers(ctx context.Context, since time.Time) (int, error)
}

// ListedInvitation is an invitation in a list. Its code is not stored.
type ListedInvitation struct {
	ID         int64
	Left, Used int // numbers of keys that can still use it, and that have
	Created    time.Time
	Until      time.Time
	Issuer     string
}

// Played is what was played since a time, without aborted games.
type Played struct {
	Weeks       []int // games that ended in each week, the first from that time on
	NewAccounts int   // accounts created since then that are neither deleted nor bots
	Seats       []PlayedSeat
}

// PlayedSeat is the number of games with equal options in which a seat had a side at the end and an outcome.
type PlayedSeat struct {
	Options engine.Options
	Seat    int
	Side    string // "" where the rules name none
	Outcome string // "won", "drawn" or "lost"
	Games   int
}

// Week is the length of the parts of Played.Weeks.
const Week = 7 * 24 * time.Hour
