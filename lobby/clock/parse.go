package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse reads a control as a user types it: minutes and seconds such as 15+10, minutes such as 15, days
// such as 2d or 2 days, or none. It accepts the results of String for whole minutes. The error shows what
// can be typed.
func Parse(s string) (Control, error) {
	typed := strings.ToLower(strings.Join(strings.Fields(s), ""))
	var c Control
	if typed == "none" || typed == "noclock" {
		return c, nil
	}
	for _, unit := range []string{"days", "day", "d"} {
		if days, ok := strings.CutSuffix(typed, unit); ok {
			n, err := strconv.Atoi(days)
			if err != nil || n < 1 {
				return c, fmt.Errorf("%q is not a number of days; type one such as 2d", s)
			}
			c.Days = min(n, MaxDays+1)
			return c, c.Check()
		}
	}
	minutes, seconds, hasSeconds := strings.Cut(typed, "+")
	m, err := strconv.Atoi(minutes)
	n := 0
	if err == nil && hasSeconds {
		n, err = strconv.Atoi(seconds)
	}
	if err != nil || m < 0 || n < 0 || m+n == 0 {
		return c, fmt.Errorf("%q is not a clock; type minutes+seconds such as 15+10, or days such as 2d", s)
	}
	// Bounded as plain numbers first: a huge number would overflow a duration.
	c.Initial = time.Duration(min(m, int(MaxInitial.Minutes())+1)) * time.Minute
	c.Increment = time.Duration(min(n, int(MaxIncrement.Seconds())+1)) * time.Second
	return c, c.Check()
}
