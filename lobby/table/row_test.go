package table_test

import (
	"encoding/json"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
)

// reread returns a state that was stored and read again.
func reread(t *testing.T, s table.State) table.State {
	t.Helper()
	again, err := table.Decode(s.ID, table.Encode(&s), enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	return *again
}

// TestMatchesKeepTerms: what the terms of a table state is a term of its match and of a rematch.
func TestMatchesKeepTerms(t *testing.T) {
	terms := open(t, newUsers(), table.Proposal{}).Terms
	fill(t, reflect.ValueOf(&terms).Elem())
	again := table.TermsOf(terms.NewInfo(2))
	// These are used up when the match starts.
	terms.First, terms.Origin = "", netip.Prefix{}
	if !reflect.DeepEqual(again, terms) {
		t.Errorf("the match has the terms %+v, want %+v", again, terms)
	}
}

// fill sets all fields below v to something else than their zero value, except interfaces, which must be set.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		if origin, ok := v.Addr().Interface().(*netip.Prefix); ok {
			*origin = netip.MustParsePrefix("192.0.2.0/24")
			return
		}
		for _, f := range v.Fields() {
			fill(t, f)
		}
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	}
	if v.IsZero() {
		t.Fatalf("no value for a field of type %s", v.Type())
	}
}

// TestRowsKeepTerms, each of them.
func TestRowsKeepTerms(t *testing.T) {
	s := open(t, newUsers(), table.Proposal{})
	game := s.Game
	fill(t, reflect.ValueOf(&s.Terms).Elem())
	s.Game = game // by which the row is read
	if again := reread(t, s).Terms; !reflect.DeepEqual(again, s.Terms) {
		t.Errorf("the row has the terms %+v, want %+v", again, s.Terms)
	}
}

// TestRowsKeepEverything that a table of any kind has.
func TestRowsKeepEverything(t *testing.T) {
	u := newUsers()
	fraction := &clock.Control{Initial: 1500 * time.Millisecond, Increment: time.Millisecond}
	untimed := &clock.Control{}
	private := open(t, u, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3,"min":2}`), Private: true, Clock: days, Delay: 3})
	private.Origin = netip.MustParsePrefix("192.0.2.0/24")
	challenge, err := open(t, u, table.Proposal{Rated: &yes, Clock: fraction}).Challenge(u[ana], u[bob])
	if err != nil {
		t.Fatal(err)
	}
	first := open(t, u, table.Proposal{First: table.FirstOpponent})
	any3 := openBy(t, u, bob, table.Proposal{Game: any, Quick: true})
	quick := openBy(t, u, cyn, table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5}`), Clock: untimed, Rated: new(bool), Quick: true})
	joined := must(t)(private.Join(u[bob], private.Code, u.get, rules)).Next
	pair, ok := any3.Pair([]*table.State{&quick}, u.get, rules, opened)
	if !ok {
		t.Fatal("not paired")
	}
	for what, s := range map[string]table.State{
		"private": private, "challenge": challenge, "first": first, "any": any3, "quick": quick, "joined": joined,
		"ready": must(t)(joined.MarkReady(bob)).Next, "starting": pair[1].Next, "closed": pair[0].Next,
		"declined": must(t)(challenge.Decline(bob)).Next, "separated": joined.Separate(ana, bob).Next,
	} {
		again := reread(t, s)
		if s.IsStarting() {
			for i, c := range s.StartFailed() {
				if back := again.StartFailed()[i].Next; !reflect.DeepEqual(c.Next, back) {
					t.Errorf("%s returns to %+v, not to %+v", what, back, c.Next)
				}
			}
			if s.Version != again.Version || !reflect.DeepEqual(s.Seating, again.Seating) || !reflect.DeepEqual(s.Terms, again.Terms) {
				t.Errorf("%s: %+v was read as %+v", what, s, again)
			}
			continue
		}
		if !s.Request.Quick {
			s.Request = table.Proposal{} // is not needed any more
		}
		if !reflect.DeepEqual(s, again) {
			t.Errorf("%s:\n%+v was read as\n%+v", what, s, again)
		}
	}
	// A quick match without a clock is not one with any.
	if again := reread(t, quick); again.Request.Clock == nil || !again.Request.Clock.IsUntimed() {
		t.Errorf("the clock that was asked for is %v", again.Request.Clock)
	}
	if _, err := table.Decode("x", []byte(`{"game":"chess","seated":[1]}`), enginetest.Games); err == nil {
		t.Error("a table of an unknown game was read")
	}
	if _, err := table.Decode("x", []byte(`{"game":"ayu"}`), enginetest.Games); err == nil {
		t.Error("a table without an owner was read")
	}
}

