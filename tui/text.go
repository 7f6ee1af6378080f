package tui

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ayumu/lobby"
	"ayumu/tui/paint"
)

// sentence gives a clause a capital letter and a full stop.
func sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	// A clause that begins with a point of a board keeps its small letter.
	if len(s) == n || !unicode.IsDigit(rune(s[n])) {
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "!") {
		s += "."
	}
	return s
}

// wrap breaks a text into lines of at most width columns, between words where that is possible.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for paint.Width(word) > width && width > 0 {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := clip(word, width)
			lines = append(lines, head)
			word = word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case paint.Width(line)+1+paint.Width(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// clip returns the longest beginning of s that fits into width columns, at least one character.
func clip(s string, width int) string {
	end := 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		if end > 0 && paint.Width(s[:next]) > width {
			break
		}
		end = next
	}
	return s[:end]
}

// ago says how long something is past, roughly: "now", "5 min", "3 h", "2 d".
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// seconds says how long something lasts, to the second where it is short: "12 s", "2 min".
func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return ago(d)
}

// clockText shows the time left on a clock: "9:58", "1:02:03", "2 d 4 h".
func clockText(left time.Duration) string {
	// A started second still counts, so that 0:00 is shown only when the time is up.
	s := int((left + time.Second - 1) / time.Second)
	switch {
	case s >= 24*3600:
		return fmt.Sprintf("%d d %d h", s/86400, s/3600%24)
	case s >= 3600:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// clockChange returns after how long clockText of a running clock will differ.
func clockChange(left time.Duration) time.Duration {
	step := time.Second
	if left >= 24*time.Hour {
		step = time.Hour
	}
	if d := left % step; d > 0 {
		return d
	}
	return step
}

// rated is a name with its rating: "ana 1512", or the name of a guest alone.
func rated(name string, r *lobby.Rating) string {
	if r == nil {
		return name
	}
	return fmt.Sprintf("%s %s", name, ratingText(*r))
}

// ratingText shows a rating; one that is far from certain gets a question mark.
func ratingText(r lobby.Rating) string {
	text := fmt.Sprintf("%.0f", r.Value)
	if r.Deviation > 110 {
		text += "?"
	}
	return text
}

// opponents names the others at a match: "bob".
func opponents(info *lobby.Info, me lobby.AccountID) string {
	var others []string
	for _, s := range info.Seats {
		if s.Account != me {
			others = append(others, s.Name)
		}
	}
	return strings.Join(others, ", ")
}

// versus names a game by one's opponents: "with bob".
func versus(info *lobby.Info, me lobby.AccountID) string { return "with " + opponents(info, me) }

// plural counts things: "1 turn", "3 turns".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
