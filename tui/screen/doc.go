// Package screen is the contract between the screens and the session that shows them.
//
// A [Screen] is one full-window view or an overlay. It lives in a package below this one, such as screen/account, and has
// three parts:
//
//   - a destination, declared in screen/dest, that names the screen and what it shows;
//   - a function Open, which takes the Shell and the destination and shows it, which package tui registers;
//   - a table of [Bindings], which drives its handler, the status bar and its help page.
//
// A screen that lists rows is a declared [List], to which its keys, its drawing and its help page belong already.
// A form is declared as a [Form], which [OpenForm] shows.
//
// A screen reaches the session through the [Shell]: it reads its lobby session, style and settings, calls
// the lobby by commands, shows notices, asks questions, and opens other screens by their
// destination. Packages of screens do not import each other; what several of them draw is in tui/widget.
//
// All methods of this package are called while the session's model processes a message, one at a time, unless noted.
package screen
