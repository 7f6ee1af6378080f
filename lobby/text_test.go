package lobby

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzCleanText: the result for any text is one safe line.
func FuzzCleanText(f *testing.F) {
	for _, text := range []string{"", "hello", " a  b ", "\x1b]0;x\a", "\u202eabc\u200b", "z\u0301\u0302\u0303\u0304", "\u0301x",
		"a\u0085b\u2028c", "\xff\xc3(", "\U000e0041", "日本\ufeff", "\u0600", "a\u034f\u20e3"} {
		f.Add(text, 20)
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit &= 0xff
		got := CleanText(text, limit)
		if n := utf8.RuneCountInString(got); n > limit || !utf8.ValidString(got) {
			t.Fatalf("%q has %d characters of %d", got, n, limit)
		}
		marks := 0
		for i, r := range got {
			switch {
			case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc):
				if marks++; marks > maxCombining || i == 0 {
					t.Errorf("%q has too many marks", got)
				}
				continue
			case !unicode.IsGraphic(r), unicode.Is(unicode.Cf, r), unicode.IsSpace(r) && r != ' ':
				t.Errorf("%q has %U", got, r)
			}
			marks = 0
		}
		if strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("%q has spaces for nothing", got)
		}
		if again := CleanText(got, limit+1); again != got {
			t.Errorf("%q is cleaned to %q and then to %q", text, got, again)
		}
	})
}

// FuzzName: a valid name is safe to display and finds itself by its skeleton, and every hint leads to a
// valid name.
func FuzzName(f *testing.F) {
	for _, name := range []string{"ana", "Ana_2", "a", "admin1", "0ana", "a-b", "rnoderator", "guest", "vvx", "ana\x00", "ána", strings.Repeat("a", 17)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckName(name) == nil {
			if len(name) < 2 || len(name) > MaxName || CleanText(name, MaxName) != name || strings.ContainsAny(name, " :/*") {
				t.Errorf("%q is a name", name)
			}
			if look := Skeleton(name); Skeleton(strings.ToUpper(name)) != look || look == "" {
				t.Errorf("%q looks like %q", name, look)
			}
		}
		if made := nameLike(name); CheckName(made) != nil {
			t.Errorf("of %q the name %q was made", name, made)
		}
	})
}

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"0 turns": Plural(0, "turn"), "1 turn": Plural(1, "turn"), "2 turns": Plural(2, "turn"),
		"1 match": Plural(1, "match"), "3 matches": Plural(3, "match"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
