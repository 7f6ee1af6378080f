package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progressLineInterval is the interval between two lines of a progress that is not shown on a terminal.
const progressLineInterval = 30 * time.Second

// progress shows how far a command has come: on a terminal in one line, which is overwritten, and elsewhere in a line
// now and then. newProgress is the constructor. It is used by one goroutine at a time.
type progress struct {
	out        io.Writer
	isTerminal bool
	text       string    // the newest
	written    string    // the last that was written
	writtenAt  time.Time // when, elsewhere than on a terminal
}

// newProgress returns a progress that begins now.
func newProgress(out io.Writer) *progress {
	f, ok := out.(*os.File)
	return &progress{out: out, isTerminal: ok && isTerminal(f), writtenAt: time.Now()}
}

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show shows a text in place of the one before. Texts do not get shorter.
func (p *progress) show(text string) {
	p.text = text
	switch now := time.Now(); {
	case p.isTerminal:
		fmt.Fprintf(p.out, "\r%s ", text)
	case now.Sub(p.writtenAt) >= progressLineInterval:
		p.writeLine(now)
	}
}

// end ends the line, or writes the newest text if that was not written yet. After it there is no progress any more.
func (p *progress) end() {
	switch {
	case p.isTerminal && p.text != "":
		fmt.Fprintln(p.out)
	case p.text != p.written:
		p.writeLine(time.Now())
	}
}

func (p *progress) writeLine(now time.Time) {
	fmt.Fprintln(p.out, p.text)
	p.written, p.writtenAt = p.text, now
}
