package sshd

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// TestLogsAreClean has clients that try to write into an operator's terminal.
func TestLogsAreClean(t *testing.T) {
	const evil = "\x1b]0;owned\a\u202e\u009b2J\r\nINFO all is well"
	r := run(t, Limits{}, whoami)
	config := clientConfig(servertest.Guest())
	config.User, config.ClientVersion = evil, "SSH-2.0-red"
	c, err := r.tryConnect("127.0.0.1", config)
	if err != nil {
		t.Fatal(err)
	}
	ch := open(t, c)
	ch.request("pty-req", ptyRequest{Term: evil})
	ch.request("env", envRequest{"LANG", evil})
	if !ch.request("exec", execRequest{evil}) {
		t.Fatal("refused")
	}

	config = clientConfig(servertest.Guest())
	config.KeyExchanges = []string{ssh.KeyExchangeDH14SHA256}
	if _, err := r.tryConnect("127.0.0.1", config); err == nil {
		t.Fatal("an old key exchange was accepted")
	}
	nc, err := r.dial("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nc.Write([]byte("GET / \x1b[2J\r\n\x1b[2J\r\n")); err != nil {
		t.Fatal(err)
	}
	nc.Close()

	servertest.Until(t, "all three are in the log", func() bool {
		logs := r.logs.String()
		return strings.Contains(logs, "INFO session ") && strings.Count(logs, "handshake failed") == 2
	})
	logs := r.logs.String()
	if i := strings.IndexFunc(logs, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("the log has %q", logs[max(0, i-40):min(len(logs), i+40)])
	}
	if strings.Contains(logs, "\nINFO all") {
		t.Errorf("a client wrote a line of the log: %q", logs)
	}
	// A user name, or what follows a command, may be a code that lets somebody in.
	if strings.Contains(logs, "all is well") {
		t.Errorf("the log has a user name or a command's arguments: %q", logs)
	}
}

// TestLogHasNothingBehindACommandsName puts everything that could pass for a space before a code.
func TestLogHasNothingBehindACommandsName(t *testing.T) {
	const code = "0123456789abcdef"
	for r := range rune(unicode.MaxRune + 1) {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Z, r) || unicode.Is(unicode.Cf, r) {
			for _, line := range []string{"link" + string(r) + code, string(r) + "link" + string(r) + code} {
				if got := commandName(line); got != "link" && got != "" {
					t.Errorf("of %q the log has %q", line, got)
				}
			}
		}
	}
	if got := commandName("  link\xff" + code); got != "link" {
		t.Errorf("the log has %q", got)
	}
	for _, name := range []string{"api", "who", "x-1", "Who", "AZaz09"} {
		if got := commandName(name + " --json"); got != name {
			t.Errorf("of %s the log has %q", name, got)
		}
	}
	r := run(t, Limits{}, whoami)
	ch := open(t, r.connect(servertest.Guest()))
	if !ch.request("exec", execRequest{"link\u00a0" + code}) {
		t.Fatal("refused")
	}
	servertest.Until(t, "the session is in the log", func() bool { return strings.Contains(r.logs.String(), "command=link") })
	if strings.Contains(r.logs.String(), code) {
		t.Errorf("the log has the code:\n%s", r.logs)
	}
}
