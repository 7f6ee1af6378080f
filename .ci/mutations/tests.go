package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A binary is the program of a package's tests, in which all mutants are.
type binary struct {
	dir, file string
	tests     []*test
}

// A test is one of a binary.
type test struct {
	name string
	took time.Duration
	// mutants are the numbers of those that make a difference in it.
	mutants map[int]bool
}

func goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// compile makes the binaries of packages in a directory, with the files of a mutated package.
func compile(s *source, packages []string, temp string) ([]*binary, error) {
	replace := make(map[string]string)
	for path, text := range s.rewritten() {
		from, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		replace[from] = filepath.Join(temp, filepath.Base(path))
		if err := os.WriteFile(replace[from], []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlayFile := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return nil, err
	}
	var all []*binary
	for i, p := range packages {
		dir, names, _ := strings.Cut(p, ":")
		b := &binary{dir: dir, file: filepath.Join(temp, fmt.Sprintf("%d.test", i))}
		if _, err := goCommand("test", "-c", "-overlay="+overlayFile, "-o="+b.file, "./"+dir); err != nil {
			return nil, err
		}
		if _, err := os.Stat(b.file); err != nil {
			continue // no tests
		}
		list := exec.Command(b.file, "-test.list", cmp.Or(names, "."))
		list.Dir = dir
		out, err := list.Output()
		if err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(string(out)) {
			if !strings.HasPrefix(name, "Benchmark") {
				b.tests = append(b.tests, &test{name: name})
			}
		}
		all = append(all, b)
	}
	return all, nil
}

// hangTime is how much longer than before a test may take until it hangs. Few mutants hang, and other programs may keep
// the processors busy.
var hangTime = 20 * time.Second

// long is whether the tests are run without -short.
var long bool

// A hangError means that the time was up.
type hangError struct {
	test string // that was running; "": the binary did not end by itself
}

func (e *hangError) Error() string {
	return "hangs in " + cmp.Or(e.test, "a test that cannot be interrupted")
}

// hangs matches what a test binary prints when its time is up.
var hangs = regexp.MustCompile(`(?s)panic: test timed out after .*?running tests:\s+(\S+)`)

// run runs tests of a binary, until one fails or the time is up, with a variable of the environment.
func (b *binary) run(ctx context.Context, tests []*test, limit time.Duration, env string) ([]byte, error) {
	var names []string
	for _, t := range tests {
		names = append(names, regexp.QuoteMeta(t.name))
	}
	limited, cancel := context.WithTimeout(ctx, limit+10*time.Second) // to print what hangs
	defer cancel()
	// A mutant that allocates forever must not take the machine's memory.
	cmd := exec.CommandContext(limited, "sh", "-c", `ulimit -v 6000000; exec "$0" "$@"`, b.file,
		fmt.Sprintf("-test.short=%t", !long), "-test.failfast", "-test.timeout", limit.String(), "-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second // for what has left the group
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = &hangError{}
	case err != nil:
		if found := hangs.FindSubmatch(out); found != nil {
			err = &hangError{string(found[1])}
		}
	}
	return out, err
}

// record finds how long each test takes and which mutants make a difference in it. Tests that fail are left out.
func (b *binary) record(ctx context.Context, jobs int) error {
	passed := make([]bool, len(b.tests))
	err := each(jobs, len(b.tests), func(i int) error {
		t := b.tests[i]
		file := fmt.Sprintf("%s.%d", b.file, i)
		began := time.Now()
		out, err := b.run(ctx, b.tests[i:i+1], 10*time.Minute, "AYUMU_TEST_MUTANT_RECORD="+file)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if t.took = time.Since(began); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %s is left out, it fails without a mutant: %v\n%s", b.dir, t.name, err, out)
			return nil
		}
		passed[i] = true
		t.mutants = make(map[int]bool)
		numbers, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		for lines := bufio.NewScanner(bytes.NewReader(numbers)); lines.Scan(); {
			id, err := strconv.Atoi(lines.Text())
			if err != nil {
				return err
			}
			t.mutants[id] = true
		}
		return err
	})
	var tests []*test
	for i, t := range b.tests {
		if passed[i] && len(t.mutants) > 0 {
			tests = append(tests, t)
		}
	}
	b.tests = tests
	slices.SortFunc(b.tests, func(a, b *test) int { return int(a.took - b.took) })
	return err
}

// each calls do with the numbers below n, in order, with so many calls at a time. It returns the first error.
func each(jobs, n int, do func(int) error) error {
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		next  int
		first error
	)
	for range jobs {
		wait.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				stop := i >= n || first != nil
				mu.Unlock()
				if stop {
					return
				}
				if err := do(i); err != nil {
					mu.Lock()
					first = errors.Join(first, err)
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return first
}

// An outcome is what tests make of a mutant.
type outcome int

const (
	killed outcome = iota
	hanging
	survived  // tests that it makes a difference to pass
	unreached // it makes no difference to any test
	implied   // as unreached, and so is its check
)

// outcome runs the tests to which a mutant makes a difference: first the quickest, which notice most mutants, then
// more and more of the others, so that one that hangs is noticed early.
func (m *mutant) outcome(ctx context.Context, binaries []*binary) (outcome, error) {
	found := unreached
	if m.check != nil && !m.check.isReached(binaries) {
		found = implied
	}
	for _, b := range binaries {
		var tests []*test
		for _, t := range b.tests {
			if t.mutants[m.id] {
				tests = append(tests, t)
			}
		}
		for share := time.Second; len(tests) > 0; share *= 4 {
			var took time.Duration
			n := 0
			for n < len(tests) && (n == 0 || took < share) {
				took += tests[n].took
				n++
			}
			_, err := b.run(ctx, tests[:n], hangTime+3*took, fmt.Sprintf("AYUMU_TEST_MUTANT=%d", m.id))
			var exit *exec.ExitError
			var hang *hangError
			switch {
			case errors.As(err, &hang):
				m.hangsIn = hang.test
				return hanging, nil
			case errors.As(err, &exit):
				return killed, nil
			case err != nil:
				return killed, err
			}
			found, tests = survived, tests[n:]
		}
	}
	return found, nil
}

func (m *mutant) isReached(binaries []*binary) bool {
	return slices.ContainsFunc(binaries, func(b *binary) bool {
		return slices.ContainsFunc(b.tests, func(t *test) bool { return t.mutants[m.id] })
	})
}
