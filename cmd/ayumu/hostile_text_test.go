package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ayumu/lobby/sanitize"
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
				case h.isRefused && (l.Error.Code != "bad_request" || l.Error.Message != field+" must be an id" && !strings.Contains(l.Error.Message, field+" has a control character")):
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

// TestErrorsRepeatLittleOfTheInput: what an error repeats is cut and clean, in the API and in commands.
func TestErrorsRepeatLittleOfTheInput(t *testing.T) {
	p := start(t, t.TempDir())
	key := servertest.NewKey(t)
	a := p.api(t, "ana", key)
	match := a.ask("bot", `,"game":"ayu","options":{"size":11,"pie":false},"clock":{"days":3}`).Match
	isClean := func(text string) bool {
		return sanitize.Line(text, len(text)) == strings.TrimSpace(text)
	}
	hostile := []string{strings.Repeat("é", 20_000), `a\u001b[2Jb`, `\u202eabc\u200b`, "z" + strings.Repeat("\u0301\u0302", 20), `\u009b`, `\u0000`}
	for _, h := range hostile {
		for op, fields := range map[string]string{
			"act": `"version":0,"actions":["%s"]`, "legal": `"actions":["%s"]`, "hint": `"actions":["%s"]`, "condition": `"version":0,"turns":[["%s"],["b1-b2"]]`,
			"analysis": `"actions":["%s"]`, "claim": `"kind":"%s"`, "open": `"game":"ayu","options":{"size":"%s"}`, "answer": `"actions":["%s"]`,
			"top": `"game":"%s"`, "watch": `"code":"%s"`,
		} {
			fmt.Fprintf(a.in, `{"id":"x","op":%q,"match":%q,%s}`+"\n", op, match, fmt.Sprintf(fields, h))
			l := a.next("the answer to "+op, func(l apiLine) bool { return l.Re == "x" })
			if n := utf8.RuneCountInString(l.Error.Message); n > 200 || !isClean(l.Error.Message) {
				t.Errorf("%s of %.40q: %d characters, %q", op, h, n, l.Error.Message)
			}
		}
	}
	for _, word := range []string{"\u202eabc\u200b", "z" + strings.Repeat("\u0301\u0302", 20), strings.Repeat("é", 1500), "b1-b2;\ufeff" + strings.Repeat("x", 500)} {
		for _, command := range []string{"puzzle", "record", "games", "top", "vacation", "conditions " + match, "report ana", "link", "replay", "notifications"} {
			out, _ := p.runAs("ana", key, command+" "+word)
			if n := utf8.RuneCountInString(out); n > 500 || !isClean(strings.ReplaceAll(strings.ReplaceAll(out, "\n", " "), "  ", " ")) {
				t.Errorf("ssh HOST %s %.40q: %d characters, %q", command, word, n, out)
			}
		}
	}
}
