// Command ayumu is the server and its tools. `ayumu help` lists them.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	_ "time/tzdata" // for quiet hours where the system has no time zones, as in the image

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	_ "golang.org/x/crypto/x509roots/fallback" // for webhooks, mail, NATS and PostgreSQL where the system has no roots

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/ayumu/load"
)

func main() { runMain(config.Load, load.Run) }

// loader loads the settings of a command from its flags and an environment. It may be called again.
type loader func(flags *pflag.FlagSet, env func(string) string) (*config.Config, error)

// runMain runs the program with the arguments of the process, and exits after an error.
func runMain(settings loader, measure measurer) {
	if err := fang.Execute(context.Background(), rootCommand(settings, measure), fang.WithVersion(version()), fang.WithoutManpage(), fang.WithErrorHandler(printError)); err != nil {
		os.Exit(1)
	}
}

// rootCommand returns the program with all its commands.
func rootCommand(settings loader, measure measurer) *cobra.Command {
	root := &cobra.Command{
		Use:   "ayumu",
		Short: "Play " + rules().Titles() + " over SSH",
		Long: "Ayumu is a server for the board games " + rules().Titles() + ". Players connect with any SSH client.\n" +
			"Its manual page: ayumu man | man -l -",
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return checkEnvironment(cmd) },
	}
	root.AddCommand(playCommand(), serveCommand(settings), configCommand(settings), hostkeyCommand(), inviteCommand(), adminCommand(), engineCommand(), matchCommand(), analyzeCommand(), recordCommand(), puzzlesCommand(), backupCommand(), dbCommand(), accountCommand(), loadCommand(measure), versionCommand(), healthCommand(), statusCommand(), manCommand())
	showUsage(root)
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

// showUsage has every command that has none of its own answer wrong arguments with its usage line.
func showUsage(c *cobra.Command) {
	for _, sub := range c.Commands() {
		showUsage(sub)
	}
	check := c.Args
	if check == nil || c.HasSubCommands() {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return nil
		}
		_, arguments, _ := strings.Cut(c.Use, " ")
		return errors.New("usage: " + strings.TrimSpace(c.CommandPath()+" "+arguments))
	}
}

// printError prints an error unchanged. fang would capitalise its first word, which may be a path or a
// name.
func printError(w io.Writer, styles fang.Styles, err error) {
	if text := err.Error(); strings.HasPrefix(text, "usage: ") || strings.HasSuffix(text, "?") { // fang adds a full stop
		_, _ = io.WriteString(w, err.Error()+"\n")
		return
	}
	styles.ErrorText = styles.ErrorText.UnsetTransform()
	fang.DefaultErrorHandler(w, styles, errors.New(strings.TrimSuffix(err.Error(), "."))) // fang adds one
}
