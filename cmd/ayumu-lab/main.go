// Command ayumu-lab is for those who develop Ayumu or measure a server: it makes load, trains the engines, and makes and
// rates puzzles. `ayumu-lab help` lists its commands.
package main

import (
	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu-lab/load"
	"ayumu/cmd/cli"
)

func main() { cli.Main(rootCommand(load.Run)) }

// rootCommand returns the program with all its commands.
func rootCommand(measure measurer) *cobra.Command {
	root := &cobra.Command{
		Use:   "ayumu-lab",
		Short: "Measure Ayumu, train its engines and make its puzzles",
		Long: "The tools of those who develop Ayumu or measure a server. Those who play, run a server or write an engine\n" +
			"need only ayumu.\n" +
			"Its manual page: ayumu-lab man | man -l -",
	}
	root.AddCommand(loadCommand(measure), trainCommand(), bookCommand(), puzzlesCommand())
	cli.Complete(root, nil)
	return root
}
