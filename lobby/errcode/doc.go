// Package errcode defines errors with a code, on which programs can act, and a message for people, and the errors of
// stores, on which the lobby and its packages act.
package errcode
