package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// names returns the names of all metrics.
func names(t *testing.T) map[string]bool {
	t.Helper()
	all := make(chan *prometheus.Desc, 100)
	Source{}.Describe(all)
	close(all)
	names := make(map[string]bool)
	for d := range all {
		names[regexp.MustCompile(`fqName: "([^"]*)"`).FindStringSubmatch(d.String())[1]] = true
	}
	return names
}

// checkExpression checks that the metrics of an expression of PromQL exist, and that those that only grow are used by
// how much they grow.
func checkExpression(t *testing.T, where, expr string, names map[string]bool) {
	t.Helper()
	found := regexp.MustCompile(`\b(ayumu|process)_[a-z_]+`).FindAllStringIndex(expr, -1)
	if len(found) == 0 && !strings.Contains(expr, "up{") {
		t.Errorf("%s: %q has no metric", where, expr)
	}
	for _, at := range found {
		name := expr[at[0]:at[1]]
		base, isBucket := strings.CutSuffix(name, "_bucket")
		if strings.HasPrefix(name, "ayumu_") && !names[base] {
			t.Errorf("%s: there is no metric %s", where, name)
		}
		grows := isBucket || strings.HasSuffix(name, "_total")
		if before := expr[:at[0]]; grows && !strings.HasSuffix(before, "rate(") && !strings.HasSuffix(before, "increase(") {
			t.Errorf("%s: %s needs rate or increase", where, name)
		}
	}
	if strings.Count(expr, "(") != strings.Count(expr, ")") {
		t.Errorf("%s: the parentheses of %q do not match", where, expr)
	}
}

// TestAlertsUseMetricsThatExist reads the rule file, whose values are plain or folded text of YAML.
func TestAlertsUseMetricsThatExist(t *testing.T) {
	text, err := os.ReadFile("../../../docs/hosting/metrics/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names, seen := names(t), make(map[string]bool)
	_, rules, _ := strings.Cut(string(text), "    rules:\n")
	for _, rule := range strings.Split(rules, "      - alert: ")[1:] {
		fields := regexp.MustCompile(`(?m)^(\w+)\n        expr: (.+(?:\n          .+)*)\n(?:        for: \d+[mh]\n)?        labels:\n          severity: (page|ticket)\n` +
			`        annotations:\n          summary: (.+\.)\n          description: (.+\.)\n$`).FindStringSubmatch(rule)
		if fields == nil {
			t.Errorf("not a rule:\n%s", rule)
			continue
		}
		if seen[fields[1]] {
			t.Errorf("two alerts have the name %s", fields[1])
		}
		seen[fields[1]] = true
		checkExpression(t, fields[1], fields[2], names)
		for _, value := range fields[4:] {
			if strings.ContainsAny(value[:1], "`'\"{[&*!|>%@") || strings.Contains(value, ": ") || strings.Contains(value, " #") {
				t.Errorf("%s: %q has to be quoted", fields[1], value)
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("%d alerts", len(seen))
	}
}

// dashboardMetrics are the metrics that the dashboard shows at least: what players do, and what an operator has to mend.
var dashboardMetrics = []string{
	"ayumu_write_failures_total", "ayumu_matches_finished_total", "ayumu_turns_total", "ayumu_new_accounts_total",
	"ayumu_notifications_sent_total", "ayumu_notifications_failed_total", "ayumu_database_bytes",
}

// TestTheDashboardUsesMetricsThatExist reads the dashboard: its panels, which have ids of their own and do not overlap.
func TestTheDashboardUsesMetricsThatExist(t *testing.T) {
	text, err := os.ReadFile("../../../docs/hosting/metrics/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	type target struct{ Expr, RefID string }
	type panel struct {
		ID          int
		Type, Title string
		GridPos     struct{ H, W, X, Y int }
		Targets     []target
		Description string
	}
	var dashboard struct{ Panels []panel }
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	names, ids, taken := names(t), make(map[int]bool), make(map[[2]int]string)
	for _, p := range dashboard.Panels {
		if ids[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%q overlaps %q, or exceeds the width", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 || p.Description == "" {
			t.Errorf("%q shows nothing, or lacks a description", p.Title)
		}
		for _, target := range p.Targets {
			checkExpression(t, p.Title, target.Expr, names)
		}
	}
	if len(ids) < 10 {
		t.Errorf("%d panels", len(ids))
	}
	for _, name := range dashboardMetrics {
		if !slices.ContainsFunc(dashboard.Panels, func(p panel) bool {
			return slices.ContainsFunc(p.Targets, func(t target) bool { return strings.Contains(t.Expr, name) })
		}) {
			t.Errorf("no panel shows %s", name)
		}
	}
}
