package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli"
	"ayumu/lobby"
	"ayumu/lobby/cluster"
	"ayumu/server/sshd"
)

// statusWord is the command that the socket for the operator answers with the status of the nodes, as JSON.
const statusWord = "status"

// clusterStatus is what `ayumu status --json` prints.
type clusterStatus struct {
	Time     time.Time        `json:"time"`     // now, by the clock of the store, as all times of the nodes
	Sessions int              `json:"sessions"` // on all nodes
	Matches  int              `json:"matches"`  // each node has all
	Nodes    []cluster.Status `json:"nodes"`
}

// newClusterStatus returns the status of these nodes. now is the time by the clock of their store.
func newClusterStatus(now time.Time, nodes []cluster.Status) clusterStatus {
	s := clusterStatus{Time: now, Nodes: nodes}
	for _, n := range nodes {
		if n.IsAlive {
			s.Sessions += n.Sessions
			s.Matches = max(s.Matches, n.Matches)
		}
	}
	return s
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
			s, err := findStatus(cmd.Context(), dir, url)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(s)
			}
			return s.write(cmd.OutOrStdout())
		},
	}
	dataFlag(cmd, &dir)
	cmd.Flags().StringVar(&url, "store", "", "store: postgres://USER@HOST/NAME; empty: ask the server of --data (AYUMU_STORE)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// findStatus returns the status of the nodes, from the store that url names, from the server of a data folder, or from
// the store in the environment if no server answers there.
func findStatus(ctx context.Context, dir, url string) (s clusterStatus, err error) {
	if url != "" {
		return storedStatus(ctx, url)
	}
	out, err := askAdmin(dir, []string{statusWord})
	if fallback := os.Getenv("AYUMU_STORE"); errors.Is(err, errNoServer) && fallback != "" {
		return storedStatus(ctx, fallback)
	}
	if err != nil {
		return s, err
	}
	err = json.Unmarshal([]byte(out), &s)
	return s, err
}

// storedStatus reads the status of the nodes from their database. Its clock decides which are alive, because this
// machine, which may be any, can have another time.
func storedStatus(ctx context.Context, url string) (s clusterStatus, err error) {
	if kind, _, err := config.SplitStore(url); err != nil || kind != config.StorePostgres {
		return s, errors.Join(err, errors.New("a data file has no nodes; ask its server with --data"))
	}
	flags := storeFlags{store: url}
	db, err := flags.open(ctx)
	if err != nil {
		return s, err
	}
	defer db.Close()
	nodeStore, ok := db.(nodeStore)
	if !ok {
		return s, errors.New("this store has no nodes")
	}
	now, err := nodeStore.Now(ctx)
	if err != nil {
		return s, err
	}
	nodes, err := cluster.ReadNodes(ctx, nodeStore.Cluster(), now)
	return newClusterStatus(now, nodes), err
}

// write writes a table of the nodes.
func (s clusterStatus) write(out io.Writer) error {
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
			max(s.Time.Sub(n.BeatAt), 0).Round(time.Second), n.Sessions, n.Matches, n.LagMS, changes, n.Address, n.Version)
	}
	fmt.Fprintf(w, "all\t\t\t\t%d\t%d\n", s.Sessions, s.Matches)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range s.access() {
		fmt.Fprintln(out, line)
	}
	return nil
}

// access returns a line that says who may connect; if the nodes have different settings, one for each of them.
func (s clusterStatus) access() (lines []string) {
	isSame := true
	first := ""
	for _, n := range s.Nodes {
		if !n.IsAlive || n.Access == "" {
			continue
		}
		first = cmp.Or(first, n.Access)
		isSame = isSame && n.Access == first
		lines = append(lines, "access to "+n.Name+": "+n.Access)
	}
	if isSame && first != "" {
		return []string{"access: " + first}
	}
	return lines
}

// statusReporter describes this process for `ayumu status`, here and on other nodes. Any goroutine may use it.
type statusReporter struct {
	name    string
	started time.Time
	server  atomic.Pointer[reportedServer] // nil until it listens
}

// reportedServer is what a statusReporter reads of a server that listens.
type reportedServer struct {
	lobby   *lobby.Lobby
	stats   func() sshd.Stats
	address string        // what people type after ssh
	access  func() string // who may connect now
}

// info returns what the process is doing.
func (r *statusReporter) info() cluster.Info {
	i := cluster.Info{Started: r.started, Version: cli.Version()}
	if s := r.server.Load(); s != nil {
		i.Address, i.Access, i.Sessions, i.Matches = s.address, s.access(), s.stats().Sessions, s.lobby.MatchCount()
	}
	return i
}

// status returns the status of all nodes, or of the only one.
func (r *statusReporter) status() clusterStatus {
	if s := r.server.Load(); s != nil && s.lobby.Node() != nil {
		return newClusterStatus(s.lobby.Node().Now(), s.lobby.Node().Nodes())
	}
	now := time.Now()
	return newClusterStatus(now, []cluster.Status{{Name: r.name, Info: r.info(), BeatAt: now, IsAlive: true}})
}
