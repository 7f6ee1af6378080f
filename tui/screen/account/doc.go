// Package account has the screens about players: the user's account with its keys, the settings, the notifications outside
// of SSH, the players who are blocked, profiles, and the leaderboard.
package account
