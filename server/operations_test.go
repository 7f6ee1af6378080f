package server_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"ayumu/tui/op"
)

// echoArgs are the arguments of an operation that exists only here.
type echoArgs struct {
	Times *int   `json:"times" arg:"times=NUMBER" help:"how often"`
	Text  string `json:"text" arg:"TEXT..."`
}

type echoResult struct {
	Echo string `json:"echo"`
}

var echo = op.New(op.Spec[echoArgs, echoResult]{
	Info: op.Info{Name: "echo", Help: "repeat a text", Group: op.GroupProgram, Account: true, On: op.On{Screen: op.Not("a test has none")}},
	Confirm: func(_ *op.Visit, in echoArgs) (string, error) {
		if in.Times != nil && *in.Times > 2 {
			return "That is long.", nil
		}
		return "", nil
	},
	Run: func(_ context.Context, _ *op.Visit, in echoArgs) (echoResult, error) {
		n := 1
		if in.Times != nil {
			n = *in.Times
		}
		return echoResult{strings.Repeat(in.Text, n)}, nil
	},
	Text: func(_ *op.Visit, _ echoArgs, r echoResult) op.Text { return op.Say("%s.", r.Echo) },
})

// TestAnOperationIsDeclaredOnce declares an operation and finds it in line mode, over SSH, in the API, in help and in
// completion.
func TestAnOperationIsDeclaredOnce(t *testing.T) {
	const script = `without bots puzzles notifications club
ana: api
ana> {"id":1,"op":"echo","text":"ha","times":2}
ana> {"id":2,"op":"echo","text":7}
ana: end
ana$ echo ha
ana$ echo times=3 ha
ana$ echo --yes times=3 ha
ana$ echo --json ha
ana$ echo --loud ha
ana$ echo -- --loud
ana$ echo
ana$ ecko
ana$ help
ana$ help echo
guest$ echo ha
ana: line
ana> ech	ha
ana> echo times=3 ha
ana> yes
ana> echo times=x ha
ana> help echo
ana> help`
	var got string
	var err error
	synctest.Test(t, func(t *testing.T) { got, err = playEvening(t, script, echo) })
	if err != nil {
		t.Fatal(err)
	}
	rest := got
	for _, want := range []string{
		`ana< {"echo":"haha","ok":true,"re":1}`,
		`"code":"bad_request","message":"text must be a string, not a number"`,
		"ana$ echo ha\nana< ha.\n",
		"ana! That is long. Add --yes to confirm.\nana= exit status 1",
		"ana< hahaha.\n",
		`ana< {"echo":"ha"}`,
		"ana! there is no flag --loud",
		"ana< --loud.\n",
		"ana! usage: echo [times=NUMBER] TEXT\n",
		`ana! unknown command "ecko" (did you mean echo?); `,
		", echo",
		"ana< echo [times=NUMBER] TEXT: repeat a text.\nana< [times=NUMBER]: how often.\nana< It needs an account.\n",
		"guest! you have no account here",
		"ana< ha.\n",
		"ana< That is long. Type yes to confirm.",
		"ana< hahaha.\n",
		`ana< Error: times must be a number, not "x".`,
		"ana< echo [times=NUMBER] TEXT: repeat a text.\n",
		"ana< echo [times=NUMBER] TEXT: repeat a text.\n",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Errorf("%q is not in\n%s\nafter what came before, in\n%s", want, rest, got)
			continue
		}
		rest = after
	}
}
