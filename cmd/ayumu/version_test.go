package main

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// TestVersionNamesTheCommit describes builds with and without what the Go command records.
func TestVersionNamesTheCommit(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	recorded := func(pairs ...string) (all []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return all
	}
	for _, tt := range []struct {
		version, linked string
		settings        []debug.BuildSetting
		want            string
	}{
		{"v1.2.3", "", recorded("vcs.revision", revision, "vcs.time", "2026-11-22T10:00:00Z", "vcs.modified", "false"), "v1.2.3, commit 0123456789ab, 2026-11-22"},
		{"v0.0.0-20261122100000-0123456789ab+dirty", "", recorded("vcs.revision", revision, "vcs.modified", "true"), "commit 0123456789ab, modified"},
		{"(devel)", "", recorded("vcs.revision", revision), "commit 0123456789ab"},
		{"(devel)", revision, nil, "commit 0123456789ab"},
		{"(devel)", "short", nil, "commit short"},
		{"(devel)", revision[1:], recorded("vcs.revision", revision), "commit 0123456789ab"},
		{"v1.2.3", "", nil, "v1.2.3"}, // go install ayumu@v1.2.3
		{"(devel)", "", nil, "unknown commit (built without version control)"},
		{"", "", nil, "unknown commit (built without version control)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.version}, Settings: tt.settings}
		if got := describeBuild(info, tt.linked); got != tt.want {
			t.Errorf("%s, %v, linked %q: %q, want %q", tt.version, tt.settings, tt.linked, got, tt.want)
		}
	}
}

// TestVersionCommandPrintsTheCommit asks as a person does, and holds the Dockerfile, whose build has no
// repository, to the name of the variable.
func TestVersionCommandPrintsTheCommit(t *testing.T) {
	defer func(before string) { commit = before }(commit)
	commit = "abcdef0123456789"
	if out, err := run(t, versionCommand(), ""); err != nil || out != "ayumu "+version()+"\n" || !strings.Contains(out, "commit ") {
		t.Errorf("version: %q, %v", out, err)
	}
	file, err := os.ReadFile("../../Dockerfile")
	if err != nil || !strings.Contains(string(file), "-X main.commit=$COMMIT") {
		t.Errorf("the Dockerfile does not pass the commit to the linker: %v", err)
	}
}
