package main

import (
	"strings"

	"github.com/muesli/roff"

	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// describeOperations adds to the manual page what players can ask of a server, from the declarations of the operations.
func describeOperations(page *roff.Document) {
	operations := append(op.All(), admin.All()...)
	page.Section("Commands over SSH")
	page.Text("ssh HOST COMMAND answers without a terminal; --json prints JSON, and --yes confirms.")
	describeFrontEnd(page, operations, func(i *op.Info) (string, *op.Info) { return i.On.SSH.Name(i.Name), i })
	page.Section("Commands of the line mode")
	page.Text("ssh -t HOST line opens the line mode. Commands can be abbreviated.")
	describeFrontEnd(page, operations, func(i *op.Info) (string, *op.Info) { return i.On.Line.Name(i.Name), i.InLine() })
}

// describeFrontEnd writes the operations of a front end by their groups. at returns the name of one there, "" if it is
// not there, and its description.
func describeFrontEnd(doc *roff.Document, all []op.Operation, at func(*op.Info) (string, *op.Info)) {
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
