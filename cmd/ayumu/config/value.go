package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value is a setting's value as text. It is a pflag.Value.
type value struct {
	kind string
	get  func() string
	set  func(string) error
	list bool // elements apart by commas; an array in TOML
	bare bool // not quoted in TOML
}

func (v value) String() string     { return v.get() }
func (v value) Set(s string) error { return v.set(s) }
func (v value) Type() string       { return v.kind }

func text(p *string) value {
	return value{kind: "string", get: func() string { return *p }, set: func(s string) error { *p = s; return nil }}
}

// checked puts a check before a value is set.
func checked(v value, ok func(string) error) value {
	set := v.set
	v.set = func(s string) error {
		if err := ok(s); err != nil {
			return err
		}
		return set(s)
	}
	return v
}

func oneOf(p *string, words ...string) value {
	v := text(p)
	v.set = func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is none of %s", s, strings.Join(words, ", "))
		}
		*p = s
		return nil
	}
	return v
}

// list is texts that each pass a check; nil: any does.
func list(p *[]string, check func(string) error) value {
	return value{kind: "list", list: true, get: func() string { return strings.Join(*p, ",") }, set: func(s string) error {
		all := []string{}
		for _, one := range strings.Split(s, ",") {
			if one = strings.TrimSpace(one); one == "" {
				continue
			}
			if check != nil {
				if err := check(one); err != nil {
					return err
				}
			}
			all = append(all, one)
		}
		*p = all
		return nil
	}}
}

func boolean(p *bool) value {
	return value{kind: "bool", bare: true, get: func() string { return strconv.FormatBool(*p) }, set: func(s string) error {
		if s != "true" && s != "false" {
			return fmt.Errorf("%q is neither true nor false", s)
		}
		*p = s == "true"
		return nil
	}}
}

func duration(p *time.Duration, minimum, limit time.Duration) value {
	return value{kind: "duration", get: func() string { return p.String() }, set: func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d < minimum || d > limit {
			return fmt.Errorf("%q is no time such as 90s, 10m or 1h30m, from %s to %s", s, minimum, limit)
		}
		*p = d
		return nil
	}}
}

func count(p *int, minimum, limit int) value {
	return value{kind: "number", bare: true, get: func() string { return strconv.Itoa(*p) }, set: func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < minimum || n > limit {
			return fmt.Errorf("%q is no whole number from %d to %d", s, minimum, limit)
		}
		*p = n
		return nil
	}}
}

func rate(p *float64, minimum, limit float64) value {
	return value{kind: "number", bare: true, get: func() string { return strconv.FormatFloat(*p, 'f', -1, 64) }, set: func(s string) error {
		r, err := strconv.ParseFloat(s, 64)
		if err != nil || !(r >= minimum && r <= limit) {
			return fmt.Errorf("%q is no number from %v to %v", s, minimum, limit)
		}
		*p = r
		return nil
	}}
}
