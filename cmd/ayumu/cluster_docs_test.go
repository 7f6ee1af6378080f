package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/requiretest"
)

// TestHAProxyConfigurationIsValid has HAProxy check the configuration of docs/cluster.md.
func TestHAProxyConfigurationIsValid(t *testing.T) {
	requiretest.Program(t, "haproxy")
	out, err := exec.Command("haproxy", "-c", "-f", "../../docs/cluster/haproxy.cfg").CombinedOutput()
	if err != nil || strings.Contains(string(out), "WARNING") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSettingsOfNodesExist: the settings of docs/cluster are read as those of a node, and the ports fit together.
func TestSettingsOfNodesExist(t *testing.T) {
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	config.Flags(flags)
	if err := flags.Parse([]string{"--config", "../../docs/cluster/node.toml"}); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(flags, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	if kind, _, err := config.SplitStore(c.Store); c.NodeName() != "node1" || kind != config.StorePostgres || err != nil || len(c.Warnings()) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	haproxy, err := os.ReadFile("../../docs/cluster/haproxy.cfg")
	if err != nil || !strings.Contains(string(haproxy), "default-server port "+strings.TrimPrefix(c.Health, ":")+" ") ||
		!strings.Contains(string(haproxy), c.Listen[0]+"\n") {
		t.Errorf("HAProxy expects other ports than %s and %s: %v", c.Listen, c.Health, err)
	}
	compose, err := os.ReadFile("../../docs/cluster/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, s := range c.Settings() {
		known = append(known, s.Env())
	}
	names := regexp.MustCompile(`AYUMU_[A-Z_]+`).FindAllString(string(compose), -1)
	for _, name := range names {
		if !slices.Contains(known, name) {
			t.Errorf("compose.yaml sets %s, which does not exist", name)
		}
	}
	if len(names) < 5 {
		t.Errorf("compose.yaml sets only %v", names)
	}
}
