package op

import (
	"strings"
	"testing"
)

func TestDestinationsAreParsed(t *testing.T) {
	for text, want := range map[string]StartPoint{
		"":               {},
		"watch m1":       {Kind: ToMatch, ID: "m1"},
		"watch m1 c0de":  {Kind: ToMatch, ID: "m1", Code: "c0de"},
		"join t1":        {Kind: ToTable, ID: "t1"},
		"join t1 c0de":   {Kind: ToTable, ID: "t1", Code: "c0de"},
		"replay m1":      {Kind: ToReplay, ID: "m1"},
		"replay m1 c0de": {Kind: -1},
		"watch":          {Kind: -1},
		"watch a b c":    {Kind: -1},
		"tables":         {Kind: -1},
		"tables --json":  {Kind: -1},
	} {
		d, ok := ParseStartPoint(strings.Fields(text))
		if ok != (want.Kind >= 0) || ok && d != want {
			t.Errorf("%q is parsed as %+v, %v; want %+v", text, d, ok, want)
		}
	}
}
