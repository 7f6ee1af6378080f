package lists

import "testing"

// rows returns rows with the given ids; "" is a title.
func rows(ids ...string) (all []Row) {
	for _, id := range ids {
		if id == "" {
			all = append(all, Row{Section: "title"})
		} else {
			all = append(all, Row{Key: RowKey{"match", id}})
		}
	}
	return all
}

func TestCursorStaysOnItsRow(t *testing.T) {
	var c Cursor
	want := func(id string) {
		t.Helper()
		if r, ok := c.Selected(); ok != (id != "") || r.Key.id != id {
			t.Errorf("%q is selected, not %q", r.Key.id, id)
		}
	}
	want("")
	c.Update(rows("", "a", "b", "", "c"))
	want("a")
	c.Move(2)
	want("c") // titles are skipped
	c.Move(5)
	want("c")
	c.Update(rows("", "c", "", "a"))
	want("c")
	c.Update(rows("", "x", "", "y"))
	want("x") // at the same place
	c.Move(-1)
	want("x")
	c.Update(rows("", ""))
	want("")
}

func TestCursorIsVisible(t *testing.T) {
	var c Cursor
	c.Update(rows("", "a", "b", "c", "d", "", "e"))
	c.Scroll(1, 3)
	if c.Top != 0 {
		t.Errorf("the title is at row %d", -c.Top)
	}
	c.Move(100)
	c.Scroll(1, 3)
	if c.Top != 4 {
		t.Errorf("row %d is the first that is shown", c.Top)
	}
	if again, ok := c.Click(3); !again || !ok {
		t.Error("a click does not find the selected row")
	}
	if again, ok := c.Click(1); again || !ok || c.Index() != 4 {
		t.Errorf("a click selects row %d", c.Index())
	}
	for _, y := range []int{0, 2, 4} { // above, a title, below
		if _, ok := c.Click(y); ok {
			t.Errorf("a click in row %d is on a match", y)
		}
	}
}
