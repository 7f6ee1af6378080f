// Package widget has the parts that screens are made of: wrapped text, the header and rules, an input
// field, a cursor in a list, a legend, a chat.
//
// Widgets draw with a theme that the caller passes and know neither sessions nor the lobby's state. Only
// one goroutine may use a widget at a time.
package widget
