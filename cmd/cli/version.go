package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is the release, such as v1.0.0, and commit the commit that the program is built from, for builds without the
// repository, as in a container, and for releases, whose bytes must not depend on the tags of a clone:
// -ldflags "-X ayumu/cmd/cli.version=… -X ayumu/cmd/cli.commit=…" sets them.
var version, commit string

// Version returns the version of the program and the commit it was built from, in one line.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return describeBuild(info, version, commit)
}

// describeBuild returns the version of a build. A linked release takes precedence over the version recorded by the Go
// command, which is that of a tag; the recorded commit takes precedence over the linked one. `go run`, `go test` and
// -buildvcs=false record neither.
func describeBuild(info *debug.BuildInfo, release, linked string) string {
	recorded := make(map[string]string)
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	revision := recorded["vcs.revision"]
	if revision == "" {
		revision = linked
	}
	var parts []string
	if v, _, _ := strings.Cut(info.Main.Version, "+"); release == "" && v != "(devel)" && (revision == "" || !strings.HasPrefix(v, "v0.0.0-")) {
		release = v // v0.0.0-… repeats the commit, +dirty what modified says
	}
	if release != "" {
		parts = append(parts, release)
	}
	switch {
	case revision != "":
		parts = append(parts, "commit "+revision[:min(12, len(revision))])
	case len(parts) == 0:
		return "unknown commit (built without version control)"
	}
	if day, _, ok := strings.Cut(recorded["vcs.time"], "T"); ok {
		parts = append(parts, day)
	}
	if recorded["vcs.modified"] == "true" {
		parts = append(parts, "modified")
	}
	return strings.Join(parts, ", ")
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the commit that the program was built from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), cmd.Root().Name(), Version())
			return err
		},
	}
}
