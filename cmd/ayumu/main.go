// Command ayumu is the server, with the tools of those who play, run a server or write an engine. `ayumu help` lists them.
// Those who develop Ayumu have ayumu-lab besides.
package main

import (
	"os"
	_ "time/tzdata" // for quiet hours where the system has no time zones, as in the image

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	_ "golang.org/x/crypto/x509roots/fallback" // for webhooks, mail, NATS and PostgreSQL where the system has no roots

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli"
	"ayumu/cmd/games"
)

func main() { cli.Main(rootCommand(config.Load)) }

// loader loads the settings of a command from its flags and an environment. It may be called again.
type loader func(flags *pflag.FlagSet, env func(string) string) (*config.Config, error)

// rootCommand returns the program with all its commands.
func rootCommand(settings loader) *cobra.Command {
	root := &cobra.Command{
		Use:   "ayumu",
		Short: "Play " + games.Rules().Titles() + " over SSH",
		Long: "Ayumu is a server for the board games " + games.Rules().Titles() + ". Players connect with any SSH client.\n" +
			"Its manual page: ayumu man | man -l -",
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return checkEnvironment(cmd) },
	}
	root.AddCommand(playCommand(), serveCommand(settings), configCommand(settings), hostkeyCommand(), inviteCommand(), adminCommand(), engineCommand(), matchCommand(), analyzeCommand(), recordCommand(), backupCommand(), dbCommand(), accountCommand(), healthCommand(), statusCommand())
	cli.Complete(root, describeOperations)
	return root
}

// checkEnvironment returns an error if a variable is misspelt, for every command that has settings or finds a store in
// the environment: a server would be open to others than was meant, a tool would change another store.
func checkEnvironment(cmd *cobra.Command) error {
	if cmd.Flags().Lookup("data") == nil {
		return nil
	}
	_, err := config.CheckEnvironment(os.Environ())
	return err
}
