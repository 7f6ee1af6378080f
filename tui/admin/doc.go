// Package admin reads the words of the command admin, which moderators type in line mode, with ssh and at
// the machine, and calls a club.Moderator. It has the texts of the results, also for the screens. It imports
// the lobby and its club, and no other package of this module.
package admin
