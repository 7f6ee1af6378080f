package tui

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Background returns the message for a terminal's answer about its background.
func Background(answer string) tea.Msg {
	var got tea.Msg
	readInput(context.Background(), strings.NewReader(answer), func(m tea.Msg) { got = m }, nil)
	return got
}

func describe(m tea.Msg) string {
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return m.String()
	case tea.MouseClickMsg:
		return "click " + m.String()
	case tea.MouseWheelMsg:
		return "wheel " + m.String()
	case tea.BackgroundColorMsg:
		return "background " + m.String()
	case tea.ModeReportMsg:
		return "mode"
	case tea.PasteMsg:
		return "paste " + m.Content
	}
	return "?"
}

func TestInput(t *testing.T) {
	for in, want := range map[string]string{
		"aB é日":                              "a,B,space,é,日",
		"\r\t\x7f\x03\x08":                   "enter,tab,backspace,ctrl+c,ctrl+h",
		"\x1b[A\x1b[B\x1bOC\x1bOD":           "up,down,right,left",
		"\x1b[H\x1b[F\x1b[1~\x1b[4~":         "home,end,home,end",
		"\x1b[5~\x1b[6~\x1b[Z":               "pgup,pgdown,shift+tab",
		"\x1bx":                              "alt+x",
		"\x1b[<0;5;7M\x1b[<0;5;7m":           "click left",
		"\x1b[<64;1;1M":                      "wheel wheelup",
		"\x1b]11;rgb:0000/0000/0000\x1b\\a":  "background #000000,a",
		"\x1b[?2026;2$y":                     "mode",
		"\x1b[200~two\nlines\x1b[A\x1b[201~": "paste two\nlines",
		"\xff\xc3(a":                         "(,a",
		"\x1bP1$r0m\x1b\\x":                  "x",
		"\x1b[999999999999z\x1b[I\x1b[Oq":    "q",
		"\x1b[8;60000;60000t":                "",
		"\x1b[[Aq":                           "q",
	} {
		var got []string
		r := &inputReader{send: func(m tea.Msg) { got = append(got, describe(m)) }, timer: time.NewTimer(time.Hour)}
		r.feed([]byte(in))
		all := strings.Join(got, ",")
		if all != want {
			t.Errorf("%q is %q, not %q", in, all, want)
		}
		// The result is the same byte by byte.
		got = nil
		for _, b := range []byte(in) {
			r.feed([]byte{b})
		}
		if s := strings.Join(got, ","); s != all {
			t.Errorf("%q byte by byte is %q, not %q", in, s, all)
		}
	}
}

func TestEscapeKeyNeedsAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		var mu sync.Mutex
		var got []string
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(got, want) {
				t.Errorf("got %q, not %q", got, want)
			}
		}
		done := make(chan struct{})
		go func() {
			readInput(t.Context(), in, func(m tea.Msg) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, describe(m))
			}, nil)
			close(done)
		}()
		io.WriteString(out, "\x1b")
		expect()
		<-time.After(2 * escapeTimeout)
		expect("esc")
		io.WriteString(out, "\x1b[")
		<-time.After(escapeTimeout / 2)
		io.WriteString(out, "A")
		expect("esc", "up")
		out.Close()
		<-done
	})
}

func TestInputIsBounded(t *testing.T) {
	var got []tea.Msg
	r := &inputReader{send: func(m tea.Msg) { got = append(got, m) }, timer: time.NewTimer(time.Hour)}
	r.feed([]byte("\x1b]0;"))
	for range 1000 {
		r.feed(bytes.Repeat([]byte("x"), readSize))
		if len(r.pending) > maxSequence+readSize || cap(r.pending) > 4*readSize {
			t.Fatalf("%d bytes of an endless sequence are kept", len(r.pending))
		}
	}
	r.feed([]byte("\x1b\\\x1b["))
	for range 1000 {
		r.feed([]byte("1;2:3"))
	}
	r.feed([]byte("mx"))
	if len(got) != 1 || describe(got[0]) != "x" {
		t.Fatalf("%d messages came of sequences that are too long", len(got))
	}
	r.feed([]byte("a\x1b[200~"))
	for range 1000 {
		r.feed(bytes.Repeat([]byte("é"), readSize/2))
	}
	r.feed([]byte(pasteEnd + "b"))
	if len(r.paste) > maxPaste || len(got) < 2 {
		t.Fatalf("%d bytes of a paste are kept, and %d messages came", len(r.paste), len(got))
	}
	paste, ok := got[len(got)-2].(tea.PasteMsg)
	if !ok || len(paste.Content) > maxPaste || !strings.HasPrefix(paste.Content, "éé") {
		t.Errorf("the paste came as %T of %d bytes", got[len(got)-2], len(paste.Content))
	}
	if describe(got[len(got)-1]) != "b" {
		t.Errorf("after the paste came %s", describe(got[len(got)-1]))
	}
}

func FuzzInput(f *testing.F) {
	for _, s := range []string{"ab\x1b[A", "\x1b[200~x\x1b[201~", "\x1b]11;rgb:1/2/3\x07", "\x1b\x1b\x1b[", "\x1b[<0;1;2M", "\x1b_x\x1b\\", "\xf0\x9f\x98", "\x1b[1;1:1_\x1b[[", "\x1bO", "\x9b1m"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, piece int) {
		piece = max(piece&63, 1)
		r := &inputReader{send: func(tea.Msg) {}, timer: time.NewTimer(time.Hour)}
		for len(in) > 0 {
			n := min(piece, len(in))
			r.feed(in[:n])
			in = in[n:]
			if len(r.pending) > maxSequence+readSize {
				t.Fatalf("%d bytes are kept", len(r.pending))
			}
		}
		r.flushPending()
		if len(r.pending) > 0 {
			t.Fatalf("%q is left after flushPending", r.pending)
		}
	})
}
