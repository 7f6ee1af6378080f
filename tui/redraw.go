package tui

import (
	"net/netip"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/limit"
)

// payer returns who is charged for screens that input caused: the account over all its sessions, and
// the address. It may be called from any goroutine.
func (a *Model) payer() limit.Payer {
	return limit.Payer{Account: a.account.Load(), Origin: limit.Origin(a.Config.Addr)}
}

// chargeDraw charges the screen that was drawn after a message. What others have caused is charged to
// the account alone, so that a match with many spectators at one address costs that address nothing.
func (a *Model) chargeDraw(msg tea.Msg) {
	p := a.payer()
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseClickMsg, tea.MouseWheelMsg, tea.PasteMsg, resizeMsg:
	default:
		if p.Account == 0 {
			return
		}
		p.Origin = netip.Prefix{}
	}
	a.Config.Lobby.Redrawn(p, a.Width*a.Height)
}

// awaitDraw waits while the account or the address is over its budget for drawn screens, or until the
// session ends.
func (a *Model) awaitDraw() {
	wait := a.Config.Lobby.RedrawWait(a.payer())
	if wait == 0 {
		return
	}
	select {
	case <-time.After(wait):
	case <-a.Context.Done():
	}
}
