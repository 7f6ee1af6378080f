package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"testing"

	"charm.land/log/v2"

	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
)

// FuzzAdminSocket sends arbitrary input to the admin socket: there is one valid answer or none.
func FuzzAdminSocket(f *testing.F) {
	for _, text := range []string{`["help"]`, `["audit"]`, `[]`, `["ban","ana","1h"]`, `{"a":1}`, `[1]`, "\xff", `["announce","\u001b[2J"]`, `[[[[`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		club, err := club.New(t.Context(), lobbytest.Store(t))
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			adminServer{club.Moderator(operator), club.Manager(operator), &club.Bulletin, "", log.New(&errs), func() (s clusterStatus) { return s }, func() error { return nil }}.serveConn(t.Context(), theirs)
		}()
		go func() { _, _ = ours.Write(append(bytes.Clone(line), '\n')) }()
		answer, err := io.ReadAll(ours)
		<-done
		if err != nil {
			t.Fatal(err)
		}
		if len(answer) > 0 && (json.Unmarshal(answer, new(adminAnswer)) != nil || bytes.Count(answer, []byte("\n")) != 1) {
			t.Errorf("%q is answered with %q", line, answer)
		}
		if errs.Len() > 0 {
			t.Errorf("%q: %s", line, &errs)
		}
	})
}
