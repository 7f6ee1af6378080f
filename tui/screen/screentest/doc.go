// Package screentest is the harness for tests of screens: a lobby in a synctest bubble, users whose screens
// are driven without a terminal ([Session]), and complete sessions at an emulated one ([Terminal]).
package screentest
