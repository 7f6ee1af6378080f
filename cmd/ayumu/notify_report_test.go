package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
)

// TestModeratorsAreNotifiedOfReports by a webhook, while no moderator is connected; others cannot choose it.
func TestModeratorsAreNotifiedOfReports(t *testing.T) {
	arrived := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- r.URL.Path + " " + string(body)
	}))
	defer receiver.Close()
	dir := t.TempDir()
	owner, players := newPairOfClients(t, 0).keys[0], newPairOfClients(t, 1).keys
	keys := filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, fmt.Appendf(nil, "role=\"owner\" %s", ssh.MarshalAuthorizedKey(owner.PublicKey())), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startWith(t, dir, func(c *config.Config) { c.Notify.Private = []string{"127.0.0.1"} }, "--access-keys", keys)
	for i, key := range players { // connected once, so that they have names
		p.api(t, []string{"ana", "mallory"}[i], key).ask("ping", "")
	}
	run := func(user string, key ssh.Signer, line string, wants ...string) {
		t.Helper()
		text, _ := p.runAs(user, key, line)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s: %q, want %q", user, line, text, want)
			}
		}
	}
	p.api(t, "olga", owner).ask("ping", "")
	run("olga", owner, "notifications webhook "+receiver.URL+"/olga", "Saved.")
	run("olga", owner, "notifications events all", "Saved.", "announcement, report")
	run("ana", players[0], "notifications webhook "+receiver.URL+"/ana", "Saved.")
	run("ana", players[0], "notifications events report", "only moderators and owners")
	run("ana", players[0], "report mallory insults me")
	run("ana", players[0], "notifications events all", "Saved.", "announcement, tournament.") // has the server look at reports now
	select {
	case got := <-arrived:
		for _, want := range []string{"/olga ", `"event":"report"`, `"by":"ana"`, `"about":"mallory"`, `"message":"insults me"`, "admin reports"} {
			if !strings.Contains(got, want) {
				t.Errorf("the request is %s, want %s in it", got, want)
			}
		}
	case <-time.After(waitTimeout):
		t.Fatal("nobody was notified")
	}
}
