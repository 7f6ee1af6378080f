package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// TestReportsHaveEvidence: moderators see the match and what was said in it, until they close the report.
func TestReportsHaveEvidence(t *testing.T) {
	dir := t.TempDir()
	mona, cleo := servertest.NewKey(t), servertest.NewKey(t)
	list := filepath.Join(dir, "keys")
	public := func(k ssh.Signer) string { return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k.PublicKey()))) }
	text := fmt.Sprintf("role=\"moderator\" %s mona\n%s cleo\n", public(mona), public(cleo))
	file := filepath.Join(dir, "club.toml")
	for name, content := range map[string]string{list: text, file: "[access]\nkeys = \"" + list + "\"\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := start(t, dir, "--config", file)
	ana, bob, dora := p.api(t, "ana", servertest.NewKey(t)), p.api(t, "bob", servertest.NewKey(t)), p.api(t, "dora", servertest.NewKey(t))
	play := func(a, b *apiClient) (match string) {
		table := a.ask("open", `,"game":"ayu","options":{"size":5,"pie":false}`).Table
		b.ask("join", fmt.Sprintf(`,"table":%q`, table))
		return b.await("match").Match
	}
	match, other := play(ana, bob), play(dora, bob)
	say := func(who *apiClient, match, text string) {
		who.ask("say", fmt.Sprintf(`,"match":%q,"text":%q`, match, text))
	}
	say(ana, match, "Good luck")
	say(bob, match, "you fool")
	say(bob, other, "only for dora")
	say(ana, match, "That is rude")
	ana.ask("report", `,"name":"bob","text":"insults me"`)
	if out, status := p.runAs("x", cleo, "report bob noise"); status != 0 {
		t.Errorf("report: exit %d, %s", status, out)
	}

	reports := func() (all []map[string]any) {
		t.Helper()
		out, status := p.runAs("mona", mona, "admin reports")
		s, err := servertest.Dial(t, p.addr, "mona", mona).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		s.Stdin = strings.NewReader(`{"id":1,"op":"reports"}` + "\n")
		lines, _ := s.Output("api")
		for line := range strings.Lines(string(lines)) {
			var answer struct {
				Re      int
				Reports []map[string]any
			}
			if err := json.Unmarshal([]byte(line), &answer); answer.Re == 1 && err != nil {
				t.Fatal(err)
			}
			all = append(all, answer.Reports...)
		}
		for _, wanted := range []string{"ana about bob (match " + match + "): insults me", "bob: you fool", "cleo (SHA256:"} {
			if status != 0 || strings.Contains(out, wanted) != (len(all) > 0) || strings.Contains(out, "dora") {
				t.Errorf("admin reports: exit %d, %q, want %q", status, out, wanted)
			}
		}
		return all
	}
	all := reports()
	if len(all) != 2 || all[0]["match"] != match || all[0]["room"] != "players" || all[1]["match"] != nil || all[1]["chat"] != nil {
		t.Fatalf("the reports are %v", all)
	}
	var said []string
	for _, line := range all[0]["chat"].([]any) {
		said = append(said, fmt.Sprint(line.(map[string]any)["from"], ": ", line.(map[string]any)["text"]))
	}
	if !slices.Equal(said, []string{"ana: Good luck", "bob: you fool", "ana: That is rude"}) {
		t.Errorf("the chat is %q", said)
	}
	if by := fmt.Sprint(all[1]["by"]); by != "cleo ("+ssh.FingerprintSHA256(cleo.PublicKey())+")" {
		t.Errorf("the second report is by %s", by)
	}
	for _, id := range []string{"1", "2"} {
		if out, status := p.runAs("mona", mona, "admin done "+id); status != 0 {
			t.Errorf("done: exit %d, %s", status, out)
		}
	}
	if left := reports(); len(left) != 0 {
		t.Errorf("after they are closed there are %v", left)
	}
}
