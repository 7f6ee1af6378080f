// Test runs `go test` and prints a line for each package, and the output of what failed. Tests that failed are repeated
// once, each alone. If all of them pass then, the run passes and they are listed as FLAKY: their causes must be found
// next. The exit status is that of `go test`.
//
//	go run ./.ci/test [-FLAG[=VALUE]]... PACKAGE...
//
// Arguments that begin with "-" are flags of `go test`. The lines that begin with FLAKY are also appended to the file
// that the environment variable CI_NOTES names.
//
// Nothing is repeated if something failed that must not fail even once, or that says nothing about a single test: a data
// race, a panic, a time-out, goroutines that are left, a build, a package without a test that failed, a test that kills
// processes or has several nodes, a store, or the simulation.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// neverRepeated matches the package and the name of tests that are not repeated.
var neverRepeated = regexp.MustCompile(`/lobby/(simulation|store)[/ ]| Test\w*(Kill|Crash|Nodes)`)

// severe matches output of a package whose tests are not repeated. Goroutines that a bubble of synctest leaves are a
// panic.
var severe = regexp.MustCompile(`WARNING: DATA RACE|race detected during|^\s*(panic|fatal error|signal): |goroutines are left|\d+ goroutines, `)

// test is a top-level test of a package, or the package if it has no name.
type test struct{ pkg, name string }

// result is what a run of `go test` did.
type result struct {
	status     int // the exit status
	passed     map[test]bool
	failed     []test
	repeatable bool // whether all that failed is in failed and can be repeated
}

func main() {
	var flags, packages []string
	for _, arg := range os.Args[1:] {
		if strings.HasPrefix(arg, "-") {
			flags = append(flags, arg)
		} else {
			packages = append(packages, arg)
		}
	}
	status, err := runAndRepeat(flags, packages)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// runAndRepeat tests packages, repeats what failed and returns the exit status.
func runAndRepeat(flags, packages []string) (int, error) {
	first, err := goTest(flags, packages...)
	if err != nil {
		return 1, err
	} else if !first.repeatable {
		return first.status, nil
	}
	var notes strings.Builder
	for _, t := range first.failed {
		fmt.Printf("\n== repeats %s of %s, which failed\n", t.name, t.pkg)
		again, err := goTest(append(flags, "-run=^"+t.name+"$", "-count=1"), t.pkg)
		if err != nil || again.status != 0 || !again.passed[t] {
			return first.status, err
		}
		fmt.Fprintf(&notes, "FLAKY: %s of %s failed, and passed when it was repeated\n", t.name, t.pkg)
	}
	fmt.Print("\n", notes.String())
	if path := os.Getenv("CI_NOTES"); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = file.WriteString(notes.String())
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			return 1, err
		}
	}
	return 0, nil
}

// goTest runs `go test` and prints what it says about packages and failures.
func goTest(flags []string, packages ...string) (*result, error) {
	cmd := exec.Command("go", append(append([]string{"test", "-json"}, flags...), packages...)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	} else if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &result{passed: make(map[test]bool), repeatable: true}
	readErr := r.read(events)
	if err := cmd.Wait(); err != nil {
		r.status = max(cmd.ProcessState.ExitCode(), 1)
	}
	r.repeatable = r.repeatable && r.status != 0 && len(r.failed) > 0
	return r, readErr
}

// event is what `go test -json` prints about a package, a test or a build.
type event struct{ Action, Package, Test, Output string }

// read reads the events of `go test -json` until their end.
func (r *result) read(events io.Reader) error {
	all := make(map[string][]event) // by package, until it has ended
	for lines := json.NewDecoder(events); ; {
		var e event
		switch err := lines.Decode(&e); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("go test -json: %w", err)
		case e.Package == "": // a build
			fmt.Print(e.Output)
			continue
		}
		all[e.Package] = append(all[e.Package], e)
		if e.Test == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip") {
			r.add(all[e.Package], e.Action == "fail")
			delete(all, e.Package)
		}
	}
}

// add adds the events of a package, and prints its line and the output of the tests that did not pass.
func (r *result) add(events []event, fails bool) {
	passed := make(map[string]bool)
	open, failed := 0, 0 // tests that have not ended, as when one ends the process, and top-level tests that failed
	for _, e := range events {
		t := test{e.Package, e.Test}
		switch e.Action {
		case "run":
			open++
		case "pass", "skip", "fail":
			open--
		}
		switch top := e.Test != "" && !strings.Contains(e.Test, "/"); {
		case e.Action == "pass" || e.Action == "skip":
			passed[e.Test] = true
			r.passed[t] = e.Action == "pass"
		case e.Action == "fail" && top:
			failed++
			r.failed = append(r.failed, t)
			r.repeatable = r.repeatable && !neverRepeated.MatchString(t.pkg+" "+t.name)
		case e.Action == "output" && fails && severe.MatchString(e.Output):
			r.repeatable = false
		}
	}
	r.repeatable = r.repeatable && (!fails || failed > 0 && open < 0) // the package has ended too, without "run"
	for _, e := range events {
		isLine := strings.HasPrefix(e.Output, "ok  \t") || strings.HasPrefix(e.Output, "?   \t")
		if e.Test == "" && (fails || isLine) || e.Test != "" && !passed[e.Test] && !strings.HasPrefix(e.Output, "=== ") {
			fmt.Print(e.Output)
		}
	}
}
