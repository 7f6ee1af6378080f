// Package dest has the destinations of the screens: values that name a screen and what it shows. A screen
// opens another one with the Shell's Open and a destination, so that packages of screens do not import each
// other. Package tui has the list of screens by the types of their destinations.
package dest

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
)

// Destination is one of the types below.
type Destination interface{ isDestination() }

// The destinations. A destination that replaces the current screen says so; the others return to it.
type (
	// Welcome welcomes a visitor who has not signed in.
	Welcome struct{ destination }
	// SignInFailed shows why the sign-in failed.
	SignInFailed struct {
		destination
		Err error
	}
	// Lobby is the lobby. It replaces the current screen.
	Lobby struct {
		destination
		// KeepsFollowing reports that followed matches go on opening by themselves. Otherwise that ends.
		KeepsFollowing bool
	}
	// Match is a match at the user's seat, otherwise as a spectator. It replaces the current screen unless
	// Returns is set.
	Match struct {
		destination
		ID   string
		Code string // admits to a private match
		// IsExpected reports that the user has just started the match, so that it is not announced and its
		// keys are not blocked.
		IsExpected bool
		Returns    bool // the back key returns to the current screen
	}
	// NextWaiting is the user's next match in which it is their turn. It replaces the current screen.
	NextWaiting struct{ destination }
	// Table joins a table and then opens its match. It replaces the current screen once the match begins.
	Table struct {
		destination
		ID   string
		Code string // admits to a private table
	}
	// Replay is a finished match of the archive, or the match itself if it is still running.
	Replay struct {
		destination
		ID       string
		Snapshot *match.Snapshot // of the match, such as that of a record; nil: it is read from the archive
	}
	// Analysis is the analysis of a finished match.
	Analysis struct {
		destination
		ID       string
		Snapshot *match.Snapshot // of the match; nil: it is read from the archive
	}
	// Grid shows several running matches at once.
	Grid struct{ destination }
	// NewTable is the form of a new table. It replaces the current screen, as do the four that follow.
	NewTable struct {
		destination
		Days int // of the clock for each turn; 0: the clock of the last table
	}
	// Challenge is the form of a challenge to the user with that name, if the user can be challenged.
	Challenge struct {
		destination
		Name string
	}
	// QuickMatch is the form of a quick match.
	QuickMatch struct{ destination }
	// BotGame is the form of a game against bots.
	BotGame struct {
		destination
		Level *int // of the bot that is selected; nil: the one of the last game
	}
	// LocalGame is the form of a local match.
	LocalGame struct{ destination }
	// PositionGame is the form of a game with these options, which begins with a position. The current screen
	// returns when it is left.
	PositionGame struct {
		destination
		Options       engine.Options
		OpponentFirst bool // the opponent is the one to move in the position; otherwise the user is
	}
	// Archive lists finished matches.
	Archive struct{ destination }
	// Leaderboard lists the highest ratings.
	Leaderboard struct{ destination }
	// Profile is the profile of an account by its id, or by its name if that is not "".
	Profile struct {
		destination
		ID   account.ID
		Name string
	}
	// Lessons are the lessons of the game with that name, where the user left them; "": the list of games.
	Lessons struct {
		destination
		Game string
	}
	// Puzzle is the puzzle of the day of a game; of the one that the user plays most if Game is "".
	Puzzle struct {
		destination
		Game string
	}
	// Tournaments lists the tournaments.
	Tournaments struct{ destination }
	// Tournament is a tournament by its id.
	Tournament struct {
		destination
		ID string
	}
	// NewTournament is the form with which a tournament is made. The current screen returns when it is left.
	NewTournament struct{ destination }
	// EditTournament is the form with which the terms of a tournament are changed. The current screen returns when it is left.
	EditTournament struct {
		destination
		ID string
	}
	// Announcements lists the announcements of the club.
	Announcements struct{ destination }
	// NewAnnouncement is the form of an announcement.
	NewAnnouncement struct {
		destination
		Done func() tea.Cmd // called after success; nil: nothing
	}
	// Moderation lists sanctions and reports.
	Moderation struct{ destination }
	// Members lists the accounts of the server for moderators.
	Members struct{ destination }
	// Invitations lists the invitations that can be used, for moderators.
	Invitations struct{ destination }
	// Sanction is the form that mutes, kicks or bans a user.
	Sanction struct {
		destination
		Name string
		Done func() tea.Cmd // called after success; nil: nothing
	}
	// Settings edits the settings. It is an overlay, as are Account and Blocks.
	Settings struct{ destination }
	// Notifications edits where the user is notified outside of SSH. It is an overlay.
	Notifications struct{ destination }
	// Account shows the account's name and keys.
	Account struct{ destination }
	// Blocks lists the users that the user has blocked.
	Blocks struct{ destination }
	// Help shows the help page of the visible screen. It is an overlay.
	Help struct{ destination }
	// Palette is the panel with the operations that work on the visible screen.
	Palette struct{ destination }
	// Text shows a text. It is an overlay.
	Text struct {
		destination
		Title, Body, Note string
		IsNoteDim         bool // the note only explains the text; false: the reader is to act on it
		AtEnd             bool // scrolled to the end
		HasTimes          bool // lines begin with a time and two spaces
	}
)

// destination implements Destination.
type destination struct{}

func (destination) isDestination() {}
