package paint

import "strings"

// Colors is how many colours a terminal has.
type Colors uint8

const (
	NoColor   Colors = iota // bold, faint, underline and reverse still work
	Colors16                // the ANSI colours
	Colors256               // the xterm palette
	TrueColor
)

// Profile is what a terminal can do. It is comparable; the zero Profile is a plain terminal
// without colours that shows every character.
type Profile struct {
	Term   string // its name, as in $TERM
	Colors Colors
	ASCII  bool // show only ASCII; lines, arrows and the like are replaced by lookalikes
	Sync   bool // it takes synchronized output (private mode 2026)
}

// Detect returns the profile of a terminal of this name in whose environment getenv looks
// variables up. It looks at NO_COLOR, COLORTERM, TERM_PROGRAM, LC_ALL, LC_CTYPE and LANG. A
// terminal that it does not know has 16 colours; where nothing tells the character set it is UTF-8.
func Detect(term string, getenv func(string) string) Profile {
	p := Profile{Term: term, Colors: detectColors(term, getenv)}
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

func hasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// colorsErase reports whether what the terminal erases gets the background that is set, and not
// its own. GNU screen (screen, screen.xterm-256color) does not.
func (p Profile) colorsErase() bool {
	return !strings.HasPrefix(p.Term, "screen") && hasAny(p.Term, "xterm", "tmux", "kitty", "ghostty", "alacritty", "foot", "wezterm", "contour", "linux")
}

// hasStrings reports whether the terminal swallows a title that it does not know; old consoles
// print it.
func (p Profile) hasStrings() bool {
	return p.Term != "" && p.Term != "linux" && p.Term != "dumb" && p.Term != "ansi" &&
		(!strings.HasPrefix(p.Term, "vt") || strings.HasPrefix(p.Term, "vte"))
}
