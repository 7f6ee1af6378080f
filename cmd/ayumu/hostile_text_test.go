package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayumu/server/servertest"
)

// hostileJSON are texts that nothing has, as JSON strings. Those with a control character are refused.
var hostileJSON = []struct {
	text      string
	isRefused bool
}{
	{`\u0000`, true}, {`a\u0000b`, true}, {`a\u001b[2J`, true}, {`a\nb`, true}, {`a\u0085`, true}, {"a\u009bb", true}, {`\u007f`, true},
	{`a\ud800`, false}, {`a\u202eb`, false}, {`\ufeff`, false}, {`\u3164`, false}, {`😀`, false}, {`'; DROP TABLE accounts; --`, false},
	{strings.Repeat("é", 3000), false},
}

// hostileFields are the fields of operations that look for something that has a name or an id.
var hostileFields = []string{
	"name.name", "profile.name", "games.player", "games.before", "record.match", "watch.match", "watch.code", "unwatch.match", "say.match",
	"block.name", "unblock.name", "report.name", "conditions.match", "analysis.match", "hint.match", "legal.match", "act.match", "join.table",
	"join.code", "open.to", "open.game", "top.game", "puzzle.puzzle", "answer.puzzle", "read.announcement", "notifications.code", "reports.after",
}

// TestHostileTextIsNoFailure: a server answers in the same way on both databases, and the operator hears nothing of it.
func TestHostileTextIsNoFailure(t *testing.T) {
	var answers [2][]string
	for i, args := range [][]string{nil, {"--store", postgresStore(t)}} {
		p := start(t, t.TempDir(), args...)
		key := servertest.NewKey(t)
		a := p.api(t, "ana", key)
		ask := func(op, fields string) apiLine {
			if _, err := fmt.Fprintf(a.in, `{"id":"x","op":%q,"version":0,"text":"x",%s}`+"\n", op, fields); err != nil {
				t.Fatal(err)
			}
			return a.next("the answer to "+op, func(l apiLine) bool { return l.Re == "x" })
		}
		for _, where := range append(hostileFields, "notifications.receiver") {
			op, field, _ := strings.Cut(where, ".")
			for _, h := range hostileJSON {
				fields := fmt.Sprintf(`%q:"%s"`, field, h.text)
				if field == "receiver" {
					fields, field = fmt.Sprintf(`"receiver":{"kind":"webhook","address":"%s"}`, h.text), "address"
				}
				l := ask(op, fields)
				answers[i] = append(answers[i], fmt.Sprintf("%s %.20s: %v %s %s", where, h.text, l.OK, l.Error.Code, l.Error.Message))
				switch {
				case h.isRefused && (l.Error.Code != "bad_request" || !strings.Contains(l.Error.Message, field+" has a control character")):
					t.Errorf("%s of %q: %+v", where, h.text, l)
				case l.Error.Code == "unavailable" || len(l.Error.Message) > 300:
					t.Errorf("%s of %.40q: %+v", where, h.text, l)
				}
				field = strings.TrimPrefix(where, op+".")
			}
		}
		if l := ask("say", `"text":"a\u0000\u001bb\nc"`); !l.OK {
			t.Errorf("a text with control characters: %+v", l)
		}
		for range 300 { // some are over the budget
			ask("profile", `"name":"\u0000"`)
		}
		for _, command := range []string{"record \x00", "games a\x00b", "games \x1b[2J", "games \u009b", "games \xff", "games \u202e", "watch \U0001f600"} {
			if out, status := p.runAs("ana", key, command); status != 1 || strings.Contains(out, "server") {
				t.Errorf("ssh HOST %q: exit %d, %s", command, status, out)
			}
		}
		p.kill()
		if log := p.logs.String(); strings.Contains(log, "ERRO") {
			t.Errorf("the log is\n%.3000s", log)
		}
	}
	if !slices.Equal(answers[0], answers[1]) {
		for i, got := range answers[1] {
			if answers[0][i] != got {
				t.Errorf("SQLite: %s\nPostgreSQL: %s", answers[0][i], got)
			}
		}
	}
}
