package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
	"ayumu/server/servertest"
)

// runAs connects with a key and runs a command. status is -1 if the command has no exit status.
func (p *process) runAs(user string, key ssh.Signer, line string) (text string, status int) {
	p.t.Helper()
	c := servertest.Dial(p.t, p.addr, user, key)
	defer c.Close()
	s, err := c.NewSession()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := s.CombinedOutput(line)
	if exit, ok := err.(*ssh.ExitError); ok {
		status = exit.ExitStatus()
	} else if err != nil {
		status = -1
	}
	return string(out), status
}

func TestHostRunsAPrivateClub(t *testing.T) {
	dir := t.TempDir()
	keys, member := filepath.Join(dir, "keys"), newPairOfClients(t, 0).keys
	if err := os.WriteFile(keys, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "club.toml")
	if err := os.WriteFile(file, []byte("[access]\nopen = false\nkeys = \""+keys+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, dir, "--config", file)
	if info, err := os.Stat(filepath.Join(dir, adminSocket)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the admin socket is %v, %v", info, err)
	}
	if says, status := p.runAs("x", member[0], "who"); status != 1 || !strings.Contains(says, "private club") {
		t.Errorf("a stranger: %d %s", status, says)
	}
	invitation, err := run(t, inviteCommand(), "", "--data", dir)
	if err != nil {
		t.Fatal(invitation, err)
	}
	if says, status := p.runAs(strings.Fields(invitation)[3], member[0], "who"); status != 0 {
		t.Errorf("with %s: %d %s", invitation, status, says)
	}
	print := ssh.FingerprintSHA256(member[0].PublicKey())
	if out, err := run(t, adminCommand(), "", "--data", dir, "ban", print, "forever", "-", "out"); err != nil {
		t.Error(out, err)
	}
	if says, status := p.runAs("x", member[0], "who"); status != 1 || !strings.Contains(says, "banned permanently") {
		t.Errorf("a banned key: %d %s", status, says)
	}
	if out, err := run(t, adminCommand(), "", "--data", dir, "audit"); err != nil || !strings.Contains(out, "bans "+print) {
		t.Error(out, err)
	}
	if _, err := run(t, adminCommand(), "", "--data", dir, "nonsense"); err == nil {
		t.Error("nonsense is obeyed")
	}
	// The list is read when it changes, and a reload opens the club.
	if err := os.WriteFile(keys, ssh.MarshalAuthorizedKey(member[1].PublicKey()), 0o600); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the changed list holds", func() bool { _, status := p.runAs("x", member[1], "who"); return status == 0 })
	third := newPairOfClients(t, 1).keys[0]
	if err := os.WriteFile(file, []byte("[access]\nopen = true\nkeys = \""+keys+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the reloaded settings hold", func() bool { _, status := p.runAs("x", third, "who"); return status == 0 })
}

func TestSIGTERMTellsEverybodyAndExitsWithZero(t *testing.T) {
	p := start(t, t.TempDir())
	c := p.dial("ana")
	defer c.Close()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	in, err1 := s.StdinPipe() // an open one: its end is a farewell
	out, err2 := s.StdoutPipe()
	var sent bytes.Buffer
	s.Stderr = &sent
	if err := errors.Join(err1, err2, s.Start("api")); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // it is served
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait()
	if !strings.Contains(sent.String(), "The server is shutting down") {
		t.Errorf("told %q", sent.String())
	}
	if err := p.wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestMetricsAndHealth(t *testing.T) {
	p := startWith(t, t.TempDir(), func(c *config.Config) { c.Limits.CommandBytes = 5 }, "--metrics-listen", "127.0.0.1:0")
	addr := p.loggedAddr("metrics")
	if _, status := p.runAs("x", newPairOfClients(t, 0).keys[0], "who is here"); status == 0 {
		t.Error("a command that is too long runs")
	}
	get := func(path string) string {
		t.Helper()
		r, err := http.Get("http://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s %v", path, r.Status, err)
		}
		return string(text)
	}
	if says := get("/health"); says != "ok\n" {
		t.Errorf("health: %q", says)
	}
	says := get("/metrics")
	for _, want := range []string{"ayumu_connections ", "ayumu_matches 0", `ayumu_limit_hits_total{limit="command_bytes"} 1`} {
		if !strings.Contains(says, want) {
			t.Errorf("the metrics lack %q", want)
		}
	}
	if strings.Contains(says, "SHA256") || strings.Contains(says, "127.0.0.1") {
		t.Error("the metrics name a client")
	}
}

func TestClubHasItsNameAndMessage(t *testing.T) {
	p := start(t, t.TempDir(), "--club-name", "Sunday Club", "--club-message", "Tea at five.")
	key := newPairOfClients(t, 0).keys[0]
	first, err := connect(p.addr, "ana", key) // which makes the account
	if err != nil {
		t.Fatal(err)
	}
	defer first.conn.Close()
	if _, err := first.next(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Sunday Club", "Tea at five."} {
		c := servertest.Dial(t, p.addr, "ana", key)
		waitFor(t, p.screen(c, "", want))
		c.Close()
	}
}

// waitUntil waits until a condition holds.
func waitUntil(t testing.TB, what string, holds func() bool) {
	t.Helper()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(waitTimeout); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
		<-look.C
	}
}

// hangingStore is a store that closes no report until its caller gives up.
type hangingStore struct{ *sqlite.Store }

func (hangingStore) CloseReport(ctx context.Context, _ int64, _, _ string, _ time.Time) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestAdminCommandsEnd: a command that hangs is cancelled while its client still waits for the answer.
func TestAdminCommandsEnd(t *testing.T) {
	c, err := club.New(t.Context(), hangingStore{lobbytest.Store(t)})
	if err != nil {
		t.Fatal(err)
	}
	s := adminServer{operator: c.Moderator(operator), manager: c.Manager(operator), bulletin: &c.Bulletin, logger: log.New(io.Discard)}
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		begun := time.Now()
		_ = ours.SetDeadline(begun.Add(adminTimeout))
		go s.serveConn(t.Context(), theirs)
		if _, err := ours.Write([]byte(`["done","12"]` + "\n")); err != nil {
			t.Fatal(err)
		}
		var answer adminAnswer
		err := json.NewDecoder(ours).Decode(&answer)
		if err != nil || !strings.Contains(answer.Error, "took longer than 9s and was cancelled") || time.Since(begun) != commandLimit {
			t.Errorf("after %v: %+v, %v", time.Since(begun), answer, err)
		}
	})
}

