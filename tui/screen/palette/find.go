package palette

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
)

// command is an operation as the palette offers it, or what the screen below offers.
type command struct {
	op.Operation
	name  string         // that is shown: of line mode, where it is there
	names []string       // all that can be typed, in lower case; the first is name
	key   string         // on the screen below the palette; "": none
	about string         // what the help page of that screen says of the key; "": the help of the operation says more
	do    func() tea.Cmd // of the screen below; nil: the operation is run
	// isDoneHere reports that the screen does it without words, such as a list for its selected row.
	isDoneHere    bool
	isUnavailable bool // it could do nothing in the match as it is
}

// title returns the title of the panel with the result: "Statistics" of "admin statistics".
func (c command) title() string {
	name := strings.TrimPrefix(c.name, "admin ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// newScreenCommand returns the command of what the screen below the palette offers besides operations.
func newScreenCommand(c screen.Command) command {
	return command{Operation: op.ByHand(op.Info{Name: c.Name, Help: c.Help}), name: c.Name, names: []string{strings.ToLower(c.Name)}, key: screen.ShownKey(c.Key), do: c.Do}
}

// newCommand returns the command of an operation on a screen with a name.
func newCommand(o op.Operation, on string) command {
	i := o.Info()
	c := command{Operation: o}
	for _, p := range []op.Availability{i.On.Line, i.On.SSH, i.On.API} {
		c.names = append(c.names, p.All(i.Name)...)
	}
	c.names = append(c.names, i.Name)
	seen := make(map[string]bool)
	c.names = slices.DeleteFunc(c.names, func(n string) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
	c.name = c.names[0]
	for _, k := range i.On.Screen.Names {
		if name, key, ok := strings.Cut(k, " "); ok && name == on {
			c.key = screen.ShownKey(key)
			break
		}
	}
	return c
}

// addWordsOf gives commands the words of the screen below for their keys, so that one thing has one wording, and what is read
// there can be typed here: the label in the status bar as a name, and what the help page says. Keys of several letters, such
// as Enter, mean other things, and the words for a key that does several operations fit none of them.
func addWordsOf(all []command, bar, page []game.Key) {
	for i := range all {
		c := &all[i]
		isShared := slices.ContainsFunc(all, func(o command) bool { return o.key == c.key && o.name != c.name })
		if utf8.RuneCountInString(c.key) != 1 || isShared {
			continue
		}
		isKey := func(k game.Key) bool { return strings.EqualFold(k.Key, c.key) }
		if at := slices.IndexFunc(bar, isKey); at >= 0 {
			c.names = append(c.names, strings.ToLower(bar[at].Help))
		}
		if at := slices.IndexFunc(page, isKey); at >= 0 {
			c.about = page[at].Help
		}
	}
}

// usage returns the arguments as they are typed.
func (c *command) usage() string { return strings.TrimSpace(c.Info().InLine().Usage("")) }

// needsWords reports whether the command cannot run without words after its name.
func (c *command) needsWords() bool {
	return !c.isDoneHere && !slices.Contains(takesNoWords, c.Info().Name) && slices.ContainsFunc(c.Info().InLine().Args, func(a op.Arg) bool { return a.Usage != "" && !a.Optional })
}

// actsAtSeat reports whether Enter would offer something to the opponents or end the game, as a command of a seat does that needs no
// arguments.
func (c command) actsAtSeat() bool {
	i := c.Info()
	return i.Where == op.AtSeat && i.Effect != op.Reads && !c.needsWords()
}

// takesWords reports whether words can follow the name of the command.
func (c *command) takesWords() bool { return c.usage() != "" }

// The scores of a match, from a word that is the name to one that only has the letters of the name in their order.
const (
	noMatch = iota
	inHelp
	startsInHelp
	letters
	inName
	startsInName
	startsAlias
	startsName
	isAlias
	isName
)

// score returns how well a word in lower case matches the command.
func (c *command) score(word string) int {
	best := noMatch
	for i, name := range c.names {
		s := noMatch
		switch {
		case name == word && i == 0:
			s = isName
		case name == word:
			s = isAlias
		case strings.HasPrefix(name, word) && i == 0:
			s = startsName
		case strings.HasPrefix(name, word):
			s = startsAlias
		case startsWord(name, word):
			s = startsInName
		case strings.Contains(name, word):
			s = inName
		case len(word) > 1 && hasLetters(name, word):
			s = letters
		}
		best = max(best, s)
	}
	if help := strings.ToLower(c.about + " " + c.Info().Help); best == noMatch && len(word) > 1 {
		switch {
		case startsWord(help, word):
			best = startsInHelp
		case strings.Contains(help, word):
			best = inHelp
		}
	}
	return best
}

// startsWord reports whether one of the words of a text begins with the letters of prefix.
func startsWord(text, prefix string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" _,.;:()", r) }), func(w string) bool {
		return strings.HasPrefix(w, prefix)
	})
}

// hasLetters reports whether a name has the letters of a word in their order.
func hasLetters(name, word string) bool {
	for _, r := range word {
		at := strings.IndexRune(name, r)
		if at < 0 {
			return false
		}
		name = name[at+utf8.RuneLen(r):]
	}
	return true
}

// find returns the commands that match all words of a text, the best first; of equals those that were used last, and then
// in the order of all.
func find(all []command, text string, used []string) []command {
	type match struct {
		command
		score, recency int
	}
	var found []match
	words := strings.Fields(strings.ToLower(text))
	for _, c := range all {
		m := match{c, 0, slices.Index(used, c.Info().Name)}
		if m.recency < 0 {
			m.recency = len(used)
		}
		isMatch := true
		for _, w := range words {
			s := c.score(w)
			isMatch = isMatch && s > noMatch
			m.score += s
		}
		if len(words) > 1 && slices.Contains(c.names, strings.Join(words, " ")) {
			m.score += isName * len(words)
		}
		if isMatch {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.recency, b.recency))
	})
	result := make([]command, len(found))
	for i, m := range found {
		result[i] = m.command
	}
	return result
}

// named returns the command whose name begins a line, and what follows it; ok is false without a space after the name, and
// while the line may become a longer name. Of several names the longest counts, and the name that is shown before one of
// another front end.
func named(all []command, line string) (c command, rest string, ok bool) {
	line = strings.TrimLeft(line, " ")
	best := 0
	if slices.ContainsFunc(all, func(c command) bool { return c.do != nil && strings.EqualFold(c.name, strings.TrimSpace(line)) }) {
		return command{}, "", false // what the screen offers may begin as an operation does
	}
	for _, named := range all {
		if named.do != nil { // nothing follows it
			continue
		}
		for i, n := range named.names {
			if len(line) <= len(n) && strings.Contains(line, " ") && strings.EqualFold(line, n[:len(line)]) {
				return command{}, "", false
			}
			if len(line) <= len(n) || !strings.EqualFold(line[:len(n)], n) || line[len(n)] != ' ' {
				continue
			}
			rank := 2 * len(n)
			if i == 0 {
				rank++
			}
			if rank > best {
				best, c, rest, ok = rank, named, strings.TrimLeft(line[len(n):], " "), true
			}
		}
	}
	return c, rest, ok
}
