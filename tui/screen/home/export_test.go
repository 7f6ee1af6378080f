package home

import "ayumu/tui/screen"

// PartsMade returns how many drawings of lists, users and chats have been made for all sessions.
func PartsMade(s *screen.Shared) (lists, users, chats int) {
	f := screen.SharedPart[sharedFrames](s)
	return f.lists.MadeCount(), f.whole.MadeCount(), f.chats.MadeCount()
}
