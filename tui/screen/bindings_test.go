package screen_test

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/screen"
)

// part is a part of page with a key of its own.
type part struct{ pressed string }

// page is a screen with bindings of every kind.
type page struct {
	part   part
	closed bool
	log    []string
}

func (p *page) do(text string) tea.Cmd {
	p.log = append(p.log, text)
	return nil
}

var pageBindings = slices.Concat(
	screen.Bindings[*page]{
		{Key: screen.Keys("x", "x", "close the page"), Label: "close", When: func(p *page) bool { return !p.closed }, Do: func(p *page) tea.Cmd {
			p.closed = true
			return nil
		}},
		{Key: screen.Keys("x", "x", ""), Label: "open", Do: func(p *page) tea.Cmd { return p.do("open") }},
		{Key: screen.Keys("up k down j", "↑ ↓", "move"), Label: "move", Rank: 2, DoKey: func(p *page, name string) tea.Cmd { return p.do(name) }},
		{Key: screen.Keys("q", "q", "back"), LabelOf: func(p *page) string {
			if p.closed {
				return "leave"
			}
			return ""
		}, Rank: 1, Do: func(p *page) tea.Cmd { return p.do("back") }},
		{More: func(*page) []game.Key {
			return []game.Key{{Key: "b", Help: "of the board"}, {Key: "x", Help: "hidden"}}
		}},
		{Key: screen.Keys("m", "m", "for some"), Listed: func(p *page) bool { return p.closed }},
	},
	screen.Part(func(p *page) *part { return &p.part }, screen.Bindings[*part]{
		{Key: screen.Keys("t", "t", "talk"), Label: "chat", DoKey: func(p *part, name string) tea.Cmd {
			p.pressed = name
			return nil
		}},
	}),
)

func TestBindingsHandle(t *testing.T) {
	p := new(page)
	for _, key := range []string{"x", "X", "k", "q", "t"} {
		if _, used := pageBindings.Handle(p, key); !used {
			t.Errorf("%s is not used", key)
		}
	}
	for _, key := range []string{"m", "b", "c"} { // without a handler, of the board, of nothing
		if _, used := pageBindings.Handle(p, key); used {
			t.Errorf("%s is used", key)
		}
	}
	if want := []string{"open", "k", "back"}; !p.closed || !slices.Equal(p.log, want) || p.part.pressed != "t" {
		t.Errorf("the keys had the effects %+v", p)
	}
}

func TestBindingsNameTheirKeys(t *testing.T) {
	for _, c := range []struct {
		page         page
		status, help []game.Key
	}{
		{page{}, []game.Key{{Key: "x", Help: "close"}, {Key: "b", Help: "of the board"}, {Key: "t", Help: "chat"}, {Key: "↑↓", Help: "move"}},
			[]game.Key{{Key: "x", Help: "close the page"}, {Key: "↑ ↓", Help: "move"}, {Key: "q", Help: "back"}, {Key: "t", Help: "talk"}}},
		{page{closed: true}, []game.Key{{Key: "x", Help: "open"}, {Key: "b", Help: "of the board"}, {Key: "t", Help: "chat"}, {Key: "q", Help: "leave"}, {Key: "↑↓", Help: "move"}},
			[]game.Key{{Key: "x", Help: "close the page"}, {Key: "↑ ↓", Help: "move"}, {Key: "q", Help: "back"}, {Key: "m", Help: "for some"}, {Key: "t", Help: "talk"}}},
	} {
		if got := pageBindings.Status(&c.page); !slices.Equal(got, c.status) {
			t.Errorf("closed %t: the status bar is %v, want %v", c.page.closed, got, c.status)
		}
		if got := pageBindings.Help(&c.page); !slices.Equal(got, c.help) {
			t.Errorf("closed %t: the help page lists %v, want %v", c.page.closed, got, c.help)
		}
	}
}
