package api

import (
	"bufio"
	"errors"
	"io"
	"time"

	"ayumu/lobby/limit"
)

// maxLine is the maximum length of a line in bytes, without its end.
const maxLine = 64 << 10

var errTooLong = errors.New("the line is longer than 64 KiB")

// readLine returns the next line without its end, in buf if it fits. A longer line than maxLine is read to
// its end and returned as errTooLong.
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

// rateLimiter bounds the requests of one program and their bytes. Its zero value is full.
type rateLimiter struct{ requests, bytes limit.Bucket }

// allow counts a line of n bytes and reports whether it is within the limits. Otherwise it takes nothing.
func (a *rateLimiter) allow(now time.Time, n int, l limit.Limits) bool {
	requests := limit.Rate{Refill: l.RequestRate, Burst: l.RequestBurst}
	if !a.requests.Take(now, 1, requests) {
		return false
	}
	if !a.bytes.Take(now, n, limit.Rate{Refill: l.ByteRate, Burst: l.ByteBurst}) {
		a.requests.GiveBack(now, 1, requests)
		return false
	}
	return true
}
