package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/puzzles/generate"
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

// bound returns a value of a field. parse returns the field's new content, or an error that says what is
// allowed.
func bound[T any](kind string, p *T, parse func(string) (T, error)) value {
	return value{kind: kind, get: func() string { return fmt.Sprint(*p) }, set: func(s string) error {
		v, err := parse(s)
		if err == nil {
			*p = v
		}
		return err
	}}
}

// unquoted marks a value that is not quoted in TOML.
func unquoted(v value) value {
	v.bare = true
	return v
}

// text returns a value that passes all checks.
func text(p *string, checks ...func(string) error) value {
	return bound("string", p, func(s string) (string, error) {
		for _, check := range checks {
			if err := check(s); err != nil {
				return "", err
			}
		}
		return s, nil
	})
}

func oneOf(p *string, words ...string) value {
	return text(p, func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is not one of %s", s, strings.Join(words, ", "))
		}
		return nil
	})
}

// list returns a value of texts, separated by commas, that each pass the checks.
func list(p *[]string, checks ...func(string) error) value {
	v := bound("list", p, func(s string) ([]string, error) {
		all := []string{}
		for _, one := range strings.Split(s, ",") {
			if one = strings.TrimSpace(one); one == "" {
				continue
			}
			for _, check := range checks {
				if err := check(one); err != nil {
					return nil, err
				}
			}
			all = append(all, one)
		}
		return all, nil
	})
	v.list, v.get = true, func() string { return strings.Join(*p, ",") }
	return v
}

func boolean(p *bool) value {
	return unquoted(bound("bool", p, func(s string) (bool, error) {
		if s != "true" && s != "false" {
			return false, fmt.Errorf("%q is neither true nor false", s)
		}
		return s == "true", nil
	}))
}

func hours(p *generate.Hours) value {
	return bound("hours", p, generate.ParseHours)
}

func duration(p *time.Duration, minimum, limit time.Duration) value {
	return bound("duration", p, func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < minimum || d > limit {
			return 0, fmt.Errorf("%q is not a time such as 90s, 10m or 1h30m, from %s to %s", s, minimum, limit)
		}
		return d, nil
	})
}

func count(p *int, minimum, limit int) value {
	return unquoted(bound("number", p, func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < minimum || n > limit {
			return 0, fmt.Errorf("%q is not a whole number from %d to %d", s, minimum, limit)
		}
		return n, nil
	}))
}

func rate(p *float64, minimum, limit float64) value {
	return unquoted(bound("number", p, func(s string) (float64, error) {
		r, err := strconv.ParseFloat(s, 64)
		if err != nil || !(r >= minimum && r <= limit) {
			return 0, fmt.Errorf("%q is not a number from %v to %v", s, minimum, limit)
		}
		return r, nil
	}))
}
