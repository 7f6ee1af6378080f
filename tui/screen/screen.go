package screen

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
)

// Screen is one full-window view or overlay. The session calls its methods one at a time. Types that
// embed Base implement only what they need of the others.
type Screen interface {
	// Handle processes a key, a click, the wheel, a paste, or a TickMsg.
	Handle(msg tea.Msg) tea.Cmd
	// Draw draws all but the last two lines, or all but the last one if Traits says so.
	Draw(c paint.Canvas)
	// StatusKeys returns the keys that work now for the status bar, most important first.
	StatusKeys() []game.Key
	// Help returns the screen's help page.
	Help() Help

	// Refresh is called when the state of the lobby may have changed.
	Refresh() tea.Cmd
	// StatusLine returns the line above the status bar, for when there is no notice.
	StatusLine() (string, paint.Style)
	// NextChange returns when time alone will change the screen; zero: never.
	NextChange(now time.Time) time.Time
	// Traits returns what the session must know of the screen. It is called after every message.
	Traits() Traits
	// Reopen returns the destination that shows the screen anew after Close; nil: the screen itself can be
	// shown again.
	Reopen() dest.Destination
	// Close is called when another screen replaces this one.
	Close()
}

// Framer is a Screen whose drawing other sessions can share.
type Framer interface {
	Screen
	// Layers returns what Draw draws on the first rows of a window of that size.
	Layers(width, height, rows int) Layers
}

// OperationHandler is a Screen that does some of the operations which each front end implements for itself.
type OperationHandler interface {
	Screen
	// Operate does an operation by its name, with what was typed after it; ok is false if the screen leaves it to the
	// session.
	Operate(name, args string) (cmd tea.Cmd, ok bool)
}

// Commander is a Screen with commands of its own in the palette, besides the operations that work on it.
type Commander interface {
	Screen
	// Commands returns those that work now, most important first.
	Commands() []Command
}

// Command is what a screen offers in the palette.
type Command struct {
	Name, Help string // the help follows "to", as that of op.Info
	Key        string // as Bubble Tea names it; "": none
	Do         func() tea.Cmd
}

// Reloader is a Screen that shows what it has read from the store.
type Reloader interface {
	Screen
	// Reload reads it again.
	Reload() tea.Cmd
}

// Layers are a drawing in two parts.
type Layers struct {
	Frame *paint.Frame // of the window's size
	// IsShared reports that other sessions that are shown the same get the same Frame.
	IsShared bool
	// Over draws what the session alone is shown, over the first rows of Frame; nil: nothing.
	Over func(paint.Canvas)
	// Timed has the frames that follow Frame while nothing but the time changes; nil: there are none, or IsShared is
	// not set. NextChange need not return when they change if Shell.IsTimed reports that they are used.
	Timed TimedFrames
}

// TimedFrames are the frames that sessions share and of which each follows another by time alone. Any goroutine may use
// them.
type TimedFrames interface {
	// At returns the frame at a time, and when time changes it; zero: never. ok is false if something else has
	// changed, for which each session has to draw its screen.
	At(now time.Time) (frame *paint.Frame, until time.Time, ok bool)
}

// TickMsg is sent to the current screen at the time that NextChange returned.
type TickMsg time.Time

// Help is the help page of a screen.
type Help struct {
	Title      string
	About      string
	Keys       []game.Key
	CursorHelp []string    // paragraphs about the cell at the cursor
	Games      []game.Game // their rules follow
	// HasBoard reports that the screen shows a board of the only one of Games. The page then begins with its
	// rules, and has the keys of the board.
	HasBoard bool
}

// Traits is what the session must know of a screen. The zero value suits a screen that
// shows nothing of the lobby's current state.
type Traits struct {
	// Name is that of the screen in op.On.Screen; "": no operation has a key here.
	Name string
	// Board is where the screen has drawn a board: no message covers it, and a panel leaves it visible where it can;
	// empty: nowhere.
	Board image.Rectangle
	// Status is where the screen has drawn a status text of several rows, all of which a message replaces; empty: nowhere.
	Status image.Rectangle
	// Shown is the match or replay whose operations work here; nil: none.
	Shown *op.Match
	// Here returns the options of a game that begins with the position that is shown; nil: none is.
	Here func() (engine.Options, error)
	// Operates has the names of operations that Operate does here without words, such as those of a match although
	// Shown is nil, with their keys; "" for one without a key.
	Operates map[string]string
	// TakesText reports that all characters are typed into a text now.
	TakesText bool
	// Match is the id of the match that the screen shows as it happens; "": none.
	Match string
	// IsPlaying reports that this match is an unfinished one of the user, which no other screen replaces by
	// itself.
	IsPlaying bool
	// ClockRuns reports that the user plays this match with a live clock, so that leaving asks first.
	ClockRuns bool
	// IsWatching reports that the user may watch without a key for hours: the idle limit is that of spectators.
	IsWatching bool
	// ShowsLists reports that the screen depends on the lobby's lists. ShowsTables reports that challenges
	// are visible on it.
	ShowsLists, ShowsTables bool
	// DrawsStatus reports that Draw draws the status line too, which notices, questions and input lines cover.
	DrawsStatus bool
	// CanFollow reports that the next match of the followed user may replace the screen now.
	CanFollow bool
}

// Base holds a screen's shell and implements the methods of Screen for screens that show nothing of the
// lobby's current state.
type Base struct{ Shell *Shell }

func (b Base) Refresh() tea.Cmd                  { return nil }
func (b Base) StatusLine() (string, paint.Style) { return "", paint.Style{} }
func (b Base) NextChange(time.Time) time.Time    { return time.Time{} }
func (b Base) Traits() Traits                    { return Traits{} }
func (b Base) Reopen() dest.Destination          { return nil }
func (b Base) Close()                            {}

// shell implements based.
func (b Base) shell() *Shell { return b.Shell }

// based is implemented by the screens that embed Base.
type based interface{ shell() *Shell }
