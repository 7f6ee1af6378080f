package metrics

import (
	"os"
	"regexp"
	"testing"
)

// TestMetricsAreDescribed: operators find each metric in the hosting guide, and no other.
func TestMetricsAreDescribed(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	described := make(map[string]bool)
	for _, m := range regexp.MustCompile("`(ayumu_[a-z_]+)[`{]").FindAllStringSubmatch(string(guide), -1) {
		described[m[1]] = true
	}
	for name := range names(t) {
		if !regexp.MustCompile(`^ayumu_[a-z]+(_[a-z]+)*$`).MatchString(name) || !described[name] {
			t.Errorf("docs/hosting.md lacks %s", name)
		}
		delete(described, name)
	}
	for name := range described {
		t.Errorf("docs/hosting.md has %s, which does not exist", name)
	}
}
