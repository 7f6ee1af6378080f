package tui

import (
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
)

// What the tests of this package use of its internals.

type ResizeMsg = resizeMsg

var (
	ReadInput       = readInput
	FilterMsg       = filterMsg
	Sparkline       = sparkline
	OutcomeText     = outcomeText
	ListFrameCache  = &listFrameCache
	OfferKinds      = offerKinds
	OfferTexts      = offerTexts
	ArchivePageSize = archivePageSize
)

const (
	ResultDelay   = resultDelay
	AutoOpenGuard = autoOpenGuard
)

func (a *Model) ResizedAt() time.Time         { return a.resizedAt }
func (a *Model) InputBlockedUntil() time.Time { return a.inputBlockedUntil }
func (a *Model) ClearErr()                    { a.err = nil }

// ShowFinished shows a profile, or the archive if p is nil, with finished matches of a player.
func (a *Model) ShowFinished(p *lobby.Profile, who lobby.Account, games []lobby.FinishedMatch) {
	list := finishedList{page: finishedPage{player: who.Name, playerID: who.ID, loaded: true, games: games}}
	if p != nil {
		a.Show(&profileScreen{app: a, profile: p, finishedList: list})
	} else {
		a.Show(&archiveScreen{app: a, finishedList: list})
	}
}

// GridMatches returns the matches that the grid shows, the selected one, and the number of the others.
func (a *Model) GridMatches() (shown []*lobby.Match, selected *lobby.Match, hidden int) {
	v := a.Current().(*gridScreen)
	for _, c := range v.cells {
		shown = append(shown, c.match)
	}
	return shown, v.cells[v.selected].match, v.hiddenCount
}

// ReplaceBoard replaces the board of the match that is shown.
func (a *Model) ReplaceBoard(replace func(game.Board) game.Board) {
	v := a.Current().(*matchScreen)
	v.board = replace(v.board)
}
