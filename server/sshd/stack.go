package sshd

import (
	"crypto/rand"
	"runtime"
	"sync/atomic"
)

// A goroutine begins with a small stack, which is doubled and copied whenever it is full. The goroutines of
// a connection that are known to need more grow theirs once, while there is little to copy. The garbage
// collector halves a stack of which little is used.

// growStack4KiB grows its caller's stack to at least 4 KiB, if at most 1 KiB of it is in use.
//
//go:noinline
func growStack4KiB() {
	var space [2 << 10]byte
	runtime.KeepAlive(&space)
}

// growStack16KiB grows its caller's stack to at least 16 KiB, if at most 3 KiB of it is in use.
//
//go:noinline
func growStack16KiB() {
	var space [10 << 10]byte
	runtime.KeepAlive(&space)
}

// stackGrowingRand is crypto/rand for one connection. Its first Read is by the goroutine of x/crypto that
// exchanges keys, and grows that goroutine's stack.
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
