package cli

import (
	"bytes"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
		version, release, linked string
		settings                 []debug.BuildSetting
		want                     string
	}{
		{"v1.2.3", "", "", recorded("vcs.revision", revision, "vcs.time", "2026-11-22T10:00:00Z", "vcs.modified", "false"), "v1.2.3, commit 0123456789ab, 2026-11-22"},
		{"v0.0.0-20261122100000-0123456789ab+dirty", "", "", recorded("vcs.revision", revision, "vcs.modified", "true"), "commit 0123456789ab, modified"},
		{"(devel)", "", "", recorded("vcs.revision", revision), "commit 0123456789ab"},
		{"(devel)", "", revision, nil, "commit 0123456789ab"},
		{"(devel)", "", "short", nil, "commit short"},
		{"(devel)", "", revision[1:], recorded("vcs.revision", revision), "commit 0123456789ab"},
		{"v1.2.3+dirty", "", "", recorded("vcs.revision", revision, "vcs.modified", "true"), "v1.2.3, commit 0123456789ab, modified"},
		{"(devel)", "v1.2.3", revision, nil, "v1.2.3, commit 0123456789ab"}, // .ci/release 1.2.3
		{"v1.2.3", "v1.2.4", "", recorded("vcs.revision", revision), "v1.2.4, commit 0123456789ab"},
		{"(devel)", "v1.2.3", "", nil, "v1.2.3"},
		{"v1.2.3", "", "", nil, "v1.2.3"}, // go install ayumu@v1.2.3
		{"(devel)", "", "", nil, "unknown commit (built without version control)"},
		{"", "", "", nil, "unknown commit (built without version control)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.version}, Settings: tt.settings}
		if got := describeBuild(info, tt.release, tt.linked); got != tt.want {
			t.Errorf("%s, %v, linked %q, %q: %q, want %q", tt.version, tt.settings, tt.release, tt.linked, got, tt.want)
		}
	}
}

// TestVersionCommandPrintsTheCommit asks as a person does, and holds the builds that do not ask the
// repository to the names of the variables.
func TestVersionCommandPrintsTheCommit(t *testing.T) {
	defer func(before string) { commit = before }(commit)
	commit = "abcdef0123456789"
	root, out := &cobra.Command{Use: "program"}, new(bytes.Buffer)
	Complete(root, nil)
	root.SetArgs([]string{"version"})
	root.SetOut(out)
	if err := root.ExecuteContext(t.Context()); err != nil || out.String() != "program "+Version()+"\n" || !strings.Contains(out.String(), "commit ") {
		t.Errorf("version: %q, %v", out, err)
	}
	for name, flags := range map[string]string{
		"Dockerfile": "-X ayumu/cmd/cli.version=$VERSION -X ayumu/cmd/cli.commit=$COMMIT", ".ci/build": "-X ayumu/cmd/cli.version=v$2 -X ayumu/cmd/cli.commit=$3",
	} {
		file, err := os.ReadFile("../../" + name)
		if err != nil || !strings.Contains(string(file), flags) {
			t.Errorf("%s does not pass the version and the commit to the linker: %v", name, err)
		}
	}
}
