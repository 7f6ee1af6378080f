package lobby_test

import (
	"testing"

	"ayumu/lobby"
)

// TestTheSameChallengeTwice: a second identical challenge is refused, a different one is not.
func TestTheSameChallengeTwice(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		h.member("cleo")
		first, err := ana.Tables().Open(t.Context(), lobby.Proposal{Game: "ayu", Options: smallOptions, To: "bob"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = ana.Tables().Open(t.Context(), lobby.Proposal{Game: "ayu", Options: smallOptions, To: "Bob"})
		wantCode(t, "the same again", err, lobby.CodeNotAllowed)
		for _, p := range []lobby.Proposal{
			{Game: "ayu", Options: smallOptions, To: "cleo"},
			{Game: "ayu", Options: []byte(`{"size":7}`), To: "bob"},
			{Game: "mu", To: "bob"},
		} {
			if _, err := ana.Tables().Open(t.Context(), p); err != nil {
				t.Errorf("another challenge: %v", err)
			}
		}
		if err := bob.Tables().Decline(first.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := ana.Tables().Open(t.Context(), lobby.Proposal{Game: "ayu", Options: smallOptions, To: "bob"}); err != nil {
			t.Errorf("after an answer: %v", err)
		}
	})
}
