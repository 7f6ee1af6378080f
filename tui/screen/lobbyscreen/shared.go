package lobbyscreen

import (
	"sync"
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/lists"
)

// sharedFrames has drawings of the lobby for all sessions of a server. The key of a drawing is everything on which it
// depends that is not the same for the whole server.
type sharedFrames struct {
	once  sync.Once
	lists game.Cache[listKey, *paint.Frame]
	chats game.Cache[chatKey, *paint.Frame]
	both  game.Cache[bothKey, *paint.Frame]
	whole game.Cache[wholeKey, *paint.Frame]
}

// maxParts is the number of drawings that are kept of each part, for a few sizes and styles. A large one takes a
// megabyte.
const maxParts = 32

// listKey identifies a drawing of a list in which nothing concerns the user.
type listKey struct {
	lists.Key
	list, rows area
	top        int
	style      game.Style
	isNew      bool
	now        int64   // of the ages, in seconds
	picture    *string // the first line of the operator's picture
}

// chatKey identifies a drawing of the chat.
type chatKey struct {
	lines *[]lobby.ChatLine
	chat  area
	style game.Style
}

// bothKey identifies a drawing of the list and the chat.
type bothKey struct {
	layout
	list, chat *paint.Frame // nil: not shown, or not shared
	w, h       int          // of the window
}

// wholeKey identifies a drawing of all parts: the users are drawn over the others, because they change most often.
type wholeKey struct {
	both     *paint.Frame
	lobby    *lobby.Lobby
	revision uint64 // of the users
	users    area   // empty: not shown
	top      int
	style    game.Style
	hasBots  bool
}

// Layers implements screen.Framer.
func (v *lobbyScreen) Layers(width, height, rows int) screen.Layers {
	d := newDrawing(v, time.Now(), width, rows)
	return screen.Layers{Frame: d.parts(width, height), IsShared: true, Over: d.drawOver}
}

// parts returns a frame of the window's size with the parts that sessions share.
func (v drawing) parts(width, height int) *paint.Frame {
	f, sh := v.frames, v.Shell
	f.once.Do(func() {
		f.lists.Capacity, f.chats.Capacity, f.both.Capacity, f.whole.Capacity = maxParts, maxParts, maxParts, maxParts
	})
	k := bothKey{layout: v.layout, w: width, h: height}
	if v.rowsShared {
		list := listKey{
			Key: lists.KeyOf(sh.Session.Lobby(), v.view, v.hasBots()), list: v.list, rows: v.rowsAt, top: v.rows.Top,
			style: sh.Style, isNew: v.isNew, now: v.now.Unix(),
		}
		if len(sh.Config.Picture) > 0 {
			list.picture = &sh.Config.Picture[0]
		}
		k.list = f.lists.Get(list, func() *paint.Frame { return v.list.draw(v.drawList) })
	}
	if v.chat != (area{}) {
		chat := chatKey{v.lastChat.Of(sh, &sh.Session.Lobby().Chat), v.chat, sh.Style}
		k.chat = f.chats.Get(chat, func() *paint.Frame { return v.chat.draw(v.drawChat) })
	}
	both := f.both.Lookup(&k, func() *paint.Frame { return paint.Draw(nil, width, height, k.draw) })
	if v.users == (area{}) {
		return both
	}
	whole := wholeKey{both, sh.Session.Lobby(), v.view.UsersRevision, v.users, v.usersTop, sh.Style, v.hasBots()}
	return f.whole.Lookup(&whole, func() *paint.Frame {
		return both.DrawOver(nil, func(c paint.Canvas) { v.drawUsers(v.users.of(c)) })
	})
}

// draw returns a drawing of the area.
func (a area) draw(draw func(paint.Canvas)) *paint.Frame { return paint.Draw(nil, a.w, a.h, draw) }

// draw draws the parts in their places.
func (k *bothKey) draw(c paint.Canvas) {
	for _, part := range []struct {
		at    area
		frame *paint.Frame
	}{{k.layout.list, k.list}, {k.layout.chat, k.chat}} {
		if part.frame != nil {
			c.Blit(part.at.x, part.at.y, part.frame)
		}
	}
}
