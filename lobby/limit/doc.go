// Package limit bounds how much work the server does for one person and for one address, over all
// their connections. A Buckets has a token bucket for each key; a Budget charges a Payer, which is
// a person and an address, for each of which it has a bucket. Memory is bounded: a key whose bucket
// is full again is forgotten. The package imports nothing of Ayumu.
package limit
