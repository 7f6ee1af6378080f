// Package taskqueue runs short tasks of many sessions on a few goroutines.
//
// A change that a thousand sessions show would otherwise wake a goroutine of each, with a stack of its own. A [Queue]
// runs their tasks one after the other, on as many goroutines as there are processors. A task that blocks, such as a
// write to a client that does not read, keeps its goroutine; the queue then starts another one, so that it delays the
// others by a few milliseconds only.
//
// It imports lobby/guard.
package taskqueue
