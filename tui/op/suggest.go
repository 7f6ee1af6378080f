package op

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/tui/words"
)

// Suggestion is a word that a person can type for an argument.
type Suggestion struct {
	Word  string
	About string // what it means, in some words; "": the word says it
}

// clocks are the clocks that are offered, short to long, those of correspondence last.
var clocks = []clock.Control{
	{Initial: 5 * time.Minute, Increment: 5 * time.Second},
	clock.Default,
	{Initial: 20 * time.Minute, Increment: 15 * time.Second},
	{Initial: 60 * time.Minute, Increment: 30 * time.Second},
	{},
	{Days: 1},
	{Days: 3},
}

// Clocks returns the clocks that are offered, short to long, offline without those of correspondence. The list must not be
// changed.
func (c *Config) Clocks() []clock.Control {
	if c.IsOffline() {
		return clocks[:slices.IndexFunc(clocks, clock.Control.IsCorrespondence)]
	}
	return clocks
}

// maxSuggestions bounds the words that Suggest returns.
const maxSuggestions = 60

// Suggest returns the words that can follow the words that were typed after the name of an operation, of those that begin
// with prefix, which is being typed. It asks no store.
func (v *Visit) Suggest(i *Info, typed []string, prefix string) (all []Suggestion) {
	add := func(word, about string) {
		isTyped := slices.ContainsFunc(typed, func(t string) bool { return strings.EqualFold(t, word) })
		isKnown := slices.ContainsFunc(all, func(s Suggestion) bool { return s.Word == word })
		if !isTyped && !isKnown && len(all) < maxSuggestions && len(word) >= len(prefix) && strings.EqualFold(word[:len(prefix)], prefix) {
			all = append(all, Suggestion{word, about})
		}
	}
	before := ""
	if n := len(typed); n > 0 {
		before = strings.ToLower(typed[n-1])
	}
	for _, a := range v.nextArgs(i, typed) {
		v.suggestFor(a, before, add)
	}
	return all
}

// nextArgs returns the arguments of an operation that the next word can be for: the first that has no word yet, those that
// follow while they may be left out, and those that begin with a key or can be anywhere.
func (v *Visit) nextArgs(i *Info, typed []string) (next []Arg) {
	if v.Current != nil {
		i = i.InLine()
	}
	words := len(typed)
	var keyed []Arg
	for _, a := range i.Args {
		if lead := a.lead(); lead != "" {
			switch n := slices.IndexFunc(typed, func(t string) bool { return strings.EqualFold(t, lead) }); {
			case n < 0:
				keyed = append(keyed, a)
			case n == len(typed)-1:
				return []Arg{a}
			default:
				words -= 2
			}
			continue
		}
		if a.key == "" {
			continue
		}
		if n := slices.IndexFunc(typed, func(t string) bool { return len(t) >= len(a.key) && strings.EqualFold(t[:len(a.key)], a.key) }); n >= 0 {
			words--
			continue
		}
		keyed = append(keyed, a)
	}
	for _, a := range i.Args {
		if a.Usage == "" || a.key != "" || a.lead() != "" {
			continue
		}
		if a.isAnywhere {
			next = append(next, a)
			continue
		}
		if words > 0 && !a.Repeated {
			words--
			continue
		}
		if next = append(next, a); !a.Optional || a.Repeated {
			break
		}
	}
	return append(next, keyed...)
}

// lead returns the word that comes before an argument of two words: "to" of "[to NAME]"; "": it is one word.
func (a *Arg) lead() string {
	if w := strings.Fields(strings.Trim(a.Usage, "[]")); len(w) == 2 && !a.Repeated && w[0] == strings.ToLower(w[0]) && w[1] == strings.ToUpper(w[1]) && !strings.HasSuffix(w[0], "]") {
		return w[0]
	}
	return ""
}

