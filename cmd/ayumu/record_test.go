package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
)

// goodRecord returns the record in docs/records.md.
func goodRecord(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```\n[AyumuRecord")
	body, _, _ := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("docs/records.md shows no record")
	}
	return "[AyumuRecord" + body
}

func TestRecordCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := goodRecord(t)
	good := write("good", text)
	lie := write("lie", strings.Replace(text, `"0-1"`, `"1-0"`, 1))
	move := write("move", strings.Replace(text, "3. 0 a4-b4", "3. 0 a4-e4", 1))
	empty := write("empty", "")
	missing := filepath.Join(dir, "missing")
	const said = ": Ayu 5×5, pie · ana – bob · 15 turns · 0-1 immobile\n"
	for _, c := range []struct {
		name, stdin string
		args        []string
		out         string
		errs        []string
	}{
		{"a good one", "", []string{good}, good + said, nil},
		{"standard input", text, []string{"-"}, "-" + said, nil},
		{"a wrong result", "", []string{lie}, "", []string{lie + ":14: by the rules", "1 of 1 record is invalid"}},
		{"a wrong move", "", []string{move}, "", []string{move + ":19: a4-e4: "}},
		{"an empty one", "", []string{empty}, "", []string{empty + ":1: an empty line"}},
		{"none", "", []string{missing}, "", []string{missing, "no such file"}},
		{"a folder", "", []string{dir}, "", []string{dir + ": "}},
		{"all of them", "", []string{move, good, lie}, good + said, []string{move + ":19: ", lie + ":14: ", "2 of 3 records"}},
		{"as JSON", "", []string{good, lie, "--json"}, `{"file":"` + good + `","valid":true,"game":"ayu","options":{"size":5,"pie":true},"seats":["ana","bob"],"turns":15,"result":"0-1 immobile"}` + "\n" +
			`{"file":"` + lie + `","valid":false,"error":"` + lie + `:14: by the rules this must be \"0-1\""}` + "\n", []string{"1 of 2 records is invalid"}},
		{"no file", "", nil, "", []string{"usage: ayumu record check FILE..."}},
	} {
		out, errs, status := clitest.Run(t, c.stdin, append([]string{"record", "check"}, c.args...)...)
		want := 0
		if c.errs != nil {
			want = 1
		}
		if out != c.out || status != want || want == 0 && errs != "" {
			t.Errorf("%s: exit %d\n%s%s", c.name, status, out, errs)
		}
		for _, e := range c.errs {
			if !strings.Contains(errs, e) {
				t.Errorf("%s: %q is missing in\n%s", c.name, e, errs)
			}
		}
	}
}
