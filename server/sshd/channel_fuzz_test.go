package sshd

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/sanitize"
)

// FuzzSessionRequests gives a session two requests of any kind and content, and looks whether
// what a handler would see is within its bounds.
func FuzzSessionRequests(f *testing.F) {
	for _, seed := range []struct {
		kind    string
		payload any
	}{
		{"pty-req", ptyRequest{Term: "xterm", Columns: 80, Rows: 24, Modes: "\x00"}},
		{"pty-req", ptyRequest{Term: "\x1b", Columns: 1 << 31, Rows: 1<<32 - 1}},
		{"window-change", windowRequest{Columns: 60000}},
		{"env", envRequest{"LANG", "C"}},
		{"env", envRequest{"LC_X", "\x00"}},
		{"exec", execRequest{"who"}},
		{"exec", execRequest{" scp -t"}},
		{"subsystem", execRequest{"sftp"}},
	} {
		f.Add("pty-req", ssh.Marshal(ptyRequest{Term: "xterm"}), seed.kind, ssh.Marshal(seed.payload))
		f.Add(seed.kind, ssh.Marshal(seed.payload), "shell", []byte(nil))
	}
	srv := new(Server)
	srv.currentLimits.Store(new(DefaultLimits()))
	f.Fuzz(func(t *testing.T, kind1 string, payload1 []byte, kind2 string, payload2 []byte) {
		s := &Session{stream: stream{conn: &conn{server: srv}, ctx: context.Background()}, setup: setup{resized: make(chan Size, 1)}}
		for _, req := range []*ssh.Request{{Type: kind1, Payload: payload1}, {Type: kind2, Payload: payload2}} {
			if req.Type == "shell" || req.Type == "exec" {
				s.acceptStart(req)
			} else if s.request(req, srv) && req.Type != "pty-req" && req.Type != "window-change" && req.Type != "env" {
				t.Errorf("%q was granted", req.Type)
			}
		}
		if pty, ok := s.PTY(); ok && (pty.Width < 1 || pty.Width > 500 || pty.Height < 1 || pty.Height > 200 ||
			len(pty.Term) > 64 || sanitize.Printable(pty.Term, 64) != pty.Term || strings.ContainsAny(pty.Term, " /")) {
			t.Errorf("%+v", pty)
		}
		for name, value := range s.env {
			if len(name)+len(value) > 1024 || sanitize.Printable(name, 1024) != name || sanitize.Printable(value, 1024) != value {
				t.Errorf("%q=%q", name, value)
			}
		}
		if line, _ := s.Command(); len(line) > 4096 || isFileCopy(line) {
			t.Errorf("command %q", line)
		}
	})
}
