package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"
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

// TestNATSOfComposeHasThePassword: the NATS server of compose.yaml takes the password from its environment, also one of
// digits, and no command line has it.
func TestNATSOfComposeHasThePassword(t *testing.T) {
	text, err := os.ReadFile("../../docs/cluster/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if commands := regexp.MustCompile(`(?m)^ +command:.*PASSWORD.*`).FindAllString(string(text), -1); commands != nil {
		t.Errorf("passwords on command lines: %q", commands)
	}
	_, content, _ := strings.Cut(string(text), "\n  nats:\n    content: |\n")
	content, _, found := strings.Cut(content, "\n  haproxy:\n")
	variable := regexp.MustCompile(`(?m)^      NATS_PASSWORD: '(.*)\$\{PASSWORD:\?set PASSWORD\}(.*)'`).FindStringSubmatch(string(text))
	if !found || variable == nil {
		t.Fatal("compose.yaml has no configuration of NATS, or no password for it")
	}
	file := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(content, "$$", "$")), 0o600); err != nil { // as Compose reads it
		t.Fatal(err)
	}
	for _, password := range []string{"secret", "12345678", "1e5", "0x10"} {
		t.Setenv("NATS_PASSWORD", variable[1]+password+variable[2])
		options, err := natsserver.ProcessConfigFile(file)
		if err != nil || options.Username != "ayumu" || options.Password != password || options.Port != 4222 {
			t.Errorf("%q: %v, %+v", password, err, options)
		}
	}
}

// TestDeploymentsAreBounded: the units and the containers have limits of memory and processes, and the unit of the server
// cannot reach what clouds serve at link-local addresses.
func TestDeploymentsAreBounded(t *testing.T) {
	for file, want := range map[string][]string{
		"hosting/ayumu.service": {"MemoryMax=", "TasksMax=", "IPAddressDeny=169.254.0.0/16", "NoNewPrivileges=yes", "SystemCallFilter=~@privileged"},
		"cluster/nats.service":  {"MemoryMax=", "TasksMax=", "NoNewPrivileges=yes", "ProtectKernelTunables=yes", "RestrictNamespaces=yes", "SystemCallFilter=~@privileged"},
	} {
		text, err := os.ReadFile("../../docs/" + file)
		for _, line := range want {
			if !strings.Contains(string(text), "\n"+line) {
				t.Errorf("%s has no %s (%v)", file, line, err)
			}
		}
	}
	for _, file := range []string{"hosting/compose.yaml", "cluster/compose.yaml"} {
		text, err := os.ReadFile("../../docs/" + file)
		services := strings.Count(string(text), "restart: unless-stopped")
		for _, limit := range []string{"mem_limit: ", "pids_limit: "} {
			if n := strings.Count(string(text), limit); n != services || n == 0 {
				t.Errorf("%s has %s for %d of %d services (%v)", file, limit, n, services, err)
			}
		}
	}
}
