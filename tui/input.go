package tui

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"ayumu/lobby/guard"
	"ayumu/tui/screen"
)

// Limits of terminal input.
const (
	readSize      = 512
	maxSequence   = 128  // bytes of an escape sequence
	maxPaste      = 2048 // bytes of a paste; the rest is dropped
	escapeTimeout = 50 * time.Millisecond
)

// inputReader decodes a terminal's bytes into messages. It keeps at most one unfinished sequence or one
// bounded paste, and continues reading only after send has returned.
type inputReader struct {
	send func(tea.Msg)

	mu        sync.Mutex
	pending   []byte // an incomplete sequence or character
	skipUntil byte   // kind of an overlong sequence whose rest is dropped: '[' parameters, ']' string; 0: none
	pasting   bool
	paste     []byte
	decoder   uv.EventDecoder
	timer     *time.Timer
}

// inputPace returns how long to wait after n messages were sent; nil: no limit.
type inputPace func(n int) time.Duration

// readInput reads in until an error or until ctx has ended, and sends its messages, at most at the given
// pace.
func readInput(ctx context.Context, in io.Reader, send func(tea.Msg), wait inputPace) {
	n := 0
	r := &inputReader{send: func(msg tea.Msg) {
		n++ // r.mu is held
		send(msg)
	}}
	r.timer = guard.AfterFunc(time.Hour, func(err error) { send(screen.ErrorMsg{Err: err}) }, r.flushPending)
	defer r.timer.Stop()
	var buf [readSize]byte
	for {
		got, err := in.Read(buf[:])
		r.feed(buf[:got])
		if err != nil || ctx.Err() != nil {
			return
		}
		if wait == nil {
			continue
		}
		r.mu.Lock()
		sent := n
		n = 0
		r.mu.Unlock()
		if rest := wait(sent); rest > 0 {
			select {
			case <-time.After(rest):
			case <-ctx.Done():
				return
			}
		}
	}
}

func (r *inputReader) feed(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timer.Stop()
	r.pending = append(r.pending, b...)
	r.scan(false)
	if len(r.pending) > 0 {
		r.timer.Reset(escapeTimeout)
	}
}

// flushPending treats the pending bytes as complete: an Escape key is an escape character that nothing
// follows. The timer calls it.
func (r *inputReader) flushPending() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scan(true)
}

// scan consumes the complete sequences of pending, and if expired the incomplete one too. mu must be
// held.
func (r *inputReader) scan(expired bool) {
	b := r.pending
	for len(b) > 0 {
		if r.skipUntil != 0 {
			b = r.skipped(b)
			continue
		}
		n, complete := sequenceLength(b)
		if !complete && n > maxSequence {
			r.skipUntil = ']'
			if b[1] == '[' || b[1] == 'O' {
				r.skipUntil = '['
			}
			b = nil
			break
		}
		if !complete && !expired {
			break
		}
		r.take(b[:n])
		b = b[n:]
	}
	r.pending = append(r.pending[:0], b...)
}

// skipped returns the bytes of b after the overlong sequence.
func (r *inputReader) skipped(b []byte) []byte {
	for i, c := range b {
		switch {
		case c == 0x1b && r.skipUntil == ']' && i+1 < len(b) && b[i+1] == '\\':
			r.skipUntil = 0
			return b[i+2:]
		case c == 0x1b:
			r.skipUntil = 0
			return b[i:]
		case c == 0x07, r.skipUntil == '[' && c >= 0x40 && c <= 0x7e:
			r.skipUntil = 0
			return b[i+1:]
		}
	}
	return nil
}

// sequenceLength returns the length of the sequence or character at the beginning of b, and whether it
// is complete.
func sequenceLength(b []byte) (n int, complete bool) {
	if b[0] != 0x1b {
		if !utf8.FullRune(b) {
			return len(b), false
		}
		_, n := utf8.DecodeRune(b)
		return n, true
	}
	if len(b) == 1 {
		return 1, false
	}
	switch b[1] {
	case '[':
		if len(b) > 2 && b[2] == '[' { // the Linux console's F1 to F5
			return min(4, len(b)), len(b) >= 4
		}
		return lengthUntil(b, 2, func(c byte) bool { return c >= 0x40 && c <= 0x7e })
	case 'O':
		return lengthUntil(b, 2, func(c byte) bool { return c < '0' || c > '9' })
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] == 0x07:
				return i + 1, true
			case b[i] == 0x1b && i+1 < len(b):
				return i + 2, true
			}
		}
		return len(b), false
	case 0x1b:
		return 1, true
	}
	rest, complete := sequenceLength(b[1:])
	return rest + 1, complete
}

// lengthUntil returns the length up to the first byte at or after from that ends a sequence, and
// whether there is one.
func lengthUntil(b []byte, from int, last func(byte) bool) (int, bool) {
	for i := from; i < len(b); i++ {
		switch {
		case b[i] == 0x1b:
			return i, true // interrupted by another sequence
		case last(b[i]):
			return i + 1, true
		}
	}
	return len(b), false
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// take sends the message for one sequence or character.
func (r *inputReader) take(b []byte) {
	switch {
	case string(b) == pasteBegin:
		r.pasting, r.paste = true, nil
	case string(b) == pasteEnd:
		if r.pasting {
			r.pasting = false
			r.send(tea.PasteMsg{Content: string(r.paste)})
			r.paste = nil
		}
	case r.pasting:
		if b[0] != 0x1b && len(r.paste)+len(b) <= maxPaste {
			r.paste = append(r.paste, b...)
		}
	case b[0] >= 0x80 && !utf8.Valid(b):
		// not a character
	default:
		if msg := message(r.decode(b)); msg != nil {
			r.send(msg)
		}
	}
}

// decode decodes one sequence. A panic of the decoder drops the sequence: input must not end the
// server.
func (r *inputReader) decode(b []byte) (event uv.Event) {
	defer func() {
		if recover() != nil {
			event = nil
		}
	}()
	_, event = r.decoder.Decode(b)
	return event
}

// message returns the message for an event; nil if the screens do not handle events of this type. The sizes of windows
// are among these: a terminal could claim any in its input, so they come from the connection.
func message(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.MouseClickEvent:
		return tea.MouseClickMsg(e)
	case uv.MouseWheelEvent:
		return tea.MouseWheelMsg(e)
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.ModeReportEvent:
		return tea.ModeReportMsg(e)
	}
	return nil
}

// normalized returns input as every terminal sends it. Those that tell more keys apart, which Bubble Tea asks them to,
// send Ctrl+I for what others send as Tab, and Shift with keys where it means nothing.
func normalized(msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case m.Mod == tea.ModCtrl && m.Code == 'i':
			return tea.KeyPressMsg{Code: tea.KeyTab}
		case m.Mod == tea.ModCtrl && m.Code == 'm', m.Code == tea.KeyKpEnter:
			return tea.KeyPressMsg{Code: tea.KeyEnter}
		case m.Mod == tea.ModCtrl && m.Code == '[':
			return tea.KeyPressMsg{Code: tea.KeyEscape}
		case m.Mod == tea.ModShift && (m.Code == tea.KeySpace || m.Code == tea.KeyEnter || m.Code == tea.KeyBackspace):
			m.Mod = 0
			return m
		}
	case tea.PasteMsg:
		if len(m.Content) > maxPaste {
			return tea.PasteMsg{Content: strings.ToValidUTF8(m.Content[:maxPaste], "")}
		}
	}
	return msg
}
