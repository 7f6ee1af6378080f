package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/cli/clitest"
	"ayumu/server/sshd"
)

// TestHostkeyPrintsBothKeys holds the command against the files and against what a server with them
// says at its start.
func TestHostkeyPrintsBothKeys(t *testing.T) {
	dir := t.TempDir()
	now, next := filepath.Join(dir, "key"), filepath.Join(dir, "next")
	var prints, lines []string
	for _, file := range []string{now, next} {
		key, err := sshd.LoadHostKey(file)
		if err != nil {
			t.Fatal(err)
		}
		prints = append(prints, ssh.FingerprintSHA256(key.PublicKey()))
		lines = append(lines, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey()))))
	}
	out, errs, status := clitest.Run(t, "", "hostkey", "--host-key", now, "--host-key", next)
	if status != 0 || errs != "" || strings.Index(out, prints[0]) > strings.Index(out, prints[1]) {
		t.Errorf("exit %d: %s%s", status, out, errs)
	}
	for _, want := range append(slices.Clone(prints), lines...) {
		if !strings.Contains(out, want) {
			t.Errorf("hostkey does not print %s:\n%s", want, out)
		}
	}
	if strings.Contains(out, "PRIVATE") {
		t.Error("hostkey prints a private key")
	}
	missing := filepath.Join(dir, "missing")
	out2, errs, status := clitest.Run(t, "", "hostkey", "--host-key", now, "--host-key", missing)
	if _, err := os.Stat(missing); status != 1 || err == nil || !strings.Contains(strings.Join(strings.Fields(errs), " "), "make it with") {
		t.Errorf("of a second key that is missing: %d %s%s, %v", status, out2, errs, err)
	}
	f := startUnderAttack(t, nil, "--host-key", next) // after the one in its folder
	var own string
	waitUntil(t, "the log has both fingerprints", func() bool {
		found := regexp.MustCompile(`fingerprint=(SHA256:\S+)`).FindAllStringSubmatch(f.logs.String(), -1)
		if len(found) != 2 {
			return false
		}
		own = found[0][1]
		return found[1][1] == prints[1]
	})
	out, _, _ = clitest.Run(t, "", "hostkey", "--host-key", filepath.Join(f.dir, "key"))
	if !strings.HasPrefix(out, own+" ") {
		t.Errorf("the server's key is %s, and hostkey prints\n%s", own, out)
	}
	// Who connects gets the first.
	_, err := ssh.Dial("tcp", f.addr, &ssh.ClientConfig{HostKeyCallback: ssh.FixedHostKey(mustKey(t, out)), Timeout: waitTimeout,
		Auth: []ssh.AuthMethod{ssh.PublicKeys(newPairOfClients(t, 0).keys[0])}})
	if err != nil {
		t.Error(err)
	}
}

// mustKey reads the key in the second line of what hostkey prints.
func mustKey(t *testing.T, out string) ssh.PublicKey {
	t.Helper()
	_, line, _ := strings.Cut(out, "\n")
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(strings.TrimSpace(line)))
	if err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return key
}

// TestJSONLogsAreCleanAndHaveNoSecrets has clients say what would harm an operator, and bring what
// nobody else may know.
func TestJSONLogsAreCleanAndHaveNoSecrets(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, dir, "--log-format", "json", "--log-level", "debug", "--access-open=false", "--access-keys", keys)
	invitation, err := run(t, inviteCommand(), "", "--data", dir)
	if err != nil {
		t.Fatal(invitation, err)
	}
	const evil = "\x1b]0;owned\a\u202e\u009b2J\r\n{\"level\":\"error\"}"
	member := newPairOfClients(t, 0).keys
	code := strings.Fields(invitation)[3]
	secrets := []string{code, "0123456789", "secretcode", "PRIVATE KEY"}
	for _, key := range member {
		secrets = append(secrets, base64.StdEncoding.EncodeToString(key.PublicKey().Marshal())[20:])
	}
	p.runAs(code, member[0], "who")
	p.runAs(evil, member[1], "link 0123456789")
	p.runAs("secretcode", member[0], evil)
	p.runAs("x", member[0], "report "+evil+" "+evil)
	f := serverUnderAttack{process: p}
	nc := f.raw("127.0.0.9")
	fmt.Fprintf(nc, "GET %s\r\n", evil)
	nc.Close()
	nc = f.raw("127.0.0.9")
	_, _, _, err = ssh.NewClientConn(nc, p.addr, &ssh.ClientConfig{User: evil, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth: []ssh.AuthMethod{ssh.PublicKeys(keyThief{shown: member[0], own: member[1]})}})
	if err == nil {
		t.Error("a lie was believed")
	}
	waitUntil(t, "four sessions and two failures are in the log", func() bool {
		logs := p.logs.String()
		return strings.Count(logs, `"session"`) >= 4 && strings.Count(logs, "handshake failed") == 2
	})
	logs := p.logs.String()
	for line := range strings.Lines(logs) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Errorf("no JSON: %q", line)
		}
		for key, value := range o {
			text := fmt.Sprint(value)
			if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%s has %q", key, text)
			}
		}
		if o["level"] == "error" {
			t.Errorf("a client has made the server write %s", line)
		}
	}
	for _, s := range secrets {
		if strings.Contains(logs, s) {
			t.Errorf("the log has %q", s)
		}
	}
	if print := ssh.FingerprintSHA256(member[0].PublicKey()); !strings.Contains(logs, print) {
		t.Errorf("the log does not say whom to ban: %s", print)
	}
}

// testNames returns the names of all tests, each after its folder and a space.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	tests := make(map[string]bool)
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(text, -1) {
			tests[filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../../"))+" "+string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

// TestRulesOfTournamentsHaveTheirTests: each test that docs/tournaments.md names exists.
func TestRulesOfTournamentsHaveTheirTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/tournaments.md")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for folderAndName := range testNames(t) {
		_, name, _ := strings.Cut(folderAndName, " ")
		known[name] = true
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(page), -1)
	for _, m := range named {
		if !known[m[1]] {
			t.Errorf("docs/tournaments.md names %s, which is no test", m[1])
		}
	}
	if len(named) < 80 {
		t.Errorf("only %d tests were found", len(named))
	}
}

// TestPromisesHaveTheirTests reads docs/security.md: every row of the checklist stands there once, with
// places and tests that exist.
func TestPromisesHaveTheirTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	row := 0
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \| (.+) \| (.+) \| (.+) \|$`).FindAllStringSubmatch(string(page), -1) {
		if row++; m[1] != fmt.Sprint(row) {
			t.Errorf("row %s comes after row %d", m[1], row-1)
		}
		for _, place := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[3], -1) {
			if _, err := os.Stat("../../" + place[1]); err != nil {
				t.Errorf("row %d: %v", row, err)
			}
		}
		named := 0
		where := ""
		for _, one := range regexp.MustCompile("(?:(\\S+): )?`(\\w+)`").FindAllStringSubmatch(m[4], -1) {
			if named++; one[1] != "" {
				where = one[1]
			}
			if !tests[where+" "+one[2]] {
				t.Errorf("row %d: there is no %s in %s", row, one[2], where)
			}
		}
		if named == 0 {
			t.Errorf("row %d names no test", row)
		}
	}
	if row != 46 {
		t.Errorf("%d rows, want 46", row)
	}
}
