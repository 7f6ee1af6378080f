package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"ayumu/lobby/sanitize"
)

// sections has the sections of a file without their settings, so that a decoder that refuses unknown fields
// reports each setting and its line.
type sections struct {
	Access, Chat, Club, Health, Limits, Log, Metrics, Notify, Proxy, Ratings, Screens, Tournaments struct{}
}

// readTOML sets the settings that a file has. The errors name the file and the line.
func readTOML(name string, content []byte, settings []Setting) error {
	var file map[string]any
	if err := toml.Unmarshal(content, &file); err != nil {
		return syntaxError(name, content, err)
	}
	var given *toml.StrictMissingError
	err := toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields().Decode(new(sections))
	if err != nil && !errors.As(err, &given) {
		return sectionError(name, err)
	}
	if given == nil {
		return nil
	}
	byKey := make(map[string]Setting)
	for _, s := range settings {
		byKey[s.Key] = s
	}
	seen := make(map[string]bool)
	var wrong []error
	for _, one := range given.Errors {
		key := strings.Join(one.Key(), ".")
		line, _ := one.Position()
		if err := setFromFile(file, one.Key(), byKey, seen[key]); err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, line, err))
		}
		seen[key] = true
	}
	return errors.Join(wrong...)
}

// setFromFile sets the setting of a key to its value in a file.
func setFromFile(file map[string]any, path toml.Key, settings map[string]Setting, seen bool) error {
	var value any = file
	for _, part := range path {
		section, _ := value.(map[string]any)
		value = section[part]
	}
	key := strings.Join(path, ".")
	s, ok := settings[key]
	_, isSection := value.(map[string]any)
	switch {
	case value == nil || seen: // the decoder names a key in braces without its section
		return fmt.Errorf("%s: write a section as [NAME] above its settings, not in braces", key)
	case ok:
		if err := s.setTOML(value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	}
	keys := slices.Sorted(maps.Keys(settings))
	if isSection {
		var names []string
		for _, k := range keys {
			if section, _, found := strings.Cut(k, "."); found {
				names = append(names, section)
			}
		}
		return fmt.Errorf("unknown section [%s]; %s`ayumu config` lists them", key, suggestion(key, names))
	}
	return fmt.Errorf("unknown setting %s; %s`ayumu config` lists them", key, suggestion(key, keys))
}

// syntaxError returns an error of the decoder about a file that is not TOML, with the file and the line. Most such lines
// have a value without quotes, which the decoder does not recognize as one.
func syntaxError(name string, content []byte, err error) error {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name, err)
	}
	number, _ := at.Position()
	line := ""
	if lines := strings.Split(string(content), "\n"); number <= len(lines) {
		line = lines[number-1]
	}
	key, value, _ := strings.Cut(line, "=")
	if value = strings.TrimSpace(value); value != "" && unicode.IsLetter([]rune(value)[0]) && value != "true" && value != "false" {
		// Without the value, which may have a password.
		return fmt.Errorf("%s:%d: %s: that is not a value; write true or false, a number, or a string in quotes", name, number, sanitize.Printable(strings.TrimSpace(key), 60))
	}
	return fmt.Errorf("%s:%d: %w", name, number, err)
}

// sectionError returns an error of the decoder about a section that is written like a setting, with the file and the
// line.
func sectionError(name string, err error) error {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name, err)
	}
	line, _ := at.Position()
	key := strings.Join(at.Key(), ".")
	return fmt.Errorf("%s:%d: %s is a section, not a setting; write [%s] above its settings", name, line, key, key)
}

// setTOML sets a decoded value of the right kind.
func (s Setting) setTOML(v any) error {
	switch v := v.(type) {
	case string:
		if !s.bare {
			return s.Set(v)
		}
	case bool, int64, float64:
		if s.bare {
			return s.Set(fmt.Sprint(v))
		}
	case []any:
		if s.list {
			return s.setList(v)
		}
	}
	switch {
	case s.list:
		return errors.New("must be a string in quotes, or a list of them in brackets")
	case s.kind == "bool":
		return errors.New("must be true or false, without quotes")
	case s.bare:
		return fmt.Errorf("must be a %s without quotes", s.kind)
	}
	return fmt.Errorf("must be a %s in quotes", s.kind)
}

// setList sets a list of texts.
func (s Setting) setList(list []any) error {
	texts := make([]string, len(list))
	for i, v := range list {
		text, ok := v.(string)
		if !ok || strings.Contains(text, ",") {
			return errors.New("its elements must be strings in quotes, without commas")
		}
		texts[i] = text
	}
	return s.Set(strings.Join(texts, ","))
}

// Write writes the settings as a file that Load would read.
func (c *Config) Write(out io.Writer) error {
	section := ""
	for _, s := range c.Settings() {
		key := s.Key
		if dot := strings.IndexByte(key, '.'); dot >= 0 {
			if key[:dot] != section {
				section = key[:dot]
				fmt.Fprintf(out, "\n[%s]\n", section)
			}
			key = key[dot+1:]
		}
		if _, err := fmt.Fprintf(out, "%s = %s # %s\n", key, s.toTOML(), s.Help); err != nil {
			return err
		}
	}
	return nil
}

func (s Setting) toTOML() string {
	switch {
	case s.bare:
		return s.String()
	case !s.list:
		return quote(s.String())
	}
	var all []string
	if s.String() != "" {
		for _, one := range strings.Split(s.String(), ",") {
			all = append(all, quote(one))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// quote makes a TOML basic string. Go's quoting of what is printed is the same; \x is not TOML's.
func quote(s string) string {
	return strings.ReplaceAll(strconv.QuoteToGraphic(strings.ToValidUTF8(s, "�")), `\x`, `\u00`)
}
