// Command ayumu is the server and the tools that come with it; `ayumu help` lists them.
package main

import (
	"context"
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{
		Use:   "ayumu",
		Short: "Play Ayu and Mu over ssh",
		Long:  "Ayumu is a server that people reach with nothing but ssh to play Ayu and Mu.",
	}
	root.AddCommand(serveCommand(), configCommand(), hostkeyCommand(), inviteCommand(), adminCommand(), engineCommand(), matchCommand(), analyzeCommand(), recordCommand(), backupCommand(), dbCommand(), accountCommand(), loadCommand(), versionCommand(), healthCommand())
	if err := fang.Execute(context.Background(), root, fang.WithVersion(version()), fang.WithErrorHandler(printError)); err != nil {
		os.Exit(1)
	}
}

// printError prints an error as it is: fang would write its first word with capitals, also in a path and in
// somebody's name.
func printError(w io.Writer, styles fang.Styles, err error) {
	styles.ErrorText = styles.ErrorText.UnsetTransform()
	fang.DefaultErrorHandler(w, styles, err)
}
