package screen_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/errcode"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
)

// book is a row of the lists of these tests.
type book struct {
	title, author string
	year          int
	isLent        bool
}

// shelf is what the lists show, and what their actions did.
type shelf struct {
	books []book
	log   []string
}

// actions returns actions of every kind.
func (s *shelf) actions() []screen.RowAction[book] {
	return []screen.RowAction[book]{
		{Key: screen.Keys("enter space", "Enter", "read the selected book"), Label: "read", Do: func(b book) tea.Cmd { return s.did("read " + b.title) }},
		{Key: screen.Keys("x delete", "x", "give the selected book away"), Label: "give away", Operation: "unblock",
			For: func(b book) bool { return !b.isLent },
			Ask: func(b book) string { return "Give " + b.title + " away?" },
			Do: func(b book) tea.Cmd {
				s.books = slices.DeleteFunc(s.books, func(o book) bool { return o == b })
				return s.did("gave " + b.title)
			}},
		{Key: screen.Keys("n", "n", "buy a book"), Label: "buy", Rank: 1, DoAny: func() tea.Cmd {
			s.books = append([]book{{title: "Zen", author: "Pirsig", year: 1974}}, s.books...)
			return s.did("bought")
		}},
		{Key: screen.Keys("b", "b", "bind the selected book"), Label: "bind", When: func() bool { return false }, Do: func(book) tea.Cmd { return s.did("bound") }},
		{Key: screen.Keys("u", "u", "mute everyone"), Label: "mute", Operation: "admin_mute", DoAny: func() tea.Cmd { return s.did("muted") }},
	}
}

func (s *shelf) did(what string) tea.Cmd {
	s.log = append(s.log, what)
	return nil
}

// list declares a list of the books as they are, which has no type, no keys and no drawing of its own.
func (s *shelf) list() *screen.List[book] {
	l := &screen.List[book]{
		Title: "Books", Subtitle: func() string { return fmt.Sprint(len(s.books), " in all") },
		Note: "These books are on the shelf.", About: "What is on the shelf.",
		Rows: func() []book { return s.books },
		ID:   func(b book) any { return b.title },
		Columns: []screen.Column[book]{
			{Title: "Year", Width: 6, Text: func(b book) string { return fmt.Sprint(b.year) }},
			{Title: "Title", Width: 12, Fills: true, Text: func(b book) string { return b.title }},
			{Title: "Author", Width: 20, Rank: 0, Text: func(b book) string { return b.author }, Style: func(book) paint.Style { return paint.Style{} }},
			{Title: "Lent", Width: 6, Rank: 1, Text: func(b book) string { return strings.Repeat("yes", map[bool]int{true: 1}[b.isLent]) }},
		},
		Empty: func() string { return "The shelf is empty. Press n to buy a book." },
		Detail: func(b book) (string, string) {
			return b.author, "A book by " + b.author + " of the year " + fmt.Sprint(b.year) + "."
		},
		Actions: s.actions(),
	}
	l.Status = func(int) string {
		b, _ := l.Selected()
		return "selected: " + b.title
	}
	return l
}

// books returns n books.
func books(n int) (all []book) {
	for i := range n {
		all = append(all, book{title: fmt.Sprintf("Book %02d", i), author: fmt.Sprintf("Author %02d with a name", i), year: 1900 + i, isLent: i%3 == 2})
	}
	return all
}

// TestADeclaredList has only been declared, and has everything that lists have.
func TestADeclaredList(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, s := h.SignIn("ana", ""), &shelf{books: books(40)}
		d.Start(s.list().Push(d.Shell))
		d.WantText("Books  40 in all", "These books are on the shelf.", "Year  Title", "› 1900  Book 00", "A book by Author 00", "selected: Book 00",
			"Enter read  x give away  q back  n buy", ": more", "? help")
		d.WantNoText("bind", "mute")

		d.Press("down down")
		d.WantText("› 1902  Book 02")
		d.WantNoText("give away") // it is lent
		d.Press("x")
		d.WantNoText("Give Book")
		d.Press("k j up pgdown")
		d.WantText("› 1914  Book 14")
		d.Press("end")
		d.WantText("› 1939  Book 39")
		d.Press("home")
		d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		d.WantText("› 1901  Book 01")
		d.ClickOn("1903", 0)
		d.WantText("› 1903  Book 03")
		d.ClickOn("1903", 0) // a click on the selected row is Enter
		d.ClickOn("give away", 0)
		d.WantText("Give Book 03 away?", "y give away")
		d.Press("n")
		d.WantText("› 1903  Book 03")

		d.Press("n") // a new first row
		d.WantText("41 in all", "› 1903  Book 03")
		d.Press("x y")
		d.WantText("40 in all", "› 1904  Book 04") // the row in its place
		d.Press("b u enter")

		d.Press("?")
		if page := d.HelpText(); !containsAll(page, "What is on the shelf.", "read the selected book", "give the selected book away", "buy a book", "select a row", "back") || strings.Contains(page, "bind") || strings.Contains(page, "mute") || strings.Contains(page, "reload") {
			t.Errorf("the help page is\n%s", page)
		}
		d.Press("q :")
		d.TypeText("unblock")
		d.WantText("unblock", "x")
		d.Press("enter")
		d.WantText("Give Book 04 away?")
		d.Press("y :")
		d.TypeText("unblock bob")
		d.Press("enter") // with a name it is the operation
		d.WantText("You have not blocked a player named")
		d.Press("esc esc :") // an action that is no operation is in the palette too
		d.TypeText("read")
		d.WantText("read the selected book")
		d.Press("enter")

		s.books = nil
		d.WantText("0 in all", "The shelf is empty. Press n to buy a book.")
		d.WantNoText("Enter read", "give away", "A book by")
		d.Press("enter x down pgup end q")
		d.WantText("Open tables")
		if want := []string{"read Book 03", "bought", "gave Book 03", "read Book 04", "gave Book 04", "read Book 05"}; !slices.Equal(s.log, want) {
			t.Errorf("the actions were %q, want %q", s.log, want)
		}
	})
}

func containsAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
}

// TestListsInEveryWindow draws one in the smallest window and in a large one, without colours and as an overlay.
func TestListsInEveryWindow(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d, s := h.Visit(size), &shelf{books: books(60)}
			d.Start(s.list().Overlay(d.Shell))
			d.Press("down down down")
			d.Golden("list" + size.Suffix())
			d.Press("q")
			d.WantText("Open tables")
		})
	}
}

// TestAListLoadsItsRows loads them in pages and by tabs, and shows what goes wrong.
func TestAListLoadsItsRows(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, s := h.SignIn("ana", ""), &shelf{}
		var failure error
		wait := make(chan struct{})
		l := s.list()
		l.Rows, l.Note, l.Of = nil, "", "old"
		l.Tabs, l.TabLabel = func() []screen.Tab {
			return []screen.Tab{{Of: "old", Title: "Old books"}, {Of: "new", Title: "New books"}}
		}, "age"
		l.Load = func(_ context.Context, of string, after *book) (p screen.Page[book], err error) {
			<-wait
			all := books(25)
			if of == "new" {
				return screen.Page[book]{Empty: "Nothing is new."}, failure
			}
			if after != nil {
				all = all[slices.Index(all, *after)+1:]
			}
			return screen.Page[book]{Rows: all[:min(len(all), 10)], HasMore: len(all) > 10}, failure
		}
		d.Start(l.Push(d.Shell))
		d.WantText("Loading …", "[Old books] New books")
		failure = &errcode.Error{Code: errcode.Unavailable, Message: "the shelf is closed; try again"}
		close(wait)
		d.WantText("The shelf is closed; try again.")
		d.WantNoText("Loading")
		failure = nil
		d.Press("ctrl+r")
		d.WantText("› 1900  Book 00", "page 1")
		d.Press("end")
		d.WantText("› 1909  Book 09", "↓: next page. selected: Book 09")
		d.Press("down")
		d.WantText("› 1910  Book 10", "page 2", "↑: previous page.")
		d.Press("down ctrl+r")
		d.WantText("› 1911  Book 11", "page 2")
		d.Press("end j")
		d.WantText("› 1920  Book 20", "page 3")
		d.Press("end")
		d.WantNoText("next page")
		d.Press("home up")
		d.WantText("› 1919  Book 19", "page 2")

		failure = &errcode.Error{Code: errcode.RateLimited, Message: "too fast; wait a moment"}
		d.Press("right")
		d.WantText("Too fast; wait a moment.", "[Old books]", "› 1919  Book 19", "page 2")
		failure = nil
		d.Press("right")
		d.WantText("Old books [New books]", "Nothing is new.", "←→ age")
		d.WantNoText("Book 19", "page")
		d.Press("tab")
		d.WantText("[Old books]", "› 1900  Book 00", "page 1")
		d.ClickOn("New books", 0)
		d.WantText("[New books]", "Nothing is new.")
		d.ClickOn("Old books", 0)
		d.WantText("[Old books]", "› 1900  Book 00")
		d.Press("left left ?")
		if page := d.HelpText(); !containsAll(page, "another age", "another page", "reload") {
			t.Errorf("the help page is\n%s", page)
		}
	})
}

// TestOnlyTheLastLoadCounts switches to another tab while the first one is being read.
func TestOnlyTheLastLoadCounts(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, s := h.SignIn("ana", ""), &shelf{}
		wait := map[string]chan struct{}{"old": make(chan struct{}), "new": make(chan struct{})}
		l := s.list()
		l.Rows, l.Of, l.TabLabel = nil, "old", "age"
		l.Tabs = func() []screen.Tab { return []screen.Tab{{Of: "old", Title: "Old"}, {Of: "new", Title: "New"}} }
		l.Load = func(_ context.Context, of string, _ *book) (p screen.Page[book], err error) {
			<-wait[of]
			return screen.Page[book]{Rows: []book{{title: of}}}, nil
		}
		d.Start(l.Push(d.Shell))
		d.Press("right")
		close(wait["new"])
		d.WantText("› 0     new", "[New]")
		close(wait["old"])
		d.WantText("› 0     new", "[New]")
	})
}
