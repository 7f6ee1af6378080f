package account

import (
	"strings"
	"testing"

	"ayumu/lobby/sanitize"
)

// FuzzName: a valid name is safe to display and finds itself by its skeleton, and every hint leads to a
// valid name.
func FuzzName(f *testing.F) {
	for _, name := range []string{"ana", "Ana_2", "a", "admin1", "0ana", "a-b", "rnoderator", "guest", "vvx", "ana\x00", "ána", strings.Repeat("a", 17)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckName(name) == nil {
			if len(name) < 2 || len(name) > MaxName || sanitize.Line(name, MaxName) != name || strings.ContainsAny(name, " :/*") {
				t.Errorf("%q is a name", name)
			}
			if look := Skeleton(name); Skeleton(strings.ToUpper(name)) != look || look == "" {
				t.Errorf("%q looks like %q", name, look)
			}
		}
		if made := NameLike(name); CheckName(made) != nil {
			t.Errorf("of %q the name %q was made", name, made)
		}
	})
}
