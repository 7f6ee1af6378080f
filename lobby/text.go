package lobby

import (
	"strconv"
	"strings"
)

// MaxChat is the maximum number of characters of a chat line.
const MaxChat = 200

// Plural returns n and a noun: "1 turn", "3 turns", "2 matches".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		noun += "e"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
