package api

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/lobby/lobbytest"
)

// TestFieldErrorsNameTheFieldAndNoGoType gives fields values of wrong types: the answer names the field
// and what it takes, and nothing of the program's own.
func TestFieldErrorsNameTheFieldAndNoGoType(t *testing.T) {
	l := lobbytest.Open(t)
	s, err := l.Enter(l.Accounts.NewGuest(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(false)
	ours := regexp.MustCompile(`(?i)json: |\bgo\b|unmarshal|struct|\bint\b|bool|\[\]string|control`)
	for line, want := range map[string]string{
		`{"id":1,"op":"open","game":5}`:                                             "game must be a string, not a number",
		`{"id":1,"op":"open","game":"ayu","rated":"yes"}`:                           "rated must be true or false, not a string",
		`{"id":1,"op":"bot","game":"ayu","level":6}`:                                "a level is 0 to 5",
		`{"id":1,"op":"bot","game":"ayu","level":-1}`:                               "a level is 0 to 5",
		`{"id":1,"op":"fill","table":"x","level":6}`:                                "a level is 0 to 5",
		`{"id":1,"op":"bot","game":"ayu","level":1.5}`:                              "level must be an integer, not a number with a fraction or out of range",
		`{"id":1,"op":"act","version":` + strings.Repeat("9", 1000) + `}`:           "version must be an integer, not a number with a fraction or out of range",
		`{"id":1,"op":"act","actions":"b1-b2"}`:                                     "actions must be an array of strings, not a string",
		`{"id":1,"op":"act","actions":[{}]}`:                                        "actions must be an array of strings, not an object",
		`{"id":1,"op":"watch","from":[]}`:                                           "from must be an integer, not an array",
		`{"id":1,"op":"say","text":true}`:                                           "text must be a string, not true or false",
		`{"id":1,"op":"open","game":"ayu","clock":7}`:                               "a clock must be",
		`{"id":1,"op":"open","game":"mu","options":{"players":"two"}}`:              "players must be a whole number, not a JSON string",
		`{"id":1,"op":"open","game":"mu","options":{"min":1e99}}`:                   "min must be a whole number, not a JSON number",
		`{"id":1,"op":"open","game":"mu","options":[]}`:                             "the options of Mu must be an object",
		`{"id":1,"op":"open","game":"ayu","options":{"size":"big","unknown":true}}`: "size must be an odd number",
	} {
		got := askAll(t, s, line)[0]
		message, _ := got["error"].(map[string]any)["message"].(string)
		if errorCode(got) != "bad_request" || !strings.Contains(message, want) || ours.MatchString(message) {
			t.Errorf("%.80s: %v", line, got)
		}
	}
}

// TestFieldsOfAMatchAreReserved compares the fields that snapshotFields and addOutcome set with those that a game may
// not use for its details.
func TestFieldsOfAMatchAreReserved(t *testing.T) {
	source, err := os.ReadFile("request.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, function := range []string{"snapshotFields", "(f fields) addOutcome"} {
		_, body, ok := strings.Cut(string(source), "\nfunc "+function+"(")
		if !ok {
			t.Fatalf("request.go has no %s", function)
		}
		body, _, _ = strings.Cut(body, "\n}\n")
		for _, m := range regexp.MustCompile(`f\["(\w+)"\]|"(\w+)":`).FindAllStringSubmatch(body, -1) {
			found++
			if name := m[1] + m[2]; !slices.Contains(engine.MatchFields, name) {
				t.Errorf("%s sets %q, which engine.MatchFields lacks", function, name)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d fields were found", found)
	}
}
