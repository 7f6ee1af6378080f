// Package requiretest ends tests that need something which is missing. Only tests import it.
//
// What a test may need besides Go has a name: a program ("ssh", "tmux", "haproxy"), "postgres", or a property of
// the machine ("root"; "loopback": all of 127.0.0.0/8 can be used;
// "namespaces": users can make them). Where it is missing the test is skipped, and fails
// if the environment variable AYUMU_REQUIRE lists the name, separated by commas. .ci/run lists all of them, so that it
// runs every test.
package requiretest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Missing ends a test that needs what is named and does not have it, for that reason: the test fails if
// AYUMU_REQUIRE lists the name, and is skipped otherwise. It must be called from the goroutine of the test. A new name
// must be added to AYUMU_REQUIRE in .ci/run.
func Missing(t testing.TB, name string, reason any) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("AYUMU_REQUIRE"), ","), name) {
		t.Fatalf("missing, but required by AYUMU_REQUIRE: %s: %v", name, reason)
	} else {
		t.Skipf("missing: %s: %v", name, reason)
	}
}

// Program returns the path of a program, or ends the test as Missing does where it is not installed.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name, err)
	}
	return path
}
