package op

import (
	"bytes"
	"context"

	"ayumu/lobby"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// RenameArgs are the arguments of Name.
type RenameArgs struct {
	Name string `json:"name" arg:"[NAME]" help:"the new one; without it nothing changes"`
}

// NameResult has the name of the user.
type NameResult struct {
	Name string `json:"name"`
}

// Name renames the user's account, or only returns its name.
var Name = New(Spec[RenameArgs, NameResult]{
	Info: Info{Name: "name", Help: "rename your account", Group: GroupPeople, Effect: Changes, Session: true, On: On{Line: Not("account name does it"), SSH: Not(atATerminal), Screen: As("account n")}},
	Run: func(ctx context.Context, v *Visit, in RenameArgs) (NameResult, error) {
		if in.Name != "" {
			if err := v.Session.OwnAccount().Rename(ctx, in.Name); err != nil {
				return NameResult{}, err
			}
		}
		return NameResult{v.Session.Account().Name}, nil
	},
	Text: func(_ *Visit, in RenameArgs, r NameResult) Text {
		if in.Name == "" {
			return Say("You are %s.", r.Name)
		}
		return Say("You are now %s. You can rename again tomorrow.", r.Name)
	},
})

// Keys lists the keys of the user's account.
var Keys = New(Spec[None, []lobby.Key]{
	Info: Info{Name: "keys", Help: "list your account's keys", Group: GroupPeople, Account: true, On: On{Line: Not("account lists them"), API: Not(atATerminal), Screen: As("account")}},
	Run: func(ctx context.Context, v *Visit, _ None) ([]lobby.Key, error) {
		return v.Lobby.Accounts.Keys(ctx, v.User().ID)
	},
	Text: func(v *Visit, _ None, all []lobby.Key) Text {
		rows := &Rows{Kind: RowKey, Columns: []Column{{}, {}, {}, {}}}
		for _, k := range all {
			inUse := ""
			if bytes.Equal(k.Wire, v.Key) {
				inUse = "in use"
			}
			rows.Rows = append(rows.Rows, Row{ID: string(k.Wire), Values: []string{k.Type(), k.Fingerprint(), "added " + words.Date(k.Added), inUse}})
		}
		return Text{Rows: rows}
	},
	JSON: func(v *Visit, all []lobby.Key) any {
		keys := make([]wire.Key, len(all))
		for i, k := range all {
			keys[i] = wire.Key{Type: k.Type(), Fingerprint: k.Fingerprint(), Added: wire.Time(k.Added), Current: bytes.Equal(k.Wire, v.Key)}
		}
		return struct {
			Keys []wire.Key `json:"keys"`
		}{keys}
	},
})
