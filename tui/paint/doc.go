// Package paint is the one place through which screens reach a terminal.
//
// A screen is drawn on a [Canvas] inside [Draw] or [Screen.Draw], which make an immutable [Frame]
// of it. A frame may be drawn onto other canvases (the rows of a board are drawn once and shared by
// all sessions that show it) and is handed to a [Screen], which compares it with what its terminal
// shows and writes the few bytes that make the two equal. Show never waits for the terminal: the
// latest frame wins, and a goroutine exists only while there is something to write.
//
// The package sets the terminal up before the first frame and restores it in [Screen.Close],
// lowers colours and characters to what the [Profile] says the terminal has, and lets no control
// character, no bidirectional control and no zero-width character through to it. It never reads;
// what a terminal answers arrives in the session's input.
//
// It imports the standard library and a table of character widths, and nothing of this module; it
// knows neither Bubble Tea nor SSH. Colours, Styles, Profiles and Frames are values that may be
// used from several goroutines at once, a Screen too; a Canvas belongs to the function it was
// given to, and only while that runs.
package paint
