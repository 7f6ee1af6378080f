// Package admin declares the operations of moderators and owners (tui/op), which have two words in line mode and over
// SSH: admin mute. It has the texts of their results, also for the screens.
package admin
