package clock

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for typed, want := range map[string]Control{
		"15+10":                   {Initial: 15 * time.Minute, Increment: 10 * time.Second},
		" 5 + 5 ":                 {Initial: 5 * time.Minute, Increment: 5 * time.Second},
		"0+20":                    {Increment: 20 * time.Second},
		"15":                      {Initial: 15 * time.Minute},
		"2d":                      {Days: 2},
		"1 day":                   {Days: 1},
		"30 Days":                 {Days: 30},
		"none":                    {},
		"no clock":                {},
		Default.String():          Default,
		Control{Days: 1}.String(): {Days: 1},
		Control{}.String():        {},
	} {
		got, err := Parse(typed)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", typed, got, err, want)
		}
	}
	for typed, why := range map[string]string{
		"":                      "is not a clock",
		"soon":                  "is not a clock",
		"0+0":                   "is not a clock",
		"-5+5":                  "is not a clock",
		"5+-5":                  "is not a clock",
		"0d":                    "is not a number of days",
		"xd":                    "is not a number of days",
		"31d":                   "days must be 1 to 30",
		"99999999999999+1":      "initial must be 0 to",
		"10+99999999999999":     "increment must be 0 to",
		"999999999999999999999": "is not a clock",
	} {
		if _, err := Parse(typed); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: error %v; want %q", typed, err, why)
		}
	}
}
