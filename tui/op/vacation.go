package op

import (
	"context"
	"strconv"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/vacation"
)

// ChangeVacation begins a vacation of a number of days, ends it with "off", or changes nothing with "", and returns the
// vacation as it is then.
func ChangeVacation(ctx context.Context, own vacation.Own, text string) (vacation.Status, error) {
	days, err := strconv.Atoi(text)
	switch {
	case text == "":
		return own.Status(), nil
	case strings.EqualFold(text, "off"), err == nil && days == 0:
		return own.End(ctx)
	case err != nil:
		return vacation.Status{}, &lobby.Error{Code: lobby.CodeBadRequest, Message: "enter a number of days, or off"}
	}
	return own.Begin(ctx, days)
}
