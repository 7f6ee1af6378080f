package home

import (
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/lists"
	"ayumu/tui/screen/preview"
	"ayumu/tui/widget"
)

// sharedFrames has drawings of the lobby for all sessions of a server. The key of a drawing is everything on which it
// depends that is not the same for the whole server.
type sharedFrames struct {
	lists game.Cache[listKey, *paint.Frame]
	chats game.Cache[chatKey, *paint.Frame]
	both  game.Cache[bothKey, *paint.Frame]
	whole game.Cache[wholeKey, *paint.Frame]
}

// listKey identifies a drawing of a list in which nothing concerns the user.
type listKey struct {
	lists.Key
	list    area
	top     int
	style   game.Style
	now     int64   // of the ages, in seconds
	picture *string // the first line of the operator's picture
}

// chatKey identifies a drawing of the chat.
type chatKey struct {
	lines *[]lobby.ChatLine
	chat  area
	style game.Style
}

// bothKey identifies a drawing of the borders, the list, the chat and the boards.
type bothKey struct {
	layout
	previews   [1 + maxMoreBoards]*preview.Preview
	list, chat *paint.Frame // nil: not shown, or not shared
	w, h       int          // of the window
	style      game.Style
}

// wholeKey identifies a drawing of all parts: the users are drawn over the others, because they change most often.
type wholeKey struct {
	both     *paint.Frame
	lobby    *lobby.Lobby
	revision uint64 // of the users
	users    widget.Pane
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
	k := bothKey{layout: v.layout, previews: v.previews, w: width, h: height, style: sh.Style}
	k.users.Title, k.users.Hint = "", "" // drawn over it
	if v.rowsShared {
		at := inside(v.list)
		list := listKey{
			Key: lists.KeyOf(sh.Session.Lobby(), v.view, v.play), list: at, top: v.rows.Top, style: sh.Style, now: v.now.Unix(),
		}
		if len(sh.Config.Picture) > 0 {
			list.picture = &sh.Config.Picture[0]
		}
		k.list = f.lists.Lookup(&list, func() *paint.Frame { return at.draw(v.drawList) })
	} else {
		k.layout.list.Title = "" // likewise
	}
	if at := inside(v.chat); at != (area{}) {
		chat := chatKey{v.lastChat.Of(sh, &sh.Session.Lobby().Chat), at, sh.Style}
		k.chat = f.chats.Get(chat, func() *paint.Frame { return at.draw(v.drawChat) })
	}
	both := f.both.Lookup(&k, func() *paint.Frame { return paint.Draw(nil, width, height, func(c paint.Canvas) { v.drawBoth(c, &k) }) })
	if !v.users.IsShown() {
		return both
	}
	whole := wholeKey{both, sh.Session.Lobby(), v.view.UsersRevision, v.users, v.usersTop, sh.Style, v.hasBots()}
	return f.whole.Lookup(&whole, func() *paint.Frame {
		return both.DrawOver(nil, func(c paint.Canvas) {
			v.users.DrawTitle(c, sh.Style.Theme)
			v.drawUsers(inside(v.users).of(c))
		})
	})
}

// draw returns a drawing of the area.
func (a area) draw(draw func(paint.Canvas)) *paint.Frame { return paint.Draw(nil, a.w, a.h, draw) }

// drawBoth draws the borders and the parts of k in their places.
func (v drawing) drawBoth(c paint.Canvas, k *bothKey) {
	v.drawBase(c, func(pane widget.Pane, p *preview.Preview) {
		x, y, w, h := pane.Inside()
		c.Blit(x, y, v.boards.Frame(p, v.Shell, w, h))
	})
	if k.list != nil {
		v.drawTitle(c)
		at := inside(v.list)
		c.Blit(at.x, at.y, k.list)
	}
	if k.chat != nil {
		at := inside(v.chat)
		c.Blit(at.x, at.y, k.chat)
	}
}
