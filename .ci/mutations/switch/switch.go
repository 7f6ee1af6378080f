// Package mutantswitch is copied into each mutated package, under that package's name: mutated code asks it for every
// value that a mutant changes. The environment variable AYUMU_TEST_MUTANT has the number of the mutant that is switched
// on. AYUMU_TEST_MUTANT_RECORD names a file to which the numbers of those are appended that would have made a
// difference: whose value would have been another one, or whose statement was run.
package mutantswitch

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

var (
	mutantOn     = mutantNumber()
	mutantRecord = mutantFile()
	mutantSeen   sync.Map // numbers in mutantRecord
)

func mutantNumber() int {
	n, _ := strconv.Atoi(os.Getenv("AYUMU_TEST_MUTANT"))
	return n // 0: none
}

func mutantFile() *os.File {
	name := os.Getenv("AYUMU_TEST_MUTANT_RECORD")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	return f
}

// mutantIs reports whether a mutant is on. It is called only where that makes a difference.
func mutantIs(id int) bool {
	if mutantRecord != nil {
		if _, seen := mutantSeen.LoadOrStore(id, true); !seen {
			fmt.Fprintln(mutantRecord, id)
		}
	}
	return id == mutantOn
}

func mutantFalse(id int, v bool) bool { return v && !mutantIs(id) }
func mutantTrue(id int, v bool) bool  { return v || mutantIs(id) }
func mutantNot(id int, v bool) bool   { return v != mutantIs(id) }
func mutantKeep(id int) bool          { return !mutantIs(id) }

func mutantNil(id int, err error) error {
	if err != nil && mutantIs(id) {
		return nil
	}
	return err
}

func mutantLess[T cmp.Ordered](id int, a, b T) bool         { return a < b || a == b && mutantIs(id) }
func mutantLessEqual[T cmp.Ordered](id int, a, b T) bool    { return a < b || a == b && !mutantIs(id) }
func mutantGreater[T cmp.Ordered](id int, a, b T) bool      { return a > b || a == b && mutantIs(id) }
func mutantGreaterEqual[T cmp.Ordered](id int, a, b T) bool { return a > b || a == b && !mutantIs(id) }
func mutantBefore(id int, a, b time.Time) bool              { return a.Before(b) || a.Equal(b) && mutantIs(id) }
func mutantAfter(id int, a, b time.Time) bool               { return a.After(b) || a.Equal(b) && mutantIs(id) }

func mutantMin[T cmp.Ordered](id int, a, b T) T {
	if a != b && mutantIs(id) {
		return max(a, b)
	}
	return min(a, b)
}

func mutantMax[T cmp.Ordered](id int, a, b T) T {
	if a != b && mutantIs(id) {
		return min(a, b)
	}
	return max(a, b)
}

func mutantBelow[T ~int](id int, v T) T {
	if mutantIs(id) {
		return v - 1
	}
	return v
}

func mutantText[T ~string](id int, v, other T) T {
	if mutantIs(id) {
		return other
	}
	return v
}
