package sshd

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/requiretest"
	"ayumu/server/servertest"
)

// openSSH is the real client, without anything of whoever runs the test: no configuration, keys or
// agent, and no terminal on which it could ask.
type openSSH struct {
	t      *testing.T
	dir    string
	client string
	port   string
}

// newOpenSSH ends the test where OpenSSH is not installed.
func newOpenSSH(t *testing.T, r *testServer) openSSH {
	t.Helper()
	client := requiretest.Program(t, "ssh")
	_, port, err := net.SplitHostPort(r.addr)
	if err != nil {
		t.Fatal(err)
	}
	return openSSH{t, t.TempDir(), client, port}
}

// run runs ssh with some options and a command, and returns its output and whether its status
// was 0.
func (o openSSH) run(args ...string) (string, bool) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), servertest.WaitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.client, append([]string{
		"-F", "/dev/null", "-p", o.port, "-l", "ana", "-o", "LogLevel=ERROR",
		"-o", "IdentityAgent=none", "-o", "StrictHostKeyChecking=accept-new",
		"-o", "UserKnownHostsFile=" + filepath.Join(o.dir, "known_hosts"),
	}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + o.dir}
	out, err := cmd.Output()
	return string(out), err == nil
}

// writeKey makes a key's two files and returns the private one's name.
func (o openSSH) writeKey(name string) (file string, key ssh.PublicKey) {
	o.t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		o.t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		o.t.Fatal(err)
	}
	key, err = ssh.NewPublicKey(public)
	if err != nil {
		o.t.Fatal(err)
	}
	file = filepath.Join(o.dir, name)
	for f, text := range map[string][]byte{file: pem.EncodeToMemory(block), file + ".pub": ssh.MarshalAuthorizedKey(key)} {
		if err := os.WriteFile(f, text, 0o600); err != nil {
			o.t.Fatal(err)
		}
	}
	return file, key
}

func TestOpenSSHIsServed(t *testing.T) {
	r := run(t, Limits{}, whoami)
	o := newOpenSSH(t, r)
	nobody := filepath.Join(o.dir, "nothing")
	mine, key := o.writeKey("mine")
	var many []string
	for i := range 12 {
		file, _ := o.writeKey(fmt.Sprint("many", i))
		many = append(many, "-i", file)
	}
	lost, _ := o.writeKey("lost")
	if err := os.Remove(lost); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		want string // empty for a failure
	}{
		"a guest":                      {[]string{"-i", nobody, "127.0.0.1", "who"}, `ana ""`},
		"a guest with a terminal":      {[]string{"-i", nobody, "-tt", "127.0.0.1"}, `ana ""`},
		"a key":                        {[]string{"-i", mine, "127.0.0.1", "who"}, answer(key)},
		"many keys":                    {append(many, "127.0.0.1", "who"), "ana \"SHA256:"},
		"a public key without its own": {[]string{"-o", "IdentitiesOnly=yes", "-i", lost + ".pub", "127.0.0.1", "who"}, `ana ""`},
		"a port to forward":            {[]string{"-i", mine, "-W", r.addr, "127.0.0.1"}, ""},
		"a port to forward back":       {[]string{"-i", mine, "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1", "127.0.0.1", "who"}, ""},
		"a subsystem":                  {[]string{"-i", mine, "-s", "127.0.0.1", "sftp"}, ""},
		"a copy":                       {[]string{"-i", mine, "127.0.0.1", "scp -t ."}, ""},
	} {
		out, ok := o.run(tt.args...)
		if ok != (tt.want != "") || !strings.HasPrefix(out, tt.want) {
			t.Errorf("%s: %q, %v; want %q", name, out, ok, tt.want)
		}
	}
}
