package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/limit"
)

// payer returns who is charged for screens that input caused: the account over all its sessions, and
// the address. It may be called from any goroutine.
func (a *Model) payer() limit.Payer {
	return limit.Payer{Account: a.account.Load(), Origin: limit.Origin(a.Config.Addr)}
}

// awaitDraw charges the drawing of a screen with that number of cells, which input will cause, and waits
// until the account and the address have it in their budgets. It returns an error if the session ends
// before. It may be called from any goroutine. onWait is that of lobby.Await.
func (a *Model) awaitDraw(cells int, onWait func()) error {
	return a.Config.Lobby.Budgets.Await(a.Context, a.payer(), lobby.WorkRedraw, cells, onWait)
}

// awaitOthersDraw is awaitDraw for a screen that changes because of others. It is charged to the account alone,
// so that a match with many spectators at one address costs that address nothing.
func (a *Model) awaitOthersDraw() error {
	id := a.account.Load()
	if id == 0 {
		return a.Context.Err()
	}
	return a.Config.Lobby.Budgets.Await(a.Context, limit.Payer{Account: id}, lobby.WorkRedraw, int(a.cells.Load()), nil)
}

// chargeDraw charges the account for the screen that was drawn after a message, unless that has waited for
// the budget: an alarm and the end of a call into the lobby cannot wait.
func (a *Model) chargeDraw(msg tea.Msg) {
	switch msg.(type) {
	case wakeMsg, resizeMsg, tea.KeyPressMsg, tea.MouseClickMsg, tea.MouseWheelMsg, tea.PasteMsg,
		tea.BackgroundColorMsg, tea.ModeReportMsg:
		return
	}
	if id := a.account.Load(); id != 0 {
		a.Config.Lobby.Budgets.ChargeRedraw(limit.Payer{Account: id}, a.Width*a.Height)
	}
}
