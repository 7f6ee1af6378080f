// Package notify sends players notifications outside of SSH, by webhook or by mail: your turn in a correspondence
// match, a conditional move that was played, a quarter of the time left, a challenge, the end of a match, an announcement, a round of a tournament.
//
// Notifications are derived from what has been recorded: matches, open tables, announcements, tournaments. Each has an id
// that follows from its event, and is stored once under it, so that deriving it again, after a crash or on another
// node, changes nothing. They are sent at least once, with the same id each time, and not again once the acknowledgement
// is stored. The decisions (derive.go, plan.go) do no I/O; Service executes them, Webhook and Mail send.
//
// The address of a receiver is a secret: it is in no error and no log.
package notify
