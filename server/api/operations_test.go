package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"ayumu/lobby/lobbytest"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// TestOperationsByHandAreDeclared holds what the API implements for itself against the declarations, in both directions.
func TestOperationsByHandAreDeclared(t *testing.T) {
	all := op.NewOperations(append(op.All(), admin.All()...)...)
	for name := range byHand {
		if o := all.ForAPI(name); o == nil || !op.IsByHand(o) {
			t.Errorf("%s is not declared as an operation by hand", name)
		}
	}
	for _, o := range all.All() {
		for _, name := range o.Info().On.API.All(o.Info().Name) {
			if op.IsByHand(o) && byHand[name] == nil {
				t.Errorf("there is no operation %s", name)
			}
		}
	}
}

// TestHelpListsTheOperations: programs get the same list as from the command help --json.
func TestHelpListsTheOperations(t *testing.T) {
	c := visitOf(lobbytest.Member(t, lobbytest.Open(t), "ana"))
	raw, err := json.Marshal(askVisit(t, c, `{"id":1,"op":"help"}`)[0]["operations"])
	var listed []op.Description
	if err == nil {
		err = json.Unmarshal(raw, &listed)
	}
	var all []op.Description
	for _, o := range c.Operations.All() {
		all = append(all, o.Info().Description())
	}
	got, _ := json.Marshal(listed)
	if want, _ := json.Marshal(all); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the operation help has %d operations, not all %d as they are described: %v\n%.300s", len(listed), len(all), err, got)
	}
}

// TestFieldsThatAreRequired asks for each operation without the fields that it is declared to need.
func TestFieldsThatAreRequired(t *testing.T) {
	c := visitOf(lobbytest.Member(t, lobbytest.Open(t), "ana"))
	for _, o := range c.Operations.All() {
		i := o.Info()
		name := i.On.API.Name(i.Name)
		needs := slices.ContainsFunc(i.Args, func(a op.Arg) bool { return a.Required || !a.Optional })
		if name == "" || !needs || i.Permission != "" || op.IsByHand(o) {
			continue
		}
		if answer := askVisit(t, c, fmt.Sprintf(`{"id":1,"op":%q}`, name))[0]; answer["ok"] != false {
			t.Errorf("%s needs none of its arguments: %v", name, answer)
		}
	}
}
