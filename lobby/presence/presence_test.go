package presence

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

func at(seconds int) time.Time {
	return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// TestAbsence: a user is present while they have a session on any live node, and otherwise absent since they were
// last on one.
func TestAbsence(t *testing.T) {
	here, alive := Row{Sessions: 1}, time.Time{}
	gone := func(seconds int, dropped bool) Row {
		return Row{Absence: Absence{Since: at(seconds), Dropped: dropped}}
	}
	died := func(node string, seconds int) func(string) time.Time {
		return func(name string) time.Time {
			if name == node {
				return at(seconds)
			}
			return time.Time{}
		}
	}
	for _, c := range []struct {
		name string
		do   func(*User)
		want Absence
	}{
		{"never seen", func(*User) {}, Absence{Since: at(9), Dropped: true, Excused: true}},
		{"left here", func(u *User) { u.MarkAbsent(Absence{Since: at(5), Dropped: false}) }, Absence{Since: at(5), Dropped: false}},
		{"elsewhere", func(u *User) { u.Follow("b", here, at(1), alive) }, Absence{}},
		{"left here, still elsewhere", func(u *User) { u.Follow("b", here, at(1), alive); u.MarkAbsent(Absence{Since: at(5), Dropped: false}) }, Absence{}},
		{"left both, here first", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.MarkAbsent(Absence{Since: at(5), Dropped: false})
			u.Follow("b", gone(8, true), at(9), alive)
		}, Absence{Since: at(8), Dropped: true}},
		{"left both, here last", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.MarkAbsent(Absence{Since: at(9), Dropped: false})
			u.Follow("b", gone(8, true), at(10), alive)
		}, Absence{Since: at(9), Dropped: false}},
		{"row deleted", func(u *User) { u.Follow("b", here, at(1), alive); u.Follow("b", Row{}, at(7), alive) }, Absence{Since: at(7), Dropped: true, NodeDied: true, Excused: true}},
		{"row of another node deleted", func(u *User) {
			u.MarkAbsent(Absence{Since: at(5), Dropped: false})
			u.Follow("b", Row{}, at(7), alive)
		}, Absence{Since: at(5), Dropped: false}},
		{"node died", func(u *User) { u.Follow("b", here, at(1), alive); u.SetNodes(died("b", 3)) }, Absence{Since: at(3), Dropped: true, NodeDied: true, Excused: true}},
		{"row of a dead node", func(u *User) { u.Follow("b", here, at(1), at(3)) }, Absence{Since: at(3), Dropped: true, NodeDied: true, Excused: true}},
		{"node died after its last heartbeat", func(u *User) {
			u.MarkAbsent(Absence{Since: at(4), Dropped: false})
			u.Follow("b", here, at(5), at(3))
		}, Absence{Since: at(5), Dropped: true, NodeDied: true, Excused: true}},
		{"node died before leaving here, as far as is known", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.MarkAbsent(Absence{Since: at(4), Dropped: false})
			u.SetNodes(died("b", 3))
		}, Absence{Since: at(4), Dropped: true, NodeDied: true, Excused: true}},
		{"other node died", func(u *User) { u.Follow("b", here, at(1), alive); u.SetNodes(died("c", 3)) }, Absence{}},
		{"one of two died", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.Follow("c", here, at(1), alive)
			u.SetNodes(died("c", 3))
		}, Absence{}},
		{"node died after leaving here", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.MarkAbsent(Absence{Since: at(2), Dropped: false})
			u.SetNodes(died("b", 3))
		}, Absence{Since: at(3), Dropped: true, NodeDied: true, Excused: true}},
		{"node came back", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.SetNodes(died("b", 3))
			u.SetNodes(died("", 0))
		}, Absence{}},
		{"dead node started again", func(u *User) {
			u.Follow("b", here, at(1), alive)
			u.SetNodes(died("b", 3))
			u.Follow("b", Row{}, at(20), alive)
		}, Absence{Since: at(3), Dropped: true, NodeDied: true, Excused: true}},
	} {
		u := NewUser(at(9))
		c.do(&u)
		if got := u.Absence(); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestElsewhere: sessions and origins on live nodes count; a dead node still has the user, and may come back.
func TestElsewhere(t *testing.T) {
	from := netip.MustParsePrefix("192.0.2.1/32")
	u := NewUser(at(0))
	if u.IsOnOtherNode() || u.Sessions() != 0 {
		t.Error("somewhere at first")
	}
	u.Follow("b", Row{Sessions: 2, ReturnDigest: "abc"}, at(1), time.Time{})
	u.Follow("c", Row{Sessions: 3, Origins: []netip.Prefix{from}}, at(1), time.Time{})
	if u.Sessions() != 5 || len(u.Origins()) != 1 || u.ReturnDigest() != "abc" {
		t.Errorf("%d sessions, origins %v, digest %q", u.Sessions(), u.Origins(), u.ReturnDigest())
	}
	if !u.SetNodes(func(string) time.Time { return at(5) }) || u.SetNodes(func(string) time.Time { return at(5) }) {
		t.Error("a change of the nodes is reported twice, or never")
	}
	if u.Sessions() != 0 || len(u.Origins()) != 0 || !u.IsOnOtherNode() {
		t.Errorf("%d sessions on dead nodes", u.Sessions())
	}
	u.Follow("b", Row{}, at(6), time.Time{})
	u.Follow("c", Row{}, at(6), time.Time{})
	if u.IsOnOtherNode() {
		t.Error("elsewhere after the rows were deleted")
	}
}

// TestAccountChanged: the account has to be read with a user's first row, after each change, and when the row goes,
// because the last change may be missing.
func TestAccountChanged(t *testing.T) {
	u := NewUser(at(0))
	for i, c := range []struct {
		row  Row
		want bool
	}{
		{Row{Sessions: 1}, true}, {Row{Sessions: 1}, false}, {Row{Sessions: 2}, false}, {Row{Sessions: 2, Changes: 1}, true},
		{Row{Sessions: 2, Changes: 1}, false}, {Row{Absence: Absence{Since: at(3)}}, true}, {Row{}, false},
	} {
		if got := u.Follow("b", c.row, at(i), time.Time{}); got != c.want {
			t.Errorf("row %d: %v", i, got)
		}
	}
}

func TestCounted(t *testing.T) {
	for _, c := range []struct{ since, inTouch, want int }{{5, 3, 5}, {3, 5, 5}} {
		a := Absence{Since: at(c.since), Dropped: true}.NotBefore(at(c.inTouch))
		if a != (Absence{Since: at(c.want), Dropped: true}) {
			t.Errorf("absent since %d, in touch since %d: %v", c.since, c.inTouch, a)
		}
	}
	if a := (Absence{}).NotBefore(at(5)); !a.IsPresent() {
		t.Error("a present user is absent")
	}
}

func TestRow(t *testing.T) {
	for _, r := range []Row{
		{}, {Name: "guest-x", ReturnDigest: "abc", Sessions: 3, Changes: 2},
		{Absence: Absence{Since: at(3), Dropped: true}, Name: "bob", Bot: true, Origins: []netip.Prefix{netip.MustParsePrefix("2001:db8::/64")}},
	} {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got Row
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("%+v is read as %+v, %v", r, got, err)
		}
	}
}

func TestDistinct(t *testing.T) {
	var all []netip.Prefix
	for i := range 3 * MaxOrigins {
		all = append(all, netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i / 2)}), 32))
	}
	if got := Distinct(all); len(got) != MaxOrigins || got[0] == got[1] {
		t.Errorf("%d origins: %v", len(got), got)
	}
	if len(Distinct(nil)) != 0 {
		t.Error("origins out of nothing")
	}
}
