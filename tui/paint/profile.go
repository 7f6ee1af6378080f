package paint

import "strings"

// Colors is the number of colours of a terminal.
type Colors uint8

const (
	NoColor   Colors = iota // bold, faint, underline and reverse still work
	Colors16                // the ANSI colours
	Colors256               // the xterm palette
	TrueColor
)

// Profile describes what a terminal can show. It is comparable. The zero Profile is a terminal without
// colours that shows every character.
type Profile struct {
	Term    string // its name, as in $TERM
	Colors  Colors
	ASCII   bool // it shows only ASCII; lines, arrows and other characters are replaced by lookalikes
	Console bool // of symbols it shows only those of code page 437; others are replaced by lookalikes
	Sync    bool // it supports synchronized output (private mode 2026)
}

// Detect returns the profile of a terminal with this name and these environment variables: NO_COLOR,
// COLORTERM, TERM_PROGRAM, LC_ALL, LC_CTYPE and LANG, of which getenv returns the values. A terminal with an
// unknown name has 16 colours. Without a locale the character set is UTF-8.
func Detect(term string, getenv func(string) string) Profile {
	p := Profile{Term: term, Colors: detectColors(term, getenv), Console: isConsole(term)}
	p.Sync = hasAny(term, "ghostty", "kitty", "wezterm", "alacritty", "foot", "contour", "rio")
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			p.ASCII = !hasAny(v, "utf-8", "utf8")
			break
		}
	}
	return p
}

func detectColors(term string, getenv func(string) string) Colors {
	if getenv("NO_COLOR") != "" {
		return NoColor
	}
	switch getenv("COLORTERM") {
	case "truecolor", "24bit":
		return TrueColor
	}
	switch getenv("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "ghostty", "vscode", "kitty", "rio":
		return TrueColor
	case "Apple_Terminal":
		return Colors256
	}
	switch {
	case term == "dumb" || strings.HasPrefix(term, "vt") && !strings.HasPrefix(term, "vte"):
		return NoColor
	case hasAny(term, "direct", "truecolor", "ghostty", "kitty", "wezterm", "alacritty", "foot", "contour"):
		return TrueColor
	case strings.Contains(term, "256color"):
		return Colors256
	}
	return Colors16
}

// HasAnswered returns the profile of a terminal that has answered a query of its colours. The terminals that
// do have at least 256 colours, also those whose name does not say so, such as xterm and screen. Colours
// that are switched off stay off.
func (p Profile) HasAnswered() Profile {
	if p.Colors == Colors16 {
		p.Colors = Colors256
	}
	return p
}

// isConsole reports whether the name is of the Linux console. Its fonts have 256 or 512 characters, with few
// symbols beyond those of code page 437.
func isConsole(term string) bool { return term == "linux" || strings.HasPrefix(term, "linux-") }

func hasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// colorsErase reports whether erased cells get the background that is set, and not the default one. GNU screen
// (screen, screen.xterm-256color) uses the default one.
func (p Profile) colorsErase() bool {
	return !strings.HasPrefix(p.Term, "screen") && hasAny(p.Term, "xterm", "tmux", "kitty", "ghostty", "alacritty", "foot", "wezterm", "contour", "linux")
}

// hasStrings reports whether the terminal understands or ignores control strings, such as a title. Old
// terminals and consoles print them.
func (p Profile) hasStrings() bool {
	return p.Term != "" && !isConsole(p.Term) && p.Term != "dumb" && p.Term != "ansi" &&
		(!strings.HasPrefix(p.Term, "vt") || strings.HasPrefix(p.Term, "vte"))
}
