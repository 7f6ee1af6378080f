package front_test

import "testing"

func TestProgramBlocksSomebody(t *testing.T) {
	h := open(t)
	ana, bob := h.program("ana", newKey(t)), h.program("bob", newKey(t))
	ana.must("block", object{"name": "bob"})
	if o := ana.ask("block", object{"name": "bob"}); o.code() != "bad_request" {
		t.Errorf("blocked twice: %v", o)
	}
	if names, _ := ana.must("blocks", nil)["names"].([]any); len(names) != 1 || names[0] != "bob" {
		t.Errorf("ana blocks %v", names)
	}
	if o := bob.ask("open", object{"game": "ayu", "to": "ana"}); o.code() != "not_allowed" {
		t.Errorf("bob challenges ana: %v", o)
	}
	bob.must("say", object{"text": "first"})
	if got := bob.event("chat").text("text"); got != "first" {
		t.Errorf("bob hears himself say %q", got)
	}
	ana.must("unblock", object{"name": "bob"})
	bob.must("say", object{"text": "second"})
	bob.event("chat")
	// What was said before the block was lifted is told now, as on the screens, or left out; what
	// is said from now on is told.
	for got := ""; got != "second"; {
		got = ana.event("chat").text("text")
	}
}
