package access

// Role is the rank of a user. A higher role may do everything that a lower one may.
type Role int

// The roles.
const (
	RoleNobody      Role = iota // not admitted
	RoleGuest                   // without a key
	RolePlayer                  // with a key
	RoleModerator               // by the list of keys
	RoleServerOwner             // by the list of keys, or at the local socket
)

var roleNames = [...]string{"nobody", "guest", "player", "moderator", "owner"}

func (r Role) String() string { return roleNames[r] }

// Action is something that requires a role.
type Action string

// The actions. Those of moderation are the words of the admin command.
const (
	ActionEnter       Action = "enter"
	ActionLink        Action = "link" // add a key with a link code
	ActionReport      Action = "report"
	ActionInvite      Action = "invite"
	ActionMute        Action = "mute"
	ActionUnmute      Action = "unmute"
	ActionKick        Action = "kick"
	ActionBan         Action = "ban"
	ActionUnban       Action = "unban"
	ActionBans        Action = "bans"
	ActionReports     Action = "reports"
	ActionCloseReport Action = "done"  // close a report
	ActionCloseRoom   Action = "close" // close a chat room
	ActionOpenRoom    Action = "open"
	ActionAnnounce    Action = "announce"
	ActionAudit       Action = "audit"
)

// minRole has the lowest role for each action.
var minRole = map[Action]Role{
	ActionEnter: RoleGuest, ActionLink: RoleNobody, ActionReport: RoleGuest,
	ActionInvite: RoleModerator, ActionMute: RoleModerator, ActionUnmute: RoleModerator, ActionKick: RoleModerator, ActionBan: RoleModerator, ActionUnban: RoleModerator,
	ActionBans: RoleModerator, ActionReports: RoleModerator, ActionCloseReport: RoleModerator, ActionCloseRoom: RoleModerator, ActionOpenRoom: RoleModerator,
	ActionAnnounce: RoleServerOwner, ActionAudit: RoleServerOwner,
}

// Can reports whether a role may do something; false for an unknown action.
func (r Role) Can(a Action) bool {
	needed, known := minRole[a]
	return known && r >= needed
}

// CanActOn reports whether a role may do something to a user of another role, which must be lower.
func (r Role) CanActOn(a Action, other Role) bool { return r.Can(a) && r > other }
