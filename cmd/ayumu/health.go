package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthWord is the command that the socket for the operator answers with the health of the server.
const healthWord = "health"

func healthCommand() *cobra.Command {
	var dir string
	addr := envOr("AYUMU_METRICS_LISTEN", "127.0.0.1:9222")
	cmd := &cobra.Command{
		Use:   "health [URL]",
		Short: "Check the health of a running server (exit status 0 or 1)",
		Long: "Ask a running server whether it accepts connections and can write its data: at a URL or, without one,\n" +
			"the server that uses the data folder. If none does, the URL is http://" + addr + "/health,\n" +
			"that of metrics.listen; AYUMU_METRICS_LISTEN changes the address.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return askHealth(args[0], cmd.OutOrStdout())
			}
			out, err := askAdmin(dir, []string{healthWord})
			if errors.Is(err, errNoServer) {
				return askHealth("http://"+addr+"/health", cmd.OutOrStdout())
			}
			if err == nil {
				_, err = io.WriteString(cmd.OutOrStdout(), out)
			}
			return err
		},
	}
	dataFlag(cmd, &dir)
	return cmd
}

// askHealth writes the server's answer, and returns an error unless the server is healthy.
func askHealth(target string, out io.Writer) error {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" {
		return fmt.Errorf("%q is not a URL such as http://127.0.0.1:9222/health", target)
	}
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get(target)
	if err != nil {
		return fmt.Errorf("no server answers; set --data to its data folder, or its metrics.listen: %w", err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<10))
	switch {
	case err != nil:
		return err
	case r.StatusCode != http.StatusOK:
		return fmt.Errorf("unhealthy: %s", strings.TrimSpace(string(body)))
	}
	_, err = out.Write(body)
	return err
}
