package op

import (
	"context"
	"strconv"
	"strings"

	"ayumu/lobby/vacation"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// Days is a number of days; 0 ends what lasts for days.
type Days int

// Kind implements Kind.
func (*Days) Kind() string { return "days" }

// ParseWord implements Kind.
func (d *Days) ParseWord(_ *Visit, word string) error {
	n, err := strconv.Atoi(word)
	if err != nil && !strings.EqualFold(word, "off") {
		return badRequest("enter a number of days, or off")
	}
	*d = Days(n)
	return nil
}

// VacationArgs are the arguments of Vacation.
type VacationArgs struct {
	Days *Days `json:"days" arg:"[DAYS|off]" help:"from now; off ends it; without it nothing changes"`
}

// Vacation begins the user's vacation or moves its end, ends it, or only returns it.
var Vacation = New(Spec[VacationArgs, vacation.Status]{
	Info: Info{
		Name: "vacation", Help: "take a vacation, which stops your clocks in correspondence games, or end it; alone: how many days you have left",
		Group: GroupPeople, Account: true, Effect: Changes, Session: true, On: On{Line: As("vacation"), Screen: As("account", "match")},
	},
	Run: func(ctx context.Context, v *Visit, in VacationArgs) (vacation.Status, error) {
		switch {
		case in.Days == nil:
			return v.Session.Vacation(), nil
		case *in.Days == 0:
			return v.Session.EndVacation(ctx)
		}
		return v.Session.BeginVacation(ctx, int(*in.Days))
	},
	Text: func(_ *Visit, _ VacationArgs, s vacation.Status) Text { return Say("%s", words.VacationStatus(s)) },
	JSON: func(_ *Visit, s vacation.Status) any {
		o := struct {
			Until   string `json:"until,omitempty"` // "": they are not on vacation
			Left    int    `json:"left"`            // days
			Allowed int    `json:"allowed"`         // days in a year
		}{Left: s.Left, Allowed: s.Allowed}
		if !s.Until.IsZero() {
			o.Until = jsonform.Time(s.Until)
		}
		return o
	},
})
