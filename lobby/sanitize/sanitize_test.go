package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// blanks are characters that fonts show as nothing, beside white space, format and control characters.
const blanks = "\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\U0001d159\U000e0000\U000e0020\U000e0fff"

// TestBlankTextIsEmpty: no text is blank and yet not empty.
func TestBlankTextIsEmpty(t *testing.T) {
	space := " \t\n\u00a0\u1680\u2000\u2003\u2007\u200a\u2028\u202f\u205f\u3000"
	format := "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u202e\u2060\u2064\u206f\ufeff\U0001bca0\U0001d173\U000e0001\U000e007f"
	marks := "\u180b\ufe00\ufe0f\U000e0100\U00016fe4"
	for _, r := range blanks + space + format + marks {
		for _, text := range []string{string(r), " " + string(r) + string(r), "\u3164" + string(r) + "\u2800"} {
			if got := Line(text, 20); got != "" {
				t.Errorf("Line(%q) = %q", text, got)
			}
		}
	}
	if got := Line("a\u3164b\u2800c", 20); got != "ab c" {
		t.Errorf("got %q", got)
	}
}

// FuzzLine: the result for any text is one safe line.
func FuzzLine(f *testing.F) {
	for _, text := range []string{"", "hello", " a  b ", "\x1b]0;x\a", "\u202eabc\u200b", "z\u0301\u0302\u0303\u0304", "\u0301x",
		"a\u0085b\u2028c", "\xff\xc3(", "\U000e0041", "日本\ufeff", "\u0600", "a\u034f\u20e3",
		"\u3164", "\u2800x"} {
		f.Add(text, 20)
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit &= 0xff
		got := Line(text, limit)
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
			case !unicode.IsGraphic(r), unicode.Is(unicode.Cf, r), strings.ContainsRune(blanks, r), unicode.IsSpace(r) && r != ' ':
				t.Errorf("%q has %U", got, r)
			}
			marks = 0
		}
		if strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("%q has spaces for nothing", got)
		}
		if again := Line(got, limit+1); again != got {
			t.Errorf("%q is cleaned to %q and then to %q", text, got, again)
		}
	})
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"OpenSSH_9.2p1 Debian-2":       "OpenSSH_9.2p1 Debian-2",
		"müßig 日本":                     "müßig 日本",
		"a\x00b\tc\r\nd\x1b[2Je\x7f":   "abcd[2Je",
		"a\u0085b\u009bc":              "abc",
		"a\u202eb\u2066c\u200bd\ufeff": "abcd",
		"z\u0301\u0302\u0303":          "z",
		"\xffa\xc3":                    "a",
		"a\u00a0b\u2028c":              "abc",
		"\ufffd":                       "\ufffd",
		strings.Repeat("é", 50):        strings.Repeat("é", 32),
	} {
		if got := Printable(in, 32); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"", "SSH-2.0-x", "\x1b]0;\a", "\u202e", "\xff", "é\u0301"} {
		f.Add(s, 8)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Printable(s, limit)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > limit && got != "" {
			t.Errorf("Printable(%q, %d) = %q", s, limit, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsMark(r) {
				t.Errorf("Printable(%q, %d) has %U", s, limit, r)
			}
		}
		if again := Printable(got, limit); again != got {
			t.Errorf("Printable(%q) = %q", got, again)
		}
	})
}

func TestWithoutControls(t *testing.T) {
	for in, want := range map[string]string{"a\tb\x00\x7f\u0085c\r\n": "a bc", "é\xff": "é\ufffd", "": ""} {
		if got := WithoutControls(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestHasControl(t *testing.T) {
	for in, want := range map[string]bool{"": false, "a b é日\u202e\ufeff😀": false, "a\x00": true, "\t": true, "\x7f": true, "\u0085": true, "\xff": true, "\xed\xa0\x80": true} {
		if got := HasControl(in); got != want {
			t.Errorf("HasControl(%q) = %v", in, got)
		}
	}
}
