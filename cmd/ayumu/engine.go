package main

import (
	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/gtp"
)

func engineCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "engine",
		Short: "Speak the Go Text Protocol on standard input and output",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return gtp.Run(cmd.InOrStdin(), cmd.OutOrStdout(), version())
		},
	}
}
