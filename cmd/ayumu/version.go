package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// commit is the commit that the program is built from, for builds without the repository, as in a
// container: -ldflags "-X main.commit=…" sets it.
var commit string

// version returns the version of the program and the commit it was built from, in one line.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return describeBuild(info, commit)
}

// describeBuild returns the version of a build. The commit recorded by the Go command takes precedence
// over the linked one. `go run`, `go test` and -buildvcs=false record none.
func describeBuild(info *debug.BuildInfo, linked string) string {
	recorded := make(map[string]string)
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	revision := recorded["vcs.revision"]
	if revision == "" {
		revision = linked
	}
	var parts []string
	if v := info.Main.Version; v != "" && v != "(devel)" && (revision == "" || !strings.HasPrefix(v, "v0.0.0-")) {
		parts = append(parts, v) // a release; v0.0.0-… repeats the commit
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
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "ayumu", version())
			return err
		},
	}
}
