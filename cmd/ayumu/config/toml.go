package config

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML sets the settings that a file has, and returns the places of removed ones. Unmarshal
// checks the syntax; the walk afterwards reads the values, because a decoder does not return the
// line of an unknown key.
func readTOML(name string, content []byte, settings []Setting) (removed []string, err error) {
	var whole map[string]any
	wrong := toml.Unmarshal(content, &whole)
	var at *toml.DecodeError
	if errors.As(wrong, &at) {
		line, _ := at.Position()
		return nil, fmt.Errorf("%s:%d: %w", name, line, wrong)
	}
	byKey := make(map[string]Setting)
	for _, s := range settings {
		byKey[s.Key] = s
	}
	var p unstable.Parser
	p.Reset(content)
	table := ""
	seen := make(map[string]bool)
	for p.NextExpression() {
		e := p.Expression()
		key, line := keyOf(&p, e)
		switch e.Kind {
		case unstable.Table:
			if table = key + "."; !isSectionPrefix(byKey, table) {
				return nil, fmt.Errorf("%s:%d: there is no section [%s]; `ayumu config` lists what there is", name, line, key)
			}
		case unstable.KeyValue:
			s, ok := byKey[table+key]
			if _, was := removedSetting(table + key); was {
				removed = append(removed, fmt.Sprintf("%s:%d: %s", name, line, table+key))
				continue
			}
			if !ok {
				return nil, fmt.Errorf("%s:%d: there is no setting %s; `ayumu config` lists them", name, line, table+key)
			}
			if seen[s.Key] {
				return nil, fmt.Errorf("%s:%d: %s stands there twice", name, line, s.Key)
			}
			seen[s.Key] = true
			if err := s.fromTOML(e.Value()); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", name, line, s.Key, err)
			}
		case unstable.ArrayTable:
			return nil, fmt.Errorf("%s:%d: there is no list of sections [[%s]]", name, line, key)
		}
	}
	if err := errors.Join(wrong, p.Error()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return removed, nil
}

// keyOf returns an expression's key with its dots, and the line where it stands.
func keyOf(p *unstable.Parser, e *unstable.Node) (key string, line int) {
	var parts []string
	for it := e.Key(); it.Next(); {
		if len(parts) == 0 {
			line = p.Shape(it.Node().Raw).Start.Line
		}
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, "."), line
}

func isSectionPrefix(byKey map[string]Setting, prefix string) bool {
	for key := range byKey {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// fromTOML sets a value of the right kind.
func (s Setting) fromTOML(n *unstable.Node) error {
	bare := n.Kind == unstable.Bool || n.Kind == unstable.Integer || n.Kind == unstable.Float
	switch {
	case s.list && n.Kind == unstable.Array:
		var all []string
		for it := n.Children(); it.Next(); {
			if it.Node().Kind != unstable.String || strings.Contains(string(it.Node().Data), ",") {
				return errors.New("its elements are texts in quotes, without commas")
			}
			all = append(all, string(it.Node().Data))
		}
		return s.Set(strings.Join(all, ","))
	case n.Kind == unstable.String && !s.bare, bare && s.bare:
		return s.Set(strings.ReplaceAll(string(n.Data), "_", underscore(s)))
	case s.list:
		return errors.New("it is a text in quotes, or a list of them in brackets")
	case s.bare:
		return fmt.Errorf("it is a %s, without quotes", s.kind)
	}
	return fmt.Errorf("it is a %s, in quotes", s.kind)
}

// underscore is what an underscore stands for: itself in a text, nothing in a number.
func underscore(s Setting) string {
	if s.bare {
		return ""
	}
	return "_"
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
