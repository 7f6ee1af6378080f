package simulation

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	from   = flag.Uint64("from", 1, "the first seed of TestSimulation and TestTournaments")
	seeds  = flag.Uint64("seeds", 60, "how many seeds TestSimulation runs, and TestTournaments a part of")
	print  = flag.Bool("print", false, "print what happens in TestSimulation")
	broken = flag.Int("broken", 0, "the fault of the code in TestSimulation, as its number")
)

// fault is a fault of the code, or of a promise that it relies on, which the simulation has to find.
type fault int

const (
	noFault             fault = iota
	noCondition               // the store appends to a log with any end
	noLast                    // the store compares the length of the log only
	noReload                  // after a conflict the log is not read
	noRepeat                  // an append with an unclear outcome is taken for recorded instead of being repeated
	noTableCondition          // tables are replaced whatever their versions are
	noPresenceCheck           // a claim is decided by what the node knows
	noRatingLock              // ratings are read and changed without a lock
	noDeadlineWait            // other nodes end a turn at its deadline
	noConditionsVersion       // a turn is appended whatever the conditions are
	noUniqueVersion           // the version of conditions is the number of their changes, which comes again after a failover
	noStart                   // a node that reads a match ignores its start position and handicap
	noVacations               // the clocks run during vacations
	noVacationVersion         // vacations are replaced whatever their versions are
	noCupVersion              // the log of a tournament is appended to whatever its version is
	noCupSearch               // entries of a tournament with an unclear outcome are not looked for in the log
	noCupRead                 // entries of a tournament with an unclear outcome are taken for recorded
	noCupGameIDs              // the ids of games do not follow from the tournament
	noCupResults              // results are not read, and only known to those who are there when a game ends
	noCupLeaseEnd             // the lease of a process that has died does not end
	noCupNotices              // notices are passed on only by the process that made the step, and only then
	noCupFollow               // a node does not take over what others have recorded
	faults

	firstCupFault = noCupVersion
)

var faultNames = [faults]string{"none", "append's condition", "append's last", "reload", "repeat", "compare-and-swap of tables",
	"presence of a claim", "rating lock", "wait of other nodes", "version of conditions", "unique version of conditions", "start position",
	"vacations", "version of vacations", "version of tournaments", "search for entries", "unclear entries of tournaments", "ids of games",
	"reading of results", "end of leases", "notices again", "following of tournaments"}

// runSeeds runs seeds on all processors, with the function of a test of that name. Each of the things in happens must happen in one.
func runSeeds(t *testing.T, name string, run func(uint64, fault, map[string]int) string, seeds uint64, happens []string) {
	began := time.Now()
	var next, stopped atomic.Uint64
	next.Store(*from)
	var mu sync.Mutex
	seen := make(map[string]int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			total := make(map[string]int)
			for stopped.Load() == 0 {
				seed := next.Add(1) - 1
				if seed >= *from+seeds {
					break
				}
				own := make(map[string]int)
				if failure := run(seed, fault(*broken), own); failure != "" {
					stopped.Store(1)
					t.Errorf("seed %d: %s\nagain: go test ./lobby/simulation -run %s -from %d -seeds 1 -broken %d", seed, failure, name, seed, *broken)
				}
				for what, n := range own {
					total[what] += n
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for what, n := range total {
				seen[what] += n
			}
		})
	}
	wg.Wait()
	t.Logf("%.1f seeds/s; happened: %v", float64(seeds)/time.Since(began).Seconds(), seen)
	for _, what := range happens {
		if seen[what] == 0 && seeds >= 60 && !t.Failed() {
			t.Errorf("no seed had %q", what)
		}
	}
}

// TestSimulation plays matches. Whatever happens to nodes, store and messages, the invariants hold.
func TestSimulation(t *testing.T) {
	runSeeds(t, "TestSimulation", run, *seeds, []string{"conflict", "unclear", "repeated", "unread", "followed", "agreements conflict", "table conflict", "match started",
		"match from a position", "match with a handicap",
		"claimed", "node dies", "node is cut off", "store is down", "store is slow", "failover", "lost change", "credit ", "credit node",
		"undo", "end time", "end draw", "end left", "end resign", "end abort", "command abort", "command turn", "answer stale_version", "answer unavailable",
		"conditions stored", "conditions refused", "conditions conflict", "answer by a condition",
		"vacation begun", "vacation ended", "vacation refused", "vacation conflict", "credit vacation", "out of days", "turn on vacation"})
}

// TestFaultsAreFound: each fault is found, so that the invariants mean something. The number of seeds is part of
// the proof: one of the first 1,000 finds it. Most are found within the first 70.
func TestFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for f := noFault + 1; f < faults; f++ {
		t.Run(faultNames[f], func(t *testing.T) {
			t.Parallel()
			run := run
			if f >= firstCupFault {
				run = runCup
			}
			for seed := uint64(1); seed <= 1000; seed++ {
				if failure := run(seed, f, make(map[string]int)); failure != "" {
					t.Logf("seed %d: %s", seed, failure)
					return
				}
			}
			t.Error("not found by 1,000 seeds")
		})
	}
}
