package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"ayumu/cmd/cli/clitest"
	"ayumu/lobby/requiretest"
	"ayumu/server/servertest"
)

// emptyRoot makes a folder that has the program as /ayumu, the libraries that it is linked with, as of a test binary, and
// an empty folder /data.
func emptyRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	copyFile(t, os.Args[0], filepath.Join(root, "ayumu"))
	libraries, err := exec.Command("ldd", os.Args[0]).Output() // an error if it is static
	if err == nil {
		for _, path := range regexp.MustCompile(`/\S+`).FindAllString(string(libraries), -1) {
			copyFile(t, path, filepath.Join(root, path))
		}
	}
	if err := os.Mkdir(filepath.Join(root, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	return root
}

// copyFile copies a program or library.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestProgramNeedsNoFiles runs the server in a root without any other file, as in the image: it knows time zones, and
// sends to webhooks by https.
func TestProgramNeedsNoFiles(t *testing.T) {
	received := make(chan string, 1)
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case received <- r.UserAgent():
		default:
		}
	}))
	defer receiver.Close()
	root := emptyRoot(t)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: receiver.Certificate().Raw})
	if err := os.WriteFile(filepath.Join(root, "authority"), authority, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/ayumu", "serve", "--listen", "127.0.0.1:0", "--data", "/data", "--host-key", "/data/key", "--notify-private", "127.0.0.0/8")
	cmd.Dir, cmd.Env = "/data", []string{clitest.AsMain + "=1", "SSL_CERT_FILE=/authority"}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot: root, Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	p, err := startProcess(t, cmd)
	if err != nil {
		requiretest.Missing(t, "namespaces", err)
	}
	key := servertest.NewKey(t)
	p.api(t, "ana", key)
	for _, command := range []string{"notifications webhook " + receiver.URL, "notifications zone Europe/Berlin"} {
		if out, status := p.runAs("ana", key, command); status != 0 {
			t.Errorf("%s: exit %d, %s", command, status, out)
		}
	}
	if out, status := p.runAs("ana", key, "notifications"); status != 0 || !strings.Contains(out, "Europe/Berlin") {
		t.Errorf("the zone is not set: exit %d, %s", status, out)
	}
	out, status := p.runAs("ana", key, "notifications test")
	select {
	case agent := <-received:
		if status != 0 || !strings.HasPrefix(agent, "Ayumu") {
			t.Errorf("exit %d, %s, from %q", status, out, agent)
		}
	default:
		t.Errorf("nothing was received: exit %d, %s", status, out)
	}
}

// rootsEnv makes TestProgramHasRoots look at the roots that the program has where the system has none.
const rootsEnv = "AYUMU_TEST_ROOTS"

// TestProgramHasRoots: where the system has no certificates, as in the image, the program has those of public authorities.
func TestProgramHasRoots(t *testing.T) {
	if os.Getenv(rootsEnv) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProgramHasRoots$")
		cmd.Env = append(os.Environ(), rootsEnv+"=1", "SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v:\n%s", err, out)
		}
		return
	}
	pool, err := x509.SystemCertPool()
	if err != nil || pool.Equal(x509.NewCertPool()) {
		t.Errorf("there are no roots: %v", err)
	}
}