// TestDataBelongsInFrontOfTheCommand: behind it the flag would be a word of the command, for the server of another folder.
func TestDataBelongsInFrontOfTheCommand(t *testing.T) {
	for _, args := range [][]string{{"members", "--data", "/srv"}, {"announce", "hello", "--data=/srv"}} {
		_, err := run(t, adminCommand(), "", args...)
		if want := "--data must come before the command: ayumu admin --data DIR " + args[0]; err == nil || err.Error() != want {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// TestInvitationNamesTheServer: `ayumu invite` prints what players type, which the running server knows.
func TestInvitationNamesTheServer(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, "--host", "-p 2222 play.example.org")
	for host, args := range map[string][]string{"-p 2222 play.example.org": nil, "club": {"--host", "club"}} {
		out, err := run(t, inviteCommand(), "", append([]string{"--data", dir}, args...)...)
		if err != nil || !strings.HasPrefix(out, "ssh -t -l ") || !strings.HasSuffix(out, " "+host+"\n") {
			t.Errorf("%v: %s, %v", args, out, err)
		}
	}
	p.kill()
	if out, err := run(t, inviteCommand(), "", "--data", dir); err != nil || !strings.HasSuffix(out, " HOST\n") {
		t.Errorf("without a server: %s, %v", out, err)
	}
}

func TestPortsWithoutPermissionAreExplained(t *testing.T) {
	bind := func(err syscall.Errno) error {
		return &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", err)}
	}
	if err := explainListen(bind(syscall.EACCES)); !strings.Contains(err.Error(), "permission denied; ports below 1024 need the capability CAP_NET_BIND_SERVICE") {
		t.Error(err)
	}
	if err := explainListen(bind(syscall.EADDRINUSE)); strings.Contains(err.Error(), "capability") {
		t.Error(err)
	}
	if explainListen(nil) != nil {
		t.Error("no error is explained")
	}
}
