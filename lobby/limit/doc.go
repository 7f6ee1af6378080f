// Package limit bounds how much the server does for one account and for one origin, over all their
// connections. Bucket is one token bucket, Buckets has one for each key, and a Budget charges a Payer, an
// account and an origin, each of which has a bucket. Origin returns the addresses that count as one client.
// Limits has the values of the limits, and Hits counts exceeded ones. Memory is bounded: a full bucket is
// removed.
package limit
