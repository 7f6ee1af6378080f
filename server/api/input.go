package api

import (
	"bufio"
	"errors"
	"io"
	"time"

	"ayumu/lobby"
)

// maxLine is the longest line, in bytes without its end.
const maxLine = 64 << 10

var errTooLong = errors.New("the line is longer than 64 KiB")

// readLine returns the next line without its end. A line that is too long is read to its end and
// reported as errTooLong. The bytes are valid until the next call.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	line, long := buf[:0], false
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
			long = len(line) > maxLine+2
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (err != io.EOF || len(line) == 0):
			return nil, err
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		if long || len(line) > maxLine {
			return nil, errTooLong
		}
		return line, nil
	}
}

// rateLimiter is a token bucket over two quantities: requests and bytes.
type rateLimiter struct {
	requests, bytes float64
	filledAt        time.Time
}

// take reports whether a line of n bytes is within the limits.
func (a *rateLimiter) take(now time.Time, n int, l lobby.Limits) bool {
	requests, bytes := float64(l.RequestBurst), float64(l.ByteBurst)
	if a.filledAt.IsZero() {
		a.requests, a.bytes = requests, bytes
	} else {
		d := now.Sub(a.filledAt).Seconds()
		a.requests = min(requests, a.requests+d*l.RequestRate)
		a.bytes = min(bytes, a.bytes+d*l.ByteRate)
	}
	a.filledAt = now
	if a.requests < 1 || a.bytes < float64(n) {
		return false
	}
	a.requests--
	a.bytes -= float64(n)
	return true
}