// suggestFor adds words for an argument: those that its usage lists, and for the names in capitals what there is. A name
// that follows a word, as in "to NAME", is suggested after that word, which is before.
func (v *Visit) suggestFor(a Arg, before string, add func(word, about string)) {
	_, value, isKeyed := strings.Cut(strings.Trim(a.Usage, "[]"), "=")
	switch {
	case a.key == "":
	case !isKeyed || strings.ContainsFunc(value, unicode.IsUpper):
		add(a.key, a.Help)
		return
	default:
		for choice := range strings.SplitSeq(value, "|") {
			add(a.key+choice, a.Help)
		}
		return
	}
	switch a.Kind {
	case "match":
		v.suggestMatches(add)
	case "table":
		v.suggestTables(add)
	}
	for _, choice := range strings.FieldsFunc(strings.ReplaceAll(a.Usage, "your ", "YOUR"), func(r rune) bool { return strings.ContainsRune("[],|", r) }) {
		lead := "" // the word before the part
		for _, part := range strings.Fields(choice) {
			if isName := !strings.ContainsFunc(part, unicode.IsLower); !isName || lead == "" || lead == before {
				v.suggestPart(part, add)
			}
			if lead = part; part == "or" {
				lead = ""
			}
		}
	}
}

// suggestPart adds words for a part of a usage.
func (v *Visit) suggestPart(part string, add func(word, about string)) {
	switch part {
	case "or", "…", "-":
	case "here":
		if v.Here != nil {
			add(part, "")
		}
	case "NAME", "PLAYER":
		for u := range v.Lobby.View().Users.All() {
			if u.ID == v.User().ID {
				continue
			}
			about := ""
			switch {
			case u.Bot:
				about = "a bot"
			case u.Match != "":
				about = "playing"
			}
			add(u.Name, about)
		}
	case "GAME":
		for _, g := range v.Games {
			add(g.Name(), g.Engine().Title())
		}
	case "SIZE":
		for _, g := range v.Games {
			for i, c := range g.Choices() {
				for _, answer := range c.Answers {
					if i == 0 && !c.NeverRated {
						add(typedAnswer(answer), g.Engine().Title())
					}
				}
			}
		}
	case "CLOCK":
		for _, c := range v.Clocks() {
			switch {
			case c.IsUntimed():
				add("none", "no clock")
			case c.Days > 0:
				add(strconv.Itoa(c.Days)+"d", c.String()+" for each turn")
			default:
				add(c.String(), "minutes, and seconds for each turn")
			}
		}
	case "LEVEL":
		for level := bots.MinLevel; level <= bots.MaxLevel && v.Bots != nil; level++ {
			add(strconv.Itoa(level), v.Bots.Name(level))
		}
	case "TERMS":
		for _, term := range []string{"SIZE", "CLOCK", "rated", "casual"} {
			v.suggestPart(term, add)
		}
	case "DURATION":
		for _, d := range []string{"30m", "12h", "1d", "7d", "30d", "forever"} {
			add(d, "")
		}
	case "MATCH":
		v.suggestMatches(add)
	case "TABLE":
		v.suggestTables(add)
	default:
		key, value, isKeyed := strings.Cut(part, "=")
		switch {
		case isKeyed && strings.ContainsFunc(value, unicode.IsUpper):
			add(key+"=", "")
		case !strings.ContainsFunc(part, unicode.IsUpper):
			add(part, "")
		}
	}
}

// suggestMatches adds the matches of the user, and those to watch.
func (v *Visit) suggestMatches(add func(word, about string)) {
	me := v.User().ID
	for _, s := range v.Lobby.Accounts.Snapshots(me) {
		if _, seated := s.Info.SeatOf(me); seated && !s.IsOver() {
			add(s.Info.ID, "your game "+words.WithOpponents(s.Info, me)+", "+s.Info.Title())
		}
	}
	for _, m := range v.Lobby.View().WatchableBy(me) {
		add(m.ID, v.LongNames(m.Info)+", "+m.Info.Title())
	}
}

// suggestTables adds the open tables that the user may see.
func (v *Visit) suggestTables(add func(word, about string)) {
	for _, t := range v.Lobby.TableList().TablesFor(v.User().ID) {
		add(t.ID, v.DescribeTable(t))
	}
}

// typedAnswer returns an answer to a question about a game as it is typed: "9x9".
func typedAnswer(answer string) string {
	return strings.ToLower(strings.NewReplacer("×", "x", " ", "").Replace(answer))
}
