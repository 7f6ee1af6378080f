package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse reads a control as a person types it: minutes and seconds such as 15+10, minutes such as
// 15, days such as 2d or 2 days, or none. What String returns for whole minutes is read back. The
// error says what could be typed instead.
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
				return c, fmt.Errorf("%q is no number of days; type one such as 2d", s)
			}
			c.Days = min(n, MaxDays+1)
			return c, c.Check()
		}
	}
	minutes, seconds, both := strings.Cut(typed, "+")
	m, err := strconv.Atoi(minutes)
	n := 0
	if err == nil && both {
		n, err = strconv.Atoi(seconds)
	}
	if err != nil || m < 0 || n < 0 || m+n == 0 {
		return c, fmt.Errorf("%q is no clock; type minutes+seconds such as 15+10, or days such as 2d", s)
	}
	// Checked as plain numbers first: a huge one would wrap round as a duration.
	c.Initial = time.Duration(min(m, int(MaxInitial.Minutes())+1)) * time.Minute
	c.Increment = time.Duration(min(n, int(MaxIncrement.Seconds())+1)) * time.Second
	return c, c.Check()
}
