package server

import (
	"bytes"
	"io"

	"ayumu/server/sshd"
)

// outputStreams are a session's output and its output for errors, as lines that stand below each other:
// a terminal is in raw mode while it is connected, so there a line ends with a carriage return too.
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

// crReader reads what is typed at a terminal in raw mode, where Enter is a carriage return.
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
