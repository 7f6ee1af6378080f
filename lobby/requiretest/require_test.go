package requiretest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recorder records how Missing ends a test.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.ended = "failed" }
func (r *recorder) Skipf(string, ...any)  { r.ended = "skipped" }

func TestMissing(t *testing.T) {
	for required, want := range map[string]string{
		"":                  "skipped",
		"postgres,other":    "skipped",
		"nothing":           "failed",
		"ssh,nothing,other": "failed",
		"nothingelse":       "skipped",
	} {
		t.Setenv("AYUMU_REQUIRE", required)
		for how, end := range map[string]func(r *recorder){
			"Missing": func(r *recorder) { Missing(r, "nothing", "no reason") },
			"Program": func(r *recorder) { Program(r, "nothing") },
		} {
			r := &recorder{TB: t}
			if end(r); r.ended != want {
				t.Errorf("%s with AYUMU_REQUIRE=%q: %q; want %q", how, required, r.ended, want)
			}
		}
	}
}

// TestCIRequiresEverything checks that .ci/run requires each name that a test needs, so that no test is skipped there.
func TestCIRequiresEverything(t *testing.T) {
	script, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	required := make(map[string]bool)
	for _, line := range regexp.MustCompile(`AYUMU_REQUIRE=(\S+)`).FindAllSubmatch(script, -1) {
		for name := range strings.SplitSeq(strings.Trim(string(line[1]), `"`), ",") {
			required[name] = true
		}
	}
	call := regexp.MustCompile(`requiretest\.(?:Missing|Program)\(\w+, "(\w+)"`)
	calls := 0
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range call.FindAllSubmatch(source, -1) {
			calls++
			if name := string(m[1]); !required[name] {
				t.Errorf("%s needs %q; add it to AYUMU_REQUIRE in .ci/run", path, name)
			}
		}
		return nil
	})
	if err != nil || calls == 0 {
		t.Errorf("%d calls found: %v", calls, err)
	}
}
