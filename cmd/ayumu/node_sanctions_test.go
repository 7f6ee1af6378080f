package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/server/servertest"
)

// The limits of the time from a moderator's command to its effect on another node. The aims are 200 ms with NATS, and
// 2 s without; the limits are those of a busy machine.
const (
	sanctionLimit        = 2 * time.Second
	sanctionLimitPolling = 4 * time.Second
)

// TestSanctionsHoldOnAllNodes: the operator of one node mutes and bans users whose sessions are on another. It prints
// after which time the chat of the muted is refused, and the session of the banned has ended.
func TestSanctionsHoldOnAllNodes(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 1
	}
	for _, c := range []struct {
		name, nats string
		limit      time.Duration
	}{{"NATS", startNATS(t).URL(), sanctionLimit}, {"polling", "", sanctionLimitPolling}} {
		t.Run(c.name, func(t *testing.T) {
			url, key := postgresStore(t), makeHostKey(t)
			startNode := func(dir, name string) *process {
				return start(t, dir, "--store", url, "--node", name, "--nats", c.nats, "--limits-chat", "100", "--limits-chat-burst", "1000")
			}
			moderated := folderWith(t, key)
			startNode(moderated, "a")
			node := startNode(folderWith(t, key), "b")
			order := func(words ...string) (given time.Time) {
				t.Helper()
				given = time.Now()
				if out, err := askAdmin(moderated, words); err != nil {
					t.Fatalf("%q: %s%v", words, out, err)
				}
				return given
			}
			var muted, banned []time.Duration
			for round := range rounds {
				name := fmt.Sprint("bob", round)
				bob := node.api(t, name, servertest.NewKey(t))
				bob.ask("say", `,"text":"hello"`)
				given := order("mute", name, "1h", "noise")
				servertest.Until(t, "the mute", bob.isMuted)
				muted = append(muted, time.Since(given))
				given = order("ban", name, "1h", "cheating")
				for range bob.lines { // until the session has ended
				}
				banned = append(banned, time.Since(given))
			}
			for what, times := range map[string][]time.Duration{"chat is refused": muted, "the session has ended": banned} {
				t.Logf("%s on another node, p50 / p99 / max after the command: %s", what, quantiles(times))
				if slowest := slices.Max(times); slowest > c.limit {
					t.Errorf("%s on another node %v after the command", what, slowest)
				}
			}
		})
	}
}

// isMuted writes a line in the lobby and reports whether it is refused because its author is muted.
func (a *apiClient) isMuted() bool {
	a.t.Helper()
	if _, err := fmt.Fprintln(a.in, `{"id":"say","op":"say","text":"hello"}`); err != nil {
		a.t.Fatal(err)
	}
	l := a.next("the answer", func(l apiLine) bool { return l.Re == "say" })
	return !l.OK && strings.Contains(l.Error.Message, "muted")
}
