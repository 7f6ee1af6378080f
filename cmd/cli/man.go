package cli

import (
	"io"
	"regexp"
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// manDate matches the date in the heading of a manual page.
var manDate = regexp.MustCompile(`"\d{4}-\d\d-\d\d"`)

// manName is the name of the command that prints the manual page.
const manName = "man"

// manCommand prints the manual page. It is fang's, with the sections that describe adds.
func manCommand(describe func(page *roff.Document)) *cobra.Command {
	return &cobra.Command{
		Use: manName, Short: "Print the manual page", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return err
			}
			doc := roff.NewDocument()
			page.Build(doc)
			if describe != nil {
				describe(doc)
			}
			// The heading has the time of printing, which would make packages differ.
			heading, rest, _ := strings.Cut(doc.String(), "\n")
			heading = manDate.ReplaceAllLiteralString(heading, `""`)
			_, err = io.WriteString(cmd.OutOrStdout(), heading+"\n"+rest)
			return err
		},
	}
}
