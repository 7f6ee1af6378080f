// Mutations lists changes of the code that guards promises which no test notices: a check that is dropped, an error that
// is not returned, a bound that is off by one. From the directory of the module:
//
//	go run ./.ci/mutations                            all packages of the table below
//	go run ./.ci/mutations lobby/notify lobby/table   these packages
//	go run ./.ci/mutations lobby/notify/webhook.go    one file
//	go run ./.ci/mutations -from 120 lobby            what is left after a run that was stopped
//	go run ./.ci/mutations -every 10 -own lobby       a sample, with the tests of the package alone
//	go run ./.ci/mutations -long lobby/notify         also with the tests that -short leaves out
//	go run ./.ci/mutations -again FILE lobby          those that a run whose output is in FILE has listed
//
// All mutants of a package are compiled at once, each behind a switch (package mutantswitch), so that one costs a run of tests and
// no compilation. A first run of each test finds to which mutants it could make a difference; only these tests are run
// with the mutant, with -short unless -long is given.
//
// It prints each survivor that the file accepted does not explain, and exits with 1 if there are any. Each line of that
// file is: package, function, change, " — " and the reason why no test has to notice it. … stands for any text, so that one
// line accepts several changes for one reason.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// guarding are the packages that are mutated by default, the quickest first. Tests of others, those that match, also test
// what a package promises. They are run when its own tests have not noticed a mutant.
var guarding = []struct {
	dir    string
	others []string
}{
	{"server/access", []string{"server", "cmd/ayumu:StatusSaysWhoMayConnect"}},
	{"tui/admin", []string{"server/command", "tui/screen/club", "tui/linemode:Moderation|Announcements", "server:Moderat|Member|Report|Role", "cmd/ayumu:Admin|Member|Report|Invit"}},
	{"engine/ayu/solve", []string{"engine/ayu/puzzle"}},
	{"lobby/notify", []string{"server/command:Notif", "tui/linemode:Notif", "cmd/ayumu:Notif"}},
	{"lobby/cluster/rows", []string{"lobby", "lobby/simulation"}},
	{"lobby/store", []string{"lobby/store/sqlite", "lobby/store/postgres", "lobby"}},
	{"lobby/store/sqlite", []string{"lobby"}},
	{"lobby/store/postgres", nil},
	{"server/sshd", []string{"server"}},
	{"lobby", []string{"lobby/simulation", "server", "tui/linemode"}},
}

const acceptedFile = ".ci/mutations/accepted"

// readAccepted returns the reasons of accepted mutants by their keys, in which … stands for any text.
func readAccepted() (map[string]string, error) {
	text, err := os.ReadFile(acceptedFile)
	if err != nil {
		return nil, err
	}
	reasons := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		at := strings.LastIndex(line, " — ")
		if at < 0 {
			return nil, fmt.Errorf("%s has no reason for %s", acceptedFile, line)
		}
		reasons[line[:at]] = line[at:]
	}
	return reasons, nil
}

// matches reports whether a key of the file accepted is that of a mutant.
func matches(accepted, key string) bool {
	parts := strings.Split(accepted, "…")
	key, ok := strings.CutPrefix(key, parts[0])
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return ok && strings.HasSuffix(key, p)
		}
		at := strings.Index(key, p)
		if at < 0 {
			return false
		}
		key = key[at+len(p):]
	}
	return ok && key == ""
}

// reasonOf returns the reason for which a mutant is accepted; "": it is not.
func reasonOf(reasons map[string]string, key string) string {
	for accepted, reason := range reasons {
		if matches(accepted, key) {
			return reason
		}
	}
	return ""
}

// key returns what the file accepted calls a mutant. It does not change with lines before the function.
func (m *mutant) key() string {
	return filepath.ToSlash(filepath.Dir(m.file)) + " " + m.function + " " + m.change
}

