package api

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// TestProtocolIsDocumented looks up every operation, request field, error code and event in
// docs/protocol.md, so that none is added without being described there.
func TestProtocolIsDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n## 2. API\n")
	text, _, _ = strings.Cut(text, "\n## 3. ")
	// A name stands in a row of a table, in its first cell or among its fields.
	rows := make(map[string]bool)
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "| ") {
			first, _, _ := strings.Cut(line[2:], " | ")
			for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(first, -1) {
				rows[name[1]] = true
			}
		}
	}
	for _, o := range append(op.All(), admin.All()...) {
		for _, name := range o.Info().On.API.All(o.Info().Name) {
			if !rows[name] {
				t.Errorf("the operation %s is not described", name)
			}
			for _, a := range o.Info().Args {
				if !op.IsByHand(o) && !strings.Contains(text, "`"+a.Name+"`") {
					t.Errorf("the field %s of %s is not described", a.Name, name)
				}
			}
		}
	}
	for _, code := range []errcode.Code{
		errcode.BadRequest, errcode.UnknownTable, errcode.UnknownMatch, errcode.UnknownTournament, errcode.Closed, errcode.NotAllowed, errcode.GameOver, errcode.StaleVersion,
		errcode.NotYourTurn, errcode.IllegalAction, errcode.RateLimited, errcode.Full, errcode.Unavailable,
	} {
		if !rows[string(code)] {
			t.Errorf("the code %s is not described", code)
		}
	}
	for _, kind := range []string{
		string(table.EventDeclined), string(table.EventExpired), string(table.EventWithdrawn),
		string(match.EventOffered), string(match.EventAgreed), string(match.EventRefused), string(match.EventWithdrawn), string(match.EventVoted),
	} {
		if !rows[kind] {
			t.Errorf("the event %s is not described", kind)
		}
	}
	for _, reason := range []string{
		string(match.UnratedAborted), string(match.UnratedShort), string(match.UnratedAccount), string(match.UnratedRepeated),
		string(match.UnratedUnknown), string(match.AbortPlayer), string(match.AbortFirstTurn), string(match.AbortIdle), string(match.AbortEvicted), string(match.AbortNobody), string(match.AbortRuled),
		match.LeftResigned, match.LeftTime, match.LeftAbsent,
	} {
		if !strings.Contains(text, "`"+reason+"`") {
			t.Errorf("the reason %s is not described", reason)
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[request]()) {
		if name := field.Tag.Get("json"); !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the field %s is not described", name)
		}
	}
	limits := limit.Default()
	for what, value := range map[string]string{
		"sessions of one person":           fmt.Sprint(limits.SessionsPerUser),
		"open tables of one person":        fmt.Sprint(limits.TablesPerUser),
		"unfinished matches of one person": fmt.Sprint(limits.MatchesPerUser),
		"matches watched by one session":   fmt.Sprint(limits.WatchedPerSession),
		"people blocked by one person":     fmt.Sprint(limits.BlocksPerUser),
		"lines of chat by one person":      fmt.Sprintf("%v a second, bursts of %d", limits.ChatRate, limits.ChatBurst),
	} {
		if !strings.Contains(text, "\n| "+what+" | "+value+" |") {
			t.Errorf("the limit %q is not described as %s", what, value)
		}
	}
	events := 0
	for _, file := range []string{"api.go", "bulletin.go", "events.go", "request.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"event"(?:: |\][^=]*= )"([a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
			if events++; !rows[m[1]] {
				t.Errorf("the event %s is not described", m[1])
			}
		}
	}
	if events < 9 {
		t.Errorf("found only %d events", events)
	}
}
