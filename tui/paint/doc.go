// Package paint writes the screens to a terminal. Nothing else writes to it while a screen is shown.
//
// A screen is drawn on a [Canvas] inside [Draw] or [Screen.Draw], which return an immutable [Frame]. A frame
// can be drawn onto other canvases: a board is drawn once and shared by all sessions that show it. A
// [Screen] compares a frame with what its terminal shows and writes the bytes that change one into the
// other. [Screen.Show] never waits for the terminal: the latest frame replaces earlier ones that are not
// written yet, and a goroutine exists only while there is something to write.
//
// The package sets up the terminal before the first frame and restores it in [Screen.Close]. It replaces
// colours and characters that the terminal does not have by its [Profile], and passes no control character,
// bidirectional control or zero-width character of a text to the terminal. It reads nothing: the answers of
// a terminal arrive in the session's input.
//
// It depends on neither Bubble Tea nor SSH. Colours, Styles, Profiles, Frames and Screens may be used by several
// goroutines at once; a Canvas only by the function it was passed to, while that runs.
package paint
