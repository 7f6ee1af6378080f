package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli/clitest"
)

// TestConfigAndServeRefuseTheSame gives settings that cannot work to `ayumu config` and to `ayumu serve`:
// both refuse them with the same words, which name the setting and what is wrong.
func TestConfigAndServeRefuseTheSame(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJmw4t8rG2uZAxfZpTnRAFAO5BPQHxFXHTNGp9qQHZJX ana\n"
	for _, tt := range []struct {
		args []string
		says string // "" where nothing is wrong
	}{
		{nil, ""},
		{[]string{"--access-keys", file("keys", "role=\"owner\" "+key, 0o600), "--access-open=false"}, ""},
		{[]string{"--listen", ":99999"}, `listen: ":99999" does not have a port from 0 to 65535`},
		{[]string{"--listen", "2222"}, `listen: "2222" is not an address`},
		{[]string{"--proxy-trusted", "0.0.0.0/0"}, "proxy.trusted: 0.0.0.0/0 covers every address"},
		{[]string{"--proxy-trusted", "::/0"}, "proxy.trusted: ::/0 covers every address"},
		{[]string{"--notify-private", "0.0.0.0/0"}, "notify.private: 0.0.0.0/0 covers every address"},
		{[]string{"--notify-private", "10.0.0.0/8,::/0"}, "notify.private: ::/0 covers every address"},
		{[]string{"--access-keys", filepath.Join(dir, "nothing")}, "access.keys: open " + filepath.Join(dir, "nothing")},
		{[]string{"--access-keys", file("boss", `role="boss" `+key, 0o600)}, `use role="owner" or role="moderator"`},
		{[]string{"--access-keys", file("broken", "ssh-ed25519 AAAA ana\n", 0o600)}, "broken:1: not a public key"},
		{[]string{"--data", filepath.Join(dir, "nowhere")}, "data: there is no folder " + filepath.Join(dir, "nowhere")},
		{[]string{"--host-key", file("open", "x", 0o644)}, "host-key: host key: others may read or change"},
		{[]string{"--host-key", filepath.Join(dir, "first"), "--host-key", filepath.Join(dir, "second")}, "host-key: host key: open " + filepath.Join(dir, "second")},
		{[]string{"--nats", "nats://127.0.0.1:4222"}, "nats: only the nodes of a PostgreSQL database notify each other"},
		{[]string{"--nats-credentials", filepath.Join(dir, "nothing")}, "nats-credentials: open " + filepath.Join(dir, "nothing")},
		{[]string{"--nats-certificate", file("certificate", "x", 0o600)}, "nats-key: a certificate and its key are needed together"},
		{[]string{"--club-picture", filepath.Join(dir, "nothing")}, "club.picture: "},
	} {
		args := tt.args
		for flag, value := range map[string]string{"--listen": "127.0.0.1:0", "--data": dir, "--host-key": filepath.Join(dir, "key")} {
			if !slices.Contains(args, flag) {
				args = append(args, flag, value)
			}
		}
		_, err := run(t, configCommand(config.Load), "", args...)
		if tt.says == "" {
			if err != nil {
				t.Errorf("config %v: %v", tt.args, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("config %v: %v, want %q", tt.args, err, tt.says)
			continue
		}
		if _, again := run(t, serveCommand(config.Load), "", args...); again == nil || again.Error() != err.Error() {
			t.Errorf("serve %v: %v, and config: %v", tt.args, again, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "key")); err == nil {
		t.Error("a check has made a host key")
	}
}

// TestMisspeltVariablesStopTheProgram: with a variable that is nearly that of a setting neither the server nor a tool
// works, since the server would be open to more people than was meant, and the tool would work on another store. Other
// unknown variables are named in a warning.
func TestMisspeltVariablesStopTheProgram(t *testing.T) {
	dir := t.TempDir()
	serverFlags := []string{"--data", dir, "--listen", "127.0.0.1:0", "--host-key", filepath.Join(dir, "key")}
	t.Setenv("AYUMU_ACCES_OPEN", "false")
	for _, args := range [][]string{
		append([]string{"config"}, serverFlags...), append([]string{"hostkey"}, serverFlags...),
		{"backup", "--data", dir, filepath.Join(dir, "copy")}, {"account", "list", "--data", dir}, {"admin", "--data", dir, "bans"},
		{"invite", "--data", dir}, {"status", "--data", dir}, {"db", "check", "--data", dir},
		append([]string{"serve"}, serverFlags...),
	} {
		if t.Failed() {
			return // serve would not end
		}
		_, errs, status := clitest.Run(t, "", args...)
		if status == 0 || !strings.Contains(errs, "unknown variable AYUMU_ACCES_OPEN; did you mean AYUMU_ACCESS_OPEN?\n") {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
	if out, errs, status := clitest.Run(t, "", "version"); status != 0 {
		t.Errorf("version: status %d, %s%s", status, out, errs)
	}

	t.Setenv("AYUMU_ACCES_OPEN", "")
	t.Setenv("AYUMU_PUBLIC", "false")
	const warning = "unknown environment variables, which have no effect: AYUMU_PUBLIC"
	_, errs, status := clitest.Run(t, "", append([]string{"config"}, serverFlags...)...)
	if status != 0 || errs != "Warning: "+warning+"\n" {
		t.Errorf("config: status %d, %s", status, errs)
	}
	p := start(t, dir)
	if logs := p.logs.String(); strings.Count(logs, warning) != 1 {
		t.Errorf("the log has not one warning %q:\n%s", warning, logs)
	}
}
