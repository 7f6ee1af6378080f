package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func healthCommand() *cobra.Command {
	addr := envOr("AYUMU_METRICS_LISTEN", "127.0.0.1:9222")
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Ask a running server whether it is healthy; exit status 0 if so, else 1",
		Long: "Ask a running server, through its metrics.listen, whether it accepts connections and can write its data.\n" +
			"URL is http://" + addr + "/health unless given; AYUMU_METRICS_LISTEN changes the address.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at := "http://" + addr + "/health"
			if len(args) > 0 {
				at = args[0]
			}
			return askHealth(at, cmd.OutOrStdout())
		},
	}
}

// askHealth writes what the server says, and returns an error unless it is healthy.
func askHealth(at string, out io.Writer) error {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" || u.Scheme != "http" {
		return fmt.Errorf("%q is no URL such as http://127.0.0.1:9222/health", at)
	}
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get(at)
	if err != nil {
		return fmt.Errorf("no server answers; set its metrics.listen: %w", err)
	}
	defer r.Body.Close()
	says, err := io.ReadAll(io.LimitReader(r.Body, 4<<10))
	switch {
	case err != nil:
		return err
	case r.StatusCode != http.StatusOK:
		return fmt.Errorf("unhealthy: %s", strings.TrimSpace(string(says)))
	}
	_, err = out.Write(says)
	return err
}
