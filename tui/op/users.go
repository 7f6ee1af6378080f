package op

import (
	"context"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// Users lists who is online.
var Users = New(Spec[None, *lobby.View]{
	Info: Info{Name: "users", Help: "list who is online", Group: GroupFind, On: On{Line: As("who"), SSH: As("who"), Screen: As("lobby")}},
	Run:  func(_ context.Context, v *Visit, _ None) (*lobby.View, error) { return v.Lobby.View(), nil },
	Text: func(v *Visit, _ None, l *lobby.View) Text {
		rows := &Rows{Columns: []Column{{}, {}, {}, {}, {TableOnly: true}}}
		for u := range l.Users.All() {
			bot, ratings, playing := "", []string{}, ""
			if u.Bot {
				bot = "a bot"
			}
			for _, pool := range words.RatingPools(v.Games) {
				if r, ok := u.Ratings[pool.Key]; ok {
					ratings = append(ratings, pool.Key+" "+words.Rating(r))
				}
			}
			if u.Match != "" {
				playing = "playing"
			}
			rows.Rows = append(rows.Rows, Row{Values: []string{words.BotName(u.Name, v.Bots.Level(u.ID)), bot, strings.Join(ratings, ", "), playing, u.Match}})
		}
		return Text{Lines: []string{words.Online(l.Users) + ":"}, Rows: rows}
	},
	JSON: func(v *Visit, l *lobby.View) any {
		return struct {
			Users any `json:"users"`
		}{v.Answers.users.get(l, func(l *lobby.View) any { return jsonform.Users(l, v.Bots) })}
	},
})

// VersionResult has the version of the server.
type VersionResult struct {
	Version string `json:"version"`
}

// Version returns the version of the server.
var Version = New(Spec[None, VersionResult]{
	Info: Info{Name: "version", Help: "print the server's version", Group: GroupProgram,
		On: On{Line: Not("ssh HOST version prints it"), API: Not("the event welcome has it"), Screen: Not("the host knows it")}},
	Run:  func(_ context.Context, v *Visit, _ None) (VersionResult, error) { return VersionResult{v.Version}, nil },
	Text: func(_ *Visit, _ None, r VersionResult) Text { return Say("ayumu %s", r.Version) },
})
