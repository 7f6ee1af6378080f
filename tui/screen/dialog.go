package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// Question is asked in the line above the status bar. A key that is none of its answers dismisses it.
type Question struct {
	Text    string
	Answers []Answer
	Dismiss string // label of all other keys
}

// Answer is a key that answers a question.
type Answer struct {
	game.Key
	Do func() tea.Cmd
}

// YesNo returns a question that y confirms. yes and no label the keys.
func YesNo(text, yes, no string, do func() tea.Cmd) *Question {
	return &Question{Text: text, Dismiss: no, Answers: []Answer{{game.Key{Key: "y", Help: yes}, do}}}
}

// dialog is the part of a Shell that asks the user.
type dialog struct {
	question *Question
	prompt   *Prompt // the open input line; nil: none
	panel    Panel   // nil: none
}

// Panel is drawn over a part of the screen, and gets all input while no question and no input line is open.
type Panel interface {
	// Handle processes a key, a click, the wheel or a paste.
	Handle(msg tea.Msg) tea.Cmd
	// Draw draws the panel on a canvas of the window without its status bar.
	Draw(c paint.Canvas)
	// StatusKeys returns the keys that work now for the status bar, most important first.
	StatusKeys() []game.Key
}

// IsAsking reports whether a question, an input line or a panel is open.
func (s *dialog) IsAsking() bool { return s.question != nil || s.prompt != nil || s.panel != nil }

// Ask asks a question and closes an open input line and panel.
func (s *dialog) Ask(q *Question) tea.Cmd {
	*s = dialog{question: q}
	return nil
}

// OpenPanel opens a panel instead of the one that is open.
func (s *dialog) OpenPanel(p Panel) { *s = dialog{panel: p} }

// ClosePanel closes the panel.
func (s *dialog) ClosePanel() { s.panel = nil }

// Panel returns the panel that is open; nil: none.
func (s *dialog) Panel() Panel { return s.panel }

// Confirm asks a question that users can switch off in the settings; then it is answered with its only
// answer.
func (s *Shell) Confirm(q *Question) tea.Cmd {
	if !s.Settings.Confirm {
		return q.Answers[0].Do()
	}
	return s.Ask(q)
}

// Prompt is an input line above the status bar.
type Prompt struct {
	widget.TextField
	Label     string
	EnterHelp string // label of Enter
	Enter     func(text string) tea.Cmd
	StaysOpen bool   // Enter keeps the line open
	Failure   string // why the last text was refused; cleared by the next key

	// Complete returns the texts that begin with one, ignoring case. Tab sets the line to one after the other; nil: it does nothing.
	Complete  func(begin string) []string
	completed struct {
		texts []string // that Complete has returned for what was typed; nil: Tab was not the last key
		index int      // of the one in the line
	}
}

// NewNamePrompt returns an input line for the name of a player, which Tab completes to that of a user who is online. Enter calls
// enter.
func (s *Shell) NewNamePrompt(label, enterHelp string, enter func(name string) tea.Cmd) *Prompt {
	return &Prompt{
		TextField: widget.TextField{Limit: account.MaxName}, Label: label, EnterHelp: enterHelp, Enter: enter,
		Complete: func(begin string) (names []string) {
			for _, n := range s.Visit.Suggest(&op.Info{Args: []op.Arg{{Usage: "NAME"}}}, nil, begin) {
				names = append(names, n.Word)
			}
			return names
		},
	}
}

// complete sets the line to the next text that begins with what was typed.
func (p *Prompt) complete() {
	c := &p.completed
	if c.texts == nil {
		c.texts, c.index = p.Complete(p.Text()), -1
	}
	if len(c.texts) == 0 {
		p.Failure = "No player who is online has a name that begins like that."
		return
	}
	c.index = (c.index + 1) % len(c.texts)
	p.Set(c.texts[c.index])
}

// statusKeys returns the keys of the input line for the status bar.
func (p *Prompt) statusKeys() []game.Key {
	keys := []game.Key{{Key: "Enter", Help: p.EnterHelp}}
	if p.Complete != nil {
		keys = append(keys, game.Key{Key: "Tab", Help: "complete"})
	}
	return append(keys, game.Key{Key: "Esc", Help: "close"})
}

// OpenPrompt opens an input line instead of the one, or the panel, that is open.
func (s *dialog) OpenPrompt(p *Prompt) tea.Cmd {
	s.prompt, s.panel = p, nil
	return nil
}

// OpenChat opens an input line that sends a chat line with say. A text that was refused stays in the line.
func (s *Shell) OpenChat(label string, say func(string) error) tea.Cmd {
	p := &Prompt{TextField: widget.TextField{Limit: lobby.MaxChat}, Label: label, EnterHelp: "send", StaysOpen: s.Settings.KeepChat}
	p.Enter = func(text string) tea.Cmd {
		err := say(text)
		if err == nil {
			return nil
		}
		_, why := lobby.PublicError(err)
		p.Failure = words.Sentence(why)
		p.Set(text)
		return s.OpenPrompt(p)
	}
	return s.OpenPrompt(p)
}

// answerQuestion answers the question with a key. Esc and n dismiss it. Another key does so too, with a notice, if there is one
// answer: the user may have meant a yes. Where there is a choice it does nothing.
func (w Window) answerQuestion(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	q := w.question
	w.question = nil
	for _, an := range q.Answers {
		if strings.EqualFold(key.String(), an.Key.Key) {
			return an.Do()
		}
	}
	switch name := key.String(); {
	case name == "esc" || name == "n":
	case len(q.Answers) > 1:
		w.question = q
		w.Ignore()
	case w.notice.isEmpty():
		w.Notify("Cancelled: only %s confirms.", q.Answers[0].Key.Key)
	}
	return nil
}

// handlePrompt edits the input line, sends it with Enter or closes it with Esc.
func (s *dialog) handlePrompt(msg tea.Msg) tea.Cmd {
	p := s.prompt
	p.Failure = ""
	if key, ok := msg.(tea.KeyPressMsg); ok {
		if key.String() == "tab" && p.Complete != nil {
			p.complete()
			return nil
		}
		p.completed.texts = nil
		switch key.String() {
		case "esc":
			s.prompt = nil
			return nil
		case "enter":
			text := strings.TrimSpace(p.Text())
			if text == "" || !p.StaysOpen {
				s.prompt = nil
			}
			if text == "" {
				return nil
			}
			p.Clear()
			return p.Enter(text)
		}
	}
	p.Handle(msg)
	return nil
}
