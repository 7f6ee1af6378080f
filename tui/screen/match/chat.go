package match

import (
	"slices"

	"ayumu/lobby"
	"ayumu/tui/screen"
)

// shownChat is the chat as it was shown last.
type shownChat struct {
	visible [2][]lobby.ChatLine
	key     screen.ChatKey
	log     *[]lobby.ChatLine
}

// of returns the lines of one or two rooms that the user may see, by time; nil: there are none. While they are the same,
// it returns the same pointer, also to other sessions.
func (s *shownChat) of(sh *screen.Shell, rooms ...*lobby.Chat) *[]lobby.ChatLine {
	visible := &s.visible
	var key screen.ChatKey
	for i, room := range rooms {
		now := sh.Session.VisibleChat(room, 0)
		if len(now) == 0 {
			continue
		}
		if key[i] = chatLines(now); key[i] != s.key[i] && slices.Equal(now, visible[i]) {
			key[i] = s.key[i] // another copy without the lines of blocked users
		} else {
			visible[i] = now
		}
	}
	switch {
	case key == screen.ChatKey{}:
		return nil
	case key != s.key:
		a, b := visible[0], visible[1]
		s.key, s.log = key, sh.Shared.Chats.Get(key, func() *[]lobby.ChatLine {
			all := mergeChat(a, b)
			return &all
		})
	}
	return s.log
}

func chatLines(all []lobby.ChatLine) screen.ChatLines {
	return screen.ChatLines{First: &all[0], Count: len(all)}
}

// mergeChat merges the lines of two rooms by time.
func mergeChat(a, b []lobby.ChatLine) []lobby.ChatLine {
	all := make([]lobby.ChatLine, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].At.Before(a[0].At) {
			all, b = append(all, b[0]), b[1:]
		} else {
			all, a = append(all, a[0]), a[1:]
		}
	}
	return append(append(all, a...), b...)
}
