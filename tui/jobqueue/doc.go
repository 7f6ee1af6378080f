// Package jobqueue runs short jobs of many sessions on a few goroutines.
//
// A change that a thousand sessions show would otherwise wake a goroutine of each, with a stack of its own. A [Queue]
// runs their jobs one after the other, on as many goroutines as there are processors. A job that blocks, such as a
// write to a client that does not read, keeps its goroutine; the queue then starts another one, so that it delays the
// others by a few milliseconds only.
package jobqueue