func main() {
	from := flag.Int("from", 1, "the number of the first mutant, in the first package")
	every := flag.Int("every", 1, "take only each n-th mutant")
	own := flag.Bool("own", false, "run no tests of other packages")
	flag.BoolVar(&long, "long", false, "run the tests without -short")
	listed := flag.String("again", "", "take only those that are listed in a `file` with the output of another run")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many run at a time")
	flag.Parse()
	list := flag.Args()
	if len(list) == 0 {
		for _, g := range guarding {
			list = append(list, g.dir)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	reasons, err := readAccepted()
	if err != nil {
		fail(err)
	}
	if *listed != "" {
		text, err := os.ReadFile(*listed)
		if err != nil {
			fail(err)
		}
		again = string(text)
	}
	isNew := false
	for i, path := range list {
		rest := strings.Join(list[i:], " ")
		began, shown, count, known, where := time.Now(), time.Now(), make(map[outcome]int), make(map[string]bool), ""
		err := mutate(ctx, path, *from, *every, *jobs, *own, func(m *mutant, f outcome, next, last int) {
			count[f]++
			known[m.key()] = true
			reason := reasonOf(reasons, m.key())
			switch {
			case f == hanging:
				fmt.Printf("hangs in %s: %v\n", cmp.Or(m.hangsIn, "a test that cannot be interrupted"), m)
			case f == killed && reasons[m.key()] != "":
				fmt.Printf("accepted, but killed: %v%s\n", m, reason)
			case f == survived && reason == "":
				fmt.Printf("survives: %v\n", m)
			case f == unreached && reason == "":
				fmt.Printf("unreached: %v\n", m)
			}
			isNew = isNew || reason == "" && (f == survived || f == unreached)
			where = fmt.Sprintf("at %d of %d mutants after %v; go on with: go run ./.ci/mutations -every %d -own=%t -long=%t -from %d %s",
				next, last, time.Since(began).Round(time.Second), *every, *own, long, next, rest)
			if time.Since(shown) > time.Minute {
				shown = time.Now()
				fmt.Fprintf(os.Stderr, "%s: %s\n", path, where)
			}
		})
		if err != nil {
			fail(fmt.Errorf("%s: %w %s", path, err, where))
		}
		fmt.Printf("%s: %d killed, %d hang, %d survive, %d unreached, in %v\n", path, count[killed], count[hanging], count[survived], count[unreached]+count[implied], time.Since(began).Round(time.Second))
		for key, reason := range reasons {
			isKnown := slices.ContainsFunc(slices.Collect(maps.Keys(known)), func(k string) bool { return matches(key, k) })
			if strings.HasPrefix(key, path+" ") && !isKnown && *from == 1 && *every == 1 && again == "" {
				fmt.Printf("accepted, but there is no such change: %s%s\n", key, reason)
			}
		}
		*from = 1
	}
	if isNew {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// again is the output of another run whose mutants are taken only; "": all are.
var again string

// mutate reports what tests make of the mutants of a package or a file: of each n-th from a number on. It calls report
// from one goroutine at a time, with the first number that has not been reported and the last one.
func mutate(ctx context.Context, path string, from, every, jobs int, own bool, report func(m *mutant, f outcome, next, last int)) error {
	dir, file := filepath.Clean(path), ""
	if strings.HasSuffix(path, ".go") {
		dir, file = filepath.Split(dir)
		dir = filepath.Clean(dir)
	}
	temp, err := os.MkdirTemp("", "mutations")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	s, err := load(dir, file)
	if err != nil {
		return err
	}
	packages := []string{dir}
	for _, g := range guarding {
		if g.dir == dir && !own {
			packages = append(packages, g.others...)
		}
	}
	binaries, err := compile(s, packages, temp)
	if err != nil {
		return err
	}
	for _, b := range binaries {
		fmt.Fprintf(os.Stderr, "%s: %d tests of %s are run once\n", path, len(b.tests), b.dir)
		if err := b.record(ctx, jobs); err != nil {
			return err
		}
	}
	var chosen []*mutant
	for _, m := range s.mutants {
		if m.id >= from && (m.id-from)%every == 0 && (again == "" || m.isListed(again)) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	var mu sync.Mutex
	done, low := make([]bool, len(chosen)+1), 0
	return each(jobs, len(chosen), func(i int) error {
		f, err := chosen[i].outcome(ctx, binaries)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done[i] = true
		for done[low] {
			low++
		}
		report(chosen[i], f, chosen[min(low, len(chosen)-1)].id, chosen[len(chosen)-1].id)
		return nil
	})
}
