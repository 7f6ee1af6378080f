package account

import (
	"errors"
	"strings"
	"testing"

	"ayumu/lobby/errcode"
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

// TestRootIsNobodysName: a program in a container connects as root.
func TestRootIsNobodysName(t *testing.T) {
	for _, name := range []string{"root", "Root", "r00t", "ro-ot"} {
		var why *errcode.Error
		if err := CheckName(name); !errors.As(err, &why) || why.Code != errcode.NotAllowed {
			t.Errorf("%s: %v", name, err)
		}
		if made := NameLike(name); made != "player" {
			t.Errorf("of %s the name %s was made", name, made)
		}
	}
	if err := CheckName("rooter"); err != nil {
		t.Error(err)
	}
}
