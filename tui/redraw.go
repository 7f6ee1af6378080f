package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/limit"
)

// payer returns who is charged for screens that input caused: the account over all its sessions, and
// the address. It may be called from any goroutine.
func (m *Model) payer() limit.Payer {
	return limit.Payer{Account: m.account.Load(), Origin: limit.Origin(m.Config.Addr)}
}

// awaitDraw charges the drawing of a screen with that number of cells, which input will cause, and waits
// until the account and the address have it in their budgets. It returns an error if the session ends
// before. It may be called from any goroutine. onWait is that of limit.Budgets.Await.
func (m *Model) awaitDraw(cells int, onWait func()) error {
	return m.Config.Lobby.Budgets.Await(m.Context, m.payer(), limit.WorkRedraw, cells, onWait)
}

// chargeDraw charges the account for the screen that was drawn after a message, unless that has waited for
// the budget: an alarm and the end of a call into the lobby cannot wait.
func (m *Model) chargeDraw(msg tea.Msg) {
	switch msg.(type) {
	case wakeMsg, tea.WindowSizeMsg, tea.KeyPressMsg, tea.MouseClickMsg, tea.MouseWheelMsg, tea.PasteMsg,
		tea.BackgroundColorMsg, tea.ModeReportMsg:
		return
	}
	if id := m.account.Load(); id != 0 {
		m.Config.Lobby.Budgets.ChargeRedraw(limit.Payer{Account: id}, m.Width*m.Height)
	}
}
