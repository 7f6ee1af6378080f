// Package club has the screens of a club: for moderators the list of sanctions and reports, the form that mutes, kicks or bans
// a user, and the lists of members and of invitations; for everyone the overlay that shows an announcement on entry, and the
// list of all; and the form of a new one.
package club
