package cli

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// fang writes the name of a command or a flag after helpIndent columns, and what it does helpGap columns after the longest name.
const (
	helpIndent = 4
	helpGap    = 2
	minText    = 20 // where less is left, the terminal breaks the text
)

// sourceBreak is a line break within a paragraph of a long description, which is there for the source.
var sourceBreak = regexp.MustCompile(`(\S)\n(\S)`)

// FoldHelp breaks the help of a program and of its commands between words, for a terminal with a number of columns. fang writes
// what a command or a flag does in one line, which the terminal breaks within words, and keeps the line breaks of long
// descriptions.
func FoldHelp(root *cobra.Command, columns int) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	foldCommand(root, columns)
}

func foldCommand(c *cobra.Command, columns int) {
	names := []string{"-h --help"}
	for _, sub := range c.Commands() {
		names = append(names, helpName(sub))
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Shorthand != "" {
			names = append(names, "-"+f.Shorthand+" --"+f.Name)
		} else {
			names = append(names, "--"+f.Name)
		}
	})
	width := columns - helpIndent - helpGap
	for _, name := range names {
		width = min(width, columns-helpIndent-helpGap-utf8.RuneCountInString(name))
	}
	width = max(width, minText)

	c.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = fold(f.Usage, width)
		switch f.DefValue {
		case "", "0", "false", "[]":
		default: // fang adds it
			if last := f.Usage[strings.LastIndexByte(f.Usage, '\n')+1:]; utf8.RuneCountInString(last+" ("+f.DefValue+")") > width {
				f.Usage += "\n"
			}
		}
	})
	if c.Long == "" {
		c.Long = c.Short // which its parent folds
	}
	c.Long = sourceBreak.ReplaceAllString(c.Long, "$1 $2")
	for _, sub := range c.Commands() {
		foldCommand(sub, columns)
		sub.Short = fold(sub.Short, width)
	}
}

// helpName returns what fang writes for a command in the help of its parent.
func helpName(c *cobra.Command) string {
	name := strings.TrimSpace(strings.NewReplacer("[command]", "", "[--flags]", "").Replace(c.Use))
	if c.HasAvailableSubCommands() || strings.Contains(c.Use, "[command]") {
		name += " [command]"
	}
	if c.HasFlags() || c.HasAvailableFlags() {
		name += " [--flags]"
	}
	return name
}

// fold returns a text of one line in lines of at most width columns, broken at spaces.
func fold(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > width {
			lines, line = append(lines, line), word
			continue
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}
