package op

import (
	"bytes"
	"context"
	"strings"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// RenameArgs are the arguments of Name.
type RenameArgs struct {
	Name string `json:"name" arg:"[NAME]" help:"the new name; without it nothing changes"`
}

// NameResult has the name of the user.
type NameResult struct {
	Name string `json:"name"`
}

// Name renames the user's account, or only returns its name.
var Name = New(Spec[RenameArgs, NameResult]{
	Info: Info{
		Name:    "name",
		Help:    "rename your account",
		Group:   GroupPeople,
		Effect:  Changes,
		Session: true,
		Offline: true,
		On:      On{Line: As("account name"), SSH: Not(atATerminal), Screen: As("account")},
	},
	Run: func(ctx context.Context, v *Visit, in RenameArgs) (NameResult, error) {
		if in.Name != "" {
			if err := v.Session.RenameAccount(ctx, in.Name); err != nil {
				return NameResult{}, err
			}
		}
		return NameResult{v.Session.Account().Name}, nil
	},
	Text: func(_ *Visit, in RenameArgs, r NameResult) Text {
		if in.Name == "" {
			return Say("You are %s.", r.Name)
		}
		return Say("You are now %s. You can change your name again tomorrow.", r.Name)
	},
})

// Keys lists the keys of the user's account.
var Keys = New(Spec[None, []account.Key]{
	Info: Info{Name: "keys", Help: "list your account's keys", Group: GroupPeople, Account: true, On: On{Line: Not("account lists them"), API: Not(atATerminal), Screen: As("account")}},
	Run: func(ctx context.Context, v *Visit, _ None) ([]account.Key, error) {
		return v.Lobby.Accounts.Keys(ctx, v.User().ID)
	},
	Text: func(v *Visit, _ None, all []account.Key) Text { return Text{Rows: v.keyRows(all)} },
	JSON: keysJSON,
})

// keyRows lists keys.
func (v *Visit) keyRows(all []account.Key) *Rows {
	rows := &Rows{Kind: RowKey, Columns: []Column{{}, {}, {}, {}}}
	for _, k := range all {
		inUse := ""
		if bytes.Equal(k.Wire, v.Key) {
			inUse = "in use"
		}
		rows.Rows = append(rows.Rows, Row{ID: string(k.Wire), Values: []string{k.Type(), k.Fingerprint(), "added " + words.Date(k.Added), inUse}})
	}
	return rows
}

func keysJSON(v *Visit, all []account.Key) any {
	keys := make([]jsonform.Key, len(all))
	for i, k := range all {
		keys[i] = jsonform.Key{Type: k.Type(), Fingerprint: k.Fingerprint(), Added: jsonform.Time(k.Added), Current: bytes.Equal(k.Wire, v.Key)}
	}
	return struct {
		Keys []jsonform.Key `json:"keys"`
	}{keys}
}

// accountInfo describes an operation of a person at a terminal on their account.
func accountInfo(name, help string, e Effect, key string) Info {
	return Info{Name: strings.ReplaceAll(name, " ", "_"), Help: help, Group: GroupPeople, Account: true, Effect: e, Session: true,
		On: On{Line: As(name), SSH: Not(atATerminal), API: Not(atATerminal), Screen: As(key)}}
}

// Account describes the user's account, with its keys.
var Account = New(Spec[None, []account.Key]{
	Info: Info{Name: "account", Help: "show your name and keys", Group: GroupPeople, Account: true,
		On: On{SSH: Not("keys lists the keys"), API: Not("name has the name"), Screen: As("account", "settings")}},
	Run:  Keys.spec.Run,
	Text: accountText,
	JSON: keysJSON,
})

func accountText(v *Visit, _ None, all []account.Key) Text {
	return Text{Lines: []string{"You are " + v.User().Name + ". Each of these keys signs in to this account:"}, Rows: v.keyRows(all)}
}

// LinkCode returns a code with which another key is added (Link).
var LinkCode = New(Spec[None, string]{
	Info: accountInfo("account key", "get a code that adds another key", Changes, "account"),
	Run: func(ctx context.Context, v *Visit, _ None) (string, error) {
		return v.Session.LinkCode(ctx)
	},
	Text: func(v *Visit, _ None, code string) Text {
		return Text{Lines: []string{"Within 10 minutes, run this on the machine with the new key, which must have no account here:", "ssh " + v.SSHTarget + " link " + code}}
	},
})

// ListedKey is a key of the account in SSH wire format. It is typed as its number in the last list.
type ListedKey []byte

// Kind implements Kind.
func (*ListedKey) Kind() string { return "number" }

// ParseWord implements Kind.
func (k *ListedKey) ParseWord(v *Visit, word string) error {
	wire, ok := v.Numbered(RowKey, word)
	if !ok {
		return badRequest("%q is not the number of a key; account lists them", sanitize.Line(word, 20))
	}
	*k = ListedKey(wire)
	return nil
}

// RemoveKeyArgs are the arguments of RemoveKey.
type RemoveKeyArgs struct {
	Key ListedKey `json:"key" arg:"NUMBER" help:"from the list that account prints"`
}

// RemoveKey removes a key from the account, and returns those that remain.
var RemoveKey = New(Spec[RemoveKeyArgs, []account.Key]{
	Info: accountInfo("account remove", "remove a key from your account", Final, "account x"),
	Confirm: func(v *Visit, in RemoveKeyArgs) (string, error) {
		if bytes.Equal(in.Key, v.Key) {
			return "You are about to remove the key you are using; you could no longer sign in with it.", nil
		}
		return "You are about to remove the key " + account.Key{Wire: in.Key}.Fingerprint() + ".", nil
	},
	Run: func(ctx context.Context, v *Visit, in RemoveKeyArgs) ([]account.Key, error) {
		if err := v.Session.RemoveKey(ctx, in.Key); err != nil {
			return nil, err
		}
		return Keys.run(ctx, v, None{})
	},
	Text: func(v *Visit, _ RemoveKeyArgs, left []account.Key) Text {
		t := accountText(v, None{}, left)
		t.Lines = append([]string{"Key removed."}, t.Lines...)
		return t
	},
})

// DeleteAccount deletes the account with a name, which must be the user's own.
var DeleteAccount = New(Spec[NameArgs, None]{
	Info: accountInfo("account delete", "delete your account permanently; its games stay, under a neutral name", Final, "account"),
	Confirm: func(v *Visit, in NameArgs) (string, error) {
		return "You are about to delete your account permanently; its games stay, under a neutral name.", in.checkOwn(v)
	},
	Run: func(ctx context.Context, v *Visit, in NameArgs) (None, error) {
		if err := in.checkOwn(v); err != nil {
			return None{}, err
		}
		return None{}, v.Session.DeleteAccount(ctx)
	},
	Text: func(*Visit, NameArgs, None) Text { return Say("The account was deleted.") },
})

// checkOwn returns an error unless the name is the user's own.
func (in NameArgs) checkOwn(v *Visit) error {
	if in.Name != v.User().Name {
		return badRequest("that is not the account's name; nothing was deleted")
	}
	return nil
}

// LinkArgs are the arguments of Link.
type LinkArgs struct {
	Code string `json:"code" arg:"CODE" help:"the account shows it when you are signed in with its other key"`
}

// Link adds the visitor's key to the account that has shown a code, and returns that account.
var Link = New(Spec[LinkArgs, account.Account]{
	Info: Info{Name: "link", Help: "add this key to the account that showed the code", Group: GroupPeople, Effect: Changes,
		On: On{Line: Not("it is for a key without an account"), API: Not(atATerminal), Screen: Not("it is for a key without an account")}},
	Run: func(ctx context.Context, v *Visit, in LinkArgs) (account.Account, error) {
		if v.Key == nil {
			return account.Account{}, &errcode.Error{Code: errcode.NotAllowed, Message: "you connected without a key; connect with the key that you want to add"}
		}
		return v.Lobby.Accounts.Link(ctx, in.Code, v.Key, v.Addr)
	},
	Text: func(_ *Visit, _ LinkArgs, a account.Account) Text {
		return Say("This key now signs in to the account %s.", a.Name)
	},
	JSON: func(_ *Visit, a account.Account) any { return NameResult{a.Name} },
})
