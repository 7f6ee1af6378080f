package server_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"ayumu/tui/admin"
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
		"ana! unknown flag --loud",
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

// TestProtocolHasTheDeclarations holds the tables of docs/protocol.md against the declarations of the operations: how a
// command is typed and what it does, and the fields of a request. With -update it writes those columns anew; the last
// column is written by hand.
func TestProtocolHasTheDeclarations(t *testing.T) {
	const path = "../docs/protocol.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := op.NewOperations(append(op.All(), admin.All()...)...)
	lines := strings.Split(string(text), "\n")
	var got []string
	tables := 0
	for i := 0; i < len(lines); i++ {
		got = append(got, lines[i])
		isCommands, isAPI := lines[i] == "| command | what it does | more |", lines[i] == "| op | fields | answer |"
		if !isCommands && !isAPI {
			continue
		}
		tables++
		i++
		got = append(got, lines[i])
		var rows [][]string
		for ; i+1 < len(lines) && lines[i+1] != ""; i++ {
			rows = append(rows, cells(lines[i+1]))
		}
		if isCommands {
			rows = commandRows(all, rows)
		} else {
			describeFields(all, rows)
		}
		for _, r := range rows {
			got = append(got, strings.ReplaceAll("| "+strings.Join(r, " | ")+" |", "|  |", "| |"))
		}
	}
	switch now := strings.Join(got, "\n"); {
	case tables < 4:
		t.Errorf("found %d tables", tables)
	case now != string(text) && *update:
		if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	case now != string(text):
		t.Errorf("the tables are not what is declared; `go test ./server -run Protocol -update` writes them anew:\n%s", firstDifference(string(text), now))
	}
}

// cells returns the cells of a row of a table in Markdown.
func cells(row string) []string {
	const bar = "\x00"
	all := strings.Split(strings.ReplaceAll(row, `\|`, bar), "|")
	all = all[1 : len(all)-1]
	for i := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(all[i]), bar, `\|`)
	}
	return all
}

// commandRows returns the rows of all commands over SSH, with what was written by hand in the last cell of each.
func commandRows(all *op.Operations, old [][]string) (rows [][]string) {
	more := make(map[*op.Info]string)
	for _, r := range old {
		if o, _, _ := all.ForSSHWords(strings.Fields(strings.Trim(r[0], "`"))); o != nil {
			more[o.Info()] = r[2]
		}
	}
	for _, o := range all.All() {
		name := o.Info().On.SSH.Name(o.Info().Name)
		if name == "" {
			continue
		}
		usage, lines := o.Info().Usage(name), o.Info().Describe(name)
		lines[0] = strings.TrimPrefix(lines[0], usage+": ")
		escape := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
		rows = append(rows, []string{"`" + escape(usage) + "`", escape(strings.Join(lines, " ")), more[o.Info()]})
	}
	return rows
}

// describeFields writes the fields of each declared operation into the second cell of its row.
func describeFields(all *op.Operations, rows [][]string) {
	for _, r := range rows {
		o := all.ForAPI(strings.Trim(strings.Split(r[0], ",")[0], "`"))
		if o == nil || op.IsByHand(o) {
			continue
		}
		var fields []string
		for _, a := range o.Info().Args {
			f := "`" + a.Name + "`"
			if a.Optional && !a.Required {
				f += "?"
			}
			fields = append(fields, f)
		}
		r[1] = strings.Join(fields, ", ")
	}
}
