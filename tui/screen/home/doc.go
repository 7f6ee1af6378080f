// Package home has the screens around the lobby: the welcome before it with the choice of a name, the lobby itself, which
// offline is the list of what can be begun, and the forms that lead to a game.
package home
