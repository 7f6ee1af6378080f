package match

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

// watching shows a match to a spectator.
type watching struct{ live }

func newWatching(sh *screen.Shell, m *op.Match) *watching {
	v := new(watching)
	v.init(sh, m, v)
	return v
}

var watchingKeys = newKeyTable(slices.Concat(
	ofWatching(viewKeys), ofWatching(hintKeys),
	screen.Bindings[*watching]{
		{Key: screen.Keys("f", "f", "follow a player: their games open automatically"), Do: func(v *watching) tea.Cmd {
			return player.AskFollow(v.Shell, v.Snapshot.Info)
		}},
	},
	ofWatching(boardKeys(rankLive)), ofWatching(endKeys),
), ofWatching(lateKeys))

// ofWatching adapts bindings of the view.
func ofWatching(b screen.Bindings[*view]) screen.Bindings[*watching] {
	return screen.Part(func(v *watching) *view { return &v.view }, b)
}

// Handle implements screen.Screen.
func (v *watching) Handle(msg tea.Msg) tea.Cmd { return handle(v, &v.view, &watchingKeys, msg) }

// StatusKeys implements screen.Screen.
func (v *watching) StatusKeys() []game.Key { return statusKeys(v, &v.view, &watchingKeys) }

// Help implements screen.Screen.
func (v *watching) Help() screen.Help {
	p := v.help()
	p.Title = "Watching a game"
	p.About = "You see every turn as it is made. Spectators have a chat of their own; after the game, players and spectators see both."
	p.Keys = screen.ShownKeys(v.board, watchingKeys.all.Help(v))
	return p
}

// lines implements viewer.
func (v *watching) lines(now time.Time) []styledText {
	t := v.Shell.Style.Theme
	lines := v.positionLines()
	if lines == nil {
		lines = v.stateLines()
	}
	lines = append(lines, v.offerLines(now)...)
	if d := v.Snapshot.Info.Delay; d > 0 && !v.Snapshot.IsOver() && v.variation == nil {
		lines = append(lines, styledText{"This game is " + words.Delayed(d) + ".", t.Dim})
	}
	if v.Shell.Visit.IsFollowing() {
		lines = append(lines, styledText{"Following " + v.Shell.Visit.Followed() + ". Each new game opens automatically.", t.Dim})
	}
	return append(lines, styledText{})
}

// chat implements viewer.
func (v *watching) chat() tea.Cmd { return v.Shell.OpenChat("Message to spectators", v.Say) }

// footer implements viewer.
func (v *watching) footer() panelFooter {
	return v.chatFooter(&v.InLobby.SpectatorChat, "Spectator chat", "No messages yet. Press t to chat with the other spectators.")
}
