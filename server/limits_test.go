package server_test

import (
	"strings"
	"testing"

	"ayumu/lobby/limit"
	"ayumu/server/servertest"
)

// TestPeopleAndProgramsAreBoundedOverTheWire exceeds each limit of the lobby through a connection.
func TestPeopleAndProgramsAreBoundedOverTheWire(t *testing.T) {
	h := open(t)
	ana, bob, eve := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t)), h.program("eve", servertest.NewKey(t))
	table := object{"game": "ayu"}
	game := ana.must("open", table)["table"]
	bob.must("join", object{"table": game})
	match := bob.event("match")["match"]
	for _, c := range []struct {
		limit string
		set   func(l *limit.Limits)
		code  string
		try   func() object
	}{
		{limit.HitMatchesPerUser, func(l *limit.Limits) { l.MatchesPerUser = 1 }, "full", func() object {
			return bob.ask("join", object{"table": eve.must("open", table)["table"]})
		}},
		{limit.HitMatches, func(l *limit.Limits) { l.Matches = 1 }, "full", func() object {
			return ana.ask("join", object{"table": eve.must("open", table)["table"]})
		}},
		{limit.HitTablesPerUser, func(l *limit.Limits) { l.TablesPerUser = 2 }, "full", func() object { return eve.ask("open", table) }},
		{limit.HitTables, func(l *limit.Limits) { l.Tables = 2 }, "full", func() object { return ana.ask("open", table) }},
		{limit.HitWatchedPerSession, func(l *limit.Limits) { l.WatchedPerSession = 0 }, "full", func() object { return eve.ask("watch", object{"match": match}) }},
		{limit.HitBlocks, func(l *limit.Limits) { l.BlocksPerUser = 0 }, "full", func() object { return eve.ask("block", object{"name": "bob"}) }},
		{limit.HitChat, func(l *limit.Limits) { l.ChatRate, l.ChatBurst = 0.001, 1 }, "rate_limited", func() object {
			eve.must("say", object{"text": "one"})
			return eve.ask("say", object{"text": "two"})
		}},
		{limit.HitActions, func(l *limit.Limits) { l.ActionRate, l.ActionBurst = 0.001, 0 }, "rate_limited", func() object { return eve.ask("open", table) }},
		{limit.HitRequests, func(l *limit.Limits) { l.RequestRate, l.RequestBurst = 0.001, 0 }, "rate_limited", func() object { return eve.ask("ping", nil) }},
	} {
		limits := limit.Default()
		c.set(&limits)
		h.l.SetLimits(limits)
		if o := c.try(); o.code() != c.code {
			t.Errorf("%s: %v", c.limit, o)
		}
		if h.l.LimitHits.All()[c.limit] == 0 {
			t.Errorf("%s: not counted", c.limit)
		}
		h.l.SetLimits(limit.Default())
	}
	limits := limit.Default()
	limits.KeyRate, limits.KeyBurst = 500, 0 // each key at once is one too many, however slow the machine
	h.l.SetLimits(limits)
	p := h.terminal("guest", nil, "xterm-256color", "")
	p.waitFor("guest")
	p.keys("\r")
	p.waitFor("Open tables")
	p.keys(strings.Repeat("j", 50) + "?")
	p.waitFor("The lobby")
	p.keys("q") // is read when those before it have been counted
	p.waitFor("Open tables")
	if h.l.LimitHits.All()[limit.HitKeys] == 0 {
		t.Error("keys are not counted")
	}
}
