// Package limit limits the work that the server does for one account and for one origin, over all their
// connections. Buckets has a token bucket for each key; a Budget charges a Payer, an account and an origin,
// each of which has a bucket. Memory is bounded: a full bucket is removed. The package imports no other
// package of this module.
package limit
