package access

// Role is how much somebody is trusted. A higher one may do all that a lower one may.
type Role int

// The roles.
const (
	Nobody    Role = iota // not let in
	Guest                 // without a key
	Player                // with a key
	Moderator             // named so in the list of keys
	Owner                 // named so in the list of keys, or at the machine itself
)

var roleNames = [...]string{"nobody", "guest", "player", "moderator", "owner"}

func (r Role) String() string { return roleNames[r] }

// Action is something that not everybody may do.
type Action string

// The actions. Those of moderation are the words of the admin command.
const (
	Enter    Action = "enter"
	Link     Action = "link" // bind a key with a code that its account's owner was shown
	Report   Action = "report"
	Invite   Action = "invite"
	Mute     Action = "mute"
	Unmute   Action = "unmute"
	Kick     Action = "kick"
	Ban      Action = "ban"
	Unban    Action = "unban"
	Bans     Action = "bans"
	Reports  Action = "reports"
	Done     Action = "done"  // with a report
	Shut     Action = "close" // a room for talk
	Reopen   Action = "open"
	Announce Action = "announce"
	Audit    Action = "audit"
)

// least is the lowest role that may do something.
var least = map[Action]Role{
	Enter: Guest, Link: Nobody, Report: Guest,
	Invite: Moderator, Mute: Moderator, Unmute: Moderator, Kick: Moderator, Ban: Moderator, Unban: Moderator,
	Bans: Moderator, Reports: Moderator, Done: Moderator, Shut: Moderator, Reopen: Moderator,
	Announce: Owner, Audit: Owner,
}

// May reports whether a role may do something. Nobody may do what is not known.
func (r Role) May(a Action) bool {
	needed, known := least[a]
	return known && r >= needed
}

// MayTo reports whether a role may do something to somebody of another role: only to lower ones.
func (r Role) MayTo(a Action, other Role) bool { return r.May(a) && r > other }
