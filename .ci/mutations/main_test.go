package main

import (
	"strings"
	"testing"
	"time"
)

// TestOutcomes: what becomes of the mutants of a small package, each kind of which is there.
func TestOutcomes(t *testing.T) {
	t.Chdir("../..")
	hangTime = 3 * time.Second
	want := map[string]outcome{
		`(*Room).Enter < to <=: role < Player`:                                     unreached,
		`(*Room).Enter >= to >: len(r.members) >= r.Limit`:                         unreached,
		`(*Room).Enter dropped: r.members = append(r.members, role)`:               killed,
		`(*Room).Enter false: len(r.members) >= r.Limit`:                           unreached,
		`(*Room).Enter false: role < Player && !r.IsOpen`:                          unreached,
		`(*Room).Enter nil: ErrFull`:                                               implied,
		`(*Room).Enter nil: errors.New("not allowed")`:                             implied,
		`(*Room).Enter the role below: Player`:                                     survived,
		`(*Room).Enter true: !r.IsOpen`:                                            unreached,
		`(*Room).Enter true: len(r.members) >= r.Limit`:                            killed,
		`(*Room).Enter true: role < Player`:                                        killed,
		`(*Room).First dropped: i = (i + 1) % len(r.members)`:                      hanging,
		`(*Room).First false: r.members[i] != Owner`:                               killed,
		`(*Room).First the role below: Owner`:                                      killed,
		`Ended at that time as well: end.Before(now)`:                              survived,
		`Ended swapped: false`:                                                     killed,
		`Ended swapped: true`:                                                      implied,
		`Ended false: end.Before(now)`:                                             unreached,
		`Ended true: end.Before(now)`:                                              killed,
		`Untested min to max: min(a, b)`:                                           unreached,
		`query any ended < ?2: "DELETE FROM rooms WHERE ended < ?2 AND id = ?1"`:   killed,
		`query any id = ?1: "DELETE FROM rooms WHERE ended < ?2 AND id = ?1"`:      killed,
		`query ended < ?2 to <=: "DELETE FROM rooms WHERE ended < ?2 AND id = ?1"`: killed,
	}
	hangsIn := ""
	got := make(map[string]outcome)
	err := mutate(t.Context(), ".ci/mutations/testdata/example", 1, 1, 2, true, func(m *mutant, f outcome, _, _ int) {
		got[m.function+" "+m.change] = f
		hangsIn += m.hangsIn
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hangsIn, "Test") {
		t.Errorf("the mutant that hangs does so in the test %q", hangsIn)
	}
	for change, f := range got {
		if w, ok := want[change]; !ok {
			t.Errorf("%s is not expected: %d", change, f)
		} else if f != w {
			t.Errorf("%s: %d, want %d", change, f, w)
		}
	}
	for change := range want {
		if _, ok := got[change]; !ok {
			t.Errorf("%s is missing", change)
		}
	}
}

// TestAcceptedChanges: … in the file accepted stands for any text, and nothing else does.
func TestAcceptedChanges(t *testing.T) {
	for _, c := range []struct {
		accepted, key string
		want          bool
	}{
		{"a f true: x", "a f true: x", true}, {"a f true: x", "a f true: xy", false}, {"a f true: x", "a f", false},
		{"a f …", "a f true: x", true}, {"a f …: x", "a f false: x", true}, {"a f …: x", "a f false: y", false}, {"a … x", "b f true: x", false},
		{"a … nil: … #2", "a f nil: err #2", true}, {"a … nil: … #2", "a f nil: err", false}, {"a … nil: … #2", "a f true: err #2", false},
		{"a f true: xx…", "a f true: x", false}, {"a f x…x", "a f x", false},
	} {
		if got := matches(c.accepted, c.key); got != c.want {
			t.Errorf("%q and %q: %t", c.accepted, c.key, got)
		}
	}
}

// TestListedMutants: an output has the mutants that it prints, also where their lines have moved, and no others.
func TestListedMutants(t *testing.T) {
	a := &mutant{file: "lobby/a.go", first: 3, function: "(*A).F", change: "true: x", line: "if x {"}
	b := &mutant{file: "lobby/a.go", first: 9, function: "(*A).F", change: "true: x #2", line: "if x {"}
	c := &mutant{file: "lobby/a.go", first: 9, function: "(*A).F", change: "dropped: x()", line: "x()"}
	for _, listed := range []*mutant{a, b, c} {
		output := "survives: " + listed.String() + "\n"
		listed.first += 20
		for _, m := range []*mutant{a, b, c} {
			if got := m.isListed(output); got != (m == listed) {
				t.Errorf("%q has %v: %t", output, m, got)
			}
		}
	}
}
