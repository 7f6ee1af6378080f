package screen

import (
	"slices"

	"ayumu/lobby"
)

// ShownChat is the chat as a screen has shown it last. The zero value has shown nothing.
type ShownChat struct {
	visible [2][]lobby.ChatLine
	key     ChatKey
	log     *[]lobby.ChatLine
}

// Of returns the lines of one or two rooms that the user may see, by time; nil: there are none. While they are the same,
// it returns the same pointer, also to other sessions.
func (s *ShownChat) Of(sh *Shell, rooms ...*lobby.Chat) *[]lobby.ChatLine {
	visible := &s.visible
	var key ChatKey
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
	case key == ChatKey{}:
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

func chatLines(all []lobby.ChatLine) ChatLines {
	return ChatLines{First: &all[0], Count: len(all)}
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
