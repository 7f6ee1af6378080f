package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxDistance is the largest distance of a misspelt name from the right one.
const maxDistance = 2

// nearest returns which of some names are at the least distance from a text, with "or" between them; "" if none is
// within maxDistance. Upper and lower case are the same.
func nearest(text string, names []string) string {
	var found []string
	least := maxDistance
	for _, name := range names {
		d := distance(strings.ToUpper(text), strings.ToUpper(name))
		if d < least {
			found, least = nil, d
		}
		if d == least && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return strings.Join(found, " or ")
}

// suggestion returns a question that names what is nearest, or "" if nothing is near.
func suggestion(text string, names []string) string {
	right := nearest(text, names)
	if right == "" {
		return ""
	}
	return "did you mean " + right + "? "
}

// distance returns how many bytes must be inserted, deleted, replaced or exchanged with the next one to make b of a.
func distance(a, b string) int {
	d := make([][]int, len(a)+1) // of the first i bytes of a from the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			replaced := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			d[i][j] = min(replaced, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// otherVariables are variables that are no settings: those of the tests and of releases, which people export for a whole shell. The
// names of others begin with AYUMU_TEST_.
var otherVariables = []string{
	"AYUMU_ALL_PUZZLES", "AYUMU_BENCH_SERVER", "AYUMU_HOSTILE", "AYUMU_NODES", "AYUMU_NOTIFY_KILLS", "AYUMU_NOTIFY_NODES", "AYUMU_NOTIFY_SLOW",
	"AYUMU_PICTURES", "AYUMU_REQUIRE", "AYUMU_SIGNING_KEY", "AYUMU_TOURNAMENTS",
}

// isOtherVariable reports whether a variable is none of ours: one of the tests, or one that Kubernetes and Docker's
// links set for a service that is called ayumu.
func isOtherVariable(name string) bool {
	return name == "AYUMU_PORT" || strings.HasPrefix(name, "AYUMU_PORT_") || strings.HasPrefix(name, "AYUMU_SERVICE_") ||
		strings.HasPrefix(name, "AYUMU_TEST_") || slices.Contains(otherVariables, name)
}

// CheckEnvironment looks for variables, in the form of os.Environ, that are meant for settings and have no effect. It
// returns an error that names those whose distance from the variable of a setting is at most maxDistance, in the prefix too:
// what such a one should have set, perhaps who may connect, would have its default. unknown has the other ones
// that begin with AYUMU_. Variables without a value do not count, like those of settings.
func CheckEnvironment(environ []string) (unknown []string, err error) {
	known := []string{FileEnv}
	for _, s := range Default().Settings() {
		known = append(known, s.Env())
	}
	var misspelt []string
	for _, one := range environ {
		name, value, _ := strings.Cut(one, "=")
		if value == "" || slices.Contains(known, name) || isOtherVariable(name) {
			continue
		}
		if right := nearest(name, known); right != "" {
			misspelt = append(misspelt, fmt.Sprintf("unknown variable %s; did you mean %s?", name, right))
		} else if strings.HasPrefix(name, "AYUMU_") {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	if len(misspelt) > 0 {
		slices.Sort(misspelt)
		err = errors.New(strings.Join(misspelt, "\n"))
	}
	return unknown, err
}
