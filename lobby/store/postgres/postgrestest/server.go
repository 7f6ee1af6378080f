// Package postgrestest runs a PostgreSQL server for tests: a private one in a temporary folder, on a Unix
// socket, which ends with the process of the tests. It imports nothing of this module that
// uses a database.
//
// Tests are skipped where PostgreSQL is not installed, unless AYUMU_REQUIRE lists "postgres" (requiretest).
package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ayumu/lobby/requiretest"
)

// Server is a running PostgreSQL server.
type Server struct {
	dir, bin string // its folder; the folder of PostgreSQL's programs
	user     *account
	process  *exec.Cmd
	lifeline io.Closer // its end ends the supervisor
}

var (
	shared  = sync.OnceValues(func() (*Server, error) { return start(inMemory()) })
	schemas atomic.Int64
)

// URL makes an empty schema on a server that all tests of the process share, which a store takes for a database
// of its own, and returns its connection string.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared()
	require(t, err)
	return s.URL(t)
}

// Start starts a server of the test's own, which the test can stop and restart, with settings such as
// "fsync=off". It ends with the test.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	return startIn(t, inMemory(), settings)
}

// StartOnDisk is Start with the data on a disk, as measurements of durable changes need it.
func StartOnDisk(t testing.TB) *Server {
	t.Helper()
	return startIn(t, os.TempDir(), nil)
}

func startIn(t testing.TB, parent string, settings []string) *Server {
	t.Helper()
	s, err := start(parent, settings...)
	require(t, err)
	t.Cleanup(s.close)
	return s
}

// URL makes an empty schema on the server and returns its connection string. A schema is made much faster than a
// database.
func (s *Server) URL(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", schemas.Add(1))
	if err := s.Exec("CREATE SCHEMA " + name); err != nil {
		t.Fatal(err)
	}
	return s.connection() + "&search_path=" + name
}

// connection returns the connection string of the database.
func (s *Server) connection() string { return "postgres://postgres@/postgres?host=" + s.dir }

// Exec runs a statement as the superuser.
func (s *Server) Exec(statement string) error { return Exec(s.connection(), statement) }

// Exec runs a statement with a connection string.
func Exec(url, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, statement)
	return err
}

// errMissing means that PostgreSQL is not installed.
var errMissing = errors.New("PostgreSQL is not installed; on Debian: apt-get install postgresql")

// require ends a test without a server.
func require(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case errors.Is(err, errMissing):
		requiretest.Missing(t, "postgres", err)
	default:
		t.Fatal(err)
	}
}

// start makes a database cluster in a new folder below parent, and starts it.
func start(parent string, settings ...string) (s *Server, err error) {
	s = &Server{}
	if s.bin, err = findPrograms(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp(parent, "ayumu-pg-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(s.dir)
		}
	}()
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		if s.user, err = unprivileged(); err != nil {
			return nil, err
		}
		if err := os.Chown(s.dir, s.user.uid, s.user.gid); err != nil {
			return nil, err
		}
	}
	if out, err := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, s.Run(settings...)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command returns a program of PostgreSQL, run by a user that is allowed to.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, program), args...)
	c.Dir = s.dir
	runAs(c, s.user)
	c.Env = append(os.Environ(), "LC_ALL=C")
	return c
}

// Run starts a stopped server and waits until it accepts connections. A shell supervises it: when the process
// of the tests ends, however it does, the shell's input ends, and it stops the server and removes the folder.
func (s *Server) Run(settings ...string) error {
	const script = `"$@" & child=$!; cat >/dev/null; kill -QUIT $child; wait $child; [ -e "$KEEP" ] || rm -rf "$DIR"`
	args := []string{"-c", script, "sh", filepath.Join(s.bin, "postgres"), "-D", s.data(), "-k", s.dir, "-h", ""}
	for _, setting := range append([]string{"max_connections=200", "fsync=on", "log_min_messages=fatal"}, settings...) {
		args = append(args, "-c", setting)
	}
	c := exec.Command("/bin/sh", args...)
	c.Dir = "/"
	runAs(c, s.user)
	c.Env = append(os.Environ(), "DIR="+s.dir, "KEEP="+s.keep(), "LC_ALL=C")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	c.WaitDelay = time.Second
	lifeline, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	s.process, s.lifeline = c, lifeline
	for deadline := time.Now().Add(30 * time.Second); ; {
		if err = s.Exec("SELECT 1"); err == nil {
			os.Remove(s.keep())
			return nil
		}
		if time.Now().After(deadline) {
			s.close()
			return fmt.Errorf("the server does not start: %w\n%s", err, out.String())
		}
		<-time.After(20 * time.Millisecond)
	}
}

// keep is the file whose presence keeps the folder when the server stops.
func (s *Server) keep() string { return filepath.Join(s.dir, "keep") }

// Crash stops the server at once, as a crash would. Run starts it again.
func (s *Server) Crash() error {
	if err := os.WriteFile(s.keep(), nil, 0o666); err != nil {
		return err
	}
	s.lifeline.Close()
	return s.process.Wait()
}

func (s *Server) close() {
	s.lifeline.Close()
	_ = s.process.Wait()
	os.RemoveAll(s.dir)
}

// findPrograms returns the folder of initdb and postgres of the newest version, or errMissing.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	newest, dir := -1, ""
	for _, path := range found {
		version, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		if err == nil && version > newest {
			newest, dir = version, filepath.Dir(path)
		}
	}
	if dir == "" {
		return "", errMissing
	}
	return dir, nil
}

// account is a user of the operating system.
type account struct{ uid, gid int }

// unprivileged returns a user without rights.
func unprivileged() (*account, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err == nil && err2 == nil {
			return &account{uid, gid}, nil
		}
	}
	return nil, errors.New("there is no user postgres and no user nobody, as whom PostgreSQL could run")
}
