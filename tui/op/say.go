package op

import "context"

// ChatText is a line of chat. It is taken as it is typed, also what looks like a flag.
type ChatText string

// Kind implements Kind.
func (*ChatText) Kind() string { return "text" }

// ParseWord implements Kind.
func (t *ChatText) ParseWord(_ *Visit, word string) error {
	*t = ChatText(word)
	return nil
}

// isVerbatim implements verbatim.
func (*ChatText) isVerbatim() {}

// ChatArgs are the arguments of Chat.
type ChatArgs struct {
	Match      MatchID  `json:"match"` // "": the lobby, or the room of the tournament
	Tournament string   `json:"tournament"`
	Text       ChatText `json:"text" arg:"TEXT..."`
}

// Chat posts a line in the lobby, or in a match that the user plays or watches.
var Chat = New(Spec[ChatArgs, None]{
	Info: Info{Name: "say", Help: "chat: with the players or spectators of your game, otherwise with the lobby. Messages have the time in UTC", Group: GroupPlay, Effect: Changes, Session: true,
		On: On{SSH: Not("nobody can answer"), Screen: As("lobby t", "match t")}},
	Run: func(_ context.Context, v *Visit, in ChatArgs) (None, error) {
		if in.Tournament != "" {
			return None{}, v.Session.SayInTournament(in.Tournament, string(in.Text))
		}
		if in.Match == "" {
			return None{}, v.Session.Say(string(in.Text))
		}
		return None{}, v.Session.SayInMatch(string(in.Match), string(in.Text))
	},
	Text: func(*Visit, ChatArgs, None) Text { return Text{} }, // the line itself is printed
})
