// Package widget has the parts that screens are made of: wrapped text, the header and rules, an input
// field, a cursor in a list, the rows of a form, a legend, a chat.
//
// Widgets draw with a theme that the caller passes and know neither sessions nor the lobby's state. Only
// one goroutine may use a widget at a time. The package imports the lobby's chat lines, game, paint,
// theme and words.
package widget
