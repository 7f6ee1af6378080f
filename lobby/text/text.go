// Package text forms counts and lists of words, for the texts of all packages.
package text

import (
	"strconv"
	"strings"
)

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

// List joins the elements of a list: "ana", "ana and bob", "ana, bob and carol".
func List(all []string) string {
	n := len(all) - 1
	if n < 1 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:n], ", ") + " and " + all[n]
}
