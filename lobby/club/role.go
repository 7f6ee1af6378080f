package club

import "slices"

// Role decides what a user may do. A higher role has every permission of a lower one.
type Role int

// The roles.
const (
	RoleNobody      Role = iota // not admitted
	RoleGuest                   // without a key
	RolePlayer                  // with a key
	RoleModerator               // by the list of keys, or given by an owner
	RoleServerOwner             // likewise, or at the local socket
)

var roleNames = [...]string{"nobody", "guest", "player", "moderator", "owner"}

func (r Role) String() string { return roleNames[r] }

// RoleByName returns the role with a name; ok is false if there is none.
func RoleByName(name string) (r Role, ok bool) {
	i := slices.Index(roleNames[:], name)
	return Role(max(i, 0)), i >= 0
}

// Permission is something that requires a role, in words that follow "may".
type Permission string

// The permissions.
const (
	PermissionLink         Permission = "add a key with a link code"
	PermissionReport       Permission = "report players"
	PermissionInvite       Permission = "invite players"
	PermissionMute         Permission = "mute players"
	PermissionUnmute       Permission = "unmute players"
	PermissionKick         Permission = "kick players"
	PermissionBan          Permission = "ban players"
	PermissionUnban        Permission = "unban players"
	PermissionSanctions    Permission = "list bans"
	PermissionReports      Permission = "read reports"
	PermissionCloseReports Permission = "resolve reports"
	PermissionCloseRooms   Permission = "close a chat room"
	PermissionOpenRooms    Permission = "open a chat room"
	PermissionAnnounce     Permission = "make announcements"
	PermissionMessage      Permission = "change the message of the day"
	PermissionAudit        Permission = "read the audit log"
	PermissionSeeMembers   Permission = "list members"
	PermissionMembers      Permission = "manage members"
	PermissionOrganize     Permission = "organize tournaments" // for all players with Policy.MembersOrganize
	PermissionDirect       Permission = "direct tournaments of others"
)

// minRole has the lowest role for each permission.
var minRole = map[Permission]Role{
	PermissionLink: RoleNobody, PermissionReport: RoleGuest,
	PermissionInvite: RoleModerator, PermissionMute: RoleModerator, PermissionUnmute: RoleModerator, PermissionKick: RoleModerator,
	PermissionBan: RoleModerator, PermissionUnban: RoleModerator, PermissionSanctions: RoleModerator,
	PermissionReports: RoleModerator, PermissionCloseReports: RoleModerator,
	PermissionCloseRooms: RoleModerator, PermissionOpenRooms: RoleModerator,
	PermissionAnnounce: RoleModerator, PermissionSeeMembers: RoleModerator,
	PermissionOrganize: RoleModerator, PermissionDirect: RoleModerator,
	PermissionMessage: RoleServerOwner, PermissionAudit: RoleServerOwner, PermissionMembers: RoleServerOwner,
}

// Has reports whether a role has a permission; false for an unknown one.
func (r Role) Has(p Permission) bool {
	needed, known := minRole[p]
	return known && r >= needed
}

// HasOver reports whether a role has a permission against a user of another role, which must be lower.
func (r Role) HasOver(p Permission, other Role) bool { return r.Has(p) && r > other }
