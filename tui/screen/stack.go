package screen

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/screen/dest"
)

// maxHistory bounds the number of screens to which Back can return.
const maxHistory = 8

// earlier is a screen in the history: the screen itself, or the destination that shows it anew.
type earlier struct {
	screen Screen
	reopen dest.Destination
}

// Open opens the screen of a destination. If that fails, the current screen stays, with a notice.
func (s *Shell) Open(d dest.Destination) tea.Cmd { return s.router.Open(d) }

// Current returns the current screen, below an overlay if there is one; nil before the sign-in.
func (s *Shell) Current() Screen { return s.current }

// Show replaces the current screen and clears the history, the overlay, the question and the prompt.
func (s *Shell) Show(v Screen) tea.Cmd {
	if s.current != nil {
		s.current.Close()
	}
	s.current, s.history, s.overlays, s.dialog = v, nil, overlays{}, dialog{}
	if s.Session != nil {
		s.Session.IgnoreLists(!v.Traits().ShowsLists)
		s.Session.LookAt(v.Traits().Match)
	}
	return v.Refresh()
}

// Push shows a screen from which Back returns to the current one.
func (s *Shell) Push(v Screen) tea.Cmd {
	before := earlier{reopen: s.current.Reopen()}
	if before.reopen == nil {
		before.screen = s.current
	}
	history := append(s.history, before)
	if len(history) > maxHistory {
		history = history[1:]
	}
	cmd := s.Show(v)
	s.history = history
	return cmd
}

// Back returns to the previous screen, or else to the lobby.
func (s *Shell) Back() tea.Cmd {
	n := len(s.history)
	if n == 0 {
		return s.Open(dest.Lobby{})
	}
	back, rest := s.history[n-1], s.history[:n-1]
	var cmd tea.Cmd
	if back.screen != nil {
		cmd = s.Show(back.screen)
	} else {
		cmd = s.Open(back.reopen)
	}
	s.history = rest
	return cmd
}

// BackLabel returns the label of the key for Back.
func (s *Shell) BackLabel() string {
	if len(s.history) > 0 {
		return "back"
	}
	return "lobby"
}

// OpenHelp opens the help page of the screen that is visible.
func (s *Shell) OpenHelp() tea.Cmd {
	return s.Open(dest.Help{})
}

// HelpPage returns the help page of the screen that is visible.
func (s *Shell) HelpPage() Help {
	p := s.Visible().Help()
	if s.Visit != nil {
		p.Keys = append(p.Keys, game.Key{Key: paletteKey + " Ctrl+P", Help: "all commands that work here: type a few letters of one, and press Enter"})
	}
	return p
}

// IsFree reports whether v is the current screen and neither an input line nor a panel is open: otherwise the user has
// gone elsewhere during a call.
func (s *Shell) IsFree(v Screen) bool { return s.current == v && s.prompt == nil && s.panel == nil }

// Visible returns the overlay, or else the current screen.
func (s *Shell) Visible() Screen {
	if s.overlay != nil {
		return s.overlay
	}
	return s.current
}
