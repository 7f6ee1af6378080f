// Package web serves pages about the matches of a lobby over HTTP, for people without a terminal: live boards, pictures,
// profiles and feeds. Whoever asks is a guest who watches: the pages have no accounts, no cookies and no way to act.
//
// Every page works without JavaScript. A script of the server itself makes boards live: it listens to the server-sent
// events of a match and loads the page again. Nothing is loaded from elsewhere.
//
// What a guest over SSH may not see is not served: see visit.go for who may see what, and guard.go for the limits. The
// handlers hold no lock while they write, and no write takes longer than writeTimeout, so that slow readers delay
// nobody.
package web
