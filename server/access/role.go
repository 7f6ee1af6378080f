package access

// Role is how much somebody is trusted. A higher one may do all that a lower one may.
type Role int

// The roles.
const (
	RoleNobody      Role = iota // not let in
	RoleGuest                   // without a key
	RolePlayer                  // with a key
	RoleModerator               // named so in the list of keys
	RoleServerOwner             // named so in the list of keys, or at the machine itself
)

var roleNames = [...]string{"nobody", "guest", "player", "moderator", "owner"}

func (r Role) String() string { return roleNames[r] }

// Action is something that not everybody may do.
type Action string

// The actions. Those of moderation are the words of the admin command.
const (
	ActionEnter       Action = "enter"
	ActionLink        Action = "link" // bind a key with a code that its account's owner was shown
	ActionReport      Action = "report"
	ActionInvite      Action = "invite"
	ActionMute        Action = "mute"
	ActionUnmute      Action = "unmute"
	ActionKick        Action = "kick"
	ActionBan         Action = "ban"
	ActionUnban       Action = "unban"
	ActionBans        Action = "bans"
	ActionReports     Action = "reports"
	ActionCloseReport Action = "done"  // with a report
	ActionCloseRoom   Action = "close" // a room for talk
	ActionOpenRoom    Action = "open"
	ActionAnnounce    Action = "announce"
	ActionAudit       Action = "audit"
)

// minRole is the lowest role that may do something.
var minRole = map[Action]Role{
	ActionEnter: RoleGuest, ActionLink: RoleNobody, ActionReport: RoleGuest,
	ActionInvite: RoleModerator, ActionMute: RoleModerator, ActionUnmute: RoleModerator, ActionKick: RoleModerator, ActionBan: RoleModerator, ActionUnban: RoleModerator,
	ActionBans: RoleModerator, ActionReports: RoleModerator, ActionCloseReport: RoleModerator, ActionCloseRoom: RoleModerator, ActionOpenRoom: RoleModerator,
	ActionAnnounce: RoleServerOwner, ActionAudit: RoleServerOwner,
}

// Can reports whether a role may do something. Nobody may do what is not known.
func (r Role) Can(a Action) bool {
	needed, known := minRole[a]
	return known && r >= needed
}

// CanActOn reports whether a role may do something to somebody of another role: only to lower ones.
func (r Role) CanActOn(a Action, other Role) bool { return r.Can(a) && r > other }
