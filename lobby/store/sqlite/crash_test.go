package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/match"
)

// crashFile is the file to which this program, started again by TestCrash, writes until it is killed.
const crashFile = "AYUMU_TEST_CRASH_FILE"

const (
	crashes      = 12
	crashMatches = 8
	crashTurns   = 4000 // more than a child can write before it dies
)

func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		if err := writeUntilKilled(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(upgradeFile); path != "" {
		fmt.Fprintln(os.Stderr, upgradeUntilKilled(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// crashEntry returns the entry that the test writes as a version of a match; it need not be a legal turn.
func crashEntry(number, version int) match.Entry {
	return match.Entry{
		Kind: match.EntryTurn, Seat: version % 2, At: time.Unix(0, int64(version)).UTC(),
		Actions: []string{fmt.Sprintf("m%d v%d", number, version)}, Digest: "00ff",
	}
}

// writeUntilKilled appends to all logs concurrently and prints what the store has acknowledged.
func writeUntilKilled(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, enginetest.Games)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var writers sync.WaitGroup
	failed := make(chan error, crashMatches)
	for m := range crashMatches {
		_, entries, err := s.Match(ctx, fmt.Sprint("m", m))
		if err != nil {
			return err
		}
		writers.Go(func() {
			for v := len(entries) + 1; v <= crashTurns; v++ {
				if err := s.Append(ctx, fmt.Sprint("m", m), after(v-1), crashEntry(m, v)); err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Println(m, v)
				mu.Unlock()
			}
		})
	}
	writers.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// TestCrash kills a process with SIGKILL while it writes, again and again on the same file: everything
// acknowledged is present, nothing is present twice, no log has a gap. (The loss of power is covered by
// synchronous=FULL, see TestEveryConnectionIsDurable.)
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openFile(t, path)
	ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
	for m := range crashMatches {
		want(t, "create", s.CreateMatch(t.Context(), newMatch(t, fmt.Sprint("m", m), "", ana, bob), lobby.MatchStart{}), nil)
	}
	want(t, "close", s.Close(), nil)
	chance := rand.New(rand.NewPCG(1, 2))
	total := 0
	for range crashes {
		acknowledged := crash(t, path, 1+chance.IntN(400))
		s := openFile(t, path)
		for m := range crashMatches {
			_, entries, err := s.Match(t.Context(), fmt.Sprint("m", m))
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) < acknowledged[m] {
				t.Errorf("match %d: %d turns were acknowledged, %d are there", m, acknowledged[m], len(entries))
			}
			for i, e := range entries {
				if !reflect.DeepEqual(e, crashEntry(m, i+1)) {
					t.Fatalf("match %d: version %d is %+v", m, i+1, e)
				}
			}
			total += acknowledged[m]
		}
		want(t, "close", s.Close(), nil)
	}
	if total < crashes*crashMatches {
		t.Errorf("only %d turns were acknowledged in all", total)
	}
}

// crash runs a child until it has printed that number of lines, kills it, and returns the last version of
// each match that it printed.
func crash(t *testing.T, path string, lines int) (acknowledged [crashMatches]int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), crashFile+"="+path)
	child.Stderr = os.Stderr
	out := must[io.ReadCloser](t)(child.StdoutPipe())
	want(t, "start", child.Start(), nil)
	r := bufio.NewReader(out)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if err != nil {
			break // an incomplete line
		}
		var m, v int
		if _, err := fmt.Sscan(line, &m, &v); err != nil {
			t.Fatalf("the child said %q", line)
		}
		acknowledged[m] = v
		if n == lines {
			want(t, "kill", child.Process.Kill(), nil)
		}
	}
	if err := child.Wait(); err == nil {
		t.Fatal("the child ended before it was killed")
	}
	return acknowledged
}
