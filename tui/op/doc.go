// Package op has what every front end does for one user, once: sign-in, what a connection opens first,
// new matches and challenges, the matches that are shown, offers, hints, the next game to move in, the
// archive, the idle rule, and the operations, each declared once ([New], [All]).
//
// A front end (the screens, line mode, the API) gets a [Config], signs the visitor in and keeps the [Visit].
// It reads events after each wake of Visit.Session and words them itself, with package words. A Visit and a
// [Match] belong to the goroutine of their session, except for methods that take a context: these may be
// called from any goroutine. The package knows no terminal and no protocol.
package op
