package sshd

import (
	"crypto/rand"
	"runtime"
	"sync/atomic"
)

// A goroutine begins with a small stack, which is doubled whenever it is full: all that is on it is
// copied then, frame by frame. Those of a connection that are known to go deep get theirs in one
// go, while there is little to copy. The collector halves one of which little is used later.

// growStack4KiB makes the stack of its caller at least 4 KiB; at most 1 KiB of it may be in use.
//
//go:noinline
func growStack4KiB() {
	var room [2 << 10]byte
	runtime.KeepAlive(&room)
}

// growStack16KiB makes it at least 16 KiB; at most 3 KiB may be in use.
//
//go:noinline
func growStack16KiB() {
	var room [10 << 10]byte
	runtime.KeepAlive(&room)
}

// stackGrowingRand is crypto/rand for one connection. The first who reads it is the goroutine of x/crypto
// that exchanges the keys.
type stackGrowingRand struct {
	read atomic.Bool
	conn *conn // nil if unknown; see exchangeKey
}

func (r *stackGrowingRand) Read(p []byte) (int, error) {
	if !r.read.Load() {
		r.read.Store(true)
		growStack16KiB()
	}
	return rand.Reader.Read(p)
}
