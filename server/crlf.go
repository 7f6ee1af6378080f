package server

import (
	"bytes"
	"io"

	"ayumu/server/sshd"
)

// outputStreams returns a session's streams for output and errors. For a terminal they end lines with CR LF,
// because a client's terminal is in raw mode.
func outputStreams(s *sshd.Session) (out, errs io.Writer) {
	if _, terminal := s.PTY(); terminal {
		return crlfWriter{s}, crlfWriter{s.Stderr()}
	}
	return s, s.Stderr()
}

// crlfWriter writes lines for a terminal in raw mode.
type crlfWriter struct{ w io.Writer }

func (c crlfWriter) Write(p []byte) (int, error) {
	if _, err := c.w.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// crReader converts CR to LF in the input of a terminal in raw mode.
type crReader struct{ r io.Reader }

func (t crReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
