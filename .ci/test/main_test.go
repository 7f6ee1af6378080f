package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary be the program where TestRepeats runs it.
func TestMain(m *testing.M) {
	if os.Getenv("CI_TEST_AS_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestRepeats runs the program on small modules.
func TestRepeats(t *testing.T) {
	// Of each module one test passes, and another has this body, in which once fails the first time.
	for _, c := range []struct {
		name, pkg, test, body string
		flags                 []string
		status                int
		has, hasNot           string // of the output
	}{
		{"a test that fails once", "lobby", "TestX", `once(t)`, nil, 0, "FLAKY: TestX of m/lobby", ""},
		{"a subtest that fails once", "lobby", "TestX", `t.Run("sub", func(t *testing.T) { once(t) })`, nil, 0, "FLAKY: TestX of m/lobby", "FLAKY: TestX/sub"},
		{"a test that always fails", "lobby", "TestX", `t.Error("always fails")`, nil, 1, "== repeats TestX", "FLAKY"},
		{"a test that passes", "lobby", "TestX", `t.Log("log of a test that passes")`, nil, 0, "ok  \tm/lobby", "log of"},
		{"a test that fails beside one that passes", "lobby", "TestX", `fmt.Println("output"); once(t)`, nil, 0, "output\n", "log of another"},
		{"a test that is skipped when it is repeated", "lobby", "TestX", `if t.Run("sub", once) { t.Skip() }`, nil, 1, "== repeats", "FLAKY"},
		{"a data race", "lobby", "TestX", `n := 0; done := make(chan bool); go func() { n++; close(done) }(); n++; <-done; once(t)`, []string{"-race"}, 1, "DATA RACE", "repeats"},
		{"a panic", "lobby", "TestX", `panic("x")`, nil, 1, "panic: x", "repeats"},
		{"a time-out", "lobby", "TestX", `once(t); time.Sleep(time.Hour)`, []string{"-timeout=100ms"}, 1, "panic: test timed out", "repeats"},
		{"goroutines that are left", "lobby", "TestX", `synctest.Test(t, func(t *testing.T) { once(t); go func() { select {} }() })`, nil, 1, "blocked goroutines remain", "repeats"},
		{"a test that ends the process", "lobby", "TestX", "once(t) }\nfunc TestY(t *testing.T) { os.Exit(1)", nil, 1, "FAIL\tm/lobby", "repeats"},
		{"a package that fails without a test", "lobby", "TestMain", `m.Run(); os.Exit(1)`, nil, 1, "FAIL\tm/lobby", "repeats"},
		{"another package that fails without a test", "lobby", "TestX", `once(t); os.Mkdir("../fails", 0o700)`, []string{"-p=1"}, 1, "FAIL\tm/z", "repeats"},
		{"a build that fails", "lobby", "TestX", `undefined()`, nil, 1, "undefined: undefined", "repeats"},
		{"a test that kills a process", "lobby", "TestNothingIsLostWhenKilled", `once(t)`, nil, 1, "fails once", "repeats"},
		{"a test of several nodes", "lobby", "TestThreeNodes", `once(t)`, nil, 1, "fails once", "repeats"},
		{"the simulation", "lobby/simulation", "TestX", `once(t)`, nil, 1, "fails once", "repeats"},
		{"a store", "lobby/store/sqlite", "TestX", `once(t)`, nil, 1, "fails once", "repeats"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, notes := t.TempDir(), filepath.Join(t.TempDir(), "notes")
			parameter := "t *testing.T"
			if c.test == "TestMain" {
				parameter = "m *testing.M"
			}
			text := `package x
				import ("fmt"; "os"; "testing"; "testing/synctest"; "time")
				var _, _, _, _ = fmt.Println, os.Exit, synctest.Wait, time.Sleep
				func isFirst(what string) bool { return os.Mkdir("DIR/" + what, 0o700) == nil }
				func once(t *testing.T) { if isFirst("run") { t.Error("fails once") } }
				func TestPasses(t *testing.T) { t.Log("log of another"); if !isFirst("other") { t.Error("runs again") } }
				func TEST(PARAMETER) { BODY }`
			text = strings.NewReplacer("DIR", dir, "TEST", c.test, "PARAMETER", parameter, "BODY", c.body).Replace(text)
			another := `package x; import ("os"; "testing")
				func TestMain(*testing.M) { if _, err := os.Stat("` + dir + `/fails"); err == nil { os.Exit(1) } }`
			for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", c.pkg + "/x_test.go": text, "z/x_test.go": another} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(os.Args[0], append(c.flags, "./...")...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=-vet=off", "GOWORK=off", "CI_NOTES="+notes, "CI_TEST_AS_MAIN=1")
			out, _ := cmd.CombinedOutput()
			if status := cmd.ProcessState.ExitCode(); status != c.status {
				t.Errorf("status %d, want %d:\n%s", status, c.status, out)
			}
			if !strings.Contains(string(out), c.has) || c.hasNot != "" && strings.Contains(string(out), c.hasNot) {
				t.Errorf("want %q and not %q:\n%s", c.has, c.hasNot, out)
			}
			if noted, _ := os.ReadFile(notes); strings.Count(string(noted), "FLAKY: ") != strings.Count(string(out), "FLAKY: ") {
				t.Errorf("noted are %q:\n%s", noted, out)
			}
		})
	}
}
