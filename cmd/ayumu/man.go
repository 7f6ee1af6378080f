package main

import (
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// manCommand prints the manual page. It is fang's, with what players can ask of a server added from the declarations of
// the operations.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return err
			}
			doc := roff.NewDocument()
			page.Build(doc)
			operations := append(op.All(), admin.All()...)
			doc.Section("Commands over SSH")
			doc.Text("ssh HOST COMMAND answers without a terminal; --json prints JSON, and --yes confirms.")
			describeOperations(doc, operations, func(i *op.Info) (string, *op.Info) { return i.On.SSH.Name(i.Name), i })
			doc.Section("Commands of the line mode")
			doc.Text("ssh -t HOST line opens the line mode. Commands can be abbreviated.")
			describeOperations(doc, operations, func(i *op.Info) (string, *op.Info) { return i.On.Line.Name(i.Name), i.InLine() })
			_, err = cmd.OutOrStdout().Write([]byte(doc.String()))
			return err
		},
	}
}

// describeOperations writes the operations of a front end by their groups. at returns the name of one there, "" if it is
// not there, and its description.
func describeOperations(doc *roff.Document, all []op.Operation, at func(*op.Info) (string, *op.Info)) {
	for _, g := range op.Groups {
		for _, o := range all {
			name, i := at(o.Info())
			if name == "" || i.Group != g {
				continue
			}
			lines := i.Describe(name)
			usage := i.Usage(name)
			help := strings.TrimPrefix(lines[0], usage+": ")
			doc.TaggedParagraph(-1)
			doc.TextBold(usage)
			doc.EndSection()
			doc.Text(strings.Join(append([]string{strings.ToUpper(help[:1]) + help[1:]}, lines[1:]...), " "))
			doc.EndSection()
		}
	}
}
