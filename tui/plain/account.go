package plain

import (
	"context"
	"strings"

	"ayumu/tui/op"
)

// accountCommands change the user's account.
type accountCommands struct{ *session }

// account runs a command of the account, without one it prints the name and the keys.
func (t accountCommands) account(args string) {
	if t.visit.Session.Account().IsGuest() {
		t.printf("You are a guest: without an SSH key you have no account. To get one, run ssh-keygen -t ed25519 on your computer and reconnect.")
		return
	}
	name, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	switch name = strings.ToLower(name); {
	case name == "":
		t.printKeys()
	case name == "name" && rest != "":
		t.runOperation(op.Name, "account name", rest)
	case name == "key":
		t.addKey()
	case name == "remove":
		t.removeKey(rest)
	case name == "delete" && rest != "":
		t.delete(rest)
	default:
		t.printf("Usage: account, account name NAME, account key, account remove NUMBER, or account delete NAME.")
	}
}

// printKeys prints the account's name and its numbered keys.
func (t accountCommands) printKeys() {
	t.printf("You are %s. Each of these keys signs in to this account:", t.visit.Session.Account().Name)
	t.list(op.Keys)
}

// addKey prints a code with which another key is added.
func (t accountCommands) addKey() {
	var code string
	if t.call(func(ctx context.Context) (err error) {
		code, err = t.visit.Session.OwnAccount().LinkCode(ctx)
		return err
	}) {
		t.printf("Within 10 minutes, run this on the machine with the new key, which must have no account here:")
		t.printf("ssh %s link %s", t.config.SSHTarget, code)
	}
}

// removeKey removes a key of the last list after a confirmation.
func (t accountCommands) removeKey(number string) {
	key, ok := listedID(number, t.visit.Listed[op.RowKey])
	if !ok {
		t.printf("Type account, then account remove and the number of a key.")
		return
	}
	warning := "You are about to remove key " + number + "."
	if key == string(t.config.Key) {
		warning = "You are about to remove the key you are using; you could no longer sign in with it."
	}
	t.askConfirm(warning, func() {
		if t.call(func(ctx context.Context) error { return t.visit.Session.OwnAccount().RemoveKey(ctx, []byte(key)) }) {
			t.printf("Key removed.")
			t.printKeys()
		}
	})
}

// delete deletes the account with that name, which must be the user's own, after a confirmation.
func (t accountCommands) delete(name string) {
	if name != t.visit.Session.Account().Name {
		t.printf("That is not the account's name; nothing was deleted.")
		return
	}
	t.askConfirm("You are about to delete your account permanently; its games stay, under a neutral name.", func() {
		if t.call(t.visit.Session.OwnAccount().Delete) {
			t.printf("The account was deleted.")
			t.exit()
		}
	})
}
