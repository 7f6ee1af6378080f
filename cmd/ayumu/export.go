package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/export"
	"ayumu/cmd/games"
	"ayumu/lobby/store"
)

func recordExportCommand() *cobra.Command {
	var flags storeFlags
	var filter export.Filter
	cmd := &cobra.Command{
		Use:   "export FOLDER",
		Short: "Write the records of all matches, or of some, into a folder (works while the server runs)",
		Long: "Write the record of each finished match into FOLDER as ID.ayumu. FOLDER is created if its parent exists. Records that it\n" +
			"already has are left as they are, so that a later export adds only what is new. Private matches are exported too.",
		Args: cobra.ExactArgs(1),
		RunE: flags.withStore(func(cmd *cobra.Command, db store.Store, args []string) error {
			if _, known := games.Rules().ByName(filter.Game); filter.Game != "" && !known {
				return fmt.Errorf("there is no game %q; the games are %s", filter.Game, strings.Join(games.Rules().Names(), " and "))
			}
			return export.Records(cmd.Context(), db, &filter, args[0], cmd.OutOrStdout())
		}),
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&filter.Player, "player", "", "only matches of this player")
	cmd.Flags().StringVar(&filter.Game, "game", "", "only matches of the game with this name")
	cmd.Flags().StringVar(&filter.Since, "since", "", "only matches that started on this day or later (2006-01-02, UTC)")
	cmd.Flags().StringVar(&filter.Until, "until", "", "only matches that started on this day or earlier")
	cmd.Flags().BoolVar(&filter.Running, "running", false, "also matches that have not ended")
	return cmd
}
