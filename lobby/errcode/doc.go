// Package errcode defines errors with a code, on which programs can act, and a message for people.
//
// The package imports no other package of this module.
package errcode