// TestStoredTables: the stored form of tables stays as it is, since those of correspondence games outlive the program.
func TestStoredTables(t *testing.T) {
	u := newUsers()
	private := open(t, u, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3,"min":2}`), Private: true, Clock: days, Delay: 3})
	private.Origin = netip.MustParsePrefix("192.0.2.0/24")
	challenge, err := open(t, u, table.Proposal{Clock: days, First: table.FirstOpponent}).Challenge(u[ana], u[bob])
	if err != nil {
		t.Fatal(err)
	}
	joined := must(t)(private.Join(u[bob], private.Code, u.get, rules)).Next
	any3 := openBy(t, u, bob, table.Proposal{Game: any, Quick: true})
	quick := openBy(t, u, cyn, table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5}`), Clock: &clock.Control{}, Rated: new(bool), Quick: true})
	pair, ok := any3.Pair([]*table.State{&quick}, u.get, rules, opened)
	if !ok {
		t.Fatal("not paired")
	}
	golden, err := os.ReadFile("testdata/rows.golden")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(golden)) {
		what, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		s := map[string]table.State{
			"private": private, "challenge": challenge, "joined": joined, "ready": must(t)(joined.MarkReady(bob)).Next,
			"quick": quick, "starting": pair[1].Next, "closed": pair[0].Next, "declined": must(t)(challenge.Decline(bob)).Next,
		}[what]
		if got := table.Encode(&s); string(got) != want {
			t.Errorf("%s is stored as\n%s, want\n%s", what, got, want)
		}
		again, err := table.Decode(s.ID, []byte(want), enginetest.Games)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if got := table.Encode(again); string(got) != want {
			t.Errorf("%s was read and is stored as\n%s, want\n%s", what, got, want)
		}
	}
}

// TestLeaveForMatch: users whose match starts leave live tables, also those whose own match is being recorded.
func TestLeaveForMatch(t *testing.T) {
	u := newUsers()
	quick := openBy(t, u, ana, table.Proposal{Quick: true})
	other := openBy(t, u, bob, table.Proposal{Quick: true})
	pair, ok := quick.Pair([]*table.State{&other}, u.get, rules, opened)
	if !ok {
		t.Fatal("not paired")
	}
	for _, c := range []struct {
		users        []account.ID
		other, quick bool // is open
	}{
		{[]account.ID{ana}, true, false},
		{[]account.ID{bob}, false, true},
		{[]account.ID{ana, bob}, false, false},
	} {
		all := reread(t, pair[1].Next).LeaveForMatch(c.users)
		if len(all) != 2 || all[0].Next.IsOpen() != c.other || all[1].Next.IsOpen() != c.quick {
			t.Errorf("%v: %+v", c.users, all)
			continue
		}
		for i, before := range [...]int64{pair[1].Next.Version, pair[0].Next.Version} {
			if v := all[i].Next.Version; v != before+1 {
				t.Errorf("%v: version %d follows %d", c.users, v, before)
			}
			if all[i].Next.IsSeated(c.users[0]) && all[i].Next.IsOpen() {
				t.Errorf("%v: seated at %+v", c.users, all[i].Next)
			}
		}
	}
	if all := pair[1].Next.LeaveForMatch([]account.ID{cyn}); len(all) != 0 {
		t.Errorf("another's match: %+v", all)
	}
	if all := pair[0].Next.LeaveForMatch([]account.ID{ana}); len(all) != 0 {
		t.Errorf("a closed table: %+v", all)
	}
	three := open(t, u, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":4}`)})
	three = must(t)(must(t)(three.Join(u[bob], "", u.get, rules)).Next.Join(u[cyn], "", u.get, rules)).Next
	if all := three.LeaveForMatch([]account.ID{bob, cyn}); len(all) != 1 || len(all[0].Next.Seated) != 1 || all[0].Next.Version != three.Version+1 {
		t.Errorf("two leave: %+v", all)
	}
}

// TestSet takes newer states only, and keeps closed tables for a while.
func TestSet(t *testing.T) {
	u := newUsers()
	var set table.Set
	s := open(t, u, table.Proposal{Clock: days})
	s.Version = 0
	set.AddOpening(s)
	if all, byOwner, _ := set.Count(ana, netip.Prefix{}); all != 1 || byOwner != 1 || len(set.Open()) != 0 || set.Version(s.ID) != 0 {
		t.Error("a table that is being opened does not count, or is open")
	}
	now := opened
	v1 := s.FirstState()
	if before, isNewer := set.Replace(v1, now); !isNewer || before == nil || before.Version != 0 {
		t.Errorf("opened: %+v, %v", before, isNewer)
	}
	joined := must(t)(v1.Join(u[bob], "", u.get, rules)).Next
	if before, isNewer := set.Replace(joined, now); !isNewer || before.Version != 1 {
		t.Errorf("joined: %+v, %v", before, isNewer)
	}
	if _, isNewer := set.Replace(v1, now); isNewer || set.Get(s.ID).Version != 2 {
		t.Error("an older state was taken")
	}
	if got := set.Stale(now.Add(table.StartLimit)); len(got) != 0 {
		t.Errorf("stale already: %+v", got)
	}
	if got := set.Stale(now.Add(table.StartLimit + 1)); len(got) != 1 {
		t.Errorf("stale: %+v", got)
	}
	set.Replace(joined.Started().Next, now)
	if _, isNewer := set.Replace(joined, now); isNewer || set.Get(s.ID) != nil || set.Version(s.ID) != 3 || set.Involves(ana) {
		t.Error("a closed table came back")
	}
	if got := set.Deletions(now.Add(table.KeepClosed), 5); len(got) != 0 {
		t.Errorf("deleted already: %+v", got)
	}
	got := set.Deletions(now.Add(table.KeepClosed+1), 5)
	if len(got) != 1 || got[0].ID != s.ID || got[0].Replaces != 3 || got[0].Value != nil {
		t.Errorf("deletions: %+v", got)
	}
	if set.Forget(s.ID); set.Version(s.ID) != 0 {
		t.Error("a forgotten table is known")
	}
}
