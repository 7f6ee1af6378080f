package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/cluster"
)

// statusWord is the command that the socket for the operator answers with the status of the nodes, as JSON.
const statusWord = "status"

// clusterStatus is what `ayumu status --json` prints.
type clusterStatus struct {
	Sessions int              `json:"sessions"` // on all nodes
	Matches  int              `json:"matches"`  // each node has all
	Nodes    []cluster.Status `json:"nodes"`
}

func statusCommand() *cobra.Command {
	var dir, url string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the nodes of a running server, with their sessions and matches",
		Long: "List the nodes of a running server: asks the one that uses the data folder or, with --store or\n" +
			"AYUMU_STORE, reads what the nodes have recorded in their PostgreSQL database.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			nodes, err := nodeStatus(cmd.Context(), dir, url)
			if err != nil {
				return err
			}
			s := clusterStatus{Nodes: nodes}
			for _, n := range nodes {
				if n.IsAlive {
					s.Sessions += n.Sessions
					s.Matches = max(s.Matches, n.Matches)
				}
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(s)
			}
			return s.write(cmd.OutOrStdout(), time.Now())
		},
	}
	dataFlag(cmd, &dir)
	cmd.Flags().StringVar(&url, "store", "", "store: postgres://USER@HOST/NAME; empty: ask the server of --data (AYUMU_STORE)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// nodeStatus returns the status of the nodes, from the store that url names, from the server of a data folder, or from
// the store in the environment if no server answers there.
func nodeStatus(ctx context.Context, dir, url string) ([]cluster.Status, error) {
	if url != "" {
		return storedStatus(ctx, url)
	}
	out, err := askAdmin(dir, []string{statusWord})
	if fallback := os.Getenv("AYUMU_STORE"); errors.Is(err, errNoServer) && fallback != "" {
		return storedStatus(ctx, fallback)
	}
	if err != nil {
		return nil, err
	}
	var nodes []cluster.Status
	err = json.Unmarshal([]byte(out), &nodes)
	return nodes, err
}

// storedStatus reads the status of the nodes from their database.
func storedStatus(ctx context.Context, url string) ([]cluster.Status, error) {
	if kind, _, err := config.SplitStore(url); err != nil || kind != config.StorePostgres {
		return nil, errors.Join(err, errors.New("a data file has no nodes; ask its server with --data"))
	}
	flags := storeFlags{store: url}
	db, err := flags.open(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s, ok := db.(shareable)
	if !ok {
		return nil, errors.New("this store has no nodes")
	}
	return cluster.ReadNodes(ctx, s.Cluster(), time.Now())
}

// write writes a table of the nodes.
func (s clusterStatus) write(out io.Writer, now time.Time) error {
	if len(s.Nodes) == 0 {
		_, err := fmt.Fprintln(out, "no node has used this store within a day")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NODE\tSTATE\tSTARTED\tHEARTBEAT\tSESSIONS\tMATCHES\tLAG\tCHANGES\tADDRESS\tVERSION")
	for _, n := range s.Nodes {
		state, changes := "alive", "polling"
		if !n.IsAlive {
			state = "dead"
		}
		if n.IsNotified {
			changes = "NATS"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%v ago\t%d\t%d\t%d ms\t%s\t%s\t%s\n", n.Name, state, n.Started.Local().Format("2006-01-02 15:04"),
			max(now.Sub(n.BeatAt), 0).Round(time.Second), n.Sessions, n.Matches, n.LagMS, changes, n.Address, n.Version)
	}
	fmt.Fprintf(w, "all\t\t\t\t%d\t%d\n", s.Sessions, s.Matches)
	return w.Flush()
}
